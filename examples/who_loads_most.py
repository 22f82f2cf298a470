"""Who gets the loading duty, why, and who loads.

python examples/who_loads_most.py [STORE]
"""

import sys
from collections import Counter

import bh99

with bh99.open_store(sys.argv[1] if len(sys.argv) > 1 else None, create=False) as store:
    duties = store.duty()
    loads = {row.player: row.loads for row in store.stats()}

given = Counter((row.player, row.cause) for row in duties)
players = {player for player, _ in given} | {player for player, number in loads.items() if number}
print(f"{'':<20} {'first out':>9} {'bowl done':>9} {'loads':>6}")
for player in sorted(players, key=lambda name: (-loads.get(name, 0), name)):
    causes = given[player, "first_out"], given[player, "finished_bowl"]
    print(f"{player:<20} {causes[0]:>9} {causes[1]:>9} {loads.get(player, 0):>6}")
