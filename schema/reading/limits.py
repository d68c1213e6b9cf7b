"""How much of a declaration is read: it is other people's text, so everything has a bound."""

from __future__ import annotations

MAX_FILE = 600_000
"""Characters of one file; a longer one is not parsed."""
MAX_PARSED = 40
"""Files of a package that are parsed for one declaration."""
MAX_NESTING = 300
"""How deep the text of one statement may be nested: brackets, operators, `else` branches."""
MAX_STEPS = 30_000
"""Expressions and statements that are looked at."""
MAX_DEPTH = 90
"""Expressions inside one another, through all calls."""
MAX_CALLS = 12
"""Functions of the package inside one another."""
MAX_STRING = 100_000
"""Characters of one text that comes about."""
MAX_YAML = 20_000
"""Characters of a YAML text that a plugin's own code reads its fields from."""
MAX_ITEMS = 5_000
"""Items of one list or mapping that comes about."""
MAX_MADE = 2_000_000
"""Characters and items that come about together."""
MAX_NUMBER = 10**18
"""The largest whole number that is calculated with."""

MAX_FIELDS = 500
"""Fields of one declaration; the rest is named as unread."""
MAX_OPTIONS = 500
"""Choices of one field."""
MAX_KEY = 128
"""Characters of a field's key."""
MAX_LABEL = 200
"""Characters of a label, a group or a choice; the rest is cut."""
MAX_HELP = 5_000
"""Characters of a help; the rest is cut."""
MAX_SAID = 100
"""Notes and unread parts of one declaration that are kept."""
MAX_CONSTRUCT = 80
"""Characters of source text that are shown of what could not be read."""
