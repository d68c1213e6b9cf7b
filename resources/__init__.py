"""Icons, styles, translations and the sample home, read through importlib.resources."""
