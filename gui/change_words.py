"""Changes of the journal in words: what was done last, and how long ago. No Qt here."""

from __future__ import annotations

from gui.ages import age
from gui.i18n import N_, tr
from gui.words import excerpt, file_name
from store.journal import JournalEntry

DONE = {
    "add": N_("Added “{text}”"),
    "replace": N_("Changed an entry to “{text}”"),
    "remove": N_("Removed “{text}”"),
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
    "pin": N_("Pinned the skill “{text}”"),
    "unpin": N_("Unpinned the skill “{text}”"),
    "archive": N_("Archived the skill “{text}”"),
    "bring_back": N_("Restored the skill “{text}”"),
}
"""By `Intent.action`."""


def say_last_change(entry: JournalEntry, now: float) -> str:
    """Say what the latest change did, and when; `now` in UTC seconds."""
    intent = entry.intent
    text = excerpt(" · ".join(intent.come or intent.gone), 40)
    what = DONE.get(intent.action, N_("A change to {file}"))
    words = tr(what, text=text, file=file_name(intent.target))
    return tr("Last change: {what}", what=" · ".join(filter(None, (words, age(entry.at, now)))))
