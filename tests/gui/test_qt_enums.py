"""Enumerations with late members are, once asked, what Python makes at once."""

from __future__ import annotations

import copy
import enum
import pickle
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

from gui import qt_enums
from gui.qt_enums import late_enums

ITEMS: dict[str, list[tuple[str, int]]] = {
    "Enum": [("No", 0), ("Yes", 1), ("Also", 1), ("Low", -3)],
    "IntEnum": [("No", 0), ("Yes", 1), ("Also", 1), ("Big", 0x0100_0000)],
    "Flag": [("No", 0), ("One", 1), ("Two", 2), ("Both", 3), ("Far", 0x8000)],
    "IntFlag": [("No", 0), ("One", 1), ("Two", 2), ("Both", 3), ("Far", 0x8000)],
    "Empty": [],
}


def _make(kind: str) -> Any:
    name = "Enum" if kind == "Empty" else kind
    made = getattr(enum, name)("Made", list(ITEMS[kind]), boundary=enum.FlagBoundary.KEEP)
    made.__module__, made.__qualname__ = __name__, f"Place.{kind}"
    return made


def plain_and_late(kind: str) -> tuple[Any, Any]:
    """The same enumeration twice; the late one is not yet touched."""
    plain = _make(kind)
    with late_enums():
        late = _make(kind)
    if sys.version_info[:2] <= qt_enums.NEWEST:
        assert type(late) is not enum.EnumType
    return plain, late


ASKED: dict[str, Callable[[Any], object]] = {
    "members": lambda one: {name: member.value for name, member in one.__members__.items()},
    "in order": lambda one: [member.name for member in one],
    "backwards": lambda one: [member.name for member in reversed(one)],
    "how many": len,
    "true": bool,
    "name": lambda one: one.No.name,
    "by name": lambda one: one["No"].value,
    "by value": lambda one: one(0).name,
    "alias": lambda one: [name for name, member in one.__members__.items() if name != member.name],
    "within": lambda one: one.No in one,
    "dir": lambda one: [name for name in dir(one) if not name.startswith("_")],
    "shown": lambda one: (repr(one), str(one.No), repr(one.No), f"{one.No}"),
    "hash": lambda one: hash(one.No),
    "kinds": lambda one: [base.__name__ for base in one.__mro__[1:]],
    "a number": lambda one: isinstance(one.No, int),
    "copied": lambda one: (copy.copy(one.No) is one.No, copy.deepcopy(one.No) is one.No),
    "its class": lambda one: type(one.No) is one,
    "names": lambda one: (one.__name__, one.__module__, one.__qualname__),
}


def _answer(asked: Callable[[Any], object], of: Any) -> object:
    try:
        return asked(of)
    except Exception as error:
        return type(error).__name__, str(error)


@pytest.mark.parametrize("kind", ITEMS)
@pytest.mark.parametrize("what", ASKED)
def test_whatever_is_asked_first_has_the_same_answer(kind: str, what: str) -> None:
    plain, late = plain_and_late(kind)
    assert _answer(ASKED[what], late) == _answer(ASKED[what], plain)
    for asked in ASKED.values():  # and all that is asked afterwards
        assert _answer(asked, late) == _answer(asked, plain)
    if what not in ("names", "kinds", "true"):
        assert type(late) is enum.EnumType


@pytest.mark.parametrize("kind", ["Flag", "IntFlag"])
def test_flags_are_put_together_the_same(kind: str) -> None:
    plain, late = plain_and_late(kind)
    for one in (plain, late):
        both = one.One | one.Two
        assert both is one.Both
        assert (one.Both & ~one.One) is one.Two
        assert (one.Far | one.One).value == 0x8001
        assert one.One in both
        assert one(0x4000).value == 0x4000  # a bit without a name is kept
        assert [member.name for member in both] == ["One", "Two"]


def test_members_keep_their_identity_and_compare() -> None:
    _, late = plain_and_late("IntEnum")
    assert late.Yes is late.Also is late(1) is late["Yes"]
    assert late.Yes == 1
    assert late.Yes < late.Big


def test_what_is_no_member_is_said_as_ever() -> None:
    plain, late = plain_and_late("Enum")
    for name in ("Nothing", "_nothing_"):
        with pytest.raises(AttributeError) as said:
            getattr(late, name)
        with pytest.raises(AttributeError) as meant:
            getattr(plain, name)
        assert str(said.value) == str(meant.value)
    with pytest.raises(ValueError, match="99"):
        late(99)


def test_a_class_statement_meanwhile_makes_a_usual_one() -> None:
    with late_enums():

        class Own(enum.Enum):
            ONE = 1

        class Flags(enum.IntFlag):
            A = enum.auto()
            B = enum.auto()

    assert Own(1) is Own.ONE
    assert [one.value for one in Flags] == [1, 2]
    assert issubclass(Own, enum.Enum)
    assert enum.Enum.__module__ == "enum"


def test_afterwards_python_makes_enumerations_as_before() -> None:
    before = enum.Enum, enum.IntEnum, enum.Flag, enum.IntFlag
    with pytest.raises(RuntimeError), late_enums():
        raise RuntimeError
    assert (enum.Enum, enum.IntEnum, enum.Flag, enum.IntFlag) == before


def test_a_python_that_was_not_tried_makes_them_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qt_enums, "NEWEST", (3, 10))
    with late_enums():
        assert type(_make("Enum")) is enum.EnumType


def test_many_threads_that_ask_first_see_one_enumeration() -> None:
    for _ in range(50):
        _, late = plain_and_late("IntFlag")
        start, seen = threading.Barrier(4), list[Any]()

        def ask(late: Any = late, start: Any = start, seen: list[Any] = seen) -> None:
            start.wait()
            seen.append((late.One, late(3), len(late), late.Far | late.Two))

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(seen) == 4
        assert all(one == seen[0] and one[0] is seen[0][0] for one in seen)


def test_qts_own_members_can_be_pickled() -> None:
    from PySide6.QtCore import Qt

    assert pickle.loads(pickle.dumps(Qt.Key.Key_F7)) is Qt.Key.Key_F7
    assert Qt.Key(0x01000036) is Qt.Key.Key_F7


def test_what_is_set_on_one_before_it_is_asked_stays() -> None:
    """PySide gives some flags operators of its own, as soon as they are made."""
    from PySide6.QtCore import QKeyCombination, Qt

    held, key = Qt.KeyboardModifier.ControlModifier, Qt.Key.Key_A
    assert isinstance(held | key, QKeyCombination)
    assert isinstance(Qt.Modifier.CTRL | key, QKeyCombination)
    _, late = plain_and_late("Flag")
    late.__or__ = lambda _, other: ("ours", other)
    assert late.One | 5 == ("ours", 5)


def test_members_know_their_class() -> None:
    for kind in ("Enum", "IntFlag"):
        plain, late = plain_and_late(kind)
        assert late.No.__objclass__ is late
        assert plain.No.__objclass__ is plain
