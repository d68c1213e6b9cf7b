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
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

Scope = Literal["all", "context", "strict"]

SCOPES: dict[Scope, frozenset[Scope]] = {
    "all": frozenset({"all"}),
    "context": frozenset({"all", "context"}),
    "strict": frozenset({"all", "context", "strict"}),
}
"""Which rules a scan at each scope asks: the scopes are cumulative."""


@cache
def _pattern(source: str) -> re.Pattern[str]:
    """Compile `source`: a blank is whitespace, `… ` stands for none to eight words in between.

    Compiled at first use, because most rules are never asked beyond their `needs`. Whitespace
    and words are possessive: what follows a run of them can never begin inside that run.
    """
    return re.compile(source.replace("… ", r"(?:\w++\s++){0,8}").replace(" ", r"\s++"))


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that follow each other, written as in `_pattern`."""

    source: str

    def found_in(self, folded: str) -> bool:
        """Whether the phrase stands anywhere in `folded`."""
        return _pattern(self.source).search(folded) is not None


@dataclass(frozen=True, slots=True)
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
        """Whether all pieces stand in `folded`, each within reach of the one before.

        One pass per piece. For a given piece only the nearest one before it matters: the gap to
        any earlier one contains the gap to the nearest.
        """
        follow = self._behind_space if self.spaced else self._behind
        first, *others = self.pieces
        reached: Iterator[re.Match[str]] = _pattern(first).finditer(folded)
        for piece in others:
            reached = follow(folded, (found.end() for found in reached), piece)
        return next(reached, None) is not None

    def _behind(self, text: str, ends: Iterator[int], piece: str) -> Iterator[re.Match[str]]:
        """The places of `piece` that are within reach of one of `ends`."""
        for last, _, found in _paired(ends, _pattern(piece).finditer(text)):
            start = found.start()
            if start - last <= self.gap and text.find(self.barrier, last, start) < 0:
                yield found

    def _behind_space(self, text: str, ends: Iterator[int], piece: str) -> Iterator[re.Match[str]]:
        """As `_behind`, where `ends` are one whitespace character behind the piece before."""
        lost = -1  # an end that a place was out of reach of: so are all later places
        for last, before, found in _paired(ends, _pattern(piece).finditer(text)):
            start = found.start()
            # One whitespace character cannot end one piece and lead to the next as well.
            end = last if last < start else before
            if end in (-1, lost):
                continue
            between = text[end:start].strip()
            if len(between) <= self.gap and self.barrier not in between:
                yield found
            else:
                lost = end


def _paired(
    ends: Iterator[int], places: Iterable[re.Match[str]]
) -> Iterator[tuple[int, int, re.Match[str]]]:
    """Each of `places` with the last and the last but one of `ends` at or before it (-1: none).

    Both are given in ascending order. A place without any end before it is left out.
    """
    last = before = -1
    upcoming = next(ends, None)
    for place in places:
        while upcoming is not None and upcoming <= place.start():
            before, last = last, upcoming
            upcoming = next(ends, None)
        if last >= 0:
            yield last, before, place


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of the table. `needs`: in each group at least one word must stand in the text."""

    id: str
    scope: Scope
    needs: tuple[tuple[str, ...], ...]
    shape: Phrase | Chain

    def hits(self, folded: str) -> bool:
        """Whether the agent would report this id for the text that was folded."""
        for group in self.needs:
            for word in group:
                if word in folded:
                    break
            else:
                return False
        return self.shape.found_in(folded)


def _rule(id_: str, scope: Scope, needs: str, shape: Phrase | Chain | str) -> Rule:
    """One row; in `needs` a blank is *and*, a bar is *or*; a bare string is a `Phrase`."""
    groups = tuple(tuple(group.split("|")) for group in needs.split())
    return Rule(id_, scope, groups, Phrase(shape) if isinstance(shape, str) else shape)


_KEY_VARIABLE = r"\$\{?\w*(?:key|token|secret|password|credential|api)"
_CHANGES = r"(?:update|modify|edit|write|change|append|add to) "
_CHANGING = "update|modify|edit|write|change|append|add"

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
        "disregard instructions|rules|guidelines",
        "disregard … (?:your|all|any) … (?:instructions|rules|guidelines)",
    ),
    _rule(
        "bypass_restrictions",
        "all",
        "act restrictions|limits|rules have",
        "act as (?:if|though) … you … (?:have no|don't have) … (?:restrictions|limits|rules)",
    ),
    _rule(
        "html_comment_injection",
        "all",
        "<!-- --> ignore|override|system|secret|hidden",
        Chain(("<!--", "ignore|override|system|secret|hidden", "-->"), gap=512, barrier=">"),
    ),
    _rule(
        "hidden_div",
        "all",
        "display div style < none",
        Chain(
            (r"<\s*+div style\s*+=\s*+[\"']", r"display\s*+:\s*+none"),
            gap=2048,
            barrier=">",
        ),
    ),
    _rule(
        "translate_execute",
        "all",
        "translate into execute|run|eval",
        Chain(
            (r"translate\s", r"(?<=\s)into\s", r"(?<=\s)and (?:execute|run|eval)"),
            gap=512,
            spaced=True,
        ),
    ),
    _rule("deception_hide", "all", "tell user not", "do not … tell … the user"),
    # What gives the agent another identity, or takes its safeguards.
    _rule("role_hijack", "context", "now are you", "you are … now (?:a|an|the) "),
    _rule("role_pretend", "context", "pretend", "pretend … (?:you are|to be) "),
    _rule("leak_system_prompt", "context", "output prompt", "output … (?:system|initial) prompt"),
    _rule(
        "remove_filters",
        "context",
        "without restrictions|limitations|filters|safety",
        "(?:respond|answer|reply) without … (?:restrictions|limitations|filters|safety)",
    ),
    _rule(
        "fake_update",
        "context",
        "updated|upgraded|patched been",
        "you have been … (?:updated|upgraded|patched) to",
    ),
    _rule("identity_override", "context", "yourself name", r"\bname yourself \w"),
    # What makes the agent obey somebody else's controller.
    _rule("c2_node_registration", "context", "register node", r"register (?:as )?(?:a\s*+)?node"),
    _rule(
        "c2_heartbeat",
        "context",
        "heartbeat|beacon|check",
        r"(?:heartbeat|beacon|check[\s-]?in) (?:to|with) ",
    ),
    _rule("c2_task_pull", "context", "pull task", r"pull (?:down )?(?:new )?task(?:ing|s)?\b"),
    _rule("c2_network_connect", "context", "connect network", r"connect to the network\b"),
    _rule(
        "forced_action",
        "context",
        "must register|connect|report|beacon",
        r"you must (?:\w++\s++){0,3}(?:register|connect|report|beacon)\b",
    ),
    _rule("anti_forensic_oneliner", "context", "liner only", r"only use one[\s-]?liners?\b"),
    _rule(
        "anti_forensic_disk",
        "context",
        "never disk script|file",
        "never … (?:create|write) … (?:script|file) … disk",
    ),
    _rule(
        "env_var_unset_agent",
        "context",
        "unset claude|codex|hermes|agent|openai|anthropic",
        r"unset \w*(?:claude|codex|hermes|agent|openai|anthropic)",
    ),
    _rule(
        "known_c2_framework",
        "context",
        "strike|sliver|havoc|mythic|metasploit|brainworm",
        r"\b(?:cobalt\s*+strike|sliver|havoc|mythic|metasploit|brainworm)\b",
    ),
    _rule(
        "c2_explicit",
        "context",
        "c2 server|channel|infrastructure|beacon",
        r"\bc2 (?:server|channel|infrastructure|beacon)\b",
    ),
    _rule("c2_explicit_long", "context", "command control", r"\bcommand and control\b"),
    # What carries secrets or the conversation away.
    _rule(
        "exfil_curl",
        "all",
        "curl $ key|token|secret|password|credential|api",
        Chain(("curl ", _KEY_VARIABLE), gap=2048),
    ),
    _rule(
        "exfil_wget",
        "all",
        "wget $ key|token|secret|password|credential|api",
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
        ":// http send|post|upload|transmit",
        Chain(
            (r"(?:send|post|upload|transmit)\s", r"(?<=\s)(?:to|at) https?://"),
            gap=2048,
            spaced=True,
        ),
    ),
    _rule(
        "context_exfil",
        "strict",
        "conversation|history|messages|context include|output|print|share",
        "(?:include|output|print|share) … "
        "(?:conversation|chat history|previous messages|full context|entire context)",
    ),
    # What stays, or gives a way in: keys, the agent's own files.
    _rule("ssh_backdoor", "strict", "authorized_keys", "authorized_keys"),
    _rule("ssh_access", "strict", "/.ssh", r"(?:\$home|~)/\.ssh"),
    _rule("hermes_env", "strict", "/.hermes/.env", r"(?:\$home|~)/\.hermes/\.env"),
    _rule(
        "agent_config_mod",
        "strict",
        f"agents.md|claude.md|.cursorrules|.clinerules {_CHANGING}",
        Chain((_CHANGES, r"(?:agents|claude)\.md|\.(?:cursor|cline)rules"), gap=2048),
    ),
    _rule(
        "hermes_config_mod",
        "strict",
        f".hermes/config.yaml|.hermes/soul.md {_CHANGING}",
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
