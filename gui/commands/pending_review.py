"""The queue in a terminal, one record after the other: y, n, e, s, q. Works over pipes, too."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from gui.commands.answers import Answer, refusal_data
from gui.commands.parsing import Arguments
from gui.commands.pending_look import told, unusable_lines
from gui.commands.streams import Streams
from gui.i18n import tr, trn
from gui.words import say
from store.pending.records import SUBSYSTEMS, Record
from store.refusals import REFUSALS, Invalid, Refusal, Unreadable

if TYPE_CHECKING:
    from store.desk import Desk


def review(desk: Desk, arguments: Arguments) -> Answer:
    """Go through what waits, oldest first; nothing is done without an answer."""
    subsystems = (arguments.subsystem,) if arguments.subsystem else SUBSYSTEMS
    listings = [desk.queue.load(one) for one in subsystems]
    records = [record for listing in listings for record in listing.records]
    records.sort(key=lambda record: (record.created_at, record.id))
    talk = _Talk(desk, arguments.streams, arguments.wait)
    for listing in listings:
        for line in unusable_lines(listing.unreadable):
            arguments.streams.tell(line)
    for number, record in enumerate(records, 1):
        if not talk.about(record, f"{number}/{len(records)}"):
            break
    return talk.answer(len(records))


class _Talk:
    """What was asked and answered so far."""

    def __init__(self, desk: Desk, streams: Streams, wait: float) -> None:
        self._desk = desk
        self._streams = streams
        self._wait = wait
        self._done: dict[str, list[str]] = {
            name: [] for name in ("done", "rejected", "edited", "skipped")
        }
        self._refused: list[tuple[str, Refusal]] = []

    def about(self, record: Record, place: str) -> bool:
        """Show one record and do what is said of it; whether to go on."""
        while True:
            _, lines = told(self._desk, record)
            self._streams.tell("\n".join([f"── {place} ──", *lines]))
            match self._answered():
                case "y":
                    self._approve(record)
                case "n":
                    self._reject(record)
                case "s":
                    self._done["skipped"].append(record.id)
                case "e":
                    changed = self._edit(record)
                    if isinstance(changed, Record):
                        record = changed
                    continue
                case _:
                    return False
            return True

    def _answered(self) -> str:
        while True:
            line = self._streams.ask(tr("Approve? y(es) n(o) e(dit) s(kip) q(uit): "))
            if line is None:
                return "q"
            if line[:1].lower() in {*"ynesq"}:
                return line[:1].lower()

    def _approve(self, record: Record) -> None:
        seen = {record.id: record.digest}
        handled = self._desk.queue.approve([record.id], seen=seen, wait=self._wait)
        self._note("done", record, handled.refused, tr("Approved {id}.", id=record.id))

    def _reject(self, record: Record) -> None:
        seen = {record.id: record.digest}
        handled = self._desk.queue.reject([record.id], seen=seen, wait=self._wait)
        self._note("rejected", record, handled.refused, tr("Rejected {id}.", id=record.id))

    def _note(
        self, what: str, record: Record, refused: tuple[tuple[str, Refusal], ...], words: str
    ) -> None:
        if refused:
            self._refused += refused
            self._streams.tell(f"! {say(refused[0][1])}")
        else:
            self._done[what].append(record.id)
            self._streams.tell(words)

    def _edit(self, record: Record) -> Record | None:
        """Let the person change the payload in an editor; the record as it is then."""
        payload = _edited(record.raw["payload"], self._desk.env)
        if payload is None:
            self._streams.tell(
                tr("No editor could be started; name one in the variable VISUAL or EDITOR.")
            )
            return None
        if isinstance(payload, REFUSALS):
            self._streams.tell(f"! {say(payload)}")
            return None
        if payload == record.raw["payload"]:
            return None
        queue = self._desk.queue
        done = queue.edit(record.id, payload, seen=record.digest, wait=self._wait)
        found = queue.find(record.id)
        if isinstance(done, REFUSALS) or not isinstance(found, Record):
            self._streams.tell(f"! {say(done if isinstance(done, REFUSALS) else found)}")  # type: ignore[arg-type]
            return None
        self._done["edited"].append(record.id)
        return found

    def answer(self, count: int) -> Answer:
        """What became of all of them."""
        data: dict[str, object] = dict(self._done)
        data["refused"] = [{"id": name} | refusal_data(why) for name, why in self._refused]
        if not count:
            return Answer(data, tr("Nothing waits for approval."))
        words = [
            trn("Approved {n} write.", "Approved {n} writes.", len(self._done["done"])),
            trn("Rejected {n} write.", "Rejected {n} writes.", len(self._done["rejected"])),
        ]
        left = count - len(self._done["done"]) - len(self._done["rejected"])
        words.append(trn("{n} still waits.", "{n} still wait.", left))
        return Answer(data, " ".join(words), ok=not self._refused)


def _edited(
    payload: Mapping[str, object], env: Mapping[str, str]
) -> dict[str, object] | Refusal | None:
    """What the person's editor makes of a payload, spelled as JSON; None if there is no editor."""
    command = env.get("VISUAL") or env.get("EDITOR") or ""
    words = shlex.split(command, posix=os.name != "nt")
    if not words:
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "write.json"
        path.write_text(json.dumps(payload, indent=2, ensure_ascii=False), encoding="utf-8")
        try:
            # The editor is the person's own choice, started with no shell in between.
            ended = subprocess.run([*words, str(path)], check=False)
            data = path.read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as error:
            return Unreadable(str(path), str(error))
    if ended.returncode != 0:
        return dict(payload)
    try:
        value = json.loads(data)
    except json.JSONDecodeError as error:
        return Invalid("given", "not_json", line=error.lineno, column=error.colno)
    except (ValueError, RecursionError):
        return Invalid("given", "not_json")
    return value if isinstance(value, dict) else Invalid("given", "not_an_object")
