"""The differences in behavior between two stacks as data for `diff --format json`, with procedures as text."""

from collections.abc import Callable
from difflib import SequenceMatcher

from compiler.analysis.expression_text import ExpressionWriter
from rulewright.explain.views.procedure_text import procedure_text
from runtime.graph import nodes as graph
from runtime.graph.records.differing_play import (
    AmendingRuleRecord,
    BehaviorRecord,
    DifferingPlayRecord,
    DifferingProcedureRecord,
    DifferingRulesRecord,
    WrittenPlaceRecord,
    WrittenProcedureRecord,
)
from runtime.graph.related_procedures import differing_amendments
from runtime.graph.walk import nodes_of
from runtime.graph.words import readable_name
from runtime.witness.behavior_difference import BehaviorDifference, ProcedureDifference, RuleDifference
from runtime.witness.example_corpus import PlayDifference
from runtime.witness.position_file import expression_text

Graphs = tuple[graph.Graph, graph.Graph]
SaveFunction = Callable[[str], str | None]

# The most equal lines that are shown between differing ones, as context.
AGREE = 3


def behavior_data(found: BehaviorDifference, graphs: Graphs, save: SaveFunction) -> BehaviorRecord:
    """Convert differences to data; `save` writes a position to a file and returns its path."""
    return {
        "procedures": [_procedure(procedure, graphs, save) for procedure in found.procedures],
        "rules": [_by_rules(rule, graphs, save) for rule in found.rules],
        "example_questions": [_by_rules(question, graphs, save) for question in found.example_questions],
    }


def question_text(expression: graph.Expr, rules: graph.Graph) -> str:
    """Format a question as `ask` accepts it."""
    return _QuotingWriter(rules.vocabulary).text(expression)


class _QuotingWriter(ExpressionWriter):
    """A writer that puts names in quotes where the rule language has them so."""

    def text(self, expr: graph.Expr) -> str:
        """Format an expression."""
        if isinstance(expr, graph.Spot | graph.Member | graph.Place):
            return expression_text(expr)
        return super().text(expr)


def _by_rules(each: RuleDifference, graphs: Graphs, save: SaveFunction) -> DifferingRulesRecord:
    return {"rules": list(each.rules), "differs": each.differs, **_play(each.play, graphs, save)}


def _amended_by(key: str, graphs: Graphs) -> list[AmendingRuleRecord]:
    """Return the rules by which procedures differ; `only` is the stack that alone has the rule, None if both have."""
    first, second = differing_amendments(*graphs, key)
    found: list[AmendingRuleRecord] = []
    for label in sorted(first | second):
        rule = graphs[label in second].rules[label]
        only = None if label in first & second else "b" if label in second else "a"
        found.append(
            {"rule": label, "only": only, "cites": list(rule.cites), "prose": rule.prose, **_place(rule.origin)}
        )
    return found


def _procedure(each: ProcedureDifference, graphs: Graphs, save: SaveFunction) -> DifferingProcedureRecord:
    procedures = (each.first, each.second)
    old, new = (
        [] if procedure is None else list(procedure_text(procedure, rules))
        for procedure, rules in zip(procedures, graphs, strict=True)
    )
    old_lines, new_lines = _different_lines(old, new) if each.first and each.second else (old, new)
    either = each.first or each.second
    key = "sequence" if each.kind == "sequence" else f"{each.kind}:{each.name}"
    key = f"hook:{either.event}" if each.kind == "hook" and either is not None else key
    old_phases, new_phases = map(_phase_titles, procedures)
    has_other_phases = old_phases != new_phases and old_phases and new_phases
    return {
        "what": each.kind,
        "name": each.name,
        "only": each.only_stack or None,
        "differs": each.differs,
        "of": each.runs,
        "tried": each.tried,
        "preferring": each.is_preference_only,
        "amended_by": _amended_by(key, graphs),
        "phases": {"a": old_phases, "b": new_phases} if has_other_phases else {"a": [], "b": []},
        "a": _written(each.first, old_lines),
        "b": _written(each.second, new_lines),
        "play": _play(each.play, graphs, save) if each.play else None,
    }


def _written(procedure: graph.Procedure | None, lines: list[str]) -> WrittenProcedureRecord | None:
    """Return a procedure of one stack with these lines of its text; None if the stack has none."""
    if procedure is None:
        return None
    return {**_place(procedure.origin), "cites": list(procedure.cites), "prose": procedure.prose, "text": lines}


def _phase_titles(procedure: graph.Procedure | None) -> list[str]:
    """Return the titles of the phases of a sequence, in their order."""
    return [phase.title or readable_name(phase.name) for phase in nodes_of(graph.Phase, procedure)]


def _play(play: PlayDifference, graphs: Graphs, save: SaveFunction) -> DifferingPlayRecord:
    return {
        "act": play.act if play.question is None else question_text(play.question, graphs[0]),
        "a": play.a,
        "b": play.b,
        "missing_words": list(play.missing_words),
        "example": play.example,
        "written": _place(play.origin),
        "witness": save(play.file) if play.file else None,
        "position": play.file,
    }


def _different_lines(old: list[str], new: list[str]) -> tuple[list[str], list[str]]:
    """Return the lines of two texts from the first difference to the last; long equal runs are abbreviated."""
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    differ = [number for number, block in enumerate(blocks) if block[0] != "equal"]
    old_lines: list[str] = []
    new_lines: list[str] = []
    for tag, i, k, j, n in blocks[differ[0] : differ[-1] + 1] if differ else ():
        agree = tag == "equal" and k - i > AGREE
        old_lines += [".."] if agree else old[i:k]
        new_lines += [".."] if agree else new[j:n]
    return old_lines, new_lines


def _place(origin: graph.Origin) -> WrittenPlaceRecord:
    return {"file": origin.file, "line": origin.line}
