"""Values: frozen, slotted dataclasses that cost next to nothing to define.

`dataclasses.dataclass` writes six methods for every class and compiles them, about a millisecond
each time a program starts; the desk has more than a hundred such classes. `@frozen` shares one set
of methods among all of them. What it makes is a dataclass to everyone who asks: `replace()`,
`fields()`, `asdict()`, `match`, pickling and type checkers know it as one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, dataclass_transform, overload

T = TypeVar("T")

_MISSING: Any = object()
_POSITIONAL = "__match_args__"


class Given:
    """What `field()` says about a field: its default, and whether it is shown and compared."""

    __slots__ = ("compare", "default", "factory", "repr")

    def __init__(self, default: Any, factory: Any, *, repr: bool, compare: bool) -> None:
        self.default, self.factory, self.repr, self.compare = default, factory, repr, compare


def field(
    *,
    default: Any = _MISSING,
    default_factory: Any = _MISSING,
    repr: bool = True,
    compare: bool = True,
) -> Any:
    """Say more of a field than its default, as `dataclasses.field` does."""
    return Given(default, default_factory, repr=repr, compare=compare)


@overload
def frozen(cls: type[T], /) -> type[T]: ...


@overload
def frozen(*, kw_only: bool = ...) -> Callable[[type[T]], type[T]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: Any = None, /, *, kw_only: bool = False) -> Any:
    """Make a class a value, as `@dataclass(frozen=True, slots=True)` does.

    Bases are values or `object`. `kw_only`: its own fields are given by name.
    """
    if cls is None:
        return lambda cls: _make(cls, kw_only=kw_only)
    return _make(cls, kw_only=kw_only)


def replace(value: T, /, **changes: Any) -> T:
    """Make a value like `value` but for `changes`, as `dataclasses.replace` does."""
    fields: Any = type(value).__dict__["_frozen_fields"]
    return type(value)(**{name: getattr(value, name) for name in fields} | changes)


def _make(cls: type, *, kw_only: bool) -> type:
    names = [
        name
        for name, kind in cls.__annotations__.items()
        if not str(kind).startswith(("ClassVar", "typing.ClassVar"))
    ]
    space = {k: v for k, v in cls.__dict__.items() if k not in ("__dict__", "__weakref__")}
    every: dict[str, Given] = {}
    positional: list[str] = []
    for base in reversed(cls.__mro__[1:]):
        every |= base.__dict__.get("_frozen_fields", {})
        positional += [name for name in base.__dict__.get("_frozen_own", ()) if name in every]
    own = [] if kw_only else names
    for name in names:
        value = space.pop(name, _MISSING)
        every[name] = (
            value if isinstance(value, Given) else Given(value, _MISSING, repr=True, compare=True)
        )
    inherited = {name for base in cls.__mro__[1:] for name in base.__dict__.get("__slots__", ())}
    space["__slots__"] = tuple(name for name in names if name not in inherited)
    space["_frozen_fields"] = every
    space["_frozen_own"] = tuple(own)
    space.setdefault(_POSITIONAL, (*positional, *own))
    for name, method in _METHODS.items():
        space.setdefault(name, method)
    if "__eq__" in cls.__dict__ and "__hash__" not in cls.__dict__:
        space["__hash__"] = None
    made = type(cls)(cls.__name__, cls.__bases__, space)
    made.__qualname__ = cls.__qualname__
    return made


# --- The methods that all values share -------------------------------------------------------

_OFTEN = 16
"""So many values of a class are worth an `__init__` of its own, several times as fast."""


def _init(self: Any, /, *args: Any, **given: Any) -> None:
    cls = type(self)
    count = cls.__dict__.get("_frozen_count", 0)
    if count >= _OFTEN and cls.__init__ is _init:
        cls.__init__ = _own_init(cls)
        cls.__init__(self, *args, **given)
        return
    cls._frozen_count = count + 1
    positional = cls.__match_args__
    put = object.__setattr__
    if len(args) > len(positional):
        raise TypeError(
            f"{cls.__name__}() takes {len(positional)} positional arguments, {len(args)} were given"
        )
    for name, value in zip(positional, args, strict=False):
        put(self, name, value)
    taken = positional[: len(args)]
    for name, about in cls._frozen_fields.items():
        if name in taken:
            if name in given:
                raise TypeError(f"{cls.__name__}() got {name!r} twice")
        elif name in given:
            put(self, name, given.pop(name))
        elif about.default is not _MISSING:
            put(self, name, about.default)
        elif about.factory is not _MISSING:
            put(self, name, about.factory())
        else:
            raise TypeError(f"{cls.__name__}() lacks the argument {name!r}")
    if given:
        raise TypeError(f"{cls.__name__}() has no field {next(iter(given))!r}")
    if hasattr(cls, "__post_init__"):
        self.__post_init__()


def _own_init(cls: Any) -> Callable[..., None]:
    """Write what `_init` does for this one class, as `dataclasses` would have at once.

    What is not a field has a name that begins with `_frozen_`, as no field does.
    """
    known: dict[str, Any] = {"_frozen_put": object.__setattr__, "_frozen_missing": _MISSING}
    positional: list[str] = []
    named: list[str] = []
    body: list[str] = []
    for name, about in cls._frozen_fields.items():
        value = name
        if about.factory is not _MISSING:
            known[f"_frozen_made_{name}"] = about.factory
            parameter = f"{name}=_frozen_missing"
            value = f"_frozen_made_{name}() if {name} is _frozen_missing else {name}"
        elif about.default is not _MISSING:
            known[f"_frozen_default_{name}"] = about.default
            parameter = f"{name}=_frozen_default_{name}"
        else:
            parameter = name
        (positional if name in cls.__match_args__ else named).append(parameter)
        body.append(f"_frozen_put(_frozen_self, {name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        body.append("_frozen_self.__post_init__()")
    parameters = ", ".join(["_frozen_self", "/", *positional, *(["*", *named] if named else [])])
    lines = "\n    ".join(body or ["pass"])
    exec(f"def __init__({parameters}):\n    {lines}", known)  # noqa: S102 - names of fields only
    made: Callable[..., None] = known["__init__"]
    return made


def _compared(self: Any) -> tuple[Any, ...]:
    return tuple(
        [getattr(self, name) for name, about in self._frozen_fields.items() if about.compare]
    )


def _eq(self: Any, other: object) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    return _compared(self) == _compared(other)


def _hash(self: Any) -> int:
    return hash(_compared(self))


def _repr(self: Any) -> str:
    shown = (
        f"{name}={getattr(self, name)!r}"
        for name, about in self._frozen_fields.items()
        if about.repr
    )
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _setattr(self: Any, name: str, value: object) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delattr(self: Any, name: str) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _getstate(self: Any) -> list[Any]:
    return [getattr(self, name) for name in self._frozen_fields]


def _setstate(self: Any, state: list[Any]) -> None:
    for name, value in zip(self._frozen_fields, state, strict=True):
        object.__setattr__(self, name, value)


class _Made:
    """An attribute of a class that few ask for, made when someone does."""

    def __init__(self, make: Callable[[Any], Any]) -> None:
        self._make = make

    def __get__(self, value: object, cls: Any) -> Any:
        return self._make(cls)


def _dataclass_fields(cls: Any) -> dict[str, Any]:
    """Give what `dataclasses` keeps of a class: its own Field objects, by name."""
    import dataclasses

    found = {}
    for name, about in cls._frozen_fields.items():
        more: dict[str, Any] = {}
        if about.default is not _MISSING:
            more["default"] = about.default
        if about.factory is not _MISSING:
            more["default_factory"] = about.factory
        one: Any = dataclasses.field(
            repr=about.repr,
            compare=about.compare,
            kw_only=name not in cls.__match_args__,
            **more,
        )
        one.name, one.type = name, _annotation(cls, name)
        one._field_type = dataclasses._FIELD  # type: ignore[attr-defined]
        found[name] = one
    return found


def _annotation(cls: Any, name: str) -> Any:
    kinds = (getattr(base, "__annotations__", {}) for base in cls.__mro__)
    return next(kind[name] for kind in kinds if name in kind)


def _signature(cls: Any) -> Any:
    """Give the signature that a call of the class has, for help() and for tests that build one."""
    import inspect

    places = inspect.Parameter
    found = []
    ordered = [*cls.__match_args__, *(n for n in cls._frozen_fields if n not in cls.__match_args__)]
    for name in ordered:
        about = cls._frozen_fields[name]
        kind = places.POSITIONAL_OR_KEYWORD if name in cls.__match_args__ else places.KEYWORD_ONLY
        default = about.default if about.default is not _MISSING else places.empty
        if about.factory is not _MISSING:
            default = about.factory
        found.append(places(name, kind, default=default, annotation=_annotation(cls, name)))
    return inspect.Signature(found)


_METHODS: dict[str, Any] = {
    "__init__": _init,
    "__eq__": _eq,
    "__hash__": _hash,
    "__repr__": _repr,
    "__setattr__": _setattr,
    "__delattr__": _delattr,
    "__getstate__": _getstate,
    "__setstate__": _setstate,
    "__dataclass_fields__": _Made(_dataclass_fields),
    "__signature__": _Made(_signature),
}
