"""Qt models over frozen values of the store."""
