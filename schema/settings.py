"""Hermes' own settings that concern memory, as a declaration (hermes-formats §4.1)."""

from __future__ import annotations

from typing import Final

from schema.fields import N_, Declaration, Field, Group, Number, Text, Toggle, declare

_GROUPS = (
    Group("memory", N_("Memory")),
    Group("limits", N_("Size")),
    Group("approval", N_("Approval")),
    Group("reviews", N_("Background reviews")),
    Group("curator", N_("Skill curator")),
)

_MEMORY: tuple[Field, ...] = (
    Toggle(
        key="memory.memory_enabled",
        label=N_("Agent memory"),
        help=N_("Puts MEMORY.md into the agent's prompt."),
        group="memory",
        default=True,
    ),
    Toggle(
        key="memory.user_profile_enabled",
        label=N_("User profile"),
        help=N_("Puts USER.md into the agent's prompt."),
        group="memory",
        default=True,
    ),
    Text(
        key="memory.provider",
        label=N_("External provider"),
        help=N_("Names the one memory provider used beside the built-in files; empty for none."),
        group="memory",
        default="",
        keeps_empty=True,
        same_as_empty=("built-in", "builtin", "none"),
    ),
    Number(
        key="memory.memory_char_limit",
        label=N_("Agent memory limit"),
        help=N_("How many characters MEMORY.md may hold, separators included."),
        group="limits",
        default=2200,
        minimum=1,
        step=100,
        whole=True,
    ),
    Number(
        key="memory.user_char_limit",
        label=N_("User profile limit"),
        help=N_("How many characters USER.md may hold, separators included."),
        group="limits",
        default=1375,
        minimum=1,
        step=100,
        whole=True,
    ),
    Toggle(
        key="memory.write_approval",
        label=N_("Approve memory writes"),
        help=N_("Asks you before the agent changes its memory; background writes wait in Pending."),
        group="approval",
        default=False,
    ),
    Toggle(
        key="skills.write_approval",
        label=N_("Approve skill writes"),
        help=N_("Makes every skill that the agent wants to write wait in Pending."),
        group="approval",
        default=False,
    ),
    Number(
        key="memory.nudge_interval",
        label=N_("Turns between memory reviews"),
        help=N_("After how many of your messages a background review is due; 0 for never."),
        group="reviews",
        default=10,
        minimum=0,
        whole=True,
    ),
    Number(
        key="skills.creation_nudge_interval",
        label=N_("Steps between skill reviews"),
        help=N_("After how many tool steps a background review of skills is due; 0 for never."),
        group="reviews",
        default=10,
        minimum=0,
        whole=True,
    ),
)

_CURATOR: tuple[Field, ...] = (
    Toggle(
        key="curator.enabled",
        label=N_("Curate skills"),
        help=N_("Lets Hermes mark and archive skills that are no longer used."),
        group="curator",
        default=True,
    ),
    Number(
        key="curator.interval_hours",
        label=N_("Hours between runs"),
        help=N_("How long the curator waits after a run."),
        group="curator",
        default=168,
        minimum=1,
        whole=True,
    ),
    Number(
        key="curator.min_idle_hours",
        label=N_("Hours of quiet before a run"),
        help=N_("How long the agent must have been idle."),
        group="curator",
        default=2,
        minimum=0,
    ),
    Number(
        key="curator.stale_after_days",
        label=N_("Stale after days"),
        help=N_("After how many days without use a skill counts as stale."),
        group="curator",
        default=30,
        minimum=1,
        whole=True,
    ),
    Number(
        key="curator.archive_after_days",
        label=N_("Archive after days"),
        help=N_("After how many days without use a skill is moved to the archive."),
        group="curator",
        default=90,
        minimum=1,
        whole=True,
    ),
    Toggle(
        key="curator.consolidate",
        label=N_("Merge similar skills"),
        help=N_("Lets a model merge overlapping skills; this costs tokens."),
        group="curator",
        default=False,
    ),
    Toggle(
        key="curator.prune_builtins",
        label=N_("Archive bundled skills too"),
        help=N_("Treats the skills that came with Hermes like those the agent wrote."),
        group="curator",
        default=True,
    ),
    Toggle(
        key="curator.backup.enabled",
        label=N_("Back up before a run"),
        help=N_("Keeps a copy of all skills from before each run."),
        group="curator",
        default=True,
    ),
    Number(
        key="curator.backup.keep",
        label=N_("Backups to keep"),
        help=N_("How many of these copies are kept."),
        group="curator",
        default=5,
        minimum=1,
        whole=True,
    ),
)

HERMES_SETTINGS: Final[Declaration] = declare(groups=_GROUPS, fields=(*_MEMORY, *_CURATOR))
"""Every key that `config set` takes, in the order of the Settings page."""
