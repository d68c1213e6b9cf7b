"""Runs a command on a desktop of its own: a virtual screen, a session bus, an unlocked keyring.

    python tools/with_desktop.py COMMAND [ARGUMENT ...]

Home and XDG folders are new and empty, so nothing of the person who runs it is read or written.
The command's exit status is this program's. Needs Xvfb, dbus-daemon and gnome-keyring-daemon.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

DEADLINE = 30.0
# No service folders: on this bus nothing starts by itself, above all no portal of the real desktop.
BUS_CONFIG = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={socket}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""


def line_from(descriptor: int, *, of: str) -> str:
    """Return the first line that a starting program writes to `descriptor`, or end."""
    received = b""
    end = time.monotonic() + DEADLINE
    while not received.endswith(b"\n"):
        ready, _, _ = select.select([descriptor], [], [], max(0.0, end - time.monotonic()))
        chunk = os.read(descriptor, 4096) if ready else b""
        if not chunk:
            raise SystemExit(f"{of} did not start")
        received += chunk
    return received.decode().strip()


@contextmanager
def running(
    command: list[str],
    environment: dict[str, str],
    *,
    log: Path,
    keep_open: tuple[int, ...] = (),
    feed: bytes | None = None,
) -> Iterator[subprocess.Popen[bytes]]:
    """Start a program of this desktop, and end it with it."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL if feed is None else subprocess.PIPE,
            stdout=output,
            stderr=output,
            pass_fds=keep_open,
            start_new_session=True,
        )
    if feed is not None and process.stdin:
        process.stdin.write(feed)
        process.stdin.close()
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def new_places(base: Path) -> dict[str, str]:
    """Return an environment whose home and XDG folders are new folders in `base`."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("XDG_", "HERMES_", "DBUS_", "GNOME_KEYRING", "QT_", "WAYLAND_"))
    }
    places = {
        "HOME": "home",
        "XDG_CACHE_HOME": "cache",
        "XDG_CONFIG_HOME": "config",
        "XDG_DATA_HOME": "data",
        "XDG_STATE_HOME": "state",
        "XDG_RUNTIME_DIR": "runtime",
    }
    for folder in places.values():
        (base / folder).mkdir(mode=0o700)
    kept |= {name: str(base / folder) for name, folder in places.items()}
    return kept | {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "MEMORY_DESK_TEST_DESKTOP": "1"}


def start_screen(stack: ExitStack, environment: dict[str, str], base: Path) -> None:
    """Start a virtual screen on the first free number and put it into `environment`."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1600x1200x24", "-nolisten", "tcp"]
    stack.enter_context(running(command, environment, log=base / "screen.log", keep_open=(write,)))
    os.close(write)
    environment["DISPLAY"] = ":" + line_from(read, of="Xvfb")
    environment["QT_QPA_PLATFORM"] = "xcb"
    os.close(read)


def start_bus(stack: ExitStack, environment: dict[str, str], base: Path) -> None:
    """Start a session bus and put its address into `environment`."""
    config = base / "bus.conf"
    config.write_text(BUS_CONFIG.format(socket=base / "runtime" / "bus"))
    read, write = os.pipe()
    command = [
        "dbus-daemon",
        f"--config-file={config}",
        "--nofork",
        "--nopidfile",
        f"--print-address={write}",
    ]
    stack.enter_context(running(command, environment, log=base / "bus.log", keep_open=(write,)))
    os.close(write)
    environment["DBUS_SESSION_BUS_ADDRESS"] = line_from(read, of="dbus-daemon")
    os.close(read)


def start_keyring(stack: ExitStack, environment: dict[str, str], base: Path) -> None:
    """Start a Secret Service with an unlocked login keyring."""
    program = shutil.which("gnome-keyring-daemon")
    if program is None:
        raise SystemExit("gnome-keyring-daemon is not installed")
    # A copy has no file capabilities: a container that may not grant them would refuse to run it.
    copy = Path(shutil.copyfile(program, base / "gnome-keyring-daemon"))
    copy.chmod(0o700)
    command = [str(copy), "--foreground", "--components=secrets", "--unlock"]
    keyring = stack.enter_context(
        running(command, environment, log=base / "keyring.log", feed=b"a password of no one\n")
    )
    probe = [
        *("dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets"),
        *("/org/freedesktop/secrets/collection/login", "org.freedesktop.DBus.Properties.Get"),
        *("string:org.freedesktop.Secret.Collection", "string:Locked"),
    ]
    end = time.monotonic() + DEADLINE
    answer = b""
    while b"boolean false" not in answer:
        if time.monotonic() > end or keyring.poll() is not None:
            log = (base / "keyring.log").read_text(errors="replace")
            raise SystemExit(f"gnome-keyring-daemon did not open a keyring:\n{log}")
        time.sleep(0.02)
        answer = subprocess.run(probe, env=environment, capture_output=True, check=False).stdout


def main(command: list[str]) -> int:
    """Run `command` on a desktop of its own and return its exit status."""
    if not command:
        raise SystemExit(__doc__)
    with ExitStack() as stack:
        # Short, since the path of a socket may have 107 bytes; open, since tests drop privileges.
        base = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="desk-")))
        environment = new_places(base)
        start_screen(stack, environment, base)
        start_bus(stack, environment, base)
        start_keyring(stack, environment, base)
        process = subprocess.Popen(command, env=environment)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda number, _: process.send_signal(number))
        return process.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
