"""Procedures that start one another recursively on every path: such a play never ends."""

from collections.abc import Iterator, Mapping
from typing import assert_never

from compiler.analysis.checks import check_of_stack
from compiler.analysis.parties import Party, StepPlace, party_label, procedure_party
from compiler.analysis.readers_and_setters import step_at
from compiler.source.finding import Finding, finding
from compiler.source.sentence import MOST_NAMES, Sentence, list_words
from runtime.graph import nodes as graph
from runtime.graph.call_graph import ProcedureKey, procedures_by_start, procedures_started
from runtime.graph.steps import nested_steps


@finding("R0534", "never-ends")
class NeverEnds(Finding):
    """A procedure starts itself again, by way of `others`, on every path: in this step."""

    procedure: Party
    step: StepPlace
    others: tuple[Party, ...]

    def sentence(self) -> Sentence:
        names = list_words((*(each.label for each in self.others), self.procedure.label), "and")
        return Sentence(
            f"`{self.procedure.label}` starts itself again without end"
            if not self.others
            else f"{names} start each other without end",
            (
                party_label(self.procedure, "started again here"),
                *(party_label(each, "in between") for each in self.others[:MOST_NAMES]),
            ),
            "put this step inside an `if` that is false at some time, or delete it",
            root=" ".join(sorted((self.procedure.label, *(each.label for each in self.others)))),
        )


BeginStep = tuple[graph.Step, str]  # The step that starts a procedure, and the key of that procedure.


@check_of_stack
def never_ends(stack: graph.Graph) -> Iterator[NeverEnds]:
    """Find cycles of resolutions and hooks in which each starts the next unconditionally."""
    keys = procedures_by_start(stack)
    begins = {key: tuple(_certain_starts(each.body, keys)) for key, each in stack.procedures.items()}
    finished_keys: set[str] = set()
    for first in stack.procedures:
        path: dict[str, Iterator[BeginStep]] = {} if first in finished_keys else {first: iter(begins[first])}
        steps_by_key: dict[str, graph.Step] = {}
        while path:
            current_key = next(reversed(path))
            step, target = next(path[current_key], (None, ""))
            if step is None:
                finished_keys.add(current_key)
                del path[current_key]
                continue
            steps_by_key[current_key] = step
            if target in path:
                cycle = [*path][[*path].index(target) :]
                finished_keys.update(path)
                yield _cycle_problem(stack, cycle, steps_by_key)
                break
            if target not in finished_keys:
                path[target] = iter(begins[target])


def _cycle_problem(stack: graph.Graph, cycle: list[str], steps_by_key: Mapping[str, graph.Step]) -> NeverEnds:
    first = stack.procedures[cycle[0]]
    return NeverEnds(
        *step_at(first, steps_by_key[cycle[0]]), tuple(procedure_party(stack.procedures[key]) for key in cycle[1:])
    )


def _certain_starts(body: tuple[graph.Step, ...], keys: Mapping[ProcedureKey, list[str]]) -> Iterator[BeginStep]:
    """List the procedures that a body starts on every path, up to where it may stop."""
    for step in body:
        if isinstance(step, graph.ChangingStep):
            continue
        match step:
            case graph.Do() | graph.Tell():
                yield from ((step, key) for start in procedures_started(step) for key in keys.get(start, ()))
            case graph.Phase() | graph.Each() | graph.Loop() | graph.Branch():
                # The collection of a loop may be empty, and of two branches only one ends here.
                if any(isinstance(inner, graph.Stop) for inner in nested_steps((step,))):
                    return
            case graph.Stop() | graph.Choose() | graph.Legal():
                # An action may be refused, and a choice may have no option.
                return
            case graph.Let() | graph.Offer() | graph.Roll() | graph.Draw() | graph.End() | graph.BeginAccount():
                pass
            case _:
                assert_never(step)
