"""Rules amend play: steps and phases are removed, moved, added or wrapped; amendments that do not fit are reported."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from runtime.graph import nodes as graph
from tests.constructs.test_replaced_procedures import compile_layers, layer_findings

RULE = 'rule a [house] "x" '
DUSK = 'insert phase dusk "Dusk" { for each c in all cart { do unload(c) } } after moving\n'


def steps(rules: graph.Graph, key: str) -> Iterator[object]:
    """List the steps of a procedure with nested ones."""
    todo = list(reversed(rules.procedures[key].body))
    while todo:
        step = todo.pop()
        yield step
        inside = (*getattr(step, "body", ()), *getattr(step, "then", ()), *getattr(step, "orelse", ()))
        todo.extend(reversed(inside))


def names(rules: graph.Graph, key: str) -> list[str]:
    """Name the steps of a procedure by their classes, phases by their names."""
    return [step.name if isinstance(step, graph.Phase) else type(step).__name__ for step in steps(rules, key)]


@pytest.mark.parametrize(
    ("text", "key", "found"),
    [
        ("reorders phase talking before moving", "sequence",
         ["Each", "Each", "talking", "Loop", "Tell", "moving", "Offer"]),
        ("reorders phase talking before phase moving when game.turn = 1", "sequence",
         ["Each", "Each", "Branch", "talking", "Loop", "Tell", "moving", "Offer", "Branch", "talking", "Loop", "Tell"]),
        ("withdraws phase talking when game.turn = 2", "sequence",
         ["Each", "Each", "moving", "Offer", "Branch", "talking", "Loop", "Tell"]),
        ("inserts { for each c in all cart { do unload(c) } } before phase talking", "sequence",
         ["Each", "Each", "moving", "Offer", "Loop", "Do", "talking", "Loop", "Tell"]),
        ("wraps phase talking by { if game.turn = 1 { proceed } }", "sequence",
         ["Each", "Each", "moving", "Offer", "talking", "Branch", "Loop", "Tell"]),
        ("withdraws step do unload of action go", "action:go", ["Legal"] * 0 + ["Choose", "Choose", "Move", "Tell"]),
        ("reorders step do unload of action go after tell arrived", "action:go",
         ["Choose", "Choose", "Move", "Tell", "Do"]),
        ("inserts { mark c as tired } after step move c of action go", "action:go",
         ["Choose", "Choose", "Move", "Mark", "Do", "Tell"]),
        ("inserts { do unload(c) } after step do unload of action go", "action:go",
         ["Choose", "Choose", "Move", "Do", "Do", "Tell"]),
        ("inserts { do unload(c) } before step do unload of action go when game.turn = 1", "action:go",
         ["Choose", "Choose", "Move", "Branch", "Do", "Do", "Tell"]),
        ("replaces step do unload(c) of action go by { mark c as tired } when c.load > 2", "action:go",
         ["Choose", "Choose", "Move", "Branch", "Mark", "Do", "Tell"]),
        ("wraps step do unload of action go by { if c.load > 2 { proceed } }", "action:go",
         ["Choose", "Choose", "Move", "Branch", "Do", "Tell"]),
        ("wraps resolution unload by { proceed mark c as tired } when c.load > 3", "resolution:unload",
         ["Branch", "Assign", "Mark", "Assign"]),
        ("withdraws resolution unload when c is tired", "resolution:unload", ["Branch", "Stop", "Assign"]),
        ("withdraws action rest when game.turn = 2", "action:rest", ["Legal", "Choose", "Mark"]),
        ("inserts { legal c.load = 0 } before step move c of action go when game.turn = 1", "action:go",
         ["Choose", "Choose", "Legal", "Move", "Do", "Tell"]),
    ],
)  # fmt: skip
def test_an_amendment_changes_the_steps_of_a_procedure(tmp_path: Path, text: str, key: str, found: list[str]) -> None:
    rules = compile_layers(tmp_path, RULE + text)
    assert names(rules, key) == found
    below = rules.procedures[key].instead_of
    assert below is not None
    assert below.body == compile_layers(tmp_path / "alone").procedures[key].body


def test_an_inserted_phase_can_be_moved_and_withdrawn(tmp_path: Path) -> None:
    moved = compile_layers(tmp_path / "moved", DUSK + RULE + "reorders phase dusk before moving")
    assert names(moved, "sequence")[2] == "dusk"
    skipped = compile_layers(tmp_path / "skipped", DUSK + RULE + "withdraws phase dusk when game.turn = 1")
    assert names(skipped, "sequence")[2:7] == ["moving", "Offer", "Branch", "dusk", "Loop"]


def test_the_condition_of_an_until_is_replaced(tmp_path: Path) -> None:
    rules = compile_layers(
        tmp_path, RULE + "replaces until of step offer rest of phase moving by game.turn > 1 when game.turn = 3"
    )
    offer = next(step for step in steps(rules, "sequence") if isinstance(step, graph.Offer))
    assert offer.until not in (None, graph.Truth(value=True))


def test_an_exception_restores_the_amended_steps(tmp_path: Path) -> None:
    rule = RULE + "withdraws phase talking"
    rules = compile_layers(tmp_path / "sometimes", f'{rule}\nrule b [house] "y" exception to a when game.turn = 1')
    assert names(rules, "sequence")[4:6] == ["Branch", "talking"]
    rules = compile_layers(tmp_path / "never", rule, 'rule b [house] "y" withdraws a')
    assert names(rules, "sequence")[4] == "talking"


def test_a_layer_above_amends_an_inserted_step(tmp_path: Path) -> None:
    rules = compile_layers(tmp_path, RULE + "inserts { mark c as stuck } before step move c of action go",
                 'rule b [house] "y" withdraws step mark c as stuck of action go')  # fmt: skip
    assert names(rules, "action:go") == ["Choose", "Choose", "Move", "Do", "Tell"]


def test_the_order_of_rules_does_not_matter(tmp_path: Path) -> None:
    one = 'rule b [house] "y" replaces step do unload of action go by { mark c as tired }'
    other = 'rule c [house] "z" reorders step tell arrived of action go before move c'
    there, back = (
        compile_layers(tmp_path / str(at), "\n".join(text)) for at, text in enumerate(((one, other), (other, one)))
    )
    assert there.procedures["action:go"].body == back.procedures["action:go"].body


@pytest.mark.parametrize(
    ("texts", "code", "message"),
    [
        (("reorders phase talkng before moving",), "R0331", "`sequence` has no step `phase talkng`"),
        (("reorders phase talking before movin",), "R0331", "`sequence` has no step `phase movin`"),
        (("wraps phase movng by { proceed }",), "R0327", "no lower layer has `phase movng` to amend"),
        (("withdraws step do unlod of action go",), "R0331", "`action go` has no step `do unlod`"),
        (("withdraws the third do unload of action go",), "R0331",
         "`action go` has only 1 step `do unload`"),
        (("withdraws step do unload of action goo",), "R0327", "no lower layer has `action goo` to amend"),
        (("withdraws step choose c of action go",), "R0334",
         "this change leaves `c` without a value where it is used"),
        (("reorders step move c of action go before choose h",), "R0334",
         "this change leaves `h` without a value where it is used"),
        (("inserts { mark c as tired } before step choose h of action go",), "R0333",
         "this change puts `choose h` after steps that the action has already done"),
        (("wraps resolution unload by { mark c as tired }",), "R0333",
         "this leaves out all that it wraps, as it has no `proceed`"),
        (("reorders phase talking before each player",), "R0333",
         "`phase talking` is done in `each player`, but `each player` in `each turn`"),
        (("reorders action go before moving",), "R0333",
         "`action go` cannot be reordered, as only phases and steps have an order"),
        (("reorders phase talking after moving",), "R0325",
         "this changes nothing: `phase talking` is already in this place"),
        (("withdraws phase moving when game.turn = 2",), "R0329",
         "`phase moving` is sometimes left out, but `stuck` lasts until its end"),
        (("withdraws step each player of sequence",), "R0329",
         "`phase moving` is withdrawn, but `stuck` lasts until its end"),
        (('withdraws phase talking expecting "12345678" when game.turn = 1',), "R0311", None),
        (("withdraws step do unload of action go", "inserts { mark c as tired } before step do unload of action go"),
         "R0332", "two rules change `do unload(c) of action go`, and neither takes account of the other"),
        (("reorders phase talking before moving", "withdraws phase talking"), "R0332",
         "two rules change `phase talking`, and neither takes account of the other"),
    ],
)  # fmt: skip
def test_an_amendment_that_does_not_fit_is_an_error_at_its_place(
    tmp_path: Path, texts: tuple[str, ...], code: str, message: str | None
) -> None:
    found = layer_findings(tmp_path, *(f'rule a{at} [house] "x" {text}' for at, text in enumerate(texts)), beside=True)
    assert [code] == [each[0] for each in found], found
    assert message in (None, found[0][1])
    assert found[0][2] == f"v{len(texts)}"


def test_a_resolution_can_be_withdrawn_with_its_last_caller(tmp_path: Path) -> None:
    """A layer that replaces all callers of a resolution may withdraw it."""
    replacement = "phase dusk [house] replaces phase dusk { for each c in all cart { mark c as tired } }\n"
    go = 'action go by player in moving [house] "Go." replaces action go { choose c from all cart mark c as stuck }\n'
    gone = 'rule b [house] "x" withdraws resolution unload'
    assert [code for code, *_ in layer_findings(tmp_path / "one", DUSK, go + gone)] == ["R0329"]
    assert layer_findings(tmp_path / "both", DUSK, replacement + go + gone) == []
