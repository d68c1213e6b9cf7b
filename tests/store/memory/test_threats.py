"""The threat scan by itself. That it equals the agent's is shown in tests/interop."""

from __future__ import annotations

import random
import re
import sys
import time
import unicodedata

import pytest

from store.memory.threat_patterns import INVISIBLE, RULES
from store.memory.threats import (
    MAX_CHARS,
    Finding,
    first_finding,
    fold,
    invisible_marks,
    scan,
    scan_all,
)
from tests.support.threat_texts import EXAMPLES, TEMPLATES, Texts

# Texts on which a search that starts again at every word or blank would not come back for long.
SLOW = {
    "blanks behind a verb": "translate" + " " * 60_000 + "into x",
    "a verb again and again": "send to http:/ " * 4_000 + "http://",
    "each piece again and again": "translate x into y and " * 2_800 + "xeval",
    "openings of comments": "--><!--ignore" + "<!--ignore" * 6_500,
    "openings of tags": '<div style="display' * 3_400 + " none",
    "objects without a verb": "edit \n" + "agents.md" * 7_000,
    "a variable without end": "curl " * 400 + "$" + "a" * 60_000 + " key",
    "blanks where one word may stand": "register" + " " * 60_000 + "mode node",
    "fillers within fillers": "never write script " * 3_400 + "disk",
    "marks on marks": "\u0301\u0323" * 32_000,
    "one character that becomes many": "ﷺ" * MAX_CHARS,
}


@pytest.mark.parametrize("id_", EXAMPLES)
def test_each_rule_reports_its_own_id(id_: str) -> None:
    hit, miss = EXAMPLES[id_]
    assert scan(f"The user wrote: {hit} today") == (id_,)
    assert id_ not in scan(f"The user wrote: {miss}")


def test_every_rule_has_an_example() -> None:
    assert list(EXAMPLES) == [rule.id for rule in RULES]


def test_a_clean_text_has_no_findings() -> None:
    assert scan("Prefers short answers. 用户喜欢简短的回答，并且使用 Debian。") == ()
    assert scan("") == ()
    assert first_finding("Prefers short answers.") is None


def test_scopes_are_cumulative() -> None:
    text = "\n".join(hit for hit, _ in EXAMPLES.values())
    of_scope = {rule.id: rule.scope for rule in RULES}
    everywhere = scan(text, scope="all")
    context = scan(text, scope="context")
    assert {of_scope[id_] for id_ in everywhere} == {"all"}
    assert {of_scope[id_] for id_ in context} == {"all", "context"}
    assert set(everywhere) < set(context) < set(scan(text)) == set(of_scope)


def test_ids_come_in_the_order_of_the_table() -> None:
    backwards = "\n".join(hit for hit, _ in reversed(EXAMPLES.values()))
    assert scan(backwards) == tuple(EXAMPLES)


def test_invisible_characters_come_first_in_the_order_of_the_text() -> None:
    assert scan("command and control \u2069\u200b\u2069") == (
        "invisible_unicode_U+2069",
        "invisible_unicode_U+200B",
        "c2_explicit_long",
    )


def test_the_first_finding_names_the_invisible_character() -> None:
    text = "authorized_keys\ufeff"
    assert first_finding(text) == Finding("invisible_unicode_U+FEFF", 0xFEFF)
    assert first_finding(text[:-1]) == Finding("ssh_backdoor")


def test_the_first_finding_is_the_first_of_the_scan() -> None:
    texts = Texts(5)
    for text in (texts.near(id_) for id_ in TEMPLATES for _ in range(20)):
        found = first_finding(text)
        assert (found and found.id) == next(iter(scan(text)), None)


def test_marks_are_positions_in_the_whole_text() -> None:
    text = "é\u200b漢\u202e" + "x" * MAX_CHARS + "\U0001f9d1\u200d"
    assert invisible_marks(text) == ((1, 0x200B), (3, 0x202E), (MAX_CHARS + 5, 0x200D))
    assert {point for _, point in invisible_marks("".join(INVISIBLE))} == {*map(ord, INVISIBLE)}
    # Near the list, but not on it; a soft hyphen and marks of direction are let through.
    assert invisible_marks("\u2061\u200e\u200f\u00ad") == ()


def test_only_the_first_65536_characters_are_scanned() -> None:
    assert scan("x" * (MAX_CHARS - 1) + "\u200b") == ("invisible_unicode_U+200B",)
    assert scan("x" * MAX_CHARS + "\u200b") == ()


def test_many_texts_together_are_found_what_each_is_found_alone() -> None:
    chance, near = random.Random(5), Texts(5)
    texts = [text for both in EXAMPLES.values() for text in both] + list(SLOW.values())
    texts += ["", "\u0301 a mark", "a\u200bb", "ＣＵＲＬ ", "İgnore", "Σ", "x" * 300, "x" * 40_000]
    texts += [near.near(id_) for id_ in TEMPLATES for _ in range(8)]
    texts += [near.shuffled(id_) for id_ in TEMPLATES]
    texts += ["Prefers short answers to questions."] * 1_000
    chance.shuffle(texts)
    assert scan_all(texts) == [scan(text) for text in texts]
    assert scan_all([]) == []


def test_disguised_letters_are_seen_through() -> None:
    for text in ("ｃａｔ　~/.ｅｎｖ", "CAT .ENV", "cat ~／．env"):
        assert "read_secrets" in scan(text)
    for text in ("ſliver", "mYTHİC", "mythıc", "mythI\u0307c", "cobalt\u2003ﬆri\u212ae"):
        assert scan(text) == ("known_c2_framework",)
    assert scan("с2 server") == ()  # a Cyrillic letter stays one, for the agent as well


def test_folding_keeps_each_character_and_its_kind() -> None:
    """The rules may be asked on folded text only if nothing but case is lost there."""
    every = map(chr, (*range(0xD800), *range(0xE000, sys.maxunicode + 1)))
    normal = {*unicodedata.normalize("NFKC", "\n".join(every))}
    lines = "\n".join(sorted(normal))  # one by one, so that none of them composes
    folded = fold(lines)
    assert len(folded) == len(lines)
    for kind, agents_kind in ((r"\w", r"\w"), (r"\s", r"\s"), ("[\0-\x7f]", "(?i:[\0-\x7f])")):
        places = [found.start() for found in re.finditer(kind, folded)]
        assert places == [found.start() for found in re.finditer(agents_kind, lines)]


def test_long_runs_of_marks_fold_as_short_ones() -> None:
    chance = random.Random(8)
    marks = [chr(c) for c in range(0x300, 0x1100) if unicodedata.combining(chr(c))]
    marks += "ﾞﾟ\u0f73\u0344"
    for _ in range(20):
        runs = ("".join(chance.choices(marks, k=900)) for _ in range(6))
        text = "".join(f"{chance.choice('eｶक漢é')}{run}" for run in runs)
        assert fold(text) == unicodedata.normalize("NFKC", text).lower()


def test_the_words_a_rule_needs_never_hide_a_hit() -> None:
    texts = Texts(13)
    for folded in (fold(texts.near(id_)) for id_ in TEMPLATES for _ in range(40)):
        for rule in RULES:
            if rule.shape is not None:
                assert rule.hits(folded) == rule.shape.found_in(folded), (rule.id, folded)


@pytest.mark.parametrize("name", SLOW)
def test_no_text_takes_long(name: str) -> None:
    started = time.process_time()
    scan(SLOW[name])
    assert time.process_time() - started < 2
