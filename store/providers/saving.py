"""A person's changes to a form: checked together, planned as lines, saved whole, read back.

Nothing is written unless every value is valid, and nothing but what was changed. What was seen is
compared with what is there. Saving never makes a provider the active one.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from schema.fields import UNSET, Secret, Select, Text, Unset, closest
from schema.frozen import field, frozen
from schema.values import Problem, parse
from schema.visibility import as_text, visible
from store.changes import FileChange, Intent
from store.providers.editing import FileLines, KeyChange, Stopped, prepare, shown
from store.providers.forms import FieldState, Form
from store.providers.layouts import to_store
from store.providers.masking import HIDDEN, is_secret
from store.providers.sources import JsonPlace, Sources
from store.refusals import Conflict, Locked, ReadOnly, Refusal, Unsupported
from store.transaction import carry_out
from store.yaml_values import same

if TYPE_CHECKING:
    from store.journal import Journal

ACTION = "configure"
"""What the journal calls a save; its target is `provider:NAME`."""


@frozen
class Mistakes:
    """Why nothing is written: what is wrong, by key, all of it at once."""

    problems: Mapping[str, Problem | Refusal]


@frozen
class SavePlan:
    """Changes that can all be made. `files` are the lines that they would change."""

    form: Form = field(repr=False)
    changes: tuple[KeyChange, ...]
    files: tuple[FileLines, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the fields that change."""
        return tuple(dict.fromkeys(change.key for change in self.changes if change.key))


@frozen
class Unstuck:
    """A field whose value in effect is not what was saved; `place` is what wins, if known."""

    key: str
    place: str


@frozen
class Saved:
    """The changes are on disk. `change_id` is the journal's; None if there was nothing to do."""

    changed: tuple[str, ...]
    files: tuple[FileLines, ...]
    did_not_stick: tuple[Unstuck, ...] = ()
    change_id: int | None = None


def plan_save(
    form: Form, values: Mapping[str, str | Unset], sources: Sources
) -> SavePlan | Mistakes | Refusal:
    """See what `values` (as typed, by key; UNSET to unset) would change. Writes nothing."""
    if form.locked is not None:
        return form.locked
    problems: dict[str, Problem | Refusal] = {}
    changes: list[KeyChange] = []
    proposed = _proposed(form, values)
    shown_fields = {id(one) for one in visible(form.schema.fields, proposed)}
    for key, typed in values.items():
        state = _meant(form, key, shown_fields)
        if state is None:
            near = closest(key, form.schema.keys)
            problems[key] = Problem(key, "unknown_key", options=(near,) if near else ())
            continue
        made = _changes_of(form.name, state, typed, sources)
        if isinstance(made, list):
            changes += made
        else:
            problems[key] = made
    if problems:
        return Mistakes(problems)
    changes += _carried(form, changes, sources)
    prepared = prepare(changes, sources)
    if isinstance(prepared, Stopped):
        return _stopped(prepared)
    return SavePlan(form, tuple(changes), prepared.files)


def _stopped(stopped: Stopped) -> Mistakes | Refusal:
    if set(stopped.refusals) == {""}:
        return stopped.refusals[""]
    conflicts = [why for why in stopped.refusals.values() if isinstance(why, Conflict)]
    return conflicts[0] if conflicts else Mistakes(dict(stopped.refusals))


def _proposed(form: Form, values: Mapping[str, str | Unset]) -> dict[str, object]:
    """The values as they would be, for what is shown then."""
    proposed = dict(form.values)
    for key, typed in values.items():
        if isinstance(typed, str) and typed.strip():
            proposed[key] = typed.strip()
        else:
            proposed.pop(key, None)
    return proposed


def _meant(form: Form, key: str, shown_fields: set[int]) -> FieldState | None:
    same_key = [state for state in form.fields if state.key == key]
    return next(
        (state for state in same_key if id(state.field) in shown_fields),
        same_key[0] if same_key else None,
    )


def _changes_of(
    name: str, state: FieldState, typed: str | Unset, sources: Sources
) -> list[KeyChange] | Problem | Refusal:
    one, target = state.field, state.layout.target
    if isinstance(one, Secret):
        return Unsupported("secret_elsewhere", one.key)
    if state.locked is not None or target is None:
        return state.locked or Unsupported("no_place", one.key)
    if isinstance(typed, str):
        if _is_as_stored(state, typed):
            return []
        parsed = parse(one, typed)
        if isinstance(parsed, Problem):
            return parsed
        value = parsed.value
    else:
        value = UNSET
    if value is UNSET:
        gone = [
            KeyChange(one.key, place, sources.kept(place), UNSET)
            for place in (target, *state.layout.cleared)
            if sources.kept(place) is not UNSET
        ]
        return [_seen(state, change, target) for change in gone]
    after = to_store(name, one, target, value)
    if same(state.stored, after):
        return []
    return [KeyChange(one.key, target, state.stored, after)]


def _seen(state: FieldState, change: KeyChange, target: object) -> KeyChange:
    """The change with what the person saw, where that is known."""
    if change.place != target:
        return change
    return KeyChange(change.key, change.place, state.stored, change.after)


def _is_as_stored(state: FieldState, typed: str) -> bool:
    """Whether a value that is none of the options, and stands there, was left as it is."""
    stored = state.stored
    if stored is UNSET or not isinstance(state.field, Select | Text):
        return False
    return state.problem is not None and as_text(stored) == typed.strip()


def _carried(form: Form, changes: list[KeyChange], sources: Sources) -> Iterator[KeyChange]:
    """What only the environment says and a new file would hide goes into the file too."""
    places = {change.place for change in changes}
    files = {change.place.file for change in changes if isinstance(change.place, JsonPlace)}
    for one in form.carried:
        value = sources.variable(one.variable)
        if value and one.to.file in files and one.to not in places:
            yield KeyChange("", one.to, UNSET, value)


# -- saving ----------------------------------------------------------------------------------


def save_plan(
    plan: SavePlan,
    sources: Sources,
    *,
    journal: Journal,
    again: Callable[[], Form | Refusal],
    wait: float = 10.0,
) -> Saved | Mistakes | Refusal:
    """Write what was planned, if what was seen is still there; `again` reads the form anew.

    Other keys of the files may have changed meanwhile and stay as they are now.
    """
    if not plan.changes:
        return Saved((), ())
    intent = _intent(plan)
    with ExitStack() as held:
        for path in plan.form.locks:
            refused = held.enter_context(sources.disk.locked(path, wait=wait))
            if refused is not None:
                return refused
        done = write_changes(plan.changes, sources, journal=journal, intent=intent)
    if not isinstance(done, Written):
        return done
    after = again()
    missing = tuple(_unstuck(plan, after)) if isinstance(after, Form) else ()
    return Saved(plan.keys, done.files, missing, done.change_id)


@frozen
class Written:
    """Changes that are on disk."""

    files: tuple[FileLines, ...]
    change_id: int | None


def write_changes(
    changes: tuple[KeyChange, ...],
    sources: Sources,
    *,
    journal: Journal,
    intent: Intent,
    made: frozenset[Path] = frozenset(),
) -> Written | Mistakes | Refusal:
    """Write, all or nothing; the caller holds the locks and `sources` has read nothing yet.

    Of the files `made`, those that hold nothing afterwards are removed.
    """
    from store.providers.undoing import parts_of

    prepared = prepare(changes, sources, made=made)
    if isinstance(prepared, Stopped):
        return _stopped(prepared)
    real = [one for one in prepared.changes if one.after != one.seen.data]
    if not real:
        return Written((), None)
    begun = journal.begin(intent, parts_of(changes, sources))
    if not isinstance(begun, int):
        return begun
    refused = _put(real, sources)
    if refused is not None:
        if not (isinstance(refused, ReadOnly) and refused.half_done):
            journal.finish(begun, "abandoned")
        return refused
    journal.finish(begun, "done")
    return Written(prepared.files, begun)


def _put(changes: list[FileChange], sources: Sources) -> Conflict | ReadOnly | Locked | None:
    for change in changes:
        if change.seen.path.suffix == ".json":
            close_to_others(change.seen.path)
    done = carry_out(
        home=sources.home.path,
        disk=sources.disk,
        journal=None,
        intent=Intent("desk", ACTION, ""),
        changes=changes,
    )
    return None if isinstance(done, int) else done


def close_to_others(path: Path) -> None:
    """Take what others may do away from a file that may hold keys; nothing is ever given."""
    if os.name == "nt":
        return
    with suppress(OSError):
        mode = stat.S_IMODE(os.stat(path).st_mode)
        if mode & 0o077:
            os.chmod(path, mode & 0o600)


def _intent(plan: SavePlan) -> Intent:
    gone, come = [], []
    for change in plan.changes:
        name = change.key or change.place.key if isinstance(change.place, JsonPlace) else change.key
        if change.before is not UNSET:
            gone.append(f"{name} = {_kept(name, change.before)}")
        if change.after is not UNSET:
            come.append(f"{name} = {_kept(name, change.after)}")
    return Intent("desk", ACTION, f"provider:{plan.form.name}", tuple(gone), tuple(come))


def _kept(name: str, value: object) -> str:
    return HIDDEN if is_secret(name, value) else shown(value)


def _unstuck(plan: SavePlan, after: Form) -> Iterator[Unstuck]:
    """The changed fields whose value in effect is another one than was saved."""
    for change in plan.changes:
        if not change.key:
            continue
        states = [state for state in after.fields if state.key == change.key]
        # Where a key occurs under several conditions, any that goes to that place will do.
        state = next((one for one in states if one.layout.target == change.place), None)
        state = state or next(iter(states), None)
        if state is not None and not _stuck(state, change):
            yield Unstuck(change.key, state.place)


def _stuck(state: FieldState, change: KeyChange) -> bool:
    if state.layout.target == change.place and not same(state.stored, change.after):
        return False
    if change.after is UNSET or isinstance(change.after, dict | list):
        return True
    return as_text(state.value) == as_text(change.after)
