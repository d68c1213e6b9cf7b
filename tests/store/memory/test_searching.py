"""A text is looked for in both files of several profiles."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.files import Disk
from store.home import HermesHome
from store.memory.searching import Find, Finds, search_profiles
from store.refusals import Unreadable
from tests.support.desks import everything_in, home_at, joined


@pytest.fixture
def homes(tmp_path: Path) -> tuple[HermesHome, ...]:
    one = home_at(tmp_path / "one", memory=joined("The printer is atlas", "x"), user=b"Prints much")
    other = home_at(tmp_path / "other", memory=joined("x", "No PRINTER here", "打印机在楼上"))
    return (
        HermesHome(tmp_path, one.path, "one"),
        HermesHome(tmp_path, other.path, "other"),
    )


def test_both_files_of_each_profile_are_searched(homes: tuple[HermesHome, ...]) -> None:
    assert search_profiles(homes, "PRINT", disk=Disk()) == Finds(
        (
            Find("one", "memory", "The printer is atlas"),
            Find("one", "user", "Prints much"),
            Find("other", "memory", "No PRINTER here"),
        )
    )
    assert search_profiles(homes, "打印", disk=Disk()).entries == (
        Find("other", "memory", "打印机在楼上"),
    )


def test_a_file_that_cannot_be_read_is_named(homes: tuple[HermesHome, ...]) -> None:
    homes[0].memory_file("memory").write_bytes(b"caf\xe9 printer")
    found = search_profiles(homes, "print", disk=Disk())
    (left,) = found.not_searched
    assert (left.profile, left.target) == ("one", "memory")
    assert isinstance(left.refusal, Unreadable)
    assert [one.profile for one in found.entries] == ["one", "other"]


def test_of_many_finds_the_first_are_given(homes: tuple[HermesHome, ...]) -> None:
    found = search_profiles(homes, "print", disk=Disk(), most=2)
    assert (len(found.entries), found.more) == (2, True)
    assert search_profiles(homes, "print", disk=Disk(), most=3).more is False


def test_an_entry_that_stands_there_twice_is_found_once(homes: tuple[HermesHome, ...]) -> None:
    homes[0].memory_file("memory").write_bytes(joined("print", "print"))
    assert len(search_profiles(homes[:1], "print", disk=Disk()).entries) == 2


def test_a_search_that_is_given_up_reads_nothing_more(homes: tuple[HermesHome, ...]) -> None:
    assert search_profiles(homes, "print", disk=Disk(), given_up=lambda: True) == Finds()


def test_searching_leaves_every_byte(homes: tuple[HermesHome, ...], tmp_path: Path) -> None:
    before = everything_in(tmp_path)
    search_profiles(homes, "print", disk=Disk())
    assert everything_in(tmp_path) == before
