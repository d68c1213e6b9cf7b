"""Loads Qt without what PySide brings along for its own tools.

At each start PySide compiles 2,800 lines of Python that word its TypeErrors, describe signatures,
switch features on and write stub files: more work than all else that a window needs. Here each of
these modules is executed when something in it is first asked for, which a run without faults never
does. Where PySide has no such modules, nothing is different.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from importlib.machinery import ModuleSpec
from threading import RLock
from types import ModuleType
from typing import Any

from gui.qt_enums import quicken_enums

_SUPPORT = "shibokensupport."
_FEATURE, _MAPPING = _SUPPORT + "feature", _SUPPORT + "signature.mapping"
_LATE = {_FEATURE, _MAPPING} | {
    f"{_SUPPORT}signature.{name}"
    for name in (
        "errorhandler",
        "layout",
        "parser",
        "lib.enum_sig",
        "lib.pyi_generator",
        "lib.tool",
    )
}
# What PySide needs of Python to unpack its tools, and what that brings along without need.
_LATE |= {"bz2", "lzma", "shutil", "tempfile", "textwrap", "tokenize"}
_executing = RLock()


def load_qt() -> None:
    """Load what every window needs of Qt; whoever imports it after this finds it there."""
    quicken_enums()
    if "shiboken6" not in sys.modules:
        _load_shiboken()
    import_module("PySide6.QtWidgets")


def _load_shiboken() -> None:
    finders, plain_import = sys.meta_path, builtins.__import__
    sys.meta_path = _Led(_LateFinder(), finders)
    try:
        import_module("shiboken6")
    finally:
        sys.meta_path = finders
        # PySide's own serves `from __feature__ import …`, which nothing here uses, and for that
        # reads and keeps the source of every module that is imported from then on.
        builtins.__import__ = plain_import


class _Led(list[Any]):
    """A `sys.meta_path` whose first finder stays the first when PySide puts its own before all."""

    def __init__(self, first: Any, others: Sequence[Any]) -> None:
        super().__init__((first, *others))

    def insert(self, at: Any, finder: Any) -> None:
        super().insert(max(int(at), 1), finder)


class _LateFinder:
    """Finds what the others find, and lets it come later."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name not in _LATE:
            return None
        specs = (other.find_spec(name, path, target) for other in sys.meta_path[1:])
        spec: Any = next(filter(None, specs), None)
        if spec is not None:
            spec.loader = _LateLoader(spec.loader)
        return spec


class _LateLoader:
    """Makes a module, and leaves its execution by `loader` to whoever first needs it."""

    def __init__(self, loader: Any) -> None:
        self._loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _LateModule(spec.name)

    def exec_module(self, module: _LateModule) -> None:
        space = vars(module)
        space["_execute"] = partial(self._loader.exec_module, module)
        # Two that are asked for without asking the module.
        if module.__name__ == _FEATURE:  # at each import: there is nothing special to it
            space.update(feature_import=_nothing, feature_imported=_nothing)
        if module.__name__ == _MAPPING:  # before a TypeError is worded
            space["update_mapping"] = partial(_call_real, module, "update_mapping")


class _LateModule(ModuleType):
    """A module that is executed when something in it is first asked for."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__all__":  # asked of every module there is
            raise AttributeError(name)
        self.execute()
        try:
            return vars(self)[name]
        except KeyError:
            raise AttributeError(f"module {self.__name__} has no attribute {name}") from None

    def execute(self) -> None:
        """Execute it now, once; meanwhile only this thread sees what is in it so far."""
        with _executing:
            execute: Callable[[], None] | None = vars(self).pop("_execute", None)
            spec = self.__spec__
            if execute is None or spec is None:
                return
            # PySide gives it a second name, by which it would not find the source.
            named, spec.name = spec.name, self.__name__
            execute()
            spec.name = named


def _call_real(module: _LateModule, name: str) -> Any:
    module.execute()
    return vars(module)[name]()


def _nothing(*_: object, **__: object) -> None:
    """Have nothing to say."""
