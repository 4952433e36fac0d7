"""Checks values against JSON Schemas, as far as our schemas need it."""

from __future__ import annotations

from typing import Any

TYPES = {"integer": int, "boolean": bool, "string": str, "null": type(None), "object": dict, "array": list}


def fits(schema: Any, value: Any, root: dict[str, Any]) -> bool:
    """Whether a value fits a schema; `root` holds the definitions that it refers to."""
    if isinstance(schema, bool):
        return schema
    if "$ref" in schema:
        return fits(root["$defs"][schema["$ref"].removeprefix("#/$defs/")], value, root)
    if "anyOf" in schema and not any(fits(one, value, root) for one in schema["anyOf"]):
        return False
    if "const" in schema and (type(value), value) != (type(schema["const"]), schema["const"]):
        return False
    if "enum" in schema and not any((type(value), value) == (type(one), one) for one in schema["enum"]):
        return False
    if "type" in schema and type(value) is not TYPES[schema["type"]]:
        return False
    if "minimum" in schema and not schema["minimum"] <= value <= schema["maximum"]:
        return False
    if schema.get("type") == "object":
        known, others = schema.get("properties", {}), schema["additionalProperties"]
        has_all = set(schema.get("required", ())) <= set(value)
        return has_all and all(fits(known.get(name, others), part, root) for name, part in value.items())
    if schema.get("type") == "array":
        first = schema.get("prefixItems", [])
        return len(value) >= schema.get("minItems", 0) and all(
            fits(first[place] if place < len(first) else schema["items"], one, root) for place, one in enumerate(value)
        )
    return True
