"""The schemas, which editors and problem reports share: complete, with titles, and accepted by the readers."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from compiler.source.documents import read_documents
from compiler.source.heads import DOCUMENT_KINDS

FOLDER = Path(__file__).parents[3] / "rules" / "schemas"
FILES = sorted(FOLDER.glob("*.json"))


def test_each_kind_of_document_has_a_schema() -> None:
    assert {file.name for file in FILES} == {"common.schema.json", *(f"{kind}.schema.json" for kind in DOCUMENT_KINDS)}


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_schemas_are_valid_and_titled(file: Path) -> None:
    schema = json.loads(file.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    assert schema["title"]
    assert schema["description"]
    assert [path for path, part in parts(schema) if "title" not in part and "$ref" not in part] == []


@pytest.mark.parametrize("kind", DOCUMENT_KINDS)
def test_examples_of_schemas_are_read_without_problems(kind: str) -> None:
    schema = json.loads((FOLDER / f"{kind}.schema.json").read_text(encoding="utf-8"))
    assert schema["examples"]
    for example in schema["examples"]:
        # JSON is a subset of YAML, and the readers take numbers as text.
        comment = f"# yaml-language-server: $schema=schemas/{kind}.schema.json\n"
        nodes, problems = read_documents(comment + json.dumps(example), "example.yaml")
        assert problems == ()
        assert len(nodes) == 1


def parts(schema: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the schemas of values inside a schema with their paths.

    Alternatives have the title of the schema around them.
    """
    if not isinstance(schema, dict):
        return
    for key in ("properties", "$defs"):
        for name, part in schema.get(key, {}).items():
            yield f"{path}/{name}", part
            yield from parts(part, f"{path}/{name}")
    for key in ("items", "additionalProperties", "propertyNames"):
        part = schema.get(key)
        if isinstance(part, dict):
            yield f"{path}/{key}", part
            yield from parts(part, f"{path}/{key}")
