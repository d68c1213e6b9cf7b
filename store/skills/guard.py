"""The agent's scan of skills that it writes itself, as far as it refuses a write.

It runs only where `skills.guard_agent_created` is on, and refuses what it calls dangerous; its
milder findings stop nothing and are left out. As in `store/memory/threat_patterns.py`, no rule
takes more than about linear time, whatever the text.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

from schema.frozen import frozen
from store.refusals import ScanHit
from store.skills.draft import Draft
from store.skills.layout import SKILL_FILE, escapes

_SCANNED = frozenset(
    {".md", ".txt", ".tex", ".html", ".css", ".xml", ".json", ".yaml", ".yml", ".toml"}
    | {".cfg", ".ini", ".conf", ".py", ".sh", ".bash", ".js", ".ts", ".rb", ".r", ".jl"}
    | {".pl", ".php"}
)
_PROGRAMS = frozenset(
    {".exe", ".dll", ".so", ".dylib", ".bin", ".dat", ".com", ".msi", ".dmg", ".app"}
    | {".deb", ".rpm"}
)
_IGNORE_FILES = (".skillignore", ".clawhubignore")

_KEYS = "(?:key|token|secret|password"
_LONG = 2_000
"""So far apart are the ends of what must stand between certain characters."""


@frozen
class Rule:
    """What is looked for in a line: pieces that follow each other, with anything between.

    With `words`, there are only whole words between, of letters and the characters in `words`.
    """

    id: str
    pieces: tuple[str, ...]
    words: str | None = None

    def may_hit(self, letters: str) -> bool:
        """Whether a text may have such a line; `letters` is what `_letters` gives of it."""
        needles = NEEDLES.get(self.id)
        return needles is None or any(needle in letters for needle in needles)

    def hits(self, line: str) -> bool:
        """Whether the pieces stand in `line`."""
        if self.words is None:
            return self._in_order(line)
        return any(self._in_order(run) for run in _pattern(rf"[\w\s{self.words}]+").findall(line))

    def _in_order(self, line: str) -> bool:
        position = 0
        for piece in self.pieces:
            found = _pattern(piece).search(line, position)
            if found is None:
                return False
            position = found.end()
        return True


def _rules() -> tuple[Rule, ...]:
    many = "(?:get|post|put|patch)"
    variable = rf"\$\{{?\w*{_KEYS}"
    rest = "|credential|api)"
    quoted = rf"[^\"']{{0,{_LONG}}}"
    plain = (
        ("hermes_env_access", r"(?:\$home|~)/\.hermes/\.env"),
        (
            "python_environ_get_secret",
            rf"os\.environ\s*\.get\s*\(\s*[\"']{quoted}{_KEYS}|credential)",
        ),
        ("python_getenv_secret", rf"os\.getenv\s*\([^)]{{0,{_LONG}}}{_KEYS}|credential)"),
        ("tmp_staging", rf">\s*/tmp/\S{{0,{_LONG}}}\s*&&\s*(?:curl|wget|nc|python)"),
        ("destructive_root_rm", r"rm\s+-rf\s+/"),
        ("system_overwrite", r">\s*/etc/"),
        ("format_filesystem", r"\bmkfs\b"),
        ("truncate_system", r"truncate\s+-s\s*0\s+/"),
        ("ssh_backdoor", r"authorized_keys"),
        ("sudoers_mod", r"/etc/sudoers|visudo"),
        ("reverse_shell", r"(?:\bnc|ncat)\s+-[lp]|\bsocat\b"),
        ("python_socket_oneliner", r"python[23]?\s+-c\s+[\"']import\s+socket"),
        ("system_passwd_access", r"/etc/(?:passwd|shadow)"),
        ("crypto_mining", r"xmrig|stratum\+tcp|monero|coinhive|cryptonight"),
        ("setuid_setgid", r"set[ug]id"),
        ("nopasswd_sudo", r"nopasswd"),
        ("suid_bit", r"chmod\s+[u+]?s"),
        ("agent_config_mod", r"agents\.md|claude\.md|\.cursorrules|\.clinerules"),
        ("hermes_config_mod", r"\.hermes/(?:config\.yaml|soul\.md)"),
        (
            "hardcoded_secret",
            r"(?:api[_-]?key|token|secret|password)\s*[=:]\s*[\"'][a-z0-9+/=_-]{20}",
        ),
        ("embedded_private_key", r"-----begin\s+(?:rsa\s+)?private\s+key-----"),
        ("github_token_leaked", r"ghp_[a-z0-9]{36}|github_pat_[a-z0-9_]{80}"),
        ("openai_key_leaked", r"sk-[a-z0-9]{20}"),
        ("anthropic_key_leaked", r"sk-ant-[a-z0-9_-]{90}"),
        ("aws_access_key_leaked", r"akia[0-9a-z]{16}"),
        ("jailbreak_dan", r"\bdan\s+mode\b|do\s+anything\s+now"),
    )
    apart = (
        ("env_exfil_curl", r"curl\s", variable + rest),
        ("env_exfil_wget", r"wget\s", variable + rest),
        ("env_exfil_fetch", r"fetch\s*\(", variable + "|api)"),
        ("env_exfil_httpx", rf"httpx?\.{many}\s*\(", _KEYS + ")"),
        ("env_exfil_requests", rf"requests\.{many}\s*\(", _KEYS + ")"),
        (
            "read_secrets_file",
            r"cat\s+(?!>)",
            r"\.env|credentials|\.netrc|\.pgpass|\.(?:npm|pypi)rc",
        ),
        ("ruby_env_secret", r"env\[", _KEYS + ")"),
        ("dns_exfil", r"\b(?:dig|nslookup|host)\s", r"\$"),
        ("translate_execute", r"translate\s", r"\sinto\s", r"\sand\s+(?:execute|run|eval)"),
        ("destructive_home_rm", r"rm\s+(?:-\S*?)?r|\brmdir\s", r"\$home"),
        ("disk_overwrite", r"\bdd\s", r"if=", r"of=/dev/"),
        ("bash_reverse_shell", r"/bin/(?:ba)?sh\s+-i\s", r">/dev/tcp/"),
        ("echo_pipe_exec", r"echo\s", r"\|\s*(?:bash|sh|python|perl|ruby|node)"),
        ("curl_pipe_shell", r"curl\s", r"\|\s*(?:ba)?sh"),
        ("wget_pipe_shell", r"wget\s", r"-o\s*-\s*\|\s*(?:ba)?sh"),
        ("curl_pipe_python", r"curl\s", r"\|\s*python"),
        ("jailbreak_dev_mode", r"\bdeveloper\s+mode\b", r"\benabled?\b"),
    )
    words = (
        (
            "prompt_injection_ignore",
            r"ignore\s",
            r"(?<=\s)(?:previous|all|above|prior)\s+instructions",
        ),
        ("deception_hide", r"do\s+not\s", r"(?<=\s)tell\s", r"(?<=\s)the\s+user"),
        ("sys_prompt_override", r"system\s", r"(?<=\s)prompt\s", r"(?<=\s)override"),
        (
            "disregard_rules",
            r"disregard\s",
            r"(?<=\s)(?:your|all|any)\s",
            r"(?<=\s)(?:instructions|rules|guidelines)",
        ),
        (
            "remove_filters",
            r"(?:respond|answer|reply)\s+without\s",
            r"(?<=\s)(?:restrictions|limitations|filters|safety)",
        ),
    )
    bypass = (
        r"act\s+as\s+(?:if|though)\s",
        r"(?<=\s)you\s",
        r"(?<=\s)(?:have\s+no|don't\s+have)\s",
        r"(?<=\s)(?:restrictions|limits|rules)",
    )
    return (
        *(Rule(id_, (piece,)) for id_, piece in plain),
        *(Rule(id_, tuple(pieces)) for id_, *pieces in apart),
        *(Rule(id_, tuple(pieces), "") for id_, *pieces in words),
        Rule("bypass_restrictions", bypass, "'"),
    )


RULES = _rules()

_SECRET = ("key", "token", "secret", "password", "credential", "api")
NEEDLES: dict[str, tuple[str, ...]] = {
    "hermes_env_access": ("/.hermes/.env",),
    "python_environ_get_secret": ("environ",),
    "python_getenv_secret": ("os.getenv",),
    "tmp_staging": ("/tmp/",),  # noqa: S108 - looked for, not written to
    "destructive_root_rm": ("-rf",),
    "system_overwrite": ("/etc/",),
    "format_filesystem": ("mkfs",),
    "truncate_system": ("truncate",),
    "ssh_backdoor": ("authorized_keys",),
    "sudoers_mod": ("sudo",),
    "reverse_shell": ("nc", "socat"),
    "python_socket_oneliner": ("socket",),
    "system_passwd_access": ("/etc/",),
    "crypto_mining": ("xmrig", "stratum+tcp", "monero", "coinhive", "cryptonight"),
    "setuid_setgid": ("setuid", "setgid"),
    "nopasswd_sudo": ("nopasswd",),
    "suid_bit": ("chmod",),
    "agent_config_mod": ("agents.md", "claude.md", ".cursorrules", ".clinerules"),
    "hermes_config_mod": (".hermes/",),
    "hardcoded_secret": _SECRET,
    "embedded_private_key": ("private",),
    "github_token_leaked": ("ghp_", "github_pat_"),
    "openai_key_leaked": ("sk-",),
    "anthropic_key_leaked": ("sk-ant-",),
    "aws_access_key_leaked": ("akia",),
    "jailbreak_dan": ("dan", "anything"),
    "env_exfil_curl": ("curl",),
    "env_exfil_wget": ("wget",),
    "env_exfil_fetch": ("fetch",),
    "env_exfil_httpx": ("http",),
    "env_exfil_requests": ("requests.",),
    "read_secrets_file": ("cat",),
    "ruby_env_secret": ("env[",),
    "dns_exfil": ("dig", "nslookup", "host"),
    "translate_execute": ("translate",),
    "destructive_home_rm": ("$home",),
    "disk_overwrite": ("/dev/",),
    "bash_reverse_shell": ("/dev/tcp/",),
    "echo_pipe_exec": ("echo",),
    "curl_pipe_shell": ("curl",),
    "wget_pipe_shell": ("wget",),
    "curl_pipe_python": ("curl",),
    "jailbreak_dev_mode": ("developer",),
    "prompt_injection_ignore": ("instructions",),
    "deception_hide": ("tell",),
    "sys_prompt_override": ("override",),
    "disregard_rules": ("disregard",),
    "remove_filters": ("without",),
    "bypass_restrictions": ("restrictions", "limits", "rules"),
}
"""One of these stands in every text that a rule hits: looked for first, since that is quick."""

_ALIKE = str.maketrans("\u0130\u0131\u017f\u212a", "iisk")
"""What a pattern that minds no case takes for an ASCII letter."""


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE)


def found_in(text: str) -> tuple[str, ...]:
    """The ids of what the agent calls dangerous in a text, in the order of the table."""
    lines, letters = text.split("\n"), _letters(text)
    return tuple(rule.id for rule in RULES if rule.may_hit(letters) and any(map(rule.hits, lines)))


def _letters(text: str) -> str:
    """The text in lower case, with what is taken for an ASCII letter as that."""
    return text.translate(_ALIKE).lower() if not text.isascii() else text.lower()


def scan(draft: Draft, folder: Path) -> ScanHit | None:
    """The first file of the skill in `folder` that the agent would refuse, or None."""
    ignored = _ignored(draft, folder)
    for path in draft.files_below(folder):
        relative = path.relative_to(folder).as_posix()
        if _leaves_out(relative, ignored):
            continue
        if os.path.islink(path):
            if escapes(path, folder):
                return ScanHit(relative, ("symlink_escape",))
        elif path.suffix.lower() in _PROGRAMS:
            return ScanHit(relative, ("binary_file",))
        if path.suffix.lower() in _SCANNED or path.name == SKILL_FILE:
            text = _text(draft, path)
            if text is not None and (ids := found_in(text)):
                return ScanHit(relative, ids)
    return None


def _text(draft: Draft, path: Path) -> str | None:
    data = draft.read(path)
    try:
        return data.decode("utf-8") if isinstance(data, bytes) else None
    except UnicodeDecodeError:
        return None


def _ignored(draft: Draft, folder: Path) -> tuple[str, ...]:
    texts = [_text(draft, folder / name) or "" for name in _IGNORE_FILES]
    lines = [line.strip() for text in texts for line in text.splitlines()]
    return tuple(line for line in lines if line and not line.startswith("#"))


def _leaves_out(relative: str, patterns: Iterable[str]) -> bool:
    """Whether the skill itself asks to leave that file out; never its SKILL.md."""
    name = relative.rpartition("/")[2]
    if name == SKILL_FILE:
        return False
    return name in _IGNORE_FILES or any(_fits(relative, pattern) for pattern in patterns)


def _fits(relative: str, pattern: str) -> bool:
    anchored, inner = pattern.startswith("/"), pattern.lstrip("/")
    bare = inner.rstrip("/")
    if not bare:
        return False
    if relative.startswith(bare + "/") and (inner != bare or not anchored):
        return True
    if inner != bare:  # a folder
        return relative == bare or (not anchored and f"/{bare}/" in f"/{relative}/")
    if fnmatch(relative, bare):
        return True
    parts = relative.split("/")
    if anchored:
        return False
    return fnmatch(parts[-1], bare) or ("/" not in bare and any(fnmatch(p, bare) for p in parts))
