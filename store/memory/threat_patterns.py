"""The table of the threat scan: what each id looks for, where it applies, and in which order.

The rules are hermes-formats §2.9. Every rule is asked on *folded* text (`threats.fold`): there
each letter that the agent's case-insensitive search takes for an ASCII letter is that letter in
lower case, so the rules are written in lower case and match case-sensitively, which is faster.

A rule is asked in two steps. `needs` are words without which it cannot hit: most texts hold
none, and looking for a fixed word is many times cheaper than a pattern. Then the `shape` decides.
No shape takes more than about linear time, whatever the text: the agent's own patterns do not
have that property (tests/store/memory/test_threats.py holds texts that would stop it for hours).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Literal

from schema.frozen import frozen

Scope = Literal["all", "context", "strict"]

SCOPES: dict[Scope, frozenset[Scope]] = {
    "all": frozenset({"all"}),
    "context": frozenset({"all", "context"}),
    "strict": frozenset({"all", "context", "strict"}),
}
"""Which rules a scan at each scope asks: the scopes are cumulative."""


@cache
def _pattern(source: str) -> re.Pattern[str]:
    r"""Compile `source`: a blank is whitespace, `… ` stands for none to eight words in between.

    Compiled at first use, because most rules are never asked beyond their `needs`. Whitespace
    and words are possessive: what follows a run of them can never begin inside that run. That a
    word begins at `\b` is asked behind it: a pattern is quick if it begins with letters.
    """
    source = source.replace("… ", r"(?:\w++\s++){0,8}").replace(" ", r"\s++")
    return re.compile(re.sub(r"\\b([a-z0-9]+)", r"\1(?<=\\b\1)", source))


@frozen
class Phrase:
    """Words that follow each other, written as in `_pattern`."""

    source: str

    def found_in(self, folded: str) -> bool:
        """Whether the phrase stands anywhere in `folded`."""
        return _pattern(self.source).search(folded) is not None


@frozen
class Chain:
    """Pieces that follow each other with at most `gap` characters, none of them `barrier`, between.

    With `spaced`, a piece but the last ends in exactly one whitespace character, a piece but the
    first stands behind whitespace, and whitespace at either end of the gap is no part of it.
    """

    pieces: tuple[str, ...]
    gap: int
    barrier: str = "\n"
    spaced: bool = False

    def found_in(self, folded: str) -> bool:
        """Whether all pieces stand in `folded`, each within reach of the one before."""
        walk: _Walk | None = None
        for piece in self.pieces:
            walk = _Walk(self, folded, _pattern(piece), walk)
        return walk is not None and next(walk.ends(len(folded)), None) is not None


class _Walk:
    """A piece of a chain in one text: where it stands and is led to by the pieces before it.

    It is asked from left to right and goes over each part of the text once. For a given place
    only the nearest end of the piece before matters: the gap from any earlier end contains it.
    """

    __slots__ = (
        "_before",
        "_chain",
        "_last",
        "_last_but_one",
        "_lost",
        "_pattern",
        "_seen",
        "_text",
    )

    def __init__(
        self, chain: Chain, text: str, pattern: re.Pattern[str], before: _Walk | None
    ) -> None:
        self._chain, self._text, self._pattern, self._before = chain, text, pattern, before
        self._seen = 0
        self._last = self._last_but_one = self._lost = -1

    def ends(self, until: int) -> Iterator[int]:
        """The ends of the piece where it is led to, between where one last asked and `until`."""
        for found in self._pattern.finditer(self._text, self._seen, until):
            if self._before is None or self._is_led_to(found.start(), self._before):
                yield found.end()
        self._seen = until

    def _is_led_to(self, start: int, before: _Walk) -> bool:
        for end in before.ends(start):
            self._last_but_one, self._last = self._last, end
        if self._chain.spaced:
            return self._is_led_to_by_space(start)
        last, chain = self._last, self._chain
        return 0 <= last >= start - chain.gap and self._text.find(chain.barrier, last, start) < 0

    def _is_led_to_by_space(self, start: int) -> bool:
        if not self._text[:start][-1:].isspace():
            return False
        # One whitespace character cannot end one piece and lead to the next as well.
        end = self._last if self._last < start else self._last_but_one
        if end in (-1, self._lost):
            return False
        between = self._text[end:start].strip()
        if len(between) <= self._chain.gap and self._chain.barrier not in between:
            return True
        self._lost = end  # what is out of reach of this place is so of all later ones
        return False


@frozen
class Rule:
    """One row of the table: of each group of words in `needs` one must stand in the text.

    Without a `shape` that is all it takes.
    """

    id: str
    scope: Scope
    needs: tuple[tuple[str, ...], ...]
    shape: Phrase | Chain | None

    def hits(self, folded: str) -> bool:
        """Whether the agent would report this id for the text that was folded."""
        for group in self.needs:
            for word in group:
                if word in folded:
                    break
            else:
                return False
        return self.shape is None or self.shape.found_in(folded)

    def may_hit(self, folded: str) -> bool:
        """Whether what the rule needs stands in `folded`; else it hits no part of it."""
        return all(any(word in folded for word in group) for group in self.needs)


def _rule(id_: str, scope: Scope, needs: str, shape: Phrase | Chain | str | None) -> Rule:
    """One row; in `needs` a blank is *and*, a bar is *or*; a bare string is a `Phrase`.

    Needs pay when a text lacks them, so the rarest group comes first, and several alternatives
    are given only where nothing rare is sure to be there: the likeliest first.
    """
    groups = tuple(tuple(group.split("|")) for group in needs.split())
    return Rule(id_, scope, groups, Phrase(shape) if isinstance(shape, str) else shape)


_KEY_VARIABLE = r"\$\{?\w*(?:key|token|secret|password|credential|api)"
_CHANGES = r"(?:update|modify|edit|write|change|append|add to) "

RULES: tuple[Rule, ...] = (
    # What tells the agent to drop its rules, or hides such a text.
    _rule(
        "prompt_injection",
        "all",
        "ignore instructions",
        "ignore … (?:previous|all|above|prior) … instructions",
    ),
    _rule("sys_prompt_override", "all", "override prompt", "system prompt override"),
    _rule(
        "disregard_rules",
        "all",
        "disregard",
        "disregard … (?:your|all|any) … (?:instructions|rules|guidelines)",
    ),
    _rule(
        "bypass_restrictions",
        "all",
        "act have you",
        "act as (?:if|though) … you … (?:have no|don't have) … (?:restrictions|limits|rules)",
    ),
    _rule(
        "html_comment_injection",
        "all",
        "<!-- -->",
        Chain(("<!--", "ignore|override|system|secret|hidden", "-->"), gap=512, barrier=">"),
    ),
    _rule(
        "hidden_div",
        "all",
        "display div style none",
        Chain(
            (r"<\s*+div style\s*+=\s*+[\"']", r"display\s*+:\s*+none"),
            gap=2048,
            barrier=">",
        ),
    ),
    _rule(
        "translate_execute",
        "all",
        "translate into",
        Chain(
            (r"translate\s", r"into\s", "and (?:execute|run|eval)"),
            gap=512,
            spaced=True,
        ),
    ),
    _rule("deception_hide", "all", "tell user not", "do not … tell … the user"),
    # What gives the agent another identity, or takes its safeguards.
    _rule("role_hijack", "context", "now you are", "you are … now (?:a|an|the) "),
    _rule("role_pretend", "context", "pretend", "pretend … (?:you are|to be) "),
    _rule("leak_system_prompt", "context", "output prompt", "output … (?:system|initial) prompt"),
    _rule(
        "remove_filters",
        "context",
        "without",
        "(?:respond|answer|reply) without … (?:restrictions|limitations|filters|safety)",
    ),
    _rule(
        "fake_update",
        "context",
        "been have you",
        "you have been … (?:updated|upgraded|patched) to",
    ),
    _rule("identity_override", "context", "yourself name", r"\bname yourself \w"),
    # What makes the agent obey somebody else's controller.
    _rule("c2_node_registration", "context", "register node", r"register (?:as )?(?:a\s*+)?node"),
    _rule(
        "c2_heartbeat",
        "context",
        "check|beacon|heartbeat",
        r"(?:heartbeat|beacon|check[\s-]?in) (?:to|with) ",
    ),
    _rule("c2_task_pull", "context", "pull task", r"pull (?:down )?(?:new )?task(?:ing|s)?\b"),
    _rule("c2_network_connect", "context", "connect network", r"connect to the network\b"),
    _rule(
        "forced_action",
        "context",
        "must you",
        r"you must (?:\w++\s++){0,3}(?:register|connect|report|beacon)\b",
    ),
    _rule("anti_forensic_oneliner", "context", "liner only", r"only use one[\s-]?liners?\b"),
    _rule(
        "anti_forensic_disk",
        "context",
        "never disk",
        "never … (?:create|write) … (?:script|file) … disk",
    ),
    _rule(
        "env_var_unset_agent",
        "context",
        "unset",
        r"unset \w*(?:claude|codex|hermes|agent|openai|anthropic)",
    ),
    _rule(
        "known_c2_framework",
        "context",
        "strike|sliver|havoc|mythic|metasploit|brainworm",
        r"(?:\bcobalt\s*+strike|\bsliver|\bhavoc|\bmythic|\bmetasploit|\bbrainworm)\b",
    ),
    _rule(
        "c2_explicit",
        "context",
        "c2",
        r"\bc2 (?:server|channel|infrastructure|beacon)\b",
    ),
    _rule("c2_explicit_long", "context", "command control", r"\bcommand and control\b"),
    # What carries secrets or the conversation away.
    _rule(
        "exfil_curl",
        "all",
        "curl $",
        Chain(("curl ", _KEY_VARIABLE), gap=2048),
    ),
    _rule(
        "exfil_wget",
        "all",
        "wget $",
        Chain(("wget ", _KEY_VARIABLE), gap=2048),
    ),
    _rule(
        "read_secrets",
        "all",
        ".env|credentials|.netrc|.pgpass|.npmrc|.pypirc cat",
        Chain(("cat ", r"\.(?:env|netrc|pgpass|npmrc|pypirc)|credentials"), gap=2048),
    ),
    _rule(
        "send_to_url",
        "strict",
        "://",
        Chain(
            (r"(?:send|post|upload|transmit)\s", "(?:to|at) https?://"),
            gap=2048,
            spaced=True,
        ),
    ),
    _rule(
        "context_exfil",
        "strict",
        "context|conversation|history|messages",
        "(?:include|output|print|share) … "
        "(?:conversation|chat history|previous messages|full context|entire context)",
    ),
    # What stays, or gives a way in: keys, the agent's own files.
    _rule("ssh_backdoor", "strict", "authorized_keys", None),
    _rule("ssh_access", "strict", "~/.ssh|$home/.ssh", None),
    _rule("hermes_env", "strict", "~/.hermes/.env|$home/.hermes/.env", None),
    _rule(
        "agent_config_mod",
        "strict",
        "agents.md|claude.md|.cursorrules|.clinerules",
        Chain((_CHANGES, r"agents\.md|claude\.md|\.cursorrules|\.clinerules"), gap=2048),
    ),
    _rule(
        "hermes_config_mod",
        "strict",
        ".hermes/",
        Chain((_CHANGES, r"\.hermes/(?:config\.yaml|soul\.md)"), gap=2048),
    ),
    _rule(
        "hardcoded_secret",
        "strict",
        "\"|' key|token|secret|password",
        r"(?:api[_-]?key|token|secret|password)\s*+[=:]\s*+[\"'][a-z0-9+/=_-]{20}",
    ),
)
"""All rules, in the order in which the agent reports their ids."""

INVISIBLE: dict[str, str] = {
    "\u200b": "zero-width space",
    "\u200c": "zero-width non-joiner",
    "\u200d": "zero-width joiner",
    "\u2060": "word joiner",
    "\u2062": "invisible times",
    "\u2063": "invisible separator",
    "\u2064": "invisible plus",
    "\ufeff": "byte order mark",
    "\u202a": "left-to-right embedding",
    "\u202b": "right-to-left embedding",
    "\u202c": "pop directional formatting",
    "\u202d": "left-to-right override",
    "\u202e": "right-to-left override",
    "\u2066": "left-to-right isolate",
    "\u2067": "right-to-left isolate",
    "\u2068": "first strong isolate",
    "\u2069": "pop directional isolate",
}
"""The characters that the agent refuses as invisible, with their names in plain English."""
