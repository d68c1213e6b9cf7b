"""The desk's words about keys: why one is left where it is, and what stands in the way. No Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.i18n import N_, tr

if TYPE_CHECKING:
    from store.dotenv import DotenvProblem
    from store.refusals import Invalid

LEFT = {
    "config_yaml": N_("write ${NAME} in its place in config.yaml, and set NAME here"),
    "differs": N_("there are several, and they are not the same; remove those that are wrong"),
    "environment": N_("it comes from the environment that the desk was started in"),
    "keyring_differs": N_("the keyring has another value; clear that one, or this one"),
    "look_alike": N_("it holds characters that only look like those of a key; set it anew"),
    "no_name": N_("nothing reads it from the environment, so it must stay"),
    "oauth": N_("it belongs to a sign-in, which renews it by itself"),
    "other_host": N_("another profile uses it"),
    "refused": N_("it could not be moved"),
    "shared": N_("other homes read this file too"),
    "stars": N_("these are the stars that hide a key, and no key; set it anew"),
    "template": N_("it only names where the key is"),
}
"""Why a key is not moved, by `LeftOpen.why`; each fits behind a colon."""

UNSUPPORTED = {
    "dotenv_value": N_(
        "No way of writing this value of {name} in .env reads back the same everywhere; keep it in "
        "the keyring."
    ),
    "dotenv_shape": N_(
        "{name} is written in .env so that its readers do not agree, and the desk does not guess; "
        "correct that line with an editor."
    ),
    "dotenv_twice": N_(
        "{name} stands in .env more than once with different values; remove those that are wrong."
    ),
    "json_shape": N_(
        "{name} is written in a way that the desk cannot take out safely; remove it with an editor."
    ),
    "handover_taken": N_(
        "{name} runs another program already, and the desk does not replace it; remove it there "
        "first."
    ),
    "handover_disabled": N_(
        "The plugin memory_desk stands in {name}, which wins; remove it there first."
    ),
    "keys_kept_out": N_(
        "Change {name} was about a key, whose value is kept nowhere else, so it cannot be undone; "
        "set the key anew."
    ),
    "export_to_terminal": N_(
        "Keys are not shown on a terminal; this command is for a program that reads its output."
    ),
}
"""By `Unsupported.problem`."""

ODD_LINES = {
    "bad_name": N_("the name is none that a program could use"),
    "differs": N_("Hermes' two readers find different values; put the value in single quotes"),
    "duplicate": N_("the name stands there more than once, and the last one counts"),
    "glued": N_("two names seem to stand on one line; part them if that is so"),
    "look_alike": N_("it holds characters that only look like those of a key; set it anew"),
    "no_line": N_("no program can use this line"),
    "not_utf8": N_("it is no UTF-8"),
    "nul": N_("it holds a NUL character"),
    "stars": N_("these are the stars that hide a key, and no key; set it anew"),
}
"""What is odd about a line of .env, by `DotenvProblem.kind`; each fits behind a colon."""

VALUES = {
    "bad_name": N_("letters, digits and _ make a name, and it does not begin with a digit"),
    "name_refused": N_("Hermes takes this name from nobody, since it steers programs"),
    "control_character": N_("it holds a line break or another control character"),
    "look_alike": N_("it holds a character that only looks like one of a key"),
    "not_a_list": N_("it must be a list"),
}


def say_odd_line(problem: DotenvProblem) -> str:
    """Say what a person should look at in .env; never the line itself, which may hold a key."""
    names = " ".join(problem.names)
    why = tr(ODD_LINES[problem.kind])
    if not names:
        return tr("Line {n} of .env: {why}.", n=problem.line, why=why)
    return tr("Line {n} of .env ({names}): {why}.", n=problem.line, names=names, why=why)


def say_key_invalid(refusal: Invalid) -> str | None:
    """Say what is wrong with the name or the value of a key; None if it is about something else."""
    if refusal.problem not in VALUES:
        return None
    what = {"name": N_("The name"), "value": N_("The value")}.get(refusal.what)
    place = "" if refusal.column is None else tr(" (character {n})", n=refusal.column)
    return tr(
        "{what} cannot be used: {why}{place}.",
        what=refusal.what if what is None else tr(what),
        why=tr(VALUES[refusal.problem]),
        place=place,
    )
