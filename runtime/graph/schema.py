"""The JSON Schema of the graph, generated from the node classes.

`schema.json` beside this file is its output, for readers in other languages; a test compares the two, and
`write_schema` regenerates the file.
"""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

from runtime.graph import nodes as graph
from runtime.graph.canonical import AMONG_OTHERS
from runtime.graph.node_shapes import Choice, Fixed, Named, Node, OneOf, Plain, Row, Shape, field_shapes, needs_tag
from runtime.graph.version import VERSION

SCHEMA_FILE = Path(__file__).with_name("schema.json")

JSON_TYPES = {"str": "string", "int": "integer", "bool": "boolean", "NoneType": "null"}
FRACTION = {"type": "string", "pattern": "^-?[0-9]+(/[1-9][0-9]*)?$"}


def make_schema() -> dict[str, Any]:
    """Return the schema of a graph."""
    definitions: dict[str, Any] = {}
    top = describe_shape(Node(graph.Graph), definitions)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A Rulewright rule graph, version {VERSION}",
        **top,
        "$defs": dict(sorted(definitions.items())),
    }


def write_schema() -> None:
    """Regenerate schema.json."""
    SCHEMA_FILE.write_text(json.dumps(make_schema(), indent=1) + "\n", encoding="utf-8")


def describe_shape(form: Shape, definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a shape; adds its classes to the definitions."""
    match form:
        case Plain(type=kind):
            return FRACTION if kind.__name__ == "Fraction" else {"type": JSON_TYPES[kind.__name__]}
        case Choice(words):
            return {"enum": list(words)}
        case Node(type=kind):
            return describe_class(kind, definitions, tag=False)
        case OneOf(options):
            tag = needs_tag(options)
            nodes = [option for option in options if isinstance(option, Node)]
            others = [described_alternative(option, definitions) for option in options if not isinstance(option, Node)]
            if not tag:
                return {"anyOf": [*(describe_shape(node, definitions) for node in nodes), *others]}
            if others:
                return {"anyOf": [describe_choice(nodes, definitions), *others]}
            return describe_choice(nodes, definitions)
        case Row(element):
            return {"type": "array", "items": describe_shape(element, definitions)}
        case Fixed(parts):
            items = [describe_shape(part, definitions) for part in parts]
            return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
        case Named(element):
            return {"type": "object", "additionalProperties": describe_shape(element, definitions)}


def described_alternative(form: Shape, definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a union's member: a fraction is an object, to distinguish it from text."""
    if form != Plain(Fraction):
        return describe_shape(form, definitions)
    return {
        "type": "object",
        "properties": {AMONG_OTHERS: FRACTION},
        "required": [AMONG_OTHERS],
        "additionalProperties": False,
    }


def describe_choice(nodes: list[Node], definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a union of classes, distinguished by `is`.

    It has one condition per class instead of anyOf, so that a validator tries one branch and reports its error.
    """
    names = [node.type.__name__ for node in nodes]
    branches = [
        {
            "if": {"properties": {"is": {"const": node.type.__name__}}, "required": ["is"]},
            "then": describe_class(node.type, definitions, tag=True),
        }
        for node in nodes
    ]
    key = "choice of " + " ".join(names)
    if key not in definitions:
        definitions[key] = {
            "type": "object",
            "properties": {"is": {"enum": names}},
            "required": ["is"],
            "allOf": branches,
        }
    return {"$ref": f"#/$defs/{key}".replace(" ", "%20")}


def describe_class(kind: type, definitions: dict[str, Any], *, tag: bool) -> dict[str, Any]:
    """Add the definition of a class once and return a reference; with `tag` it has its class tag."""
    name = f"{kind.__name__} among others" if tag else kind.__name__
    if name not in definitions:
        definitions[name] = {}  # Reserved, for recursive classes.
        properties = {field: describe_shape(part, definitions) for field, part in field_shapes(kind).items()}
        if tag:
            properties = {"is": {"const": kind.__name__}, **properties}
        definitions[name] = {
            "type": "object",
            "description": (kind.__doc__ or "").strip().split("\n")[0],
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }
    return {"$ref": f"#/$defs/{name}".replace(" ", "%20")}
