"""A desk process that adds many entries to one file and says what was acknowledged.

Arguments: home, desk data folder, target, prefix, count, seconds to wait for the lock.
"""

import json
import sys
from pathlib import Path

from store.desk import build_desk
from store.home import HermesHome
from store.memory.operations import Add
from store.memory.state import Written
from store.refusals import Locked

home_path, data, target, prefix, count, wait = sys.argv[1:]
home = HermesHome(Path(home_path), Path(home_path), "default")
desk = build_desk(home, env={"MEMORY_DESK_DATA_DIR": data})
written = locked = 0
for number in range(int(count)):
    while True:
        result = desk.library.change(target, Add(f"{prefix} {number}"), wait=float(wait))  # type: ignore[arg-type]
        if isinstance(result, Written):
            written += 1
            break
        if not isinstance(result, Locked):
            sys.exit(f"refused: {result}")
        locked += 1
desk.close()
print(json.dumps({"written": written, "locked": locked}))
