"""Run by the agent's Python: loads and writes providers' settings with the agent's own code.

One JSON request a line, one JSON answer a line. Each is handled in a child of its own, so that no
home sees the environment of another.
"""

import dataclasses
import json
import logging
import os
import sys

logging.disable(logging.CRITICAL)

import hermes_cli.web_server as web  # noqa: E402
from hermes_cli.env_loader import load_hermes_dotenv  # noqa: E402
from plugins.memory import load_memory_provider  # noqa: E402
from plugins.memory.config_schema import get_provider_config_schema  # noqa: E402


def load(name, home):
    """What the provider's own loader finds."""
    if name == "honcho":
        from plugins.memory.honcho.client import HonchoClientConfig

        found = dataclasses.asdict(HonchoClientConfig.from_global_config())
        found.pop("raw")
        return found
    if name == "supermemory":
        from plugins.memory.supermemory import _load_supermemory_config, _resolve_base_url

        found = _load_supermemory_config(home)
        return found | {"address": _resolve_base_url(found["base_url"])}
    if name == "openviking":
        from plugins.memory import openviking

        config = openviking._load_hermes_openviking_config()
        provider = load_memory_provider(name)
        return openviking._resolve_connection_settings(config) | provider._recall_config()
    if name == "retaindb":
        wanted = ("RETAINDB_API_KEY", "RETAINDB_BASE_URL", "RETAINDB_PROJECT")
        return {one: os.environ.get(one) for one in wanted}
    module = __import__(f"plugins.memory.{name}", fromlist=["x"])
    if name in ("byterover", "holographic"):
        found = module._load_plugin_config()
        provider = load_memory_provider(name)
        extract = getattr(provider, "_auto_extract", None)
        if extract is None:
            extract = bool(provider._config.get("auto_extract", False))
        return found | {"extracts": extract}
    return module._load_config()


def handle(request):
    home, name = request["home"], request.get("name")
    match request["do"]:
        case "load":
            return load(name, home)
        case "available":
            provider = load_memory_provider(name)
            return bool(provider and provider.is_available())
        case "write_declared":
            values = web._stringify_submitted_values(request["values"])
            web._update_memory_provider_config(get_provider_config_schema(name), values)
        case "write_old":
            provider = load_memory_provider(name)
            web._write_memory_provider_config_values(name, provider, request["values"])
        case "show_declared":
            return web._declared_provider_payload(get_provider_config_schema(name))
        case "statuses":
            return web._discover_memory_provider_statuses()
    return None


for line in sys.stdin:
    request = json.loads(line)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.environ["HERMES_HOME"] = request["home"]
        os.environ["HOME"] = request["person"]
        os.environ.update(request.get("env", {}))
        load_hermes_dotenv(hermes_home=request["home"])
        try:
            said = {"answer": handle(request)}
        except Exception as error:
            said = {"error": f"{type(error).__name__}: {error}"}
        with os.fdopen(writer, "w") as stream:
            json.dump(said, stream, default=str)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as stream:
        text = stream.read()
    os.waitpid(child, 0)
    print(text, flush=True)
