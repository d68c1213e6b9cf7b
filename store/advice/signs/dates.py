"""Dates in a text, and whether what hangs on them is over."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from datetime import date

from store.advice.signs.phrases import sentences, table
from store.advice.signs.work import is_done, is_progress, is_todo

_MONTHS = {
    name: at
    for at, names in enumerate(
        ("jan january", "feb february", "mar march", "apr april", "may", "jun june", "jul july",
         "aug august", "sep sept september", "oct october", "nov november", "dec december"), 1
    )
    for name in names.split()
}  # fmt: skip
_NUMERALS = {
    **{sign: at for at, sign in enumerate("一二三四五六七八九十", 1)},
    "十一": 11,
    "十二": 12,
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_TO = r"\s?(?:到|至|~|～|–|—|-|to|until|\.\.|through)\s?"
_NTH = r"(?:st|nd|rd|th)?"
_YEAR = r"(20\d\d)"
_ZH_MONTH = r"(\d{1,2}|十[一二]?|[一二三四五六七八九])\s?月"

_ISO = re.compile(
    rf"(?<!\d){_YEAR}([-/.])(\d{{1,2}})\2(\d{{1,2}})(?!\d)(?:{_TO}(?:(\d\d)[-/.])?(\d\d)(?![\d:-])"
    r")?"
)
_ISO_MONTH = re.compile(rf"(?<![\d.-]){_YEAR}-(0[1-9]|1[0-2])(?![\d-])")
_TURNED = re.compile(rf"(?<!\d)(\d{{1,2}})([-/.])(\d{{1,2}})\2{_YEAR}(?!\d)")
_ZH = re.compile(
    rf"{_YEAR}\s?年\s?{_ZH_MONTH}(?:份|底|末|初|中旬|上旬|下旬)?(?:\s?(\d{{1,2}})\s?[日号])?"
    rf"(?:{_TO}(?:{_ZH_MONTH})?\s?(?:(\d{{1,2}})\s?[日号])?)?"
)
_ZH_TURNED = re.compile(
    rf"{_ZH_MONTH}\s?(\d{{1,2}})\s?[日号]?(?:{_TO}(?:{_ZH_MONTH})?\s?(\d"
    rf"{{1,2}})\s?[日号]?)?\s?[（(，,]\s?{_YEAR}"
)
_DAY_FIRST = re.compile(
    rf"\b(\d{{1,2}}){_NTH}[ -](?:of )?({_MONTH})\.?,?[ -]\(?{_YEAR}\b", re.IGNORECASE
)
_MONTH_FIRST = re.compile(
    rf"\b({_MONTH})\.? (\d{{1,2}}){_NTH}(?:{_TO}(\d{{1,2}}){_NTH})?,? \(?{_YEAR}\b", re.IGNORECASE
)
_MONTH_ONLY = re.compile(rf"\b({_MONTH})\.?,? (?:of )?{_YEAR}\b", re.IGNORECASE)
_QUARTER = re.compile(rf"\bq([1-4])[ /-]?(?:of )?{_YEAR}|{_YEAR}\s?年?\s?q([1-4])", re.IGNORECASE)
_ZH_PART = re.compile(rf"{_YEAR}\s?年\s?(上半年|下半年|第?[一二三四]季度|年?底|年?末)")
_UNTIL_YEAR = re.compile(
    r"(?i)\b(?:until|till|through|by|before|end of"
    rf"|expires? in)(?: the end of)? {_YEAR}\b(?![-/.]\d)"
    rf"|(?:到|至|截至|截止)\s?{_YEAR}\s?年(?!\s?[\d一二三四五六七八九十上下第])"
)
_EXAMPLE = re.compile(
    r"(?i)(?:such as|like|as in|e\.g\.|for example|dates? as|written|format|格式|例如|比如|诸如"
    r"|写成|形如)\s?[:：（(]?\s?$"
)
_ENDS_ZH = {"上半年": 6, "下半年": 12, "一季度": 3, "二季度": 6, "三季度": 9, "四季度": 12}

_BINDING = table(
    ("an end", r"\b(?:until|till|through|by|due|deadline|expires?|expired|expiring|expiry|valid"
     r"|ends?|ending"
     r"|before(?= [^.\n]{0,14}\d| the end| end of)|lasts?|no later than|runs? out|closes?"
     r"|cut-?off)\b"
     r"|截止|截至|到期|过期|有效期|之前|以前|为止|前(?:要|需|必须|得)|期限|[止前]$|最晚|不晚于"
     r"|失效|结束|[到至]\s?20\d\d|[日号月底\d]\s?前|停止|停用|下线"),
    ("a state of that day", r"\bas (?:of|at)\b|\bstatus (?:on|of)\b|目前|当时"),
    ("an appointment", r"\b(?:scheduled|planned|meeting|meetup|appointment|interview|flight|flies"
     r"|trip"
     r"|travels?|travell?ing|vacation|holidays?|on leave|away|visits?|visiting|conference"
     r"|release date"
     r"|freeze|frozen|launch(?:es)?|demo|exam|renew(?:s|al)?|booked|maintenance|closed|hearing|viva"
     r"|defen[cs]e|wedding|concert|out of office|move-in|handover|kick-?off|retro|event"
     r"|switched off|shut down|sunset|retires?|performance|match|on call)\b"
     r"|会议|开会|预约|面试|航班|出差|休假|请假|旅行|旅游|预定|发布日|上线日|考试|续费|搬(?:家|到)"
     r"|答辩|体检|婚礼|评审|年会"
     r"|封网|停机|维护|禁止|值班|安排|活动|比赛|演出|演唱会|音乐节|展览|聚会|典礼|开学|聚餐|截稿"
     r"|停电|停水|演示|讲座|培训|出发"
     r"|返程|签证"),
    ("a day of it", r"\b(?:is|are) [^.\n]{0,40}\b(?:on|from) (?:the )?[\dA-Z]"
     r"|\bfrom\b[^.\n]{3,24} to \b"),
    ("what was to come", r"\b(?:will|shall|going to|starts?|starting|moves?|moving|arrives?"
     r"|begins?)\b"
     r"|计划|将(?:会|要|于|在)?|打算|准备"),
    ("for a while", r"\b(?:temporar(?:y|ily)|abroad|closure|for now|in the meantime|trial"
     r"|interim|meanwhile)\b"
     r"|暂时|临时|期间|试用|歇业|装修|停业|访学|出国|国外|整月|放假|寒假|暑假|借调|进修|交流"),
)  # fmt: skip
_RANGE = re.compile(r"\d\s?(?:日|号)?\s?(?:到|至|~|～|–|—| to | - )\s?\d")
_SINCE = re.compile(
    r"(?i)\b(?:since|born|founded|joined|started (?:at|in|on|with)|birthday|anniversary|married"
    r"|bought"
    r"|graduated|established|once (?:[a-z]{2,12}ed|lost|broke|went|sent|took|ran|cost)"
    r"|from .{4,20} on(?:wards)?|began|from before)\b|领养|创办|结婚|只(?:更新|收|存|保留"
    r"|覆盖)[^，。]{0,4}到|出生|生日|自从|以来|入职|成立|纪念日"
    r"|毕业于|\bagreed\b|\bresolved\b|\bruled\b|[日号月年]\s?起|(?<!一)起(?:[，。在用改由就]"
    r"|$)|开始养"
)

_DAY = re.compile(
    rf"(?i){_YEAR}[-/.]\d{{1,2}}[-/.]\d|\d{{1,2}}[-/.]\d{{1,2}}[-/.]{_YEAR}"
    rf"|\b\d{{1,2}}{_NTH}[ -](?:of )?(?:{_MONTH})\b"
    rf"|\b(?:{_MONTH})\.? \d{{1,2}}{_NTH}\b|月\s?\d{{1,2}}\s?[日号]?|月[初底末]"
)
"""A day is told and not a month or a year alone: what happens on a day is over after it."""
_LASTING = re.compile(
    r"(?i)\b(?:chose|decided|signed|moved(?! to (?:mon|tues|wednes|thurs|fri|satur|sun|\d))"
    r"|switched|changed|became|got|was|were|has been|have been|died|passed away|adopted"
    r"|diagnosed|opened|registered|incorporated|stands for|last (?:changed|updated|checked"
    r"|seen)|version|released|created|wrote"
    r"|introduced|effective|valid from|in force|first)\b"
    r"|决定|改为|改成|搬到|搬进|确诊|开业|注册|签了?订?|去世|离世|创立|创建|版本|生效|施行"
    r"|开始用|开始使用|之后|以后|后[，]|才|了[，。]"
)
_LESSON = re.compile(
    r"(?i)\b(?:since then|lesson|never again|from then on|which is why|ever since|because|settled"
    r"|since\.?$|came from"
    r"|caused by|after (?:the|an?) (?:outage|incident|fire|flood|accident|crash|breach|leak|failure"
    r"|storm|mix-?up|theft|complaint|break-?in|mistake|blackout|recall|virus)"
    r"|so [^.\n]{3,50}\b(?:now|daily|always|never|no longer|instead))\b"
    r"|从此|此后|引起|造成的|出过|吸取|教训|因为|当初|由于[^，]{0,20}所以"
)


def is_past(text: str, today: date) -> bool:
    """Whether the last of its dates is over and what it says hung on one."""
    days = dates_in(text)
    if not days or max(days) >= today:
        return False
    if any(dates_in(one) and _binds(one) for one in sentences(text)):
        return True
    return is_done(text) or is_progress(text) or is_todo(text)


def _binds(sentence: str) -> bool:
    """Whether a date is one until or on which something holds, and not one since which it does."""
    if _SINCE.search(sentence) or _LESSON.search(sentence):
        return False
    bound = _BINDING.search(sentence) or _RANGE.search(sentence)
    return bound is not None or (
        _DAY.search(sentence) is not None and _LASTING.search(sentence) is None
    )


def dates_in(text: str) -> tuple[date, ...]:
    """Every date with a year, of a span its last day; not one that only shows how dates look."""
    return tuple(
        day
        for at, day in _found(text)
        if day is not None and _EXAMPLE.search(text[max(0, at - 24) : at]) is None
    )


def _found(text: str) -> Iterator[tuple[int, date | None]]:
    for m in _ISO.finditer(text):
        yield m.start(), _date(m[1], m[5] or m[3], m[6] or m[4]) or _date(m[1], m[3], m[4])
    for m in _TURNED.finditer(text):
        either = [_date(m[4], m[3], m[1]), _date(m[4], m[1], m[3])]
        yield m.start(), max((day for day in either if day is not None), default=None)
    for m in _DAY_FIRST.finditer(text):
        yield m.start(), _date(m[3], _MONTHS[m[2].lower()], m[1])
    for m in _MONTH_FIRST.finditer(text):
        yield m.start(), _date(m[4], _MONTHS[m[1].lower()], m[3] or m[2])
    for m in _ZH_TURNED.finditer(text):
        yield m.start(), _date(m[5], _month_zh(m[3] or m[1]), m[4] or m[2])
    for m in _ZH.finditer(text):
        day = m[5] or (None if m[4] else m[3])
        yield m.start(), _date(m[1], _month_zh(m[4] or m[2]), day)
    yield from _spans(text)


def _spans(text: str) -> Iterator[tuple[int, date | None]]:
    """Months, quarters and years: their last days."""
    bare = _DAY_FIRST.sub(lambda m: " " * len(m[0]), text)
    for m in _MONTH_ONLY.finditer(bare):
        yield m.start(), _date(m[2], _MONTHS[m[1].lower()], None)
    for m in _ISO_MONTH.finditer(text):
        yield m.start(), _date(m[1], m[2], None)
    for m in _QUARTER.finditer(text):
        yield m.start(), _date(m[2] or m[3], 3 * int(m[1] or m[4]), None)
    for m in _ZH_PART.finditer(text):
        yield m.start(), _date(m[1], _ENDS_ZH.get(m[2].removeprefix("第"), 12), None)
    for m in _UNTIL_YEAR.finditer(text):
        yield m.start(), _date(m[1] or m[2], 12, None)


def _month_zh(month: str) -> int:
    return _NUMERALS[month] if month in _NUMERALS else int(month)


def _date(year: str, month: str | int, day: str | None) -> date | None:
    """A day, or the last of a month if no day is told; None if there is none such."""
    try:
        last = calendar.monthrange(int(year), int(month))[1]
        return date(int(year), int(month), int(day) if day else last)
    except ValueError:
        return None
