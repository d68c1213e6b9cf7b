"""The desk's sentences for what `store` answers in values: one for each refusal and state.

No Qt here: the window and the command line say the same things with the same words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from gui.field_words import VALUE_PROBLEMS
from gui.i18n import N_, tr, trn
from gui.knowledge_words import UNSUPPORTED as UNSUPPORTED_OF_NOTES
from gui.provider_words import UNSUPPORTED as UNSUPPORTED_OF_PROVIDERS
from gui.provider_words import say_provider_invalid
from gui.secret_words import UNSUPPORTED as UNSUPPORTED_OF_KEYS
from gui.secret_words import say_key_invalid
from gui.threat_words import say_threat
from store.home import FILE_NAMES, TARGETS, ActiveProfile, DataElsewhere, HomeNotice
from store.memory.entries import DELIMITER
from store.refusals import (
    AlreadyThere,
    Ambiguous,
    AtOperation,
    AtRecord,
    Blocked,
    BrokenDatabase,
    Conflict,
    DelimiterInText,
    Drifted,
    Empty,
    EntryOverLimit,
    Guessed,
    Invalid,
    KeyringFailed,
    KeyringLocked,
    KeyringRefused,
    KeyringSlow,
    KeyringTrouble,
    Locked,
    Managed,
    MissingField,
    NoKeyring,
    NoMatch,
    NotFound,
    NotInFile,
    OverBudget,
    PromptDismissed,
    Protected,
    ReadOnly,
    Refusal,
    ScanHit,
    SecretTooLong,
    SeveralPlaces,
    SkillInvalid,
    Stale,
    TooBig,
    Unreadable,
    Unsupported,
    WouldEmpty,
)

if TYPE_CHECKING:
    from store.settings import MemoryOff

EXCERPT_CHARS = 60

SNAPSHOT_REASONS = {
    "empty": N_("There is no entry yet, so the agent sees no block of this file."),
    "disabled": N_("This file is switched off in config.yaml, so the agent sees nothing of it."),
    "memory_off": N_(
        "config.yaml has a value for memory that the agent cannot use, so it runs without memory."
    ),
    "bad_limit": N_(
        "The character limit in config.yaml is no plain number, so the agent cannot load this file."
    ),
    "unreadable": N_("The file cannot be read, so the agent sees nothing of it."),
    "other_bad_limit": N_(
        "The character limit of the other memory file is no plain number, which keeps the agent "
        "from loading both."
    ),
    "other_unreadable": N_(
        "The other memory file cannot be read as text, which keeps the agent from loading both."
    ),
}
"""Why the next prompt has no block, by `Snapshot.reason`."""

SIGNALS = {
    "round_trip": N_("spacing around a § line is not as the agent writes it"),
    "entry_over_limit": N_("one entry alone is longer than the whole budget"),
}
"""What is wrong with a drifted file, by signal."""

SIGNAL_FIXES = {
    "round_trip": N_(
        "remove blank lines and spaces around each § line, and lines of § with nothing between"
    ),
    "entry_over_limit": N_("split that entry with lines that hold only §"),
}
"""How to mend it by hand."""

NOTICES = {
    "crlf": N_("It has Windows line ends; the agent reads them as its own."),
    "bom": N_("It begins with a byte order mark, for which the agent hides the first entry."),
    "invalid_utf8": N_("It is not valid UTF-8, so the agent runs without memory."),
    "utf16": N_("It is saved as UTF-16, so the agent runs without memory."),
    "duplicates": N_("An entry stands in it twice; the next write keeps the first."),
    "conflict_markers": N_("It holds conflict markers of a version control program."),
    "edge_delimiter": N_("It begins or ends with a § line, which became part of an entry."),
    "identity_comments": N_("A newer Hermes keeps comments with identities in it."),
    "backup_has_more": N_("A backup beside it holds entries that it no longer has."),
}
"""What else is odd about a memory file, by notice."""

FILE_STATES = {
    "clean": N_("clean"),
    "drift": N_("in drift"),
    "unreadable": N_("unreadable"),
    "absent": N_("not there yet"),
}
"""`MemoryState.state` in a word or two."""

UNSUPPORTED = {
    "move_to_itself": N_("The entry is in that file already; name the other one as destination."),
    "identity_would_be_lost": N_(
        "A newer Hermes gave this entry an identity that a move would lose; let the agent move it."
    ),
    "already_undone": N_("Change {name} is undone already; look at the history for what is left."),
    "left_out": N_(
        "Change {name} is about a secret or about what was forgotten, so the history has no texts "
        "of it and it cannot be undone."
    ),
    "not_done": N_("Change {name} never took effect, so there is nothing to undo."),
    "skill_record": N_(
        "This is a write to a skill, which cannot be done as a write to memory; approve it by "
        "itself."
    ),
    "record_is_usable": N_(
        "The record {name} can be used, so it stays in the queue; approve or reject it."
    ),
    "nothing_to_restore": N_("Change {name} wrote no file that could be restored."),
    "provider_record": N_(
        "This record belongs to a memory provider, not to the built-in memory; it stays in place "
        "for the provider to handle."
    ),
    "unknown_action": N_(
        "The record asks for “{name}”, which the desk does not know; a newer Hermes may."
    ),
    "two_actions": N_(
        "The record is listed as “{name}” but would do something else, so it is not applied; "
        "reject it."
    ),
    "identity_in_text": N_(
        "The text begins with a comment by which a newer Hermes marks its entries, so it would "
        "not be read as text; leave that comment out."
    ),
    "config_shared": N_(
        "{name} stands for several places of config.yaml at once (an anchor or a merge); change "
        "it with an editor."
    ),
    "config_shape": N_(
        "{name} is written in config.yaml in a way that the desk cannot change safely; change it "
        "with an editor."
    ),
    **UNSUPPORTED_OF_KEYS,
    **UNSUPPORTED_OF_NOTES,
    **UNSUPPORTED_OF_PROVIDERS,
}
"""By `Unsupported.problem`."""

RECORD_PROBLEMS = {
    "too_large": N_("it is far larger than any record of the agent"),
    "not_json": N_("it is not valid JSON"),
    "not_an_object": N_("it holds no JSON object"),
    "no_payload": N_("it has no payload"),
    "id_is_not_its_name": N_("the id in it is not the name of its file"),
    "operations_are_no_list": N_("its operations are no list of objects"),
    "field_is_no_text": N_("a field of it that must be a text is none"),
    "no_target": N_("it does not say for which file or skill it is"),
    "not_markdown_list": N_("what is no list item and no heading of a memory file stands in it"),
    "encoding": N_("its bytes are not in the encoding that it names"),
    "plan_target": N_("its target must be memory or user"),
    "plan_digest": N_("it does not name the file that it was made from by digest and encoding"),
    "plan_of_the_other_file": N_("it is a plan for the other memory file"),
    "plan_entries": N_("its entries must be a list of texts, or of objects with a text"),
    "is_a_link": N_("it is a link, and records are never followed out of their folder"),
}
"""By `Invalid.problem` of a record, also of a batch that was given."""

ORIGINS = {"background_review": N_("[auto]"), "foreground": N_("asked for")}
"""Who staged a record."""

SKILL_ACTIONS = {
    "create": N_("create the skill"),
    "edit": N_("rewrite the skill"),
    "patch": N_("change the skill"),
    "write_file": N_("write a file of the skill"),
    "remove_file": N_("remove a file of the skill"),
    "delete": N_("delete the skill"),
    "batch": N_("batch"),
}
"""What a staged write to a skill does."""

ACTIONS = {
    "add": N_("add"),
    "replace": N_("replace"),
    "remove": N_("remove"),
    "batch": N_("batch"),
    "split": N_("split"),
    "move": N_("move"),
    "arrange": N_("reorder"),
    "approve": N_("approve"),
    "reject": N_("reject"),
    "undo": N_("undo"),
    "repair": N_("repair"),
    "restore": N_("restore"),
    "edit": N_("edit"),
    "set_aside": N_("set aside"),
    "configure": N_("configure"),
    "use": N_("use"),
    "switch_off": N_("switch off"),
    "import": N_("import"),
    "set_key": N_("set key"),
    "clear_key": N_("clear key"),
    "move_key": N_("move key"),
    "rewrite": N_("rewrite"),
    "delete": N_("delete the file"),
    "pin": N_("pin"),
    "unpin": N_("unpin"),
    "archive": N_("archive"),
    "bring_back": N_("bring back"),
    "move_to_note": N_("move to a note"),
    "to_skill": N_("send to a skill draft"),
}
"""What a change of the journal did, in a word."""


def say(refusal: Refusal, *, tried: bool = True) -> str:
    """Say in one calm sentence what stands in the way, where, and what to do.

    `tried` is False in a preview: nobody has asked for the change yet.
    """
    match refusal:
        case AtOperation(number, action, cause) if not tried:
            return tr(
                "Operation {number} ({action}) stands in the way, so none would be applied: "
                "{cause}",
                number=number,
                action=word(ACTIONS, action),
                cause=say(cause),
            )
        case AtOperation(number, action, cause):
            return tr(
                "Operation {number} ({action}) stands in the way, so none was applied: {cause}",
                number=number,
                action=word(ACTIONS, action),
                cause=say(cause),
            )
        case AtRecord(record, cause):
            return tr(
                "The write {record} stands in the way, and they are judged together, so none was "
                "applied: {cause}",
                record=record,
                cause=say(cause),
            )
        case Empty() | DelimiterInText() | Blocked() | EntryOverLimit():
            return _say_of_text(refusal)
        case NoMatch() | Ambiguous() | Stale() | Conflict():
            return _say_of_entry(refusal)
        case BrokenDatabase():
            from gui.session_words import say_database

            return say_database(refusal)
        case OverBudget() | WouldEmpty() | Drifted() | Unreadable() | Guessed():
            return _say_of_file(refusal)
        case Locked(path, waited):
            return tr(
                "Another program has held {path} for {seconds:g} s; try again when it is done, or "
                "allow a longer wait.",
                path=path,
                seconds=waited,
            )
        case ReadOnly(path, detail, half_done=True):
            return tr(
                "{path} cannot be written ({detail}), and the change is half done; the desk "
                "finishes it at its next start or change.",
                path=path,
                detail=detail,
            )
        case ReadOnly(path, detail):
            return tr(
                "{path} cannot be written ({detail}), so nothing was changed; check permissions "
                "and free space, then try again.",
                path=path,
                detail=detail,
            )
        case Managed(source, key):
            return _say_managed(source, key)
        case Invalid():
            return (
                say_key_invalid(refusal) or say_provider_invalid(refusal) or _say_invalid(refusal)
            )
        case NotFound(kind, name):
            return _say_not_found(kind, name)
        case Unsupported(problem, name):
            return tr(UNSUPPORTED.get(problem, N_("The desk cannot do this here.")), name=name)
        case (
            MissingField()
            | SkillInvalid()
            | SeveralPlaces()
            | NotInFile()
            | Protected()
            | TooBig()
            | AlreadyThere()
            | ScanHit()
        ):
            from gui.skill_words import say_skill

            return say_skill(refusal)
        case _:
            return say_keyring(refusal)


def say_keyring(trouble: KeyringTrouble) -> str:
    """Say why a key could not be read from the keyring, or not be put there."""
    match trouble:
        case NoKeyring():
            return tr(
                "There is no keyring of the operating system here; start one, or keep the key in "
                ".env if you choose so."
            )
        case KeyringRefused(backend):
            return tr(
                "The keyring here ({backend}) does not keep keys safely, so the desk does not use "
                "it; set up the keyring of the operating system.",
                backend=backend,
            )
        case KeyringLocked():
            return tr("The keyring is locked; unlock it, then try again.")
        case PromptDismissed():
            return tr("The keyring stayed locked; unlock it when you are asked, then try again.")
        case KeyringSlow(limit):
            return tr(
                "The keyring did not answer within {seconds:g} s; see whether it waits for you to "
                "unlock it, then try again.",
                seconds=limit,
            )
        case SecretTooLong(name, chars, limit, backend):
            return tr(
                "{name} has {chars:,} characters, and the keyring here ({backend}) takes {limit}.",
                name=name,
                chars=chars,
                limit=limit,
                backend=backend,
            )
        case KeyringFailed(detail):
            return tr(
                "The keyring failed ({detail}), so it is not known whether the key is there; try "
                "again.",
                detail=detail,
            )
        case _:
            assert_never(trouble)


def _say_of_text(refusal: Empty | DelimiterInText | Blocked | EntryOverLimit) -> str:
    match refusal:
        case EntryOverLimit(chars, limit):
            return tr(
                "The entry has {chars:,} characters, and the whole file may have {limit:,}; split "
                "it, or shorten it.",
                chars=chars,
                limit=limit,
            )
        case Empty("old_text"):
            return tr("No entry is named; give its text, or a part that only it contains.")
        case Empty("operations"):
            return tr("The list of operations is empty; give at least one.")
        case Empty("plan"):
            return tr("The plan keeps no entry of the file; keep at least one.")
        case Empty("query"):
            return tr("Nothing is given to look for; write a word or more.")
        case Empty("value"):
            return tr("No value is given; give one, or unset the setting for its default.")
        case Empty():
            return tr("The text is empty; write what the entry should say.")
        case DelimiterInText(line):
            return tr(
                "Line {line} of the text is only “§”, which would split it into two entries; "
                "change that line, or make two entries of it.",
                line=line,
            )
        case Blocked(ids, code_point):
            if code_point is not None:
                character = f"U+{code_point:04X}"
                return tr(
                    "The text holds the invisible character {character}, for which the agent "
                    "would hide the whole entry; remove that character.",
                    character=character,
                )
            said = ", ".join(f"{say_threat(one)}: {one}" for one in ids)
            return tr(
                "The agent's threat scan would hide this text ({ids}); say it in other words.",
                ids=said,
            )


def _say_of_entry(refusal: NoMatch | Ambiguous | Stale | Conflict) -> str:
    match refusal:
        case NoMatch(old_text):
            return tr(
                "No entry is or contains “{text}”; give words exactly as they stand in one.",
                text=excerpt(old_text),
            )
        case Ambiguous(old_text, matches):
            return trn(
                "“{text}” stands in {n} entry; give more of the one that is meant.",
                "“{text}” stands in {n} different entries; give more of the one that is meant.",
                len(matches),
                text=excerpt(old_text),
            )
        case Stale(entry):
            return tr(
                "The entry that this was reviewed against is gone: “{text}”; reject it, or have "
                "it staged again.",
                text=excerpt(entry),
            )
        case Conflict(later=(_, *_) as later):
            return trn(
                "A later change builds on this one: {ids}. Undo that first, or restore the "
                "version from before.",
                "Later changes build on this one: {ids}. Undo those first, the latest first, or "
                "restore the version from before.",
                len(later),
                ids=", ".join(map(str, reversed(later))),
            )
        case Conflict(path, seen, now):
            gone = [piece for piece in seen.split(DELIMITER) if piece and piece not in now]
            if gone:
                return tr(
                    "{path} has changed, and “{text}” is no longer there; look at it again.",
                    path=path,
                    text=excerpt(gone[0]),
                )
            return tr("{path} has changed since it was read; look at it again.", path=path)


def _say_of_file(refusal: OverBudget | WouldEmpty | Drifted | Unreadable | Guessed) -> str:
    match refusal:
        case Guessed(path, encoding):
            return tr(
                "{path} is not UTF-8 and seems to be {encoding}; look at what that makes of it, "
                "and give the encoding if it is right.",
                path=path,
                encoding=encoding,
            )
        case OverBudget(target, chars, limit, current):
            return tr(
                "{file} would hold {chars:,} characters of {limit:,}, which is {over:,} too many "
                "(now {current:,}); shorten the text, or first shorten or remove another entry.",
                file=file_name(target),
                chars=chars,
                limit=limit,
                over=chars - limit,
                current=current,
            )
        case WouldEmpty(target):
            return tr(
                "The batch would leave {file} empty; keep an entry, or remove the last one alone.",
                file=file_name(target),
            )
        case Drifted(path, signals, backup):
            known = [signal for signal in signals if signal in SIGNALS]
            sentence = tr(
                "The agent refuses to change {path} because {why}; {fix}.",
                path=path,
                why=tr(", and ").join(tr(SIGNALS[signal]) for signal in known),
                fix=tr(", and ").join(tr(SIGNAL_FIXES[signal]) for signal in known),
            )
            copy = tr("A copy is in {path}.", path=backup)
            return f"{sentence} {copy}" if backup else sentence
        case Unreadable(path, detail, byte, utf16):
            if utf16:
                return tr("{path} is saved as UTF-16; save it as UTF-8 first.", path=path)
            if byte is not None:
                return tr(
                    "{path} is not valid UTF-8 at byte {byte}; save it as UTF-8 first.",
                    path=path,
                    byte=byte,
                )
            return tr(
                "{path} is there but cannot be read ({detail}); it is left alone until it can.",
                path=path,
                detail=detail,
            )


def _say_managed(source: str, key: str) -> str:
    if not key:
        return tr("{source} manages this installation; change it there.", source=source)
    return tr("{source} manages {key}; change it there.", source=source, key=key)


def _say_invalid(refusal: Invalid) -> str:
    match refusal:
        case Invalid("text", _, column=column):
            return tr(
                "The text is not valid Unicode at character {column}; give it as UTF-8.",
                column=column or 1,
            )
        case Invalid("action", problem):
            name = problem.partition(":")[2]
            return tr("“{name}” is no action; use add, replace or remove.", name=name)
        case Invalid("record", problem):
            return tr(
                "This is no record that the agent could use: {why}{place}; look at the file.",
                why=word(RECORD_PROBLEMS, problem),
                place=_place(refusal),
            )
        case Invalid("given", problem):
            return tr(
                "What was given cannot be used: {why}{place}; correct it and try again.",
                why=word(RECORD_PROBLEMS, problem),
                place=_place(refusal),
            )
        case Invalid(what, problem):
            return tr(
                "{what} is not valid: {why}{place}; correct it and try again.",
                what=what,
                why=word(VALUE_PROBLEMS, problem),
                place=_place(refusal),
            )


def _place(refusal: Invalid) -> str:
    if refusal.line is None:
        return ""
    if refusal.column is None:
        return tr(" (line {line})", line=refusal.line)
    return tr(" (line {line}, column {column})", line=refusal.line, column=refusal.column)


def _say_not_found(kind: str, name: str) -> str:
    match kind:
        case "home":
            return tr(
                "There is no Hermes home at {name}; start Hermes once, or name another folder.",
                name=name,
            )
        case "active_profile":
            return tr(
                "active_profile names the profile “{name}”, which does not exist; go on with "
                "--profile default, or correct that file.",
                name=name,
            )
        case "profile":
            return tr("There is no profile “{name}”; see the list of profiles.", name=name)
        case "record":
            return tr(
                "No pending write has the id “{name}”; it may have been handled already.", name=name
            )
        case "change" if not name:
            return tr("There is no change of the desk left to undo.")
        case "change":
            return tr("The history has no change {name}; see the list of changes.", name=name)
        case "entry":
            return tr("There is no entry {name} in it; its entries count from 1.", name=name)
        case "backup":
            return tr("There is no backup or copy {name}; see the list of backups.", name=name)
        case "skill":
            return tr("There is no skill in a folder “{name}”; see the list of skills.", name=name)
        case "archived_skill":
            return tr("There is no skill “{name}” in the archive; see the list.", name=name)
        case "skill_file":
            return tr("The skill has no file {name}; reject this, or look for its name.", name=name)
        case "absorbing_skill":
            return tr(
                "The skill “{name}”, which is to have taken this one in, does not exist; let it be "
                "made first.",
                name=name,
            )
        case "provider":
            return tr("There is no memory provider “{name}”; see the list of providers.", name=name)
        case "key":
            return tr("“{name}” is no setting that the desk knows; check its spelling.", name=name)
        case "secret":
            return tr("There is no key “{name}” here; see the list of keys.", name=name)
        case "program":
            return tr("There is no program {name}; check its name, and PATH.", name=name)
        case "database":
            return tr("There is no {name} yet; Hermes makes it with its first session.", name=name)
        case "session":
            return tr(
                "There is no session {name}, or several begin so; see the list of sessions.",
                name=name,
            )
        case "note":
            return tr(
                "There is no note {name} in a configured folder; look at the list.", name=name
            )
        case "folder":
            return tr("There is no folder {name}; check its name and place.", name=name)
        case "notes_folder":
            return tr("{name} is not one of the configured folders; see the list.", name=name)
        case "hermes":
            return tr("No installed Hermes was found; install it, or name its place in Settings.")
        case _:
            return tr("There is no file {name}; check its name and place.", name=name)


def say_notice(notice: HomeNotice) -> str:
    """Say what may surprise about the home that was chosen."""
    match notice:
        case ActiveProfile(name, default_home):
            return tr(
                "This is the active profile “{name}”. Programs that start Hermes without its "
                "command use {home} instead.",
                name=name,
                home=default_home,
            )
        case DataElsewhere(places):
            return tr(
                "Nothing is kept in this home, but there is something in {places}.",
                places=", ".join(map(str, places)),
            )
        case _:
            return tr(
                "This is profile “{shown}”, while Hermes itself would use “{active}”.",
                shown=notice.shown,
                active=notice.active,
            )


def say_memory_off(off: MemoryOff) -> str:
    """Say why the agent runs without any memory though no switch says so."""
    match off.reason:
        case "section":
            why = tr("“memory:” in config.yaml is not a mapping")
        case "nudge_interval":
            why = tr("memory.nudge_interval in config.yaml is no number")
        case "agent_section":
            why = tr("“agent:” in config.yaml is not a mapping")
    place = "" if off.line is None else tr(" (line {line})", line=off.line)
    return tr("{why}{place}, so the agent runs without memory.", why=why, place=place)


def word(words: dict[str, str], key: str) -> str:
    """The word for `key` in the person's language; a key that no table has stands for itself."""
    return tr(words[key]) if key in words else key


def file_name(target: str) -> str:
    """MEMORY.md or USER.md; any other target stands for itself."""
    return next((FILE_NAMES[name] for name in TARGETS if name == target), target)


def excerpt(text: str, limit: int = EXCERPT_CHARS) -> str:
    """The beginning of `text` on one line, cut with … when it is longer than `limit`."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"
