"""A widget per kind of field, and the form that lays them out."""
