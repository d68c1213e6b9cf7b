"""The real agent as a partner of tests: a process of its own that works on a home."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any, Self

WORKER = Path(__file__).with_name("agent_worker.py")


class Agent:
    """hermes-agent 0.19.0 on one home; a context manager."""

    def __init__(
        self,
        python: Path,
        home: Path,
        *,
        memory: int = 2200,
        user: int = 1375,
        worker: Path = WORKER,
        **env: str,
    ) -> None:
        self.limits = [memory, user]
        self._process = subprocess.Popen(
            [python, "-P", worker],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"HERMES_HOME": str(home)} | env,
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
        self.send(do, **request)
        return self.answer()

    def send(self, do: str, **request: Any) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        stdin.write(json.dumps({"do": do, "limits": self.limits} | request) + "\n")
        stdin.flush()

    def answer(self) -> dict[str, Any]:
        stdout = self._process.stdout
        assert stdout is not None
        return dict(json.loads(stdout.readline()))

    def add(self, target: str, text: str) -> dict[str, Any]:
        return self.ask("operate", method="add", target=target, args=[text])

    def replace(self, target: str, old: str, new: str) -> dict[str, Any]:
        return self.ask("operate", method="replace", target=target, args=[old, new])

    def remove(self, target: str, old: str) -> dict[str, Any]:
        return self.ask("operate", method="remove", target=target, args=[old])

    def batch(self, target: str, operations: list[dict[str, Any]]) -> dict[str, Any]:
        return self.ask("operate", method="apply_batch", target=target, args=[operations])

    def blocks(self) -> dict[str, str]:
        return self.ask("blocks")
