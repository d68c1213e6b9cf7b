"""Search in notes: as one types, in Chinese too, and titles first."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from store.desk import Desk
from store.knowledge.searching import as_typed
from store.sessions.database import Cancelled
from store.sessions.matching import Matcher
from tests.store.knowledge.conftest import Vault


def test_a_title_that_fits_comes_first(vault: Vault) -> None:
    vault.put("many.md", "printer " * 50)
    vault.put("Printer setup.md", "nothing else of the kind")
    vault.put("named.md", "---\naliases: [printer]\n---\n" + "words " * 500)
    vault.put("headed.md", "# The printer\n" + "words " * 500)
    vault.refresh()
    found = vault.found("printer")
    assert set(found[:3]) == {"Printer setup.md", "named.md", "headed.md"}
    assert found[3] == "many.md"


def test_a_chinese_title_that_fits_comes_first(vault: Vault) -> None:
    vault.put("别的.md", "打印机设置" * 30)
    vault.put("打印机设置.md", "没有别的")
    vault.put("打印.md", "打印机" * 30)
    vault.refresh()
    assert vault.found("打印机设置") == ["打印机设置.md", "别的.md"]
    assert vault.found("打印")[0] == "打印.md" or vault.found("打印")[0] == "打印机设置.md"
    assert vault.found("打印")[-1] == "别的.md"


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("的聊天记录记忆断裂问题", "记忆断裂"),
        ("我们去桂林旅游", "桂林"),
        ("我们去桂林旅游", "广西 OR 桂林 OR 漓江"),
        ("修改youer服务端的计划", "youer"),
        ("修改youer服务端的计划", "you*"),
        ("the café is open", "cafe"),
        ("file_name.test-case", "test-case"),
        ("100% sure", "100%"),
        ("a b c", "b"),
        ("release checklist", '"release checklist"'),
        ("one two", "one NOT three"),
    ],
)
def test_the_query_language_is_that_of_sessions(vault: Vault, text: str, query: str) -> None:
    vault.put("it.md", text)
    vault.put("other.md", "nothing of all that")
    vault.refresh()
    assert vault.found(query) == ["it.md"]


def test_the_last_word_may_go_on_while_it_is_typed(vault: Vault) -> None:
    vault.put("it.md", "a checklist for the release")
    vault.refresh()
    for typed in ("c", "chec", "checklist", "checklist rel", "checklist rel "):
        assert vault.found(typed, typing=True) == ["it.md"], typed
    assert vault.found("chec") == []
    assert vault.found("checklist zeb", typing=True) == ["it.md"], "some of the words"


def test_only_a_word_that_is_still_written_goes_on() -> None:
    assert as_typed("chec") == "chec*"
    for done in ("", "chec ", '"an open phrase', "this OR", "mark!"):
        assert as_typed(done) == done


def test_a_passage_is_shown_with_the_places_that_were_found(vault: Vault) -> None:
    vault.put("Printer.md", "---\ntags: [x]\n---\n" + "words " * 100 + "the printer is out\n")
    vault.put("Title only printer.md", "---\ntags: [x]\n---\n\nits text")
    vault.refresh()
    hits = {hit.title: hit for hit in vault.search("printer").hits}
    one = hits["Printer"]
    (place,) = one.snippet.ranges
    assert one.snippet.text[slice(*place)] == "printer"
    assert one.title_ranges == ((0, 7),)
    other = hits["Title only printer"]
    assert other.snippet.text == "its text"
    assert other.title_ranges == ((11, 18),)
    assert (one.folder, one.path) == (vault.path, vault.path / "Printer.md")


def test_front_matter_is_shown_only_where_it_is_what_fits(vault: Vault) -> None:
    vault.put("a.md", "---\ntags: [zebra]\n---\nits text")
    vault.refresh()
    (hit,) = vault.search("zebra").hits
    assert "tags: [zebra]" in hit.snippet.text


def test_some_of_the_words_are_better_than_nothing_and_that_is_said(vault: Vault) -> None:
    vault.put("a.md", "one thing")
    vault.refresh()
    found = vault.search("one zebra")
    assert found.relaxed
    assert [hit.title for hit in found.hits] == ["a"]
    assert not vault.search("one").relaxed


def test_a_limit_says_that_there_is_more(vault: Vault) -> None:
    for number in range(5):
        vault.put(f"{number}.md", "needle 桂林 xneedlex")
    vault.refresh()
    for query in ("needle", "桂林", "桂林 needle", "eedl", "*"):
        found = vault.search(query, limit=5)
        assert found.complete, query
    for query in ("needle", "桂林", "桂林 needle"):
        found = vault.search(query, limit=3)
        assert (len(found.hits), found.complete) == (3, False), query


def test_a_copy_of_a_conflict_is_marked_and_comes_last(vault: Vault) -> None:
    vault.put("Plan needle.sync-conflict-20261023-101112-ABCDEFG.md", "needle " * 9)
    vault.put("z.md", "needle in a longer text")
    vault.refresh()
    hits = vault.search("needle").hits
    assert [hit.conflict_copy for hit in hits] == [False, True]


def test_a_search_that_nobody_waits_for_ends(vault: Vault) -> None:
    for number in range(300):
        vault.put(f"{number}.md", "的 " * 200)
    vault.refresh()
    assert isinstance(vault.knowledge.search("的", is_cancelled=lambda: True), Cancelled)


def test_without_folders_and_before_the_first_look_nothing_is_found(
    desk: Desk, tmp_path: Path
) -> None:
    found = desk.knowledge.search("needle")
    assert not isinstance(found, Cancelled)
    assert getattr(found, "hits", None) == ()
    assert desk.knowledge.notes() == ()


@pytest.mark.parametrize("query", ["", " ", '"', "NOT", "AND OR", "*", "a" * 5_000, "\0", "(", "'"])
def test_any_query_is_answered(vault: Vault, query: str) -> None:
    vault.put("a.md", "a text")
    vault.refresh()
    vault.search(query)
    vault.search(query, typing=True)


def test_a_search_finds_exactly_what_fits_when_every_note_is_looked_at(vault: Vault) -> None:
    """The indexes are only a shorter way: against each note read and judged by itself."""
    chance = random.Random(8)
    pieces = [
        "word",
        "Wörd",
        "wordy",
        "youer",
        "修改youer服务",
        "桂林",
        "记忆断裂",
        "a",
        "b2",
        "x-y",
        "的",
    ]
    words = [*pieces, "断裂", "our", "OR", "AND", "NOT", '"word a"', "w*", "100%", "_"]
    texts = {}
    for number in range(60):
        text = chance.choice(("", " ", "\n")).join(chance.choices([*pieces, " ", "。"], k=6))
        vault.put(f"n{number}.md", text)
        texts[f"n{number}.md"] = f"n{number}\n{text}"
    vault.refresh()
    compared = 0
    for _ in range(300):
        typed = " ".join(chance.choices(words, k=chance.randint(1, 3)))
        found = vault.search(typed, limit=1_000)
        if found.relaxed:
            continue
        matcher = Matcher(found.query)
        fit = {name for name, text in texts.items() if matcher.fits(matcher.fold(text))}
        assert {hit.path.name for hit in found.hits} == fit, typed
        compared += bool(fit)
    assert compared > 50
