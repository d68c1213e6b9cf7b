"""The real agent's database of conversations as a partner of tests: a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any, Self

WORKER = Path(__file__).with_name("sessions_worker.py")


class SessionAgent:
    """hermes-agent 0.19.0 with the state.db of one home open; a context manager."""

    def __init__(self, python: Path, home: Path) -> None:
        self._process = subprocess.Popen(
            [python, "-P", WORKER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"HERMES_HOME": str(home)},
            encoding="utf-8",
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.close()
        self._process.wait(timeout=60)
        stdout.close()

    def ask(self, do: str, **request: Any) -> dict[str, Any]:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(json.dumps({"do": do} | request) + "\n")
        stdin.flush()
        return dict(json.loads(stdout.readline()))

    def call(self, method: str, *args: Any, **options: Any) -> Any:
        """A method of the agent's SessionDB."""
        return self.ask("call", method=method, args=args, options=options)["result"]

    def search(self, *queries: str, **options: Any) -> list[list[int]]:
        """The ids of the messages that the agent finds, by query."""
        found = self.ask("search", q=queries, options=options)["found"]
        assert isinstance(found, list)
        return found
