"""Homes with skills for tests: what lies there, and what a write did to it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

CONFIG = "skills:\n  write_approval: true\n"
TIMES = ("created_at", "last_patched_at", "last_used_at", "last_viewed_at", "archived_at")


def skill_text(
    name: str, description: str = "what it is for", body: str = "# Do\n\n1. it\n"
) -> str:
    """A SKILL.md that the agent accepts."""
    return f"---\nname: {name}\ndescription: {description}\n---\n\n{body}"


def put_skill(home: Path, place: str, text: str | None = None, **files: str | bytes) -> Path:
    """Put a skill in `skills/<place>`; files by their path, with __ for /, . spelled _dot_."""
    folder = home / "skills" / place
    folder.mkdir(parents=True, exist_ok=True)
    written = skill_text(folder.name) if text is None else text
    (folder / "SKILL.md").write_bytes(written.encode())
    for name, data in files.items():
        path = folder / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return folder


def put_record(home: Path, record_id: str, *, created_at: float = 1.0, **payload: Any) -> Path:
    """Put a skill record into the queue, unchecked, as the agent does."""
    record = {
        "id": record_id,
        "subsystem": "skills",
        "action": payload.get("action", ""),
        "summary": "",
        "origin": "foreground",
        "created_at": created_at,
        "payload": payload,
    }
    path = home / "pending" / "skills" / f"{record_id}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record, indent=2), encoding="utf-8")
    return path


def tree(folder: Path) -> dict[str, bytes | str]:
    """All below a folder: files with their bytes, links with where they lead, folders as such.

    Locks are left out, and times in the agent's counts.
    """
    found: dict[str, bytes | str] = {}
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(place) / name
            key = path.relative_to(folder).as_posix()
            if path.is_symlink():
                found[key] = f"-> {os.readlink(path)}"
            elif path.is_dir():
                found[key] = "folder"
            elif not name.endswith(".lock"):
                found[key] = (
                    _timeless(path.read_bytes()) if name == ".usage.json" else path.read_bytes()
                )
    return found


def _timeless(data: bytes) -> bytes:
    """The counts with every time but null spelled `then`; all else byte for byte."""
    try:
        usage = json.loads(data)
    except ValueError:
        return data
    for record in usage.values():
        for key in TIMES:
            if isinstance(record, dict) and record.get(key):
                data = data.replace(json.dumps(record[key]).encode(), b'"then"')
    return data


SKILL_WORKER = Path(__file__).with_name("skill_worker.py")
"""What an `Agent` runs that is asked about skills."""


def put_usage(home: Path, **records: dict[str, Any]) -> None:
    """Write the agent's counts; __ in a name stands for a blank, _ for a hyphen."""
    usage = {
        name.replace("__", " ").replace("_", "-"): counted(**record)
        for name, record in records.items()
    }
    path = home / "skills" / ".usage.json"
    path.write_text(json.dumps(usage, indent=2, sort_keys=True), encoding="utf-8")


def counted(**fields: Any) -> dict[str, Any]:
    """A record of use as the agent writes it, of a skill that it made on the first of January."""
    none = dict.fromkeys(("archived_at", "last_patched_at", "last_used_at", "last_viewed_at"))
    return {
        **none,
        "created_at": "2026-01-01T00:00:00+00:00",
        "created_by": "agent",
        "patch_count": 0,
        "pinned": False,
        "state": "active",
        "use_count": 0,
        "view_count": 0,
    } | fields
