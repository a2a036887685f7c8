"""Write the reference: `python3 -m docs.reference.write` from the top of the clone.

The grammar, the operators, and for each stack that is shipped the words it declares. The same sources give the same
pages; tests/docs/test_reference.py holds them to what is written here.
"""

from pathlib import Path

from compiler.compile import compile_stack
from compiler.source.nodes import Layer
from compiler.source.package import Library
from docs.reference.commands import commands_page
from docs.reference.json_shapes import write_json_pages
from docs.reference.operators import operators_page
from docs.reference.productions import grammar_page
from docs.reference.vocabulary import vocabulary
from rulewright.library.stacks import open_packages

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TOY = ROOT / "tests" / "stages" / "format" / "toy.rules"
# Forms that the toy game has no use for.
MORE = """
track scenario.shore: set of hex required "where boats land" when scenario.turns > 8 for may_land
requires scenario.shore "where boats wait" for boats
extend kind unit has morale: 0..9 = 5
resolution rest(u: unit) replaces resolution rest of base expecting "1f3a9c20" { stop }
define fare(mover: unit, to: hex) = price[ground_of(to), mover.gait]
example "printed" {
  chart unit (side, attack) {
    imp: elves, 4 {winged}
    coach: -, 0 {}
  }
}
define sites(s: side) = {u.hex for u in all unit where u.side = s}
define supplied(s: side) = reachable(sites(s) by may_supply(s) costing toll within 8)
define railed(s: side) = linked(sites(s), all hex by on_rail(s))
define joined(s: side) = linked(sites(s), all hex)
resolution deal(s: side) { draw any cards of 3 from reserve(card) }
resolution wear(u: unit) { flip u }
resolution rest_up(u: unit) { restore u }
example "two banks" {
  spaces Near, Far town on coast
  connections Near-Far, Far to Boat
}
example "what is dealt" {
  draws ambush, rain
}
resolution slip(u: unit) { roll d: die }
account [T.9] {
  before u
  after d
  tells "{u where} may slip, die {d}" when d > 1
}
example "two are lost" {
  do give_up(2) choosing lost: T1, lost: T2
}
example "a slip is told" {
  do slip(C)
  tells "A coach in A may slip, die 3."
  chances "5 in 6: The coach slips. 1 in 6: It holds."
}
rule late-march [T.10] "Marching comes last." reorders phase march before each player
rule at-dawn [T.10] reorders step do sink(mover) of action march after the last tell entered
rule no-toll [T.10] withdraws step legal u.spent = 0 MP of action march, the last mark u as tired of after rest of base
rule no-march [T.10] withdraws action march, phase movement expecting "1f3a9c20" when scenario.frost
rule early-rest [T.11] inserts { do rest(player) } before phase movement
rule first-die [T.11] inserts { roll e: die } after step set mover.spent of action march
rule no-sinking [T.11] replaces step if u is shaken of action march by { stop }
rule march-on [T.11] replaces until of step offer march of phase movement by no
rule deep-mire [T.12] wraps resolution sink by { if scenario.frost { proceed } }
rule no-loop [T.12] withdraws step for each s of sequence, step stop of action march, step move mover of action march
"""
LAYOUT = """\
## How `rulewright fmt` lays out a file

- A paragraph begins with its head: label, sources, prose, in one line if they fit into 120 columns. Every claim of it
  (conclusion, relations, `with`, `when`) has a line of its own, one step to the right.
- What a term reads as stands below it, never beside it.
- A condition that does not fit into a line has each of its claims in its own, beginning with `and` or `or`; a choice
  has each of its outcomes, a sum each of its terms.
- Lists go on in the next line where they get too long, arguments and sets too. Texts in quotes are never broken.
- Braces open at the end of a line and close on a line of their own; examples have a setting or a question a line, and
  rows of cases are in one line or have one each. A block of one step that was written in one line stays in it.
- One empty line stands between paragraphs. Between declarations and between steps those of the author stay, one at
  most.
- A comment stays above or behind what it was written above or behind. Nothing is ever moved, dropped or aligned.

A file with errors is left alone, and so is one that would say anything else afterwards: the new text is read again and
compared with the old before it is written. `--check` only tells which files would change."""


def toy() -> str:
    """Read the text that the examples of the grammar are taken from."""
    return TOY.read_text(encoding="utf-8") + MORE


def pages() -> dict[str, str]:
    """Write all pages: their names and texts."""
    package_set = open_packages()
    library = package_set.library
    assert not package_set.problems, package_set.problems
    layers = [library.layers[name] for name in sorted(library.layers)]
    written = {"grammar.md": grammar_page(toy()), "operators.md": operators_page(), "commands.md": commands_page()}
    listed = []
    for layer in layers:
        if layer.kind.text != "joint" and (page := _stack_page(library, layer)):
            written[f"{layer.name.text}.md"] = page
            listed.append(f"- [{layer.title}]({layer.name.text}.md): `{layer.name.text}`")
    return {**written, "README.md": _index(listed)}


def _stack_page(library: Library, layer: Layer) -> str:
    """Write the words of a stack; one that stands on another tells only its own."""
    name = layer.name.text
    compiled = compile_stack(library, name)
    assert compiled.graph, f"{name} does not compile: {compiled.problems}"
    assert compiled.typed
    if layer.kind.text == "base" and not compiled.graph.outcome:
        return ""  # what games share is no game
    if layer.kind.text == "base":
        labels = {each.name for each in compiled.graph.layers}
        beneath = ""
    else:
        labels = {name}
        below = [f"[{word.text}]({word.text}.md)" for word in layer.on]
        beneath = f" On top of {' and '.join(below)}; only its own words are listed."
    head = f"# The words of {layer.title}\n\nStack `{name}`.{beneath} Written by `docs/reference/write.py`."
    words = vocabulary(compiled.typed.layered, compiled.graph, labels)
    return f"{head}\n\n{words or 'It declares no words: its rules speak of those below.'}\n"


def _index(stacks: list[str]) -> str:
    return "\n".join(
        [
            "# Reference",
            "",
            "- [The grammar](grammar.md): every production, with an example.",
            "- [Operators and functions](operators.md): what each takes, gives and means.",
            "- [The commands](commands.md): each with an example and all of its options.",
            "- [What `check` reports](../codes/README.md): a page for each code.",
            "",
            "The words that each stack declares: its questions, kinds of pieces, traits, statuses, charts and actions.",
            "",
            *stacks,
            "",
            LAYOUT,
            "",
            "`python3 -m docs.reference.write` writes these pages again.",
            "",
        ]
    )


def main() -> None:
    """Write the pages and remove those that are no more."""
    written = pages()
    for file in HERE.glob("*.md"):
        if file.name not in written:
            file.unlink()
    for name, text in written.items():
        (HERE / name).write_text(text, encoding="utf-8", newline="\n")
    write_json_pages()


if __name__ == "__main__":
    main()
