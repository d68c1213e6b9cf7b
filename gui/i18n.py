"""Words in the person's language: every text of the window and the command line passes here.

English is written in the code and needs no catalogue. Every other language is a compiled gettext
catalogue in `resources/translations`. No Qt here: the command line speaks through it too.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from gettext import NullTranslations

DOMAIN: Final = "desk"
ENGLISH: Final = "en"
LANGUAGES: Final = (ENGLISH, "zh_CN")
"""What the desk can speak."""

_TRADITIONAL: Final = ("tw", "hk", "mo", "hant")

_catalogue: NullTranslations | None = None
_language: str = ENGLISH


def N_(text: str) -> str:
    """Mark `text` for translation and give it back as it is; `tr()` translates it later."""
    return text


def tr(text: str, /, **values: object) -> str:
    """Give `text` in the person's language, with `{name}` filled from `values`."""
    message = text if _catalogue is None else _catalogue.gettext(text)
    return message.format(**values) if values else message


def trn(one: str, many: str, n: int, /, **values: object) -> str:
    """Give the form of a sentence that suits the number `n`; `{n}` and `values` are filled in."""
    english = one if n == 1 else many
    message = english if _catalogue is None else _catalogue.ngettext(one, many, n)
    return message.format(n=n, **values)


def language() -> str:
    """The language in use, one of `LANGUAGES`."""
    return _language


def use_language(name: str) -> None:
    """Speak `name` from now on; texts that are already on screen stay as they are."""
    global _catalogue, _language
    _catalogue = _load(name) if name != ENGLISH else None
    _language = name


def choose_language(preference: str | None, env: Mapping[str, str] | None = None) -> str:
    """Pick one of `LANGUAGES`: the person's choice if it is one of them, else the system's.

    `preference` of None, an empty text or "system" leaves the choice to the system's locale.
    """
    if preference in LANGUAGES:
        return preference
    for wished in _system_languages(os.environ if env is None else env):
        known = _closest(wished)
        if known is not None:
            return known
    return ENGLISH


def sentences(*said: str) -> str:
    """Join whole sentences; the full stop of Chinese leaves room enough after it."""
    text = ""
    for one in said:
        text += f" {one}" if text and not text.endswith("。") else one
    return text


def _system_languages(env: Mapping[str, str]) -> list[str]:
    """Give the locale names that the system asks for, the first choice first."""
    posix = env.get("LC_ALL") or env.get("LC_MESSAGES") or env.get("LANG") or ""
    if posix.partition(".")[0] in ("C", "POSIX"):
        return []
    if posix or env.get("LANGUAGE"):
        return [*env.get("LANGUAGE", "").split(":"), posix]
    if sys.platform in ("win32", "darwin"):
        import locale

        return [locale.getlocale()[0] or ""]
    return []


def _closest(name: str) -> str | None:
    """Find the language of ours that a reader of locale `name` reads, if there is one."""
    parts = name.partition(".")[0].partition("@")[0].replace("-", "_").lower().split("_")
    if parts[0] in ("zh", "chinese", "chinese (simplified)"):
        return None if any(part in _TRADITIONAL for part in parts[1:]) else "zh_CN"
    return ENGLISH if parts[0] in (ENGLISH, "english") else None


def _load(name: str) -> NullTranslations:
    from gettext import GNUTranslations
    from importlib.resources import files

    catalogue = files("resources") / "translations" / name / "LC_MESSAGES" / f"{DOMAIN}.mo"
    with catalogue.open("rb") as stream:
        return GNUTranslations(stream)
