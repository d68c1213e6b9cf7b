"""Runs `memory-desk` commands in this process, with streams of their own."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gui.cli import main


@dataclass(frozen=True, slots=True)
class Ran:
    """What one command did: exit status, standard output and standard error."""

    status: int
    out: str
    err: str

    @property
    def data(self) -> dict[str, Any]:
        """The one JSON object on standard output."""
        assert self.out.endswith("\n")
        assert self.out.count("\n") == 1, "more than one line"
        data = json.loads(self.out)
        assert isinstance(data, dict)
        return data


@dataclass(frozen=True, slots=True)
class CommandLine:
    """The command line on one home."""

    home: Path

    def __call__(self, *arguments: str | Path, stdin: str | bytes = b"") -> Ran:
        """Run `memory-desk --home HOME ARGUMENTS`."""
        out, err = io.BytesIO(), io.BytesIO()
        given = stdin.encode() if isinstance(stdin, str) else stdin
        words = ["--home", str(self.home), *map(str, arguments)]
        status = main(words, stdin=io.BytesIO(given), stdout=out, stderr=err)
        return Ran(status, out.getvalue().decode(), err.getvalue().decode())

    def json(self, *arguments: str | Path, stdin: str | bytes = b"") -> dict[str, Any]:
        """Run with --json; the answer, after checking that nothing else was said."""
        ran = (
            self(*arguments, "--json", stdin=stdin)
            if "--" not in arguments
            else self("--json", *arguments, stdin=stdin)
        )
        assert ran.err == ""
        assert ran.status == (0 if ran.data["ok"] else 1)
        return ran.data

    @property
    def memory(self) -> Path:
        """The home's MEMORY.md."""
        return self.home / "memories" / "MEMORY.md"

    @property
    def user(self) -> Path:
        """The home's USER.md."""
        return self.home / "memories" / "USER.md"

    def write(self, *entries: str, to: str = "MEMORY.md") -> None:
        """Put a memory file in place as the agent would have written it."""
        path = self.home / "memories" / to
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n§\n".join(entries), encoding="utf-8", newline="\n")

    def stage(self, record_id: str, *, created_at: float = 1.0, **payload: Any) -> Path:
        """Put a memory record into the queue as the agent would have written it."""
        payload = {"action": "add", "target": "memory", "content": None, "old_text": None} | payload
        record = {
            "id": record_id,
            "subsystem": "memory",
            "action": payload["action"],
            "summary": f"{payload['action']} something",
            "origin": "background_review",
            "created_at": created_at,
            "payload": payload,
        }
        path = self.home / "pending" / "memory" / f"{record_id}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(record, indent=2, ensure_ascii=False), encoding="utf-8")
        return path

    def bytes_of_all_files(self) -> dict[str, bytes]:
        """Every file of the home by its path in it, but locks and SQLite's own `-wal`, `-shm`."""
        return {
            path.relative_to(self.home).as_posix(): path.read_bytes()
            for path in sorted(self.home.rglob("*"))
            if path.is_file() and not path.name.endswith((".lock", "-wal", "-shm"))
        }
