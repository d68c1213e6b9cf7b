"""Asks whether Hermes really has the keys: a child of its interpreter starts as Hermes does.

It reports which names are set and who supplied them, never a value. Its environment has none of
the names that are asked about, so what is set came by the way that is checked, or from `.env`.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from schema.frozen import frozen
from store.hermes import Found
from store.home import HermesHome
from store.secrets.handover_config import NAME

LIMIT_SECONDS = 90.0

_ASK = """
import json, os, sys
names = json.load(sys.stdin)
answer, sys.stdout = sys.stdout, sys.stderr
import hermes_cli.main
from hermes_cli.plugins import discover_plugins
discover_plugins()
from hermes_cli.env_loader import get_secret_source
try:
    from agent.secret_sources.registry import get_source
    known = get_source(%r) is not None
except ImportError:
    known = False
found = {name: get_secret_source(name) or "" for name in names if os.environ.get(name)}
json.dump({"found": found, "known": known}, answer)
"""


@frozen
class Checked:
    """What a process of Hermes has. `set_names` are there, `from_desk` by way of the handover.

    `said` is what it said about the desk on the way, `failed` why it could not be asked at all.
    """

    set_names: tuple[str, ...] = ()
    from_desk: tuple[str, ...] = ()
    known: bool = False
    said: str = ""
    failed: str = ""


def check(
    home: HermesHome,
    hermes: Found,
    names: Sequence[str],
    *,
    env: Mapping[str, str],
    limit: float = LIMIT_SECONDS,
) -> Checked:
    """Start Hermes' interpreter on `home` and look which of `names` it has. Takes seconds."""
    surroundings = {name: value for name, value in env.items() if name not in names}
    surroundings |= {"HERMES_HOME": str(home.path), "PYTHONDONTWRITEBYTECODE": "1"}
    surroundings.pop("PYTHONPATH", None)
    try:
        done = subprocess.run(
            [hermes.python, "-c", _ASK % NAME],
            input=json.dumps(list(names)),
            env=surroundings,
            cwd=Path(home.path),
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=limit,
            check=False,
        )
        answer = json.loads(done.stdout)
        found = dict(answer["found"])
    except subprocess.TimeoutExpired:
        return Checked(failed="timeout")
    except (OSError, ValueError, KeyError, TypeError) as error:
        return Checked(failed=type(error).__name__)
    said = [line.strip() for line in done.stderr.splitlines() if "Memory Desk:" in line]
    desk = (NAME, "command")
    return Checked(
        tuple(name for name in names if name in found),
        tuple(name for name in names if found.get(name) in desk),
        bool(answer.get("known")),
        said[-1] if said else "",
    )


def launcher(command: Sequence[str], home: HermesHome, program: str = "hermes") -> str:
    """A small script that starts `program` with the keys of `home`, by `secrets exec`."""
    import shlex

    words = [*command, "--home", str(home.path), "secrets", "exec", "--", program]
    if os.name == "nt":
        return "@echo off\r\n" + subprocess.list2cmdline(words) + " %*\r\n"
    return f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n'
