"""Using a provider, and asking a plugin: what is to be said before, and doing it. No Qt here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gui.i18n import sentences, tr
from gui.models.providers import ProviderView, view_of
from gui.places import short_path
from gui.provider_words import SOURCES, say_destination, say_reason
from gui.words import word
from store.providers.desk import AskCheck, Providers, UseCheck, Used
from store.refusals import REFUSALS, Refusal

if TYPE_CHECKING:
    from store.desk import Desk
    from store.providers.catalogue_row import Row


def check_use(desk: Desk, name: str) -> UseCheck | Refusal:
    """What to know before `name` is used. For the background."""
    return Providers(desk).check_use(name)


def use(desk: Desk, check: UseCheck) -> Used | Refusal:
    """Use the provider of `check`, to which the person said yes. For the background."""
    return Providers(desk).use(check.row.name, agreed=check.digest, anyway=True)


def switch_off(desk: Desk) -> Used | Refusal:
    """Use no provider. For the background."""
    return Providers(desk).off()


def check_ask(desk: Desk, name: str) -> AskCheck | Refusal:
    """What to know before the plugin is asked. For the background."""
    return Providers(desk).check_ask(name)


def ask_it(desk: Desk, check: AskCheck) -> ProviderView | Refusal:
    """Run the plugin of `check`, to which the person said yes. For the background."""
    form = Providers(desk).ask(check.row.name, agreed=check.digest)
    return form if isinstance(form, REFUSALS) else view_of(form, desk)


def say_use(check: UseCheck) -> tuple[str, str, str]:
    """Ask whether the provider may be used: title, text, and the word for yes."""
    row = check.row
    label = row.label or row.name
    ready = row.state in ("ready", "active")
    why = (
        ""
        if ready
        else sentences(
            tr("It is not ready."),
            say_reason(row.reason),
            tr("Until it is, the agent goes without it."),
        )
    )
    text = "\n\n".join(
        part for part in (why, say_destination(check.destination), _code(row)) if part
    )
    yes = tr("Use {provider}", provider=label) if ready else tr("Use it anyway")
    return tr("Let the agent use {provider}?", provider=label), text, yes


def say_ask(check: AskCheck) -> tuple[str, str]:
    """Ask whether the plugin may be run: title and text."""
    title = tr("Run {plugin} to ask for its fields?", plugin=check.row.name)
    text = tr(
        "Its code is run once, for at most 5 seconds, by Hermes' own Python in a process without "
        "your keys. It could still read and write your files. Your yes holds for exactly this code."
    )
    return title, "\n\n".join(part for part in (text, _code(check.row)) if part)


def _code(row: Row) -> str:
    if row.path is None:
        return tr("None of its code is on this computer yet.")
    place = short_path(row.path, Path.home())
    if row.source == "bundled":
        return tr("It came with Hermes: {path}", path=place)
    where = word(SOURCES, row.source)
    return tr("Its code is {where}: {path}", where=where, path=place)
