"""A person with a home, an installed Hermes of a few files, and the providers of both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from schema.fields import Unset
from store.desk import Desk, build_desk
from store.files import Disk
from store.home import DEFAULT, HermesHome
from store.providers.catalogue_row import Row
from store.providers.desk import Providers
from store.providers.forms import FieldState, Form
from store.providers.saving import Saved, SavePlan
from tests.support.fake_hermes import FakeHermes


@dataclass
class World:
    """Everything that a person has; `env` is the environment of the desk."""

    folder: Path
    hermes: FakeHermes
    home: HermesHome
    env: dict[str, str]
    disk: Disk = field(default_factory=Disk)
    desks: list[Desk] = field(default_factory=list)

    @property
    def plugins(self) -> Path:
        return self.home.path / "plugins"

    def providers(self, home: HermesHome | None = None) -> Providers:
        desk = build_desk(home or self.home, env=self.env, disk=self.disk)
        self.desks.append(desk)
        return Providers(desk, project=self.folder / "project")

    def desk(self) -> Desk:
        self.providers()
        return self.desks[-1]

    def rows(self) -> dict[str, list[Row]]:
        found: dict[str, list[Row]] = {}
        for row in self.providers().catalogue().rows:
            found.setdefault(row.name, []).append(row)
        return found

    def row(self, name: str) -> Row:
        row = self.providers().row(name)
        assert isinstance(row, Row), row
        return row

    def form(self, name: str) -> Form:
        form = self.providers().form(name)
        assert isinstance(form, Form), form
        return form

    def state(self, name: str, key: str) -> FieldState:
        state = self.form(name).state(key)
        assert state is not None
        return state

    def plan(self, name: str, values: Mapping[str, str | Unset]) -> SavePlan:
        providers = self.providers()
        form = providers.form(name)
        assert isinstance(form, Form), form
        plan = providers.plan(form, values)
        assert isinstance(plan, SavePlan), plan
        return plan

    def save(self, name: str, values: Mapping[str, str | Unset]) -> Saved:
        saved = self.providers().save(self.plan(name, values))
        assert isinstance(saved, Saved), saved
        return saved

    def write(self, name: str, text: str) -> Path:
        """A file of the home."""
        path = self.home.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    hermes = FakeHermes(tmp_path / "venv").make()
    path = tmp_path / "person" / ".hermes"
    path.mkdir(parents=True)
    (tmp_path / "project").mkdir()
    env = {
        "HOME": str(tmp_path / "person"),
        "PATH": str(hermes.folder / "bin"),
        "MEMORY_DESK_DATA_DIR": str(tmp_path / "desk" / "data"),
        "MEMORY_DESK_CONFIG_DIR": str(tmp_path / "desk" / "config"),
    }
    world = World(tmp_path, hermes, HermesHome(path, path, DEFAULT), env)
    yield world
    for desk in world.desks:
        desk.close()
