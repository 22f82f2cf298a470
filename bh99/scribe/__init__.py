"""The scribe: a game at a real table, written down in a few letters an entry (docs/recording.md)."""
