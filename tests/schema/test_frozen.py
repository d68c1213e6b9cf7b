"""A value is a frozen, slotted dataclass in every way that anyone can see."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from typing import Any, ClassVar

import pytest

from schema import frozen as module
from schema.frozen import frozen


@frozen
class Point:
    code: ClassVar[str] = "point"
    x: int
    y: int = 2

    @property
    def sum(self) -> int:
        return self.x + self.y


@frozen
class Tagged(Point):
    tags: tuple[str, ...] = module.field(default_factory=tuple)
    note: str = module.field(default="", compare=False, repr=False)


@frozen(kw_only=True)
class Named:
    name: str
    size: int = 0


@frozen
class More(Named):
    extra: str = "e"


@dataclasses.dataclass(frozen=True, slots=True)
class TheirPoint:
    x: int
    y: int = 2


@dataclasses.dataclass(frozen=True, slots=True)
class TheirTagged(TheirPoint):
    tags: tuple[str, ...] = dataclasses.field(default_factory=tuple)
    note: str = dataclasses.field(default="", compare=False, repr=False)


PAIRS: list[tuple[Any, Any]] = [(Point, TheirPoint), (Tagged, TheirTagged)]


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_it_is_what_dataclass_makes(ours: Any, theirs: Any) -> None:
    assert dataclasses.is_dataclass(ours(1))
    assert repr(ours(1)).replace(ours.__name__, "") == repr(theirs(1)).replace(theirs.__name__, "")
    assert ours(1) == ours(1, 2)
    assert ours(1) != ours(2)
    assert hash(ours(1)) == hash(theirs(1))
    assert ours.__match_args__ == theirs.__match_args__
    assert dataclasses.asdict(ours(3, y=4)) == dataclasses.asdict(theirs(3, y=4))
    mine, others = dataclasses.fields(ours), dataclasses.fields(theirs)
    shown = ("name", "type", "default", "default_factory", "repr", "compare", "kw_only")
    assert [[getattr(f, s) for s in shown] for f in mine] == [
        [getattr(f, s) for s in shown] for f in others
    ]
    assert not hasattr(ours(1), "__dict__")


def test_values_of_different_classes_are_never_equal() -> None:
    assert Point(1) != Tagged(1)
    other: object = (1, 2)
    assert Point(1) != other


def test_a_value_cannot_be_changed() -> None:
    point = Point(1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        point.x = 3  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        del point.x
    with pytest.raises(dataclasses.FrozenInstanceError):
        point.other = 3  # type: ignore[attr-defined]
    assert dataclasses.replace(point, x=3) == module.replace(point, x=3) == Point(3)


@pytest.mark.parametrize(
    ("args", "given", "says"),
    [
        ((), {}, "lacks the argument 'x'|missing .* argument: 'x'"),
        ((1, 2, 3), {}, r"takes (from \d to \d|\d) positional"),
        ((1,), {"x": 1}, "'x' twice|multiple values for argument 'x'"),
        ((1,), {"z": 1}, "no field 'z'|unexpected keyword argument 'z'"),
    ],
)
@pytest.mark.parametrize("made_before", [0, 100])
def test_a_wrong_call_is_an_error(args: Any, given: Any, says: str, made_before: int) -> None:
    for _ in range(made_before):
        Point(1)
    with pytest.raises(TypeError, match=says):
        Point(*args, **given)


def test_a_class_of_many_values_is_as_one_of_few() -> None:
    @frozen
    class Checked(Tagged):
        seen: list[int] = module.field(default_factory=list)

        def __post_init__(self) -> None:
            self.seen.append(self.x)

    values = [
        (Point(1), Point(1, y=3), Tagged(1, 2, ("a",), note="n"), Named(name="a"), Checked(7))
        for _ in range(100)
    ]
    assert all(each == values[0] for each in values)
    assert [each[4].seen for each in values] == [[7]] * 100
    with pytest.raises(TypeError, match="positional"):
        Named("a")  # type: ignore[call-arg]


def test_fields_by_name_only() -> None:
    with pytest.raises(TypeError, match="positional"):
        Named("a")  # type: ignore[call-arg]
    assert Named(name="a").size == 0
    assert More("x", name="a") == More(name="a", extra="x")
    assert dataclasses.replace(More(name="a"), size=3).size == 3
    assert module.replace(More(name="a"), size=3) == More(name="a", size=3)


def test_defaults_made_by_a_function_are_made_each_time() -> None:
    @frozen
    class Bag:
        things: list[int] = module.field(default_factory=list)

    assert Bag().things == []
    assert Bag().things is not Bag().things


def test_what_is_not_compared_changes_neither_equality_nor_hash() -> None:
    assert Tagged(1, note="a") == Tagged(1, note="b")
    assert hash(Tagged(1, note="a")) == hash(Tagged(1, note="b"))
    assert "note" not in repr(Tagged(1, note="a"))


def test_a_value_can_be_matched_copied_and_pickled() -> None:
    match Point(1, 5):
        case Point(x, y):
            assert (x, y) == (1, 5)
    tagged = Tagged(1, tags=("a",), note="n")
    for copied in (copy.copy(tagged), copy.deepcopy(tagged), pickle.loads(pickle.dumps(tagged))):
        assert copied == tagged
        assert copied.note == "n"


def test_it_can_be_asked_for_its_signature() -> None:
    assert list(inspect.signature(Tagged).parameters) == ["x", "y", "tags", "note"]
    kinds = [p.kind.name for p in inspect.signature(More).parameters.values()]
    assert kinds == ["POSITIONAL_OR_KEYWORD", "KEYWORD_ONLY", "KEYWORD_ONLY"]


def test_methods_of_its_own_stay() -> None:
    @frozen
    class Odd:
        x: int

        def __repr__(self) -> str:
            return "odd"

        def __post_init__(self) -> None:
            if self.x < 0:
                raise ValueError("negative")

    assert repr(Odd(1)) == "odd"
    assert Point(1).sum == 3
    assert Point.code == "point"
    with pytest.raises(ValueError, match="negative"):
        Odd(-1)


def test_a_field_may_have_any_name_however_often_a_value_is_made() -> None:
    @frozen
    class Odd:
        put: int
        self: int
        cls: int
        made_tags: int
        none_tags: int = 4
        default_size: int = 5
        tags: tuple[str, ...] = module.field(default_factory=lambda: ("t",))
        size: int = 6

    for _ in range(2 * module._OFTEN):
        by_place = Odd(0, 1, 2, 3)
        assert by_place == Odd(made_tags=3, cls=2, self=1, put=0)
        assert dataclasses.astuple(by_place) == (0, 1, 2, 3, 4, 5, ("t",), 6)
