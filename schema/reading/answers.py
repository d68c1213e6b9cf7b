"""What a plugin itself answered, when it was asked: JSON, in the same shapes."""

from __future__ import annotations

from schema.fields import Mistake
from schema.providers import Reading, Unread, Wrong
from schema.reading.attributes import json_of
from schema.reading.calls import declared
from schema.reading.limits import MAX_DEPTH, MAX_MADE
from schema.reading.said import Said
from schema.reading.shapes import schema_of_list, schema_of_object
from schema.reading.values import NOTHING


def from_answer(value: object, name: str) -> Reading:
    """Read a list of fields, a JSON Schema, or an object that has `fields`."""
    bounded = json_of(value, MAX_DEPTH, [MAX_MADE // 10])
    if bounded is NOTHING:
        return Unread("", None, "", "the answer is too large, too deep or no JSON")
    said = Said()
    if isinstance(bounded, dict) and isinstance(bounded.get("fields"), list):
        made = declared("ProviderConfigSchema", [], bounded, "", 0)
        return schema_of_object(made, name, "asked", said)
    if not isinstance(bounded, list | dict):
        return Wrong((Mistake("", "the answer is no list of fields"),))
    return schema_of_list(bounded, name, "asked", said)
