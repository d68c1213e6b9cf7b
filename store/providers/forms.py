"""A provider's settings as they are in one home: each value, where it comes from, where it goes.

Reads only. What is shown is what the provider's own loader finds, not what a form of Hermes would
show: a value outside of the options stays what it is, and one that nothing reads is called that.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from schema.fields import UNSET, Field, Json, Number, Secret, Select, Text, Toggle, Unset, Value
from schema.frozen import field as given
from schema.frozen import frozen
from schema.providers import ProviderSchema, Unread, Wrong
from schema.values import Accepted, Problem, check, parse
from schema.visibility import as_text, effective_default, visible
from store.managed import managed_refusal
from store.providers.catalogue_row import Row
from store.providers.honcho import OAUTH
from store.providers.json_text import JsonFile, is_set
from store.providers.layouts import Carried, Home, Layout, home_of
from store.providers.sources import (
    EnvPlace,
    JsonPlace,
    Place,
    SourceKind,
    Sources,
    YamlPlace,
    environment_truth,
)
from store.refusals import Refusal, Unsupported

if TYPE_CHECKING:
    from store.providers.hints import Hint

NOTES: Final = (
    *("ignored_value", "outranked", "place_guessed", "plain_text", "twin", "text_is_true"),
    *("inherited", "nothing_reads"),
)
"""Codes of a field's notes. `ignored_value`: a value stands in `detail`, where nothing reads it.
`outranked`: what is saved is hidden by `detail`. `place_guessed`: where the plugin keeps it cannot
be known without running it. `plain_text`: a key stands readable in `detail`. `twin`: so it does,
beside the keyring. `text_is_true`: to this provider the text "false" is true. `inherited`: the
value comes from `detail`, outside of this profile's own block."""


@frozen
class FieldNote:
    """Something to know about a field or a form; `detail` is a place, a file or a name."""

    code: str
    detail: str = ""


@frozen
class FieldState:
    """One field as it is now; see the package's own words for each part."""

    field: Field
    value: Value | Unset
    stored: object
    is_set: bool
    default: Value | Unset
    source: SourceKind
    place: str
    saves_to: str
    visible: bool
    problem: Problem | None
    notes: tuple[FieldNote, ...]
    locked: Refusal | None
    line: int | None = None
    layout: Layout = given(default_factory=lambda: Layout((), None), repr=False)

    @property
    def key(self) -> str:
        """The field's key."""
        return self.field.key


@frozen
class Form:
    """All settings of one provider in one home, as one look saw them."""

    name: str
    row: Row
    schema: ProviderSchema
    fields: tuple[FieldState, ...]
    files: tuple[Path, ...]
    locked: Refusal | None = None
    problem: Unread | Wrong | None = None
    notes: tuple[FieldNote, ...] = ()
    carried: tuple[Carried, ...] = given(default=(), repr=False)
    locks: tuple[Path, ...] = given(default=(), repr=False)

    def state(self, key: str) -> FieldState | None:
        """The field of that key that is shown now; any of that key if none is."""
        same = [state for state in self.fields if state.key == key]
        return next((state for state in same if state.visible), same[0] if same else None)

    @property
    def values(self) -> dict[str, object]:
        """What is in effect by key, without defaults; for `schema.visibility`."""
        return {state.key: state.value for state in self.fields if state.value is not UNSET}

    @property
    def lacking(self) -> tuple[str, ...]:
        """The keys of required fields that are shown and have no value, not even a default."""
        return tuple(
            dict.fromkeys(
                state.key
                for state in self.fields
                if state.visible
                and state.field.required
                and not state.is_set
                and state.default in (UNSET, "")
            )
        )


def read_form(
    row: Row,
    schema: ProviderSchema,
    sources: Sources,
    *,
    hint: Hint | None = None,
    problem: Unread | Wrong | None = None,
) -> Form:
    """Look at every place that the provider reads."""
    home = home_of(schema, row.name, sources, hint)
    layouts = [home.lay_out(one) for one in schema.fields]
    found = [
        _found(one, layout, sources) for one, layout in zip(schema.fields, layouts, strict=True)
    ]
    values: dict[str, object] = {}
    for one, (value, _, _) in zip(schema.fields, found, strict=True):
        if value is not UNSET:
            values.setdefault(one.key, value)
    shown = {id(one) for one in visible(schema.fields, values)}
    states = tuple(
        _state(row.name, one, layout, what, sources, schema, values, home, id(one) in shown)
        for one, layout, what in zip(schema.fields, layouts, found, strict=True)
    )
    return Form(
        name=row.name,
        row=row,
        schema=schema,
        fields=states,
        files=home.files,
        locked=_locked(home, sources),
        problem=problem,
        notes=_form_notes(home, sources),
        carried=home.carried,
        locks=home.locks,
    )


Found = tuple[Value | Unset, Place | None, Problem | None]


def _found(one: Field, layout: Layout, sources: Sources) -> Found:
    """The value in effect, where it stands, and what is wrong with it."""
    for place in layout.reads:
        raw = sources.value(place)
        if isinstance(one, Secret):
            if sources.source(place) != "none":
                return UNSET, place, None
            continue
        if not is_set(raw) and not (raw == "" and one.key == "runtimePeerPrefix"):
            continue
        value, problem = understood(one, raw)
        return value, place, problem
    return UNSET, None, None


def understood(one: Field, raw: object) -> tuple[Value, Problem | None]:
    """A stored value as one of the field's kind; as it is, and why, where it is none."""
    value: object = raw
    match one:
        case Toggle():
            truth = environment_truth(raw) if isinstance(raw, str) else None
            value = truth if truth is not None else raw
            if isinstance(raw, int | float) and not isinstance(raw, bool):
                value = bool(raw)
        case Select() | Text():
            value = raw if isinstance(raw, str) else _text(raw)
        case Number() | Json():
            if isinstance(raw, str):
                read = parse(one, raw)
                value = raw if isinstance(read, Problem) else read.value
        case Secret():
            value = ""
    problem = check(one, value)
    kept: Value = value if isinstance(value, str | bool | int | float | dict | list) else _text(raw)
    return kept, problem


def _text(raw: object) -> str:
    if isinstance(raw, dict | list):
        try:
            return json.dumps(raw, ensure_ascii=False, default=str)
        except (ValueError, RecursionError):
            return str(type(raw).__name__)
    return as_text(raw)


def _state(
    name: str,
    one: Field,
    layout: Layout,
    found: Found,
    sources: Sources,
    schema: ProviderSchema,
    values: Mapping[str, object],
    home: Home,
    is_visible: bool,
) -> FieldState:
    value, place, problem = found
    default = effective_default(one, schema.fields, values)
    named = dict(home.defaults).get(one.key)
    if named is not None:
        read = parse(one, named)
        default = read.value if isinstance(read, Accepted) else default
    secret = isinstance(one, Secret)
    stored = UNSET if secret or layout.target is None else sources.kept(layout.target)
    kind = "none" if place is None else sources.source(place)
    if place is None and default is not UNSET:
        kind = "default"
    elif place is not None and kind == "none":
        kind = "file"
    return FieldState(
        field=one,
        value=value,
        stored=stored,
        is_set=place is not None,
        default=default,
        source=kind,
        place="" if place is None else sources.found_at(place),
        saves_to="" if layout.target is None else sources.shown(layout.target),
        visible=is_visible,
        problem=problem,
        notes=tuple(_notes(name, one, layout, place, sources)),
        locked=_field_locked(one, layout, sources),
        line=None if place is None else sources.line(place),
        layout=layout,
    )


def _notes(
    name: str, one: Field, layout: Layout, place: Place | None, sources: Sources
) -> list[FieldNote]:
    notes = [FieldNote(code) for code in layout.notes]
    for other in layout.ignored:
        if is_set(sources.value(other)):
            notes.append(FieldNote("ignored_value", sources.shown(other)))
    if isinstance(one, Secret):
        return notes + _secret_notes(layout, sources)
    if layout.target is None:
        return [*notes, FieldNote("nothing_reads")]
    if place is not None and place != layout.target:
        before = layout.reads.index(place)
        if layout.target in layout.reads and before < layout.reads.index(layout.target):
            notes.append(FieldNote("outranked", sources.found_at(place)))
        elif _block(place) != _block(layout.target):
            notes.append(FieldNote("inherited", sources.found_at(place)))
    if name == "holographic" and isinstance(one, Select) and place is not None:
        text = sources.value(place) == "false"
        notes += [FieldNote("text_is_true", sources.found_at(place))] if text else []
    return notes


def _block(place: Place) -> tuple[str, ...] | None:
    """The object of a JSON file in which a place lies; None for any other."""
    return place.block if isinstance(place, JsonPlace) else None


def _secret_notes(layout: Layout, sources: Sources) -> list[FieldNote]:
    notes = []
    kept = any(
        place.name in sources.names_in_keyring
        for place in layout.reads
        if isinstance(place, EnvPlace)
    )
    for place in layout.reads:
        if sources.source(place) in ("file", "config", "dotenv"):
            value = sources.value(place)
            if isinstance(place, JsonPlace) and str(value).startswith(OAUTH):
                notes.append(FieldNote("oauth", sources.shown(place)))
            else:
                notes.append(FieldNote("twin" if kept else "plain_text", sources.shown(place)))
    return notes


def _field_locked(one: Field, layout: Layout, sources: Sources) -> Refusal | None:
    if layout.target is None:
        return Unsupported("no_place", one.key)
    if isinstance(one, Secret):
        for place in layout.reads:
            if isinstance(place, JsonPlace) and str(sources.value(place)).startswith(OAUTH):
                return Unsupported("oauth_owned", one.key)
        return None
    if one.read_only:
        return Unsupported("field_read_only", one.key)
    if isinstance(layout.target, YamlPlace):
        managed = managed_refusal(
            sources.home, ".".join(layout.target.path), disk=sources.disk, env=sources.env
        )
        if managed is not None:
            return managed
    return sources.problem(layout.target)


def _locked(home: Home, sources: Sources) -> Refusal | None:
    """Why nothing of the form can be trusted: a file of it does not say what it means."""
    for path in home.files:
        if path == sources.home.config:
            found: object = sources.problem(YamlPlace((), ""))
        elif path == sources.home.path / ".env":
            found = sources.problem(EnvPlace(""))
        else:
            found = sources.problem(JsonPlace(path, (), ""))
        if found is not None:
            return found  # type: ignore[return-value]
    return None


def _form_notes(home: Home, sources: Sources) -> tuple[FieldNote, ...]:
    notes = []
    for note in home.notes:
        code, _, detail = note.partition(":")
        if code == "shared_file":
            detail = str(home.files[0])
        notes.append(FieldNote(code, detail))
    for path in home.files:
        if path.suffix != ".json" and path.suffix != ".conf":
            continue
        found = sources.json(path)
        if isinstance(found, JsonFile) and found.bom:
            notes.append(FieldNote("bom", str(path)))
    return tuple(notes)
