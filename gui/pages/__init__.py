"""The pages of the window, one module each."""
