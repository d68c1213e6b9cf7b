"""Runs in the real agent's environment: skills as its own functions see and treat them.

One JSON object a line in, one out. HERMES_HOME names the home. Nothing of ours is imported.
"""

import argparse
import contextlib
import io
import json
import sys
from datetime import datetime

from agent import curator, prompt_builder
from agent.skill_utils import _external_dirs_cache_clear
from hermes_cli import curator as commands

from tools import skill_usage


def index(request):
    """The prompt's part on skills; with `cold`, without what was kept from last time."""
    prompt_builder.clear_skills_system_prompt_cache(clear_snapshot=request.get("cold", False))
    _external_dirs_cache_clear()
    tools, toolsets = (
        None if request.get(key) is None else set(request[key]) for key in ("tools", "toolsets")
    )
    try:
        return {"text": prompt_builder.build_skills_system_prompt(tools, toolsets)}
    except Exception as error:
        return {"raised": type(error).__name__}


def report(request):
    return {"all": skill_usage.usage_report(), "curated": skill_usage.agent_created_report()}


def curate(request):
    now = datetime.fromisoformat(request["now"])
    try:
        return curator.apply_automatic_transitions(now=now)
    except Exception as error:
        return {"raised": type(error).__name__}


def command(request):
    """`hermes curator VERB NAME`."""
    verb = getattr(commands, f"_cmd_{request['verb']}")
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        status = verb(argparse.Namespace(skill=request["name"]))
    return {"status": status, "said": said.getvalue()}


def due(request):
    return {"due": curator.should_run_now(now=datetime.fromisoformat(request["now"]))}


def archived(request):
    return {"names": skill_usage.list_archived_skill_names()}


def timed(request):
    """Seconds for the list with its usage, and for the prompt's part without any cache."""
    import time

    prompt_builder.clear_skills_system_prompt_cache(clear_snapshot=True)
    begin = time.perf_counter()
    rows = skill_usage.usage_report()
    text = prompt_builder.build_skills_system_prompt()
    return {"seconds": time.perf_counter() - begin, "count": len(rows), "chars": len(text)}


DOES = {
    function.__name__: function
    for function in (index, report, curate, command, due, archived, timed)
}

for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps(DOES[asked["do"]](asked)), flush=True)
