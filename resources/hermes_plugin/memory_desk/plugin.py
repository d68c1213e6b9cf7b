"""Gives Hermes the keys that Hermes Memory Desk keeps in the keyring of the operating system.

Runs inside Hermes, with the standard library only. It starts `memory-desk secrets export` by the
path that was recorded when it was installed, and never asks anybody for anything: where that gives
nothing, Hermes starts without these keys and says why in one line. `memory-desk secrets handover
--undo` removes it.
"""

import json
import os
import subprocess
import time
from pathlib import Path

from agent.secret_sources.base import ErrorKind, FetchResult, SecretSource

LIMIT_SECONDS = 3.0
FRESH_SECONDS = 10.0
COMMAND = Path(__file__).with_name("command.json")
KEPT = (
    *("PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TMPDIR", "TEMP", "TMP"),
    *("USERPROFILE", "APPDATA", "LOCALAPPDATA", "SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC"),
    *("DBUS_SESSION_BUS_ADDRESS", "PYTHON_KEYRING_BACKEND"),
)
"""What the desk needs of the environment; Hermes' own has keys in it by now."""


class MemoryDesk(SecretSource):
    """One source of all the keys of a home."""

    name = "memory_desk"
    label = "Memory Desk"
    shape = "bulk"

    def __init__(self):
        self._last = None

    def fetch(self, cfg, home_path):
        """Ask the desk once; a newer Hermes asks again by itself right after."""
        home = os.path.abspath(str(home_path))
        if self._last and self._last[0] == home and time.monotonic() < self._last[1]:
            return FetchResult(secrets=dict(self._last[2]))
        secrets, why, kind = ask(home)
        self._last = (home, time.monotonic() + FRESH_SECONDS, secrets)
        result = FetchResult(secrets=dict(secrets))
        if why:
            result.error = " ".join(why.split())
            result.error_kind = kind
        return result


def ask(home):
    """The keys of `home`, and why there are none: (keys, reason, kind of error)."""
    try:
        command = json.loads(COMMAND.read_text(encoding="utf-8"))["command"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}, "no keys: its command.json cannot be read; repair it in the desk", _NO_PROGRAM
    environment = {
        name: value
        for name, value in os.environ.items()
        if name in KEPT or name.startswith(("XDG_", "LC_", "MEMORY_DESK_"))
    }
    try:
        done = subprocess.run(
            [*command, "--home", home, "--json", "secrets", "export"],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=LIMIT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {}, f"no keys: it did not answer within {LIMIT_SECONDS:g} s", ErrorKind.TIMEOUT
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return {}, f"no keys: {command[0]} cannot be started ({reason})", _NO_PROGRAM
    try:
        answer = json.loads(done.stdout.decode("utf-8"))
        secrets = {str(name): str(value) for name, value in answer.get("secrets", {}).items()}
    except (ValueError, AttributeError):
        return {}, f"no keys: the desk ended with status {done.returncode}", ErrorKind.INTERNAL
    message = "" if answer.get("ok") else str(answer.get("message") or "the desk gave no keys")
    locked = answer.get("reason") == "keyring_locked"
    return secrets, message, ErrorKind.AUTH_FAILED if locked else ErrorKind.NOT_CONFIGURED


def register(ctx):
    """Called by Hermes when it loads its plugins."""
    ctx.register_secret_source(MemoryDesk())
    # Hermes 0.19 has loaded its environment by now, before there was this source, and would not
    # ask again; so this very process would be the one without the keys.
    try:
        from hermes_cli import env_loader
        from hermes_constants import get_hermes_home

        env_loader.reset_secret_source_cache()
        env_loader.load_hermes_dotenv(hermes_home=get_hermes_home())
    except Exception as error:  # a Hermes in which this is done in another way
        import logging

        logging.getLogger(__name__).warning("keys were not loaded again: %s", type(error).__name__)


_NO_PROGRAM = ErrorKind.BINARY_MISSING
