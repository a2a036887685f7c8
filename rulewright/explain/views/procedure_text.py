"""Format procedures as sentences: a line per step, inner steps indented."""

from collections.abc import Iterator, Sequence

from compiler.rulebook.steps import ProcedureLine, procedure_lines, read_steps
from runtime.graph import nodes as graph
from runtime.graph.predeclared_types import SIDE
from runtime.graph.walk import nodes_of
from runtime.graph.wording import Wording
from runtime.graph.words import list_text, readable_name


def procedure_text(procedure: graph.Procedure, rules: graph.Graph) -> Iterator[str]:
    """Yield the lines of a procedure."""
    if actions := reaction_lines(procedure):
        answers = [_answer_phrase(rules.procedures[f"action:{action}"]) for action in actions]
        yield f"Every other side may then {list_text(answers, 'or')}."
        return
    if procedure.what == "action" and procedure.phases:
        yield f"In {', '.join(procedure.phases)}."
    yield from _flat(procedure_lines(rules, procedure), "")


def step_texts(steps: tuple[graph.Step, ...], rules: graph.Graph) -> Iterator[str]:
    """Yield the lines of steps of the sequence of play."""
    wording = Wording(rules, names={"player": SIDE})
    yield from _flat(read_steps(wording, steps), "")


def procedure_title(procedure: graph.Procedure) -> str:
    """Return the name of a procedure; of a hook, its event."""
    return procedure.name if procedure.what != "hook" else f"after {procedure.event}"


def reaction_lines(procedure: graph.Procedure | None) -> list[str]:
    """Return the actions that a hook offers to other sides, which is the lowered form of a reaction."""
    if procedure is None or procedure.what != "hook":
        return []
    return [action for step in nodes_of(graph.Offer, procedure.body) for action, _ in step.actions]


def _answer_phrase(action: graph.Procedure) -> str:
    """Return what a side does by a reaction."""
    is_whole = action.reads and "{" not in action.reads
    return action.reads if is_whole else f"answer by {readable_name(action.name)}"


def _flat(lines: Sequence[ProcedureLine], margin: str) -> Iterator[str]:
    for line in lines:
        links = ", ".join(link.partition(":")[2] for link in line.leads) if line.text.endswith(":") else ""
        yield f"{margin}{line.text or line.title} {links}".rstrip()
        yield from _flat(line.inside, f"{margin}  ")
