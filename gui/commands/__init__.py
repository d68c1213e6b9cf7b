"""The commands of the second front door: each a function from a desk and arguments to an answer."""
