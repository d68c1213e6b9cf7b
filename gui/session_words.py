"""The desk's sentences on the conversations: why they cannot be read, and what is odd. No Qt."""

from __future__ import annotations

from gui.i18n import N_, tr
from store.refusals import BrokenDatabase

STATES = {
    "corrupt": N_(
        "{path} is damaged where the conversations themselves are ({detail}); end Hermes, keep a "
        "copy of that file with those beside it, then let Hermes look: hermes sessions repair."
    ),
    "truncated": N_(
        "{path} ends before its last page, so a part of it was cut off; end Hermes, keep it as it "
        "is, and bring back a copy that is older than the damage."
    ),
    "not_sqlite": N_("{path} is no SQLite database ({detail}); look at what was put in its place."),
    "foreign": N_(
        "{path} is a database without the tables of Hermes ({detail}); start Hermes once, and it "
        "makes them."
    ),
    "no_permission": N_(
        "{path} may not be read by your user ({detail}); give your user the right to read it."
    ),
    "read_only_folder": N_(
        "{path} cannot be read since its folder is not writable: SQLite needs two small files "
        "beside it; let your user write in that folder."
    ),
}
"""By `BrokenDatabase.state`."""

NOTICES = {
    "newer": N_(
        "state.db was written by a newer Hermes; what is new in it the desk does not show."
    ),
    "older": N_(
        "state.db is of an older Hermes, so what was archived or taken back may not be marked."
    ),
    "no_word_index": N_("state.db has no word index, so a search reads every message."),
    "no_trigram": N_(
        "state.db has no index for parts of words, so a search for Chinese, Japanese or Korean "
        "reads every message."
    ),
    "word_broken": N_(
        "The word index of state.db is damaged and was gone around: every message is read; the "
        "conversations are whole, and Hermes mends the index with: hermes sessions repair."
    ),
    "trigram_broken": N_(
        "The index for parts of words in state.db is damaged and was gone around; the "
        "conversations are whole, and Hermes mends the index with: hermes sessions repair."
    ),
    "word_behind": N_(
        "The word index of state.db lacks the newest messages, so a search reads every message."
    ),
    "trigram_behind": N_(
        "The index for parts of words in state.db lacks the newest messages and is not used."
    ),
}
"""What is odd about the database and does not keep it from being read, by notice."""


def say_database(refusal: BrokenDatabase) -> str:
    """Say why the conversations cannot be read, and what to do."""
    text = STATES.get(refusal.state, N_("{path} cannot be read ({detail}); look at that file."))
    return tr(text, path=refusal.path, detail=refusal.detail)
