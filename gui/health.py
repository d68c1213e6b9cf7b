"""What is not as it should be in a home: one list, for the status, a bug report and the window.

Pure, and no Qt: whoever asks has read everything before.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal

from gui.i18n import N_, sentences, tr, trn
from gui.session_words import NOTICES as SESSION_NOTICES
from gui.words import NOTICES, say, say_memory_off, say_notice, word
from schema.frozen import frozen
from store.home import TARGETS, DataElsewhere, HomeNotice, Target
from store.memory.budget import usage_line
from store.memory.state import MemoryState
from store.overview import Notes, Sessions, Skills
from store.refusals import Drifted, Refusal
from store.settings import MemorySettings

Severity = Literal["info", "warn", "bad"]

SWITCHES: dict[Target, str] = {
    "memory": "memory.memory_enabled",
    "user": "memory.user_profile_enabled",
}
LIMITS: dict[Target, str] = {
    "memory": "memory.memory_char_limit",
    "user": "memory.user_char_limit",
}
_SAID_OTHERWISE = ("invalid_utf8", "utf16")
MOST_NAMES = 4
_PROVIDER_STATES = {
    "missing": N_("config.yaml names the provider “{name}”, but there is no such provider."),
    "not_installed": N_("The provider “{name}” lacks something that is not installed."),
    "needs_config": N_("The provider “{name}” still needs configuration."),
    "broken": N_("The provider “{name}” is broken."),
    "not_loaded": N_("This version of Hermes does not load the provider “{name}”."),
}
_SURE_WITHOUT_HERMES = ("needs_config", "broken")
_GRAVE_NOTICES = ("bom", "conflict_markers", "edge_delimiter")


@frozen
class Finding:
    """One thing to know. `code` is for scripts, `message` and `fix` are sentences."""

    code: str
    severity: Severity
    message: str
    fix: str


@frozen
class Waiting:
    """The two queues: how many files each holds, how many of them are no records.

    None: a queue that cannot be read, for which there is one of `problems`.
    """

    memory: int | None = 0
    skills: int | None = 0
    unusable: int = 0
    problems: tuple[Refusal, ...] = ()


@frozen
class Openly:
    """Files that other users can read, and the names of keys that stand in plain text."""

    files: tuple[Path, ...] = ()
    keys: tuple[str, ...] = ()


def findings(
    *,
    settings: MemorySettings,
    states: Mapping[Target, MemoryState],
    waiting: Waiting,
    notices: tuple[HomeNotice, ...] = (),
    sessions: Sessions | None = None,
    skills: Skills | None = None,
    openly: Openly | None = None,
    provider: str = "off",
    has_hermes: bool = True,
    notes: Notes | None = None,
) -> tuple[Finding, ...]:
    """Everything worth saying about a home, the gravest first.

    `provider` is the state of the one in use; of some states only a found Hermes makes sure.
    """
    found = [
        *_of_home(notices),
        *_of_settings(settings, states),
        *(one for target in TARGETS for one in _of_file(states[target])),
        *_of_queue(settings, waiting),
        *_of_provider(settings.provider, provider, has_hermes=has_hermes),
        *_of_sessions(sessions),
        *_of_skills(skills),
        *(_of_notes(notes) if notes is not None else ()),
        *(_of_openness(openly) if openly is not None else ()),
    ]
    order: tuple[Severity, ...] = ("bad", "warn", "info")
    return tuple(sorted(found, key=lambda one: order.index(one.severity)))


def no_home(refusal: Refusal) -> Finding:
    """What to say when there is no home to look at."""
    fix = tr("Open the window without a command: it offers to create a home, or to try a sample.")
    return Finding("no_home", "bad", say(refusal), fix)


def _of_home(notices: tuple[HomeNotice, ...]) -> Iterator[Finding]:
    for notice in notices:
        if isinstance(notice, DataElsewhere):
            fix = tr("Name the home that you mean with --home, or set HERMES_HOME.")
        else:
            fix = tr("Name the profile that you mean with --profile.")
        yield Finding(notice.code, "warn", say_notice(notice), fix)


def _of_settings(
    settings: MemorySettings, states: Mapping[Target, MemoryState]
) -> Iterator[Finding]:
    if settings.problem is not None:
        message = say(settings.problem) + " " + tr("The agent runs on its defaults meanwhile.")
        yield Finding("config_broken", "bad", message, tr("Correct config.yaml with an editor."))
    if settings.memory_off is not None:
        fix = tr("Correct that line of config.yaml with an editor.")
        yield Finding("memory_off", "bad", say_memory_off(settings.memory_off), fix)
        return
    for target in TARGETS:
        name = states[target].file_name
        if not settings.enabled(target):
            message = tr("{file} is switched off, so the agent ignores it.", file=name)
            fix = tr("Run: memory-desk config set {key} true", key=SWITCHES[target])
            yield Finding("switched_off", "warn", message, fix)
        limit = settings.prompt_limit(target)
        if limit is None or limit <= 0:
            message = tr(
                "The limit of {file} is no number that the agent can use, so it can load or "
                "keep nothing there.",
                file=name,
            )
            fix = tr("Run: memory-desk config unset {key}", key=LIMITS[target])
            yield Finding("bad_limit", "bad", message, fix)


def _of_file(state: MemoryState) -> Iterator[Finding]:
    file = state.file_name
    if state.problem is not None:
        read = bool(state.notices)  # it was read, but is no UTF-8
        fix = _repair_fix(state.target) if read else tr("Let your user read that file.")
        yield Finding("unreadable", "bad", say(state.problem), fix)
        return
    if state.signals:
        message = say(Drifted(state.path, state.signals))
        yield Finding("drift", "bad", message, _repair_fix(state.target))
    if state.chars > state.limit:
        usage = usage_line(state.chars, state.limit)
        message = tr("{file} is over its budget: {usage}.", file=file, usage=usage)
        fix = tr("Shorten or remove entries; until then the agent can add none.")
        yield Finding("over_budget", "warn", message, fix)
    if state.blocked:
        message = trn(
            "{n} entry of {file} is hidden from the agent by its threat scan.",
            "{n} entries of {file} are hidden from the agent by its threat scan.",
            state.blocked,
            file=file,
        )
        fix = tr("See which with memory-desk entries list, and say them in other words.")
        yield Finding("blocked_entries", "warn", message, fix)
    for notice in state.notices:
        if notice not in _SAID_OTHERWISE:
            severity: Severity = "warn" if notice in _GRAVE_NOTICES else "info"
            message = f"{file}: {tr(NOTICES[notice])}"
            if notice == "backup_has_more":
                fix = tr("Run: memory-desk backups list --target {target}", target=state.target)
            elif notice in _GRAVE_NOTICES:
                fix = _repair_fix(state.target)
            else:
                fix = tr("Run: memory-desk drift check")
            yield Finding(notice, severity, message, fix)


def _repair_fix(target: Target) -> str:
    return tr(
        "Open Repair in the window, or run: memory-desk drift repair --target {target}",
        target=target,
    )


def _what_waits(waiting: Waiting) -> str:
    """Say it apart, by what it is about."""
    parts = []
    if waiting.memory:
        parts.append(trn("{n} memory write waits", "{n} memory writes wait", waiting.memory))
    if waiting.skills:
        parts.append(trn("{n} skill write waits", "{n} skill writes wait", waiting.skills))
    return tr("{what}.", what=tr(", ").join(parts))


def _of_queue(settings: MemorySettings, waiting: Waiting) -> Iterator[Finding]:
    see = tr("Run: memory-desk pending list")
    if waiting.memory or waiting.skills:
        yield Finding("pending_waiting", "info", _what_waits(waiting), see)
    for problem in waiting.problems:
        fix = tr("Let your user enter and read that folder.")
        yield Finding("pending_unreadable", "bad", say(problem), fix)
    if waiting.unusable:
        message = trn(
            "{n} file in the queue is no record that can be used.",
            "{n} files in the queue are no records that can be used.",
            waiting.unusable,
        )
        yield Finding("pending_unusable", "warn", message, see)
    off = [
        name
        for name, count in (("memory", waiting.memory), ("skills", waiting.skills))
        if count and not settings.approval("memory" if name == "memory" else "skills")
    ]
    if off:
        message = tr(
            "Approval is off for {what}: new writes take effect at once, while older ones wait.",
            what=tr(" and ").join(off),
        )
        key = f"{off[0]}.write_approval"
        fix = tr("Decide on what waits, or run: memory-desk config set {key} true", key=key)
        yield Finding("approvals_off_but_queue", "info", message, fix)


def _of_provider(name: str, state: str, *, has_hermes: bool) -> Iterator[Finding]:
    """Why the provider in use does not work; nothing where that is not sure."""
    sentence = _PROVIDER_STATES.get(state)
    if sentence is None or not (has_hermes or state in _SURE_WITHOUT_HERMES):
        return
    code = f"provider_{state}" if state in ("missing", "not_installed") else "provider_not_ready"
    message = tr(sentence, name=name)
    if state != "needs_config":  # of a plugin that is not Hermes' own that may be taken wrongly
        alone = tr("The agent works with its built-in memory alone meanwhile.")
        message = sentences(message, alone)
    if state == "missing":
        fix = tr("Choose another with memory-desk providers use NAME, or run: "
                 "memory-desk providers off")  # fmt: skip
    else:
        fix = tr("See why with memory-desk providers list; to do without it run: "
                 "memory-desk providers off")  # fmt: skip
    yield Finding(code, "warn", message, fix)


def _of_sessions(sessions: Sessions | None) -> Iterator[Finding]:
    if sessions is None:
        return
    if sessions.problem is not None:
        severity: Severity = "warn" if sessions.state == "locked" else "bad"
        fix = tr("Memory works without it; until then past conversations cannot be shown.")
        yield Finding(f"sessions_{sessions.state}", severity, say(sessions.problem), fix)
    for notice in sessions.notices:
        severity = "warn" if notice.endswith("broken") else "info"
        fix = tr("Sessions can be read and searched all the same.")
        yield Finding(f"sessions_{notice}", severity, word(SESSION_NOTICES, notice), fix)


def _of_skills(skills: Skills | None) -> Iterator[Finding]:
    if skills is None:
        return
    if skills.closed:
        fix = tr("Let your user enter and read that folder.")
        yield Finding("skills_unreadable", "bad", tr("The folder of skills cannot be read."), fix)
    if skills.damaged and not skills.closed:
        message = tr("skills/.usage.json is damaged, so the agent begins all its counts anew.")
        fix = tr("Mend that file with an editor, or move it away.")
        yield Finding("skills_usage_broken", "warn", message, fix)
    if skills.shared:
        message = trn(
            "{n} name is shared by several skills, of which the agent takes one: {names}.",
            "{n} names are shared by several skills, of which the agent takes one: {names}.",
            len(skills.shared),
            names=", ".join(skills.shared[:3]),
        )
        fix = tr("See where they are with memory-desk skills list, and rename or archive one.")
        yield Finding("skills_clash", "warn", message, fix)
    if skills.broken:
        message = trn(
            "{n} skill has problems: {names}.",
            "{n} skills have problems: {names}.",
            len(skills.broken),
            names=some(skills.broken),
        )
        fix = tr("See which with memory-desk skills show NAME, and mend them with an editor.")
        yield Finding("skills_problems", "warn", message, fix)


def _of_notes(notes: Notes) -> Iterator[Finding]:
    if notes.missing:
        message = trn(
            "{n} folder of notes is not there: {names}.",
            "{n} folders of notes are not there: {names}.",
            len(notes.missing),
            names=some(map(str, notes.missing)),
        )
        path = shlex.quote(str(notes.missing[0]))
        fix = tr("Bring it back, or run: memory-desk knowledge folders --remove {path}", path=path)
        yield Finding("notes_missing", "warn", message, fix)
    if notes.closed:
        message = trn(
            "{n} folder of notes cannot be read: {names}.",
            "{n} folders of notes cannot be read: {names}.",
            len(notes.closed),
            names=some(map(str, notes.closed)),
        )
        fix = tr("Let your user enter and read that folder.")
        yield Finding("notes_unreadable", "warn", message, fix)


def _of_openness(openly: Openly) -> Iterator[Finding]:
    if openly.files:
        message = trn(
            "{n} file can be read by every user of this machine: {names}.",
            "{n} files can be read by every user of this machine: {names}.",
            len(openly.files),
            names=some(one.name for one in openly.files),
        )
        few = openly.files
        if len(few) > MOST_NAMES:  # a folder that lets no others in closes all in it
            few = (Path(os.path.commonpath(few)),)
        paths = " ".join(shlex.quote(str(one)) for one in few)
        yield Finding("open_files", "warn", message, tr("Run: chmod go= {paths}", paths=paths))
    if openly.keys:
        message = trn(
            "{n} key stands in plain text in .env: {names}.",
            "{n} keys stand in plain text in .env: {names}.",
            len(openly.keys),
            names=some(openly.keys),
        )
        yield Finding("plain_keys", "info", message, tr("Run: memory-desk secrets migrate --apply"))


def some(names: Iterable[str]) -> str:
    """The first few names, and how many more there are."""
    every = list(names)
    few = ", ".join(every[:MOST_NAMES])
    left = len(every) - MOST_NAMES
    return tr("{names} and {n} more", names=few, n=left) if left > 0 else few
