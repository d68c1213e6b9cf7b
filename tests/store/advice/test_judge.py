"""Advice names what might go, what that frees, and never acts."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Literal, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.advice.judge import ACTIONS, KINDS, Other, Piece, advise, make_room
from store.advice.signs import dates_in, signs
from store.home import Target

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC).timestamp()
TODAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("TODO: add tests for the parser", "todo"),
        ("还需要修复登录页面的样式", "todo"),
        ("Currently debugging the flaky upload test", "task_progress"),
        ("数据迁移进行中，完成了 60%", "task_progress"),
        ("Merged PR #412 with the new cache", "finished_work"),
        ("昨天修复了导出按钮的问题", "finished_work"),
        ("Conference in Lisbon until 2026-05-14", "past_date"),
        ("签证有效期到 2025年3月1日", "past_date"),
        ("1. pull the branch 2. run make 3. restart the service", "procedure"),
        ("首先拉取代码，然后运行测试，最后部署到服务器", "procedure"),
        ("Git is a popular version control system", "easily_found"),
        ("Redis 是一种内存数据库系统", "easily_found"),
        ("The NAS password is hunter2-Winter!", "secret"),
        ("x" * 501, "too_long"),
        ('Traceback (most recent call last):\n  File "a.py", line 1', "raw_dump"),
    ],
)
def test_each_kind_has_its_signs(text: str, kind: str) -> None:
    assert kind in signs(text, today=TODAY)


@pytest.mark.parametrize(
    "text",
    [
        "Prefers answers in Simplified Chinese with English technical terms",
        "项目 tidepool 的数据库是 PostgreSQL 16，迁移工具用 alembic",
        "The API key for staging is stored in the keyring",
        "Born on 1990-04-02",
        "Deploys run every night at 02:00 from the main branch",
        "The lease runs until 2027-03-31",
    ],
)
def test_what_belongs_in_memory_is_left_alone(text: str) -> None:
    assert signs(text, today=TODAY) == ()


def test_every_kind_has_actions_and_a_place_in_the_order() -> None:
    assert set(ACTIONS) == set(KINDS)
    assert all(ACTIONS[kind] for kind in KINDS)


def test_of_two_alike_the_later_goes_and_of_one_within_another_the_shorter() -> None:
    first = "The staging server is named larch and runs Debian 12"
    second = "Staging server named larch, running Debian 12"
    found = advise([Piece("memory", first), Piece("user", second)], now=NOW)
    (one,) = [advice for advice in found if advice.kind == "near_duplicate"]
    assert (one.entry, one.beside) == (second, first)


def test_an_entry_that_a_skill_says_already_is_named_with_it() -> None:
    text = "Cut a tidepool release: bump the version, tag it and push the tag"
    skill = Other("skill", "tidepool-release", "Cut a tidepool release: bump version, tag, push")
    found = advise([Piece("memory", text)], now=NOW, others=[skill])
    assert any(one.beside == "tidepool-release" for one in found)


def test_only_a_known_age_counts_as_untouched() -> None:
    old = NOW - 200 * 86_400
    pieces = [Piece("memory", "known fact", old), Piece("memory", "fact of unknown age")]
    found = [one for one in advise(pieces, now=NOW) if one.kind == "untouched"]
    assert [(one.entry, one.days) for one in found] == [("known fact", 200)]


def test_room_is_made_with_as_few_entries_as_will_do() -> None:
    pieces = [
        Piece("memory", "TODO: a"),
        Piece("memory", "Merged PR #412 with the new cache for the listing of sessions"),
        Piece("memory", "Prefers dark mode"),
        Piece("user", "TODO: write to Ada"),
    ]
    advice = advise(pieces, now=NOW)
    room = make_room(advice, "memory", 40)
    assert room.enough
    assert [one.entry for one in room.picked] == [pieces[1].text]
    assert not make_room(advice, "memory", 5_000).enough


def test_dates_are_read_in_many_ways() -> None:
    text = "2025-03-01, 3 May 2024, March 7th, 2023, 2022年8月9日, June 2021, 2020-13-45"
    days = sorted(dates_in(text))
    assert days == [
        date(2021, 6, 30),
        date(2022, 8, 9),
        date(2023, 3, 7),
        date(2024, 5, 3),
        date(2025, 3, 1),
    ]


@given(st.lists(st.text(max_size=300), max_size=8))
def test_any_texts_get_an_answer_that_names_only_them(texts: list[str]) -> None:
    pieces = [Piece("memory", text) for text in texts]
    for one in advise(pieces, now=NOW):
        assert one.entry in texts
        assert one.frees >= len(one.entry)


SKILL = "Release tidepool to the staging cluster and announce it in the harbour channel"


@pytest.mark.parametrize("kind", ["skill", "note"])
@pytest.mark.parametrize(
    "entry", [SKILL, "Announce the tidepool release to the staging cluster in the harbour channel"]
)
def test_an_entry_is_not_merged_with_a_skill_or_a_note(
    kind: Literal["skill", "note"], entry: str
) -> None:
    others = [Other(kind, "tidepool-release", SKILL)]
    (one,) = advise([Piece("memory", entry)], now=NOW, others=others)
    assert (one.beside, one.beside_in) == ("tidepool-release", kind)
    assert "merge" not in one.actions
    assert "delete" in one.actions


def test_only_entries_of_one_file_are_merged() -> None:
    for place, merged in (("memory", True), ("user", False)):
        pieces = [Piece("memory", SKILL), Piece(cast(Target, place), f"{SKILL}.")]
        (one,) = advise(pieces, now=NOW)
        assert one.beside_in == "memory"
        assert ("merge" in one.actions) is merged
