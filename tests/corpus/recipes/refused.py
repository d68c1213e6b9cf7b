"""Let the real agent refuse to change MEMORY.md in a folder: refused.py FOLDER SECONDS.

Runs in an environment that holds hermes-agent 0.19.0. The clock stands at SECONDS, so that the
backup always gets the same name.
"""

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

folder, seconds = Path(sys.argv[1]), float(sys.argv[2])
with tempfile.TemporaryDirectory() as home:
    os.environ["HERMES_HOME"] = home
    memories = Path(home, "memories")
    memories.mkdir()
    shutil.copy(folder / "MEMORY.md", memories)
    time.time = lambda: seconds
    from tools import memory_tool

    store = memory_tool.MemoryStore(memory_char_limit=2200, user_char_limit=1375)
    answer = store.remove("memory", "anything")
    if not answer.get("drift_backup"):
        sys.exit(f"the agent did not refuse for drift: {answer}")
    for backup in memories.glob("*.bak.*"):
        shutil.copy(backup, folder)
