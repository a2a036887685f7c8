"""The reference says what the grammar and the shipped rules say."""

from docs.reference.productions import missing_examples
from docs.reference.write import HERE, main, pages, toy


def test_up_to_date(reset: bool) -> None:
    if reset:
        main()
    wanted = pages()
    there = {file.name: file.read_text(encoding="utf-8") for file in HERE.glob("*.md")}
    old = sorted(name for name in wanted.keys() | there.keys() if wanted.get(name) != there.get(name))
    assert old == [], "run `python3 -m docs.reference.write`"


def test_every_production_has_an_example() -> None:
    assert missing_examples(toy()) == []
