"""The memory files: entries, operations, budget, threats, snapshot and drift."""
