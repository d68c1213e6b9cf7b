"""Where a text belongs among the layers: three quick questions, with the answers that it suggests.

About the person and wanted in every conversation: the user profile. A way of doing something: a
skill. About the work and wanted in every conversation: the agent's memory. Anything else is a note,
and what happened stands in the past conversations already. Pure: English and Chinese.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Final, Literal

from schema.frozen import frozen, replace
from store.advice.signs import LOOKED, Sign, signs

Layer = Literal["user", "memory", "skill", "note"]
Question = Literal["about_you", "steps", "always"]

LAYERS: Final[tuple[Layer, ...]] = ("user", "memory", "skill", "note")
QUESTIONS: Final[tuple[Question, ...]] = ("about_you", "steps", "always")
SHORT = 320
"""Characters: a longer text is hardly worth its place in every conversation."""

_PERSON = re.compile(
    r"\b(?:user|prefers?|preference|likes?|dislikes?|loves?|hates?|wants?|speaks?|native|"
    r"lives? in|born|name is|called|timezone|utc[+-]\d|allergic|vegetarian|wife|husband|partner|"
    r"(?:his|her|their|my) (?:\w+ )?(?:name|birthday|family|hobby)|i am|i'm|i|me|my|hobby|"
    r"answers?|repl(?:y|ies)|tone|explain|address(?:ed)? as)\b"
    r"|用户|我|喜欢|偏好|讨厌|习惯|希望|称呼|叫我|时区|住在|生日|家人|妻子|丈夫|母语|爱好|回答|回复|语气",
    re.IGNORECASE,
)
_WORK = re.compile(
    r"[~/][\w.-]+/|\w+\.(?:py|js|ts|md|toml|ya?ml|json|sh|rs|go)\b|`[^`]+`|\bhttps?:|--\w+"
    r"|\b(?:repo(?:sitory)?|project|server|host|machine|build|deploys?|deployment|staging|"
    r"production|database|db|port|branch|version|api|service|cluster|docker|tests?|ci|vpn|"
    r"printer|queue|backup|cron|path|folder|script)\b"
    r"|项目|服务器|数据库|部署|仓库|代码|接口|端口|分支|版本|机器|测试|脚本|打印机|备份|目录|构建|发布",
    re.IGNORECASE,
)
_FIRST = re.compile(
    r"\s*(?:the )?(?:user|i|my)\b|\s*(?:用户|我)|\s*(?:prefers?|likes?)\b", re.IGNORECASE
)
_FOR_LATER = re.compile(
    r"\b(?:for reference|background|notes? (?:on|about)|see also|meeting notes|minutes of|"
    r"reading list|ideas? for|draft of|summary of)\b"
    r"|参考资料|背景资料|会议记录|纪要|备忘|读书笔记|想法|草稿",
    re.IGNORECASE,
)
_NOT_ALWAYS: Final[frozenset[Sign]] = frozenset(
    ("raw_dump", "too_long", "easily_found", "past_date", "finished_work", "task_progress", "todo")
)
_HAPPENED: Final[tuple[Sign, ...]] = ("task_progress", "finished_work")


@frozen
class Answers:
    """What was answered; None where nothing was, or where it does not matter."""

    about_you: bool | None = None
    steps: bool | None = None
    always: bool | None = None

    def of(self, question: Question) -> bool | None:
        """The answer to one question."""
        answer: bool | None = getattr(self, question)
        return answer

    def having(self, question: Question, answer: bool) -> Answers:
        """The same with another answer."""
        return replace(self, **{question: answer})

    def asked(self) -> tuple[Question, ...]:
        """The questions that matter, in their order, as far as the answers lead."""
        if self.about_you is None:
            return ("about_you",)
        if self.about_you:
            return ("about_you", "always")
        if self.steps is None or self.steps:
            return ("about_you", "steps")
        return QUESTIONS

    def layer(self) -> Layer | None:
        """Where that leads; None while a question is open."""
        if any(self.of(question) is None for question in self.asked()):
            return None
        if self.about_you:
            return "user" if self.always else "note"
        if self.steps:
            return "skill"
        return "memory" if self.always else "note"


@frozen
class Suggestion:
    """The answers that a text suggests. `happened`: past conversations have it already.

    `secret`: it belongs in none of the layers, but in the keyring.
    """

    answers: Answers
    happened: bool = False
    secret: bool = False

    @property
    def layer(self) -> Layer:
        """Where the text belongs by these answers."""
        return self.answers.layer() or "memory"


def suggest(text: str, *, today: date) -> Suggestion:
    """Answer the questions from the text alone; a guess, for a person to correct."""
    found = signs(text, today=today)
    steps = "procedure" in found
    return Suggestion(
        Answers(
            about_you=not steps and _is_about_a_person(text[:LOOKED]),
            steps=steps,
            always=_is_always_wanted(text, found),
        ),
        happened=any(sign in found for sign in _HAPPENED),
        secret="secret" in found,
    )


def _is_about_a_person(text: str) -> bool:
    person = len(_PERSON.findall(text)) + 2 * (_FIRST.match(text) is not None)
    return person > len(_WORK.findall(text))


def _is_always_wanted(text: str, found: tuple[Sign, ...]) -> bool:
    if len(text) > SHORT or _NOT_ALWAYS & set(found):
        return False
    return _FOR_LATER.search(text) is None
