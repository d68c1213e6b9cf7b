"""One provider looked at in one home: its row, and its form beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from schema.providers import ProviderSchema, Unread, Wrong
from store.files import Disk
from store.home import HermesHome
from store.preferences import data_dir
from store.providers.catalogue import Candidate, Surroundings, judged, plain_row
from store.providers.catalogue_row import Reason, Row
from store.providers.forms import Form, read_form
from store.providers.manifest import Manifest, read_manifest
from store.providers.readiness import lacks, needs_packages, programs_lacking
from store.providers.sources import EnvPlace, Sources
from store.secrets.index import Index, index_path, read_index

if TYPE_CHECKING:
    from store.desk import Desk
    from store.providers.hints import Hint


def sources_of(home: HermesHome, *, disk: Disk, env: Mapping[str, str]) -> Sources:
    """What the providers of a home can read, with the names that the desk keeps in the keyring."""
    index = read_index(index_path(data_dir(env), home), disk=disk)
    names = index.names if isinstance(index, Index) else ()
    kept = frozenset(one.name for one in names)
    return Sources(home, disk=disk, env=env, names_in_keyring=kept)


def looked_at(
    one: Candidate,
    around: Surroundings,
    schema: ProviderSchema,
    sources: Sources,
    *,
    active: bool,
    shadowed_by: str = "",
    hint: Hint | None = None,
    problem: Unread | Wrong | None = None,
) -> tuple[Row, Form]:
    """The row of a candidate with the state that its settings give it, and the form."""
    row = plain_row(one, schema, active=active, shadowed_by=shadowed_by)
    form = read_form(row, schema, sources, hint=hint, problem=problem)
    manifest = Manifest() if one.path is None else read_manifest(one.path)
    bundled = one.source in ("bundled", "declared")
    row = judged(
        row,
        around=around,
        packages=manifest.packages,
        also=needs_packages(one.name, form, sources) if bundled else (),
        programs=programs_lacking(manifest, sources.env, sources.person),
        lacks=lacks(one.name if bundled else "", form, manifest, sources),
    )
    kept = _only_in_keyring(form)
    if kept and not _handed_over(sources):
        row = replace(row, notes=(*row.notes, Reason("not_handed_over", kept)))
    return row, replace(form, row=row)


def _only_in_keyring(form: Form) -> tuple[str, ...]:
    """The names of the keys that the provider has from the keyring or not at all."""
    names = (
        state.layout.target.name
        for state in form.fields
        if state.source == "keyring" and isinstance(state.layout.target, EnvPlace)
    )
    return tuple(dict.fromkeys(names))


def _handed_over(sources: Sources) -> bool:
    from store.secrets.handover import Handover, HandoverOf

    now = HandoverOf(sources.home, disk=sources.disk, env=sources.env).look()
    return isinstance(now, Handover) and now.state == "on"


def declared_row(desk: Desk, one: Candidate, around: Surroundings, schema: ProviderSchema) -> Row:
    """The row of the provider in use with as much of its declaration as is given."""
    sources = sources_of(desk.home, disk=desk.disk, env=desk.env)
    return looked_at(one, around, schema, sources, active=True)[0]
