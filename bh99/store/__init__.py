"""The game store: recorded games as events in a database, and views of them that can always be made anew.

urls → place (a file or a server; sqlite/, postgresql/) → database (what both engines do)
    → games (the evidence: what was imported or played, line for line)
                      ↓
           views, view_tables (what is asked about it) → current_views → queries
"""
