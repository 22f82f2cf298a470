"""How often a steal with the Ace of Clubs succeeds: where the stolen hit is once it has slid.

python examples/ace_of_clubs.py [STORE]
"""

import sys

import bh99

STEALS = """
    SELECT stolen.player AS thief, stolen.source AS winner,
        coalesce(
            (SELECT slid.player FROM hits AS slid
             WHERE slid.game = stolen.game AND slid.hand = stolen.hand AND slid.deed = 'slid' AND slid.prize = 'main'
             ORDER BY slid.line DESC LIMIT 1),
            stolen.player) AS holder
    FROM hits AS stolen JOIN hands ON hands.game = stolen.game AND hands.hand = stolen.hand
    WHERE stolen.deed = 'stolen' AND hands.voided = 0
"""

with bh99.open_store(sys.argv[1] if len(sys.argv) > 1 else None, create=False) as store:
    views = store.connect()
won = views.execute("SELECT count(*) FROM hands WHERE winner IS NOT NULL").fetchone()[0]
steals = views.execute(STEALS).fetchall()
kept = sum(holder == thief for thief, _, holder in steals)
back = sum(holder == winner for _, winner, holder in steals)
print(f"{won} hands won, {len(steals)} of them robbed")
print(f"{kept:>4}  stayed with the thief")
print(f"{back:>4}  slid back to the winner")
print(f"{len(steals) - kept - back:>4}  slid to somebody else")
