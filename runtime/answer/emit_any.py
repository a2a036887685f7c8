"""Write whether a set has any member, without making the set.

In: the writer of a term that is a set. Out: lines of Python that leave at the first member found. Only
sets that unite what their rules say: where a rule excludes, or lifts another, the set is made.
"""

from collections.abc import Iterator

from runtime.answer.brackets import bare
from runtime.answer.emit_fold import fold
from runtime.answer.emit_names import Scope
from runtime.answer.emit_term import STEP, TermEmitter, comment
from runtime.graph import nodes as graph

SUFFIX = "_any"


def has_any(name: str, rules: graph.Graph) -> bool:
    """Say whether a term is a set of which this can be told without making it."""
    term = rules.terms[name]
    said = [rules.rules[label] for label in term.rules]
    if not said or not isinstance(term.type, graph.Many) or any(rule.defeats for rule in said):
        return False
    if term.form == "value":
        return len(said) == 1 and said[0].guard is None and isinstance(said[0].value, graph.Fold)
    return term.form == "set" and all(rule.verb == "includes" and isinstance(rule.value, graph.Fold) for rule in said)


def anybody(w: TermEmitter) -> Iterator[str]:
    """Write the body of the function that says whether there is any member; rules that cost little come first."""
    clauses = sorted(w.clauses, key=lambda clause: w.cost(clause.rule))
    for clause in clauses:
        yield comment(clause.rule)
        w.guarded(clause.rule, ["return True"], [])
        found = inhabited(w, clause.rule.value, w.inner)
        if clause is clauses[-1]:
            yield from w.guarded(clause.rule, [f"return {found}"], ["return False"])
        else:
            yield from w.guarded(clause.rule, [f"if {found}:", f"{STEP}return True"], [])


def inhabited(w: TermEmitter, value: graph.Expr | None, scope: Scope) -> str:
    """Write whether a collection has a member."""
    match value:
        case graph.Fold("gather", var, source, where, _, _):
            return bare(fold(w.emitter, graph.Fold("some", var, source, where, None, None), scope))
        case _:
            assert value is not None
            return f"len({bare(w.emitter.write(value, scope))}) > 0"
