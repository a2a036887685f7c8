"""An unknown name that is no misspelling: the help offers names that fit, and no follow-up findings are reported."""

from pathlib import Path

import pytest

from compiler.compile import compile_stack
from compiler.report.diagnose import diagnose
from tests.analysis.planted import library_of

LAYER = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"
SHARED = """
measure steps
side north, south
domain die = 1..6
kind cart
feature hex: moor
status hex: frozen until end of turn
event halted(c: cart)
verdict may_go(c: cart, to: hex) default allowed
verdict may_halt(c: cart) default allowed
value price_of_entry(c: cart, to: hex): 0..9 steps
rule dear [house] "Dear."  price_of_entry is 3 steps
rule frozen-ground [house] "No way."  may_go forbidden  when to is frozen
"""
FAR = {
    "a question by what it is asked with": (
        'rule x [house] "X."  may_halt forbidden  when some(h in all hex where not permits(c, h))',
        "with these arguments one can ask `may_go` or `price_of_entry`",
    ),
    "a label by its question": (
        'rule x [house] "X."  may_go allowed  exception to slippery',
        "the other rules on the same question are `frozen-ground`",
    ),
    "what a hex can be": ("after halted(c) { mark c.hex as icebound }", "it can be `frozen`"),
    "an event and its parameter": ("after stopped(c) { mark c.hex as frozen }", "declare it, or use `halted`"),
    "a die and its result": (
        "after halted(c) { roll d: pips  if d = 3 { mark c.hex as frozen } }",
        "declare it, or use `die`",
    ),
    "a choice among nothing known": (
        "action halt by player { choose c from all wagon  mark c.hex as frozen }",
        "declare it, or use one of",
    ),
    "a sign of other languages": (
        'rule x [house] "X."  may_go forbidden  when price_of_entry(c, to) == 3 steps',
        "write `=`",
    ),
    "what a hex can have": (
        'path lane\nrule x [house] "X."  may_go forbidden  when to has loam',
        "it can have `lane`",
    ),
    "a pair nobody asked for": (
        "relation hauls(hauler: cart, load: cart) one hauler\n"
        'rule x [house] "X."  may_halt forbidden  when may_halt(c.hauler)',
        "test it first, with `c has hauler and ..`",
    ),
    "a word in a definition without a type": (
        "define far(c: cart) = if c is lost then 1 else min(distance(c.hex, h) for h in all hex otherwise 0)\n"
        'rule x [house] "X."  may_halt forbidden  when far(c) > 1',
        "it can be",
    ),
    "a phase that is called otherwise, and what ends with it": (
        "status hex: wet until end of rain\ntrack hex.mud: 0..3 until end of rain\n"
        'sequence s { each turn in 1..3 { phase raining "R" { } } }\n'
        'rule x [house] "X."  may_halt forbidden  when game.phase = rain\n'
        "action wait by player in rain { choose c from all cart  mark c.hex as frozen }",
        "declare it, or use",
    ),
    "a counter by its title": (
        'example "x" {\n  row A\n  piece H: wagon_heavy of north at A\n  ask may_halt(H) = yes\n}\n'
        "# file: charts.yaml\npieces: cart\ncites: house\ncolumns: [id, title]\n"
        "rows: [[cart_1, Light Wagon], [cart_2, Heavy Wagon], [cart_3, Heavy Cart]]",
        "did you mean `cart_2`?",
    ),
    "a moment": (
        'status hex: wet until end of trun\nsequence s { each turn in 1..3 { phase rain "R" { } } }',
        "did you mean `turn`?",
    ),
}


@pytest.mark.parametrize("name", FAR)
def test_an_unknown_name_has_one_finding_with_advice(name: str, tmp_path: Path) -> None:
    written, advice = FAR[name]
    rules, _, charts = written.partition("# file: charts.yaml\n")
    files = {"layer.yaml": LAYER, "shared.rules": SHARED, "case.rules": rules + "\n"}
    files |= {"charts.yaml": charts + "\n"} if charts else {}
    library = library_of(files, tmp_path)
    texts = {str(path): path.read_text() for path in tmp_path.iterdir()}
    (diagnostic,) = diagnose(compile_stack(library, "planted").problems, texts)
    assert advice in diagnostic.help
