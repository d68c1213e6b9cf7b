"""The desk's words about memory providers: states, reasons, notes, destinations. No Qt here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.i18n import N_, tr

if TYPE_CHECKING:
    # What every command says loads this; only few have to do with providers.
    from schema.providers import Unread, Wrong
    from store.providers.catalogue_row import Reason, Row
    from store.providers.destination import Destination
    from store.providers.forms import FieldNote
    from store.refusals import Invalid

STATES = {
    "active": N_("in use"),
    "ready": N_("ready"),
    "needs_config": N_("needs configuration"),
    "not_installed": N_("not installed"),
    "shadowed": N_("shadowed"),
    "broken": N_("broken"),
    "not_loaded": N_("not loaded by this version"),
    "missing": N_("configured but missing"),
    "off": N_("off"),
    "unknown": N_("unknown"),
}
"""`Row.state` in a word or two."""

SOURCES = {
    "bundled": N_("came with Hermes"),
    "user": N_("in this home"),
    "project": N_("of the project"),
    "package": N_("an installed package"),
    "declared": N_("known to the desk"),
}
"""Where a provider was found, by `Row.source`."""

VALUE_SOURCES = {
    "file": N_("a file of the provider"),
    "config": N_("config.yaml"),
    "dotenv": N_(".env"),
    "environment": N_("the environment"),
    "keyring": N_("the keyring"),
    "default": N_("the default"),
    "none": N_("not set"),
}
"""Where a value comes from, by `FieldState.source`."""

REASONS = {
    "hermes": N_("No Hermes was found here, so nothing would load it."),
    "package": N_("Hermes' Python lacks {names}; install that first."),
    "program": N_("The program {names} is not on the PATH; install it first."),
    "field": N_("It still needs a value for {names}."),
    "variable": N_("It still needs {names}."),
    "switched_off": N_("Its own setting {names} switches it off."),
    "shadowed": N_("Another one of the same name is loaded instead ({names})."),
    "unreadable": N_("A file of it cannot be read: {names}."),
    "syntax": N_("Python cannot compile its first file: {names}."),
    "bad_name": N_("Hermes takes no provider of this name: {names}."),
    "no_module": N_("Its package names a module that is not there: {names}."),
    "place_not_read": N_("This Hermes ({names}) loads no provider from a project's folder."),
    "package_not_read": N_("This Hermes does not load providers from packages: {names}."),
    "project_switch": N_("Hermes loads it only where {names} is set."),
    "not_found": N_("config.yaml names it, but there is no such provider."),
    "not_a_provider": N_("There is such a folder, but no memory provider in it: {names}."),
    "either": N_("It still needs a value for one of these: {names}."),
    "not_handed_over": N_(
        "Hermes does not read the keyring by itself yet, so it starts without {names}; the page "
        "Keys, or secrets handover --apply, lets it."
    ),
    "installs_itself": N_("Hermes installs {names} when it is first used."),
}
"""By `Reason.code`."""

NOTES = {
    "ignored_value": N_("A value stands in {detail}, where nothing reads it."),
    "outranked": N_("{detail} is read first, so a value saved here has no effect meanwhile."),
    "inherited": N_("This value is inherited from {detail}."),
    "place_guessed": N_("Where this plugin keeps it cannot be known without running the plugin."),
    "plain_text": N_("The key stands readable in {detail}."),
    "twin": N_("A readable copy of the key stands in {detail}, beside the one in the keyring."),
    "text_is_true": N_("To this provider the text “false” in {detail} counts as yes."),
    "nothing_reads": N_("Nothing reads this setting."),
    "oauth": N_("A sign-in owns the key and renews it; the desk leaves it alone."),
    "shared_file": N_(
        "Its settings are in a file that other profiles and programs share: {detail}."
    ),
    "environment_only": N_("It reads its settings from the environment only; they go to .env."),
    "host": N_("The host block in use is {detail}."),
    "bom": N_("{detail} begins with a byte order mark, for which Hermes does not read it."),
}
"""By `FieldNote.code`, of a field or of a form."""

DESTINATIONS = {
    "this_computer": N_("Every turn would be sent to this computer only{address}."),
    "your_server": N_("Every turn would be sent to a server of your own{address}."),
    "cloud": N_("Every turn would be sent to a cloud service{address}."),
    "unknown": N_("Every turn would be sent to a place that its settings do not tell{address}."),
}
"""By `Destination.kind`."""

UNSUPPORTED = {
    "json_edit": N_(
        "{name} is written in a way that the desk cannot change safely; change it with an editor."
    ),
    "no_place": N_("Nothing that the desk could write is read for {name}."),
    "no_secret": N_("{name} is no secret; set it as a value."),
    "field_read_only": N_("The provider says that {name} is not to be changed."),
    "secret_elsewhere": N_(
        "{name} is a secret, which goes to the keyring; on the command line use --secret {name}."
    ),
    "oauth_owned": N_("A sign-in owns {name} and renews it; sign out with Hermes to change it."),
    "undo_hidden": N_(
        "Change {name} touched a value that looks like a secret, of which no copy is kept; set it "
        "again by hand."
    ),
    "no_code": N_("There is no code of “{name}” here that could be asked."),
    "ask_timeout": N_("The plugin “{name}” gave no answer within five seconds, and was ended."),
    "ask_too_much": N_("The plugin “{name}” answered more than any declaration holds."),
    "ask_no_start": N_("The plugin could not be started: {name}."),
    "ask_no_json": N_("The plugin “{name}” gave an answer that is no declaration."),
    "ask_raised": N_("The plugin failed when it was asked: {name}."),
}
"""By `Unsupported.problem`."""

_NOT_READY = {
    "needs_config": N_("It still needs configuration; set what it lacks first."),
    "not_installed": N_("Something that it needs is not installed."),
    "broken": N_("It is broken."),
    "not_loaded": N_("This version of Hermes does not load it."),
    "missing": N_("There is no such provider."),
    "shadowed": N_("Another one of the same name is loaded instead."),
    "bad_name": N_("Hermes takes no provider of this name."),
    "declaration": N_("What the plugin answered is no declaration."),
}


def say_reason(reason: Reason) -> str:
    """Say in one sentence why a provider is in its state; empty if there is nothing to say."""
    text = REASONS.get(reason.code)
    return "" if text is None else tr(text, names=", ".join(filter(None, reason.names)))


def say_row(row: Row) -> str:
    """Say what is to be known about a provider, in a sentence or two."""
    return " ".join(filter(None, map(say_reason, (row.reason, *row.notes))))


def say_note(note: FieldNote) -> str:
    """Say what is to be known about a field or a form."""
    return tr(NOTES.get(note.code, N_("{detail}")), detail=note.detail)


def say_destination(where: Destination) -> str:
    """Say where every turn of a conversation would go."""
    address = f" ({where.address})" if where.address else ""
    return tr(DESTINATIONS[where.kind], address=address)


def say_reading(message: str) -> str:
    """Say what reading a declaration said, in the person's language."""
    from schema.reading.sentences import template_of

    template, values = template_of(message)
    if "why" in values:
        values["why"] = say_reading(values["why"])
    return tr(template, **values)


def say_unreadable(problem: Unread | Wrong) -> str:
    """Say what of a declaration could not be read."""
    from schema.providers import Unread, Wrong

    match problem:
        case Unread(file, line, _, message):
            place = f"{file}:{line}" if line else file
            return tr(
                "Its declaration cannot be read without running it ({place}: {why}).",
                place=place,
                why=say_reading(message),
            )
        case Wrong(mistakes):
            why = "; ".join(f"{one.key}: {say_reading(one.message)}" for one in mistakes[:5])
            return tr("Its declaration is wrong: {why}.", why=why)


def say_provider_invalid(refusal: Invalid) -> str:
    """Say why a provider cannot be used, or a file of it be read; empty if it is not about that."""
    if refusal.what == "provider":
        return tr(_NOT_READY.get(refusal.problem, N_("It is not ready.")))
    return ""
