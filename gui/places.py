"""Paths as people read them. No Qt here."""

from __future__ import annotations

from pathlib import Path


def short_path(path: Path, person: Path) -> str:
    """Give `path` with ~ for the person's own folder."""
    return f"~/{path.relative_to(person)}" if path.is_relative_to(person) else str(path)
