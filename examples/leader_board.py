"""Who wins most of the hands that they are dealt into.

python examples/leader_board.py [STORE]
"""

import sys

import bh99

FEWEST_HANDS = 2
"""Who was dealt into fewer hands isn't ranked."""

with bh99.open_store(sys.argv[1] if len(sys.argv) > 1 else None, create=False) as store:
    rows = [row for row in store.stats() if row.hands >= FEWEST_HANDS and row.matches < row.games]

rows.sort(key=lambda row: (-row.win_rate, -row.wins, row.player))
for place, row in enumerate(rows, 1):
    print(f"{place:>3}  {row.player:<20} {row.wins:>4} of {row.hands:>4} hands  {row.win_rate:>4.0%}")
