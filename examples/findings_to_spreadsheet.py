"""Every finding of every game, as CSV for a spreadsheet.

python examples/findings_to_spreadsheet.py [STORE] > findings.csv
"""

import csv
import sys

import bh99

FINDINGS = """
    SELECT games.evening, findings.game, findings.line, findings.hand, findings.rule, findings.player,
        findings.message, findings.ruled, findings.auditor
    FROM findings JOIN games ON games.game = findings.game
    ORDER BY games.evening, findings.game, findings.line
"""

with bh99.open_store(sys.argv[1] if len(sys.argv) > 1 else None, create=False) as store:
    views = store.connect()
cursor = views.execute(FINDINGS)
sheet = csv.writer(sys.stdout, lineterminator="\n")
sheet.writerow(column[0] for column in cursor.description)
for row in cursor:
    # A spreadsheet takes what begins so for a formula, and these texts come from logs.
    sheet.writerow(f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@") else cell for cell in row)
