"""The sentences that reading says, as templates; a message is one with its values filled in.

Messages are plain English texts, so that they can be kept, compared and printed. Whoever shows one
in another language finds its template here, and translates that.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from schema.fields import N_

SENTENCES: Final = (
    N_("the file has {size} characters; at most {most} are read"),
    N_("nested more than {most} levels deep"),
    N_("nested more than {most} expressions deep"),
    N_("nested too deep"),
    N_("not valid Python: {error}"),
    N_("cannot be parsed: {error}"),
    N_("more than {most} steps would be needed"),
    N_("more than {most} items would be gone through"),
    N_("more than {most} files would have to be read"),
    N_("more than {most} calls inside one another"),
    N_("something of more than {most} characters would come about"),
    N_("something of more than {most} items would come about"),
    N_("what it gives is no list of fields"),
    N_("the answer is no list of fields"),
    N_("the answer is too large, too deep or no JSON"),
    N_("{count} fields are declared; the first {most} are shown"),
    N_("a field whose key could not be read"),
    N_("not all fields could be read"),
    N_("not all of it could be read"),
    N_("this kind of expression is not read"),
    N_("this kind of comparison is not read"),
    N_("this call is not read"),
    N_("the environment decides"),
    N_("it is taken from the environment"),
    N_("it comes from outside of the package"),
    N_("{name} is not part of the package"),
    N_("nothing of the package says what {name} is"),
    N_("the package has no such name or file"),
    N_("it is set while running"),
    N_("it is worked out while running"),
    N_("it may not be installed"),
    N_("it depends on what is installed"),
    N_("it depends on itself"),
    N_("it fails"),
    N_("how often it is gone through is not known"),
    N_("what it goes through is not known"),
    N_("the method {name} is not read here"),
    N_("this cannot be the key of a field"),
    N_("a field has no key"),
    N_("this cannot be the name of a provider"),
    N_("{name} is no name of an environment variable"),
    N_("the environment variable {name} is not a provider's to set"),
    N_("no environment variable is declared for this secret"),
    N_("no choices are declared; any text can be given"),
    N_("the kind {kind} is not known; shown as text"),
    N_("the storage {name} is not known"),
    N_("the attribute {name} is not known"),
    N_("the default {value} does not fit and is left out"),
    N_("declared more than once; the first is shown"),
    N_("declared under a name, without a key"),
    N_("a link was left out, only http and https are opened: {address}"),
    N_("a pattern in a condition is not understood; it counts as fulfilled"),
    N_("get_config_schema() could not be read: {why}"),
    N_("a default that follows another field could not be read"),
    N_("the choice {value} is given more than once"),
    N_("a condition could not be read; the field is always shown"),
    N_("more than {most} choices; the first are shown"),
    N_("what is called here is not known"),
    N_("it is given later"),
    N_("it has no default"),
    N_("it is passed later"),
    N_("it is no plain text"),
    N_("this format is not read"),
    N_("its length is not known"),
    N_("what is read here is not known"),
    N_("only files of the package are read"),
    N_("how far it goes is not known"),
    N_("it is looked at while running"),
    N_("it is no plain path"),
    N_("what is read here is not known, or too large"),
    N_("it is no plain YAML"),
    N_("it is no JSON"),
    N_("this kind of value is not read"),
    N_("{owner} says nothing of {name}"),
    N_("{owner} has no {name}"),
    N_("it is not known what it is made of"),
    N_("the bounds {low} and {high} leave no number and are left out"),
    N_("there is no such item"),
    N_("it is no plain value"),
    N_("this property could not be read"),
    N_("this is no field"),
    N_("read as it most likely is: {construct} ({why}), and {count} more such places"),
    N_("read as it most likely is: {construct} ({why})"),
    N_("{what} could not be read ({construct}): {why}"),
    N_("{what} could not be read: {why}"),
    N_("{what} is a best guess ({construct}): {why}"),
    N_("{what} is a best guess: {why}"),
)


def template_of(message: str) -> tuple[str, dict[str, str]]:
    """The template of a message and its values; the message itself where it has none."""
    if message in SENTENCES:
        return message, {}
    for template, pattern in _patterns():
        found = pattern.fullmatch(message)
        if found is not None:
            return template, found.groupdict()
    return message, {}


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    # A value goes to the end of its part and may hold anything; templates have two at most.
    return tuple(
        (template, re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+)", re.escape(template)), re.S))
        for template in SENTENCES
        if "{" in template
    )
