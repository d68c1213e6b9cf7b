"""What the Settings page shows, as values: read in the background. No Qt here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from gui.field_words import say_problem
from gui.forms.state import RowState
from gui.i18n import sentences, tr, trn
from gui.models.memory import LIMITS, SWITCHES
from gui.words import say, say_memory_off
from schema.fields import UNSET, Toggle
from schema.frozen import field, frozen
from schema.settings import HERMES_SETTINGS
from store.config import (
    ANYTHING,
    ConfigFile,
    Declined,
    Edit,
    Plan,
    plan_edits,
    take_back,
    write_plan,
)
from store.home import TARGETS
from store.refusals import Conflict, Invalid, Managed, Refusal
from store.settings import MemorySettings, Setting

if TYPE_CHECKING:
    from store.desk import Desk

Lines = tuple[tuple[str, str], ...]
"""Pairs of kind ("same", "added", "removed") and text."""

_BREAKS = re.compile("\r\n|[\r\n\x85\u2028\u2029]")


@frozen
class Trouble:
    """What stands over the form. `act` is what its button does: `folder`, `remove` or `focus`.

    `key` is the key of config.yaml that `remove` and `focus` are about.
    """

    name: str
    text: str
    strong: str = ""
    tone: Literal["warn", "bad", "plain"] = "warn"
    action: str = ""
    act: str = ""
    key: str = ""


@frozen
class Used:
    """How many characters a file holds, None if it cannot be read, and the limit in use."""

    chars: int | None
    limit: int


@frozen
class SettingsView:
    """All of Hermes' own settings at one moment.

    `digest` names the bytes of config.yaml; `used` tells how full each file is, by the key of its
    limit. Not `readable`, nothing
    is known of what config.yaml says.
    """

    config: Path
    digest: str
    settings: tuple[Setting, ...]
    states: Mapping[str, RowState]
    trouble: Trouble | None
    used: Mapping[str, Used]
    readable: bool

    def state_over(self, key: str, shown: RowState) -> RowState:
        """What a row says that goes on showing what it has `shown`: only what locks it is new."""
        state = self.states[key]
        return replace(shown, locked=state.locked, told_above=state.told_above)

    def stored(self) -> dict[str, object]:
        """What the file says of each setting, and who else has a say."""
        return {one.field.key: (one.stored, one.value, one.managed_by) for one in self.settings}


@frozen
class Preview:
    """What saving would do: the lines, how many of them change, or why it is refused."""

    lines: Lines = ()
    changed: int = 0
    refusals: Mapping[str, Refusal] = field(default_factory=dict)


@frozen
class Saved:
    """The answer to a save or its way back: what was written or why not, and how it is now."""

    done: Plan | Declined
    view: SettingsView


def read_settings_view(desk: Desk) -> SettingsView:
    """Read the settings, and of the memory files how full they are. For the background."""
    # Looked at first: a change between two looks is then news, and not overlooked.
    content = desk.disk.read(desk.home.config)
    settings = desk.library.settings()
    plan = plan_edits(desk.home, (), disk=desk.disk, env=desk.env)
    file = plan.read if isinstance(plan, Plan) else None
    states = desk.library.load_both(settings)
    every = settings.settings()
    return SettingsView(
        config=desk.home.config,
        digest=getattr(content, "digest", ""),
        settings=every,
        states={one.field.key: _row_state(one, settings, file) for one in every},
        trouble=_trouble(settings),
        used={
            LIMITS[target]: Used(
                None if states[target].state == "unreadable" else states[target].chars,
                settings.limit(target),
            )
            for target in TARGETS
        },
        readable=file is not None,
    )


def preview(desk: Desk, edits: tuple[Edit, ...]) -> Preview:
    """What saving `edits` would do. Writes nothing. For the background."""
    plan = plan_edits(desk.home, edits, disk=desk.disk, env=desk.env)
    if isinstance(plan, Declined):
        return Preview(refusals=plan.refusals)
    lines = excerpt(plan.read, plan.would)
    return Preview(lines, count_changed(lines))


def preview_over(desk: Desk, edits: tuple[Edit, ...]) -> Preview:
    """What saving would do if it took no notice of what changed meanwhile."""
    return preview(desk, tuple(replace(edit, seen=ANYTHING) for edit in edits))


def save(desk: Desk, edits: tuple[Edit, ...]) -> Saved:
    """Write all of `edits`, or none. For the background."""
    plan = plan_edits(desk.home, edits, disk=desk.disk, env=desk.env)
    if isinstance(plan, Plan):
        refused = write_plan(plan, disk=desk.disk)
        if refused is not None:
            return Saved(Declined({"": refused}), read_settings_view(desk))
    return Saved(plan, read_settings_view(desk))


def undo(desk: Desk, plan: Plan) -> Saved:
    """Put config.yaml back as it was before `plan`, if nothing changed since."""
    done = take_back(desk.home, plan, disk=desk.disk, env=desk.env)
    answer = done if isinstance(done, Plan) else Declined({"": done})
    return Saved(answer, read_settings_view(desk))


def excerpt(read: ConfigFile, would: ConfigFile) -> Lines:
    """The lines that set one of these settings, with their sections, and how they would change.

    Other lines are left out: they are none of this page's business, and may hold secrets.
    """
    from difflib import SequenceMatcher

    kept = _lines_of_settings(would)
    before, after = (_BREAKS.split(file.yaml.text) for file in (read, would))
    lines: list[tuple[str, str]] = []
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for kind, old, old_end, new, new_end in matcher.get_opcodes():
        if kind == "equal":
            lines += [("same", after[at]) for at in range(new, new_end) if at in kept]
            continue
        lines += [("removed", line) for line in before[old:old_end]]
        lines += [("added", line) for line in after[new:new_end]]
    # What is after the last line end is no line.
    return tuple((kind, line) for kind, line in lines if line)


def count_changed(lines: Lines) -> int:
    """How many lines change: a line that is replaced is one."""
    kinds = [kind for kind, _ in lines]
    return max(kinds.count("added"), kinds.count("removed"))


def _lines_of_settings(file: ConfigFile) -> set[int]:
    """The places of the keys of these settings and of their sections, counted from 0."""
    places: set[int] = set()
    for declared in HERMES_SETTINGS.fields:
        line = file.line(declared.key)
        if line is not None:
            parts = declared.key.split(".")
            above = (file.line(".".join(parts[:end])) for end in range(1, len(parts)))
            places |= {place - 1 for place in (line, *above) if place is not None}
    return places


# --- What stands around a value -------------------------------------------------------------------


def _row_state(setting: Setting, settings: MemorySettings, file: ConfigFile | None) -> RowState:
    locked = _locked(setting, settings, file)
    off = settings.memory_off
    told_above = file is None or bool(settings.system) or settings.problem is not None
    if off is not None and off.line is not None:
        about = setting.field.key.startswith("memory.")
        told_above = (
            told_above or off.reason == "agent_section" or (off.reason == "section" and about)
        )
    return RowState(
        value=setting.value if setting.source == "managed" else setting.stored,
        source=_source(setting),
        note=_note(setting, settings),
        locked=locked,
        told_above=bool(locked) and told_above,
    )


def _source(setting: Setting) -> str:
    if setting.source == "managed":
        return tr("set by the administrator")
    if setting.source == "default":
        return tr("default")
    words = tr("line {line}", line=setting.line)
    if isinstance(setting.stored, str) and setting.stored != setting.value:
        return tr("{source}, now {value}", source=words, value=setting.value)
    return words


def _locked(setting: Setting, settings: MemorySettings, file: ConfigFile | None) -> str:
    if setting.managed_by:
        return say(Managed(setting.managed_by, setting.field.key))
    if file is None or settings.problem is not None:
        return tr("Can be changed once config.yaml can be read.")
    if settings.memory_off is not None and settings.memory_off.reason == "agent_section":
        return tr("The agent reads nothing of config.yaml now.")
    key = setting.field.key
    while "." in key:
        key = key.rpartition(".")[0]
        value = file.get(key)
        if value is not UNSET and value is not None and not isinstance(value, Mapping):
            return say(Invalid(key, "not_a_section", file.line(key)))
    return ""


def _note(setting: Setting, settings: MemorySettings) -> str:
    if setting.problem is None:
        return ""
    words = tr("What stands there cannot be right: {why}.", why=say_problem(setting.problem))
    held = _agent_reads(setting, settings)
    if held is None:
        return words
    taken = tr("The agent takes it for on.") if held else tr("The agent takes it for off.")
    return f"{words} {taken}"


def _agent_reads(setting: Setting, settings: MemorySettings) -> bool | None:
    """How the agent takes a switch whose value is neither true nor false; None if not known."""
    key = setting.field.key
    if not isinstance(setting.field, Toggle):
        return None
    for target in TARGETS:
        if key == SWITCHES[target]:
            return settings.enabled(target)
    if key == "memory.write_approval":
        return settings.approval("memory")
    return settings.approval("skills") if key == "skills.write_approval" else None


def _trouble(settings: MemorySettings) -> Trouble | None:
    off = settings.memory_off
    if settings.problem is not None and off is None:
        return Trouble(
            "broken",
            say(settings.problem),
            strong=tr("The agent is running on its defaults now."),
            tone="bad",
            action=tr("Show folder"),
            act="folder",
        )
    if off is not None:
        key = {"section": "memory", "agent_section": "agent"}.get(off.reason, "")
        if off.line is None:
            return Trouble("off", say_memory_off(off), tone="bad")
        return Trouble(
            "off",
            sentences(say_memory_off(off), tr("An external provider stays on.")),
            tone="bad",
            action=tr("Remove that line") if key else tr("Show the setting"),
            act="remove" if key else "focus",
            key=key or "memory.nudge_interval",
        )
    if settings.system:
        return Trouble("system", say(Managed(settings.system)), tone="plain")
    pinned = [one for one in settings.settings() if one.source == "managed"]
    if not pinned:
        return None
    words = trn(
        "{n} setting is set by the administrator in {folder}.",
        "{n} settings are set by the administrator in {folder}.",
        len(pinned),
        folder=settings.managed_by,
    )
    return Trouble("scope", words, tone="plain")


def conflict_words(refusal: Refusal) -> str:
    """Say below a field why it was not saved."""
    if isinstance(refusal, Conflict):
        if not refusal.now:
            return tr("config.yaml no longer sets this; reload, or keep yours.")
        return tr("config.yaml says {value} by now; reload, or keep yours.", value=refusal.now)
    return say(refusal)


def told(keys: Iterable[str]) -> str:
    """Say that these settings are saved."""
    names = [HERMES_SETTINGS.field(key) for key in keys]
    labels = [tr(one.label) for one in names if one is not None]
    if not labels:
        return tr("The line is removed; takes effect next session.")
    if len(labels) == 1:
        return tr("{setting} saved; takes effect next session.", setting=labels[0])
    return trn(
        "{n} setting saved; takes effect next session.",
        "{n} settings saved; they take effect next session.",
        len(labels),
    )
