"""Signs in one text that it is of a kind that memory is not for: English and Chinese.

The agent's own rules keep out task progress, logs of finished work, to-do state, raw dumps, what is
easily found again, and procedures (which are skills). Each sign is a phrase that hardly occurs in
what should stay; a doubt is no sign.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Final, Literal

Sign = Literal[
    "task_progress", "finished_work", "todo", "raw_dump", "easily_found", "procedure",
    "past_date", "too_long", "secret",
]  # fmt: skip
FAR_TOO_LONG = 500
"""Characters: an entry beyond that is a note, not a memory."""

_TODO = re.compile(
    r"""(?ix)
    (?:^|[.;:\-–—]\s*|\n)\s*(?:todo|to-do|to\ do|fixme)\b
    | \b(?:still\ needs?\ to|still\ have\ to|remember\ to|do\ not\ forget\ to|don['’]t\ forget\ to
       |need(?:s)?\ to\ be\ (?:done|fixed|written|added|updated|reviewed|tested|finished)
       |remaining\ (?:tasks?|work|steps?)|open\ (?:tasks?|points?|issues?)\ :
         |next\ steps?\b\s*(?::|are|is)
       |left\ to\ do|not\ yet\ (?:done|implemented|written|fixed|tested|merged))\b
    """
)
_TODO_ZH = re.compile(
    r"待办|待处理|待完成|待修复|待定|还(?:需要?|要|得)(?:做|写|改|修|补|加|测|完成|处理)"
    r"|别忘了?|记得(?:要|去)?(?:做|写|改|发|提交|检查|更新)"
    r"|下一步|尚未(?:完成|实现|修复|处理|测试)|还没(?:有)?(?:做|写|改|完成|修|测|处理|合并)"
    r"|剩下的?(?:任务|工作|步骤)"
)
_PROGRESS = re.compile(
    r"""(?ix)
    \b(?:in\ progress|work\ in\ progress|wip)\b
    | \b(?:currently|right\ now|at\ the\ moment|now)\s+(?:working|debugging|investigating|migrating
        |refactoring|writing|testing|implementing|waiting|fixing|reviewing)\b
    | \b(?:working|debugging)\ on\b.*\b(?:today|this\ session|this\ week|now|currently)\b
    | \b(?:halfway|half\ way|partly\ done|partially\ done|so\ far\ (?:done|finished|completed))\b
    | \b\d{1,3}\s?%\ (?:done|complete|completed|finished|migrated)\b
    | \b(?:step|phase|part|stage|chapter)\ \d+\ (?:of|/)\ \d+\b
    | \b\d+\s*(?:of|/)\s*\d+\ (?:tests?|files?|tasks?|steps?|modules?|tables?|items?)\ (?:done
      |pass|passing|migrated|left|remain|finished|converted)
    | \b(?:stopped|paused|left\ off|stuck)\ (?:at|on|in|after|before)\b
    """
)
_PROGRESS_ZH = re.compile(
    r"进行中|正在(?:做|写|改|修|调试|迁移|重构|测试|处理|排查|实现|等待|开发|进行)|目前(?:在"
    r"|正在|进行|做到|完成)"
    r"|做到(?:第|一半)|完成(?:了)?(?:一半|\s?\d{1,3}\s?%)|进度(?:为|是|：|:)?|进展到"
    r"|第\s?\d+\s?步(?:，|,|/)?(?:共|中的)"
    r"|卡在|暂停在|停在|已完成\s?\d+\s?/\s?\d+"
)
_DONE = re.compile(
    r"""(?ix)
    (?:^|\n)\s*(?:[-*]\s*)?(?:\[\d{4}-\d\d-\d\d\]\s*|\d{4}-\d\d-\d\d\s*:?\s*)?
      (?:fixed|implemented|merged|deployed|refactored|completed|finished|migrated|released|shipped
        |resolved|closed|reviewed|rewrote|upgraded|installed|created|added|removed|renamed
          |updated)\s
      (?!by\b|on\ demand|automatically|every|daily|weekly|nightly|at\ \d)
    | \b(?:was|were|has\ been|have\ been|got)\ (?:fixed|merged|deployed|implemented|completed
      |finished|migrated
        |released|resolved|refactored)\b.*(?:\b(?:today|yesterday|last\ week|on\ \w+day)\b
          |\d{4}-\d\d-\d\d|\bPR\b|\#\d+|\bcommit\b)
    | \b(?:merged|closed|opened|landed|reviewed)\ (?:the\ )?(?:pr|pull\ request|mr
      |merge\ request|issue|ticket)\b
    | \bcommit(?:ted)?\ (?:in\ |as\ )?[0-9a-f]{7,40}\b
    """
)
_DONE_ZH = re.compile(
    r"(?:^|[，。；\n\s])(?:今天|昨天|本周|上周|刚刚?|\d{1,2}月\d{1,2}日"
    r"|\d{4}-\d\d-\d\d)[，,:：\s]*(?:已经?)?(?:完成|修复|修好|合并|部署|上线|发布|实现|重构"
    r"|迁移|解决|提交|更新|升级|写完|改完)了?"
    r"|已(?:经)?(?:完成|修复|修好|合并|部署|上线|发布|实现|重构|迁移完|解决|提交)(?:了|到|，"
    r"|。|$|PR|\s)"
    r"|(?:修复|完成|合并|部署|实现|解决|提交|上线|发布)了"
    r"|(?:合并|提交|关闭)了?\s?(?:PR|MR|Issue|工单)"
)
_DUMP = re.compile(
    r"""(?x)
    Traceback\ \(most\ recent\ call\ last\)
    | ^\s*File\ "[^"]+",\ line\ \d+ | ^\s*at\ [\w.$<>]+\([^)\n]*:\d+\)
    | (?:^\[?\d{4}-\d\d-\d\d[T\ ]\d\d:\d\d[^\n]*\n?){2,}
    | (?:^\S*\s*(?:DEBUG|INFO|WARN(?:ING)?|ERROR)\b[^\n]*\n?){2,}
    | ^(?:diff\ --git|@@\ -\d+,\d+\ \+\d+,\d+\ @@|\+\+\+\ b/)
    | ^(?:\$|>>>|\#)\ [^\n]+\n[^\n]+\n | [A-Za-z0-9+/]{120,}={0,2} | (?:[0-9a-fA-F]{2}\ ){16,}
    | (?:^\s*"[\w-]+":\ [^\n]+,?\n){3,} | (?:^[^\n|]*\|[^\n|]*\|[^\n]*\n?){4,}
    """,
    re.MULTILINE,
)
_STEPS = re.compile(r"(?:^|\s)(?:\(?[1-9][.)、]|[①②③④⑤⑥]|step\s*\d|第[一二三四五]步)", re.I)
_PROCEDURE = re.compile(
    r"""(?ix)
    \bfirst\b.{3,200}?\bthen\b.{3,200}?\b(?:then|finally|after\ that|lastly|and\ then|at\ last)\b
    | \b(?:how\ to|to)\ [\w\ -]{3,60}:\s*(?:\n|run\b|first\b|1[.)]|open\b
      |go\ to\b).{0,200}?(?:,\ then\b|;\ then\b|\n|→|->|\b2[.)])
    | (?:\S+\s*(?:→|->|=>|&&)\s*){3,}\S+
    | \b(?:procedure|workflow|runbook|checklist|steps)\s*(?:for\b[^:]{0,60})?:\s
    """,
    re.DOTALL | re.VERBOSE | re.IGNORECASE,
)
_PROCEDURE_ZH = re.compile(
    r"(?:首先|先)[^。]{2,60}(?:然后|再|接着)[^。]{2,80}(?:最后|然后|再|接着)"
    r"|(?:步骤|流程|操作方法|具体做法)(?:如下|为|是)?[：:]",
    re.DOTALL,
)
_FOUND = re.compile(
    r"""(?ix)
    \b(?:is|are)\ (?:a|an|the)\ (?:popular\ |open[- ]source\ |general[- ]purpose[ ]
      |high[- ]level\ |widely\ used\ |distributed\ |relational\ |free\ )*
      (?:programming\ language|version\ control\ system|web\ framework
        |database(?:\ management)?\ system
        |relational\ database|operating\ system|container\ (?:runtime|platform)|package\ manager
          |search\ engine|text\ editor|capital\ of|javascript\ library|linux\ distribution)\b
    | \b(?:official\ )?(?:documentation|docs)\ (?:is|are|can\ be\ found|live)\ (?:at|on|under
      |here)\b
    | \b(?:as\ )?(?:documented|described|explained|listed)\ in\ (?:the\ )?(?:readme
      |official\ docs?|documentation|man\ page|manual|wikipedia)\b
    | \bsee\ (?:the\ )?(?:readme|man\ page|official\ doc(?:s|umentation)|wikipedia|docs\ at)\b
    | \b(?:git|docker|kubectl|npm|pip|ls|grep|cd|curl)\s[\w\ -]*\ (?:lists?|shows?|prints?
      |displays?|creates?|removes?|changes?)\ (?:all\ |the\ |a\ )
    | \b(?:stands\ for|was\ (?:founded|released|created|invented)\ (?:in|by))\b
    """
)
_FOUND_ZH = re.compile(
    r"是一[种个款门](?:[^，。]{0,14})(?:编程语言|版本控制|数据库(?:管理)?系统|操作系统|框架"
    r"|包管理器|搜索引擎|编辑器|发行版|容器|工具)"
    r"|(?:官方)?文档(?:在|见|地址)|(?:详见|参见|参考|见)\s?(?:README|官方文档|官网|维基百科"
    r"|手册|man)"
    r"|命令(?:用于|用来|可以)(?:查看|显示|列出|创建|删除|切换)|的首都|(?:成立|发布|创建"
    r"|诞生)于\s?\d{4}|的全称是|的缩写"
)
_SECRET = re.compile(
    r"""(?x)
    \b(?:sk|pk|rk)-(?:proj-|ant-|live-|test-)?[A-Za-z0-9_-]{16,}\b
    | \bgh[pousr]_[A-Za-z0-9]{20,}\b | \bgithub_pat_\w{20,} | \bglpat-[\w-]{16,}
      | \bxox[abpr]-[\w-]{10,}
    | \bAKIA[0-9A-Z]{16}\b | \bAIza[\w-]{30,} | \bhf_[A-Za-z0-9]{20,}
      | \beyJ[\w-]{10,}\.[\w-]{10,}\.
    | -----BEGIN\ [A-Z\ ]*PRIVATE\ KEY-----
    | (?i:\b(?:password|passwd|passphrase|pwd|api[ _-]?key|access[ _-]?token|secret(?:\ key)?
      |pin(?:\ code)?)\b
        (?:\ (?:for|of|to)\ [\w.\ -]{1,40}?)?\s*(?:is|=|:|：)\s*(?!in\b|kept|stored|the\b|not\b
          |managed|your\b|from\b|set\b|required|rotated|shared|never|saved|\$\{
          |<)["'`]?(?=[^\s"'`]*[\d!@\#$%^&*_-])[^\s"'`，。]{4,})
    | (?:密码|口令|密钥|令牌)(?:是|为|：|:)\s*(?!存|保|在|由|放
      |不)["'“]?(?=[^\s，。]*[\d!@\#$%^&*_-])[A-Za-z0-9!@\#$%^&*_.-]{4,}
    | [a-z][a-z0-9+.-]*://[^\s/:@]+:[^\s/@]{3,}@
    """
)
_MONTHS = {
    name: at
    for at, names in enumerate(
        ("jan january", "feb february", "mar march", "apr april", "may", "jun june", "jul july",
         "aug august", "sep sept september", "oct october", "nov november", "dec december"), 1
    )
    for name in names.split()
}  # fmt: skip
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_ISO = re.compile(r"\b(20\d\d)[-/.](\d{1,2})[-/.](\d{1,2})\b")
_ZH = re.compile(r"(20\d\d)\s?年\s?(\d{1,2})\s?月(?:\s?(\d{1,2})\s?[日号])?")
_DAY_FIRST = re.compile(
    rf"\b(\d{{1,2}})(?:st|nd|rd|th)?\ (?:of\ )?({_MONTH})\.?,?\ (20\d\d)\b", re.I
)
_MONTH_FIRST = re.compile(rf"\b({_MONTH})\.?\ (\d{{1,2}})(?:st|nd|rd|th)?,?\ (20\d\d)\b", re.I)
_MONTH_ONLY = re.compile(rf"\b({_MONTH})\.?\ (20\d\d)\b", re.I)
_BINDING = re.compile(
    r"""(?ix)
    \b(?:until|till|by|due|deadline|expires?|expiring|valid|ends?|ending|before|scheduled|planned
      |meeting|appointment|interview|flight|trip|travels?|travell?ing|vacation|holiday|on\ leave
        |away|visits?|visiting|conference|release\ date|freeze|launch(?:es)?
      |will|starts?|starting|moves?|moving|demo|exam|renew(?:s|al)?|booked)\b
    | 截止|到期|有效期|之前|前(?:要|需|必须)?(?:完成|提交|交付)|会议|预约|面试|航班|出差|休假
      |旅行|计划|将(?:会|要|于|在)?|预定|发布日|上线日|考试|续费|搬(?:家|到)
    """
)
_SINCE = re.compile(
    r"(?i)\b(?:since|born|founded|joined|started at|birthday|married)\b|出生|生日|自从|以来"
    r"|入职|成立"
)


def signs(text: str, *, today: date) -> tuple[Sign, ...]:
    """Every sign in `text`, in a fixed order."""
    return tuple(sign for sign, says in _RULES.items() if says(text, today))


def _is_todo(text: str, _: date) -> bool:
    return bool(_TODO.search(text) or _TODO_ZH.search(text))


def _is_progress(text: str, _: date) -> bool:
    return bool(_PROGRESS.search(text) or _PROGRESS_ZH.search(text))


def _is_done(text: str, _: date) -> bool:
    return bool(_DONE.search(text) or _DONE_ZH.search(text))


def _is_dump(text: str, _: date) -> bool:
    return bool(_DUMP.search(text))


def _is_found(text: str, _: date) -> bool:
    return bool(_FOUND.search(text) or _FOUND_ZH.search(text))


def _is_procedure(text: str, _: date) -> bool:
    if len(_STEPS.findall(text)) >= 3:
        return True
    return bool(_PROCEDURE.search(text) or _PROCEDURE_ZH.search(text))


def _is_past(text: str, today: date) -> bool:
    days = dates_in(text)
    return bool(days) and max(days) < today and _binds(text)


def _binds(text: str) -> bool:
    """Whether a date is one until which something holds, and not one since which it does."""
    return _BINDING.search(text) is not None and _SINCE.search(text) is None


def dates_in(text: str) -> tuple[date, ...]:
    """Every whole date; a month alone counts as its last day that every month has."""
    found: list[date | None] = []
    found += [_date(m[1], m[2], m[3]) for m in _ISO.finditer(text)]
    found += [_date(m[1], m[2], m[3] or "28") for m in _ZH.finditer(text)]
    found += [_date(m[3], str(_MONTHS[m[2].lower()]), m[1]) for m in _DAY_FIRST.finditer(text)]
    found += [_date(m[3], str(_MONTHS[m[1].lower()]), m[2]) for m in _MONTH_FIRST.finditer(text)]
    rest = _DAY_FIRST.sub(" ", text)
    found += [_date(m[2], str(_MONTHS[m[1].lower()]), "28") for m in _MONTH_ONLY.finditer(rest)]
    return tuple(one for one in found if one is not None)


def _date(year: str, month: str, day: str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


def _is_long(text: str, _: date) -> bool:
    return len(text) > FAR_TOO_LONG


def _is_secret(text: str, _: date) -> bool:
    return _SECRET.search(text) is not None


_RULES: Final[dict[Sign, Callable[[str, date], bool]]] = {
    "secret": _is_secret,
    "raw_dump": _is_dump,
    "todo": _is_todo,
    "task_progress": _is_progress,
    "finished_work": _is_done,
    "past_date": _is_past,
    "procedure": _is_procedure,
    "easily_found": _is_found,
    "too_long": _is_long,
}
