"""Lets Hermes take its keys from the keyring by itself, and asks whether it really does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gui.commands.answers import Answer, refused
from gui.commands.parsing import Areas, Arguments, leaf
from gui.i18n import tr, trn
from store.preferences import data_dir

if TYPE_CHECKING:
    from store.desk import Desk
    from store.secrets.handover import Handover, HandoverOf


def declare_handover(commands: Areas) -> None:
    """Declare `secrets handover`."""
    hand = leaf(
        commands,
        "handover",
        handover,
        tr("let Hermes take its keys from the keyring by itself"),
        changes=True,
    )
    how = hand.add_mutually_exclusive_group()
    how.add_argument("--apply", action="store_true", help=tr("install it, or mend it"))
    how.add_argument("--undo", action="store_true", help=tr("take it out again"))
    how.add_argument("--check", dest="ask", action="store_true", help=tr("ask a process of Hermes"))
    how.add_argument(
        "--launcher", metavar="FILE", help=tr("write a script that starts hermes with the keys")
    )


def handover(desk: Desk, arguments: Arguments) -> Answer:
    """Show, install, remove or check what lets Hermes take its keys from the keyring."""
    from store.secrets.handover import Changed, Handover, HandoverOf

    way = HandoverOf(desk.home, disk=desk.disk, env=desk.env)
    if arguments.launcher:
        return _launcher(desk, way, Path(arguments.launcher))
    changed: tuple[str, ...] = ()
    exact = True
    if arguments.apply or arguments.undo:
        done = way.apply() if arguments.apply else way.undo()
        if not isinstance(done, Changed):
            return refused(done)
        changed, exact = done.changed, done.exact
    now = way.look()
    if not isinstance(now, Handover):
        return refused(now)
    data: dict[str, object] = {
        "method": now.method,
        "fits": now.fits,
        "state": now.state,
        "works": None,
        "changed": bool(changed),
        "files": changed,
        "exact": exact,
        "not_for": now.uncovered,
    }
    notes = _handover_notes(now, exact=exact)
    if arguments.ask:
        return _checked(desk, way, now, data, notes)
    ok = now.state not in ("broken", "partly")
    return Answer(data, _handover_words(now), ok=ok, notes=tuple(notes))


def _checked(
    desk: Desk, way: HandoverOf, now: Handover, data: dict[str, object], notes: list[str]
) -> Answer:
    from store.hermes import Found
    from store.secrets.check import check
    from store.secrets.index import Index, index_path, read_index

    hermes, index = (
        way.hermes(),
        read_index(index_path(data_dir(desk.env), desk.home), disk=desk.disk),
    )
    if not isinstance(hermes, Found):
        return refused(hermes, **data)
    if not isinstance(index, Index):
        return refused(index, **data)
    names = [one.name for one in index.names]
    seen = check(desk.home, hermes, names, env=desk.env)
    works = not seen.failed and seen.known and set(names) <= set(seen.set_names)
    data |= {
        "works": works,
        "set": seen.set_names,
        "not_set": [name for name in names if name not in seen.set_names],
        "said": seen.said,
    }
    if works:
        text = trn("Hermes has the {n} key of the keyring.", "Hermes has all {n} keys.", len(names))
        return Answer(data, "\n".join([_handover_words(now), text]), notes=tuple(notes))
    why = seen.said or seen.failed or tr("it does not know of the desk")
    message = tr("Hermes does not have the keys: {why}", why=why)
    data |= {"reason": "not_found", "message": message}
    return Answer(data, _handover_words(now), ok=False, notes=(*notes, message))


def _launcher(desk: Desk, way: HandoverOf, path: Path) -> Answer:
    from store.secrets.check import launcher

    text = launcher(way.command, desk.home)
    failed = desk.disk.create(path.absolute(), text.encode(), mode=0o700)
    if failed is not None:
        return refused(failed)
    return Answer(
        {"method": "exec", "works": None, "changed": True, "files": [str(path.absolute())]},
        tr("{path} starts hermes with the keys of this home.", path=path),
    )


def _handover_words(now: Handover) -> str:
    method = {
        "plugin": tr("a plugin of Hermes"),
        "command": tr("Hermes' own source for commands"),
        "none": tr("nothing"),
    }[now.method]
    match now.state:
        case "off":
            return tr("Hermes does not read the keyring by itself.")
        case "on":
            return tr("Hermes takes its keys from the keyring, by {method}.", method=method)
        case "partly":
            return tr("Only half of it is installed; secrets handover --apply mends it.")
        case "broken":
            return tr(
                "It is broken, since {path} is gone; secrets handover --apply repairs it.",
                path=now.missing,
            )


def _handover_notes(now: Handover, *, exact: bool) -> list[str]:
    notes = []
    if now.method == "plugin" and now.state == "on":
        commands = ", ".join(now.uncovered)
        notes.append(
            tr(
                "These load no plugins, so they do not have the keys: {commands}.",
                commands=commands,
            )
        )
    if not exact:
        notes.append(
            tr("config.yaml was changed since, so only the desk's own keys were taken out of it.")
        )
    return notes
