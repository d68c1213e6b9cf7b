"""What the page on where a text belongs asks and does, as values. No Qt here."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from gui.i18n import N_, sentences, tr
from gui.models.memory import file_words
from gui.words import say
from schema.frozen import frozen
from store.advice.layers import Layer, Question, Suggestion, suggest
from store.home import Target
from store.refusals import REFUSALS, OverBudget, Refusal

if TYPE_CHECKING:
    from store.desk import Desk

QUESTION_WORDS: dict[Question, str] = {
    "about_you": N_("Is it about you, or about the work?"),
    "steps": N_("Is it a way of doing something, in steps?"),
    "always": N_("Must the agent know it in every conversation?"),
}
ANSWER_WORDS: dict[Question, tuple[str, str]] = {
    "about_you": (N_("About you"), N_("About the work")),
    "steps": (N_("Steps"), N_("No steps")),
    "always": (N_("In every one"), N_("Only when asked")),
}
"""The answers yes and no, in the words of the question."""
LAYER_WORDS: dict[Layer, str] = {
    "user": N_("User profile"),
    "memory": N_("Agent memory"),
    "skill": N_("Skill draft"),
    "note": N_("A note"),
}
LAYER_REASONS: dict[Layer, str] = {
    "user": N_("The agent reads it at each start, as a fact about you."),
    "memory": N_("The agent reads it at each start, as a fact about its work."),
    "skill": N_("It waits in Pending as a new skill, which is read only when it is needed."),
    "note": N_("It stands in a note of yours, and costs nothing in a conversation."),
}


@frozen
class Belongs:
    """Asks the page where `text` belongs.

    `source` is the file that has it as an entry, None if it stands nowhere yet. `draft` is the
    file in whose editor it was typed. `back` is the page to return to.
    """

    text: str
    source: Target | None = None
    draft: Target | None = None
    back: str = "memory"


@frozen
class Sent:
    """What became of it: said, and whether it is there now; `lacking` characters kept it out."""

    said: str
    change_id: int | None = None
    done: bool = True
    lacking: int = 0


def suggestion_for(text: str) -> Suggestion:
    """What the text suggests today."""
    return suggest(text, today=date.today())


def say_suggestion(suggestion: Suggestion) -> str:
    """Say what else speaks from the text, beside the answers."""
    said = []
    if suggestion.secret:
        said.append(tr("It seems to hold a key or password, which belongs in the keyring."))
    if suggestion.happened:
        said.append(tr("It tells what happened; past conversations have that already."))
    return sentences(*said)


def send_to_file(desk: Desk, about: Belongs, target: Target) -> Sent:
    """Add the text to a file, or move it there from the other one. For the background."""
    from store.memory.operations import Add, Whole

    library = desk.library
    if about.source is None:
        done = library.change(target, Add(about.text))
    else:
        done = library.move(about.source, target, Whole(about.text))
    if isinstance(done, REFUSALS):
        return _refused(done)
    if not done.changed:
        return Sent(tr("That entry is there already; nothing changed."))
    if about.source is None:
        return Sent(tr("Entry added to {file}.", file=file_words(target)), done.change_id)
    return Sent(tr("Entry moved to {file}.", file=file_words(target)), done.change_id)


def send_to_skill(desk: Desk, about: Belongs) -> Sent:
    """Stage a skill drafted from the text. For the background."""
    done = desk.queue.send_to_skill(about.text, source=about.source)
    if isinstance(done, REFUSALS):
        return _refused(done)
    return Sent(tr("The skill draft “{name}” waits in Pending.", name=done.name), done.change_id)


def _refused(refusal: Refusal) -> Sent:
    lacking = refusal.chars - refusal.limit if isinstance(refusal, OverBudget) else 0
    return Sent(say(refusal), done=False, lacking=lacking)
