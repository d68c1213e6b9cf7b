"""The window and the command line: floor three of the house."""
