"""docs/json.md and the schemas are those of the types of replies, and no key that was promised is gone."""

from docs.reference.json_shapes import (
    DOCS,
    broken_promises,
    described_keys,
    json_pages,
    keys_of,
    record_types,
    shapes_below,
)


def test_the_page_and_the_schemas_are_up_to_date() -> None:
    wanted = json_pages()
    there = {path: (DOCS / path).read_text(encoding="utf-8") for path in wanted if (DOCS / path).exists()}
    assert sorted(path for path in wanted if wanted[path] != there.get(path)) == [], "`python3 -m docs.reference.write`"


def test_no_promised_key_is_gone() -> None:
    assert [*broken_promises()] == []


def test_every_key_is_described_once_and_exists() -> None:
    known: dict[str, type] = {}
    for records in record_types().values():
        for record in records:
            shapes_below(record, known)
    wrong = {name: keys_of(shape).keys() ^ described_keys(shape).keys() for name, shape in known.items()}
    assert {name: keys for name, keys in wrong.items() if keys} == {}
