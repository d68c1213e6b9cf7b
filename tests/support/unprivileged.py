"""Runs programs as a user whom file modes hold back, for tests of files that may not be read.

Root reads everything, so a test of a permission proves nothing as root. `Unprivileged` runs a
command through setpriv as nobody; a test that runs as another user already runs it as it is.
The checkout and its Python may lie where only root may enter. Then what is needed of them is
linked (or copied) to a place that everyone may read.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

NOBODY = 65534
PACKAGES = ("gui", "schema", "store", "resources")
# Nothing that runs as nobody needs these, and they are large.
LEFT_OUT = shutil.ignore_patterns("test", "idlelib", "site-packages", "mypy*", "ruff*", "pip*")


@dataclass(frozen=True, slots=True)
class Unprivileged:
    """A user who may do only what modes and owners allow.

    `folder` is new for each test and belongs to the user; what a test hands over goes there,
    since pytest's own folders are closed to others.
    """

    python: Path
    import_path: tuple[Path, ...]
    prefix: tuple[str, ...]
    base: Path
    folder: Path

    def run(
        self,
        command: Sequence[str | Path],
        *,
        env: Mapping[str, str] | None = None,
        input: str | None = None,
        timeout: float = 60,
    ) -> subprocess.CompletedProcess[str]:
        """Run `command` in `folder` as the user; `env` is added to a small environment."""
        surroundings = {
            "HOME": str(self.folder),
            "PATH": os.environ.get("PATH", os.defpath),
            "LANG": "C.UTF-8",
            "PYTHONPATH": os.pathsep.join(map(str, self.import_path)),
            "PYTHONDONTWRITEBYTECODE": "1",
            # A copied Python looks for its library where the original has it.
            "LD_LIBRARY_PATH": str(self.python.parent.parent / "lib"),
        }
        return subprocess.run(
            [*self.prefix, *map(str, command)],
            cwd=self.folder,
            env=surroundings | dict(env or {}),
            input=input,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )

    def run_python(
        self, code: str, *arguments: str | Path, env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run Python code that may import the project, as the user."""
        return self.run([self.python, "-P", "-c", code, *arguments], env=env)

    def run_desk(
        self, *arguments: str | Path, env: Mapping[str, str] | None = None, input: str | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run `memory-desk ARGUMENTS` as the user."""
        return self.run([self.python, "-P", "-m", "gui", *arguments], env=env, input=input)

    def give(self, path: Path) -> Path:
        """Make `path`, in `folder`, and all in it the user's own; modes stay. Returns `path`."""
        if self.prefix:
            for each in (path, *path.rglob("*")):
                os.chown(each, NOBODY, NOBODY, follow_symlinks=False)
        return path

    def take_copy(self, source: Path) -> Path:
        """Return a copy of the folder `source` in `folder`, modes kept, that is the user's own."""
        copy = shutil.copytree(source, self.folder / source.name, symlinks=True)
        return self.give(Path(copy))

    def assert_cannot_read(self, path: Path) -> None:
        """Assert that a plain read of `path` fails for the user: without it the test is void."""
        read = self.run(["cat", "--", path])
        assert read.returncode != 0, f"{path} can be read, so nothing is shown"
        assert "Permission denied" in read.stderr

    @contextmanager
    def with_new_folder(self) -> Iterator[Unprivileged]:
        """Give this user a new folder of its own, for one test."""
        folder = Path(tempfile.mkdtemp(dir=self.base, prefix="test-"))
        user = replace(self, folder=folder)
        user.give(folder)
        try:
            yield user
        finally:
            # Its owner may have closed a folder to itself; root need not care, others do.
            for each in folder.rglob("*"):
                if each.is_dir() and not each.is_symlink():
                    each.chmod(0o700)
            shutil.rmtree(folder)


@contextmanager
def make_unprivileged(root: Path) -> Iterator[Unprivileged]:
    """Make the user, and what it needs of the project at `root` readable for it."""
    with tempfile.TemporaryDirectory(prefix="desk-nobody-", dir=_open_folder()) as name:
        base = Path(name)
        base.chmod(0o755)
        python, site = Path(sys.executable), Path(sysconfig.get_path("purelib"))
        user = Unprivileged(python, (root,), (), base, base)
        if os.geteuid() != 0:
            yield user
            return
        if shutil.which("setpriv") is None:
            pytest.fail("root needs setpriv (util-linux) to show what another user may not do")
        drop = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
        user = replace(user, prefix=(*drop, "--inh-caps=-all"))
        if _problem(user) is not None:
            user = replace(user, python=_open_python(base), import_path=(base / "project", site))
            for package in PACKAGES:
                _link_tree(root / package, base / "project" / package)
        if _problem(user) is not None:
            _link_tree(site, base / "site")
            user = replace(user, import_path=(base / "project", base / "site"))
        problem = _problem(user)
        assert problem is None, problem
        yield user


def _open_folder() -> str:
    """Return a folder for temporary files that everyone may enter."""
    folder = Path(tempfile.gettempdir()).resolve()
    is_open = all(each.stat().st_mode & 0o001 for each in (folder, *folder.parents))
    return str(folder) if is_open else "/tmp"


def _problem(user: Unprivileged) -> str | None:
    """Return why the user cannot run the project with this very Python, or None if it can."""
    try:
        done = user.run_python("import sys, gui, schema, store, yaml; print(sys.version)")
    except PermissionError as error:
        return str(error)
    # Where its own library cannot be read, a Python may start with that of another.
    return None if done.stdout == sys.version + "\n" else done.stdout + done.stderr


def _open_python(base: Path) -> Path:
    """Return a Python like this one, without its packages, that everyone may run."""
    own = Path(sys.base_prefix)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    program = own / "bin" / version
    if all(each.stat().st_mode & 0o001 for each in program.resolve().parents):
        return program
    (base / "python" / "bin").mkdir(parents=True)
    copy = base / "python" / "bin" / version
    _link(program, copy)
    _link_tree(own / "lib" / version, base / "python" / "lib" / version)
    for library in (own / "lib").glob("libpython*"):
        _link(library, base / "python" / "lib" / library.name)
    return copy


def _link_tree(source: Path, target: Path) -> None:
    shutil.copytree(source, target, copy_function=_link, ignore=LEFT_OUT)


def _link(source: str | Path, target: str | Path) -> None:
    """Link one file where the file system can; else copy it."""
    try:
        os.link(os.path.realpath(source), target)
    except OSError:
        shutil.copy2(source, target)
