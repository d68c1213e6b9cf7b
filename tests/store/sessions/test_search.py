"""Search on the fixture's conversations: filters, order, what is hidden, streaming, giving up."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

from store.sessions.database import Cancelled
from store.sessions.found import Filter, Found, Hidden, Hit, Show, Sort, grouped
from store.sessions.library import SessionLibrary

SESSION = "20261031_150000_gggg01"


def found(library: SessionLibrary, typed: str, **options: object) -> Found:
    answer = library.search(typed, **{"limit": 1_000} | options)  # type: ignore[arg-type]
    assert isinstance(answer, Found)
    assert answer.notices == ()
    return answer


def ids(hits: Sequence[Hit]) -> list[int]:
    return [one.message_id for one in hits]


def write(database: Path, *texts: str, at: float = 1.0, role: str = "user") -> list[int]:
    """Add messages by SQL; the agent's triggers index them."""
    with sqlite3.connect(database) as connection:
        written = [
            connection.execute(
                "INSERT INTO messages(session_id, role, content, timestamp) VALUES (?, ?, ?, ?)",
                (SESSION, role, text, at),
            ).lastrowid
            for text in texts
        ]
    connection.close()
    return [one for one in written if one is not None]


def test_a_hit_names_its_place_and_its_conversation(library: SessionLibrary) -> None:
    (hit,) = found(library, "missing index warning").hits
    assert (hit.session_id, hit.root, hit.role) == (SESSION, SESSION, "assistant")
    assert (hit.title, hit.source, hit.model) == ("Screenshot question", "cli", "fixture/model-1")
    assert hit.at == 1793547806.6244652
    assert [hit.snippet.text[begin:end] for begin, end in hit.snippet.ranges] == [
        "missing",
        "index",
        "warning",
    ]


def test_what_was_taken_back_is_hidden_counted_and_shown_on_demand(
    library: SessionLibrary,
) -> None:
    without, with_it = (
        found(library, "chat-send"),
        found(library, "chat-send", show=Show(rewound=True)),
    )
    assert without.hidden == Hidden(rewound=2)
    assert with_it.hidden == Hidden()
    extra = set(ids(with_it.hits)) - set(ids(without.hits))
    assert len(extra) == 2
    assert all(one.rewound == (one.message_id in extra) for one in with_it.hits)


def test_what_was_summarised_away_is_found(library: SessionLibrary) -> None:
    assert any(one.compacted for one in found(library, "VPN").hits)


def test_archived_sessions_are_shown_unless_not_wanted(library: SessionLibrary) -> None:
    everything = found(library, "router")
    archived = [one for one in everything.hits if one.archived]
    assert {one.session_id for one in archived} == {"20261028_110000_ffff01"}
    fewer = found(library, "router", show=Show(archived=False))
    assert fewer.hidden == Hidden(archived=len(archived), rewound=everything.hidden.rewound)
    assert ids(fewer.hits) == ids([one for one in everything.hits if not one.archived])


@pytest.mark.parametrize("typed", ["grep OR exit_code", "项目", "数据库索引"])
def test_answers_of_tools_are_shown_unless_not_wanted(library: SessionLibrary, typed: str) -> None:
    everything = found(library, typed)
    tools = [one for one in everything.hits if one.role == "tool"]
    assert tools
    fewer = found(library, typed, show=Show(tools=False))
    assert fewer.hidden == Hidden(tools=len(tools), rewound=everything.hidden.rewound)
    assert set(ids(fewer.hits)) == set(ids(everything.hits)) - set(ids(tools))


@pytest.mark.parametrize("typed", ["release", "桂林", "大别山项目", "--dry-run"])
@pytest.mark.parametrize(
    ("only", "holds"),
    [
        (Filter(roles=("user",)), lambda one: one.role == "user"),
        (Filter(roles=("assistant", "tool")), lambda one: one.role != "user"),
        (Filter(sources=("cron", "telegram")), lambda one: one.source in ("cron", "telegram")),
        (Filter(models=("other",)), lambda one: False),
        (Filter(since=1_793_000_000.0), lambda one: one.at >= 1_793_000_000.0),
        (Filter(until=1_793_000_000.0), lambda one: one.at < 1_793_000_000.0),
    ],
)
def test_a_filter_keeps_what_it_says(
    library: SessionLibrary, typed: str, only: Filter, holds: object
) -> None:
    assert callable(holds)
    everything = found(library, typed)
    assert set(ids(found(library, typed, only=only).hits)) == {
        one.message_id for one in everything.hits if holds(one)
    }


@pytest.mark.parametrize("typed", ["release", "桂林", "chat-send", "大别山项目", "的"])
@pytest.mark.parametrize("limit", [1, 5, 1_000])
def test_newest_and_oldest_are_by_time(library: SessionLibrary, typed: str, limit: int) -> None:
    everything = [(one.at, one.message_id) for one in found(library, typed).hits]
    orders: tuple[tuple[Sort, bool], ...] = (("newest", True), ("oldest", False))
    for sort, reverse in orders:
        answer = found(library, typed, sort=sort, limit=limit)
        expected = sorted(everything, reverse=reverse)[:limit]
        assert [(one.at, one.message_id) for one in answer.hits] == expected
        assert answer.complete == (len(everything) <= limit)


def test_messages_that_were_imported_late_stand_at_their_time(
    library: SessionLibrary, database: Path
) -> None:
    new = write(database, *(["quagga 斑驴驴"] * 600), at=2_000_000_000.0)
    write(database, *(["quagga 斑驴驴"] * 600), at=5.0)
    for typed in ("quagga", "斑驴驴", "斑驴"):
        answer = found(library, typed, sort="newest", limit=10)
        assert ids(answer.hits) == new[:-11:-1]
        assert {one.at for one in found(library, typed, sort="oldest", limit=10).hits} == {5.0}


def test_the_best_are_those_that_say_it_most_and_as_it_was_typed(
    library: SessionLibrary, database: Path
) -> None:
    long = "a wombat among many other words " + "that go on " * 100
    often = "wombat, wombat and wombat"
    first, second = write(database, often, long)
    write(database, "a wombat", role="tool")
    assert ids(found(library, "wombat").hits)[0] == first
    assert ids(found(library, "wombat").hits)[-1] == second
    loose, exact = write(database, "the node js thing", "the node.js thing")
    assert ids(found(library, "node.js").hits) == [exact, loose]


def test_hits_are_grouped_by_root(library: SessionLibrary) -> None:
    groups = grouped(found(library, "chat-send").hits)
    roots = [one.root for one in groups]
    assert len(set(roots)) == len(roots)
    chain = next(one for one in groups if one.root == "20261023_083000_bbbb01")
    assert len({one.session_id for one in chain.hits}) > 1
    tree = next(one for one in groups if one.root == "20261024_120000_cccc01")
    assert {one.session_id for one in tree.hits} == {
        *("20261024_120000_cccc01", "20261025_080000_dddd01", "20261024_130000_cccc02")
    }


def test_where_no_message_has_all_words_those_with_some_are_given(
    library: SessionLibrary, database: Path
) -> None:
    write(database, "only a wombat", "只有袋熊")
    for typed in ("wombat zebrafish", "袋熊 斑马鱼"):
        answer = found(library, typed)
        assert (answer.relaxed, len(answer.hits)) == (True, 1)
    assert found(library, "wombat AND zebrafish").hits == ()
    assert not found(library, "only wombat").relaxed


def test_marks_are_found_as_they_were_typed(library: SessionLibrary, database: Path) -> None:
    (code,) = write(database, "run `a->b`; it costs 7% – see C:\\new_x\\y.txt @home #1 😀")
    write(database, "a b 7 new x y txt home 1")
    for typed in ("->", "7%", "\\new_x\\y", "@home", "#1", "😀", "a->b;", "`a"):
        assert ids(found(library, typed).hits) == [code], typed


def test_letters_that_are_glued_to_chinese_are_found(
    library: SessionLibrary, database: Path
) -> None:
    glued = write(database, "修改Go服务端", "用go写", "改C码", "这个VPS机器", "vps很慢")
    write(database, "good cargo", "abc", "vpsx")
    assert sorted(ids(found(library, "go").hits)) == glued[:2]
    assert ids(found(library, "c").hits) == glued[2:3]
    assert sorted(ids(found(library, "VPS").hits)) == glued[3:]
    assert sorted(ids(found(library, "vps*").hits)) == [*glued[3:], glued[-1] + 3]


def test_nothing_typed_finds_nothing(library: SessionLibrary) -> None:
    for typed in ("", "  ", '"', "\0"):
        assert found(library, typed).hits == ()
    assert found(library, "release", limit=0).hits == ()


def test_first_hits_come_before_the_search_is_over(library: SessionLibrary, database: Path) -> None:
    with sqlite3.connect(database) as connection:
        for index in ("messages_fts", "messages_fts_trigram"):
            for event in ("insert", "delete", "update"):
                connection.execute(f"DROP TRIGGER {index}_{event}")
            connection.execute(f"DROP TABLE {index}")
    connection.close()
    write(database, *(["text without"] * 12_000))
    came: list[list[int]] = []
    answer = library.search("桂林", limit=1_000, on_hits=lambda hits: came.append(ids(hits)))
    assert isinstance(answer, Found)
    write(database, "桂林", at=2e9)
    came.clear()
    answer = library.search("桂林", limit=1_000, on_hits=lambda hits: came.append(ids(hits)))
    assert isinstance(answer, Found)
    assert len(came) > 1
    assert len(came[0]) == 1
    assert sorted(one for lot in came for one in lot) == sorted(ids(answer.hits))


def test_a_search_that_nobody_waits_for_is_given_up(
    library: SessionLibrary, database: Path
) -> None:
    asked: list[bool] = []

    def gone() -> bool:
        asked.append(True)
        return len(asked) > 2

    write(database, *(["some 桂林 text"] * 5_000))
    assert library.search("some AND 林", limit=100_000, is_cancelled=gone) == Cancelled()
    assert len(asked) == 3
    assert found(library, "release").hits, "the next one is not disturbed"


def test_bytes_that_are_no_text_do_not_stop_a_search(
    library: SessionLibrary, database: Path
) -> None:
    (number,) = write(database, "placeholder")
    with sqlite3.connect(database) as connection:
        connection.execute(
            "UPDATE messages SET content = CAST(x'776f6d62617420ff' AS TEXT) WHERE id = ?",
            (number,),
        )
    connection.close()
    (hit,) = found(library, "wombat").hits
    assert hit.snippet.text == "wombat \ufffd"
