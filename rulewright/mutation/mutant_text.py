"""Format mutants: their places and alterations."""

from collections.abc import Mapping

from compiler.analysis.expression_text import Writer
from compiler.analysis.readers_and_setters import step_at
from compiler.report.steps import where_step
from runtime.examples.coverage import Place
from runtime.graph import nodes as graph
from runtime.mutation.expressions import GONE, OPERAND
from runtime.mutation.mutant import CELL, CONDITION, FIGURE, ORDER, PLURALS, RULE, TRAIT, Mutant

# The names of kinds in the singular; `PLURALS` has the plural.
SINGULAR: Mapping[str, str] = {
    "amount": "number", "filter": "condition of a choice or set", "arithmetic": "sign", "element": "member of a set",
    "note": "note of play", "line": "line of a card", "region": "hex of a region", "number": "corrected number",
    "part": "changed part", "order": "order of two steps", "round": "rounds of the clock", "bound": "bound",
}  # fmt: skip
TAKEN_OUT = "taken out"  # The text that replaces a removed part.


def kind_text(mutant: Mutant) -> str:
    """Return the name of the kind of a mutant."""
    return SINGULAR.get(mutant.what, mutant.what)


def kinds_text(what: str) -> str:
    """Return the plural name of a kind of mutants."""
    return PLURALS[what]


def subject_text(mutant: Mutant) -> str:
    """Return the name of the thing that a mutant alters."""
    match mutant.what:
        case "cell":
            return str(mutant.key)
        case _:
            return mutant.name


def was_text(mutant: Mutant, rules: graph.Graph) -> str:
    """Format the original part."""
    return _written(mutant.was, mutant, rules)


def now_text(mutant: Mutant, rules: graph.Graph) -> str:
    """Format the altered part."""
    return _written(mutant.now, mutant, rules)


def _written(part: graph.Expr | str, mutant: Mutant, rules: graph.Graph) -> str:
    text = part if isinstance(part, str) else Writer(rules.vocabulary).text(part)
    if mutant.what == FIGURE:
        return f"{mutant.key} {text}"
    return text


def alteration_text(mutant: Mutant, rules: graph.Graph) -> str:
    """Format the alteration of a mutant as a phrase."""
    was, now = was_text(mutant, rules), now_text(mutant, rules)
    of = f"{kind_text(mutant)} of {subject_text(mutant)}"
    if mutant.what == TRAIT:
        return f"{subject_text(mutant)}, {f'with the trait {now}' if was == 'nothing' else f'without the trait {was}'}"
    if mutant.what in (FIGURE, CELL):
        return f"{subject_text(mutant)}, {was} made {now}"
    if mutant.what == "rule":
        return f"rule {subject_text(mutant)}, {TAKEN_OUT}"
    if now == GONE:
        return f"{of}, {was} {TAKEN_OUT}"
    return f"{of}, {was} made {now}"


def repair_text(mutant: Mutant, rules: graph.Graph) -> str:
    """Format an alteration that repairs a failure as a phrase."""
    was, now = was_text(mutant, rules), now_text(mutant, rules)
    if mutant.what == RULE and now == "nothing":
        return "without this rule"
    if mutant.what == CONDITION:
        return f"without the condition `{was}`"
    if mutant.what == ORDER:
        return f"with {was} {now}"
    of = f"{subject_text(mutant)}, " if mutant.what in (FIGURE, TRAIT, CELL) else ""
    if mutant.what == OPERAND and was == "nothing":
        return f"where it asks for {_marked(now)} as well,"
    if now == "nothing":
        return f"{of}without {_marked(was)}"
    return f"{of}with {_marked(now)}" + ("" if was == "nothing" else f" for {_marked(was)}")


def _marked(text: str) -> str:
    """Enclose a text in backticks, unless it begins with one."""
    return text if text.startswith("`") else f"`{text}`"


def origin_of(thing: Mutant | Place, rules: graph.Graph, texts: Mapping[str, str]) -> graph.Origin:
    """Return the origin of a mutant or an uncovered thing: of its step if found in the text, otherwise of the thing."""
    if thing.step is None or getattr(thing.step, "cited", None) is not None:
        return thing.origin
    party, at = step_at(rules.procedures[thing.procedure], thing.step)
    return where_step(party, at, texts).origin
