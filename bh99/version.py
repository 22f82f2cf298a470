"""The version, which is also the auditor's: findings are the word of it."""

__version__ = "0.1.0"
