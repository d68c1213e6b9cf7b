"""The desk's sentences on notes: why one cannot be written, what a folder is. No Qt."""

from __future__ import annotations

from gui.i18n import N_, tr

UNSUPPORTED = {
    "folder_in_folder": N_(
        "{name} is configured already, and one of the two lies within the other, so its notes "
        "would be found twice; remove that one first."
    ),
    "not_a_note": N_("{name} is no note that the desk lists; choose a Markdown or text file."),
    "note_is_a_link": N_(
        "A link leads to {name}, and links in a folder of notes are not followed; choose the note "
        "itself."
    ),
    "conflict_copy": N_(
        "{name} is a second version that a program that syncs put beside a note; choose the note "
        "itself."
    ),
    "note_is_full": N_("{name} would become too long for a note; choose another one."),
}
"""By `Unsupported.problem`."""

FOLDER_STATES = {
    "vault": N_("Obsidian vault"),
    "folder": N_("folder"),
    "missing": N_("not there"),
    "no_folder": N_("not a folder"),
    "closed": N_("may not be read"),
    "relative": N_("not an absolute path"),
}
"""What there is at a folder's path."""

SOURCES = {
    "environment": N_("OBSIDIAN_VAULT_PATH in the environment"),
    "dotenv": N_("OBSIDIAN_VAULT_PATH in .env"),
    "obsidian": N_("Obsidian's list of vaults"),
    "usual": N_("the place that Hermes looks at"),
    "inside": N_("a vault within a folder that was named"),
}
"""Who names a folder that is offered."""

PROBLEMS = {"not_text": N_("no text")}
"""Why nothing can be read in a note; any other reason is the system's own word."""


def pointer_to(title: str, place: str) -> str:
    """What is left in memory of an entry that went to a note; short, and meant for the agent."""
    return tr("More in the note “{title}” ({place}).", title=title, place=place)


def pointer_about(subject: str, title: str, place: str) -> str:
    """The same of one entry of several that went together; `subject` is what it begins with."""
    return tr("{subject}: in the note “{title}” ({place}).", subject=subject, title=title,
              place=place)  # fmt: skip
