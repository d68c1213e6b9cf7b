"""The sample home, in a temporary copy. No Qt here."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

NEWEST_SECONDS_AGO = 2 * 60 * 60
"""How old the newest staged write of the sample is."""


class SampleHome:
    """A copy of the sample that lives as long as it is needed, with a desk folder of its own."""

    def __init__(self, *, now: float | None = None) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="memory-desk-sample-"))
        self.home = self._folder / "hermes-home"
        copy_sample(self.home, now=time.time() if now is None else now)

    def env(self, env: Mapping[str, str]) -> dict[str, str]:
        """Give the environment in which the copy is used: nothing of the person's Hermes."""
        kept = {name: value for name, value in env.items() if not name.startswith("HERMES_")}
        return kept | {"MEMORY_DESK_DATA_DIR": str(self._folder / "desk")}

    def remove(self) -> None:
        """Remove the copy and all that the desk kept about it."""
        shutil.rmtree(self._folder, ignore_errors=True)


def copy_sample(path: Path, *, now: float) -> None:
    """Copy the sample home to `path`, which must not exist; its staged writes are as of `now`."""
    _copy(files("resources") / "sample_home", path)
    records = [*path.glob("pending/*/*.json"), *path.glob("profiles/*/pending/*/*.json")]
    loaded = {record: json.loads(record.read_text(encoding="utf-8")) for record in records}
    newest = max((record["created_at"] for record in loaded.values()), default=0.0)
    for record, content in loaded.items():
        content["created_at"] += now - NEWEST_SECONDS_AGO - newest
        text = json.dumps(content, indent=2, ensure_ascii=False)
        record.write_text(text, encoding="utf-8", newline="\n")


def _copy(source: Traversable, path: Path) -> None:
    # Not as_file(): before Python 3.12 it cannot do folders.
    path.mkdir(mode=0o700)
    for item in source.iterdir():
        if item.is_dir():
            _copy(item, path / item.name)
        else:
            target = path / item.name
            target.write_bytes(item.read_bytes())
            os.chmod(target, 0o600)
