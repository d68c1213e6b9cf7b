"""Signs of a key or a password in a text. Names of places where secrets are kept are none."""

from __future__ import annotations

import re

from store.advice.signs.phrases import table

_LIKE = (
    r"(?=[^\s\"'`，。；]{0,60}[\d!@#$%^&*])(?=[^\s\"'`，。；]{0,60}[A-Za-z\d])[^\s\"'`，。；,;（(]"
)
_NO_VALUE = (
    r"(?!in\b|kept|stored|the\b|not\b|managed|your\b|from\b|set\b|required|rotated|shared|never"
    r"|saved|at least|[$<{]|x{3}|\*{3}|https?:)"
)
_KNOWN = table(
    ("made by a service", r"\b(?:sk|pk|rk)[-_](?:proj-|ant-|live[-_]"
     r"|test[-_])?[A-Za-z0-9_-]{16,200}\b"
     r"|\bgh[pousr]_[A-Za-z0-9]{20,}\b|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}"
     r"|\bxox[abprs]-[\w-]{10,}"
     r"|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[\w-]{30,}|\bhf_[A-Za-z0-9]{20,}|\bnpm_[A-Za-z0-9]{30,}"
     r"|\bpypi-[\w-]{30,}|\bSG\.[\w-]{16,}|\bLTAI[A-Za-z0-9]{12,}|\bAKID[A-Za-z0-9]{13,}"
     r"|\bdop_v1_[0-9a-f]{32,}|\bya29\.[\w-]{20,}|AccountKey=[\w+/=]{20,}|\b\d{8,10}:AA[\w-]{30,}"),
    ("a signed token", r"\beyJ[\w-]{10,}\.[\w-]{10,}"),
    ("a private key", r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----"),
    ("a header", r"\b[Bb]earer\s{1,3}(?![<$"
     r"{])[\w.~+/=-]{16,}|\b[Bb]asic [A-Za-z0-9+/]{12,}={0,2}(?!\w)"),
    ("a login in an address", r"://[^\s/:@]{0,80}:(?![<${*]|password@|pass@|x{2})[^\s/@]{3,80}@"),
    ("a key in an address", r"[?&](?:key|token|secret|access_token|sign?|signature|api_?key|auth"
     r"|pwd"
     r"|password|code)=(?![<${])[\w%.-]{12,}"),
    ("a password on a command line", r"\b(?:mysql|mysqldump|mariadb|psql|sshpass|mongo|redis-cli"
     r"|smbclient)\b"
     r"[^\n]{0,60} (?:-p|-a ?|--password=)(?![<$\s])(?=\S{0,40}\d)(?=\S{0,40}[A-Za-z])\S{6,60}"),
    ("a hook", r"https?://[^\s/]{1,80}/[^\s]{0,60}(?:web)?hooks?/[^\s，。]{0,60}[\w-]{18,}"
     r"|hooks\.slack\.com/services/\w{6,}/\w{6,}"),
    ("a variable", r"\b[A-Z0-9_]{0,40}(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|ACCESS_KEY|_PWD)"
     r"[A-Z0-9_]{0,20}\s?=\s?[\"']?(?![$<{]|your|xxx)[^\s\"']{6,}"),
    flags=re.NOFLAG,
)  # fmt: skip
_TOLD = table(
    ("said to be one", r"\b(?:password|passwd|passphrase|passcode|pwd|pw|(?:wi-?fi|wpa|network"
     r"|licen[cs]e|product|api)[ _-]?key"
     r"|access[ _-]?token"
     r"|token|secret(?: key)?|pin(?: code)?|(?:door|gate|alarm|unlock|recovery|safe) code)\b"
     r"(?: (?:for|of|to|on) [\w.' -]{1,40}?)?\s{0,2}(?:is|=|:|：|->)\s{0,2}"
     rf"{_NO_VALUE}[\"'`]?{_LIKE}{{4,}}"),
    ("right after the word", r"\b(?:password|passwd|passphrase|passcode|pin"
     rf"|pw)\s{{1,2}}{_NO_VALUE}"
     rf"[\"'`]?(?=\S{{0,40}}\d){_LIKE}{{4,}}"),
    ("quoted after the word", r"\b(?:password|passphrase|passcode)(?: \w{1,20}){0,3}(?: is|:|=)"
     r" [\"'`“][^\s\"'`”]{4,60}[\"'`”]"),
    ("words with hyphens", r"\b(?:password|passphrase)(?: \w{1,20}){0,3}?(?: is|:|=) ?"
     r"[\"'`]?[a-z]{3,12}(?:-[a-z]{3,12}){2,7}\b"),
    ("name and password", r"\b(?:login|logins|log in|account|user(?:name)?|credentials?|wi-?fi|ssh"
     r"|root"
     r"|admin)\b[^。\n]{0,50}?\b[\w.@-]{2,40}(?: ?/ | / ?"
     r"|, ?pw:? ?)(?=[^\s/]{0,40}\d)(?=[^\s/]{0,40}"
     r"[A-Za-z])[^\s/，。；]{6,60}(?![^\s，。.,;；)）])"),
    ("name and password", r"\b(?:admin|root|administrator|guest"
     r"|user)\s?:\s?(?=\S{0,40}[A-Za-z!@#$])"
     r"(?=\S{0,40}\d)[^\s:/，。]{6,60}(?=[\s，。.;]|$)"),
    ("said to be one", r"(?:密码|口令|密钥|令牌|秘钥|私钥|PIN\s?码?|密碼|[Tt]oken"
     r"|[Kk]ey)\s{0,2}(?:是|为|：|:|=|叫|就是"
     r"|设成了?|改成了?)?\s{0,2}[\"'“「]?(?=[A-Za-z0-9!@#$%^&*_.+-]{0,60}[\d!@#$%^&*])"
     r"[A-Za-z0-9!@#$%^&*_.+-]{6,60}(?!\s?[年位天次个岁])"),
    ("a code to send mail", r"授权码\s{0,2}(?:是|为|：|:)?\s{0,2}[A-Za-z0-9]{8,}"),
    ("a number", r"(?:密码|口令|PIN\s?码?)\s{0,2}(?:是|为|：|:"
     r"|=)?\s{0,2}\d{4,12}(?![\d\s]{0,2}[年位天次个岁])"),
    ("name and password", r"(?:账号|帐号|账户|用户名|登录名?"
     r"|登陆)[^。\n]{0,30}?[\w.@-]{2,40}\s?[/／]\s?"
     r"(?=[^\s/，。；]{0,40}[\d!@#$])[^\s/，。；]{5,60}"),
    ("a lock's number", r"\bcombination\s{1,2}(?:is |: )?\d{1,2}(?:[- ]\d{1,2}){2,3}\b"
     r"|\bunlock[^.\n]{0,30}\bwith \d{4,8}\b|\bPIN\b[^.\n\d]{0,24}?(?:is "
     r"|: ?|, ?)\d{4,8}\b"
     r"|\b(?:alarm|gate|door|safe|keypad|garage|lock(?:er)?)(?: code)?: \d{4,8}\b"
     r"|(?:开门|门禁|门锁|解锁|开锁|锁屏|保险柜|保险箱|报警器)密?码[^\n\d]{0,6}?\d{4,10}"),
    ("a long one", r"(?:api[ _-]?key|\bkey|token|secret|密钥|令牌|凭证|凭据)[^\n。/]{0,40}?"
     r"(?<![\w:/-])(?=[A-Za-z_-]{0,40}\d)(?=[\d_-]{0,40}[A-Za-z])[A-Za-z0-9_-]{24,200}(?![\w/])"),
)  # fmt: skip

_KEYWORD = re.compile(
    r"(?i)(?<![a-z])(?:pass(?:word|wd|code|phrase)?|pwd|pw|psk|token|secret|credentials?"
    r"|api[ _-]?key|access[ _-]?key"
    r"|app[ _-]?key|access_?key_?secret|app_?secret|client_?secret|secret_?key"
    r"|licen[cs]e key|(?:wi-?fi|wpa2?|master|encryption|signing|stream|server|private|shared"
    r"|product|account|recovery"
    r"|backup|activation|serial|door|gate|alarm|safe|lock|unlock|entry|sim|access"
    r"|vault)[ _-]?(?:key|code|pin)"
    r"|[as]k|app_?id|pin|puk|otp|2fa|combination|ssh(?: in(?:to)?)?|unlock|login|logs? ?in"
    r"|user(?:name)?|webhook)(?![a-z])"
    r"|\b[a-z]{0,24}_(?:pass(?:word|wd|phrase)?|pwd|pw|token|secret|key|auth)\b"
    r"|[Kk]ey(?=\s?(?:是|为|：|:|=|\())|密码|口令|密钥|秘钥|私钥|令牌|凭证|凭据|暗号|授权码"
    r"|激活码|序列号|解锁码|开锁码|恢复码|助记词"
    r"|用户名|登录|登陆|账号|帐号|账户|锁屏|门锁|保险柜|验证串|签名串"
)
_VALUE = re.compile(
    r"(?a)(?<![\w./\\~@-])[\"'`“「『]?((?=[^\s]{0,80}\d)(?=[^\s]{0,80}[A-Za-z])[A-Za-z0-9!#$%"
    r"^&*_+=.?@~-]{6,120})"
)
_PLAIN = re.compile(
    r"(?i)[\w.+-]+@[\w-]+\.\w[\w.]*|[\w-]+(?:\.[\w-]+)+(?::\d+)?|v?\d+(?:[.-]\d+)*[a-z]{0,3}"
    r"|[a-z]{1,12}-?\d{1,4}|\d+[a-z]{1,8}|\d{1,4}[ap]m"
    r"|[a-z]+(?:[-_][a-z]+)*[-_]?\d{1,4}|(?:rsa|aes|sha|md|ed|id)[-_]?\d+\w*|id_\w+"
    r"|q[1-4]-?\d*|[a-z]+\d[a-z]?|oauth2\S*|f\d+|utf-?\d+|base\d+|x\.509"
    r"|[\w-]+=\S*|\d{4}-\d\d-\d\d\S*|\d+-(?:character|digit|char|bit|day|word|minute|hour"
    r"|year|letter)s?\S*"
)
_LONG = re.compile(
    r"(?a)(?<![\w/.:@-])(?=[A-Za-z0-9_-]{0,80}[a-z])(?=[A-Za-z0-9_-]{0,80}[A-Z])(?=(?:[A-Za-z"
    r"_-]{0,60}\d){3})[A-Za-z0-9_-]{24,200}(?![\w/.@])"
)
_NOT_LET_IN = re.compile(
    r"(?i)(?:commit|sha-?\d*|hash|digest|checksum|uuid|guid|revision|fingerprint|trace|build"
    r"|video|doi|isbn|iban|指纹|校验和?|哈希|提交)\W{0,3}\S{0,10}$"
)
_TURNED = re.compile(
    r"(?:输入|填|填写|用|敲|键入|打)\s?[\"'“「`]?([A-Za-z0-9!@#$%^&*_.+-]{5,60})[\"'”」`]?\s?"
    r"(?:作为|作|当|做|为)(?:登录|开机|管理)?(?:密码|口令|密钥|key|PIN)"
)
_DIGIT = re.compile(r"[0-9]")
_NEAR = 48
"""Characters after a word for a key within which its value stands."""


def _told_near(text: str) -> bool:
    """Whether after a word for a key there is a value that no name, path, date or measure is."""
    for word in _KEYWORD.finditer(text):
        part = text[word.end() : word.end() + _NEAR + 60]
        if _DIGIT.search(part) is None:
            continue
        for value in _VALUE.finditer(part):
            if value.start() > _NEAR:
                break
            token = value[1].rstrip(".?!=")
            told = _PERSON.match(word[0]) is None and _said(part[: value.start()], token)
            no_value = _NO_KEY if told else _PLAIN
            if no_value.fullmatch(token) is None and (_mixed(token) or (told and len(token) >= 8)):
                before = part[max(0, value.start() - 24) : value.start()]
                if _NOT_LET_IN.search(before) is None and not _ELSE.search(before):
                    return True
    return False


_PERSON = re.compile(r"(?i)user|login|log|账|帐|登|用户|key$|[as]k$|token$|webhook|app")
_SAID = re.compile(r"(?i)(?:\bis|\bare|\bto|\bwas|[:：=＝]|是|为|叫|成|默认的)\s?[\"'`“「]?$")
_NO_KEY = re.compile(
    r"(?i)1password\S*|[\w.+-]+@[\w-]+\.\w[\w.]*"
    r"|v?\d+(?:[.-]\d+)*[a-z]{0,3}|\d{4}-\d\d-\d\d\S*|\d+-(?:character"
    r"|digit|char|bit|day|word|minute|hour|year|letter)s?\S*|(?:aes|rsa|sha"
    r"|id)[-_]?\w*|\d{1,3}(?:\.\d{1,3}){3}\S*"
)
_SAYS = re.compile(r"\s?(?:是|为|叫|：|:|=|＝|is|->)\s?[\"'`“「]?")
_ELSE = re.compile(
    r"(?i)(?:https?|ssh|host|port|ip|id|user(?:name)?|file|path|model|version"
    r"|named?|called|型号|版本|端口|文件|主机|名称)\W{0,3}$"
)


def _said(before: str, token: str) -> bool:
    """Whether it is said to be the value, or stands as one: after a comma, or with humps."""
    return bool(_SAID.search(before) or before.endswith((", ", "，")) or _HUMP.search(token))


_HUMP = re.compile(r"[a-z][A-Z]")


def _mixed(token: str) -> bool:
    """Whether it is mixed as keys are: of three sorts of signs, or letters and digits in turn."""
    sorts = sum(
        re.search(sort, token) is not None
        for sort in (r"[a-z]", r"[A-Z]", r"\d", r"[^A-Za-z0-9._-]")
    )
    turns = len(re.findall(r"(?<=\d)[A-Za-z]|(?<=[A-Za-z])\d", token))
    if sorts >= 3:
        return bool(turns) or "-" in token or sorts > 3 or len(token) >= 8
    odd = re.search(r"[!#$%^&*@+]", token) is not None
    return sorts == 2 and (odd or (turns >= 3 and len(token) >= 8))


def _long_one(text: str) -> bool:
    return any(
        _NOT_LET_IN.search(text[max(0, found.start() - 24) : found.start()]) is None
        for found in _LONG.finditer(text)
    )


def has_secret(text: str) -> bool:
    """Whether `text` holds what lets someone in."""
    return (
        bool(_KNOWN.search(text) or _TOLD.search(text) or _TURNED.search(text))
        or _told_near(text)
        or _long_one(text)
    )
