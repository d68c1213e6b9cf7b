"""A vault on a desk, as values that tests change."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.desk import Desk
from store.knowledge.desk import KnowledgeDesk
from store.knowledge.folders import FoldersChanged
from store.knowledge.indexing import Refreshed
from store.knowledge.searching import NotesFound


class Vault:
    """A configured vault, and short ways to ask about it."""

    def __init__(self, path: Path, desk: Desk) -> None:
        """Make it, and configure it."""
        self.path = path
        self.knowledge: KnowledgeDesk = desk.knowledge
        (path / ".obsidian").mkdir(parents=True)
        (path / ".obsidian" / "app.json").write_text("{}", encoding="utf-8")
        added = self.knowledge.add_folder(path)
        assert isinstance(added, FoldersChanged)

    def put(self, name: str, text: str | bytes) -> Path:
        """Write a note."""
        place = self.path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode() if isinstance(text, str) else text)
        return place

    def refresh(self) -> Refreshed:
        """Bring the index up to date."""
        done = self.knowledge.refresh()
        assert isinstance(done, Refreshed)
        return done

    def search(self, query: str, *, typing: bool = False, limit: int = 50) -> NotesFound:
        """Search in it."""
        found = self.knowledge.search(query, typing=typing, limit=limit)
        assert isinstance(found, NotesFound)
        return found

    def found(self, query: str, *, typing: bool = False) -> list[str]:
        """The notes that are found, by their path in the vault."""
        hits = self.search(query, typing=typing).hits
        return [hit.path.relative_to(self.path).as_posix() for hit in hits]


@pytest.fixture
def vault(tmp_path: Path, desk: Desk) -> Vault:
    """A vault with nothing in it."""
    return Vault(tmp_path / "My Vault", desk)
