"""Every keyring there is answers in the same values, and none ever says "not set" by failing."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from keyring.backends import fail, null

from store.refusals import (
    KeyringFailed,
    KeyringLocked,
    KeyringRefused,
    KeyringSlow,
    KeyringTrouble,
    NoKeyring,
    PromptDismissed,
    SecretTooLong,
)
from store.secrets.backends import Usable, judged, load
from store.secrets.ring import TROUBLES, Keyring
from store.secrets.states import Absent, Backend, Present, Secret
from tests.support import keyrings

ROOT = Path(__file__).resolve().parents[3]
CANARY = "canary-4f1d9c"
SERVICE = "hermes-memory-desk/tests/default"
needs_desktop = pytest.mark.skipif(
    "MEMORY_DESK_TEST_DESKTOP" not in os.environ, reason="needs a keyring of ours"
)


def ring(backend: Any, *, limit: float = 20.0) -> Keyring:
    return Keyring(loader=lambda: judged(backend), limit=limit)


@pytest.fixture(
    params=[
        pytest.param("Secret Service", marks=needs_desktop),
        pytest.param("Working"),
        pytest.param("SizeLimited"),
    ]
)
def working(request: pytest.FixtureRequest) -> Iterator[Keyring]:
    """Each keyring that works, with nothing of this test in it."""
    if request.param == "Secret Service":
        found = Keyring(limit=20.0)
    else:
        found = ring(getattr(keyrings, request.param)())
    yield found
    for name in ("A_KEY", "B_KEY"):
        found.delete(SERVICE, name)


class TestEveryKeyringThatWorks:
    def test_it_is_named_without_reading_an_item(self, working: Keyring) -> None:
        about = working.backend()
        assert isinstance(about, Backend)
        assert about.priority >= 1
        assert about.label

    def test_what_was_never_kept_is_absent(self, working: Keyring) -> None:
        assert working.read(SERVICE, "A_KEY") == Absent()
        assert working.delete(SERVICE, "A_KEY") == Absent()

    @pytest.mark.parametrize(
        "value", ["sk-1", " a 'b' \"c\" \\ $HOME #x", "密钥 🔑", "x" * 1280, "{}", "false"]
    )
    def test_what_was_kept_comes_back(self, working: Keyring, value: str) -> None:
        assert working.write(SERVICE, "A_KEY", Secret(value)) is None
        assert working.read(SERVICE, "A_KEY") == Present(Secret(value))

    def test_a_new_value_takes_the_place_of_the_old(self, working: Keyring) -> None:
        for value in ("one", "two"):
            assert working.write(SERVICE, "A_KEY", Secret(value)) is None
        assert working.read(SERVICE, "A_KEY") == Present(Secret("two"))

    def test_what_was_removed_is_absent(self, working: Keyring) -> None:
        working.write(SERVICE, "A_KEY", Secret("one"))
        assert working.delete(SERVICE, "A_KEY") is None
        assert working.read(SERVICE, "A_KEY") == Absent()
        assert working.delete(SERVICE, "A_KEY") == Absent()

    def test_several_are_read_in_one_go(self, working: Keyring) -> None:
        working.write(SERVICE, "A_KEY", Secret("one"))
        working.write(SERVICE, "B_KEY", Secret("two"))
        before = working.asked
        assert working.read_all(SERVICE, ("A_KEY", "B_KEY", "C_KEY")) == {
            "A_KEY": Present(Secret("one")),
            "B_KEY": Present(Secret("two")),
            "C_KEY": Absent(),
        }
        assert working.asked == before + 1

    def test_services_do_not_see_each_other(self, working: Keyring) -> None:
        working.write(SERVICE, "A_KEY", Secret("one"))
        assert working.read(SERVICE + "-other", "A_KEY") == Absent()


TROUBLED: dict[str, tuple[Callable[[], Any], type[KeyringTrouble]]] = {
    "none": (fail.Keyring, NoKeyring),
    "null": (null.Keyring, NoKeyring),
    "weak": (keyrings.Weak, KeyringRefused),
    "locked": (keyrings.Locked, KeyringLocked),
    "failing": (keyrings.Failing, KeyringFailed),
}


@pytest.mark.parametrize(("make", "trouble"), TROUBLED.values(), ids=TROUBLED)
class TestEveryKeyringThatDoesNot:
    def test_each_call_says_why(self, make: Callable[[], Any], trouble: type[Any]) -> None:
        keyring = ring(make())
        said = [
            keyring.read(SERVICE, "A_KEY"),
            keyring.write(SERVICE, "A_KEY", Secret(CANARY)),
            keyring.delete(SERVICE, "A_KEY"),
        ]
        assert [type(one) for one in said] == [trouble] * 3
        assert CANARY not in repr(said)

    def test_reading_several_never_means_that_there_are_none(
        self, make: Callable[[], Any], trouble: type[Any]
    ) -> None:
        found = ring(make()).read_all(SERVICE, ("A_KEY", "B_KEY"))
        if not isinstance(found, TROUBLES):
            assert {type(one) for one in found.values()} == {trouble}
        else:
            assert isinstance(found, trouble)


def test_a_dismissed_question_is_not_a_lock_that_nobody_was_asked_to_open() -> None:
    keyring = ring(keyrings.Locked())
    assert keyring.read(SERVICE, "A_KEY", may_ask=True) == PromptDismissed()
    assert keyring.write(SERVICE, "A_KEY", Secret("x"), may_ask=True) == PromptDismissed()


@pytest.mark.parametrize("kind", [keyrings.Lying, keyrings.Forgetting, keyrings.Bytes])
def test_what_does_not_come_back_was_not_kept(kind: type[Any]) -> None:
    assert isinstance(ring(kind()).write(SERVICE, "A_KEY", Secret(CANARY)), KeyringFailed)


def test_what_is_no_text_is_no_value() -> None:
    assert isinstance(ring(keyrings.Bytes()).read(SERVICE, "A_KEY"), KeyringFailed)


def test_a_value_that_does_not_fit_is_refused_before_it_is_given_away() -> None:
    found = ring(keyrings.SizeLimited()).write(SERVICE, "A_KEY", Secret("x" * 1281))
    assert found == SecretTooLong("A_KEY", 1281, 1280, "SizeLimited")


def test_a_keyring_that_hangs_is_left_and_asked_no_more_until_it_comes_back() -> None:
    keyrings.Hanging.go_on.clear()
    keyring = ring(keyrings.Hanging(), limit=0.05)
    try:
        assert keyring.write(SERVICE, "A_KEY", Secret(CANARY)) == KeyringSlow(0.05)
        asked = keyring.asked
        assert keyring.read(SERVICE, "A_KEY") == KeyringSlow(0.05)
        assert keyring.asked == asked, "one call that hangs is enough"
    finally:
        keyrings.Hanging.go_on.set()
    slow = Keyring(loader=lambda: judged(keyrings.Hanging()), limit=20.0)
    assert slow.read(SERVICE, "A_KEY") == Absent()


def test_a_keyring_that_cannot_be_loaded_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "no.such.module.Keyring")
    assert load() == NoKeyring("ModuleNotFoundError")


def test_what_the_person_chose_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "tests.support.keyrings.Working")
    found = load()
    assert isinstance(found, Usable)
    assert found.about.name == "tests.support.keyrings.Working"
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "tests.support.keyrings.Weak")
    assert load() == KeyringRefused("tests.support.keyrings.Weak", 0.5)


def in_a_process(program: str, *before: str | Path, **env: str) -> list[str]:
    """What a program says that knows none of the keyrings made for these tests."""
    done = subprocess.run(
        [*before, sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": str(ROOT)} | env,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


ASK = """
from store.secrets.ring import Keyring
from store.secrets.states import Secret
k = Keyring(limit=20.0)
for said in (k.read("s", "A"), k.write("s", "A", Secret("x")), k.delete("s", "A"), k.backend()):
    print(type(said).__name__)
"""


def test_without_a_bus_there_is_no_keyring() -> None:
    said = in_a_process(ASK, DBUS_SESSION_BUS_ADDRESS="", XDG_RUNTIME_DIR="/nowhere")
    assert said == ["NoKeyring"] * 4


@needs_desktop
def test_a_real_keyring_that_is_locked_says_so_and_asks_nobody() -> None:
    lock = (
        "import secretstorage\n"
        "secretstorage.get_default_collection(secretstorage.dbus_init()).lock()\n"
    )
    # On a desktop of its own: once locked it stays so for everyone on it.
    said = in_a_process(lock + ASK, sys.executable, ROOT / "tools" / "with_desktop.py")
    assert said == ["KeyringLocked"] * 3 + ["Backend"]


@pytest.mark.skipif(sys.platform == "win32", reason="core dumps are those of POSIX")
def test_a_process_that_uses_a_key_dumps_no_core() -> None:
    import resource

    before = resource.getrlimit(resource.RLIMIT_CORE)
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (before[1], before[1]))
        ring(keyrings.Working()).read(SERVICE, "A_KEY")
        assert resource.getrlimit(resource.RLIMIT_CORE) == (0, before[1])
    finally:
        resource.setrlimit(resource.RLIMIT_CORE, before)


def test_a_secret_is_shown_and_written_down_nowhere() -> None:
    secret = Secret(CANARY)
    assert CANARY not in f"{secret} {secret!r} {Present(secret)!r} {[secret]}"
    with pytest.raises(TypeError):
        pickle.dumps(secret)
    assert secret == Secret(CANARY)
    assert secret.reveal() == CANARY
