"""What is known of a skill, in words: its problems, when it is offered, what awaits it. No Qt."""

from __future__ import annotations

from gui.i18n import N_, tr, trn
from gui.skill_words import SKILL_PROBLEMS
from gui.words import excerpt, word
from store.skills.cards import ArchivedSkill, SkillCard
from store.skills.curator import DryRun
from store.skills.problems import SkillProblem

STATES = {"active": N_("active"), "stale": N_("stale"), "archived": N_("archived")}
PROVENANCE = {
    "hub": N_("from the hub"),
    "bundled": N_("came with Hermes"),
    "agent": N_("made by the agent"),
    "user": N_("made by you"),
}
"""By `SkillCard.provenance`."""

MOVES = {
    "seed": N_("begins to count its age"),
    "stale": N_("becomes stale"),
    "archive": N_("goes to the archive"),
    "reactivate": N_("becomes active again"),
}
"""What the curator does, by `Moved.move`."""

SPARED = {
    "pinned": N_("pinned"),
    "cron": N_("a scheduled job needs it"),
}
"""Why the curator leaves a skill alone."""

PROBLEMS = {
    "unreadable": N_("SKILL.md cannot be read ({about}), so the agent sees nothing but the name."),
    "not_utf8": N_("SKILL.md is no UTF-8 (byte {about}), so the agent sees nothing but the name."),
    "no_front_matter": N_("SKILL.md does not begin with front matter between lines of ---."),
    "front_matter_open": N_("The front matter of SKILL.md has no closing line of ---."),
    "front_matter_not_yaml": N_("The front matter of SKILL.md is no YAML{place}."),
    "front_matter_no_mapping": N_("The front matter of SKILL.md is no list of key: value."),
    "no_name": N_("The front matter has no name, so the folder's counts."),
    "no_description": N_("The front matter has no description, so the model sees only the name."),
    "no_body": N_("SKILL.md has no text below its front matter."),
    "description_long": N_("The description has {about} characters; the agent writes up to 1,024."),
    "says_nothing": N_(
        "The description names nothing that you would say when you need this; add such words."
    ),
    "bad_conditions": N_(
        "{about} is no list. With that the agent fails to build its list of skills, so write [] "
        "or leave it out."
    ),
    "clash": N_("Others go by the same name ({about}); the agent takes only one."),
    "name_differs": N_("The agent's tools know it by its folder ({folder}), its lists by {name}."),
    "missing_file": N_("It points to {about}, which is not there."),
    "link_escapes": N_("It points to {about}, which leads out of its folder."),
    "archived_here": N_(
        "The agent has noted it as archived, but it is here, so the curator no longer minds it; "
        "archive and restore it to mend that."
    ),
    "bad_record": N_(
        "A count in its record of use is no number, at which the curator fails; mend "
        "skills/.usage.json."
    ),
    "scan": N_("The agent's scan of skills calls {file} dangerous ({ids})."),
}
"""By `SkillProblem.code`."""

BECAUSE = {
    "disabled": N_("it is switched off in config.yaml (skills.disabled)"),
    "platforms": N_("it is for {what}"),
    "environments": N_("it is for the environment {what}"),
    "requires_toolsets": N_("it needs the toolset {what}"),
    "requires_tools": N_("it needs the tool {what}"),
    "fallback_for_toolsets": N_("it stands in only while the toolset {what} is missing"),
    "fallback_for_tools": N_("it stands in only while the tool {what} is missing"),
}
"""By what decides whether a skill is offered."""


def say_problem(problem: SkillProblem) -> str:
    """Say what is wrong with a skill in a sentence."""
    about = problem.about
    place = "" if problem.line is None else tr(" (line {line})", line=problem.line)
    first, last = (about[0], about[-1]) if about else ("", "")
    text = PROBLEMS.get(problem.code) or SKILL_PROBLEMS.get(problem.code)
    return tr(
        text or N_("The skill is not as it should be."),
        about=first if problem.code == "description_long" else ", ".join(about),
        folder=first,
        file=first,
        ids=", ".join(about[1:]),
        name=last,
        place=place,
    )


def say_offer(card: SkillCard, only: tuple[str, ...] | None = None) -> tuple[str, ...]:
    """Say when the skill is offered to the model: one phrase for each thing that it asks for.

    With `only`, no more than those: `card.offered.because` is what decides here and now.
    """
    asked = {
        "platforms": card.offer.platforms,
        "environments": card.offer.environments,
        **card.offer.conditions,
    }
    if "disabled" in card.offered.because:
        asked["disabled"] = ("",)
    return tuple(
        tr(BECAUSE[key], what=", ".join(what))
        for key, what in asked.items()
        if what and (only is None or key in only)
    )


def say_origin(skill: SkillCard | ArchivedSkill) -> str:
    """Say where a skill came from."""
    if isinstance(skill, SkillCard) and skill.external:
        return tr("from an outside folder")
    return word(PROVENANCE, skill.provenance)


def say_here(card: SkillCard) -> str:
    """Say whether the skill is offered here and now; empty if it simply is."""
    if card.offered.bare:
        return tr("It is for another environment, but the agent lists its name all the same.")
    match card.offered.here:
        case "yes":
            if card.line is None:
                return tr("Another one of that name is offered in its place.")
            return ""
        case "no":
            reasons = say_offer(card, card.offered.because)
            return tr("Not offered here: {why}.", why=tr(", ").join(reasons))
        case "depends":
            reasons = say_offer(card, card.offered.because)
            return tr("Offered by what the session has: {why}.", why=tr(", ").join(reasons))


def say_use(card: SkillCard) -> str:
    """How often it was used, in short."""
    return trn("{n} use", "{n} uses", card.use.uses)


def say_states(card: SkillCard) -> str:
    """The state of its life, and whether it is pinned."""
    words = [word(STATES, card.state)]
    if card.pinned:
        words.append(tr("pinned"))
    if card.external:
        words.append(tr("outside, read-only"))
    if card.linked:
        words.append(tr("by a link"))
    return tr(", ").join(words)


def say_run(run: DryRun, when: str) -> str:
    """Say whether and when the curator runs next; `when` is the moment in words."""
    if not run.rules.enabled:
        return tr("The curator is switched off, so nothing happens.")
    if run.state.paused:
        return tr("The curator is paused, so nothing happens until Hermes resumes it.")
    if run.at is None:
        return tr(
            "The curator has never run. It first waits {hours} h from when Hermes next looks.",
            hours=run.rules.interval_hours,
        )
    return tr(
        "The curator runs next from {when} on, once Hermes has been idle for {hours:g} h.",
        when=when,
        hours=run.rules.min_idle_hours,
    )


def short(text: str) -> str:
    """A description for one line of a list."""
    return excerpt(text, 60)
