"""A rotating file that only its owner may read."""

from __future__ import annotations

import logging
import logging.handlers
import os
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path

MAX_BYTES = 512 * 1024
KEPT_FILES = 3


class PrivateFile(logging.handlers.RotatingFileHandler):
    """The file at `path` (0600, in a folder of 0700), made when the first line is written."""

    def __init__(self, path: Path, *, max_bytes: int = MAX_BYTES) -> None:
        super().__init__(
            path, maxBytes=max_bytes, backupCount=KEPT_FILES, encoding="utf-8", delay=True
        )
        formatter = logging.Formatter("%(asctime)s %(levelname)s %(message)s")
        formatter.default_msec_format = "%s.%03d"
        self.setFormatter(formatter)

    def write(self, level: str, text: str) -> None:
        """Add one line, or several that belong together."""
        number = logging.getLevelNamesMapping()[level]
        self.handle(logging.LogRecord("memory-desk", number, "", 0, text, None, None))

    def _open(self) -> TextIOWrapper:
        os.makedirs(os.path.dirname(self.baseFilename), mode=0o700, exist_ok=True)
        handle = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        if os.name != "nt":
            with suppress(OSError):
                os.fchmod(handle, 0o600)
        return os.fdopen(handle, "a", encoding="utf-8")

    def handleError(self, record: logging.LogRecord) -> None:
        """Stay silent: a full disk must not stop the desk."""
