"""The pages. Each is imported when it is first opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gui.i18n import N_
from gui.page_names import PageName
from schema.frozen import frozen

if TYPE_CHECKING:
    from gui.page import Page


@frozen
class PageSpec:
    """Where a page is found. `label` is translated when it is shown.

    A page that belongs to another, its `parent`, has no place in the side list.
    """

    name: PageName
    label: str
    module: str
    kind: str
    bottom: bool = False
    parent: str = ""

    def kind_of_page(self) -> type[Page]:
        """Import the page's class."""
        from importlib import import_module

        found: type[Page] = getattr(import_module(self.module), self.kind)
        return found


PAGES: Final = (
    PageSpec("overview", N_("Overview"), "gui.pages.overview", "OverviewPage"),
    PageSpec("memory", N_("Memory"), "gui.pages.memory", "MemoryPage"),
    PageSpec("repair", N_("Repair"), "gui.pages.repair", "RepairPage", parent="memory"),
    PageSpec("backups", N_("Backups"), "gui.pages.backups", "BackupsPage", parent="memory"),
    PageSpec("history", N_("History"), "gui.pages.memory_history", "HistoryPage", parent="memory"),
    PageSpec("room", N_("Make room"), "gui.pages.room", "RoomPage", parent="memory"),
    PageSpec(
        "belongs",
        N_("Where does this belong?"),
        "gui.pages.belongs",
        "BelongsPage",
        parent="memory",
    ),
    PageSpec("pending", N_("Pending"), "gui.pages.pending", "PendingPage"),
    PageSpec("providers", N_("Providers"), "gui.pages.providers", "ProvidersPage"),
    PageSpec("keys", N_("Keys"), "gui.pages.keys", "KeysPage"),
    PageSpec("sessions", N_("Sessions"), "gui.pages.sessions", "SessionsPage"),
    PageSpec("skills", N_("Skills"), "gui.pages.skills", "SkillsPage"),
    PageSpec("knowledge", N_("Knowledge"), "gui.pages.knowledge", "KnowledgePage"),
    PageSpec("settings", N_("Settings"), "gui.pages.settings", "SettingsPage", bottom=True),
)
"""The pages that exist, in the order of the side list."""
LISTED: Final = tuple(spec for spec in PAGES if not spec.parent)
"""Those that the side list has."""


def page_spec(name: str) -> PageSpec | None:
    """Find a page by name."""
    return next((spec for spec in PAGES if spec.name == name), None)
