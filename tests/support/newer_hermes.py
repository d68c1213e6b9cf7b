"""A stand-in for a Hermes newer than 0.19.0: its place and its declarations, none of its code.

What formats call new cannot be had as a package yet; this has the shape that they describe.
"""

from __future__ import annotations

from pathlib import Path

HINDSIGHT = """
from plugins.memory.config_schema import (
    KIND_JSON, KIND_SECRET, KIND_SELECT, KIND_TEXT,
    ProviderConfigSchema, ProviderField, ProviderFieldOption,
)

CONFIG_SCHEMA = ProviderConfigSchema(
    name="hindsight",
    label="Hindsight",
    fields=(
        ProviderField(
            key="mode", label="Mode", kind=KIND_SELECT, default="cloud", inline=True,
            options=(
                ProviderFieldOption("cloud", "Cloud"),
                ProviderFieldOption("local_external", "Local External"),
            ),
        ),
        ProviderField(
            key="api_key", label="API key", kind=KIND_SECRET, env_key="HINDSIGHT_API_KEY",
            inline=True, when={"mode": "cloud"},
        ),
        ProviderField(
            key="api_url", label="API URL", kind=KIND_TEXT, default="http://localhost:8888",
            aliases=("apiUrl",), inline=True, when={"mode": "local_external"},
        ),
        ProviderField(
            key="bank_id", label="Bank ID", kind=KIND_TEXT, default="hermes", inline=True,
        ),
        ProviderField(
            key="recall_skip_patterns", label="Skip-turn regexes", kind=KIND_JSON, inline=True,
            group="Automatic filtering",
        ),
    ),
)
"""


def newer_hermes(folder: Path, version: str = "0.20.0") -> Path:
    """Make it in `folder`; the folder of its command, for PATH. Its Python fails if it is run."""
    programs = folder / "bin"
    packages = folder / "lib" / "python3.12" / "site-packages"
    info = packages / f"hermes_agent-{version}.dist-info"
    hindsight = packages / "plugins" / "memory" / "hindsight"
    for made in (programs, info, hindsight):
        made.mkdir(parents=True)
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.4\nName: hermes-agent\nVersion: {version}\n", encoding="utf-8"
    )
    (hindsight / "__init__.py").write_text("raise SystemExit('was run')\n", encoding="utf-8")
    (hindsight / "config_schema.py").write_text(HINDSIGHT, encoding="utf-8")
    python, command = programs / "python3", programs / "hermes"
    python.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    command.write_text(f"#!{python}\nimport nothing\n", encoding="utf-8")
    for program in (python, command):
        program.chmod(0o755)
    return programs
