"""Make a real conflict copy with two syncthing instances: syncthing.py BASE FOLDER.

Both run on this machine alone, with discovery and relays off, and end with the script.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

CONFIG = """<configuration version="35">
<folder id="mem" path="{path}" rescanIntervalS="1" fsWatcherEnabled="false">
<device id="{one}"/><device id="{other}"/><maxConflicts>10</maxConflicts></folder>
<device id="{one}" name="one"><address>dynamic</address></device>
<device id="{other}" name="other"><address>tcp://127.0.0.1:{other_port}</address></device>
<gui enabled="false"></gui>
<options><listenAddress>tcp://127.0.0.1:{port}</listenAddress>
<globalAnnounceEnabled>false</globalAnnounceEnabled>
<localAnnounceEnabled>false</localAnnounceEnabled><relaysEnabled>false</relaysEnabled>
<natEnabled>false</natEnabled><reconnectionIntervalS>1</reconnectionIntervalS>
<urAccepted>-1</urAccepted><crashReportingEnabled>false</crashReportingEnabled>
</options></configuration>"""
PORTS = {"desk": 22011, "laptop": 22012}
quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
base, target = Path(sys.argv[1]).read_bytes(), Path(sys.argv[2])


def until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not condition():
        if time.monotonic() > end:
            sys.exit("syncthing did not do it in a minute")
        time.sleep(0.2)


def start(name: str) -> subprocess.Popen:
    command = ["syncthing", "serve", "--home", root / name, "--no-browser", "--no-restart"]
    return subprocess.Popen(command, env=os.environ | {"STNOUPGRADE": "1"}, **quiet)


def stop(process: subprocess.Popen) -> None:
    process.terminate()
    process.wait(30)


def write(name: str, more: str) -> None:
    (root / f"files-{name}" / "MEMORY.md").write_bytes(base + more.encode())


with tempfile.TemporaryDirectory() as made:
    root, ids = Path(made), {}
    for name in PORTS:
        command = ["syncthing", "generate", "--home", root / name, "--no-default-folder"]
        subprocess.run(command, check=True, **quiet)
        found = re.search(r'<device id="([^"]+)"', (root / name / "config.xml").read_text())
        ids[name] = found.group(1)
        (root / f"files-{name}").mkdir()
    for name, other in (("desk", "laptop"), ("laptop", "desk")):
        text = CONFIG.format(
            path=root / f"files-{name}",
            one=ids[name],
            other=ids[other],
            port=PORTS[name],
            other_port=PORTS[other],
        )
        (root / name / "config.xml").write_text(text)

    write("desk", "")
    desk, laptop = start("desk"), start("laptop")
    until((root / "files-laptop" / "MEMORY.md").exists)
    stop(laptop)
    stop(desk)
    write("desk", "\n§\nPrinter in room 4 only takes A4.")
    time.sleep(1.1)  # the newer one stays under its name
    write("laptop", "\n§\nThe VPN profile is called grove.")
    desk, laptop = start("desk"), start("laptop")
    until(lambda: list((root / "files-laptop").glob("*conflict*")))
    until(lambda: list((root / "files-desk").glob("*conflict*")))
    stop(laptop)
    stop(desk)
    for file in (root / "files-desk").glob("MEMORY*"):
        shutil.copy(file, target)
