"""What is still to do: said of one thing to be done once. English and Chinese."""

from __future__ import annotations

import re

from store.advice.signs.phrases import sentences, table
from store.advice.signs.verbs import ACTS, ACTS_ZH, ENDED

_DAY = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|tomorrow|tonight|noon|\d|next |this |end of"
    r"|the end"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\b|the (?:demo|meeting|launch)"
)
_ERRANDS = ACTS
_TODO = table(
    ("a mark and an errand", rf"(?:^|\n)\s{{0,4}}(?:todo|to-do|fixme) (?:{_ERRANDS})\b"),
    ("an open box", r"(?:^|\n)\s{0,4}[-*]?\s?\[ \]\s"),
    ("a heading", r"\b(?:to do|to be done|remaining(?: (?:tasks?|work|steps?|items?|points?"
     r"|issues?|bugs?|todos?))?|outstanding|still open|open (?:tasks?|points?"
     r"|issues?|items?|questions?)|action items?|next steps?|left to do|unfinished|loose ends)"
     r"\s?(?::|\bare\b|\bis\b)"),
    ("not yet", r"\bstill (?:needs?|have to|has to|must|missing|owes?|to be)\b|\byet to be\b"
     r"|\bleft to do\b"),
    ("do not forget", r"\b(?:remember|(?:do not|don['’]t) forget) to\b"),
    ("needs an errand", rf"(?:^|\b(?:user|he|she|we|i|they) )needs? to (?:{_ERRANDS})\b"),
    ("an errand meant", rf"(?:^|\n)(?:should|must|have to|got to) (?:{_ERRANDS})\b"
     rf"|\bpromised to (?:\w{{1,24}} )?(?:{_ERRANDS})\b"
     r"|\bwaiting to hear\b|\b(?:two|three|four|\d) (?:things|points|tasks|items"
     r"|questions) (?:open|left|to do)\b"),
    ("an errand asked for", r"\b(?:asked|wants|told) (?:me|us|the agent|the assistant) to (?:look"
     r" into|book|order|find out|follow up|send|call|check back|draft|prepare)\b"),
    ("to take up again", r"\b(?:follow|following) up (?:with|on)\b|\bpick (?:this|it) up again\b"),
)  # fmt: skip
_REMIND = table(
    ("a heading", r"(?:^|\n)\s{0,4}reminder\b[^.\n]{0,20}:"),
    ("asked for", r"\bremind (?:me|him|her|them|us|the user|user) (?:to|about|of|that|on|in|before)"
     r"|\b(?:asked|wants?) (?:to be reminded|a reminder)|要我提醒|(?:明天|后天|下周.?|今晚"
     r"|周[一二三四五六日])[^，。\n]{0,6}提醒|[让请叫][我你]?提醒|记得提醒"
     r"|(?:到时候?|届时|之后|提前)提醒|^提醒|[，,]提醒(?:我|他|她|用户)"),
)  # fmt: skip
_NOT_BEGUN = table(
    ("not begun", r"(?:尚未|还没有?|还未|仍未|未)(?:去|来得及)?(?:做|写|改|完成?|修|测|处理|合并?"
     r"|实现|开始"
     r"|提交|交|确认|回复?|买|订|付|寄|办|扫描|填|发|装|配|签|续|联系|预约|上线|启动|动工|补|通知"
     r"|弄|上传|整理|定|换|约|讲|翻)(?!的)"),
)  # fmt: skip
_VERB_ZH = ACTS_ZH
_TODO_ZH = table(
    ("a heading", r"(?:剩余|剩下的?|未完成的?|遗留的?)(?:事项|任务|工作|步骤)"),
    ("a mark", r"(?:TODO|FIXME)\s?[:：]"),
    ("what awaits", r"待(?:处理|完成|修复|跟进|确认|补充|提交|办理|续费|回复|解决|安排|优化)"
     r"(?!的?(?:状态|列表|表示|就是|队列))"),
    ("not yet", rf"还(?:需要?|要|得|欠)[^。；\n]{{0,8}}?(?:{_VERB_ZH}|加)"),
    ("later", r"(?:后面|后续|之后|接下来|下一步|下次|下回|下周|下个?月|明天|后天|回头|周末|有空"
     r"|改天|稍后|过几天)"
     r"(?:会话|对话|见面|聊)?[：:，,]?(?:再|还|先|要|需要?|得|记得|应该?|继续|把|去|帮){1,2}"
     rf"[^。；\n]{{0,16}}?(?:{_VERB_ZH}|看|加|调|跑|试)"),
    ("a next session", r"(?:下次|下回|下一次)[^，。；每\n]{0,8}?(?:问问?|提一下|确认一下|看看"
     r"|聊聊)(?!题)"),
    ("a next session", r"(?:下一步|下次(?:会话|对话|继续)?|接下来)\s?[：:]"),
    ("someone's errand", r"(?:用户|他|她|我)(?:还)?(?:得|需要|打算|准备)(?:去"
     r"|在)?[^。；\n]{0,8}?"
     r"(?:交|缴|续|买|订|寄|补办|办理|预约|联系)"),
)  # fmt: skip

_SOON = (
    r"(?:tomorrow|tonight|this (?:week|weekend|month|afternoon|evening)|next (?:week|month|time"
    r"|session)|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|by (?:mon|tues|wednes|thurs|fri|satur"
    r"|sun)day|as soon as|asap|later|at some point|when (?:\w{1,24} ){1,2}(?:is|are|gets?"
    r"|comes?) back"
    r"|(?:once|after|when|as soon as) (?:the |his |her )?[\w' -]{2,30} (?:is|are|has|have|arrives?"
    r"|comes?|replies|answers|confirms|returns))"
)
_DUE = (
    r"(?:(?:by|before|until|on|for|due|deadline|no later than|ahead of|in time for)"
    rf"(?: is| the| his| her| our| their|:)? ?(?:{_DAY}|(?:[\w']{{1,24}} )?(?:trip|holiday"
    r"|vacation|move"
    r"|meeting|exam|audit|visit|wedding|flight|inspection|deadline|interview|conference|renewal"
    r"|launch|demo|season|winter|summer|christmas|easter|concert|term)\b))"
)
_FORMS = table(
    ("owed, in the passive", r"\b(?:must|has to|have to|needs? to|is to|are to|should|ought to)"
     rf" (?:still |also )?be {ENDED}\b[^\n]{{0,80}}?\b{_DUE}"),
    ("still to be done", rf"\b(?:still|yet|remains?|left|waiting|waits) to be {ENDED}\b"),
    ("wants doing", r"\b(?:needs?|wants) (?:a )?(?:re)?[a-z]{3,12}ing\b(?! (?:to|is|are)\b)"),
    ("an errand by a day", rf"(?:^|\n|[.;:] )\s{{0,4}}(?:please )?(?:{ACTS})(?! \d\d) "
     rf"[^\n]{{2,90}}?\b{_DUE}"),
    ("an errand for soon", rf"(?:^|\n|[.;:] )\s{{0,4}}(?:please )?(?:{ACTS})(?! \d\d) "
     r"[^\n]{2,100}?"
     rf"\b{_SOON}\b"),
    ("soon, an errand", rf"(?:^|\n)\s{{0,4}}{_SOON}\b[^\n]{{0,24}}?[,:–—-] ?(?:{ACTS})\b"),
    ("a question left open", r"(?:^|\n|[.;:] )(?:ask|check|find out|figure out|look into|clarify"
     r"|work out|investigate|verify|see|decide|confirm) (?:with )?(?:[\w.'-]{1,24} ){0,6}?"
     r"(?:whether|why|if|which|how much|how many|who|when) "),
    ("not done", r"\b(?:overdue|long due|up for renewal)\b"),
    ("someone has to", r"\b(?:someone|somebody|user|he|she|i|we) (?:still )?(?:has|have|needs?"
     rf"|ought|must)(?: to)? (?:still )?(?:{ACTS})\b[^\n]{{2,80}}?\b(?:{_DUE}|{_SOON})"),
    ("an errand to someone", r"(?:^|\n)\s{0,4}(?:please )?"
     r"(?![^\n]{0,60}\bfor (?:the |an? )?(?:key|access|permission|password|badge)\b)"
     r"(?:ask|e-?mail|call|phone|remind"
     r"|ping|chase|tell|text|write to|write|contact|get|collect"
     r"|fetch|borrow)"
     r" (?:back )?(?-i:[A-Z])[\w.'-]{1,24}(?: (?-i:[A-Z])[\w.'-]{1,24})? (?:back )?(?:for|about"
     r"|whether|if|to|that|from|when|which) (?:the|his|her|their|a|an|two|three|[a-z]{1,20} )\b"),
    ("harm to undo", r"\b(?:leaked|expired|broken|missing|lost|wrong|exposed|compromised"
     r"|invalid|outdated|stale)\b[^\n]{0,60}?\b(?:must|has to|have to"
     rf"|needs? to|should) (?:now )?be {ENDED}\b"),
    ("an errand", r"^(?!call (?:him|her|them)\b)(?:please )?(?:return|buy|order|book|renew"
     r"|cancel|pick up|drop off|collect|fetch|pay|send|mail|call|phone|ring"
     r"|repair|fix|replace|get|bring|find|submit"
     r"|register|sign up|apply|reply|thank|invite|arrange|write|draft|print|prepare|finish"
     r"|translate|reschedule|chase|hand in|take|claim|unsubscribe|re-?order)"
     r" (?:back |out |down )?(?:(?:a|an|the|his|her|their|two|three|\d{1,12}|new|more|some"
     r"|thank-you)\b|(?-i:[A-Z]))(?![^\n]{0,200}\b(?:before [a-z]{1,20}ing|after [a-z]{1,20}ing"
     r"|when"
     r"|first"
     r"|only|instead|rather"
     r"|from now|by default|in letters|with the prefix)\b)[^.;:\n]{4,90}\.?$"),
    ("to be done", rf"\b(?:is|are|,|ought) to be {ENDED}(?=[.,;]|$| by\b)"
     rf"|\bought to be {ENDED}\b|^(?:open|missing|pending|needed): |\b(?:is"
     r"|are) (?:still )?waiting for (?:the|his|her|an?|our) "),
    ("needed by a day", rf"^needs? (?:an?|new|the|another) [^.\n]{{2,60}}?\b(?:{_DUE}"
     r"|in the week of|appointment|soon)"),
    ("an errand", r"^(?:look up|sign|reserve|confirm|compare|update|clean|tidy|upload|scan"
     rf"|choose|settle|hand over)(?: and (?:{ACTS}))? (?:the|a|an|his|her"
     r"|their)\b(?![^\n]{0,200}\b(?:before [a-z]{1,20}ing|after"
     r" [a-z]{1,20}ing|when|first|only|instead|rather|by default|with)\b)[^.;:\n]{4,80}\.?$"),
    ("due", r"\b(?:is|are|falls) (?:now |still |long )?(?:(?-i:due) (?:for|in|on|by|again|soon)"
     r"|outstanding|overdue|pending)\b|\bstill to [a-z]{3,12}\b"
     r"|\b(?:needs?|wants) (?:an?|some) (?:new|fresh|second|proper|different|replacement|spare)\b"),
    ("an errand", r"^(?:order|add|create|implement|extend|get|buy) (?:an?|the|more|some"
     r"|new) (?![^\n]{0,200}\b(?:before [a-z]{1,20}ing|after [a-z]{1,20}ing|when|first|instead"
     r"|rather|by default)\b)[^.;:\n]{4,80}\.?$"),
    ("it, an errand", rf"[,;] (?:{ACTS}) (?:it|them|one)\b[^,\n]{{2,40}}\.?$"),
    ("unpaid", r"\bstill (?:un[a-z]{3,12}|due|owed|to (?:do|come))\b|\b(?:must|do) not forget\b"),
    ("a mark", r"(?:^|\n)\s{0,4}TODO\b(?! (?:app|lists?|items?|comments?|file)\b)"),
    ("an errand to come", rf"\b(?:wants|plans|intends|means|promised|has|agreed) to (?:{ACTS})\b"
     rf"[^\n]{{2,80}}?\b(?:{_DUE}|{_SOON})"),
)  # fmt: skip
_NOT_YET = table(
    (
        "not yet",
        r"(?:尚未|还没有?|还未|仍未|仍没|迟迟没|一直没"
        r"|都没)(?:来得及)?(?![^，。；\n]{0,6}(?:过|孩子"
        r"|结婚|毕业|习惯|学会))[^，。；\n的]{1,16}(?=[，。；、（(\n]|$)",
    ),
    (
        "not yet",
        r"\b(?:have|has|had|is|are)n['’]t\b[^.\n]{0,60}\byet\b"
        r"|\bnot (?:\w{1,24} ){0,3}yet\b",
    ),
    ("not yet", rf"(?<!等于)(?:没有?)(?:{ACTS_ZH})(?=[，。；]|$)"),
    (
        "not done",
        rf"\b(?:nobody|no one|not one|none) (?:of \w{{1,24}} )?(?:has|have)(?: yet)? {ENDED}\b"
        rf"|\b(?:has|have|is|are) still not (?:been )?{ENDED}\b|\bhas(?:n['’]t"
        rf"| not) (?:yet )?been {ENDED}\b"
        r"|\b(?:someone|somebody) (?:still )?(?:(?:has|needs|ought) to|should|must)\b",
    ),
)
_ONCE_ZH = (
    r"(?:下次|下回|这次|本次|今天|今晚|明天|明早|明晚|后天|大后天|这周|本周|下周|这个?月"
    r"|本月|下个?月"
    r"|月底|月初|年底|年前|节前|周末|周[一二三四五六日天]|星期[一二三四五六日天]"
    r"|礼拜[一二三四五六日天]"
    r"|\d{1,2}\s?[日号]|\d{1,2}\s?月|\d{4}-\d\d-\d\d|[一二三四五六七八九十]{1,3}月)"
)
_FORMS_ZH = table(
    ("what awaits", r"(?:^|[\s，。；：、（(])(?:仍|还|尚|都"
     r"|均)?待(?![办定遇会机命审业客人我他她岗产在续着的])"
     r"[^，。；：\n的]{2,18}(?=[，。；\n]|$)"),
    ("what awaits", r"[^，。；\s]待(?:定|补|查|确认|核实|回复|商量|商定|处理|落实"
     r"|跟进)(?=[，。；）)\n]|$)"),
    ("what awaits", r"[^，。；\s]{1,8}(?:也|还|仍|都|均"
     r"|尚)?(?<![期等招对接看虐款优善亟])待[^，。；\s的]{2,4}(?=[，。；\n]|$)"),
    ("at once", r"(?:得|要|须|需要?|请|应)?(?:尽快|赶紧|抓紧|尽早|马上|立刻)(?:去|把|给"
     rf"|找)?[^，。；\n]{{0,10}}?(?:{ACTS_ZH}|作废)"),
    ("an errand", r"(?:^|[。；\n])\s?(?:要|得|该)?去(?!的)[^，。；每常都\n]{0,14}?(?:拿|取"
     r"|领|买|交|办|问|接|找|缴|寄|看|催|换)[^，。；\n]{2,}"),
    ("an errand", r"(?:^|[，；。])\s?(?:得|该|要去|得去|还得|还要|需要再|需要去|需再"
     rf"|要再)(?:跟|和|找|问|给)?[^，。；\n]{{0,6}}?(?:{ACTS_ZH})"),
    ("an errand", rf"[要得](?:去|再去)(?:{ACTS_ZH})|[要得](?:改|换|挪|推|约"
     rf"|延)[^，。；\n]{{0,4}}到{_ONCE_ZH}"),
    ("with someone, an errand", r"^(?:和|跟|找|约|给|帮|替|向)(?![^，。\n]{0,16}(?:成功|完成"
     r"|按|的|住|一起|要|都|不|别|发 PDF|用|比|格式|只|先|统一))[^，。；了过\n]{1,10}?(?"
     r":约|谈|打电话|确认|商量|问|拿|借|订|改|送|买|还|要|办|寄"
     r"|查|选|挑|做|写|退|报|领|签)"
     r"(?![^，。\n]{0,24}(?:成功|完成))[^，。了过\n]{0,24}(?=[，。；]|$)"),
    ("something is amiss", r"(?:到期|过期|坏了?|松了?|缺|漏|不够|用完|快没|断了?|破了?|旧了"
     r"|脏了|丢了|堵了?)[^。；\n]{0,10}，[^。；\n]{0,6}?(?:要|得"
     rf"|需要?|该)[^，。；\n]{{0,4}}?(?:{ACTS_ZH}|拧|联系)"),
    ("an errand", r"^(?:要|得|需要|还要)(?:给(?!出)|帮|替|找|跟|和|去(?!的)"
     r"|把)(?![^，。]{0,14}都)[^，。；\n]{2,}"),
    ("a question", r"^(?:问问|打听|查查|查一下|问一下|看看|核实|确认)[^，。\n]{3,}"),
    ("an errand", r"要(?:改|补|换|重做|重写|重排|修|查|重新[^，。；]{1,4})(?=[，。；]|$)"
     r"|需要?(?:排查|确认|补充|修复|更新|调整|重做|重新)(?![^，。；]{0,6}的)"),
    ("an errand soon", rf"{_ONCE_ZH}[初底前]?[^，。；\n]{{0,4}}把"
     rf"(?![^，。；\n]{{0,200}}[了好完])[^，"
     r"。；\n]{2,}"),
    ("for someone, an errand", r"^(?:帮|替|给)(?![^，。]{0,12}按)(?:我|他|她|用户"
     r"|[一-龥]{1,3})(?:查|订|买|找|问|约|看|选|办|改|写"
     r"|做)[^，。；了\n]{2,20}。?$"),
    ("an errand", r"^把[^，。了\n]{2,20}(?:发给|交给|寄给|还给|送到|拿到|寄到|交到|拿给|转给"
     r"|传给|退给|清理掉|处理掉)[^，。了\n]{0,12}。?$"),
    ("a list", rf"^(?:还?要|需要?|得|待)(?:{ACTS_ZH})(?:的(?:东西|事))?[：:]"),
    ("when something has come", r"等[^，。；每都\n]{1,16}?再(?:把|给|去|打|付|交|寄|发|找|约|问)"),
    ("owed by a day", r"(?:得|要|须|需要?|必须|务必|应该?)(?:在|赶在"
     rf"|于)?[^，。；\n]{{0,4}}?{_ONCE_ZH}"
     r"[^，。；\n]{0,12}?(?:之前|以前|前|内)"),
    ("owed by a day", rf"{_ONCE_ZH}[^，。；\n]{{0,10}}?(?:之前|以前|前"
     r"|内)[，]?(?![^，。；\n]{0,3}[不别])[^，。；\n]{0,8}?"
     rf"(?:要|得|须|必须|需要?|务必|应)?(?:把[^，。；\n]{{1,14}}?)?(?:{ACTS_ZH})"),
    ("owed by a day", r"(?:截止|最晚|最迟|不晚于|期限)(?:日期|时间)?(?:是|为|：|:"
     rf"|到)?\s?{_ONCE_ZH}"
     rf"|{_ONCE_ZH}[^，。；\n]{{0,8}}(?:截止|到期前)"),
    ("an errand soon", rf"{_ONCE_ZH}[^，。；\n]{{0,10}}?(?:要|得|记得|需要?|须|去|该)(?:去|给"
     r"|帮|替|找|跟"
     rf"|和|向|到|把|先)?[^，。；\n]{{0,14}}?(?:{ACTS_ZH})"),
    ("for someone, before", r"(?<!西)(?<!之)前(?:要|得|需要?)(?:给|帮|替|去|找|向|问"
     r"|跟)[^，。；\n]{2,}"),
    ("later", r"(?:回头|改天|有空|得空|有时间|过两天|过几天|过阵子|晚点|稍后|抽空|抽时间"
     r"|找时间)(?:再|要|得|去|把|给|跟"
     rf"|问|找|再去)?[^，。；\n]{{0,14}}?(?:{ACTS_ZH})"),
    ("do not forget", r"(?:^|[，。；：])\s?(?:请|要)?(?:记得|记着|别忘了?|不要忘了?"
     r"|勿忘)(?:要|在|去|到)?"
     rf"[^，。；\n]{{0,4}}{_ONCE_ZH}"),
    ("when something has come", r"等[^，。；\n]{1,16}?(?:回来|到货|到了|寄到|发来|出来"
     r"|批下来|下来|恢复|有空|上班"
     r"|回复|答复|确认|放假|开学|修好)(?:后|之后|以后|了)?[，]?(?:就|再|要|得|后|立刻|马上)"),
    ("it is time", r"(?:^|[，。；])[^，。；\n]{0,10}该[^，。；的是怎如\n]{1,12}了(?=[，。；\n]|$)"),
    ("owed", r"(?:^|[，。；])[^，。；\n]{0,12}(?:还"
     r"|仍)?欠(?:着)?[^，。；\n]{2,16}(?=[，。；\n]|$)"),
    ("an errand with someone", r"(?:^|[，。；])(?:要|得|需要?|须)?(?:去|找|催|跟|和|向|给|问|联系)"
     r"[^，。；先每\n]{1,14}?(?:一下|问清楚?|要回来|说清楚|商量|落实|敲定)"),
)  # fmt: skip


def _hits(text: str) -> bool:
    """Whether any phrase or form of something to do is in `text`."""
    return any(one.search(text) for one in (_TODO, _TODO_ZH, _FORMS, _FORMS_ZH))


def says_todo(text: str) -> bool:
    """Whether a sentence speaks of something to do once and not of a habit or a rule."""
    if _heads(text) and _hits(text):
        return True
    return any(
        (_hits(one) or _REMIND.search(one)) and not _STANDING.search(one) for one in sentences(text)
    )


def not_begun(text: str) -> bool:
    """Whether something is said to be not yet done."""
    if _NOT_BEGUN.search(text):
        return True
    return any(_NOT_YET.search(one) and not _STANDING.search(one) for one in sentences(text))


def heads(text: str) -> bool:
    """Whether `text` begins with the heading of a list of things to do."""
    return _heads(text)


_STANDING = re.compile(
    r"(?i)(?:^|[,;:–—-] )if\b|\b(?:only|even) if\b|\b(?:every|each|always|never|whenever"
    r"|weekly|daily|monthly|yearly|annually|usually"
    r"|any|anything|all (?:new|our|the)|unless|otherwise|in general|as a rule|by default)\b"
    r"|每|一律|总是|总要|如果|要是|若|只要|凡|超过|平时|通常|一般|都要|都得|的时候|时[，,提]"
    r"|否则|不然|永远"
    r"|低于|高于|不足|未满|任何|所有|向来|照例|由[一-龥A-Za-z]{1,6}?(?:整理|负责|写|管|发"
    r"|处理|合并|审|起草|保管)"
)
_HEADING = re.compile(
    r"(?i)(?:^|\n)[^:：\d\n]{0,20}(?:todo|to do|remaining|outstanding|open|next steps?|action items"
    r"|待办|剩余|剩下|未完成(?!的)|遗留|待)[^:：\n\d]{0,12}(?:[:：\n]|\d)"
)


def _heads(text: str) -> bool:
    return _HEADING.search(text[:80]) is not None
