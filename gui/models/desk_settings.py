"""The desk's own settings and places, as values: read in the background. No Qt here."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from gui.i18n import N_, tr
from schema.fields import Group, Number, Option, Select, Text, Toggle, declare
from schema.frozen import frozen
from store.autostart import entry_for, own_command, start_at_login, starts_at_login
from store.hermes import Found, find
from store.preferences import (
    Preferences,
    change_preferences,
    data_dir,
    load_preferences,
    log_dir,
)
from store.refusals import Refusal

LOGIN: Final = "start_at_login"
"""Kept by the system, not among the preferences."""

DESK_SETTINGS: Final = declare(
    groups=(Group("desk", N_("This desk")),),
    fields=(
        Select(
            key="colour_scheme",
            label=N_("Colours"),
            help=N_("Light or dark, for this window only."),
            group="desk",
            options=(
                Option("system", N_("Like the system")),
                Option("light", N_("Light")),
                Option("dark", N_("Dark")),
            ),
            default="system",
        ),
        Select(
            key="language",
            label=N_("Language"),
            help=N_("Takes effect when the desk is started next."),
            group="desk",
            options=(
                Option("system", N_("Like the system")),
                Option("en", "English"),
                Option("zh_CN", "简体中文"),
            ),
            default="system",
        ),
        Toggle(
            key="notifications",
            label=N_("Notifications"),
            help=N_(
                "Tells of new writes that wait while you are elsewhere: how many, and whether they "
                "are for the memory or for skills. Never what they say."
            ),
            group="desk",
            default=True,
        ),
        Select(
            key="tray",
            label=N_("Icon in the tray"),
            help=N_("Shows how many writes wait, on desktops that have a tray."),
            group="desk",
            options=(
                Option("on", N_("While the window is open")),
                Option("stay", N_("Also when the window is closed")),
                Option("off", N_("None")),
            ),
            default="on",
        ),
        Toggle(
            key=LOGIN,
            label=N_("Start at login"),
            help=N_(
                "In the tray, or as a minimised window where there is none. What waits is told "
                "then, too."
            ),
            group="desk",
            default=False,
        ),
        Number(
            key="history_days",
            label=N_("History goes back"),
            help=N_("Days. What is older is let go of, and can be undone no more."),
            group="desk",
            default=400,
            minimum=1,
            maximum=36_500,
            step=10,
            whole=True,
        ),
        Number(
            key="history_changes",
            label=N_("Changes in the history"),
            help=N_("So many of the latest are kept."),
            group="desk",
            default=20_000,
            minimum=100,
            maximum=1_000_000,
            step=1_000,
            whole=True,
        ),
        Number(
            key="untouched_days",
            label=N_("Untouched for long"),
            help=N_("Days. An entry that nobody changed for so long is named among the advice."),
            group="desk",
            default=180,
            minimum=1,
            maximum=36_500,
            step=10,
            whole=True,
        ),
        Text(
            key="hermes",
            label=N_("Path of Hermes"),
            help=N_(
                "A hermes command, its Python, or the folder of its environment. Leave it empty "
                "to look in the usual places."
            ),
            group="desk",
            default="",
            keeps_empty=True,
        ),
    ),
)


@frozen
class Place:
    """A folder in which the desk keeps something; it may not be made yet."""

    key: str
    label: str
    help: str
    path: Path
    made: bool


@frozen
class DeskView:
    """What the person chose, which Hermes that leads to, and where things are kept."""

    preferences: Preferences
    hermes: str
    found: bool
    places: tuple[Place, ...]
    login: bool = False
    refusal: Refusal | None = None

    def value(self, key: str) -> object:
        """What is chosen in the field of that key."""
        return self.login if key == LOGIN else getattr(self.preferences, key)


def read_desk(env: Mapping[str, str]) -> DeskView:
    """Read the preferences and look for Hermes and the folders. For the background."""
    return _view(load_preferences(env=env).preferences, env)


def choose(env: Mapping[str, str], key: str, value: object) -> DeskView:
    """Write one preference; `refusal` says why if that failed. For the background."""
    if key == LOGIN:
        refused = start_at_login(value is True, entry_for(own_command(env=env), env=env))
        return _view(load_preferences(env=env).preferences, env, refused)
    chosen: dict[str, Any] = {key: value}
    done = change_preferences(env=env, **chosen)
    if isinstance(done, Preferences):
        return _view(done, env)
    return _view(load_preferences(env=env).preferences, env, done)


def _view(
    preferences: Preferences, env: Mapping[str, str], refusal: Refusal | None = None
) -> DeskView:
    found = find(env=env, setting=preferences.hermes)
    return DeskView(
        preferences=preferences,
        hermes=_hermes_words(found if isinstance(found, Found) else None, preferences),
        found=isinstance(found, Found),
        places=_places(env),
        login=starts_at_login(entry_for(own_command(env=env), env=env)),
        refusal=refusal,
    )


def _hermes_words(found: Found | None, preferences: Preferences) -> str:
    if found is None:
        if preferences.hermes:
            return tr("There is no Hermes at this path.")
        return tr("No Hermes was found in the usual places.")
    if found.tried:
        words = tr("Found hermes-agent {version}.", version=found.version)
    else:
        words = tr(
            "Found hermes-agent {version}, which this desk was not tried with.",
            version=found.version,
        )
    return f"{words} {found.python}"


def _places(env: Mapping[str, str]) -> tuple[Place, ...]:
    data, log = data_dir(env), log_dir(env)
    return (
        Place(
            "journal",
            tr("Journal"),
            tr("Keeps the texts that you change here, so that you can undo. Only you can read it."),
            data,
            data.is_dir(),
        ),
        Place("log", tr("Log"), tr("Says what went wrong; no memory text."), log, log.is_dir()),
    )
