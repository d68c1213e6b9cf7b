"""What lets Hermes itself take its keys from the keyring, by what its version offers.

*plugin*: a folder in the home's `plugins`, and two keys in config.yaml (hermes-formats §8.2).
*command*: two keys in config.yaml, for a newer Hermes that has such a source. Both start this desk
by the path recorded here. What is changed is recorded in the desk's data folder before it is, as
the pieces put in and digests around them, never as the file itself: config.yaml may hold keys.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from collections.abc import Mapping
from contextlib import suppress
from importlib import resources
from pathlib import Path
from typing import Any, Literal

from schema.frozen import frozen
from store.config import ConfigFile, read_config
from store.files import Content, Disk, digest_of
from store.hermes import Found, find
from store.home import HermesHome
from store.managed import managed_refusal
from store.preferences import data_dir, load_preferences
from store.refusals import (
    Conflict,
    NotFound,
    Refusal,
    Unreadable,
    Unsupported,
)
from store.secrets.handover_config import (
    COMMAND,
    ENABLED,
    NAME,
    Method,
    Planned,
    Record,
    Splice,
    Step,
    as_before,
    config_without,
    list_at,
    missing,
    planned,
    runs_the_desk,
    value_at,
)
from store.secrets.index import profile_id, root_id
from store.yaml_values import at

State = Literal["off", "on", "partly", "broken"]

PLUGIN_FILES = {"__init__.py": "plugin.py", "plugin.yaml": "plugin.yaml"}
"""By their name in Hermes' folder, where the files lie here, where they are no package."""

COMMAND_FILE = "command.json"
OURS = b"author: Hermes Memory Desk"
UNCOVERED: Mapping[Method, tuple[str, ...]] = {
    "plugin": (
        *("hermes memory status", "hermes status", "hermes config get", "hermes skills list"),
        *("hermes plugins list", "hermes curator status", "hermes sessions list"),
    ),
    "command": (),
    "none": (),
}
"""Commands of Hermes that load no plugins, so that they do not see the keys."""


@frozen
class Handover:
    """Which way is on. `fits` is the one that this Hermes can use.

    `state` is *broken* where what was recorded is gone (`missing`), *partly* where only half of it
    is there. `uncovered` are commands for which it does not work.
    """

    method: Method
    fits: Method
    state: State
    command: tuple[str, ...] = ()
    missing: str = ""

    @property
    def uncovered(self) -> tuple[str, ...]:
        """Commands for which the way that is on does not work."""
        return UNCOVERED[self.method]


@frozen
class Changed:
    """What was installed or removed. `exact`: every byte is as it was before it was installed."""

    method: Method
    changed: tuple[str, ...]
    exact: bool = True


def desk_command() -> tuple[str, ...]:
    """How another program starts this desk: absolute, and without a shell."""
    if getattr(sys, "frozen", False):
        return (os.path.abspath(sys.executable),)
    script = Path(sys.executable).with_name("memory-desk.exe" if os.name == "nt" else "memory-desk")
    if script.is_file():
        return (str(script),)
    # -P: a folder named gui in the current directory is not ours.
    python, root = os.path.abspath(sys.executable), Path(__file__).resolve().parents[2]
    if Path(sys.prefix) == root / ".venv":
        return (python, "-P", "-m", "gui")
    # A checkout under a Python that does not know of it by itself.
    start = f"import sys; sys.path.insert(0, {str(root)!r}); from gui.cli import main"
    return (python, "-P", "-c", f"{start}; sys.exit(main())")


def fitting_method(hermes: Found | NotFound) -> Method:
    """Which way the installed Hermes offers: by what is there, not by its number."""
    if isinstance(hermes, Found) and hermes.plugins_dir is not None and os.name != "nt":
        package = hermes.plugins_dir.parent.parent
        if (package / "agent" / "secret_sources" / "command.py").is_file():
            return "command"
    return "plugin"


class HandoverOf:
    """The handover of one home."""

    def __init__(
        self,
        home: HermesHome,
        *,
        disk: Disk,
        env: Mapping[str, str] = os.environ,
        command: tuple[str, ...] | None = None,
    ) -> None:
        """`command` is how Hermes is to start the desk; nothing is read before the first call."""
        self.home = home
        self.disk = disk
        self.env = env
        self.command = command or desk_command()
        self.folder = home.path / "plugins" / NAME
        self.record_file = data_dir(env) / "handover" / root_id(home) / f"{profile_id(home)}.json"

    def hermes(self) -> Found | NotFound:
        """The installed Hermes."""
        return find(env=self.env, setting=load_preferences(env=self.env).preferences.hermes)

    # -- looking -----------------------------------------------------------------------------

    def look(self) -> Handover | Refusal:
        """Which way is on, as the files say. Starts nothing and asks no keyring."""
        config = read_config(self.home, disk=self.disk)
        if not isinstance(config, ConfigFile):
            return config
        fits = fitting_method(self.hermes())
        data = config.yaml.data
        if runs_the_desk(data):
            command = tuple(shlex.split(str(at(data, COMMAND))))
            return self._judged("command", fits, command, complete=True)
        recorded = self._recorded_command()
        enabled = NAME in list_at(data, ENABLED) and NAME not in list_at(
            data, ("plugins", "disabled")
        )
        source = bool(value_at(data, ("secrets", NAME, "enabled")))
        there = all((self.folder / name).is_file() for name in PLUGIN_FILES)
        if not (enabled or source or recorded or there):
            return Handover("none", fits, "off")
        complete = enabled and source and there and bool(recorded)
        return self._judged("plugin", fits, recorded, complete=complete)

    def _judged(
        self, method: Method, fits: Method, command: tuple[str, ...], *, complete: bool
    ) -> Handover:
        program = command[0] if command else ""
        if complete and not os.path.isfile(program):
            return Handover(method, fits, "broken", command, program)
        return Handover(method, fits, "on" if complete else "partly", command)

    def _recorded_command(self) -> tuple[str, ...]:
        content = self.disk.read(self.folder / COMMAND_FILE)
        try:
            data = json.loads((content.data or b"") if isinstance(content, Content) else b"")
            return tuple(map(str, data["command"]))
        except (ValueError, KeyError, TypeError):
            return ()

    # -- on ----------------------------------------------------------------------------------

    def apply(self, method: Method | None = None) -> Changed | Refusal:
        """Install what this Hermes needs, or mend it; `changed` are the files that differ now."""
        chosen = method or fitting_method(self.hermes())
        for key in (f"secrets.{NAME}.enabled", "plugins.enabled", "secrets.command.command"):
            managed = managed_refusal(self.home, key, disk=self.disk, env=self.env)
            if managed is not None:
                return managed
        config = read_config(self.home, disk=self.disk)
        if not isinstance(config, ConfigFile):
            return config
        known = self._read_record()
        base = as_before(config, known, newline=self.disk.newline)
        steps = self._steps(chosen, base.yaml.data)
        if not isinstance(steps, list):
            return steps
        files = self._files() if chosen == "plugin" else {}
        taken = self._taken() if files else None
        if taken is not None:
            return taken
        plan = planned(base, steps, self.disk.newline)
        if not isinstance(plan, Planned):
            return plan
        recorded = self._write_record(chosen, known, base, plan)
        if recorded is not None:
            return recorded
        changed = []
        for path, data in files.items():
            done = self._put(path, data)
            if isinstance(done, bool):
                changed += [str(path)] if done else []
            else:
                return done
        if plan.data != (config.content.data or b""):
            refused = self.disk.replace(config.content, plan.data)
            if refused is not None:
                return refused
            changed.append(str(self.home.config))
        return Changed(chosen, tuple(changed))

    def _steps(self, method: Method, data: Mapping[Any, Any]) -> list[Step] | Refusal:
        if method == "command":
            now = value_at(data, COMMAND)
            if now and not runs_the_desk(data):
                return Unsupported("handover_taken", "secrets.command")
            words = [*self.command, "--home", str(self.home.path), "secrets", "export"]
            return [
                Step(("secrets", "command", "enabled"), True),
                Step(COMMAND, shlex.join(words)),
            ]
        if NAME in list_at(data, ("plugins", "disabled")):
            return Unsupported("handover_disabled", "plugins.disabled")
        return [Step(("secrets", NAME, "enabled"), True), Step(ENABLED, NAME, item=True)]

    def _files(self) -> dict[Path, bytes]:
        source = resources.files("resources") / "hermes_plugin" / NAME
        files = {
            self.folder / name: (source / ours).read_bytes() for name, ours in PLUGIN_FILES.items()
        }
        text = json.dumps({"command": list(self.command)}, indent=2, ensure_ascii=False) + "\n"
        return {**files, self.folder / COMMAND_FILE: text.encode()}

    def _taken(self) -> Conflict | Unreadable | None:
        """Whether somebody else's plugin has this name."""
        manifest = self.disk.read(self.folder / "plugin.yaml")
        if isinstance(manifest, Unreadable):
            return manifest
        try:
            names = [name for name in os.listdir(self.folder) if name != "__pycache__"]
        except FileNotFoundError:
            return None
        except OSError as error:
            return Unreadable(str(self.folder), error.strerror or str(error))
        known = {*PLUGIN_FILES, COMMAND_FILE}
        half_made = manifest.data is None and set(names) <= known
        if half_made or OURS in (manifest.data or b""):
            return None
        return Conflict(str(self.folder))

    def _put(self, path: Path, data: bytes) -> bool | Refusal:
        seen = self.disk.read(path)
        if isinstance(seen, Unreadable):
            return seen
        if seen.data == data:
            return False
        refused = self.disk.replace(seen, data)
        return True if refused is None else refused

    def _write_record(
        self, method: Method, known: Record | None, base: ConfigFile, plan: Planned
    ) -> Refusal | None:
        record = {
            "method": method,
            "before": base.content.digest,
            "after": digest_of(plan.data),
            "splices": [[one.start, one.removed, one.text] for one in plan.splices],
            "folder_made": known.folder_made if known else not self.folder.parent.exists(),
            "keys": [*missing(base.yaml.data)],
        }
        seen = self.disk.read(self.record_file)
        if isinstance(seen, Unreadable):
            return seen
        return self.disk.replace(seen, json.dumps(record, indent=2).encode())

    def _read_record(self) -> Record | None:
        seen = self.disk.read(self.record_file)
        try:
            data = json.loads((seen.data or b"") if isinstance(seen, Content) else b"")
            splices = tuple(Splice(int(a), str(b), str(c)) for a, b, c in data["splices"])
            return Record(
                data["method"],
                str(data["before"]),
                str(data["after"]),
                splices,
                bool(data["folder_made"]),
                tuple(map(str, data["keys"])),
            )
        except (ValueError, KeyError, TypeError):
            return None

    # -- off ---------------------------------------------------------------------------------

    def undo(self) -> Changed | Refusal:
        """Take out what was installed; config.yaml and the plugins folder are as they were."""
        managed = managed_refusal(self.home, "plugins.enabled", disk=self.disk, env=self.env)
        if managed is not None:
            return managed
        config = read_config(self.home, disk=self.disk)
        if not isinstance(config, ConfigFile):
            return config
        record = self._read_record()
        method = self._on(config)
        data, exact = config_without(config, record, newline=self.disk.newline)
        if not isinstance(data, bytes | None):
            return data
        changed = []
        if data != config.content.data:
            refused = (
                self.disk.remove(config.content)
                if data is None
                else self.disk.replace(config.content, data)
            )
            if refused is not None:
                return refused
            changed.append(str(self.home.config))
        removed = self._remove_plugin(record)
        if not isinstance(removed, list):
            return removed
        seen = self.disk.read(self.record_file)
        if isinstance(seen, Content) and seen.data is not None:
            self.disk.remove(seen)
        return Changed(method, (*changed, *removed), exact)

    def _on(self, config: ConfigFile) -> Method:
        return "command" if runs_the_desk(config.yaml.data) else "plugin"

    def _remove_plugin(self, record: Record | None) -> list[str] | Refusal:
        if self._taken() is not None or not self.folder.is_dir():
            return []  # another plugin of that name is none of our business
        removed = []
        for name in (*PLUGIN_FILES, COMMAND_FILE):
            seen = self.disk.read(self.folder / name)
            if isinstance(seen, Unreadable):
                return seen
            if seen.data is not None:
                refused = self.disk.remove(seen)
                if refused is not None:
                    return refused
                removed.append(str(self.folder / name))
        # What Python left of running it.
        shutil.rmtree(self.folder / "__pycache__", ignore_errors=True)
        with suppress(OSError):  # somebody has put something else there
            self.folder.rmdir()
            if record is not None and record.folder_made:
                self.folder.parent.rmdir()
        return removed
