"""The window: side list, header, banner, the pages, footer."""

from __future__ import annotations

from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from gui.asker import Asker, DialogAsker
from gui.footer import Footer
from gui.i18n import tr
from gui.page import Page
from gui.pages import LISTED, PAGES, page_spec
from gui.places import short_path
from gui.tasks import Fault
from gui.theme import BAR, GRID
from gui.widgets.action_row import ActionRow
from gui.widgets.bars import Banner, Notice, Toast
from gui.widgets.labels import PlainLabel
from gui.widgets.search import KEYS, SearchField
from gui.widgets.side import SideEntry, SideList
from gui.workplace import Changed, Load, Opened, ProfileWanted, Said, Workplace
from schema.frozen import frozen

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QCloseEvent, QKeyEvent

    from gui.pages.welcome import WelcomePage
    from store.desk import Desk
    from store.pending.records import Subsystem
    from store.refusals import Refusal

QUEUES: tuple[Subsystem, ...] = ("memory", "skills")

EDGE = 3 * GRID
SIZE = QSize(1200, 760)
SMALLEST = QSize(640, 480)


class Window(QWidget):
    """Everything a person sees. Pages are made when they are first opened."""

    page_ready = Signal(object)
    """The name of the page that now shows what is in the home."""
    sample_wanted = Signal()

    def __init__(self, place: Workplace, *, page: str = "memory", sample: bool = False) -> None:
        super().__init__()
        self.setObjectName("window")
        self.setWindowTitle(tr("Hermes Memory Desk"))
        self.setMinimumSize(SMALLEST)
        self.resize(SIZE)
        self.asker: Asker = DialogAsker(self)
        self._place = place
        self._sample = sample
        self._pages: dict[str, Page] = {}
        self._welcome: WelcomePage | None = None
        self._current = page if page_spec(page) else PAGES[0].name
        self._sent: ProfileWanted | None = None
        self._notices: list[Notice] = []
        self._build()
        self._connect()
        self.open_page(self._current)

    # -- building -------------------------------------------------------------------------

    def _build(self) -> None:
        self.side = SideList(
            self._place.theme,
            tuple(SideEntry(spec.name, tr(spec.label), spec.bottom) for spec in LISTED),
        )
        self.search = SearchField()
        self._title = PlainLabel(name="page_title", role="title")
        self._subtitle = PlainLabel(name="page_subtitle", role="dim")
        self._buttons = ActionRow(name="header")
        header = QHBoxLayout()
        header.setContentsMargins(EDGE, 14, EDGE, 10)
        header.setSpacing(GRID)
        header.addWidget(self._title)
        header.addWidget(self._subtitle)
        header.addStretch(1)
        header.addWidget(self.search, 2)
        header.addWidget(self._buttons)
        self.banner = Banner(name="banner")
        bars = QVBoxLayout()
        bars.setContentsMargins(EDGE, 0, EDGE, 0)
        bars.addWidget(self.banner)
        self._stack = QStackedLayout()
        pages = QVBoxLayout()
        # Right of the cards runs a scroll bar, outside the line that cards and header share.
        pages.setContentsMargins(EDGE, 0, EDGE - BAR, 0)
        pages.addLayout(self._stack)
        self.footer = Footer(self._place)
        area = QWidget()
        area.setObjectName("page_area")
        column = QVBoxLayout(area)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(header)
        column.addLayout(bars)
        column.addLayout(pages, 1)
        column.addWidget(self.footer)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.side)
        row.addWidget(area, 1)

    @cached_property
    def toast(self) -> Toast:
        """Where it says what happened; made when there is something to say."""
        return Toast(self._place.theme, self)

    def _connect(self) -> None:
        place = self._place
        place.opened.connect(self._show_home)
        place.refused.connect(self._show_welcome)
        place.store_changed.connect(self._hear)
        place.said.connect(self._say)
        place.tasks.fault_happened.connect(self._tell_fault)
        place.page_wanted.connect(self.open_page)
        place.profile_wanted.connect(self._send_to_profile)
        self.side.page_wanted.connect(self._go)
        self.side.profile_wanted.connect(self._switch_profile)
        self.search.searched.connect(self._search)
        self.search.left.connect(self._focus_page)
        self.banner.acted.connect(self._dismiss)
        for keys, slot in (
            (KEYS, self.search.begin),
            ("Ctrl+Z", place.undo),
            ("Ctrl+Shift+Z", place.redo),
            ("Ctrl+Q", self.quit),
        ):
            QShortcut(QKeySequence(keys), self).activated.connect(slot)
        for number, spec in enumerate(LISTED, start=1):
            keys = "Ctrl+," if spec.bottom else f"Ctrl+{number}"
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.activated.connect(partial(self._go, spec.name))

    # -- pages ----------------------------------------------------------------------------

    def page(self) -> Page | None:
        """The page that is open, None while there is no home."""
        return self._pages.get(self._current)

    def _go(self, name: str) -> None:
        """Go where the person wants; what was said belongs to the page that is left."""
        if name != self._current:
            self._silence()
        self.open_page(name)

    def open_page(self, name: str, about: object = None) -> None:
        """Go to a page; made now if it was never opened before. `about` is for the page."""
        spec = page_spec(name)
        if spec is None:
            return
        before = self._current
        if before != name or about is not None:
            self.search.clear()  # while the page that is left can hear it
        self._current = name
        self.side.show_current(spec.parent or name)
        page = self._pages.get(name)
        if page is None:
            page = self._pages[name] = spec.kind_of_page()(self._place)
            page.header_changed.connect(self._show_header)
            page.became_ready.connect(self._tell_ready)
            self._stack.addWidget(page)
            if about is None:
                page.refresh()
        if about is not None:
            page.show_about(about)
        if self._welcome is None or self._place.desk is not None:
            self._stack.setCurrentWidget(page)
        self._show_header()
        if self.isVisible():
            page.take_focus()

    def load_of_page(self) -> Load | None:
        """What the page that is open wants to be read with the home."""
        page = self.page()
        return page.load if page is not None else None

    def _show_header(self) -> None:
        page = self.page()
        if page is None:
            return
        welcome = self._welcome is not None and self._place.desk is None
        self._title.setText(tr("Welcome") if welcome else page.title())
        self._subtitle.setText("" if welcome else page.subtitle())
        hint = "" if welcome else page.search_hint()
        self.search.setVisible(bool(hint))
        self.search.offer(hint)
        actions: list[tuple[QAction, str]] = []
        if not welcome:
            actions = [(action, "") for action in page.secondary()]
            primary = page.primary()
            if primary is not None:
                actions.append((primary, "primary"))
        self._buttons.offer(actions)

    def _search(self, text: str) -> None:
        page = self.page()
        if page is not None:
            page.search(text)

    def _focus_page(self) -> None:
        page = self.page()
        if page is not None:
            page.take_focus()

    def _tell_ready(self) -> None:
        for name, page in self._pages.items():
            if page is self.sender():
                if name == self._current and self.isVisible() and not self.search.hasFocus():
                    page.take_focus()
                self.page_ready.emit(name)

    # -- the home -------------------------------------------------------------------------

    def _show_home(self, opened: Opened) -> None:
        from gui.words import say_notice

        desk = opened.desk
        self._notices = [
            Notice(f"home_{notice.code}", say_notice(notice), action=tr("Got it"))
            for notice in desk.notices
        ]
        self._show_next_notice()
        self.side.offer_pages(True)
        self.footer.show_home(self._home_words(desk, Path.home()), "")
        for name, page in self._pages.items():
            page.show_opened(opened if name == self._current else Opened(desk))
            if name == self._current:
                self._stack.setCurrentWidget(page)
        self._show_header()
        sent, self._sent = self._sent, None
        if sent is not None and sent.profile == desk.home.profile:
            self.open_page(sent.page, sent.about)
        self._place.tasks.later(self, partial(self._look_around, desk))

    def _home_words(self, desk: Desk, person: Path) -> str:
        if self._sample:
            return tr("Sample home, a temporary copy")
        return short_path(desk.home.path, person)

    def _show_around(self, around: Around) -> None:
        desk = around.desk
        if desk is not self._place.desk:
            return
        profile = desk.home.profile
        names = around.profiles if profile in around.profiles else (*around.profiles, profile)
        self.side.show_profiles(names, profile)
        self.side.count("pending", around.pending)
        self.footer.show_home(
            self._home_words(desk, Path.home()), around.hermes, found=around.found
        )

    def _switch_profile(self, name: str) -> None:
        desk = self._place.desk
        if desk is None or name == desk.home.profile:
            return
        if not self._may_leave():
            self.side.profiles.setCurrentText(desk.home.profile)
            return
        self._place.open(desk.home.root, name, self.load_of_page())

    def _send_to_profile(self, wanted: ProfileWanted) -> None:
        """Lead to a page of another profile, if the person lets go of what is half typed."""
        desk = self._place.desk
        if desk is not None and self._may_leave():
            self._sent = wanted
            self._place.open(desk.home.root, wanted.profile, self.load_of_page())

    def open_other(self, path: Path) -> None:
        """Open another home, if the person lets go of what is half typed."""
        if self._may_leave():
            self._sample = False
            self._place.open(path, None, self.load_of_page())

    def _show_welcome(self, refusal: Refusal) -> None:
        self._sent = None
        if self._place.desk is not None:
            from gui.words import say

            self._say(Said(say(refusal)))
            self.side.profiles.setCurrentText(self._place.desk.home.profile)
            return
        if self._welcome is None:
            from gui.pages.welcome import WelcomePage

            self._welcome = WelcomePage(self._place)
            self._welcome.sample_wanted.connect(self.sample_wanted)
            self._welcome.home_made.connect(self._open_made)
            self._welcome.folder_wanted.connect(self._choose_folder)
            self._stack.addWidget(self._welcome)
        self._welcome.explain(refusal)
        self.side.offer_pages(False)
        self.footer.show_home(tr("No home is open"), "")
        self._stack.setCurrentWidget(self._welcome)
        self._show_header()
        self._welcome.take_focus()
        self.page_ready.emit("welcome")

    def _open_made(self, path: Path) -> None:
        self._place.open(path, None, self.load_of_page())
        self._say(Said(tr("The home is made. The agent will use it at its next start.")))

    def _choose_folder(self) -> None:
        path = self.asker.folder(title=tr("Choose a Hermes home"))
        if path is not None:
            self._place.open(path, None, self.load_of_page())

    def show_as_sample(self) -> None:
        """Say from now on that the open home is a sample."""
        self._sample = True

    # -- news -----------------------------------------------------------------------------

    def _look_around(self, desk: Desk) -> None:
        work = partial(look_around, desk, self._place.preferences.hermes)
        self._place.tasks.read(self, work, self._show_around)

    def _hear(self, changed: Changed) -> None:
        desk = self._place.desk
        if desk is not None and any(desk.home.pending(one) in changed.paths for one in QUEUES):
            self._look_around(desk)
        for page in self._pages.values():
            page.hear(changed)

    def _say(self, said: Said) -> None:
        self.toast.show_message(said.text, said.action, said.act)

    def _silence(self) -> None:
        if "toast" in vars(self):
            self.toast.hide()

    def _tell_fault(self, fault: Fault) -> None:
        self._notices.insert(
            0,
            Notice(
                "fault",
                tr("The desk goes on; the log says where it happened ({kind}).",
                   kind=type(fault.error).__name__),
                strong=tr("Something unforeseen went wrong."),
                tone="bad",
                action=tr("Got it"),
            ),
        )  # fmt: skip
        self._show_next_notice()

    def _show_next_notice(self) -> None:
        self.banner.show_notice(self._notices[0] if self._notices else None)

    def _dismiss(self, notice: Notice) -> None:
        self._notices = [other for other in self._notices if other != notice]
        self._show_next_notice()

    # -- the end --------------------------------------------------------------------------

    def _may_leave(self) -> bool:
        """Ask before a half-typed edit is lost: that could not be undone."""
        lost = next((text for page in self._pages.values() if (text := page.unsaved())), "")
        return not lost or self.asker.confirm(
            title=tr("Leave without saving?"), text=lost, yes=tr("Discard"), no=tr("Keep editing")
        )

    def quit(self) -> None:
        """End the desk, also where closing the window leaves it in the tray."""
        if self.close():
            QApplication.quit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Nobody below had a use for it: from the results too it ends the search.
        if event.key() == Qt.Key.Key_Escape and self.search.text():
            self.search.clear()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._may_leave():
            self._silence()
            super().closeEvent(event)
        else:
            event.ignore()


@frozen
class Around:
    """What stands around the pages: the other profiles, what waits, the installed Hermes."""

    desk: Desk
    profiles: tuple[str, ...]
    pending: int
    hermes: str
    found: bool


def look_around(desk: Desk, wished: str) -> Around:
    """Find what stands around the pages. `wished` is where the person says that Hermes is."""
    from store.hermes import Found, find

    found = find(env=desk.env, setting=wished)
    hermes = tr("no Hermes found")
    if isinstance(found, Found):
        hermes = f"hermes-agent {found.version}"
        if not found.tried:
            hermes = tr("{hermes} (not tried with this desk)", hermes=hermes)
    return Around(
        desk=desk,
        profiles=tuple(home.profile for home in desk.profiles()),
        pending=sum(desk.queue.count(one) or 0 for one in QUEUES),
        hermes=hermes,
        found=isinstance(found, Found),
    )
