"""Small Hermes homes for tests of the store, and faults that strike at a chosen step."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from store.desk import Desk, build_desk
from store.files import Disk, Step
from store.home import FILE_NAMES, HermesHome

DELIMITER = "\n§\n"


def joined(*texts: str) -> bytes:
    """The bytes of a clean memory file with these entries."""
    return DELIMITER.join(texts).encode()


def home_at(
    path: Path,
    *,
    memory: bytes | None = None,
    user: bytes | None = None,
    config: str = "",
) -> HermesHome:
    """Make a home in `path` with these files; None leaves a file out."""
    (path / "memories").mkdir(parents=True, exist_ok=True)
    for target, data in (("memory", memory), ("user", user)):
        if data is not None:
            (path / "memories" / FILE_NAMES[target]).write_bytes(data)  # type: ignore[index]
    if config:
        (path / "config.yaml").write_text(config, "utf-8")
    return HermesHome(path, path, "default")


def limits(memory: int = 2200, user: int = 1375) -> str:
    """A config.yaml with these limits."""
    return f"memory:\n  memory_char_limit: {memory}\n  user_char_limit: {user}\n"


@contextmanager
def opened(home: HermesHome, data: Path, **parts: Any) -> Iterator[Desk]:
    """A desk on `home`, closed afterwards; `data` is the desk's own folder."""
    desk = build_desk(home, env={"MEMORY_DESK_DATA_DIR": str(data)}, **parts)
    try:
        yield desk
    finally:
        desk.close()


def everything_in(folder: Path) -> dict[str, bytes]:
    """All files below `folder` with their bytes, lock files aside."""
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file.suffix != ".lock"
    }


class Death(BaseException):
    """The process ends here: nothing catches it, nothing after it happens."""


@dataclass
class Faults:
    """The fault seam of a `Disk`: remembers every step, and strikes at one.

    Strikes at the `at`-th step (from 0), or at every step of the kind `step`, with `error`.
    """

    at: int | None = None
    step: Step | None = None
    error: BaseException = field(
        default_factory=lambda: OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    )
    times: int | None = None
    seen: list[tuple[Step, Path]] = field(default_factory=list)

    def __call__(self, step: Step, path: Path) -> None:
        self.seen.append((step, path))
        meant = self.at == len(self.seen) - 1 or self.step == step
        if meant and self.times != 0:
            self.times = None if self.times is None else self.times - 1
            raise self.error

    @property
    def steps(self) -> list[Step]:
        return [step for step, _ in self.seen]

    def disk(self, **rules: Any) -> Disk:
        return Disk("\n", fault=self, **rules)
