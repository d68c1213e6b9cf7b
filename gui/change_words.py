"""Changes of the journal in words: what was done last, and how long ago. No Qt here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.ages import age
from gui.i18n import N_, sentences, tr, trn
from gui.words import excerpt, file_name

if TYPE_CHECKING:
    from store.history_forget import Forgotten
    from store.journal import JournalEntry

DONE = {
    "add": N_("Added “{text}”"),
    "replace": N_("Changed an entry to “{text}”"),
    "remove": N_("Removed “{text}”"),
    "split": N_("Split an entry into “{text}”"),
    "move": N_("Moved “{text}”"),
    "arrange": N_("Reordered the entries of {file}"),
    "batch": N_("Several changes to {file}"),
    "approve": N_("Approved a write to {file}"),
    "reject": N_("Rejected a write to {file}"),
    "repair": N_("Repaired {file}"),
    "restore": N_("Restored {file}"),
    "configure": N_("Changed a provider: “{text}”"),
    "use": N_("Changed the provider in use: “{text}”"),
    "switch_off": N_("Switched the provider off: “{text}”"),
    "edit": N_("Edited a write to {file} that waits"),
    "set_aside": N_("Set a write to {file} aside"),
    "set_key": N_("Set the key “{text}”"),
    "clear_key": N_("Removed the key “{text}”"),
    "move_key": N_("Moved the key “{text}” to the keyring"),
    "import": N_("Imported entries into {file}"),
    "undo": N_("Undid a change to {file}"),
    "rewrite": N_("Wrote {file} in another form"),
    "delete": N_("Deleted {file}"),
    "pin": N_("Pinned the skill “{text}”"),
    "unpin": N_("Unpinned the skill “{text}”"),
    "archive": N_("Archived the skill “{text}”"),
    "bring_back": N_("Restored the skill “{text}”"),
    "move_to_note": N_("Moved “{text}” to a note"),
    "to_skill": N_("Sent “{text}” to a skill draft"),
}
"""By `Intent.action`."""


WHO = {
    "desk": N_("you"),
    "agent": N_("the agent"),
    "other": N_("another program"),
    "approval": N_("approval"),
    "approval:background_review": N_("approval [auto]"),
}


def say_who(who: str) -> str:
    """Say who made a change: `Intent.who` in a word or two."""
    return tr(WHO.get(who) or WHO.get(who.partition(":")[0]) or N_("another program"))


def say_what(entry: JournalEntry, most: int = 40) -> str:
    """Say what a change did."""
    intent = entry.intent
    texts = (
        intent.gone if intent.action in ("move_to_note", "to_skill") else intent.come or intent.gone
    )
    text = excerpt(" · ".join(texts), most)
    what = DONE.get(intent.action, N_("A change to {file}"))
    if "{text}" in what and (entry.withheld or not text):
        what = N_("A change to {file}")
    return tr(what, text=text, file=file_name(intent.target))


def say_forgotten(done: Forgotten) -> str:
    """Say from where an entry is gone now."""
    places = (
        trn("{n} entry", "{n} entries", done.entries) if done.entries else "",
        trn("{n} backup", "{n} backups", len(done.backups)) if done.backups else "",
        trn("{n} change of the history", "{n} changes of the history", done.changes),
    )
    words = tr("Forgotten, for good: {places}.", places=", ".join(filter(None, places)))
    if done.notes:
        said = tr("Your own notes say it still: {paths}.", paths=", ".join(done.notes))
        words = sentences(words, said)
    if not done.left:
        return words
    left = tr("A damaged journal was set aside earlier and may still hold it: {path}.",
              path=done.left[0])  # fmt: skip
    return sentences(words, left)


def say_last_change(entry: JournalEntry, now: float) -> str:
    """Say what the latest change did, and when; `now` in UTC seconds."""
    words = say_what(entry)
    return tr("Last change: {what}", what=" · ".join(filter(None, (words, age(entry.at, now)))))
