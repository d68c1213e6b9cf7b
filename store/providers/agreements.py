"""What a person agreed to, for exactly one version of a plugin's code, and what it answered then.

Kept in the desk's own data folder (0600): digests and answers, nothing of a home.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from store.files import Content, Disk
from store.refusals import Invalid, Refusal, Unreadable

What = Literal["use", "ask"]
MAX_BYTES = 4 << 20


class Agreements:
    """Remembers by what, name and digest. Every call reads the file."""

    def __init__(self, data_dir: Path, *, disk: Disk) -> None:
        """Nothing is read or made before the first call."""
        self._path = data_dir / "providers" / "agreements.json"
        self._answers = data_dir / "providers" / "answers"
        self._disk = disk

    def has(self, what: What, name: str, digest: str) -> bool:
        """Whether a person has agreed to this, for this very code."""
        kept = self._read(self._path)
        listed = kept.get(what) if isinstance(kept, dict) else None
        return isinstance(listed, list) and f"{name}:{digest}" in listed

    def remember(self, what: What, name: str, digest: str) -> Refusal | None:
        """Remember a yes."""
        with self._disk.locked(self._path, wait=2.0) as refused:
            if refused is not None:
                return refused
            seen = self._disk.read(self._path, at_most=MAX_BYTES)
            if isinstance(seen, Unreadable):
                return seen
            kept = _object(seen)
            listed = kept.get(what)
            names = listed if isinstance(listed, list) else []
            if f"{name}:{digest}" in names:
                return None
            kept[what] = [*names, f"{name}:{digest}"][-500:]
            return self._disk.replace(seen, (json.dumps(kept, indent=2) + "\n").encode())

    def answer(self, name: str, digest: str) -> Any:
        """What the plugin of that digest answered when it was asked; None if it never was."""
        return self._read(self._answers / f"{name}-{digest[:32]}.json")

    def keep_answer(self, name: str, digest: str, answer: object) -> Refusal | None:
        """Keep an answer for as long as the code stays what it is."""
        path = self._answers / f"{name}-{digest[:32]}.json"
        data = json.dumps(answer, ensure_ascii=False).encode("utf-8", "surrogatepass")
        if len(data) > MAX_BYTES:
            return Invalid(name, "too_large")
        seen = self._disk.read(path, at_most=MAX_BYTES)
        return seen if isinstance(seen, Unreadable) else self._disk.replace(seen, data)

    def _read(self, path: Path) -> Any:
        content = self._disk.read(path, at_most=MAX_BYTES)
        if not isinstance(content, Content) or content.data is None:
            return None
        try:
            return json.loads(content.data)
        except (ValueError, RecursionError):
            return None


def _object(content: Content) -> dict[str, Any]:
    try:
        kept = json.loads(content.data or b"{}")
    except (ValueError, RecursionError):
        return {}
    return kept if isinstance(kept, dict) else {}
