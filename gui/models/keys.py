"""What the Keys page shows, as values: read in the background. No Qt here, and never a value."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from gui.ages import age
from gui.i18n import sentences, tr, trn
from gui.models.cards import Card, Mark
from gui.places import short_path
from gui.secret_words import LEFT
from gui.words import say
from schema.frozen import field, frozen
from store.refusals import REFUSALS, Refusal
from store.secrets.states import Backend, Secret
from store.secrets.vault import KeyCleared, KeyList, KeySet, Secrets

if TYPE_CHECKING:
    from store.desk import Desk
    from store.secrets.check import Checked
    from store.secrets.finds import Find
    from store.secrets.handover import Handover
    from store.secrets.index import Kept

NEW = "\n"
"""The key of the card in whose place a new key is typed; no name has a line break."""

Way = Literal["off", "on", "partly", "broken", "unknown"]


@frozen
class KeyRow:
    """One name with all the places that have it. `loose` are files that others can read."""

    name: str
    kept: bool
    movable: bool
    loose: tuple[Path, ...]
    in_dotenv: bool = False


@frozen
class HandoverView:
    """How Hermes gets the keys, in words. `state` decides which buttons there are."""

    state: Way
    title: str
    text: str
    checked: str = ""


@frozen
class KeysView:
    """All keys of the home. `trouble` says why there is no keyring, or why it cannot be used."""

    cards: tuple[Card, ...]
    rows: Mapping[str, KeyRow]
    keyring: str
    trouble: str
    notes: str
    handover: HandoverView
    names: tuple[str, ...] = ()

    def movable(self) -> tuple[str, ...]:
        """The names that can be moved to the keyring."""
        return tuple(name for name, row in self.rows.items() if row.movable)

    def filtered(self, needle: str) -> tuple[Card, ...]:
        """The cards that are about `needle`."""
        folded = needle.casefold()
        return tuple(card for card in self.cards if folded in card.spoken().casefold())


@frozen
class KeyDone:
    """What became of a change: what to say, or why it was refused; and how it is now."""

    said: str
    refused: str
    view: KeysView
    details: Mapping[str, str] = field(default_factory=dict)


def secrets_of(desk: Desk) -> Secrets:
    """The keys of the open home."""
    return Secrets(desk.home, disk=desk.disk, env=desk.env, journal=lambda: desk.journal)


def read_keys(desk: Desk) -> KeysView:
    """Look at every key, and which keyring there is. No item of it is read. For the background."""
    secrets = secrets_of(desk)
    listing, backend = secrets.listing(), secrets.backend()
    found = [find for find in listing.finds.found if find.name]
    names = sorted({*(one.name for one in listing.kept), *(find.name for find in found)})
    kept = {one.name: one for one in listing.kept}
    finds = {name: tuple(find for find in found if find.name == name) for name in names}
    problems = [say(problem) for problem in listing.finds.problems]
    if listing.index_problem is not None:
        problems.append(say(listing.index_problem))
    problems += [_interrupted(name) for name in listing.interrupted]
    usable = isinstance(backend, Backend)
    return KeysView(
        cards=tuple(_card(name, kept.get(name), finds[name], listing) for name in names),
        rows={name: _row(name, kept.get(name), finds[name]) for name in names},
        keyring=backend.label if isinstance(backend, Backend) else "",
        trouble="" if isinstance(backend, Backend) else say(backend),
        notes=sentences(*problems),
        handover=_handover(desk),
        names=tuple(kept) if usable else (),
    )


def set_key(desk: Desk, name: str, value: Secret) -> KeyDone:
    """Keep a key in the keyring. For the background."""
    done = secrets_of(desk).set(name, value, may_ask=True)
    if not isinstance(done, KeySet):
        return _refused(desk, done)
    said = tr("{name} is in the keyring; the agent has it from its next start on.", name=name)
    twin = tr("A readable copy is left; move it to the keyring, too.") if done.twins else ""
    return KeyDone(sentences(said, twin) if twin else said, "", read_keys(desk))


def clear_key(desk: Desk, name: str) -> KeyDone:
    """Remove a key from the keyring. For the background."""
    done = secrets_of(desk).clear(name, may_ask=True)
    if not isinstance(done, KeyCleared):
        return _refused(desk, done)
    return KeyDone(tr("{name} is no longer in the keyring.", name=name), "", read_keys(desk))


def write_plain(desk: Desk, name: str, value: Secret) -> KeyDone:
    """Write a key into .env, where it stands readable: a person's own choice. In the background."""
    done = secrets_of(desk).set_in_dotenv(name, value)
    if isinstance(done, REFUSALS):
        return _refused(desk, done)
    return KeyDone(tr("{name} stands in .env, readable.", name=name), "", read_keys(desk))


def clear_plain(desk: Desk, name: str) -> KeyDone:
    """Remove the line of a key from .env. For the background."""
    done = secrets_of(desk).clear_in_dotenv(name)
    if isinstance(done, REFUSALS):
        return _refused(desk, done)
    return KeyDone(tr("{name} is no longer in .env.", name=name), "", read_keys(desk))


def move_keys(desk: Desk, names: tuple[str, ...]) -> KeyDone:
    """Move keys from plain files to the keyring. For the background."""
    from store.secrets.migrate import Moves, plan_moves
    from store.secrets.migrate import move_keys as move

    secrets = secrets_of(desk)
    plan = plan_moves(secrets, names)
    if not isinstance(plan, Moves):
        return _refused(desk, plan)
    done = move(secrets, plan, may_ask=True)
    said = trn("{n} key was moved.", "{n} keys were moved.", len(done.moved))
    left = [one for one in done.left if one.name in names]
    why = "" if not left else say(left[0].refusal) if left[0].refusal else _left(left[0].why)
    if left:
        return KeyDone("", sentences(said, f"{left[0].name}: {why}"), read_keys(desk))
    return KeyDone(said, "", read_keys(desk))


def tighten(desk: Desk, paths: tuple[Path, ...]) -> KeyDone:
    """Take what others may do with these files away. For the background."""
    secrets = secrets_of(desk)
    for path in paths:
        done = secrets.tighten(path)
        if isinstance(done, REFUSALS):
            return _refused(desk, done)
    return KeyDone(tr("Only you can read it now."), "", read_keys(desk))


def hand_over(desk: Desk) -> KeyDone:
    """Let Hermes take its keys from the keyring, or mend that. For the background."""
    from store.secrets.handover import Changed, HandoverOf

    done = HandoverOf(desk.home, disk=desk.disk, env=desk.env).apply()
    if not isinstance(done, Changed):
        return _refused(desk, done)
    return KeyDone(tr("Hermes takes its keys from the keyring now."), "", read_keys(desk))


def take_back(desk: Desk) -> KeyDone:
    """Let Hermes no longer take keys from the keyring. For the background."""
    from store.secrets.handover import Changed, HandoverOf

    done = HandoverOf(desk.home, disk=desk.disk, env=desk.env).undo()
    if not isinstance(done, Changed):
        return _refused(desk, done)
    said = (
        tr("Taken back; config.yaml and the plugins folder are as they were.")
        if done.exact
        else tr("Taken back. config.yaml was changed since; only the desk's own keys left it.")
    )
    return KeyDone(said, "", read_keys(desk))


def check_handover(desk: Desk) -> KeyDone:
    """Start Hermes' interpreter and see which names it has. Takes seconds. For the background."""
    from dataclasses import replace

    from store.hermes import Found
    from store.secrets.check import check
    from store.secrets.handover import HandoverOf

    view = read_keys(desk)
    hermes = HandoverOf(desk.home, disk=desk.disk, env=desk.env).hermes()
    if not isinstance(hermes, Found):
        return KeyDone("", say(hermes), view)
    seen = check(desk.home, hermes, view.names, env=desk.env)
    words = _checked(seen, view.names)
    return KeyDone(words, "", replace(view, handover=replace(view.handover, checked=words)))


def _checked(seen: Checked, names: tuple[str, ...]) -> str:
    if seen.failed:
        return tr("Hermes could not be asked: {why}", why=seen.failed)
    missing = [name for name in names if name not in seen.set_names]
    if not missing:
        return trn(
            "A process of Hermes has the {n} key.", "A process of Hermes has all {n} keys.",
            len(names),
        )  # fmt: skip
    said = tr("A process of Hermes lacks {names}.", names=", ".join(missing))
    return sentences(said, seen.said) if seen.said else said


def _refused(desk: Desk, refusal: Refusal) -> KeyDone:
    return KeyDone("", say(refusal), read_keys(desk))


# --- Cards ----------------------------------------------------------------------------------------


def _row(name: str, kept: Kept | None, finds: tuple[Find, ...]) -> KeyRow:
    loose = dict.fromkeys(Path(find.path) for find in finds if find.loose and find.path)
    movable = any(not find.left for find in finds)
    in_dotenv = any(find.where == "dotenv" for find in finds)
    return KeyRow(name, kept is not None, movable, tuple(loose), in_dotenv)


def _card(name: str, kept: Kept | None, finds: tuple[Find, ...], listing: KeyList) -> Card:
    meta: list[str | Mark] = []
    if kept is not None:
        tip = tr("set {age}", age=age(kept.changed, time.time()))
        meta.append(Mark(tr("in the keyring"), "ok", tip))
    for find in finds:
        meta += _find_marks(find)
    users = dict.fromkeys(user for find in finds for user in find.used_by)
    users |= dict.fromkeys(listing.finds.templates.get(name, ()))
    if kept is not None:
        from store.secrets.names import users_of

        users |= dict.fromkeys(users_of(name))
    if users:
        meta.append(tr("used by {names}", names=", ".join(users)))
    return Card(key=name, text=name, meta=tuple(meta))


def _find_marks(find: Find) -> list[str | Mark]:
    if find.where == "environment":
        return [Mark(tr("from the environment"), "plain", _left(find.left))]
    place = short_path(Path(find.path), Path.home())
    line = "" if find.line is None else tr(", line {line}", line=find.line)
    tip = f"{place}{line}"
    if find.left:
        tip = f"{tip}\n{_left(find.left)}"
    words = tr("readable in {file}", file=Path(find.path).name + line)
    marks: list[str | Mark] = [Mark(words, "plain" if find.left == "oauth" else "warn", tip)]
    if find.loose:
        marks.append(Mark(tr("others can read it"), "bad", tip))
    return marks


def _left(why: str) -> str:
    return tr(LEFT[why]) if why in LEFT else ""


def _interrupted(name: str) -> str:
    return tr("Moving {name} was interrupted; move it again to finish.", name=name)


# --- The handover ---------------------------------------------------------------------------------


def _handover(desk: Desk) -> HandoverView:
    from store.secrets.handover import Handover, HandoverOf

    now = HandoverOf(desk.home, disk=desk.disk, env=desk.env).look()
    if not isinstance(now, Handover):
        return HandoverView("unknown", tr("How Hermes gets them"), say(now))
    return HandoverView(now.state, _handover_title(now), _handover_text(now))


def _handover_title(now: Handover) -> str:
    match now.state:
        case "on":
            return tr("Hermes takes its keys from the keyring")
        case "off":
            return tr("Hermes does not read the keyring yet")
        case "partly":
            return tr("The handover to Hermes is half installed")
        case "broken":
            return tr("The handover to Hermes is broken")


def _handover_text(now: Handover) -> str:
    match now.state:
        case "off":
            return tr(
                "A small plugin in this home lets every start of Hermes ask the desk for the keys. "
                "Nothing is written to a file of keys, and it can be taken back."
            )
        case "on":
            text = tr("Open sessions keep what they have; a new start has the keys.")
            if not now.uncovered:
                return text
            return sentences(
                text,
                tr("Not for commands without plugins: {commands}.",
                   commands=", ".join(now.uncovered)),
            )  # fmt: skip
        case "partly":
            return tr("Repair puts what is missing in its place.")
        case "broken":
            return tr(
                "It starts the desk by {path}, which is gone. Hermes starts without the keys.",
                path=now.missing,
            )
