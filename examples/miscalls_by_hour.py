"""At what time of the evening the Count is said wrong: miscalls by hour, where the log tells the time.

python examples/miscalls_by_hour.py [STORE]
"""

import sys

import bh99

BY_HOUR = """
    SELECT hour, count(*) AS said, count(wrong) AS wrong FROM (
        SELECT CAST(substr(plays.at, 12, 2) AS INTEGER) AS hour, findings.line AS wrong
        FROM plays LEFT JOIN findings
            ON findings.game = plays.game AND findings.line = plays.line AND findings.rule = 'count-called'
        WHERE plays.said IS NOT NULL
    ) AS calls
    GROUP BY hour ORDER BY (hour + 18) % 24 NULLS FIRST
"""  # an evening begins at six in the morning

with bh99.open_store(sys.argv[1] if len(sys.argv) > 1 else None, create=False) as store:
    views = store.connect()
for hour, said, wrong in views.execute(BY_HOUR):
    print(f"{'??' if hour is None else f'{hour:02}'} o'clock  {wrong:>4} of {said:>5}  {wrong / said:>5.1%}")
