"""Validate a YAML document against the schema of its kind.

The input is a document as values with spans; the output is its problems, each with the span of the wrong value or key.
A document without problems has the shape that its reader relies on. Reports unknown and missing keys, and values of a
wrong shape.

The schemas are JSON Schemas in rules/schemas/, so that editors complete and validate the same files. Their titles are
used in our reports: each is a phrase for what is required.
"""

import json
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from compiler.source.character_checks import CharacterProblem, name_problem
from compiler.source.finding import Finding
from compiler.source.findings.characters import OddSign
from compiler.source.findings.yaml_documents import BadShape, MissingKey, UnknownKey
from compiler.source.heads import DOCUMENT_KINDS
from compiler.source.nodes import Scalar, Value, ValueList, ValueMap
from compiler.source.span import Span
from compiler.source.suggestions import nearest_key, nearest_names
from compiler.source.yaml_reader import value_phrase
from runtime.graph.grouping import group_by

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

_SUFFIX = ".schema.json"


def check_shape(document: ValueMap, kind: str) -> tuple[Finding, ...]:
    """Return the problems of a document with respect to the schema of its kind."""
    validator = _validators()[kind]
    errors = sorted(validator.iter_errors(plain_data(document)), key=lambda error: list(map(str, error.absolute_path)))
    return tuple(dict.fromkeys(problem for error in errors for problem in _problems(error, document, kind)))


def likely_kinds(document: ValueMap) -> tuple[str, ...]:
    """Return the kind of a document with a wrong first key, determined by its other keys; empty if it is unclear."""
    keys = {word.text for word, _ in document.entries}
    shared = {kind: len(keys & keys_of(kind)) for kind in DOCUMENT_KINDS}
    best = max(shared.values())
    kinds = tuple(kind for kind, count in shared.items() if count == best)
    return kinds if best > 1 and len(kinds) == 1 else ()


def kind_of(document: Value) -> str | None:
    """Return the kind of a document by its first key, or by a later one that the first may precede; None if unknown.

    Other tools sort keys, and a position has a `board` and `pieces`, which are kinds of their own. A later key names no
    kind where the keys together are those of another kind.
    """
    keys = [word.text for word, _ in document.entries] if isinstance(document, ValueMap) else []
    kinds = sorted((key for key in keys if key in DOCUMENT_KINDS), key=lambda kind: kind != "position")
    kind = next((kind for kind in kinds if keys[0] == kind or keys[0] in keys_of(kind)), None)
    if kind is None or keys[0] == kind or not isinstance(document, ValueMap):
        return kind
    return kind if likely_kinds(document) in ((), (kind,)) else None


def keys_of(kind: str) -> set[str]:
    """Return the keys that a document of a kind may have."""
    return _properties(_validators()[kind].schema)


def _properties(schema: Any) -> set[str]:
    return set(schema.get("properties", ()))


@cache
def _validators() -> dict[str, "Draft202012Validator"]:
    """Load the schemas; the result is cached."""
    # Loading it takes a tenth of the start of a command, and files that are memoized need none of it.
    from jsonschema import Draft202012Validator  # noqa: PLC0415 -- takes long to load

    schemas = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in sorted(_folder().glob("*.json"))}
    return {kind: Draft202012Validator(_filled_in(schemas, kind + _SUFFIX, {})) for kind in DOCUMENT_KINDS}


def _filled_in(schemas: dict[str, Any], place: str, known: dict[str, Any]) -> dict[str, Any]:
    """Substitute definitions for the references to them: resolving them at each value would double the time.

    `known` maps places to those already substituted; a definition that refers to itself contains itself.
    """
    if place not in known:
        file, _, path = place.partition("#/")
        found = schemas[file]
        for step in path.split("/") if path else ():
            found = found[step]
        known[place] = {}
        known[place].update(_with_definitions(found, schemas, file, known))
    schema: dict[str, Any] = known[place]
    return schema


def _with_definitions(part: Any, schemas: dict[str, Any], file: str, known: dict[str, Any]) -> Any:
    match part:
        case {"$ref": str(place)}:
            return _filled_in(schemas, place if not place.startswith("#") else file + place, known)
        case dict():
            inner = {key: each for key, each in part.items() if key != "$defs"}
            return {key: _with_definitions(each, schemas, file, known) for key, each in inner.items()}
        case list():
            return [_with_definitions(each, schemas, file, known) for each in part]
        case _:
            return part


def _folder() -> Path:
    """Return the folder of the schemas: at the top of the clone, or where a wheel puts rules/."""
    root = Path(__file__).resolve().parents[2]
    in_clone = root / "rules" / "schemas"
    return in_clone if in_clone.is_dir() else root / "rulewright" / "rules" / "schemas"


def plain_data(value: Value) -> Any:
    """Convert a value to the plain data that a validator reads; every scalar is text."""
    match value:
        case Scalar(text=text):
            return text
        case ValueList(items=items):
            return [plain_data(item) for item in items]
        case ValueMap(entries=entries):
            return {key.text: plain_data(item) for key, item in entries}


def _problems(error: "ValidationError", document: Value, kind: str, fallback: str = "") -> Iterator[Finding]:
    """Convert a validation error to problems that an author can act on."""
    value = _value_of_path(document, error.absolute_path)
    schema: dict[str, Any] = error.schema if isinstance(error.schema, dict) else {}
    expected = _phrase(schema.get("title", fallback or "something else"))
    match error.validator, value:
        case "additionalProperties", ValueMap():
            yield from _unknown_keys(value, schema, kind)
        case (("required" | "dependentRequired"), ValueMap()):
            yield from _missing_keys(value, schema, kind)
        case (("oneOf" | "anyOf"), _) if branch := _likeliest(error):
            for inner in branch:
                yield from _problems(inner, document, kind, expected)
        case _, ValueMap(entries=entries) if isinstance(error.instance, str):
            key = next(word for word, _ in entries if word.text == error.instance)
            character_problem = name_problem(key.text) if error.validator == "pattern" else None
            yield (
                _odd_sign(key.span, character_problem)
                if character_problem
                else BadShape(key.span, expected, f"`{key.text}`")
            )
        case "pattern", Scalar(text=text) if character_problem := name_problem(text):
            yield _odd_sign(value.span, character_problem)
        case _:
            (example_keys, *_) = schema.get("examples") or (schema.get("required", ()),)
            keys = tuple(example_keys) if schema.get("type") == "object" else ()
            candidates = nearest_names(value.text, schema.get("enum", ())) if isinstance(value, Scalar) else ()
            is_number = "integer" in schema.get("type", ()) and "maximum" not in schema
            yield BadShape(value.span, expected, value_phrase(value), keys, candidates, is_number)


def _unknown_keys(value: ValueMap, schema: dict[str, Any], kind: str) -> Iterator[Finding]:
    """Report the keys that a schema does not have; a key that is present already is not what was meant."""
    known, present = tuple(schema.get("properties", ())), {word.text for word, _ in value.entries}
    absent = [key for key in known if key not in present]
    for word in (word for word, _ in value.entries if word.text not in known):
        candidates = nearest_key(word.text, absent)
        yield UnknownKey(word.span, word.text, schema.get("title", kind), candidates, known)


def _missing_keys(value: ValueMap, schema: dict[str, Any], kind: str) -> Iterator[Finding]:
    """Report the keys that a schema requires, at a key that may be a misspelling of each, else at the first key.

    A mapping may extend over pages; its first key is where a reader looks.
    """
    words = [word for word, _ in value.entries]
    present = {word.text for word in words}
    unknown = [word for word in words if word.text not in schema.get("properties", ())]
    for key in (*schema.get("required", ()), *_implied_keys(schema, present)):
        if key not in present:
            misspelling = next((word for word in unknown if nearest_key(word.text, (key,))), None)
            place = next(iter((*([misspelling] if misspelling else ()), *words, value))).span
            yield MissingKey(place, key, schema.get("title", kind), misspelling is not None)


def _odd_sign(span: Span, character_problem: CharacterProblem) -> Finding:
    return OddSign(span, character_problem.sign, character_problem.category, character_problem.letter)


def _implied_keys(schema: dict[str, Any], present: Collection[str]) -> dict[str, None]:
    """Return the keys that others which are present require."""
    required_keys: dict[str, list[str]] = schema.get("dependentRequired", {})
    return dict.fromkeys(key for trigger, keys in required_keys.items() if trigger in present for key in keys)


def _phrase(title: str) -> str:
    """Add an article to a bare noun such as `force`; other titles are phrases already."""
    if title.count(" ") > 1 or title.startswith(("a ", "an ", "keys ", "`")):
        return title
    return f"{'an' if title[0] in 'aeiou' else 'a'} {title}"


def _likeliest(error: "ValidationError") -> "list[ValidationError]":
    """Return the errors of the alternative that was probably meant: the only one of the right type."""
    branches = group_by(error.context or (), lambda inner: inner.relative_schema_path[0])
    candidates = [
        branch
        for branch in branches.values()
        if not any(inner.validator == "type" and not inner.relative_path for inner in branch)
    ]
    return candidates[0] if len(candidates) == 1 else []


def _value_of_path(value: Value, path: Iterable[Any]) -> Value:
    """Return the value at a path of the validator."""
    for step in path:
        match value:
            case ValueList(items=items):
                value = items[step]
            case ValueMap(entries=entries):
                value = next(item for word, item in entries if word.text == step)
            case Scalar():
                break
    return value
