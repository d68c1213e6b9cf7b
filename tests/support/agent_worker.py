"""Runs in the real agent's environment: does what it is told with the agent's own functions.

One JSON object a line in, one out. HERMES_HOME names the home. Nothing of ours is imported.
"""

import json
import pathlib
import sys

from hermes_cli import write_approval_commands
from tools.skill_provenance import reset_current_write_origin, set_current_write_origin

from tools import memory_tool as tool
from tools import write_approval


def store_for(limits):
    store = tool.MemoryStore(memory_char_limit=limits[0], user_char_limit=limits[1])
    return store


def operate(request):
    store = store_for(request["limits"])
    try:
        return getattr(store, request["method"])(request["target"], *request["args"])
    except Exception as error:
        return {"success": False, "raised": type(error).__name__, "error": str(error)}


def blocks(request):
    store = store_for(request["limits"])
    try:
        store.load_from_disk()
    except Exception as error:
        return {"raised": type(error).__name__}
    return {name: store.format_for_system_prompt(name) or "" for name in ("memory", "user")}


def stage(request):
    """Through the tool, so that its gate decides; config.yaml must ask for approval."""
    token = set_current_write_origin(request["origin"])
    try:
        store = tool.load_on_disk_store()
        return json.loads(tool.memory_tool(store=store, **request["arguments"]))
    finally:
        reset_current_write_origin(token)


def stage_skill(request):
    """The same with a write to a skill."""
    from tools import skill_manager_tool

    token = set_current_write_origin(request["origin"])
    try:
        for path in request.get("read", ()):
            skill_manager_tool.mark_background_review_skill_read(pathlib.Path(path))
        return json.loads(skill_manager_tool.skill_manage(**request["arguments"]))
    finally:
        reset_current_write_origin(token)


def command(request):
    """/memory SUB … or /skills SUB …, as typed in a chat."""
    answer = write_approval_commands.handle_pending_subcommand(
        request.get("subsystem", "memory"),
        request["words"],
        memory_store=tool.load_on_disk_store(),
    )
    return {"answer": answer}


def pending(request):
    return {"ids": [record["id"] for record in write_approval.list_pending("memory")]}


def add_many(request):
    store = store_for(request["limits"])
    for number in range(request["count"]):
        result = store.add(request["target"], f"{request['prefix']} {number}")
        if not result["success"]:
            return {"failed": number, "error": result["error"]}
    return {"written": request["count"]}


def timed(request):
    """Seconds of each of `operations`, one after the other, on one store."""
    import time

    store = store_for(request["limits"])
    seconds = []
    for method, args in request["operations"]:
        start = time.perf_counter()
        result = getattr(store, method)(request["target"], *args)
        seconds.append(time.perf_counter() - start)
        if not result["success"]:
            return {"error": result["error"], "operation": [method, args]}
    return {"seconds": seconds}


DOES = {
    function.__name__: function
    for function in (operate, blocks, stage, stage_skill, command, pending, add_many, timed)
}

for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps(DOES[asked["do"]](asked)), flush=True)
