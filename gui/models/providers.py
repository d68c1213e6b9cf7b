"""What the Providers page shows, as values: read in the background. No Qt here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from gui.field_words import say_problem
from gui.forms.state import Cleared, RowState, free_key
from gui.i18n import sentences, tr
from gui.models.cards import Card, Mark, Tone
from gui.places import short_path
from gui.provider_words import (
    SOURCES,
    STATES,
    say_note,
    say_reading,
    say_row,
    say_unreadable,
)
from gui.words import say, word
from schema.fields import UNSET, Declaration, Field, Group, Unset, Value
from schema.frozen import field, frozen
from schema.values import Problem
from schema.visibility import effective_default, visible
from store.providers.desk import Providers
from store.providers.forms import FieldState, Form
from store.providers.saving import Mistakes, Saved, SavePlan
from store.refusals import REFUSALS, Refusal

if TYPE_CHECKING:
    from store.desk import Desk
    from store.providers.catalogue_row import Row
    from store.providers.editing import FileLines

BUILT_IN = ""
"""The key of the card of Hermes' own memory, which no provider replaces."""

TONES: dict[str, Tone] = {
    "active": "ok",
    "ready": "plain",
    "needs_config": "warn",
    "not_installed": "plain",
    "shadowed": "warn",
    "broken": "bad",
    "not_loaded": "plain",
    "missing": "bad",
}

Lines = tuple[tuple[str, str], ...]
Typed = Mapping[str, str | Unset]
"""What is to be saved: the text as typed by the field's key, UNSET to unset."""
Keys = Mapping[str, str | Cleared]
"""Keys to be stored or cleared, by their names in the environment."""


@frozen
class ProvidersView:
    """Every provider as a card, by key; `active` is the one in use, empty for none."""

    cards: tuple[Card, ...]
    rows: Mapping[str, Row]
    active: str

    def first(self) -> str:
        """The key of the card to begin with."""
        return next((key for key, row in self.rows.items() if row.active), BUILT_IN)

    def filtered(self, needle: str) -> tuple[Card, ...]:
        """The cards that are about `needle`."""
        folded = needle.casefold()
        return tuple(card for card in self.cards if folded in card.spoken().casefold())


@frozen
class ProviderView:
    """One provider's form at one moment.

    `declaration` has every field of it, and `keys` names their rows in the same order. `trouble`
    stands over the form; `unread` is what could not be read without asking the plugin.
    """

    form: Form
    declaration: Declaration
    keys: tuple[str, ...]
    states: Mapping[str, RowState]
    trouble: str
    notes: str
    unread: str
    where: str

    @property
    def name(self) -> str:
        """The provider's name."""
        return self.form.name

    @property
    def readable(self) -> bool:
        """Whether anything can be changed."""
        return self.form.locked is None

    def inline(self) -> frozenset[str]:
        """The rows of the short form; all of them where the declaration names none."""
        short = self._rows(lambda one: one.inline)
        return short or frozenset(self.keys)

    def shown(self, typed: Typed) -> frozenset[str]:
        """The rows whose conditions hold with what is typed."""
        fields = self.form.schema.fields
        shown = {id(one) for one in visible(fields, self._values(typed))}
        return self._rows(lambda one: id(one) in shown)

    def defaults(self, typed: Typed) -> dict[str, Value | Unset]:
        """By row, the default that holds with what is typed, where it follows another field."""
        fields, values = self.form.schema.fields, self._values(typed)
        return {
            key: effective_default(state.field, fields, values)
            for key, state in zip(self.keys, self.form.fields, strict=True)
            if state.field.default_from is not None
        }

    def _rows(self, wanted: Callable[[Field], bool]) -> frozenset[str]:
        pairs = zip(self.keys, self.form.fields, strict=True)
        return frozenset(key for key, state in pairs if wanted(state.field))

    def _values(self, typed: Typed) -> dict[str, object]:
        values = dict(self.form.values)
        for key, text in typed.items():
            if isinstance(text, str) and text.strip():
                values[key] = text
            else:
                values.pop(key, None)
        return values

    def default(self, key: str) -> Value | Unset:
        """The default of a row with what is stored."""
        return self.form.fields[self.keys.index(key)].default

    def stored(self) -> dict[str, object]:
        """What is known of every field, to tell whether it is another than before."""
        return {
            key: (state.value, state.stored, state.is_set, state.source)
            for key, state in zip(self.keys, self.form.fields, strict=True)
        }


@frozen
class ProviderPreview:
    """What saving would change, by file; or why it is refused, by the field's key."""

    files: tuple[tuple[str, Lines], ...] = ()
    changed: int = 0
    refusals: Mapping[str, str] = field(default_factory=dict)
    trouble: str = ""


@frozen
class ProviderSaved:
    """What became of a save: what to say, the journal's change, what was refused by key."""

    said: str
    change_id: int | None
    refusals: Mapping[str, str]
    kept_keys: frozenset[str]
    view: ProviderView | None
    done: bool


def read_providers(desk: Desk) -> ProvidersView:
    """Look at every provider. For the background."""
    catalogue = Providers(desk).catalogue()
    rows: dict[str, Row] = {}
    for row in catalogue.rows:
        key = row.name if row.name not in rows else f"{row.name}@{row.path or row.source}"
        rows[key] = row
    cards = [_built_in(), *(_card(key, row) for key, row in _in_order(rows))]
    return ProvidersView(tuple(cards), rows, catalogue.active)


def read_provider(desk: Desk, name: str) -> ProviderView | Refusal:
    """Read one provider's form. For the background."""
    form = Providers(desk).form(name)
    return form if isinstance(form, REFUSALS) else view_of(form, desk)


def view_of(form: Form, desk: Desk) -> ProviderView:
    """What the page shows of `form`."""
    keys = _row_keys([state.field for state in form.fields])
    return ProviderView(
        form=form,
        declaration=_declaration(form),
        keys=keys,
        states={
            key: _row_state(state, form, desk) for key, state in zip(keys, form.fields, strict=True)
        },
        trouble="" if form.locked is None else say(form.locked),
        notes=sentences(
            say_row(form.row),
            *(say_note(note) for note in form.notes),
            *(say_reading(note.message) for note in form.schema.notes_on("")),
        ),
        unread=_unread(form),
        where=", ".join(dict.fromkeys(_short(path, desk) for path in form.files)),
    )


def preview(desk: Desk, form: Form, typed: Typed) -> ProviderPreview:
    """What saving would change. Writes nothing. For the background."""
    plan = Providers(desk).plan(form, typed)
    if isinstance(plan, SavePlan):
        files = tuple((_short(one.path, desk), _lines(one)) for one in plan.files)
        return ProviderPreview(files, len(plan.keys))
    if isinstance(plan, Mistakes):
        return ProviderPreview(refusals=_said(plan))
    return ProviderPreview(trouble=say(plan))


def save(desk: Desk, form: Form, typed: Typed, keys: Keys) -> ProviderSaved:
    """Store the keys, then the values, and read all of it back. For the background.

    Nothing is written unless every value is valid. A key that the keyring refuses stops the rest.
    """
    providers = Providers(desk)
    plan = providers.plan(form, typed)
    if not isinstance(plan, SavePlan):
        refusals = _said(plan) if isinstance(plan, Mistakes) else {"": say(plan)}
        return _answer(desk, form, refusals=refusals)
    stored = _store_keys(desk, form, keys)
    if stored.refusals:
        return _answer(desk, form, refusals=stored.refusals, stored=stored)
    done = providers.save(plan)
    if not isinstance(done, Saved):
        refusals = _said(done) if isinstance(done, Mistakes) else {"": say(done)}
        return _answer(desk, form, refusals=refusals, stored=stored)
    return _answer(desk, form, saved=done, stored=stored)


@frozen
class KeysStored:
    """Which keys are kept or cleared now, and why others are not, by the field's key.

    `outranked` is what the agent reads before the keyring, such as a readable copy.
    """

    refusals: Mapping[str, str] = field(default_factory=dict)
    kept: frozenset[str] = frozenset()
    outranked: str = ""


def _store_keys(desk: Desk, form: Form, keys: Keys) -> KeysStored:
    """Set and clear in the keyring."""
    from store.providers.sources import EnvPlace
    from store.secrets.states import Secret

    if not keys:
        return KeysStored()
    providers = Providers(desk)
    refusals, kept, outranked = {}, set(), ""
    for key, wish in keys.items():
        done: object = providers.check_secret(form, key)
        if isinstance(done, EnvPlace):
            done = (
                providers.secrets.clear(done.name, may_ask=True)
                if isinstance(wish, Cleared)
                else providers.set_secret(form, key, Secret(wish), may_ask=True)
            )
        if isinstance(done, Problem):
            refusals[key] = say_problem(done)
        elif isinstance(done, REFUSALS):
            refusals[key] = say(done)
        else:
            kept.add(key)
            outranked = outranked or getattr(done, "outranked", "")
    return KeysStored(refusals, frozenset(kept), outranked)


def _answer(
    desk: Desk,
    form: Form,
    *,
    saved: Saved | None = None,
    refusals: Mapping[str, str] | None = None,
    stored: KeysStored | None = None,
) -> ProviderSaved:
    again = read_provider(desk, form.name)
    view = again if isinstance(again, ProviderView) else None
    stored = stored or KeysStored()
    changed = (*(saved.changed if saved is not None else ()), *sorted(stored.kept))
    said = _told(form, changed, saved)
    if stored.outranked:
        place = stored.outranked
        said = sentences(said, tr("But the key in {place} is read first; remove it.", place=place))
    return ProviderSaved(
        said=said,
        change_id=None if saved is None else saved.change_id,
        refusals=refusals or {},
        kept_keys=stored.kept,
        view=view,
        done=not refusals,
    )


def _told(form: Form, changed: tuple[str, ...], saved: Saved | None) -> str:
    labels = [tr(one.label) for one in form.schema.fields if one.key in changed]
    if not labels:
        return tr("Nothing had to be changed.")
    names = tr(", ").join(dict.fromkeys(labels))
    said = tr("{settings} saved; takes effect next session.", settings=names)
    loose = saved.did_not_stick if saved is not None else ()
    if not loose:
        return said
    what = tr(", ").join(one.key for one in loose)
    place = next((one.place for one in loose if one.place), "")
    return sentences(
        said,
        tr("But {settings} comes from {place}.", settings=what, place=place)
        if place
        else tr("But {settings} is read as something else.", settings=what),
    )


def _said(mistakes: Mistakes) -> dict[str, str]:
    return {
        key: say_problem(why) if isinstance(why, Problem) else say(why)
        for key, why in mistakes.problems.items()
    }


# --- Cards ----------------------------------------------------------------------------------------

_RANK = ("active", "missing", "ready", "needs_config", "not_installed")


def _in_order(rows: Mapping[str, Row]) -> list[tuple[str, Row]]:
    """The one in use first, then what can be used soonest."""

    def rank(item: tuple[str, Row]) -> tuple[int, str]:
        row = item[1]
        state = "active" if row.active else row.state
        return (_RANK.index(state) if state in _RANK else len(_RANK), row.label.casefold())

    return sorted(rows.items(), key=rank)


def _built_in() -> Card:
    tip = tr("MEMORY.md and USER.md stay in use whatever provider is chosen.")
    return Card(key=BUILT_IN, text=tr("Built-in"), meta=(Mark(tr("always on"), "ok", tip),))


def _card(key: str, row: Row) -> Card:
    state = "active" if row.active and row.state == "ready" else row.state
    source = word(SOURCES, row.source)
    if row.version and row.source == "bundled":
        source = tr("{source}, {version}", source=source, version=row.version)
    mark = Mark(word(STATES, state), TONES[state], say_row(row))
    used = (Mark(word(STATES, "active"), "ok"),) if row.active and state != "active" else ()
    return Card(key=key, text=row.label or row.name, meta=(*used, mark, _short_why(row) or source))


def _short_why(row: Row) -> str:
    """What keeps a provider from being used, in as few words as fit on a card."""
    names = tr(", ").join(row.reason.names)
    match row.reason.code:
        case "package" | "program":
            return tr("lacks {names}", names=names)
        case "field" | "variable":
            return tr("{names} not set", names=names)
        case "either":
            names = tr(" or ").join(row.reason.names)
            return tr("{names} not set", names=names)
        case "shadowed":
            return tr("{source} loaded instead", source=word(SOURCES, row.shadowed_by))
    return ""


# --- Rows -----------------------------------------------------------------------------------------


def _row_keys(fields: Iterable[Field]) -> tuple[str, ...]:
    keys: list[str] = []
    for one in fields:
        keys.append(free_key(one.key, keys))
    return tuple(keys)


def _declaration(form: Form) -> Declaration:
    groups = list(form.schema.groups)
    named = {group.key for group in groups}
    loose = dict.fromkeys(one.group for one in form.schema.fields if one.group not in named)
    first = [Group(key, key or "Settings") for key in loose]
    return Declaration((*first, *groups), form.schema.fields)


def _row_state(state: FieldState, form: Form, desk: Desk) -> RowState:
    notes = [say_note(note) for note in state.notes]
    notes += [say_reading(note.message) for note in form.schema.notes_on(state.key)]
    if state.problem is not None and state.problem.reason != "not_an_option":
        why = say_problem(state.problem)
        notes.insert(0, tr("What stands there cannot be right: {why}.", why=why))
    locked = state.locked or form.locked
    shown = state.source not in ("default", "none")
    return RowState(
        value=state.value if shown else UNSET,
        source=_source(state),
        note=sentences(*notes),
        locked="" if locked is None else say(locked),
        told_above=form.locked is not None,
        is_set=state.is_set,
    )


def _source(state: FieldState) -> str:
    """Where the value comes from, in a word or two."""
    line = "" if state.line is None else tr(", line {line}", line=state.line)
    match state.source:
        case "file":
            name = state.place.rsplit("/", 1)[-1].partition(":")[0]
            return tr("from {place}", place=name + line)
        case "config":
            return tr("from {place}", place="config.yaml" + line)
        case "dotenv":
            return tr("from {place}", place=".env" + line)
        case "environment":
            return tr("from the environment")
        case "keyring":
            return tr("in the keyring")
        case "default":
            return tr("default")
        case "none":
            return tr("not set")


def _unread(form: Form) -> str:
    """What of the declaration could not be read; the form then lacks those fields."""
    if form.problem is not None:
        return say_unreadable(form.problem)
    if not form.schema.unread:
        return ""
    return sentences(
        tr("Some fields are missing here."), *map(say_unreadable, form.schema.unread[:2])
    )


def _lines(file: FileLines) -> Lines:
    kinds: dict[str, Literal["added", "removed", "same"]] = {"+": "added", "-": "removed"}
    return tuple((kinds.get(line[:1], "same"), line[1:]) for line in file.lines)


def _short(path: Path, desk: Desk) -> str:
    if path.is_relative_to(desk.home.path):
        return str(path.relative_to(desk.home.path))
    return short_path(path, Path.home())
