"""What is loaded until the first page shows a home, and what is not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

OPEN = """
import builtins, os, sys
from pathlib import Path
from gui.cli import load_window

load_window()
from PySide6.QtCore import Qt
from gui.app import Options, Program, _application, _preferences

env = dict(os.environ)
program = Program(_application(), Options(home=Path(sys.argv[1]), size=(900, 600)), env,
                  _preferences(env))

def ready(page):
    print(page, builtins.__import__.__name__, *sorted(sys.modules))
    program._app.quit()

program.window.page_ready.connect(ready, Qt.ConnectionType.QueuedConnection)
program.run()
program.close()
"""


def test_a_usual_home_opens_without_what_other_pages_need(
    hermes_home: Path, desk_dirs: object
) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", OPEN, str(hermes_home)],
        env=dict(os.environ) | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    page, importer, *modules = done.stdout.split()
    assert page == "memory"
    assert importer != "__feature_import__", "it reads the source of every module"
    late = {"yaml", "sqlite3", "keyring", "gui.pages.pending", "gui.pages.settings"}
    late |= {"socket", "jeepney", "gui.joining", "gui.told", "gui.tray", "gui.notify"}
    late |= {"argparse", "dataclasses", "gettext", "hashlib", "inspect", "json", "store.journal"}
    late |= {"gui.advice_words", "store.advice.judge", "gui.models.entry_marks"}
    assert not late & set(modules)


WRONG_CALL = """
from PySide6.QtCore import QObject

try:
    QObject().setObjectName(3)
except TypeError as error:
    print(error)
print(QObject.setObjectName.__doc__)
"""
LATE = """
import sys
from gui.qt_loading import load_qt

load_qt()
assert "_parse_line" not in vars(sys.modules["shibokensupport.signature.parser"])
"""


def test_what_pyside_brings_for_its_own_tools_is_executed_when_it_is_needed() -> None:
    """A wrong call is told what would have been right, as it is without us."""
    said = [
        subprocess.run(
            [sys.executable, "-P", "-c", before + WRONG_CALL],
            env=dict(os.environ) | {"PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=100,
            check=True,
        ).stdout
        for before in ("", LATE)
    ]
    assert "Supported signatures" in said[0]
    assert said[1] == said[0]
