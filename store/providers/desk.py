"""The memory providers of one home: the one door for a window and for commands.

Everything is bound when it is made: home, profile and environment. Each call looks at the disk
anew and keeps nothing, so a file that changed is read again. Any thread may call it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from schema.fields import UNSET, Secret, Unset, closest
from schema.frozen import frozen
from schema.providers import ProviderSchema, Unread
from schema.reading import from_answer
from schema.values import Problem
from store.changes import Intent
from store.hermes import Found, find
from store.preferences import data_dir, load_preferences
from store.providers.agreements import Agreements
from store.providers.catalogue import (
    Candidate,
    Surroundings,
    candidates,
    missing_row,
    surroundings,
    winners,
)
from store.providers.catalogue_row import Row
from store.providers.collecting import digest_of
from store.providers.declarations import Declared, declared, empty
from store.providers.destination import Destination, destination_of
from store.providers.editing import KeyChange
from store.providers.forms import Form, read_form
from store.providers.hints import Hint, hint_of
from store.providers.looking import looked_at, sources_of
from store.providers.rules import Rules, is_provider_name
from store.providers.saving import (
    Mistakes,
    Saved,
    SavePlan,
    Written,
    plan_save,
    save_plan,
    write_changes,
)
from store.providers.sources import EnvPlace, Sources, YamlPlace
from store.refusals import (
    REFUSALS,
    Conflict,
    Invalid,
    NotFound,
    Refusal,
    Unsupported,
)
from store.secrets.states import Secret as SecretValue
from store.secrets.vault import KeySet, Secrets

if TYPE_CHECKING:
    from store.desk import Desk
    from store.undo import Undone

PLACE = YamlPlace(("memory",), "provider")
_BUILT_IN = ("built-in", "builtin", "none")


@frozen
class Catalogue:
    """Every provider, by name and then by precedence; the Hermes found, None if there is none."""

    rows: tuple[Row, ...]
    hermes: Found | None
    rules: Rules
    active: str


@frozen
class UseCheck:
    """What a person must know before the agent uses a provider.

    `digest` names the code as it is now (empty where none of it is here); `agreed`: a person has
    said yes to exactly this. Every turn is sent to `destination`.
    """

    row: Row
    destination: Destination
    digest: str
    agreed: bool


@frozen
class AskCheck:
    """What a person must know before a plugin's code is run to ask it: where it lies."""

    row: Row
    digest: str
    agreed: bool


@frozen
class Used:
    """What config.yaml names now; `changed` is False if it did so already."""

    active: str
    changed: bool
    change_id: int | None = None


@frozen
class SecretKept:
    """The keyring has the value of `key` under `name`; `outranked` is what the agent reads first.

    That may be a plain copy of an older value in a file, which stays until it is moved or removed.
    """

    key: str
    name: str
    outranked: str = ""


class Providers:
    """All that can be done with the memory providers of the home of `desk`.

    `project` is the folder whose `.hermes/plugins` counts as the project's own.
    """

    def __init__(
        self, desk: Desk, *, project: Path | None = None, secrets: Secrets | None = None
    ) -> None:
        """Nothing is read before the first call."""
        self._desk = desk
        self._home = desk.home
        self._env = dict(desk.env)
        self._disk = desk.disk
        self._project = Path.cwd() if project is None else project
        self.secrets = secrets or Secrets(
            desk.home, disk=desk.disk, env=self._env, journal=lambda: desk.journal
        )
        self._agreements = Agreements(data_dir(self._env), disk=desk.disk)

    # -- looking -----------------------------------------------------------------------------

    def catalogue(self) -> Catalogue:
        """Every provider of every place, with its state."""
        around, every = self._look()
        chosen = winners(every)
        active = self.active()
        rows = [self._judged(one, around, chosen, active)[0] for one in every]
        if active and active not in {row.name for row in rows if not row.shadowed_by}:
            rows.append(missing_row(active, self._home.path))
        return Catalogue(
            tuple(sorted(rows, key=lambda row: row.name)), around.found, around.rules, active
        )

    def active(self) -> str:
        """The provider that config.yaml names; empty for none."""
        name = self._desk.library.settings().provider
        return "" if name.lower() in _BUILT_IN else name

    def row(self, name: str) -> Row | NotFound:
        """The row of the one that is meant by `name`: the one that Hermes loads, if any."""
        found = self._found(name)
        return found if isinstance(found, NotFound) else found[0]

    def form(self, name: str) -> Form | Refusal:
        """A provider's settings as they are now."""
        found = self._found(name)
        if isinstance(found, NotFound):
            return found
        row, form = found
        return NotFound("provider", row.name) if form is None else form

    # -- changing ----------------------------------------------------------------------------

    def plan(self, form: Form, values: Mapping[str, str | Unset]) -> SavePlan | Mistakes | Refusal:
        """What saving `values` would change: text as typed, UNSET to unset. Writes nothing."""
        return plan_save(form, values, self._sources())

    def save(self, plan: SavePlan, *, wait: float = 10.0) -> Saved | Mistakes | Refusal:
        """Carry out a plan, if what was seen is still there."""
        return save_plan(
            plan,
            self._sources(),
            journal=self._desk.journal,
            again=lambda: self.form(plan.form.name),
            wait=wait,
        )

    def take_back(self, saved: Saved, *, wait: float = 10.0) -> Undone | Refusal | None:
        """Undo a save; None if it changed nothing."""
        if saved.change_id is None:
            return None
        return self._desk.undo.undo(saved.change_id, wait=wait)

    # -- keys --------------------------------------------------------------------------------

    def check_secret(self, form: Form, key: str) -> EnvPlace | Problem | Refusal:
        """Under which name the key of a field is kept, or why it cannot be."""
        state = form.state(key)
        if state is None:
            near = closest(key, form.schema.keys)
            return Problem(key, "unknown_key", options=(near,) if near else ())
        if not isinstance(state.field, Secret):
            return Unsupported("no_secret", key)
        if state.locked is not None:
            return state.locked
        target = state.layout.target
        return target if isinstance(target, EnvPlace) else Unsupported("no_place", key)

    def set_secret(
        self, form: Form, key: str, secret: SecretValue, *, may_ask: bool = False, wait: float = 10
    ) -> SecretKept | Problem | Refusal:
        """Keep the value of a secret field in the keyring, never in a file."""
        place = self.check_secret(form, key)
        if not isinstance(place, EnvPlace):
            return place
        kept = self.secrets.set(place.name, secret, may_ask=may_ask, wait=wait)
        if not isinstance(kept, KeySet):
            return kept
        state = form.state(key)
        sources = self._sources()
        before = state.layout.reads[: state.layout.reads.index(place)] if state else ()
        hiding = next((one for one in before if sources.source(one) != "none"), None)
        in_dotenv = sources.variable_source(place.name)
        by = "" if hiding is None else sources.shown(hiding)
        if not by and in_dotenv != "keyring":
            by = sources.shown(place) if in_dotenv == "dotenv" else place.name
        return SecretKept(key, place.name, by)

    # -- using -------------------------------------------------------------------------------

    def check_use(self, name: str) -> UseCheck | Refusal:
        """What to say before `name` is used."""
        found = self._found(name)
        if isinstance(found, NotFound):
            return found
        row, form = found
        digest = "" if row.path is None else digest_of(row.path)
        agreed = self._agreements.has("use", name, digest)
        destination = Destination("unknown") if form is None else destination_of(form)
        return UseCheck(row, destination, digest, agreed)

    def use(self, name: str, *, agreed: str, anyway: bool = False) -> Used | Refusal:
        """Make `name` the provider that the agent uses.

        `agreed` is the digest of the check that the person said yes to; other code there now is a
        `Conflict`. Refused as `Invalid` while the provider is not ready, unless `anyway`.
        """
        if not is_provider_name(name):
            return Invalid("provider", "bad_name")
        check = self.check_use(name)
        if isinstance(check, REFUSALS):
            return check
        if check.digest != agreed:
            return Conflict(str(check.row.path or name))
        if check.row.state not in ("ready", "active") and not anyway:
            return Invalid("provider", check.row.state)
        refused = self._agreements.remember("use", name, check.digest)
        if refused is not None:
            return refused
        return self._name(name)

    def off(self) -> Used | Refusal:
        """Let the agent use its built-in memory alone."""
        return self._name("")

    def _name(self, name: str) -> Used | Refusal:
        sources = self._sources()
        before = sources.kept(PLACE)
        if self.active() == name:
            return Used(name, changed=False)
        after = name if name or before is UNSET else ""
        change = KeyChange("memory.provider", PLACE, before, after)
        shown = (f"memory.provider = {before}",) if before is not UNSET else ()
        intent = Intent(
            "desk",
            "use" if name else "switch_off",
            f"provider:{name or self.active()}",
            shown,
            (f"memory.provider = {name}",),
        )
        done = write_changes((change,), sources, journal=self._desk.journal, intent=intent)
        if isinstance(done, Written):
            return Used(name, changed=True, change_id=done.change_id)
        return _first_of(done)

    # -- asking ------------------------------------------------------------------------------

    def check_ask(self, name: str) -> AskCheck | Refusal:
        """What to say before the code of `name` is run to ask it for its declaration."""
        found = self._found(name)
        if isinstance(found, NotFound):
            return found
        row = found[0]
        if row.path is None or row.state in ("shadowed", "missing"):
            return Unsupported("no_code", name)
        digest = digest_of(row.path)
        return AskCheck(row, digest, self._agreements.has("ask", name, digest))

    def ask(self, name: str, *, agreed: str) -> Form | Refusal:
        """Run the plugin's code in a child process and take its own declaration.

        `agreed` is the digest of the check that the person said yes to; other code is a `Conflict`.
        """
        from store.providers.asking import NoAnswer, ask_plugin

        check = self.check_ask(name)
        if isinstance(check, REFUSALS):
            return check
        if check.digest != agreed:
            return Conflict(str(check.row.path))
        around, _ = self._look()
        if around.found is None:
            return NotFound("hermes", "")
        refused = self._agreements.remember("ask", name, check.digest)
        if refused is not None:
            return refused
        module = self._module(check.row, around)
        said = ask_plugin(check.row, python=around.found.python, module=module, env=self._env)
        if isinstance(said, NoAnswer):
            return Unsupported(said.problem, said.detail or name)
        schema = from_answer(said.value, name)
        if not isinstance(schema, ProviderSchema):
            return Invalid("provider", "declaration")
        kept = self._agreements.keep_answer(name, check.digest, said.value)
        if kept is not None:
            return kept
        sources = self._sources()
        row = check.row
        hint = Hint() if row.path is None else hint_of(row.path, self._home.path)
        return replace(read_form(row, schema, sources, hint=hint), row=row)

    def _module(self, row: Row, around: Surroundings) -> str:
        if row.source != "package" or row.path is None or around.packages_folder is None:
            return ""
        folder = around.packages_folder
        place = row.path.with_suffix("") if os.path.isfile(row.path) else row.path
        with suppress(ValueError):
            return ".".join(place.relative_to(folder).parts)
        return place.name

    # -- inside ------------------------------------------------------------------------------

    def _sources(self) -> Sources:
        return sources_of(self._home, disk=self._disk, env=self._env)

    def _look(self) -> tuple[Surroundings, tuple[Candidate, ...]]:
        setting = load_preferences(env=self._env).preferences.hermes
        found = find(env=self._env, setting=setting)
        around = surroundings(None if isinstance(found, NotFound) else found, self._env)
        return around, candidates(
            around, home=self._home.path, project=self._project, env=self._env
        )

    def _found(self, name: str) -> tuple[Row, Form | None] | NotFound:
        around, every = self._look()
        active = self.active()
        same = [one for one in every if one.name == name]
        if not same:
            if name == active:
                return missing_row(name, self._home.path), None
            return NotFound("provider", name)
        chosen = winners(every)
        return self._judged(chosen.get(name, same[0]), around, chosen, active)

    def _judged(
        self,
        one: Candidate,
        around: Surroundings,
        chosen: Mapping[str, Candidate],
        active: str,
    ) -> tuple[Row, Form]:
        winner = chosen.get(one.name)
        shadowed = winner is not None and winner != one and one.stops is None
        what = self._declared(one)
        hint = Hint()
        if one.path is not None and one.source not in ("bundled", "declared"):
            hint = hint_of(one.path, self._home.path)
        return looked_at(
            one,
            around,
            what.schema,
            self._sources(),
            active=one.name == active and winner in (one, None),
            shadowed_by=winner.source if shadowed and winner is not None else "",
            hint=hint,
            problem=what.problem,
        )

    def _declared(self, one: Candidate) -> Declared:
        if not is_provider_name(one.name):
            return Declared(empty(one.name))
        what = declared(one.name, one.path, bundled=one.source in ("bundled", "declared"))
        doubtful = isinstance(what.problem, Unread) or what.schema.unread
        if doubtful and one.path is not None:
            said = self._agreements.answer(one.name, digest_of(one.path))
            schema = None if said is None else from_answer(said, one.name)
            if isinstance(schema, ProviderSchema):
                return Declared(schema)
        return what


def _first_of(done: Mistakes | Refusal) -> Refusal:
    """The one refusal of a change of one key."""
    if not isinstance(done, Mistakes):
        return done
    first = next(iter(done.problems.values()))
    return first if isinstance(first, REFUSALS) else Invalid("memory.provider", first.reason)
