"""The store in files of SQLite: one with the events, and one beside it with the views."""
