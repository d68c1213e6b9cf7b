"""Makes Qt's enumerations as Python makes them, but without its detours.

PySide makes all enumerations of a class at the first use of the class, through the call form of
`enum.Enum`: for a window more than 200 with 3,300 members, which takes longer than all of this
program. Nearly all are names for plain numbers. For those the finished class is put together here
at once; what comes out differs in nothing from what Python's own way gives (`test_qt_enums`), and
whatever is not as simple still goes that way.
"""

from __future__ import annotations

import enum
import sys
from collections.abc import Callable, Mapping
from typing import Any, Final

from schema.frozen import frozen

NEWEST: Final = (3, 13)
"""The newest Python with whose `enum` this was compared; a later one goes its own way."""
_BASES: Final = (enum.Enum, enum.IntEnum, enum.Flag, enum.IntFlag)


@frozen
class _Kind:
    """What every enumeration of one base has, and the names that no plain member may have.

    Of flags some Pythons put into `_flag_mask_` each bit that has a name of its own, others every
    bit of any member (`masks_all`).
    """

    space: Mapping[str, Any]
    reserved: frozenset[str]
    is_number: bool
    is_flag: bool
    masks_all: bool


def quicken_enums() -> None:
    """From now on, simple enumerations that are made by a call are made quickly."""
    plain = getattr(enum.EnumType, "_create_", None)
    if plain is None or sys.version_info[:2] > NEWEST or hasattr(plain, "quick"):
        return
    create = _quick(plain, {base: _kind(base) for base in _BASES})
    create.quick = True
    kind_of_all: Any = enum.EnumType
    kind_of_all._create_ = create


def _kind(base: Any) -> _Kind:
    names = {"ONE": 1, "SIX": 6}
    probe = base("Probe", names, module=__name__, boundary=enum.KEEP)
    space = {name: value for name, value in vars(probe).items() if name not in {*names, "__new__"}}
    taken = {name for one in (*base.__mro__, *type(base).__mro__) for name in vars(one)}
    masks_all = space.get("_flag_mask_") == 7
    is_flag = issubclass(base, enum.Flag)
    return _Kind(space, frozenset(taken), issubclass(base, int), is_flag, masks_all)


def _quick(plain: Callable[..., Any], kinds: Mapping[Any, _Kind]) -> Any:
    def create(
        cls: Any,
        class_name: str,
        names: Any,
        *,
        module: str | None = None,
        qualname: str | None = None,
        type: Any = None,
        start: Any = 1,
        boundary: Any = None,
    ) -> Any:
        if module is None:
            # As Python finds it: whoever called the enumeration's base, two frames up.
            module = sys._getframe(2).f_globals.get("__name__")
        kind = kinds.get(cls)
        if (
            kind is not None
            and type is None
            and module is not None
            and _are_plain(names, kind)
            and (not kind.is_flag or (boundary is enum.KEEP and _are_bits(names)))
        ):
            return _made(cls, kind, class_name, names, module, qualname)
        more = {"module": module, "qualname": qualname, "type": type}
        return plain(cls, class_name, names, start=start, boundary=boundary, **more)

    return create


def _are_plain(names: Any, kind: _Kind) -> bool:
    """Whether these are pairs of a name without special meaning and a number, each name once."""
    if type(names) is not list or not names:
        return False
    for pair in names:
        if type(pair) is not tuple or len(pair) != 2:
            return False
        name, value = pair
        if type(name) is not str or type(value) is not int or name[:1] == "_":
            return False
    labels = {name for name, _ in names}
    return len(labels) == len(names) and "" not in labels and labels.isdisjoint(kind.reserved)


def _are_bits(names: list[tuple[str, int]]) -> bool:
    """Whether no number is negative and the single bits come in their order."""
    values = [value for _, value in names]
    bits = [value for value in dict.fromkeys(values) if _is_bit(value)]
    return min(values) >= 0 and bits == sorted(bits)


def _is_bit(value: int) -> bool:
    return value > 0 and not value & (value - 1)


def _made(
    cls: Any,
    kind: _Kind,
    name: str,
    names: list[tuple[str, int]],
    module: str,
    qualname: str | None,
) -> Any:
    space = {word: _empty(value) for word, value in kind.space.items()}
    space["__module__"] = module
    if qualname is not None:
        space["__qualname__"] = qualname
    if kind.is_flag:
        space |= _masks(kind, [value for _, value in names])
    made = type.__new__(enum.EnumType, name, (cls,), space)
    new, put = space["_new_member_"], type.__setattr__
    order, by_name, by_value = made._member_names_, made._member_map_, made._value2member_map_
    put(made, "__new__", enum.Enum.__new__)
    for label, value in names:
        member = by_value.get(value)
        if member is None:
            member = new(made, value) if kind.is_number else new(made)
            member._value_ = value
            member._name_ = label
            member.__objclass__ = made
            member._sort_order_ = len(order)
            by_value[value] = member
            if not kind.is_flag or _is_bit(value):
                order.append(label)
        put(made, label, member)
        by_name[label] = member
    return made


def _masks(kind: _Kind, values: list[int]) -> dict[str, int]:
    """What Python keeps of the bits of a flag's members."""
    every = bits = 0
    for value in values:
        every |= value
        bits |= value if _is_bit(value) else 0
    masks = {
        "_flag_mask_": every if kind.masks_all else bits,
        "_singles_mask_": bits,
        "_all_bits_": 2 ** every.bit_length() - 1,
    }
    return {name: mask for name, mask in masks.items() if name in kind.space}


def _empty(value: Any) -> Any:
    """What a class keeps of its own, as it begins."""
    return type(value)() if type(value) in (list, dict) else value
