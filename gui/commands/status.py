"""Commands that look at a whole home at once: status, doctor, profiles, and the version."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

from gui.commands.answers import Answer, refusal_data, table
from gui.commands.parsing import Areas, Arguments, leaf
from gui.health import Finding, Openly, Waiting, findings, no_home
from gui.i18n import N_, tr, trn
from gui.provider_words import STATES
from gui.words import FILE_STATES, say, word
from schema.frozen import frozen
from store.home import Target, active_profile, hidden_profiles
from store.memory.budget import usage_line
from store.memory.state import MemoryState
from store.openness import open_files, plain_keys
from store.overview import Notes, Sessions, Skills, notes_in, sessions_in, skills_in
from store.pending.records import SUBSYSTEMS
from store.refusals import NotFound, Refusal
from store.settings import MemorySettings

if TYPE_CHECKING:
    from store.desk import Desk

MARKS = {"bad": "!!", "warn": "! ", "info": "· "}


@frozen
class Glance:
    """Everything that one look at a home sees."""

    settings: MemorySettings
    states: Mapping[Target, MemoryState]
    waiting: Waiting
    hermes: Mapping[str, object]
    sessions: Sessions
    skills: Skills
    notes: Notes
    provider: str
    secrets: Mapping[str, object]
    openly: Openly
    health: tuple[Finding, ...]


def declare(area: str, areas: Areas) -> None:
    """Declare `status`, `doctor` or `profiles`."""
    match area:
        case "status":
            leaf(areas, area, status, tr("all layers at a glance"), homeless=homeless)
        case "doctor":
            leaf(
                areas,
                area,
                doctor,
                tr("what a bug report needs: states and counts, no text of entries"),
                homeless=homeless_doctor,
            )
        case _:
            parser = leaf(
                areas, area, list_profiles, tr("the profiles of this Hermes"), at_default=True
            )
            commands = parser.add_subparsers(metavar="COMMAND")
            leaf(commands, "list", list_profiles, tr("show all profiles"), at_default=True)


def look(desk: Desk) -> Glance:
    """Read what the status needs. Writes nothing, starts nothing, asks no keyring."""
    from store.preferences import data_dir

    settings = desk.library.settings()
    states = desk.library.load_both(settings)
    sessions = sessions_in(desk.home.database)
    kept = skills_in(desk.home.skills, disk=desk.disk)
    listings = [desk.queue.load(name) for name in SUBSYSTEMS]
    memory, skills = (desk.queue.count(name) for name in SUBSYSTEMS)
    waiting = Waiting(
        memory,
        skills,
        unusable=sum(len(one.unreadable) for one in listings if one.problem is None),
        problems=tuple(one.problem for one in listings if one.problem is not None),
    )
    openly = Openly(open_files(desk.home), plain_keys(desk.home, disk=desk.disk))
    hermes, provider = hermes_data(desk.env), _provider_state(desk, settings)
    notes = notes_in(data_dir(desk.env) / "knowledge", disk=desk.disk)
    return Glance(
        settings=settings,
        states=states,
        waiting=waiting,
        hermes=hermes,
        sessions=sessions,
        skills=kept,
        notes=notes,
        provider=provider,
        secrets=_secrets_data(desk),
        openly=openly,
        health=findings(
            settings=settings,
            states=states,
            waiting=waiting,
            notices=desk.notices,
            sessions=sessions,
            skills=kept,
            openly=openly,
            provider=provider,
            has_hermes=hermes["version"] is not None,
            notes=notes,
        ),
    )


# -- status ----------------------------------------------------------------------------------


def status(desk: Desk, arguments: Arguments) -> Answer:
    """All layers at a glance."""
    glance = look(desk)
    home: dict[str, object] = {"home": str(desk.home.path), "profile": desk.home.profile}
    return Answer(home | _layers(glance) | _health(glance.health), _report(desk, glance))


def homeless(refusal: Refusal, env: Mapping[str, str]) -> Answer:
    """The status when there is no home."""
    found = no_home(refusal)
    data = refusal_data(refusal) | {"hermes": hermes_data(env)} | _health((found,))
    return Answer(data, ok=False, notes=(found.message, found.fix))


def _layers(glance: Glance) -> dict[str, object]:
    settings = glance.settings
    return {
        "hermes": glance.hermes,
        "files": {state.file_name: _file_data(state) for state in glance.states.values()},
        "pending": {
            "memory": glance.waiting.memory,
            "skills": glance.waiting.skills,
            "unreadable": glance.waiting.unusable,
            "approval": {name: settings.approval(name) for name in SUBSYSTEMS},
        },
        "provider": {"active": settings.provider, "state": glance.provider},
        "secrets": glance.secrets,
        "sessions": {
            "count": glance.sessions.count,
            "messages": glance.sessions.messages,
            "state": glance.sessions.state,
        },
        "skills": {
            "active": glance.skills.active,
            "stale": glance.skills.stale,
            "archived": glance.skills.archived,
            "pinned": glance.skills.pinned,
        },
        "knowledge": {
            "folders": len(glance.notes.folders),
            "missing": len(glance.notes.missing),
            "notes": glance.notes.count,
        },
    }


def _file_data(state: MemoryState) -> dict[str, object]:
    readable = state.problem is None
    return {
        "state": state.state,
        "enabled": state.enabled,
        "entries": len(state.entries) if readable else None,
        "chars": state.chars if readable else None,
        "limit": state.limit,
        "blocked": state.blocked if readable else None,
        "notices": state.notices,
    }


def _health(found: tuple[Finding, ...]) -> dict[str, object]:
    return {"health": [asdict(one) for one in found]}


def _report(desk: Desk, glance: Glance) -> str:
    rows = [(tr("Home"), f"{desk.home.path} ({desk.home.profile})")]
    version = glance.hermes["version"]
    rows.append((tr("Hermes"), str(version) if version else tr("not found")))
    rows += [(state.file_name, _file_words(state)) for state in glance.states.values()]
    rows.append((tr("Pending"), _pending_words(glance)))
    rows.append((tr("Provider"), _provider_words(glance)))
    rows.append((tr("Keys"), _secret_words(glance.secrets)))
    rows.append((tr("Sessions"), _session_words(glance.sessions)))
    rows.append((tr("Skills"), _skill_words(glance.skills)))
    rows.append((tr("Knowledge"), _note_words(glance.notes)))
    lines = [table(rows)]
    if glance.health:
        lines += ["", *health_lines(glance.health)]
    return "\n".join(lines)


def health_lines(found: tuple[Finding, ...]) -> list[str]:
    """Each finding with its mark, and below it what to do."""
    lines = []
    for one in found:
        lines += [f"{MARKS[one.severity]} {one.message}", f"   → {one.fix}"]
    return lines


def _file_words(state: MemoryState) -> str:
    if state.problem is not None or state.state == "absent":
        return word(FILE_STATES, state.state)
    words = [
        usage_line(state.chars, state.limit),
        trn("{n} entry", "{n} entries", len(state.entries)),
    ]
    if state.state != "clean":
        words.append(word(FILE_STATES, state.state))
    if not state.enabled:
        words.append(tr("switched off"))
    return ", ".join(words)


def _provider_state(desk: Desk, settings: MemorySettings) -> str:
    if not settings.provider:
        return "off"
    from store.providers.glance import state_of_active

    return state_of_active(desk)


def _provider_words(glance: Glance) -> str:
    if glance.provider == "off":
        return tr("built-in only")
    return f"{glance.settings.provider} ({word(STATES, glance.provider)})"


def _secrets_data(desk: Desk) -> dict[str, object]:
    """Which keys the keyring has, as the desk's own index knows; the keyring is not asked."""
    from store.preferences import data_dir
    from store.secrets.index import Index, index_path, read_index

    index = read_index(index_path(data_dir(desk.env), desk.home), disk=desk.disk)
    if not isinstance(index, Index):
        return {"backend": None, "available": None, "set": [], "problem": refusal_data(index)}
    moving = [one.name for one in index.names if one.moving]
    names = [one.name for one in index.names]
    return {"backend": None, "available": None, "set": names, "interrupted": moving}


def _secret_words(secrets: Mapping[str, object]) -> str:
    names = secrets["set"]
    if "problem" in secrets:
        return tr("cannot be read")
    if secrets.get("interrupted"):
        return tr("a move was interrupted; secrets migrate --apply finishes it")
    count = len(names) if isinstance(names, list) else 0
    return trn("{n} in the keyring", "{n} in the keyring", count) if count else tr("none kept")


_WAITS_FOR = {"memory": N_("memory"), "skills": N_("skills")}


def _pending_words(glance: Glance) -> str:
    waiting = glance.waiting
    if waiting.problems:
        return tr("cannot be read")
    counts = tr("{memory} memory, {skills} skills", memory=waiting.memory, skills=waiting.skills)
    on = [tr(_WAITS_FOR[name]) for name in SUBSYSTEMS if glance.settings.approval(name)]
    approval = tr("approval on for {what}", what=tr(" and ").join(on)) if on else tr("approval off")
    return f"{counts} ({approval})"


def _session_words(sessions: Sessions) -> str:
    match sessions.state:
        case "ok":
            return tr(
                "{count:,} with {messages:,} messages",
                count=sessions.count,
                messages=sessions.messages,
            )
        case "absent":
            return tr("none yet")
        case "corrupt":
            return tr("state.db is damaged")
        case "locked":
            return tr("state.db is held by another program")
        case "unreadable":
            return tr("state.db cannot be read")


def _skill_words(skills: Skills) -> str:
    if skills.closed:
        return tr("cannot be read")
    if skills.active is None:
        return tr("none yet")
    return tr(
        "{active} active, {stale} stale, {archived} archived, {pinned} pinned",
        active=skills.active,
        stale=skills.stale,
        archived=skills.archived,
        pinned=skills.pinned,
    )


def _note_words(notes: Notes) -> str:
    if not notes.folders:
        return tr("no folder of notes")
    folders = trn("{n} folder", "{n} folders", len(notes.folders))
    if notes.count is None:
        return tr(", ").join((folders, tr("not looked through yet")))
    return tr(", ").join((folders, trn("{n:,} note", "{n:,} notes", notes.count)))


# -- doctor, version, profiles ---------------------------------------------------------------


def doctor(desk: Desk, arguments: Arguments) -> Answer:
    """The health list for a bug report: versions, states and counts, no text and no secrets."""
    glance = look(desk)
    home = {"profile": desk.home.profile, "config_problem": _code(glance.settings.problem)}
    environment = environment_data(desk.env) | home | _layers(glance)
    return _doctor(environment, glance.health)


def homeless_doctor(refusal: Refusal, env: Mapping[str, str]) -> Answer:
    """The same where there is no home: that is a finding like any other."""
    return _doctor(environment_data(env), (no_home(refusal),))


def _doctor(environment: Mapping[str, object], health: tuple[Finding, ...]) -> Answer:
    lines = [table(list(_facts(environment))), "", *health_lines(health)]
    return Answer({"environment": environment} | _health(health), "\n".join(lines).rstrip())


def _facts(values: Mapping[str, object], within: str = "") -> Iterator[tuple[str, str]]:
    """One fact a row; of what is not known there is none, but whether Qt and Hermes are here."""
    for name, value in values.items():
        if isinstance(value, Mapping) and any(one is not None for one in value.values()):
            yield from _facts(value, f"{within}{name} ")
        elif name in ("qt", "hermes") and not isinstance(value, str):
            yield name, tr("not found")
        elif isinstance(value, Mapping):
            continue
        elif isinstance(value, bool):
            yield f"{within}{name}", tr("yes") if value else tr("no")
        elif value not in (None, "", []) and value != ():
            text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
            yield f"{within}{name}", text


def _code(refusal: Refusal | None) -> str | None:
    return None if refusal is None else refusal.code


def environment_data(env: Mapping[str, str]) -> dict[str, object]:
    """Versions and the kind of system."""
    import locale
    import platform
    import sqlite3

    return {
        "desk": desk_version(),
        "qt": qt_version(),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "system": platform.platform(),
        "encoding": locale.getpreferredencoding(False),
        "hermes": hermes_data(env),
    }


def version(env: Mapping[str, str]) -> Answer:
    """What `--version` names."""
    import platform

    hermes = hermes_data(env)
    data = {
        "desk": desk_version(),
        "qt": qt_version(),
        "python": platform.python_version(),
        "hermes": hermes,
    }
    rows = [
        ("memory-desk", data["desk"]),
        ("Qt", data["qt"] or tr("not found")),
        ("Python", data["python"]),
        ("Hermes", hermes["version"] or tr("not found")),
    ]
    return Answer(data, table([(name, str(value)) for name, value in rows]))


def list_profiles(desk: Desk, arguments: Arguments) -> Answer:
    """Every profile under the same root; `active` is the one that `hermes` itself would use."""
    active = active_profile(desk.home.root)
    rows = []
    for home in desk.profiles():
        counts = [desk.at(home).queue.count(name) for name in SUBSYSTEMS]
        known = [count for count in counts if count is not None]
        rows.append(
            {
                "name": home.profile,
                "home": str(home.path),
                "active": home.profile == active,
                "pending": sum(known) if len(known) == len(counts) else None,
            }
        )
    lines = [
        (
            "*" if row["active"] else " ",
            str(row["name"]),
            tr("cannot be read")
            if row["pending"] is None
            else trn("{n} pending", "{n} pending", int(str(row["pending"]))),
            str(row["home"]),
        )
        for row in rows
    ]
    data: dict[str, object] = {"profiles": rows}
    text = table(lines) if lines else ""
    if (hidden := hidden_profiles(desk.home.root)) is not None:
        return Answer(refusal_data(hidden) | data, text, ok=False, notes=(say(hidden),))
    return Answer(data, text)


def desk_version() -> str:
    """The desk's own version, installed or in a checkout."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed("hermes-memory-desk")
    except PackageNotFoundError:
        import tomllib
        from pathlib import Path

        project = Path(__file__).parents[2] / "pyproject.toml"
        return str(tomllib.loads(project.read_text("utf-8"))["project"]["version"])


def qt_version() -> str | None:
    """The version of Qt that the window would use, without loading it."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed("PySide6-Essentials")
    except PackageNotFoundError:
        return None


def hermes_data(env: Mapping[str, str]) -> dict[str, object]:
    """The installed agent, found without running it; `tried`: we have tested with this version."""
    from store.hermes import find
    from store.preferences import load_preferences

    found = find(env=env, setting=load_preferences(env=env).preferences.hermes)
    if isinstance(found, NotFound):
        return {"version": None, "python": None, "tried": None}
    return {"version": found.version, "python": str(found.python), "tried": found.tried}
