"""A process that opens a window, says when its first usable frame is drawn, and ends.

Argument: `empty` for a bare PySide6 window, else the Hermes home to open in the desk's. Prints
the moment (the system's monotonic clock, nanoseconds) and the memory held then (resident, KiB).
"""

import sys
import time
from pathlib import Path


def report() -> None:
    moment = time.monotonic_ns()
    status = Path("/proc/self/status").read_text()
    held = next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS:"))
    print(moment, held, flush=True)


def empty() -> None:
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication, QMainWindow

    app = QApplication([])
    window = QMainWindow()
    window.resize(1200, 760)
    window.show()

    def drawn() -> None:
        window.repaint()
        report()
        app.quit()

    QTimer.singleShot(0, drawn)
    app.exec()


def desk(home: str) -> None:
    import os

    from gui.cli import load_window

    load_window()
    from PySide6.QtCore import Qt

    from gui import app as desk_app
    from gui.i18n import use_language

    use_language("en")
    env = dict(os.environ)
    program = desk_app.Program(
        desk_app._application(),
        desk_app.Options(home=Path(home), size=(1200, 760)),
        env,
        desk_app._preferences(env),
    )

    def drawn(_: object) -> None:
        program.window.repaint()
        report()
        program._app.quit()

    program.window.page_ready.connect(drawn, Qt.ConnectionType.QueuedConnection)
    program.run()
    program.close()


if sys.argv[1] == "empty":
    empty()
else:
    desk(sys.argv[1])
