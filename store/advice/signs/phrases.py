"""Tables of phrases, and texts made ready to be held against them. Pure.

A table is rows of why a phrase tells and the phrase, as a pattern. Every repeat in a pattern is
bounded, so a long text costs no more than its length.
"""

from __future__ import annotations

import re

LOOKED = 8_000
"""Characters: what a text is shows in its first."""

RECURRING = re.compile(
    r"(?i)\b(?:every|each) (?:day|night|morning|evening|week|month|quarter|year|(?:mon|tues|wednes"
    r"|thurs|fri|satur|sun)day|other|first|last|\d)|\b(?:weekly|nightly|daily|monthly)\b"
    r"|每(?:天|日|晚|周|星期|个?月|季|年|次|隔|逢)"
)
"""What comes again and again is a rule of the person's own: neither over nor found elsewhere."""

_QUOTED = re.compile(
    r"“[^”\n]{1,40}”|「[^」\n]{1,40}」|『[^』\n]{1,40}』|‘[^’\n]{1,40}’|\"[^\"\n]{1,40}\""
    r"|`[^`\n]{1,60}`"
)
_TITLE = re.compile(r"(?i)\b(Mrs?|Ms|Dr|Prof|St|No)\.(?= )")
_STOP = (
    r"(?<!\b[A-Z])(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bDr)(?<!\bProf)(?<!\bSt)(?<!\bNo)\.\s+"
    r"(?=[A-Z\u3400-\u9fff])"
)
_END = re.compile(rf"[。；！？;!?\n]+|{_STOP}")
_FULL_END = re.compile(rf"[。！？!?\n]+|{_STOP}")


def table(*rows: tuple[str, str], flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str]:
    """One pattern that finds any phrase of `rows`, each a reason and a pattern."""
    return re.compile("|".join(f"(?:{phrase})" for _, phrase in rows), flags)


def words(text: str) -> str:
    """An alternation of the words in `text`, the longest first."""
    return "|".join(sorted((re.escape(word) for word in text.split()), key=len, reverse=True))


def unquoted(text: str) -> str:
    """`text` without what it quotes: a word in quotes is a name, and says nothing of the day."""
    return _TITLE.sub(r"\1", _QUOTED.sub(" ' ", text))


def sentences(text: str, *, semicolons: bool = True) -> list[str]:
    """The sentences and lines of `text`; a semicolon ends one unless it is told not to."""
    end = _END if semicolons else _FULL_END
    return [part for one in end.split(text) if (part := one.strip())]
