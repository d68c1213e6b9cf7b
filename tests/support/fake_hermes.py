"""An installed Hermes made of a few files: enough to be found, and nothing of it can be run."""

from __future__ import annotations

import stat
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

PROVIDER = """
from agent.memory_provider import MemoryProvider


class Provider(MemoryProvider):
    def get_config_schema(self):
        return [{fields}]


def register(ctx):
    ctx.register_memory_provider(Provider())
"""
FIELD = '{{"key": "{key}", "description": "A setting"{more}}}'
DISCOVERY_NEW = 'GROUP = "hermes_agent.memory_providers"\nHERMES_ENABLE_PROJECT_PLUGINS = 1\n'


def provider_code(*keys: str, **more: str) -> str:
    """The text of a provider with these fields; `more` are further items of one, by its key."""
    fields = ", ".join(FIELD.format(key=key, more=more.get(key, "")) for key in keys)
    return PROVIDER.format(fields=fields)


def new_style(fields: str, *, name: str, storage: str = "flat_json", more: str = "") -> str:
    """The text of a config_schema.py."""
    return dedent(
        f"""
        from plugins.memory.config_schema import (
            ProviderConfigSchema, ProviderField, ProviderFieldOption as Option
        )

        CONFIG_SCHEMA = ProviderConfigSchema(
            name="{name}", label="{name.title()}", storage="{storage}", {more}
            fields=({fields},),
        )
        """
    )


HINDSIGHT = new_style(
    'ProviderField(key="mode", label="Mode", kind="select", default="cloud", options=('
    'Option("cloud", "Cloud"), Option("local_external", "Local"))), '
    'ProviderField(key="api_key", label="Key", kind="secret", env_key="HINDSIGHT_API_KEY"), '
    'ProviderField(key="api_url", label="Address", aliases=("apiUrl",), '
    'default="https://api.hindsight.vectorize.io", env_fallbacks=("HINDSIGHT_API_URL",)), '
    'ProviderField(key="bank_id", label="Bank", default="hermes", aliases=("bankId",)), '
    'ProviderField(key="filters", label="Filters", kind="json"), '
    'ProviderField(key="recall_budget", label="Budget", kind="select", default="mid", options=('
    'Option("low", "Low"), Option("mid", "Mid"), Option("high", "High")))',
    name="hindsight",
)
HONCHO = new_style(
    'ProviderField(key="apiKey", label="Key", kind="secret", env_key="HONCHO_API_KEY"), '
    'ProviderField(key="baseUrl", label="Address", scope="root", aliases=("base_url",), '
    'env_fallbacks=("HONCHO_BASE_URL",)), '
    'ProviderField(key="workspace", label="Workspace"), '
    'ProviderField(key="saveMessages", label="Save", kind="bool", default="true"), '
    'ProviderField(key="contextTokens", label="Tokens", kind="number"), '
    'ProviderField(key="recallMode", label="Mode", kind="select", default="hybrid", options=('
    'Option("hybrid", "Both"), Option("tools", "Tools")))',
    name="honcho",
    storage="honcho_host_block",
)


@dataclass(frozen=True)
class FakeHermes:
    """`folder` is its environment."""

    folder: Path

    @property
    def packages(self) -> Path:
        return self.folder / "lib" / "python3.11" / "site-packages"

    @property
    def providers(self) -> Path:
        return self.packages / "plugins" / "memory"

    def make(self, *, discovery: str = "") -> FakeHermes:
        (self.folder / "bin").mkdir(parents=True)
        for name in ("python", "hermes"):
            path = self.folder / "bin" / name
            path.write_text(f"#!{self.folder / 'bin' / 'python'}\nexit 1\n")
            path.chmod(path.stat().st_mode | stat.S_IXUSR)
        self.providers.mkdir(parents=True)
        (self.providers / "__init__.py").write_text(discovery)
        self.install("hermes-agent", "0.19.0")
        self.bundle("hindsight", provider_code("mode"), HINDSIGHT)
        self.bundle("honcho", provider_code("baseUrl"), HONCHO)
        self.bundle(
            "mem0",
            provider_code(
                *("api_key", "host", "user_id"),
                api_key=', "secret": True, "env_var": "MEM0_API_KEY"',
                host=', "env_var": "MEM0_HOST"',
                user_id=', "default": "hermes-user"',
            ),
        )
        self.bundle(
            "openviking",
            provider_code(
                *("endpoint", "recall_limit"),
                endpoint=', "env_var": "OPENVIKING_ENDPOINT", "required": True',
                recall_limit=', "env_var": "OPENVIKING_RECALL_LIMIT", "default": 6',
            ),
        )
        self.bundle("byterover", provider_code("auto_extract"))
        return self

    def bundle(self, name: str, code: str, schema: str = "", manifest: str = "") -> Path:
        return put_plugin(self.providers / name, code, schema, manifest)

    def install(self, package: str, version: str, entry_points: str = "") -> None:
        """What pip writes about a package."""
        info = self.packages / f"{package.replace('-', '_')}-{version}.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Name: {package}\nVersion: {version}\n")
        if entry_points:
            (info / "entry_points.txt").write_text(entry_points)


def put_plugin(folder: Path, code: str, schema: str = "", manifest: str = "") -> Path:
    """A plugin's folder with these files; an empty text leaves a file out."""
    folder.mkdir(parents=True)
    for name, text in (("__init__", code), ("config_schema", schema)):
        if text:
            (folder / f"{name}.py").write_text(text)
    if manifest:
        (folder / "plugin.yaml").write_text(manifest)
    return folder
