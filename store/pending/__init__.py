"""The approval queue and the effect of each record."""
