"""What a log proves although cards are unknown: every deal that agrees with it, without going through them one by one.

A hand's trail (domain.trail) becomes a history of places that unseen cards passed through; a history becomes a set of
linear conditions, which a solver decides exactly; what has no deal that says otherwise is proved.
"""
