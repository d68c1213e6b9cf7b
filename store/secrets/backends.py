"""Which keyring of the operating system is used, and what it needs beside the library's own calls.

Loaded only when a key is used or somebody asks for the keyring: the library takes longer to load
than most commands take to run. What the person chose in the library's own way (its environment
variable, its file) comes first, then the keyring of this system, then what the library finds. The
library's own detection comes last since it may join several keyrings into one that falls back in
silence.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from schema.frozen import frozen
from store.refusals import KeyringLocked, KeyringRefused, NoKeyring
from store.secrets.states import Backend

T = TypeVar("T")

WINDOWS_CHARS = 1280
"""What a credential of Windows holds (2,560 bytes, two for a character)."""

_OF_SYSTEM = {
    "win32": ("keyring.backends.Windows.WinVaultKeyring",),
    "darwin": ("keyring.backends.macOS.Keyring",),
}
_OF_DESKTOPS = (
    "keyring.backends.SecretService.Keyring",
    "keyring.backends.kwallet.DBusKeyring",
)
_LABELS = {
    "SecretService": "Secret Service",
    "kwallet": "KWallet",
    "macOS": "macOS Keychain",
    "Windows": "Windows Credential Manager",
}


@frozen
class Usable:
    """A keyring of the library, and what we know of it."""

    ring: Any
    about: Backend


def load(*, platform: str = sys.platform) -> Usable | NoKeyring | KeyringRefused:
    """The keyring to use here; no item of it is read."""
    from keyring import core

    try:
        chosen = core.load_env() or core.load_config()
    except Exception as error:  # whatever an import of a named keyring raises
        return NoKeyring(type(error).__name__)
    if chosen is not None:
        return judged(chosen)
    found: Usable | NoKeyring | KeyringRefused = NoKeyring("NoKeyringError")
    for name in _OF_SYSTEM.get(platform, _OF_DESKTOPS):
        try:
            return judged(core.load_keyring(name))
        except Exception as error:  # not viable here
            found = NoKeyring(type(error).__name__)
    if platform in _OF_SYSTEM:
        return found
    from keyring import backend

    others = (one for one in backend.get_all_keyring() if not _joins_others(one))
    best = max(others, key=lambda one: float(one.priority), default=None)
    return found if best is None or _is_none(best) else judged(best)


def read_at_once(
    service: str,
    names: Iterable[str],
    *,
    platform: str = sys.platform,
    env: Mapping[str, str] = os.environ,
) -> Mapping[str, object] | KeyringLocked | None:
    """What the Secret Service has under `names`, without loading the library; None: by that.

    Hermes waits for an export while it starts, and the library takes most of that time. Only
    where `load` would come to the Secret Service too, and only for reading.
    """
    if platform in _OF_SYSTEM or env.get("PYTHON_KEYRING_BACKEND") is not None:
        return None
    person = env.get("HOME") or os.path.expanduser("~")
    config = env.get("XDG_CONFIG_HOME") or os.path.join(person, ".config")
    data = env.get("XDG_DATA_HOME") or os.path.join(person, ".local", "share")
    for place in (config, data):
        if os.path.exists(os.path.join(place, "python_keyring", "keyringrc.cfg")):
            return None
    try:
        import secretstorage
    except ImportError:
        return None

    def use(collection: Any) -> Mapping[str, object] | KeyringLocked:
        if _must_be_opened(collection):
            return KeyringLocked()
        return _of_collection(collection, service, names)

    try:
        return _secret_service(None, use)
    except secretstorage.SecretStorageException:
        return None  # the library says what it is


def judged(ring: Any) -> Usable | NoKeyring | KeyringRefused:
    """`ring` if it may be trusted with a secret."""
    if _is_none(ring):
        return NoKeyring("NoKeyringError")
    try:
        priority = float(ring.priority)
    except Exception as error:
        return NoKeyring(type(error).__name__)
    module = type(ring).__module__
    name = f"{module}.{type(ring).__qualname__}"
    label = _LABELS.get(module.rpartition(".")[2], type(ring).__qualname__)
    if priority < 1:
        return KeyringRefused(name, priority)
    most = getattr(ring, "most_chars", None)
    if module == "keyring.backends.Windows":
        most = WINDOWS_CHARS
    return Usable(ring, Backend(name, label, priority, most))


def is_locked(ring: Any) -> bool:
    """Whether using `ring` now would ask the person to open it; False where that is not known."""
    own = getattr(ring, "is_locked_now", None)
    if own is not None:
        return bool(own())
    match type(ring).__module__:
        case "keyring.backends.SecretService":
            return _secret_service(ring, _must_be_opened)
        case "keyring.backends.kwallet":
            from dbus import Interface, SessionBus  # type: ignore[import-not-found]

            bus = SessionBus(mainloop=None)
            wallet = Interface(bus.get_object(ring.bus_name, ring.object_path), "org.kde.KWallet")
            return not bool(wallet.isOpen(wallet.networkWallet()))
    return False


def read_many(ring: Any, service: str, names: Iterable[str]) -> Mapping[str, object]:
    """What `ring` has under each of `names`: a text, None, or an exception."""
    if type(ring).__module__ == "keyring.backends.SecretService":
        return _secret_service(ring, lambda collection: _of_collection(collection, service, names))
    found: dict[str, object] = {}
    for name in names:
        try:
            found[name] = ring.get_password(service, name)
        except Exception as error:
            found[name] = error
    return found


def _secret_service(ring: Any, use: Callable[[Any], T]) -> T:
    """Call `use` with the collection in use, without unlocking it, over one connection.

    It is None where there is no collection yet: making one asks the person for a password.
    """
    from contextlib import closing

    import secretstorage

    with closing(secretstorage.dbus_init()) as bus:
        named = getattr(ring, "preferred_collection", None)
        try:
            if named is not None:
                return use(secretstorage.Collection(bus, named))
            return use(secretstorage.get_collection_by_alias(bus, "default"))
        except secretstorage.ItemNotFoundException:
            return use(None)


def _must_be_opened(collection: Any) -> bool:
    return collection is None or bool(collection.is_locked())


def _of_collection(collection: Any, service: str, names: Iterable[str]) -> dict[str, object]:
    """The library opens a connection and agrees on a cipher for every key; once is enough."""
    found: dict[str, object] = dict.fromkeys(names)
    if collection is None:
        return found
    from secretstorage.util import open_session

    collection.session = open_session(collection.connection)
    for item in collection.search_items({"service": service}):
        name = item.get_attributes().get("username")
        if name not in found:
            continue
        try:
            if item.is_locked():
                from secretstorage import LockedException

                raise LockedException(name)
            found[name] = item.get_secret().decode("utf-8")
        except Exception as error:
            found[name] = error
    return found


def _is_none(ring: Any) -> bool:
    return type(ring).__module__ in ("keyring.backends.fail", "keyring.backends.null")


def _joins_others(ring: Any) -> bool:
    return type(ring).__module__ == "keyring.backends.chainer"
