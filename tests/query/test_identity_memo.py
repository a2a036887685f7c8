"""`memoized_by_identity`: a function is computed once for each node, and again when its other arguments change."""

from dataclasses import replace
from pathlib import Path

from rulewright.book.book_places import book_index
from rulewright.library.stacks import load_stack
from rulewright.serve.cli.app import run
from runtime.graph.identity_memo import memoized_by_identity


class Node:
    """A node that is equal to no other."""


def test_a_value_is_computed_once_per_node_while_its_arguments_are_equal() -> None:
    questions: list[tuple[Node, int]] = []

    @memoized_by_identity(2)
    def doubled(node: Node, number: int) -> int:
        questions.append((node, number))
        return 2 * number

    one, other, third = Node(), Node(), Node()
    assert [doubled(one, 1), doubled(one, 1), doubled(other, 1)] == [2, 2, 2]
    assert questions == [(one, 1), (other, 1)]
    assert [doubled(one, 3), doubled(one, 3), doubled(one, 1)] == [6, 6, 2]
    assert questions[2:] == [(one, 3), (one, 1)]
    assert [doubled(third, 1), doubled(one, 1), doubled(other, 1)] == [2, 2, 2]
    assert questions[4:] == [(third, 1), (other, 1)]


def test_an_index_has_the_examples_of_inner_stacks_as_they_are_now(tmp_path: Path) -> None:
    there = ["--path", str(tmp_path), "--dir", str(tmp_path)]
    assert run(["new", "game", "deep_snow", "--dir", str(tmp_path)]) == 0
    assert run(["new", "variant", "thaw", "--on", "deep_snow", *there]) == 0
    [file] = [file for file in (tmp_path / "deep_snow").rglob("*.rules") if 'example "' in file.read_text()][:1]
    first = load_stack("deep_snow+thaw", [tmp_path])
    assert not book_index(first).find("quagmire")
    file.write_text(file.read_text().replace('example "', 'example "quagmire ', 1))
    edited = load_stack("deep_snow+thaw", [tmp_path])
    places = book_index(replace(edited, graph=first.graph)).find("quagmire")
    assert places, "a rule, by the title of its example"
