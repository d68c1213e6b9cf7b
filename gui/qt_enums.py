"""Makes Qt's enumerations when one of their members is first asked for.

PySide makes all enumerations of a class at the first use of the class: of `Qt` alone 93 with 1,195
members, of which a window needs a dozen. Python takes longer for that than for all of this
program. Here PySide gets a class at once whose members come later, made as Python makes them.
What PySide itself looks up without the enumeration's name (`Qt.AlignLeft`) is not found then.
"""

from __future__ import annotations

import enum
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import RLock
from typing import Any, Final, Literal

NEWEST = (3, 13)
"""The newest Python with whose `enum` this was tried; a later one makes them all at once."""
_KINDS: Final = ("Enum", "IntEnum", "Flag", "IntFlag")
_OWN: Final = frozenset({"__dict__", "__weakref__", "__doc__", "__module__", "__qualname__"})
"""What a class has of its own, whatever its members are."""
_filling = RLock()


@contextmanager
def late_enums() -> Iterator[None]:
    """Whoever takes a kind of enumeration from `enum` meanwhile makes it with late members."""
    if sys.version_info[:2] > NEWEST:
        yield
        return
    plain = {kind: getattr(enum, kind) for kind in _KINDS}
    try:
        for kind, base in plain.items():
            setattr(enum, kind, _maker(base))
        yield
    finally:
        for kind, base in plain.items():
            setattr(enum, kind, base)


def _maker(base: Any) -> Any:
    """A class like `base` that, called with names, gives an enumeration with late members."""
    space = {"__module__": base.__module__, "__qualname__": base.__qualname__, "_late_of": base}
    return type.__new__(_Maker, base.__name__, (base,), space)


class _Maker(enum.EnumType):
    def __call__(cls, *args: Any, **given: Any) -> Any:
        base = vars(cls).get("_late_of")
        if base is None or len(args) != 2 or not isinstance(args[1], list):
            return super().__call__(*args, **given)
        make = partial(enum.EnumType.__call__, base, *args, **given)
        return type.__new__(_Late, args[0], (base,), {"_late_make": make})


class _Late(enum.EnumType):
    """An enumeration whose members are not there yet; with them it is one like any other."""

    def __call__(cls, *args: Any, **given: Any) -> Any:
        return _filled(cls)(*args, **given)

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):  # asked of every class there is
            raise AttributeError(name)
        return getattr(_filled(cls), name)

    def __getitem__(cls, name: str) -> Any:
        return _filled(cls)[name]

    def __contains__(cls, value: object) -> bool:
        return value in _filled(cls)

    def __iter__(cls) -> Any:
        return iter(_filled(cls))

    def __reversed__(cls) -> Any:
        return reversed(_filled(cls))

    def __len__(cls) -> int:
        return len(_filled(cls))

    def __bool__(cls) -> Literal[True]:
        return True

    def __dir__(cls) -> Any:
        return dir(_filled(cls))

    def __repr__(cls) -> str:
        return repr(_filled(cls))

    @property
    def __members__(cls) -> Any:
        return _filled(cls).__members__


def _filled(cls: Any) -> Any:
    """The enumeration with the members of one that Python makes of the same names."""
    with _filling:
        make: Callable[[], Any] | None = vars(cls).get("_late_make")
        if make is None:
            return cls  # another thread was quicker
        made = make()
        for member in made.__members__.values():
            member.__class__ = member.__objclass__ = cls
        # What PySide has set meanwhile stays: its operators. Members come last, since another
        # thread may ask for one at any moment.
        own = _OWN | vars(cls).keys()
        values = [one for one in vars(made).items() if one[0] not in own]
        for name, value in sorted(values, key=lambda one: one[0] in made.__members__):
            type.__setattr__(cls, name, value)
        type.__delattr__(cls, "_late_make")
        cls.__class__ = enum.EnumType
        return cls
