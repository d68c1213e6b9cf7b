"""The installed Hermes is found, and nothing of it is run."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from store.hermes import Found, find
from store.refusals import NotFound


@pytest.fixture
def person(tmp_path: Path) -> Path:
    (tmp_path / "ada").mkdir()
    return tmp_path / "ada"


def _environment(folder: Path, version: str = "0.19.0", *, windows: bool = False) -> Path:
    """Make an environment with the agent in it; its Python and command fail if they are run."""
    programs = folder / ("Scripts" if windows else "bin")
    packages = folder / ("Lib" if windows else "lib/python3.11") / "site-packages"
    programs.mkdir(parents=True)
    info = packages / f"hermes_agent-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.4\nName: hermes-agent\nVersion: {version}\n"
    )
    (packages / "plugins" / "memory" / "mem0").mkdir(parents=True)
    python = programs / ("python.exe" if windows else "python3")
    python.write_text("#!/bin/sh\ntouch was-run\nexit 1\n")
    if windows:
        (programs / "hermes.exe").write_bytes(b"MZ\x90\x00 a launcher")
    else:
        _command(programs / "hermes", f"#!{python}\nimport nothing\n")
    return python


def _command(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def _found(person: Path, path: Path | None = None, **env: str) -> Path | None:
    result = find(env={"PATH": str(path or "")} | env, platform="linux", user_home=person)
    return result.python if isinstance(result, Found) else None


def test_the_real_agent_is_found_by_its_command(hermes_python: Path, person: Path) -> None:
    folder = hermes_python.parent
    found = find(env={"PATH": str(folder)}, user_home=person)
    assert isinstance(found, Found)
    assert os.path.realpath(found.python) == os.path.realpath(hermes_python)
    assert (found.version, found.tried) == ("0.19.0", True)
    assert found.plugins_dir is not None
    assert (found.plugins_dir / "mem0" / "__init__.py").is_file()


def test_a_version_that_we_have_not_tried_is_found_and_said(tmp_path: Path, person: Path) -> None:
    python = _environment(tmp_path / "venv", "0.21.3")
    found = find(env={"PATH": str(python.parent)}, platform="linux", user_home=person)
    assert found == Found(
        python,
        "0.21.3",
        tmp_path / "venv/lib/python3.11/site-packages/plugins/memory",
        tried=False,
    )


def test_a_link_to_the_command_is_followed(tmp_path: Path, person: Path) -> None:
    python = _environment(tmp_path / "venv")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "hermes").symlink_to(python.with_name("hermes"))
    assert _found(person, tmp_path / "bin") == python


@pytest.mark.parametrize(
    "launcher",
    [
        "#!/bin/sh\n'''exec' \"{python}\" \"$0\" \"$@\"\n' '''\nimport re\n",
        "#!/bin/sh\n'''exec' '{python}' \"$0\" \"$@\"\n' '''\n",
        "#!/bin/sh\n'''exec' {python} \"$0\" \"$@\"\n' '''\n",
        '#!/usr/bin/env bash\nunset PYTHONPATH\nexec "{hermes}" "$@"\n',
        '#!/bin/bash\nexec -a hermes {hermes} "$@"\n',
        "#!{python} -s\n",
        "#!/usr/bin/env python3\n",
    ],
)
def test_every_form_of_launcher_leads_to_its_python(
    launcher: str, tmp_path: Path, person: Path
) -> None:
    python = _environment(tmp_path / "venv")
    _command(
        tmp_path / "bin" / "hermes",
        launcher.format(python=python, hermes=python.with_name("hermes")),
    )
    path = os.pathsep.join([str(tmp_path / "bin"), str(python.parent)])
    result = find(env={"PATH": path}, platform="linux", user_home=person)
    assert isinstance(result, Found)
    assert result.python == python


def test_another_program_of_that_name_is_passed_over(tmp_path: Path, person: Path) -> None:
    python = _environment(tmp_path / "venv")
    for number, text in enumerate(
        ["\x7fELF", "#!/bin/sh\necho hi\n", "#!\n", "#!/usr/bin/python3\n"]
    ):
        _command(tmp_path / f"bin{number}" / "hermes", text)
    _command(tmp_path / "bin4" / "hermes", f"#!/bin/sh\nexec {tmp_path}/bin4/hermes\n")
    (tmp_path / "bin5" / "hermes").mkdir(parents=True)
    path = os.pathsep.join([*(str(tmp_path / f"bin{n}") for n in range(6)), str(python.parent)])
    result = find(env={"PATH": path}, platform="linux", user_home=person)
    assert isinstance(result, Found)
    assert result.python == python


@pytest.mark.parametrize(
    ("place", "env"),
    [
        (".local/share/pipx/venvs", {}),
        (".local/pipx/venvs", {}),
        (".local/share/uv/tools", {}),
        ("px/venvs", {"PIPX_HOME": "px"}),
        ("uvt", {"UV_TOOL_DIR": "uvt"}),
        ("xdg/uv/tools", {"XDG_DATA_HOME": "xdg"}),
    ],
)
def test_the_tools_of_pipx_and_uv_are_found_without_a_command(
    place: str, env: dict[str, str], person: Path
) -> None:
    python = _environment(person / place / "hermes-agent")
    absolute = {name: str(person / value) for name, value in env.items()}
    assert _found(person, **absolute) == python


def test_a_command_in_the_persons_own_folder_is_found_from_a_desktop(person: Path) -> None:
    python = _environment(person / "venv")
    _command(person / ".local" / "bin" / "hermes", f"#!{python}\n")
    assert _found(person) == python


def test_our_setting_wins_and_is_not_replaced_by_another(tmp_path: Path, person: Path) -> None:
    python, other = _environment(tmp_path / "one"), _environment(tmp_path / "two", "0.20.0")
    env = {"PATH": str(python.parent)}
    for setting in (other, other.parent.parent, other.with_name("hermes")):
        found = find(env=env, setting=str(setting), platform="linux", user_home=person)
        assert isinstance(found, Found)
        assert found.version == "0.20.0"
    gone = str(tmp_path / "gone")
    assert find(env=env, setting=gone, platform="linux", user_home=person) == NotFound(
        "hermes", gone
    )


def test_on_windows_the_python_beside_the_launcher_is_taken(tmp_path: Path, person: Path) -> None:
    python = _environment(tmp_path / "venv", windows=True)
    found = find(env={"PATH": str(python.parent)}, platform="win32", user_home=person)
    assert isinstance(found, Found)
    assert found.python == python
    tool = _environment(person / "roaming" / "uv" / "tools" / "hermes-agent", windows=True)
    env = {"APPDATA": str(person / "roaming")}
    found = find(env=env, platform="win32", user_home=person)
    assert isinstance(found, Found)
    assert found.python == tool


def test_an_editable_install_has_its_plugins_in_the_checkout(tmp_path: Path, person: Path) -> None:
    python = _environment(tmp_path / "venv")
    checkout = tmp_path / "my checkout"
    (checkout / "plugins" / "memory").mkdir(parents=True)
    info = next((tmp_path / "venv").glob("lib/*/site-packages/*.dist-info"))
    (info / "direct_url.json").write_text(
        json.dumps({"url": checkout.as_uri(), "dir_info": {"editable": True}})
    )
    found = find(env={"PATH": str(python.parent)}, platform="linux", user_home=person)
    assert isinstance(found, Found)
    assert found.plugins_dir == checkout / "plugins" / "memory"


def test_nothing_installed_is_said(person: Path) -> None:
    assert find(env={}, platform="linux", user_home=person) == NotFound("hermes", "")


def test_nothing_is_run_to_find_it(
    tmp_path: Path, person: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    python = _environment(tmp_path / "venv")
    assert _found(person, python.parent) == python
    assert not (tmp_path / "was-run").exists()
