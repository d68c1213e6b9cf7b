"""Brings the catalogues up to date: `python tools/translate.py [--check]`.

Collects every text of gui/, schema/ and our declarations of providers, adds what is new to the
Chinese catalogue, drops what is gone, compiles. What has no translation yet is listed, and makes
the status 1. `--check` writes nothing.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import yaml
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
PO = ROOT / "resources" / "translations" / "zh_CN" / "LC_MESSAGES" / "desk.po"
FLOORS = ("gui", "schema")
"""Where texts for people stand; labels and help of settings are only marked in schema."""
PROVIDERS = ROOT / "resources" / "providers"
SHOWN = ("description", "label", "help", "info", "note")
"""What a declaration in resources/providers shows to people."""
KEYWORDS = {"tr": None, "trn": (1, 2), "N_": None}


class Quiet(Catalog):
    """A catalogue without dates and names in its head, which would change with every run."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        """What gettext needs to read it, and nothing else."""
        return [
            ("Project-Id-Version", "Hermes Memory Desk"),
            ("Language", "zh_CN"),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
            ("Plural-Forms", "nplurals=1; plural=0;"),
        ]


def collected() -> Catalog:
    """Every text that is shown, with the modules it stands in and the hints for translators."""
    template = Catalog(domain="desk", project="Hermes Memory Desk", fuzzy=False)
    for floor in FLOORS:
        found = extract_from_dir(
            str(ROOT / floor),
            method_map=[("**.py", "python")],
            keywords=KEYWORDS,
            comment_tags=("translators:",),
            strip_comment_tags=True,
        )
        for name, _line, text, comments, _context in sorted(found, key=lambda item: str(item[2])):
            template.add(text, locations=[(f"{floor}/{name}", 0)], auto_comments=comments)
    for path in sorted(PROVIDERS.glob("*.yaml")):
        place = path.relative_to(ROOT).as_posix()
        for text in sorted(set(shown_by(yaml.safe_load(path.read_text(encoding="utf-8"))))):
            template.add(text, locations=[(place, 0)])
    return template


def shown_by(declared: object) -> Iterator[str]:
    """Every text for people in a declaration."""
    if isinstance(declared, list):
        for one in declared:
            yield from shown_by(one)
    elif isinstance(declared, dict):
        for name, value in declared.items():
            if name in SHOWN and isinstance(value, str):
                yield value
            elif name in ("groups", "fields", "options"):
                yield from shown_by(value)


def merged() -> Catalog:
    """The Chinese catalogue as it stands, with new texts added (untranslated) and old ones gone."""
    catalogue = Quiet(
        locale="zh_CN",
        domain="desk",
        header_comment="# Simplified Chinese for Hermes Memory Desk.",
        fuzzy=False,
    )
    with PO.open("rb") as stream:
        for message in read_po(stream, locale="zh_CN", domain="desk"):
            if message.id:
                catalogue[message.id] = message
    catalogue.update(collected(), no_fuzzy_matching=True, update_header_comment=False)
    catalogue.obsolete.clear()
    return catalogue


def as_po(catalogue: Catalog) -> bytes:
    """The text that git keeps."""
    stream = io.BytesIO()
    write_po(stream, catalogue, width=100, sort_output=True, include_lineno=False)
    return stream.getvalue()


def as_mo(catalogue: Catalog) -> bytes:
    """The compiled form that the desk reads."""
    stream = io.BytesIO()
    write_mo(stream, catalogue)
    return stream.getvalue()


def untranslated(catalogue: Catalog) -> list[Message]:
    """The texts that lack a translation."""
    return [
        message
        for message in catalogue
        if message.id
        and (
            message.fuzzy  # a guess, which is not compiled
            or not all([*message.string] if message.pluralizable else [message.string])
        )
    ]


def main(arguments: list[str]) -> int:
    """Do what the first line of this module says."""
    catalogue = merged()
    po, mo = as_po(catalogue), as_mo(catalogue)
    current = PO.read_bytes() == po and PO.with_suffix(".mo").read_bytes() == mo
    if "--check" not in arguments:
        PO.write_bytes(po)
        PO.with_suffix(".mo").write_bytes(mo)
        current = True
    elif not current:
        print("The catalogue is not current: run python tools/translate.py")
    lacking = untranslated(catalogue)
    for message in lacking:
        print("no translation:", message.id)
    return 0 if current and not lacking else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
