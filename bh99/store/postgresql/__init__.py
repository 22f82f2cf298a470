"""The store on a server of PostgreSQL: a schema with the events, and one with the views."""
