"""Search for witnesses of the compiler's suspicions, by the search of the runtime.

In: a graph and a suspect of a proof. Out: a position that shows it, None if none is found within the budget.
"""

from dataclasses import replace

from compiler.analysis.expression_text import written_out
from compiler.analysis.normal_form import with_names
from compiler.analysis.suspects import OutOfRangeSuspect, Suspect
from runtime.graph import nodes as graph
from runtime.graph.witness_position import WitnessPosition
from runtime.witness import goals
from runtime.witness.find_witness import find_out_of_range, find_position
from runtime.witness.position_file import ask_text, expression_text


def confirming_witness(rules: graph.Graph, suspect: Suspect) -> WitnessPosition | None:
    """Return a position that confirms a suspicion; None if none is found."""
    if suspect.out_of_range is not None:
        return _find_out_of_range_witness(rules, suspect.out_of_range)
    if suspect.kind == "gap":
        return find_position(rules, goals.gap_objective(rules, suspect.term), ())
    label, *others = suspect.labels
    objective = goals.outside_objective(rules, suspect.term, label)
    if others:
        objective = goals.overlap_objective(rules, suspect.term, (label, others[0]))
    return find_position(rules, objective, suspect.labels)


def _find_out_of_range_witness(rules: graph.Graph, suspect: OutOfRangeSuspect) -> WitnessPosition | None:
    """Search for a position in which a procedure sets a number out of its range, with the question of the number."""
    query = suspect.query
    if not (query.called_term or query.key):
        return None  # The value can only be evaluated in play.
    found = find_out_of_range(rules, query)
    if found is None:
        return None
    position, setting = found
    names = {part.name: value for part, value in zip(query.term.parameters, setting.arguments, strict=True)}
    text = written_out(suspect.value, with_names(query.rule, names), rules.vocabulary)
    target = query.target
    if query.called_term:
        term = rules.terms[query.called_term]
        called_question = ask_text(term, setting.arguments[: len(term.parameters)])
        answer = f"`{called_question}` gives it to `{target}`, and has no answer"
        return replace(position, question=text, answer=answer)
    arguments = ", ".join(
        f"{part.name}: {expression_text(value)}"
        for part, value in zip(query.term.parameters, setting.arguments, strict=True)
        if part.name != "player"
    )
    phrase = f"gives it to `{target}`" if suspect.finding.is_argument else f"sets `{target}` to it"
    answer = f"`{rules.procedures[query.key].name}({arguments})` {phrase}, and stops"
    return replace(position, question=text, answer=answer)
