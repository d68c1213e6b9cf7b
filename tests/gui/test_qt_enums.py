"""Enumerations that are made quickly differ in nothing from what Python makes."""

from __future__ import annotations

import copy
import enum
import pickle
import subprocess
import sys
from types import MethodType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui import qt_enums
from gui.qt_enums import quicken_enums

quicken_enums()
QUICK: Any = enum.EnumType.__dict__["_create_"]
PLAIN: Any = next(
    cell.cell_contents
    for cell in QUICK.__closure__
    if getattr(cell.cell_contents, "__name__", "") == "_create_"
)
QTS_OWN = """
import enum, importlib, sys
if sys.argv[1] == "quick":
    from gui.qt_enums import quicken_enums
    quicken_enums()
for module in ("QtCore", "QtGui", "QtWidgets"):
    module = importlib.import_module(f"PySide6.{module}")
    for kind in [getattr(module, name) for name in dir(module)]:
        for word in dir(kind) if isinstance(kind, type) else ():
            one = getattr(kind, word, None)
            if isinstance(one, enum.EnumType):
                members = [
                    (label, member.name, repr(member.value)) for label, member in
                    one.__members__.items()
                ]
                print(one.__module__, one.__qualname__, one.__mro__[1:], members, dir(one))
"""
"""A program that tells of every enumeration of the modules that the window loads."""

BASES = (enum.Enum, enum.IntEnum, enum.Flag, enum.IntFlag)


def told(made: Any) -> dict[str, object]:
    """All that there is to it, without what differs between any two classes."""
    return {
        "kind": type(made),
        "bases": made.__mro__[1:],
        "own": {name: _told(value, made) for name, value in vars(made).items()},
        "members": [
            (label, {key: _told(value, made) for key, value in vars(member).items()})
            for label, member in made.__members__.items()
        ],
        "same": [[one is other for other in made.__members__.values()] for one in made],
        "values": [(made(member.value), made[member.name]) == (member, member) for member in made],
        "said": [(repr(member), str(member), f"{member}", hash(member)) for member in made],
        "dir": dir(made),
        "shown": repr(made),
    }


def _told(value: Any, made: Any) -> object:
    if value is made:
        return "the class"
    if isinstance(value, made):
        return repr(value)
    if isinstance(value, staticmethod):
        return "static", value.__func__
    if isinstance(value, MethodType):
        return "bound", value.__func__, _told(value.__self__, made)
    if isinstance(value, enum.property):
        return {key: _told(one, made) for key, one in vars(value).items()}
    if isinstance(value, dict):
        return [(key, _told(one, made)) for key, one in value.items()]
    if isinstance(value, list):
        return [_told(one, made) for one in value]
    return value


def outcome(create: Any, *args: Any, **how: Any) -> object:
    try:
        return told(create(*args, **how))
    except Exception as error:
        return type(error).__name__, str(error)


names = st.lists(
    st.tuples(
        st.sampled_from(["No", "Yes", "Also", "name", "value", "real", "mro", "_a_", "__b__", "_c"])
        | st.text(max_size=4),
        st.integers(0, 9) | st.sampled_from([16, 256, 32768]) | st.integers() | st.booleans(),
    ),
    max_size=8,
)


@given(st.sampled_from(BASES), names)
def test_whatever_is_made_is_what_python_makes(base: Any, names: Any) -> None:
    how: dict[str, Any] = {"module": __name__, "qualname": "Place.Made", "boundary": enum.KEEP}
    assert outcome(QUICK, base, "Made", names, **how) == outcome(PLAIN, base, "Made", names, **how)


@pytest.mark.parametrize("names", ["ONE TWO", ["ONE", "TWO"], {"ONE": 1}, [("ONE", "text")], None])
def test_other_ways_to_name_members_stay_pythons(names: Any) -> None:
    how = {"module": __name__, "qualname": "Place.Made"}
    quick, plain = (outcome(make, enum.Enum, "Made", names, **how) for make in (QUICK, PLAIN))
    assert quick == plain


def test_the_simple_ones_are_made_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    real = qt_enums._made

    def noted(cls: Any, kind: Any, name: str, *others: Any) -> Any:
        made.append(name)
        return real(cls, kind, name, *others)

    monkeypatch.setattr(qt_enums, "_made", noted)
    make: Any = enum.Enum
    make("Simple", [("A", 1), ("B", 2), ("Again", 1)])
    make("Hidden", [("_a", 1)])
    make("Named", [("name", 1)])
    make("Twice", "A B")
    assert made == ["Simple"]


def test_whoever_makes_one_is_its_module() -> None:
    make: Any = enum.Enum
    assert make("Simple", [("A", 1)]).__module__ == __name__
    assert make("Other", "A B").__module__ == __name__


def test_a_python_that_was_not_tried_goes_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qt_enums, "NEWEST", (3, 10))
    monkeypatch.setattr(enum.EnumType, "_create_", PLAIN)
    quicken_enums()
    assert enum.EnumType.__dict__["_create_"] is PLAIN


def test_all_of_qts_are_what_python_makes() -> None:
    plain, quick = (
        subprocess.run(
            [sys.executable, "-c", QTS_OWN, how], capture_output=True, text=True, check=True
        ).stdout
        for how in ("plain", "quick")
    )
    assert plain.count("\n") > 300
    assert quick == plain


def test_qts_own_members_work_as_ever() -> None:
    from PySide6.QtCore import QKeyCombination, Qt

    held, key = Qt.KeyboardModifier.ControlModifier, Qt.Key.Key_A
    assert isinstance(held | key, QKeyCombination)
    assert isinstance(Qt.Modifier.CTRL | key, QKeyCombination)
    assert pickle.loads(pickle.dumps(Qt.Key.Key_F7)) is Qt.Key.Key_F7
    assert copy.deepcopy(Qt.Key.Key_F7) is Qt.Key.Key_F7
    assert Qt.Key(0x01000036) is Qt.Key.Key_F7
