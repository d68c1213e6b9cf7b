"""Builds everything once, opens the window, and takes it down again."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QSize, Qt, QTimer
from PySide6.QtWidgets import QApplication

from gui.garbage import Garbage
from gui.i18n import ENGLISH, choose_language, language, tr, use_language
from gui.tasks import Fault, Tasks
from gui.theme import Theme
from gui.window import Window
from gui.workplace import Opened, Workplace, open_home
from schema.frozen import frozen

if TYPE_CHECKING:
    from gui.demo import SampleHome
    from gui.instance import First
    from gui.joining import Joining
    from gui.outside import Outside
    from gui.told import Told
    from store.preferences import Preferences
    from store.refusals import Refusal

SCREENSHOT_SIZE = (1200, 760)
SCREENSHOT_REST_MS = 20
SCREENSHOT_DEADLINE_MS = 30_000
UNDRAWN_MS = 100
"""So long the window waits for its page before it is drawn without."""


@frozen
class Options:
    """What the command line asks of the window.

    `screenshot` is a page and a file: draw that page into it and end. `language` ("en", "zh_CN"),
    `scheme` ("light", "dark", "contrast") and `size` come before the person's own choice; the
    environment may give the first two as MEMORY_DESK_LANGUAGE and MEMORY_DESK_SCHEME. `minimised`
    starts without a window in the way; who is `first` hears what later starts want.
    """

    home: Path | None = None
    profile: str | None = None
    page: str | None = None
    screenshot: tuple[str, Path] | None = None
    demo: bool = False
    language: str | None = None
    scheme: str | None = None
    size: tuple[int, int] | None = None
    minimised: bool = False
    first: First | None = None


def run(options: Options, env: Mapping[str, str] | None = None) -> int:
    """Open the window and stay until it is closed. The exit status of the program."""
    surroundings = dict(os.environ if env is None else env)
    preferences = _preferences(surroundings)
    wish = options.language or surroundings.get("MEMORY_DESK_LANGUAGE") or preferences.language
    use_language(choose_language(wish, surroundings))
    desk = Program(_application(), options, surroundings, preferences)
    try:
        return desk.run()
    finally:
        desk.close()


def _preferences(env: Mapping[str, str]) -> Preferences:
    from store.preferences import load_preferences

    return load_preferences(env=env).preferences


def _application() -> QApplication:
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication(["memory-desk"])
        app.setApplicationName("hermes-memory-desk")
        app.setDesktopFileName("hermes-memory-desk")
    if language() != ENGLISH:
        # Qt's own words: the menu of a text field, for one.
        from PySide6.QtCore import QLibraryInfo, QTranslator

        translator = QTranslator(app)
        folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        if translator.load(f"qtbase_{language()}", folder):
            app.installTranslator(translator)
    return app


class Program(QObject):
    """The parts of the running desk, and the order in which they come and go."""

    def __init__(
        self,
        app: QApplication,
        options: Options,
        env: dict[str, str],
        preferences: Preferences,
    ) -> None:
        super().__init__()
        self._app = app
        self._options = options
        self._env = env
        self._preferences = preferences
        self._samples: list[SampleHome] = []
        self._status = 0
        self._closed = False
        self._told: Told | None = None
        self._outside: Outside | None = None
        self._joining: Joining | None = None
        self._excepthook = sys.excepthook
        scheme = options.scheme or env.get("MEMORY_DESK_SCHEME") or preferences.colour_scheme
        self._garbage = Garbage(self)
        self._undrawn = QTimer(self, singleShot=True, interval=UNDRAWN_MS)
        self._undrawn.timeout.connect(self._draw)
        self.tasks = Tasks(partial(_log_fault, env))
        self.theme = Theme(app, scheme)
        self.place = Workplace(self.tasks, self.theme, env, preferences)
        page = options.screenshot[0] if options.screenshot else options.page or "memory"
        self.window = Window(self.place, page=page, sample=options.demo)
        self.window.sample_wanted.connect(self.open_sample)
        sys.excepthook = self._unforeseen

    def run(self) -> int:
        """Show the window and stay until it is closed."""
        self.open()
        status = self._app.exec()
        return self._status or status

    def open(self) -> None:
        """Show the window; the home is read meanwhile."""
        if self._options.demo:
            self.open_sample()
        else:
            self.place.open(self._options.home, self._options.profile, self.window.load_of_page())
        if self._options.screenshot is not None:
            self._prepare_screenshot()
        elif self._options.size is not None:
            self.window.resize(QSize(*self._options.size))
        elif self._preferences.geometry:
            from PySide6.QtCore import QByteArray

            saved = QByteArray.fromBase64(self._preferences.geometry.encode())
            self.window.restoreGeometry(saved)
        if self._options.minimised:
            self._be_told()
            return
        if self._options.screenshot is None:
            # Drawn for the first time with its page, if that does not take long.
            self.window.setUpdatesEnabled(False)
            self._undrawn.start()
            self.window.page_ready.connect(self._page_is_there)
        self.window.show()

    def _draw(self) -> None:
        self._undrawn.stop()
        self.window.setUpdatesEnabled(True)

    def _page_is_there(self, _: object) -> None:
        self.window.page_ready.disconnect(self._page_is_there)
        self._draw()
        self.tasks.later(self, self._be_told)

    def _be_told(self) -> None:
        """Listen to what comes from outside; none of it is loaded before the first frame."""
        self.tasks.later(self, self._look_back)
        if self._options.first is not None:
            from gui.joining import Joining

            self._joining = Joining(self.place, self.window, self._options.first)
        if not self._options.demo:
            self.tasks.later(self, self._tell_what_waits)

    def _tell_what_waits(self) -> None:
        from gui.told import Told

        self._told = Told(self.place, self.window, minimised=self._options.minimised)

    def _look_back(self) -> None:
        from gui.outside import Outside

        self._outside = Outside(self.place)

    def open_sample(self) -> None:
        """Open a temporary copy of the sample home."""
        work = partial(_open_sample, self._samples, self._env, self.window.load_of_page())
        self.tasks.read(self, work, self._sample_opened)

    def close(self) -> None:
        """End all work, remember the window's place, remove the sample. Once is enough."""
        if self._closed:
            return
        self._closed = True
        self._undrawn.stop()
        sys.excepthook = self._excepthook
        for part in (self._told, self._joining):
            if part is not None:
                part.close()
        if self._options.screenshot is None and self._options.size is None:
            geometry = bytes(self.window.saveGeometry().toBase64().data()).decode()
            if geometry != self._preferences.geometry:
                work = partial(_keep_geometry, self._env, geometry)
                self.tasks.write(self, work, _nothing)
        self.window.hide()
        self.place.close()
        if self._options.first is not None:
            self._options.first.close()
        self.window.deleteLater()
        self._garbage.close()
        for sample in self._samples:
            sample.remove()

    def _sample_opened(self, opened: Opened | Refusal) -> None:
        self.window.show_as_sample()
        if isinstance(opened, Opened):
            self.place.env = opened.desk.env
        self.place.take(opened)

    def _unforeseen(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        """Log what nobody foresaw in the UI thread, and go on."""
        self._excepthook(kind, error, trace)
        if isinstance(error, Exception):
            self.tasks.write(self, partial(_log_fault, self._env, "window", error), _nothing)
            self.tasks.fault_happened.emit(Fault("window", error))

    # -- the picture ----------------------------------------------------------------------

    def _prepare_screenshot(self) -> None:
        self.window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        self.window.resize(QSize(*(self._options.size or SCREENSHOT_SIZE)))
        # Queued: what the window asks for together with the page is then on its way.
        self.window.page_ready.connect(self._watch_for_rest, Qt.ConnectionType.QueuedConnection)
        QTimer.singleShot(SCREENSHOT_DEADLINE_MS, self, self._give_up)

    def _watch_for_rest(self, _: object) -> None:
        self.window.page_ready.disconnect(self._watch_for_rest)
        self.tasks.became_idle.connect(self._take_picture)
        if not self.tasks.busy:
            self._take_picture()

    def _take_picture(self) -> None:
        self.tasks.became_idle.disconnect(self._take_picture)
        # What was just told to the widgets is laid out in the next turn of the event loop.
        QTimer.singleShot(0, self, self._save_picture)

    def _save_picture(self) -> None:
        if self._options.screenshot is None:
            return
        from gui.widgets.cards import CardList

        self.window.grab()  # lists get their size by it; a long one takes some turns after that
        lists = self.window.findChildren(CardList)
        if not all(cards.is_laid_out() for cards in lists if cards.isVisible()):
            QTimer.singleShot(SCREENSHOT_REST_MS, self, self._save_picture)
            return
        path = self._options.screenshot[1]
        picture = self.window.grab().toImage()
        self.tasks.write(self, partial(picture.save, str(path), "PNG"), self._picture_saved)

    def _picture_saved(self, saved: bool) -> None:
        if not saved and self._options.screenshot is not None:
            file = self._options.screenshot[1]
            sys.stderr.write(tr("The picture cannot be written to {file}.", file=file) + "\n")
        self._status = 0 if saved else 1
        self._app.quit()

    def _give_up(self) -> None:
        sys.stderr.write(tr("The page did not become ready in time.") + "\n")
        self._status = 1
        self._app.quit()


def _open_sample(samples: list[SampleHome], env: dict[str, str], load: Any) -> Opened | Refusal:
    from gui.demo import SampleHome

    sample = SampleHome()
    # Noted at once: it is removed even if the window is closed before it hears of it.
    samples.append(sample)
    return open_home(sample.home, None, sample.env(env), load)


def _keep_geometry(env: Mapping[str, str], geometry: str) -> None:
    from store.preferences import change_preferences

    change_preferences(env=env, geometry=geometry)


def _log_fault(env: Mapping[str, str], name: str, error: BaseException) -> None:
    from store.log import Log
    from store.preferences import log_dir

    log = Log(log_dir(env))
    log.fault(name, error)
    log.close()


def _nothing(_: object) -> None:
    """Take an answer that nobody needs."""
