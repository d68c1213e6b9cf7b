"""Signs of a procedure, which is a skill and no memory: at least three steps to be done in turn."""

from __future__ import annotations

import re

from store.advice.signs.phrases import table, words
from store.advice.signs.verbs import ACTS, ACTS_ZH
from store.advice.signs.work import heads_todos

STEPS = 3
"""So many steps make a procedure; two are a rule."""

_TOOLS = words(
    "kubectl git docker make npm pnpm cargo pip sudo systemctl cd cp rsync apt helm "
    "terraform ssh chown chmod zfs mkdir rm mv tar curl"
    " bash sh python python3 psql scp untar merge bring let double-click right-click"
)
_DO = rf"{ACTS}|{_TOOLS}"
_DO_ZH = (
    "打开|点击?|选择?|勾选|输入|填写?|上传|下载|安装|装|重启|启动|停止?|停掉|运行|执行|跑|登录"
    "|进入|进|切换?到?|断开|拔|插|按住?"
    "|备份|刷入?|删除|删|清空|清理|导出|导入|复制|拷贝|粘贴|新建|创建|建|添加|加|改|修改|设置?"
    "|配置?|提交|推送?|推|打包?|构建"
    "|编译|部署|发布?|合并|拉取?|检查|核对|确认|等|通知|抄送|写|保存|更新|升级|连接?|连上|观察"
    "|拖进?|扫码?|签字?|盖章|打印|发送?"
    "|调|关闭|关|开|生成|替换|恢复|回滚|验证|测试|提|找|问|把|将|用|关机|开机|拧|撬|取|盖|接|贴"
    f"|{ACTS_ZH}|撒|挤|捞|淋|泡|沥|剥|剁|揉|擀|断|听到|看到|松|转|敲|抬|搬|重新|双击|右键"
    "|预览|套|压|逐|打标签|灰度|全量|签|焯|炒|炖|翻炒|下|收|煮|洗|切|倒|放|拌|烤"
)
_NUMBERED = re.compile(
    r"(?:^|[\s：:；;，,。、])(?:[(（]?([1-9a-h一二三四五六])(?:[)）]|[.](?![\d\w])|、)"
    r"|([①②③④⑤⑥⑦⑧⑨])|step\s?([1-9])\b"
    r"|第([一二三四五六七八九\d])步)\s?[、，,：:.]?\s{0,2}(?=(\S{0,20}))",
    re.IGNORECASE,
)
_NO_STEP = re.compile(
    r"(?i)(?:prefers?|likes?|uses?|the|an?|user|is|has|no|never|he|she|wants?|hates?|don['’]t"
    r"|do not"
    r"|avoid)\b|用户|不要|喜欢|偏好|别|他|她"
)
_IN_TURN = table(
    ("first, then, then", r"\bfirst\b.{3,200}?\b(?:then|next|after that"
     r"|afterwards)\b.{3,200}?\b(?:then"
     r"|finally|after that|lastly|at last|next|wait)\b"),
    ("first, then, last", r"(?:首先|先)[^。]{2,60}(?:然后|再|接着|其次)[^。]{2,80}(?:最后|然后|再"
     r"|接着|之后)"),
    ("commands in a row", r"(?:[^&\n]{2,80}&&){2}[^&\n]{2,80}&&"),
    flags=re.IGNORECASE | re.DOTALL,
)  # fmt: skip
_HEAD = re.compile(
    r"(?i)\bhow to\b|\b(?:goes|works|done|made|runs) (?:out )?like this\s?:|^to [\w -]{3,60}[:,]"
    r"|\b(?:procedure|workflow|runbook|checklist|steps|recipe"
    r"|routine"
    r"|process)\b[^:\n]{0,60}:|^[a-z]{3,20}ing [^:.\n]{3,60}(?::| [–—-] )|^when [^:.\n]{5,60}:"
    r"|(?:步骤|流程|操作方法|做法|方法|教程|手册|顺序|这样做|这么做|这样处理"
    r"|怎么[^：:。\n]{1,20})(?:如下|为|是)?[：:]"
)
_BULLET = re.compile(r"^\s{0,8}(?:[-*•·]|\d{1,2}[.)、])\s?(.{1,80})", re.MULTILINE)
_PARTS = re.compile(r"\s?(?:[;；\n]|→|->|=>|➜|＞|(?<=\s)>(?=\s)|,? (?:and )?then )\s?")
_ARROW = re.compile(r"\s?(?:→|->|=>|➜|⟶)\s?")
_ORDERS_EN = re.compile(
    r"(?i)\b(?:first(?:ly)?|then|next|after that|afterwards|finally|lastly|at last"
    r"|last of all|in the end|once (?:that|it|this)[^,.]{0,20},|to finish|second(?:ly)?,"
    r"|third(?:ly)?,|wait (?:until|till|for))(?![\w-])"
)
_ORDERS_ZH = re.compile(
    r"首先|(?:^|[，。；：、\s])先(?!生|进|锋|前|后)|其次|然后|接着|随后"
    r"|紧接着|再(?!高|低|也|次|见|说|婚)|之后|以后|最后|完成后"
    r"|[完好了]后|以后|等[^，。；]{1,14}(?:后|了|再)|第[二三四五六]步"
    r"|[^，。；\s]{2,10}(?<![之以前])后(?![台勤端面者天来续期果])(?=[一-"
    r"龥“])"
)
_STYLE = re.compile(
    r"(?i)回复|回答|答复|邮件|写信|汇报|沟通|讨论|解释|讲解|结论|语气|客套|寒暄|风格|排版时"
    r"|文风|称呼|\b(?:answers?|repl(?:y|ies)|e?mails? (?:to|are|should|start)|explain|tone"
    r"|greet|(?:drafting|writing) (?:letters?|mails?)|formal|paragraphs?|summar\w{1,24} first)\b"
)
_THEN = re.compile(
    r"上次|本次|这次|今天|昨天|昨晚|刚才|会话|已[合完修上]|(?i:\b(?:today"
    r"|yesterday|last (?:week|night|session)|session)\b)"
)
_WISH = re.compile(
    r"(?i)(?<![新建增删加换])用户(?![名组])|喜欢|偏好|习惯|不喜欢|讨厌"
    r"|\b(?:prefers?|likes?|wants?|hates?|never|avoid)\b"
)
_COMMAS = re.compile(r"\s?(?:[;；\n，,。、]|→|->|=>|\. )\s?")
_DOES = re.compile(
    rf"(?i)\W{{0,3}}(?:(?:then|finally|next|and|first|lastly|now|again) )?(?:{_DO})\b(?!s?[:：])"
)
_DOES_ZH = re.compile(
    r"\W{0,3}(?:先|再|然后|最后|接着|之后|并|就|要|即可|记得)?(?:[^，。；的是]{0,8}?(?:里|上"
    rf"|中|页面|后|完|器|脑|令))?(?:{_DO_ZH})"
)
_BROUGHT_ZH = re.compile(
    r"^[^是有的]{1,8}?[压放发交送传调拖移存贴填转搬收设改换套][到给进成"
    r"好完齐出上下回至](?=[一-龥A-Za-z0-9“])"
)
_ORDER = re.compile(
    r"(?i)\b(?:then|finally|after that|next|afterwards|lastly)\b|先|再|然后|最后|接着|等.{1,12}后"
    r"|之后|完成后"
)
_MANNER = re.compile(
    r"(?i)(?:回复|回答|答复|写邮件|写信|汇报|沟通|讨论|解释|讲解)|(?:answers?|repl(?:y|ies)"
    r"|e?mails?|explain)\b"
)
_NOT_ZH = re.compile(r"不要|喜欢|偏好|习惯|不用|别|都用|统一|用户(?!名)|必须")


def is_procedure(text: str) -> bool:
    """Whether it tells how to do something in three steps or more."""
    if heads_todos(text):
        return False
    if _in_numbers(text) or _in_bullets(text) or _by_arrows(text):
        return True
    if _MANNER.match(text) or _THEN.search(text):
        return False
    if _IN_TURN.search(text) and not _IN_EVERY.search(text):
        return True
    return _in_clauses(text) or _in_order(text)


def _by_arrows(text: str) -> bool:
    """Whether arrows lead from one thing to do to the next, three times or more."""
    parts = _ARROW.split(text)
    return len(parts) > STEPS and _doing(parts) * 2 >= len(parts)


def _in_order(text: str) -> bool:
    """Whether words for an order join things to do, or these stand in a row."""
    case = _CASE.match(text) or _CASE_ZH.match(text)
    told = _DASH.split(text, maxsplit=1)[-1] if _DASH.search(text[:70]) else ""
    told = (
        told
        or text.partition("：")[2]
        or text.partition(": ")[2]
        or (text[case.end() :] if case else text)
    )
    if _WISH.search(text) or _STYLE.search(text):
        return False
    if _ROW_ZH.search(text):
        return True
    zh = len(_ORDERS_ZH.findall(text))
    en = len({one.lower() for one in _ORDERS_EN.findall(text)})
    clauses = [part for part in _COMMAS.split(told) if part.strip()]
    steps = [part for clause in clauses for part in _AND.split(clause)]
    doing = _doing(steps)
    if zh + en >= STEPS:
        return doing >= STEPS - 1
    if _HEAD.search(text) or _ROW.search(text[:60]):
        few = STEPS - 1 if _ROW_HEAD.search(text[:60]) and len(clauses) > STEPS else STEPS
        return doing >= few and doing * (5 if few < STEPS else 4) >= len(clauses) * 2
    if en >= 1 or zh > 1:
        return doing > STEPS and doing * 2 >= len(clauses)
    least = STEPS if case or _TITLE.search(text[:40]) else STEPS + 1
    if len(clauses) > STEPS and doing >= len(clauses) and told is text and not _HAN.search(text):
        return True
    return told is not text and doing >= least and doing * 3 >= len(clauses) * 2


_ROW_ZH = re.compile(r"依次[^。\n]{2,40}?[、，][^。\n]{2,40}?[、，]")
_CASE = re.compile(r"(?i)^(?:when|if|once|after|before|to|whenever) [^,:\n]{3,70}, ")
_CASE_ZH = re.compile(r"^[^，。：\n]{1,16}(?:时|前|后|的时候)，")
_DASH = re.compile(r"\s[–—-]\s")
_HAN = re.compile(r"[\u3400-\u9fff]")
_IN_EVERY = re.compile(r"(?i)\b(?:in|of|for) (?:every|each|all)\b")
_ROW_HEAD = re.compile(
    r"(?i)^[a-z]{3,20}ing (?:the|an?|his|her|our) [^:\n]{2,40}(?::"
    r"| [–—-] )|(?:步骤|流程|做法|顺序|这样做|这么做|这样处理)[：:]"
)
_AND = re.compile(r"(?i)\s?\band (?:then |finally )?(?=[a-z])")
_TITLE = re.compile(r"(?:[做方办进用装设作修]法|[时后稿])：|如何|(?i:^(?:when|if) )")
_ROW = re.compile(
    r"(?i)顺序|步骤|流程|依次|分[三四五六七]步|做法|怎么|按下面|照着|操作(?:步骤|方法|流程"
    r"|如下)|\b(?:steps?|how to|procedure|as follows|in this order|set-?up|checklist|routine"
    r"|recipe|in order|runbook)\b"
)


def _in_numbers(text: str) -> bool:
    found = _NUMBERED.findall(text)
    wishes = sum(_NO_STEP.match(one[-1]) is not None for one in found)
    marks = {one[:4] for one in found}
    letters = {mark[0] for mark in marks if mark[0].isascii() and mark[0].isalpha()}
    if letters and not letters >= set("abc"):
        return False
    return len(marks) >= STEPS and wishes * 2 < len(found)


def _in_bullets(text: str) -> bool:
    points = _BULLET.findall(text)
    return len(points) >= STEPS and _doing(points) * 5 >= len(points) * 3


def _in_clauses(text: str) -> bool:
    """Whether clauses in a row each begin with something to do, under a heading or in an order."""
    head = _HEAD.search(text)
    title, colon, rest = text.partition("：") if "：" in text else text.partition(":")
    titled = bool(colon) and len(title) <= 60 and "\n" not in title
    told = rest if titled else text
    parts = [part for part in _PARTS.split(told) if part.strip()]
    if len(parts) > STEPS - 1 and _doing(parts) * 5 >= len(parts) * 3 and (titled or head):
        return True
    clauses = [part for part in _COMMAS.split(told) if part.strip()]
    if not (head or (titled and _ORDER.search(told))):
        return titled and len(clauses) > STEPS and _doing(clauses) * 5 >= len(clauses) * 4
    least = STEPS if head else STEPS + 1
    return _doing(clauses) >= least and _doing(clauses) * 5 >= len(clauses) * 3


def _doing(parts: list[str]) -> int:
    return sum(
        _DOES.match(part) is not None
        or (
            (_DOES_ZH.match(part) is not None or _BROUGHT_ZH.search(part) is not None)
            and _NOT_ZH.search(part) is None
        )
        for part in parts
    )
