"""What is wrong with a value, in words. No Qt here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.i18n import N_, tr

if TYPE_CHECKING:
    from schema.values import Problem

VALUE_PROBLEMS = {
    "not_text": N_("it must be text"),
    "not_an_option": N_("it must be one of {options}"),
    "not_yes_or_no": N_("it must be true or false"),
    "not_a_number": N_("it must be a number"),
    "not_whole": N_("it must be a whole number"),
    "too_small": N_("it must be at least {limit}"),
    "too_large": N_("it must be at most {limit}"),
    "not_json": N_("it must be JSON"),
    "not_object_or_array": N_("it must be a JSON object or array"),
    "not_an_object": N_("it must hold a JSON object"),
    "line_break": N_("it must be one line"),
    "unknown_key": N_("there is no such setting"),
    "not_a_section": N_("it holds a single value where a section with keys must be"),
    "not_a_single_value": N_("it holds a section or list where a single value must be"),
}
"""What a value must be: by `Problem.reason`, and by `Invalid.problem` of a setting."""

_JSON_DETAILS = {
    "value": N_("a value is missing here"),
    "name": N_("a name in double quotes is missing here"),
    "comma": N_("a comma is missing here"),
    "colon": N_("a colon is missing here"),
    "string": N_("the text that begins here has no closing quote"),
    "end": N_("something stands after the end"),
    "control": N_("a line break or tab stands inside a text; write \\n or \\t"),
    "escape": N_("a backslash stands here alone; write \\\\"),
    "number": N_("NaN and Infinity are no JSON"),
}


def say_problem(problem: Problem) -> str:
    """Say in a few words what a value must be; it fits behind a colon and below a field."""
    if problem.line and problem.detail:
        return tr(
            "line {line}, column {column}: {why}",
            line=problem.line,
            column=problem.column,
            why=tr(_JSON_DETAILS[problem.detail]),
        )
    text = tr(VALUE_PROBLEMS[problem.reason])
    options = ", ".join(problem.options)
    return text.format(limit=problem.limit, options=options)
