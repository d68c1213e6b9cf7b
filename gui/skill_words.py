"""Why a write to a skill cannot be done, in a sentence for a person. No Qt here."""

from __future__ import annotations

from typing import assert_never

from gui.i18n import N_, tr, trn
from gui.words import excerpt, word
from store.refusals import (
    AlreadyThere,
    MissingField,
    NotInFile,
    Protected,
    ScanHit,
    SeveralPlaces,
    SkillInvalid,
    SkillTrouble,
    TooBig,
)

SKILL_PROBLEMS = {
    "name": N_(
        "“{name}” is no name for a skill; it takes up to 64 lowercase letters, digits, dots, "
        "hyphens and underscores, first a letter or digit."
    ),
    "category": N_("“{name}” is no category; it must be one folder, named as a skill may be."),
    "no_front_matter": N_("SKILL.md would not begin with front matter between lines of ---."),
    "front_matter_open": N_("The front matter of SKILL.md would have no closing line of ---."),
    "front_matter_not_yaml": N_("The front matter of SKILL.md would be no YAML{place}."),
    "front_matter_no_mapping": N_("The front matter of SKILL.md would be no list of key: value."),
    "no_name": N_("The front matter of SKILL.md would have no name."),
    "no_description": N_("The front matter of SKILL.md would have no description."),
    "no_body": N_("SKILL.md would have no text below its front matter."),
    "path_climbs": N_("The path {name} climbs out with “..”, which is never followed."),
    "path_escapes": N_("{name} leads out of the skill's folder, where nothing is written."),
    "path_place": N_(
        "{name} is no place for a file of a skill; they stand under references, templates, "
        "scripts or assets."
    ),
    "path_is_folder": N_("{name} is a folder; name the file in it."),
    "same_strings": N_("The patch would replace a text by itself, so it changes nothing."),
    "escape_drift": N_(
        "The patch has a backslash before {name} that is not in the file; it was garbled on its "
        "way, and would garble the file."
    ),
    "surrogate": N_("The text of {name} is not valid Unicode, so no file can hold it."),
    "absorbs_itself": N_("The skill “{name}” is said to be taken in by itself."),
    "usage": N_(
        "skills/.usage.json is damaged, so it is not known whether “{name}” is pinned; mend that "
        "file first."
    ),
}
"""By `SkillInvalid.problem`."""

FIELDS = {
    "name": N_("the name of the skill"),
    "content": N_("the text of SKILL.md"),
    "old_string": N_("the text to replace"),
    "new_string": N_("the text to put in its place"),
    "file_path": N_("the path of the file"),
    "file_content": N_("the text of the file"),
    "operations": N_("its operations"),
}
"""By `MissingField.field`."""

PROTECTED = {
    "pinned": N_("“{name}” is pinned, so it is not deleted; unpin it first."),
    "link": N_("The folder of “{name}” is a link, so nothing behind it is deleted."),
    "root": N_("The folder of “{name}” holds all skills, so it is not deleted."),
    "external": N_("“{name}” lies outside of the home, where the desk changes no skill."),
    "built_in": N_(
        "“{name}” stands behind a command of Hermes, so it is neither pinned nor archived."
    ),
    "linked": N_("A link leads to “{name}”, so neither the curator nor the desk moves it."),
    "hub": N_("“{name}” came from the hub; remove it there instead of archiving it."),
    "bundled": N_(
        "“{name}” came with Hermes; it may be archived once curator.prune_builtins is on."
    ),
    "pin_hub": N_("“{name}” came from the hub, and the curator leaves it alone anyway."),
    "pin_bundled": N_("“{name}” came with Hermes, and Hermes pins only other skills."),
    "pinned_here": N_("“{name}” is pinned, so it is not archived; unpin it first."),
    "holds_all": N_("The folder of “{name}” holds all skills, so it is not archived."),
    "holds_kept": N_(
        "In the folder of “{name}” lies another skill that may not be archived; move that first."
    ),
    "back_hub": N_("The hub has installed a skill “{name}” since, which this would hide."),
    "back_bundled": N_(
        "Hermes comes with a skill “{name}”, so this is restored only where curator.prune_builtins "
        "is on."
    ),
}
"""By `Protected.why`."""

SIZES = {
    "description": N_("The description would have {size:,} characters of {limit:,}."),
    "tree": N_("The skill has {size:,} bytes, too many to be kept for undo ({limit:,})."),
    "files": N_("The skill has {size:,} files, too many to be kept for undo ({limit:,})."),
    "bytes": N_("The file would have {size:,} bytes of {limit:,}."),
}
"""By `TooBig.what`; any other is the name of a file that is measured in characters."""


def say_skill(trouble: SkillTrouble) -> str:
    """Say what stands in the way of a write to a skill."""
    match trouble:
        case MissingField(field):
            return tr("It does not give {field}.", field=word(FIELDS, field))
        case SkillInvalid(problem, name, line):
            place = "" if line is None else tr(" (line {line})", line=line)
            text = SKILL_PROBLEMS.get(problem, N_("The skill would not be valid."))
            return tr(text, name=excerpt(name), place=place)
        case SeveralPlaces("skill", text, count, places):
            return trn(
                "{n} skill goes by the name “{name}” ({places}); rename all but one.",
                "{n} skills go by the name “{name}” ({places}); rename all but one.",
                count,
                name=text,
                places=", ".join(places),
            )
        case SeveralPlaces("archived_skill", text, count, places):
            return trn(
                "{n} skill in the archive goes by “{name}” ({places}); name its folder.",
                "{n} skills in the archive go by “{name}” ({places}); name the folder of one.",
                count,
                name=text,
                places=", ".join(places),
            )
        case SeveralPlaces(_, text, count, _):
            return trn(
                "“{text}” stands in {n} place of the file; the patch must mean one.",
                "“{text}” stands in {n} places of the file; the patch must mean one.",
                count,
                text=excerpt(text),
            )
        case NotInFile(file, old_string):
            return tr(
                "“{text}” does not stand in {file}; the file has changed since.",
                text=excerpt(old_string),
                file=file,
            )
        case Protected(skill, why):
            return tr(PROTECTED.get(why, N_("“{name}” is protected.")), name=skill)
        case TooBig(what, size, limit):
            text = SIZES.get(what, N_("{what} would have {size:,} characters of {limit:,}."))
            return tr(text, what=what, size=size, limit=limit)
        case AlreadyThere(skill, path):
            return tr("There is a skill “{name}” already, in {path}.", name=skill, path=path)
        case ScanHit(file, ids):
            return tr(
                "The agent's scan of skills refuses {file} ({ids}).", file=file, ids=", ".join(ids)
            )
        case _:
            assert_never(trouble)
