"""What is withdrawn or replaced is gone for readers too, and `explain` says who removed it."""

from pathlib import Path

import pytest

from rulewright.book.book_evidence import unplayed_examples
from rulewright.explain.views.pages import as_text, explain_page
from rulewright.library.stacks import PackageSet, Stack
from tests.layers.combination import combinations, written

GAME, CASES = combinations("combinations.rules")
BY_NAME = {each.name: each for each in CASES}


def loaded(name: str, stack: str, folder: Path) -> Stack:
    """Load a stack of one of the combinations, whose layers keep their names."""
    combination = BY_NAME[name]
    library = written(GAME, combination, folder, {}, {layer.name: layer.name for layer in combination.layers})
    return PackageSet(library, ()).compiled(stack).require_usable()


def test_a_withdrawn_ruling_is_in_no_book_and_explained_by_its_remover(tmp_path: Path) -> None:
    stack = loaded("a withdrawal", "game+one", tmp_path)
    assert not stack.rules.rulings
    assert [each.example.title for each in unplayed_examples(stack)] == ["wheels"]
    page = explain_page(stack, "tall-go")
    assert page is not None
    assert page["not in force"].startswith("w of one withdraws it: “No.”")
    assert 'asks "May the tall go on wheels?"' in as_text(page, stack.rules)


def test_a_ruling_given_back_is_printed(tmp_path: Path) -> None:
    stack = loaded("a withdrawal of a withdrawal brings the rule back", "game+two", tmp_path)
    assert [*stack.rules.rulings] == ["tall-go"]
    assert [each.example.title for each in unplayed_examples(stack)] == ["tall wheels", "wheels"]
    page = explain_page(stack, "w")
    assert page is not None
    assert page["not in force"].startswith("v of two withdraws it")


@pytest.mark.parametrize(
    ("name", "stack", "label", "remover"),
    [
        ("a replacement of a replacement keeps the place", "game+two", "tired-pay", "s of two replaces it"),
        ("a withdrawn dispute is none", "game+one", "who-pushes", "w of one withdraws it"),
        ("a withdrawn dispute is none", "game+one", "tired-push", "w of one withdraws it"),
        ("a withdrawn case is what the layers below have in it", "game+one", "wheels-push", "w of one withdraws it"),
        ("a withdrawn case is what the layers below have in it", "game+one", "shoving", "w of one withdraws it"),
    ],
)
def test_whatever_is_removed_names_its_remover(name: str, stack: str, label: str, remover: str, tmp_path: Path) -> None:
    found = loaded(name, stack, tmp_path)
    page = explain_page(found, label)
    assert page is not None
    assert page["not in force"].startswith(remover)
    assert label not in {*found.rules.rules, *found.rules.rulings, *found.rules.disputes}
