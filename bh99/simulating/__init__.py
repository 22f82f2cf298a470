"""Games between bots: so many of them, repeatable by a seed, in several processes (docs/simulating.md)."""

from bh99.simulating.comparing import Compared, Comparison, compare
from bh99.simulating.plan import Plan, plan_of
from bh99.simulating.runs import SeatRates, Simulation, simulate

__all__ = ["Compared", "Comparison", "Plan", "SeatRates", "Simulation", "compare", "plan_of", "simulate"]
