"""What is wrong with a skill, or will puzzle the person or the agent. Data only; gui has words."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal
from urllib.parse import unquote

from schema.frozen import frozen
from store.refusals import MissingField, TooBig
from store.skills.front_matter import (
    BOM,
    FENCE,
    MAX_DESCRIPTION,
    FrontMatter,
    check_front_matter,
    spelled,
)
from store.skills.layout import SKILL_FILE, SUPPORT, escapes
from store.skills.offer import Offer

Severity = Literal["bad", "warn", "info"]

MOST_JUDGED = 2_000
"""So many characters of a description are looked at for whether it says something."""

_LINK = re.compile(r"\[[^\]\n]{0,500}\]\(\s*<?([^)>\s]{1,500})>?(?:\s[^)\n]{0,200})?\)")
_MENTION = re.compile(r"\w+/[\w./ -]{0,200}?\.\w{1,8}\b")
_BEFORE = re.compile(r"[\w/.@:-]")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//|#")
_FENCED = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_WORD = re.compile(r"[^\W\d_]{2,}")
_CODE = re.compile(r"\S*(?:[_\\/<>{}$]|\w\.\w|[a-z][A-Z]|\d)\S*")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_IN_NO_NEED = (
    "a above add an and any are as at be below by can common default description do does "
    "doing done etc every example fixme for from general generic handle handles has have help "
    "helper helpers helps here how if in internal into is it its just kind like may me misc "
    "more my needed new no none not of on one or other our out placeholder purpose see side "
    "skill skills so some something stuff tbd test that the their them there these they thing "
    "things this those to todo tool tools use used useful user uses using util utilities "
    "utility utils various via was way we what when where which will with work works xxx you "
    "your "
)
_EMPTY_WORDS = frozenset(_IN_NO_NEED.split())
_EMPTY_WIDE = re.compile(
    r"一些|各种|用于|相关|有用|工具|技能|描述|说明|待定|待补充|通用|其他|其它|这个|使用|助手|辅助|功能|东西"
    r"|处理|事情|内容|示例|默认|的|和|或|等|是|在|与|了|及|一个"
)


@frozen
class SkillProblem:
    """One thing that is wrong. `code` is a key in `gui/skill_card_words.py`.

    `about` is what it is about: a file, other folders, ids. `line` counts from 1 in SKILL.md.
    """

    code: str
    severity: Severity
    about: tuple[str, ...] = ()
    line: int | None = None


def head_problems(text: str, head: FrontMatter) -> Iterator[SkillProblem]:
    """What is wrong with the front matter; `head` is what was read from `text`."""
    if not text.removeprefix(BOM).startswith(FENCE):
        yield SkillProblem("no_front_matter", "bad", line=1)
        return
    # The strict reader takes its time, and finds nothing where the lenient one was content.
    refused = None if _is_tidy(head) else check_front_matter(text)
    if isinstance(refused, TooBig):
        yield SkillProblem("description_long", "warn", (str(refused.size), str(refused.limit)))
    elif refused is not None and not isinstance(refused, MissingField):
        yield SkillProblem(refused.problem, _gravity(refused.problem), line=refused.line)
        if refused.problem not in ("no_name", "no_body"):
            return
    if says_nothing(spelled(head.fields.get("description") or "")):
        yield SkillProblem("says_nothing", "warn")


def offer_problems(offer: Offer) -> Iterator[SkillProblem]:
    """Conditions at which the agent fails."""
    if offer.unusable:
        yield SkillProblem("bad_conditions", "bad", offer.unusable)


def link_problems(folder: Path, links: Iterable[str]) -> Iterator[SkillProblem]:
    """Which of the links that a skill has are to files that are not there, or lead out of it."""
    for link in links:
        if _may_lead_out(folder, link) and escapes(folder / link, folder):
            yield SkillProblem("link_escapes", "warn", (link,))
        elif not os.path.lexists(os.path.join(folder, link)):
            yield SkillProblem("missing_file", "warn", (link,))


def linked_in(body: str) -> tuple[str, ...]:
    """The files of the skill that its text points to, each once, in the order of the text."""
    # What an example shows is no link, but where it names a file of the skill it means it.
    found: dict[str, None] = {}
    if "](" in body:
        prose = _FENCED.sub("", body) if "```" in body or "~~~" in body else body
        found |= dict.fromkeys(filter(None, map(_file_meant, _LINK.findall(prose))))
    found |= dict.fromkeys(one for one in _mentions(body) if one not in found)
    return tuple(found)


def says_nothing(description: str) -> bool:
    """Whether the description names nothing that a person would say when they need the skill."""
    text = _CODE.sub(" ", description[:MOST_JUDGED])
    if any(len(_EMPTY_WIDE.sub("", run)) >= 2 for run in _WIDE.findall(text)):
        return False
    words = (word for word in _WORD.findall(text) if not _WIDE.search(word))
    return not any(word.lower() not in _EMPTY_WORDS for word in words)


def _mentions(body: str) -> list[str]:
    """Paths below the folders for supporting files, wherever the text names them."""
    found = []
    for name in SUPPORT:
        at = body.find(f"{name}/")
        while at >= 0:
            meant = _MENTION.match(body, at)
            if meant is not None and not _BEFORE.match(body[at - 1 : at]):
                found.append((at, meant[0]))
            at = body.find(f"{name}/", at + 1)
    return [meant for _, meant in sorted(found)]


def _may_lead_out(folder: Path, link: str) -> bool:
    """Whether there is a need to look where all its parts lead."""
    parts = link.split("/")
    if ".." in parts or link.startswith("/"):
        return True
    ways = ("/".join(parts[:n]) for n in range(1, len(parts) + 1))
    return any(os.path.islink(os.path.join(folder, way)) for way in ways)


def _file_meant(link: str) -> str | None:
    if _SCHEME.match(link) or link.startswith("/"):
        return None
    path = os.path.normpath(unquote(re.split(r"[?#]", link)[0]))
    usual = not path.startswith("..") and ("/" in path or "." in path)
    if "\0" in path or path in (".", SKILL_FILE) or any(sign in path for sign in "{}<>$*"):
        return None
    return path if usual or path.startswith("../") else None


def _is_tidy(head: FrontMatter) -> bool:
    """Whether everything is there that a strict reader asks for."""
    name, description = head.fields.get("name"), head.fields.get("description")
    described = isinstance(description, str) and len(description) <= MAX_DESCRIPTION
    return not head.plain and isinstance(name, str) and described and bool(head.body.strip())


def _gravity(problem: str) -> Severity:
    return "warn" if problem in ("no_name", "no_body") else "bad"
