"""What a person wants done to the entries of the Memory page: as values, and carried out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gui.i18n import sentences, tr, trn
from gui.models.memory import OTHER, MemoryView, file_words, read_memory
from gui.words import say
from schema.frozen import frozen
from store.home import Target
from store.refusals import AtOperation

if TYPE_CHECKING:
    from store.desk import Desk
    from store.memory.operations import Change
    from store.memory.state import Written
    from store.refusals import Refusal


@frozen
class Wish:
    """A change of one file that the person wants; `said` is what the toast says of it.

    `choose` is the text of the entry to select afterwards. `typed`: it comes from the editor.
    """

    target: Target
    change: Change
    said: str
    choose: str = ""
    typed: bool = False

    @property
    def gone(self) -> tuple[str, ...]:
        """The texts of the entries that are removed or reworded."""
        from store.memory.operations import Batch, Remove, Replace, Split

        change = self.change
        operations = change.operations if isinstance(change, Batch) else (change,)
        return tuple(
            one.where.text for one in operations if isinstance(one, Remove | Replace | Split)
        )


@frozen
class Move:
    """The entries `gone` of `target` are wanted in the other file."""

    target: Target
    gone: tuple[str, ...]


@frozen
class Delete:
    """The entries `gone` of `target` are no longer wanted."""

    target: Target
    gone: tuple[str, ...]


AnyWish = Wish | Move | Delete


def carry_out(desk: Desk, wish: AnyWish) -> tuple[Written | Refusal, MemoryView]:
    """Do what the person wishes, and read the files again. Runs in the background."""
    from store.memory.operations import Remove, TakeOut, Whole

    done: Written | Refusal
    match wish:
        case Wish(target, change):
            done = desk.library.change(target, change)
        case Move(target, gone):
            done = desk.library.move(target, OTHER[target], *map(Whole, gone))
        case Delete(target, gone):
            several = len(gone) > 1
            change = TakeOut(gone) if several else Remove(Whole(gone[0]))
            done = desk.library.change(target, change)
    return done, read_memory(desk)


def told(wish: AnyWish, done: Written) -> str:
    """What the toast says of a wish that was done."""
    if not done.changed:
        return tr("That entry is there already; nothing changed.")
    match wish:
        case Wish():
            text = wish.said
        case Move(target, gone):
            text = trn(
                "Entry moved to {file}.",
                "{n:,} entries moved to {file}.",
                len(gone),
                file=file_words(OTHER[target]),
            )
        case Delete(target, gone):
            text = trn(
                "Entry deleted from {file}.",
                "{n:,} entries deleted from {file}.",
                len(gone),
                file=file_words(target),
            )
    if done.backup:
        text += " " + tr(
            "A copy of the file as it was is kept: {name}.", name=Path(done.backup).name
        )
    return text


def say_none_done(refusal: Refusal, *, several: bool = False) -> str:
    """Say why a wish was not done: of several entries what stands in the way of one."""
    cause = refusal.cause if isinstance(refusal, AtOperation) else refusal
    if several or cause is not refusal:
        return sentences(say(cause), tr("None of the entries was changed."))
    return say(refusal)
