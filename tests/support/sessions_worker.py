"""Runs in the real agent's environment: writes and searches conversations with its own functions.

One JSON object a line in, one out. HERMES_HOME names the home. Nothing of ours is imported.
"""

import json
import os
import sys
import time
from pathlib import Path

from hermes_state import SessionDB

db = SessionDB(Path(os.environ["HERMES_HOME"]) / "state.db")


def search(request):
    """Ids of the messages that the agent finds for each query."""
    options = {"limit": 100_000} | request.get("options", {})
    return {
        "found": [[hit["id"] for hit in db.search_messages(q, **options)] for q in request["q"]]
    }


def listed(request):
    rows = db.list_sessions_rich(limit=100_000, include_archived=request["archived"])
    return {"ids": [row["id"] for row in rows]}


def lineage(request):
    return {
        one: [db.get_conversation_root(one), db.get_compression_tip(one)] for one in request["ids"]
    }


def call(request):
    """A method of the database, as the agent calls it."""
    result = getattr(db, request["method"])(*request["args"], **request.get("options", {}))
    return {"result": result if isinstance(result, str | int | None) else str(result)}


def messages(request):
    rows = db.get_messages(request["session"], include_inactive=True)
    return {"messages": [[row["id"], row["role"], row["content"]] for row in rows]}


def timed(request):
    """The best time of a search, in seconds, of so many tries."""
    best = 1e9
    for _ in range(request["tries"]):
        start = time.perf_counter()
        found = db.search_messages(request["q"], **request.get("options", {}))
        best = min(best, time.perf_counter() - start)
    return {"seconds": best, "found": len(found)}


DOES = {f.__name__: f for f in (search, listed, lineage, call, messages, timed)}

for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps(DOES[asked["do"]](asked)), flush=True)
db.close()
