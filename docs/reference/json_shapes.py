"""The page and the schemas of what `--format json` prints, from the types of the replies of the commands.

In: the return type of each command, a `Reply` of a record (runtime/graph/records). Out: docs/json.md for people, and a
JSON Schema for each command.
"""

import inspect
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, Literal, NotRequired, Required, get_args, get_origin, get_type_hints, is_typeddict

from rulewright.serve.cli.app import GROUPS
from rulewright.serve.cli.console import Reply
from runtime.graph import records

DOCS = Path(__file__).parents[1]
# The versions of shapes other than 1. A key that is taken away or changed makes the next version.
VERSIONS: dict[str, int] = {"change": 2, "check": 2}
NAMES = {str: "text", int: "whole number", float: "number", bool: "true or false", type(None): "null"}
TYPES = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
DIALECT = "https://json-schema.org/draft/2020-12/schema"
HEAD = """\
# What `--format json` prints

Written by `docs/reference/write.py` from the types of the replies (`runtime/graph/records`). Keys are a promise: more
may be added, but none is taken away or changed without a new version of its shape. Each command has a JSON Schema in
[json](json/), whose `$id` has the version. A command prints a [FindingsRecord](#findingsrecord) instead where the
rules, or a file that it is given, have errors. With a usage error it prints nothing, and exits with 2.
"""


def record_types() -> dict[str, tuple[type, ...]]:
    """Return the types of the records of each command that replies."""
    types: dict[str, tuple[type, ...]] = {}
    for command in (command for group in GROUPS.values() for command in group):
        annotation = get_type_hints(command)["return"]
        replies = [annotation] if get_origin(annotation) is Reply else get_args(annotation)
        shapes = [record for reply in replies for record in _members(get_args(reply)[0]) if reply is not type(None)]
        if shapes:
            types[command.__name__.removesuffix("_")] = tuple(dict.fromkeys(shapes))
    return types


def _members(annotation: Any) -> tuple[Any, ...]:
    """Return the types of a union; of another type, this."""
    is_union = get_origin(annotation) is not None and type(None) is not annotation and "Union" in str(type(annotation))
    return get_args(annotation) if is_union else (annotation,)


def keys_of(shape: Any) -> dict[str, tuple[Any, bool]]:
    """Return the type of each key of a shape, and whether it is always there."""
    hints = get_type_hints(shape, include_extras=True)
    return {
        key: (
            get_args(kind)[0] if get_origin(kind) in (NotRequired, Required) else kind,
            key in shape.__required_keys__,
        )
        for key, kind in hints.items()
    }


def described_keys(shape: type) -> dict[str, str]:
    """Return what the docstring of a shape says of each key; of inherited ones those of its bases do."""
    described: dict[str, str] = {}
    # A typed dictionary does not know its bases: they are the shapes whose keys it all has, the nearest the largest.
    for base in (*sorted(_all_shapes(), key=lambda each: len(keys_of(each))), shape):
        if keys_of(base).items() <= keys_of(shape).items():
            text = inspect.cleandoc(base.__doc__ or "").partition("\n\n")[2]
            for key, words in re.findall(r"^(\S[^:\n]*): ((?:.+\n?(?: +.+\n?)*))", text, re.MULTILINE):
                described[key] = " ".join(words.split())
    return {key: described[key] for key in keys_of(shape) if key in described}


@cache
def _all_shapes() -> tuple[type, ...]:
    """Return the shapes of all modules of records."""
    modules = (import_module(f"{records.__name__}.{each.name}") for each in iter_modules(records.__path__))
    return tuple(value for module in modules for value in vars(module).values() if is_typeddict(value))


def shapes_below(shape: Any, known: dict[str, type]) -> None:
    """Add a shape and all that it refers to by name."""
    if is_typeddict(shape):
        if shape.__name__ not in known:
            known[shape.__name__] = shape
            for kind, _ in keys_of(shape).values():
                shapes_below(kind, known)
        return
    for argument in get_args(shape):
        shapes_below(argument, known)


def kind_text(kind: Any) -> str:
    """Return a type as people read it, with a link to each shape."""
    origin, arguments = get_origin(kind), get_args(kind)
    if is_typeddict(kind):
        return f"[{kind.__name__}](#{kind.__name__.lower()})"
    if origin is Literal:
        return " or ".join(f"`{json.dumps(value)}`" for value in arguments)
    if origin in (list, tuple):
        return f"list of {kind_text(arguments[0])}"
    if origin in (dict, Mapping):
        return f"object of {kind_text(arguments[1])} by name"
    if len(_members(kind)) > 1:
        return " or ".join(map(kind_text, _members(kind)))
    return NAMES.get(kind, "any value")


def schema_of(kind: Any) -> dict[str, Any]:
    """Return the JSON Schema of a type; shapes are referred to by name."""
    origin, arguments = get_origin(kind), get_args(kind)
    if is_typeddict(kind):
        return {"$ref": f"#/$defs/{kind.__name__}"}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (list, tuple):
        return {"type": "array", "items": schema_of(arguments[0])}
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": schema_of(arguments[1])}
    if len(_members(kind)) > 1:
        return {"anyOf": [schema_of(member) for member in _members(kind)]}
    return {"type": TYPES[kind]} if kind in TYPES else {}


def shape_schema(shape: type) -> dict[str, Any]:
    """Return the JSON Schema of the keys of a shape."""
    described, keys = described_keys(shape), keys_of(shape)
    return {
        "type": "object",
        "properties": {key: {**schema_of(kind), "description": described[key]} for key, (kind, _) in keys.items()},
        "required": [key for key, (_, is_required) in keys.items() if is_required],
    }


def command_schema(name: str, shapes: tuple[type, ...]) -> dict[str, Any]:
    """Return the JSON Schema of what a command prints."""
    known: dict[str, type] = {}
    for shape in shapes:
        shapes_below(shape, known)
    return {
        "$schema": DIALECT,
        "$id": f"rulewright/{name}/{VERSIONS.get(name, 1)}",
        "anyOf": [schema_of(shape) for shape in shapes],
        "$defs": {shape_name: shape_schema(shape) for shape_name, shape in known.items()},
    }


def json_pages() -> dict[str, str]:
    """Return the page and the schemas by their paths in docs."""
    types = record_types()
    pages = {f"json/{name}.json": f"{json.dumps(command_schema(name, types[name]), indent=1)}\n" for name in types}
    known: dict[str, type] = {}
    lines = [HEAD]
    for name, shapes in types.items():
        lines.append(f"- `{name}`, version {VERSIONS.get(name, 1)}: {' or '.join(map(kind_text, shapes))}")
        for shape in shapes:
            shapes_below(shape, known)
    for shape_name in sorted(known):
        lines += ["", f"## {shape_name}", "", *_shape_lines(known[shape_name])]
    return {"json.md": "\n".join(lines) + "\n", **pages}


def _shape_lines(shape: type) -> Iterator[str]:
    """Yield the summary of a shape, and a line for each key."""
    yield inspect.cleandoc(shape.__doc__ or "").partition("\n\n")[0].replace("\n", " ")
    yield ""
    described = described_keys(shape)
    for key, (kind, is_required) in keys_of(shape).items():
        sometimes = "" if is_required else ", not always there"
        yield f"- `{key}` ({kind_text(kind)}{sometimes}): {described[key]}"


def broken_promises() -> Iterator[str]:
    """Yield the keys that a schema in docs/json has and that its shape of the same version has no longer."""
    for name, shapes in record_types().items():
        file = DOCS / "json" / f"{name}.json"
        new = command_schema(name, shapes)
        old = json.loads(file.read_text(encoding="utf-8")) if file.exists() else new
        if old["$id"] != new["$id"]:
            continue
        for shape, schema in old["$defs"].items():
            now = new["$defs"].get(shape, {"properties": {}})
            for key in schema["properties"].keys() - now["properties"].keys():
                yield f"{name}: {shape} has no `{key}` any more: give it back, or make another version in VERSIONS"


def write_json_pages() -> None:
    """Write the page and the schemas; raises `ValueError` for a broken promise."""
    if broken := [*broken_promises()]:
        raise ValueError("\n".join(broken))
    for path, text in json_pages().items():
        (DOCS / path).parent.mkdir(exist_ok=True)
        (DOCS / path).write_text(text, encoding="utf-8")
