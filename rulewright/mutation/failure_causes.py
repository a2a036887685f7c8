"""The causes of failing examples as parties of findings, with their places.

In: a graph, runs of its examples, and a cause. Out: likely causes, the likeliest first.
"""

from collections.abc import Iterable, Iterator, Sequence

from compiler.analysis.parties import Party, procedure_party
from compiler.analysis.readers_and_setters import step_at
from compiler.report.answers import LikelyCause
from rulewright.mutation.mutant_text import repair_text
from runtime.examples.row_result import Run
from runtime.graph import nodes as graph
from runtime.graph.related_procedures import amending_labels
from runtime.graph.rows import row_label
from runtime.mutation.expression_mutants import REMOVED
from runtime.mutation.localization import FailureCause
from runtime.mutation.mutant import Mutant
from runtime.mutation.repairs import Place
from runtime.mutation.spectrum import case_coverage

# The most repairs that are reported.
MOST_REPAIRS = 2


def likely_causes(rules: graph.Graph, runs: Sequence[Run], cause: FailureCause) -> tuple[LikelyCause, ...]:
    """Return the parties to a cause: repairs in different places, or silent rules and suspected places."""
    if cause.repairs:
        repairs_by_place: dict[tuple[graph.Origin, int], Mutant] = {}
        for each in cause.repairs:
            repairs_by_place.setdefault((each.origin, 0 if each.original == REMOVED else id(each.step)), each)
        repairs = [*repairs_by_place.values()][:MOST_REPAIRS]
        above = _amendments(rules, (each.procedure for each in repairs if each.step is not None))
        return (*above, *(_repair(rules, each) for each in repairs))
    silent = (rules.rules[label] for label in cause.inactive_rules)
    found = [LikelyCause("silent", Party(rule.label, "", rule.cites, rule.origin)) for rule in silent]
    known = {each.party.label for each in found}
    above = _amendments(rules, (str(name) for kind, name in cause.suspects if kind not in {"row", "rule"}))
    suspects = (each for each in _suspects(rules, runs, cause) if each.party.label not in known)
    return (*found, *(each for each in above if each.party.label not in known), *suspects)


def _amendments(rules: graph.Graph, keys: Iterable[str]) -> tuple[LikelyCause, ...]:
    """Return the rules of the topmost layer that amend some procedures of layers below: these are the new causes."""
    top = rules.layers[-1].name
    found: dict[str, LikelyCause] = {}
    for key in keys:
        procedure = rules.procedures[key]
        labels = amending_labels(rules, key) if procedure.origin.layer != top else ()
        for rule in (rules.rules[label] for label in labels):
            if rule.origin.layer == top:
                party = Party(rule.label, "", rule.cites, rule.origin)
                found.setdefault(rule.label, LikelyCause("amends", party, procedure_party(procedure).label))
    return tuple(found.values())


def _repair(rules: graph.Graph, mutant: Mutant) -> LikelyCause:
    """Return the cause for an alteration that repairs a failure."""
    change = repair_text(mutant, rules)
    if mutant.step is None or getattr(mutant.step, "cited", None) is not None:
        return LikelyCause("repair", Party(mutant.name, "", mutant.cites, mutant.origin), change, cell=_cell(mutant))
    party, step_place = step_at(rules.procedures[mutant.procedure], mutant.step)
    return LikelyCause("repair", party, change, step=step_place)


def _cell(mutant: Mutant) -> str:
    """Return the column or trait of a counter, or the fact or counter of a card, that an alteration changes."""
    match mutant.kind:
        case "figure" | "trait":
            return str(mutant.key)
        case "line" | "region":
            return mutant.name.partition(": ")[2].partition(" of ")[0]
        case _:
            return ""


def _suspects(rules: graph.Graph, runs: Sequence[Run], cause: FailureCause) -> Iterator[LikelyCause]:
    """Yield the suspected places as causes, with their coverage by failing and passing cases."""
    cases = [(run.has_passed, case_coverage(run)) for run in runs]
    counts = [sum(passed is outcome for passed, _ in cases) for outcome in (False, True)]
    for place in cause.suspects:
        reach_counts = [
            sum(passed is outcome and each.covers(place) for passed, each in cases) for outcome in (False, True)
        ]
        yield LikelyCause(
            "suspect", _party(rules, place), "", (reach_counts[0], counts[0]), (reach_counts[1], counts[1])
        )


def _party(rules: graph.Graph, place: Place) -> Party:
    """Return the party of a place."""
    kind, name = place
    if kind == "row":
        table, row = next((table, row) for table in rules.tables.values() for row in table.rows if row == name)
        return Party(row_label(table, row, rules.vocabulary), "", row.cites, row.origin)
    if kind == "rule":
        rule = rules.rules[str(name)]
        return Party(rule.label, "", rule.cites, rule.origin)
    return procedure_party(rules.procedures[str(name)])
