"""Procedures can be replaced and withdrawn like rules; replacements that do not fit are reported."""

from dataclasses import replace
from pathlib import Path

import pytest

from compiler.compile import CompilationResult, compile_stack
from compiler.layered.procedure_table import procedure_hash
from compiler.report.diagnose import sentence_of
from compiler.source.package import discover_layers
from compiler.source.parse import parse_rules
from runtime.graph import nodes as graph
from runtime.mutation.mutant import PROCEDURE
from runtime.mutation.targets import measure_protection

BASE = """
side north, south
kind cart has room: 0..9
status cart: stuck until end of moving, tired until end of own_turn
track cart.load: 0..9 = 0
event arrived(c: cart, h: hex)
resolution unload(c: cart) "Unload." { set c.load to 0 }
action go by player in moving "Go one hex." reads "go on" {
  choose c from {c in all cart where c.side = player}
  choose h from neighbors(c.hex)
  move c to h
  do unload(c)
  tell arrived(c, h)
}
action rest by player in moving "Rest." { choose c from all cart  mark c as stuck }
reaction shout by enemy to arrived(c, h) "Shout." { choose d from all cart  mark d as tired }
after arrived(c, h) as weary "Arriving tires." { mark c as tired }
after end of own_turn { for each c in all cart { set c.load to 9 } }
sequence game { each turn in 1..3 { each player in {north, south} {
  phase moving "Moving" { offer go, rest until yes }
  phase talking "Talking" { for each c in all cart { tell arrived(c, c.hex) } }
} } }
"""
LAYER = "layer: {name}\ntitle: {name}\nkind: {kind}\non: [{on}]\ncites: house\n"
CARTS = "pieces: cart\ncites: house\ncolumns: [id, room]\nrows: [[dray, 4]]\n"


def compiled(folder: Path, *layers: str, beside: bool = False, base: str = BASE) -> CompilationResult:
    """Compile layers over the small game, each on the one before it, or all on the game with `beside`."""
    stack = ["base", *(f"v{number}" for number in range(1, len(layers) + 1))]
    for number, (name, text) in enumerate(zip(stack, (base, *layers), strict=True)):
        on = "" if number == 0 else "base" if beside else stack[number - 1]
        (folder / name).mkdir(parents=True)
        manifest = LAYER.format(name=name, kind="variant" if on else "base", on=on)
        (folder / name / "layer.yaml").write_text(manifest, encoding="utf-8")
        (folder / name / "said.rules").write_text(text, encoding="utf-8")
    (folder / "base" / "carts.yaml").write_text(CARTS, encoding="utf-8")
    library, problems = discover_layers([folder])
    assert not problems, problems
    return compile_stack(library, "+".join(stack))


def layer_findings(folder: Path, *layers: str, beside: bool = False) -> list[tuple[str, str, str]]:
    """List the code, the message and the layer of the first span of each problem."""
    found = compiled(folder, *layers, beside=beside).problems
    texts = [(each.code.number, sentence_of(each)) for each in found]
    return [(code, each.message, each.spans[0].span.file.split("/")[-2]) for code, each in texts]


def compile_layers(folder: Path, *layers: str, beside: bool = False) -> graph.Graph:
    """Compile layers without problems; return the graph."""
    found = compiled(folder, *layers, beside=beside)
    assert found.graph is not None, found.problems
    assert not found.problems
    return found.graph


UNLOAD = 'resolution unload(c: cart) [house] "Keep one." replaces resolution unload {{ {body} }}'
ONE = UNLOAD.format(body="set c.load to 1")
TWO = UNLOAD.format(body="set c.load to 2")


def test_a_procedure_replaces_another(tmp_path: Path) -> None:
    rules = compile_layers(tmp_path, ONE)
    procedure = rules.procedures["resolution:unload"]
    assert (procedure.prose, procedure.origin.layer) == ("Keep one.", "v1")
    assert procedure.instead_of is not None
    assert (procedure.instead_of.prose, procedure.instead_of.origin.layer) == ("Unload.", "base")


def test_two_independent_layers_cannot_replace_one_procedure(tmp_path: Path) -> None:
    assert [(code, message) for code, message, _ in layer_findings(tmp_path, ONE, TWO, beside=True)] == [
        ("R0310", "`resolution unload` is replaced or withdrawn twice")
    ]


@pytest.mark.parametrize(
    ("text", "key", "says"),
    [
        ('action rest by player in moving [house] "Nap." replaces action rest { choose c from all cart }',
         "action:rest", "Nap."),
        ('reaction shout by enemy to arrived(c, h) [house] "Hush." replaces reaction shout { choose d from all cart }',
         "action:shout", "Hush."),
        ('after arrived(d, to) [house] "Arriving wakes." replaces after arrived { unmark d as tired }',
         "hook:arrived", "Arriving wakes."),
        ('after end of own_turn [house] "Empty." replaces after end of own_turn { stop }',
         "hook:end of own_turn", "Empty."),
    ],
)  # fmt: skip
def test_each_kind_of_procedure_can_be_replaced(tmp_path: Path, text: str, key: str, says: str) -> None:
    rules = compile_layers(tmp_path, text)
    assert says in [each.prose for name, each in rules.procedures.items() if name.startswith(key)]
    assert len(rules.procedures) == len(compile_layers(tmp_path / "alone").procedures)


def test_a_withdrawn_action_is_offered_nowhere(tmp_path: Path) -> None:
    rules = compile_layers(tmp_path, 'rule no-rest [house] "Nobody rests." withdraws action rest')
    assert "action:rest" not in rules.procedures
    assert "rest" not in repr(rules.procedures["sequence"])


HASH = procedure_hash(replace(parse_rules(BASE, "b.rules")[0].statements[5]))  # of `resolution unload`


def test_an_expected_hash_must_be_that_of_the_procedure(tmp_path: Path) -> None:
    right = ONE.replace("unload {", f'unload expecting "{HASH}" {{')
    assert layer_findings(tmp_path / "right", right) == []
    wrong = ONE.replace("unload {", 'unload expecting "0badf00d" {')
    message = f"`resolution unload` is `{HASH}`, not `0badf00d` as this change expects"
    assert layer_findings(tmp_path / "wrong", wrong) == [("R0311", message, "v1")]


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("resolution unload(c: cart) { }", "R0205", "`unload` is declared twice as a resolution"),
        ("resolution unlod(c: cart) replaces resolution unlod { }", "R0327",
         "no lower layer has `resolution unlod` to replace"),
        ("resolution tidy(c: cart) replaces resolution unload { }", "R0327",
         "`resolution tidy` cannot replace `resolution unload`, as its name differs"),
        ("resolution unload() replaces resolution unload { }", "R0328",
         "the replacement of `resolution unload` has other parameters than the original"),
        ("resolution unload(c: cart) replaces resolution unload { set c.load to 0 }", "R0325",
         "this changes nothing: `resolution unload` already does the same"),
        ('rule r [house] "x" withdraws resolution unload', "R0329",
         "`resolution unload` is withdrawn, but a step still does it"),
        ('rule r [house] "x" withdraws phase moving', "R0329",
         "`phase moving` is withdrawn, but `stuck` lasts until its end"),
        ('rule r [house] "x" withdraws action hop', "R0327", "no lower layer has `action hop` to withdraw"),
        ('rule r [house] "x" withdraws action rest\nrule s [house] "x" withdraws action rest', "R0310",
         "`action rest` is replaced or withdrawn twice"),
    ],
)  # fmt: skip
def test_a_wrong_replacement_is_an_error_at_its_place(tmp_path: Path, text: str, code: str, message: str) -> None:
    found = layer_findings(tmp_path, text)
    assert (code, message) in [each[:2] for each in found], found
    assert {place for *_, place in found} == {"v1"}


def test_a_replacement_is_protected_by_an_example_that_the_original_fails(tmp_path: Path) -> None:
    example = (
        'example "{title}" {{ row A\n piece C: dray of north at A (load {load})\n do unload(C)\n ask (C.load {sign}) }}'
    )
    weak, strong = example.format(title="w", load=5, sign="< 5"), example.format(title="s", load=5, sign="= 1")
    for text, protected in ((f"{ONE}\n{weak}", False), (f"{ONE}\n{strong}", True)):
        found = measure_protection(compile_layers(tmp_path / str(protected), text), lambda unit: unit.kind == PROCEDURE)
        assert ("resolution:unload" in [unit.name for unit in found.protected]) is protected
