"""Asks a plugin for its own declaration: the one thing here that runs its code.

It runs in a process of its own with Hermes' interpreter, for a few seconds, with an environment
that holds no secret. Its home, its Hermes home and its folder for temporary files are one new
folder that is removed afterwards; a plugin of a home is copied there, so its own folder is not
written to either. That is no prison: a plugin that means harm can still reach what the person can,
which is why it is asked only after a yes for exactly this code.
"""

from __future__ import annotations

import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from schema.frozen import frozen
from store.providers.catalogue_row import Row

SECONDS = 5.0
MAX_BYTES = 2 << 20
_MAX_COPY = 64 << 20

# What the child runs. Its answer goes to the descriptor that was its standard output; what the
# plugin prints goes nowhere.
_CHILD = r"""
import dataclasses, importlib, json, os, sys
answer = os.dup(1)
nowhere = os.open(os.devnull, os.O_WRONLY)
os.dup2(nowhere, 1)
os.dup2(nowhere, 2)
try:
    import resource
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 20, 64 << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
except Exception:
    pass

class Collector:
    provider = None
    def register_memory_provider(self, provider):
        self.provider = provider
    def __getattr__(self, name):
        return lambda *args, **more: None

def of_module(module):
    collector = Collector()
    if hasattr(module, "register"):
        module.register(collector)
    if collector.provider is None:
        from agent.memory_provider import MemoryProvider
        for value in vars(module).values():
            is_class = isinstance(value, type) and value is not MemoryProvider
            if is_class and issubclass(value, MemoryProvider):
                return value()
    return collector.provider

def plain(value):
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    return str(value)

def ask():
    source, name, module = sys.argv[1:4]
    if source == "package":
        provider = of_module(importlib.import_module(module))
    else:
        from plugins.memory import load_memory_provider
        provider = load_memory_provider(name)
    if provider is None:
        raise LookupError("it registered no memory provider")
    return provider.get_config_schema()

try:
    said = {"answer": ask()}
except BaseException as error:
    said = {"error": (type(error).__name__ + ": " + str(error))[:500]}
data = json.dumps(said, default=plain).encode()
while data:
    data = data[os.write(answer, data):]
os._exit(0)
"""


@frozen
class Answered:
    """What the plugin said, as JSON has it."""

    value: Any


@frozen
class NoAnswer:
    """Why there is none. `problem` is one of `gui/provider_words.py`."""

    problem: str
    detail: str = ""


def ask_plugin(
    row: Row,
    *,
    python: Path,
    module: str = "",
    env: Mapping[str, str],
    seconds: float = SECONDS,
) -> Answered | NoAnswer:
    """Run the plugin's code once and read its declaration. The caller has a person's yes."""
    with tempfile.TemporaryDirectory(prefix="memory-desk-ask-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        home = folder / "hermes"
        (home / "plugins").mkdir(parents=True)
        if row.source in ("user", "project") and row.path is not None:
            try:
                _copy(row.path, home / "plugins" / row.name)
            except (OSError, shutil.Error) as error:
                return NoAnswer("ask_no_start", str(error)[:200])
        command = [str(python), "-I", "-B", "-c", _CHILD, row.source, row.name, module]
        said = _run(command, folder, _clean(folder, home, env), seconds)
    if isinstance(said, NoAnswer):
        return said
    try:
        data = json.loads(said)
    except (ValueError, RecursionError):
        return NoAnswer("ask_no_json")
    if not isinstance(data, dict) or "answer" not in data:
        detail = str(data.get("error", "")) if isinstance(data, dict) else ""
        return NoAnswer("ask_raised", detail)
    return Answered(data["answer"])


def _clean(folder: Path, home: Path, env: Mapping[str, str]) -> dict[str, str]:
    """An environment with no secret and no way to the person's own folders."""
    kept = {
        name: env.get(name, os.environ.get(name, ""))
        for name in ("SYSTEMROOT", "WINDIR", "COMSPEC", "PATHEXT")
    }
    return {name: value for name, value in kept.items() if value} | {
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
        "HOME": str(folder),
        "USERPROFILE": str(folder),
        "TMPDIR": str(folder),
        "TEMP": str(folder),
        "TMP": str(folder),
        "HERMES_HOME": str(home),
        "HERMES_DISABLE_LAZY_INSTALLS": "1",
    }


def _copy(source: Path, target: Path) -> None:
    """The plugin's folder without links, special files and what Python compiled."""
    left = _MAX_COPY

    def ignore(folder: str, names: list[str]) -> set[str]:
        nonlocal left
        out = set()
        for name in names:
            path = Path(folder, name)
            if name in ("__pycache__", ".git", "node_modules") or path.is_symlink():
                out.add(name)
            elif not path.is_dir():
                if not path.is_file():
                    out.add(name)
                    continue
                left -= path.stat().st_size
                if left < 0:
                    raise OSError("the plugin's folder is too large to copy")
        return out

    shutil.copytree(source, target, ignore=ignore, symlinks=True)


def _run(command: list[str], folder: Path, env: dict[str, str], seconds: float) -> bytes | NoAnswer:
    try:
        child = subprocess.Popen(
            command,
            cwd=folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=os.name != "nt",
        )
    except OSError as error:
        return NoAnswer("ask_no_start", error.strerror or str(error))
    try:
        return _read(child, time.monotonic() + seconds)
    finally:
        _end(child)


def _read(child: subprocess.Popen[bytes], end: float) -> bytes | NoAnswer:
    """What the child says until it closes its end, within limits of time and size."""
    if child.stdout is None:
        raise TypeError("the child was started without a pipe")
    handle = child.stdout.fileno()
    parts: list[bytes] = []
    size = 0
    with selectors.DefaultSelector() as selector:
        selector.register(handle, selectors.EVENT_READ)
        while True:
            left = end - time.monotonic()
            if left <= 0 or not selector.select(left):
                return NoAnswer("ask_timeout")
            part = os.read(handle, 1 << 16)
            if not part:
                return b"".join(parts)
            parts.append(part)
            size += len(part)
            if size > MAX_BYTES:
                return NoAnswer("ask_too_much")


def _end(child: subprocess.Popen[bytes]) -> None:
    """End the child and everything that it started in its group."""
    if sys.platform == "win32":
        child.kill()
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    if child.stdout is not None:
        child.stdout.close()
