"""What a key or password should not look like: signs that a wrong text was copied or kept."""

from __future__ import annotations

import re
import unicodedata
from typing import Final, Literal

Blemish = Literal["masked", "invisible", "look_alike", "quoted", "assignment", "blanks"]
"""Dots or stars instead of the value; signs that cannot be seen; letters that look like others;
quotes around it; `NAME=` before it; blanks inside."""

ASCII_ONLY: Final = ("_API_KEY", "_TOKEN", "_SECRET", "_KEY")
"""Values of names that end so lose what is not ASCII when Hermes loads them."""

_MASK = re.compile(r"[*•●∙·.…xX]{3,}|.{0,12}(?:\.{3}|…).{0,8}")
_STARS = re.compile(r"[*•●∗＊]{3,}")
_ASSIGNMENT = re.compile(r"(?:export\s+)?[A-Z][A-Z0-9_]+_(?:KEY|TOKEN|SECRET|PASSWORD)\s*=")
_TEMPLATE = re.compile(r"\$\{[^}]+\}")


def blemishes(value: str) -> tuple[Blemish, ...]:
    """Everything about `value` that makes it doubtful; nothing for a template or no value."""
    if not value or _TEMPLATE.fullmatch(value):
        return ()
    found: list[Blemish] = []
    if is_masked(value):
        found.append("masked")
    if any(unicodedata.category(sign) in ("Cf", "Cc", "Co", "Cn") for sign in value):
        found.append("invisible")
    if _mixed(value):
        found.append("look_alike")
    if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
        found.append("quoted")
    if _ASSIGNMENT.match(value):
        found.append("assignment")
    if any(sign.isspace() for sign in value.strip()):
        found.append("blanks")
    return tuple(found)


def is_masked(value: str) -> bool:
    """Whether this is no value but what hides one: stars, dots, or its ends around an ellipsis."""
    return _STARS.search(value) is not None or _MASK.fullmatch(value) is not None


def look_alikes(name: str, value: str) -> tuple[int, ...]:
    """The code points that Hermes takes out of the value of a key of that name."""
    if not name.endswith(ASCII_ONLY):
        return ()
    odd = (ord(char) for char in value if ord(char) > 127 and not "\udc80" <= char <= "\udcff")
    return tuple(dict.fromkeys(odd))


def _mixed(value: str) -> bool:
    """Whether a text that is all but Latin has letters or digits of another script or width."""
    letters = [sign for sign in value if sign.isalnum()]
    foreign = [sign for sign in letters if not sign.isascii()]
    return bool(foreign) and len(foreign) < len(letters)
