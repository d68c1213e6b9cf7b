"""The person's own notes (L5): which folders, what stands in them, search, and two moves."""
