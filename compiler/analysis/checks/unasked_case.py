"""A rule for cases in which nothing in play asks its term: every question of play passes other members of a list.

So it is where a hook asks with a fixed member what it has the true one for, and where the die that a modifier is for
was forgotten. A rule then answers at the table only. Rules without a sequence of play are for others to ask.
"""

from collections.abc import Iterator, Mapping

from compiler.analysis.expression_text import Writer
from compiler.analysis.omissions import UnaskedCase
from compiler.analysis.problems import Problem
from compiler.analysis.questions_in_play import passed_in_play
from compiler.analysis.readers_and_setters import is_whole_game
from runtime.graph import nodes as graph

Members = Mapping[str, frozenset[str]]


def unasked_case(stack: graph.Graph) -> Iterator[Problem]:
    """Find them."""
    if not is_whole_game(stack):
        return
    reached, passed = passed_in_play(stack)
    writer = Writer(stack.vocabulary)
    for name in sorted(reached):
        term = stack.terms[name]
        known = {part.name: found for part in term.parameters if (found := passed.get((name, part.name))) is not None}
        if not known:
            continue
        for rule in (stack.rules[label] for label in term.rules):
            if rule.guard is not None and _value(rule.guard, known) is False:
                asked = {part for part, found in known.items() if _value(rule.guard, {part: found}) is False} or known
                said = tuple(f"{part}: {', '.join(sorted(known[part]))}" for part in sorted(asked))
                yield UnaskedCase(writer.rule_party(rule), name, said)


def _value(expr: graph.Expr, known: Members) -> bool | None:
    """Return what a condition comes to where parameters are only these members; None: that depends."""
    match expr:
        case graph.Truth(value):
            return value
        case graph.Op("and", parts):
            values = [_value(part, known) for part in parts]
            return False if False in values else None if None in values else True
        case graph.Op("or", parts):
            values = [_value(part, known) for part in parts]
            return True if True in values else None if None in values else False
        case graph.Op("not", (part,)):
            value_ = _value(part, known)
            return None if value_ is None else not value_
        case graph.Op("=", (graph.Var(name), graph.Member(_, member))) if name in known:
            return _among(known[name], frozenset({member}))
        case graph.Op("!=", (graph.Var(name), graph.Member(_, member))) if name in known:
            inside = _among(known[name], frozenset({member}))
            return None if inside is None else not inside
        case graph.Op("in", (graph.Var(name), graph.SetOf(elements))) if name in known:
            members = frozenset(each.name for each in elements if isinstance(each, graph.Member))
            return _among(known[name], members) if len(members) == len(elements) else None
        case _:
            return None


def _among(found: frozenset[str], wanted: frozenset[str]) -> bool | None:
    """Return whether all of these, or none, are among those wanted; None: some."""
    return True if found <= wanted else False if found.isdisjoint(wanted) else None
