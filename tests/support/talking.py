"""A program that a test talks with: JSON objects from it, words to it."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.conftest import ROOT

DEADLINE = 60.0
Said = dict[str, Any]


class Talking:
    """One running program of `tests/support`, ended with the `with` block."""

    def __init__(
        self, script: str, arguments: Sequence[str | Path], env: Mapping[str, str]
    ) -> None:
        self.all: list[Said] = []
        self._rest = b""
        self.process = subprocess.Popen(
            [sys.executable, "-P", str(ROOT / "tests" / "support" / script), *map(str, arguments)],
            env={**env, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self.process.stdout is not None
        os.set_blocking(self.process.stdout.fileno(), False)

    def __enter__(self) -> Talking:
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.kill()
        self.process.wait(DEADLINE)
        self.process.stdout.close()

    def tell(self, **what: object) -> None:
        """Give it an order."""
        self.write(json.dumps(what))

    def write(self, words: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(words.encode() + b"\n")
        self.process.stdin.flush()

    def heard(self) -> list[Said]:
        """All that it has said by now."""
        assert self.process.stdout is not None
        *lines, self._rest = (self._rest + (self.process.stdout.read() or b"")).split(b"\n")
        self.all.extend(json.loads(line) for line in lines)
        return self.all

    def wait(self, fits: Callable[[Said], bool], what: str) -> Said:
        """Wait until the last thing that it said fits."""
        end = time.monotonic() + DEADLINE
        while not self.heard() or not fits(self.all[-1]):
            assert self.process.stdout is not None
            left = end - time.monotonic()
            assert left > 0, f"waited in vain for {what}; it said {self.all[-5:]}"
            assert self.process.poll() is None, f"ended before {what}; it said {self.all[-5:]}"
            select.select([self.process.stdout], [], [], min(left, 1.0))
        return self.all[-1]

    def ended(self) -> int:
        """Wait for its end, and give its exit status."""
        return self.process.wait(DEADLINE)
