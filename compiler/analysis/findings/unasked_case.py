"""Rules for cases that no query in play covers: all queries of their term pass other members of an enumeration.

This occurs where a hook passes a fixed member instead of the actual one, and where the die that a modifier is for was
forgotten. Such a rule is live only in questions at the table. Rules without a sequence of play may serve others.
"""

from collections.abc import Iterator, Mapping

from compiler.analysis.checks import check_of_stack
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.parties import Party, party_label
from compiler.analysis.questions_in_play import passed_in_play
from compiler.analysis.readers_and_setters import is_whole_game
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence, list_words
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term


@finding("R0572", "unasked-case", WARNING)
class UnaskedCase(Finding):
    """Play queries `term` only with arguments that a rule is not for.

    `cases` has parameters with their members, "pace: run".
    """

    rule: Party
    term: str
    cases: tuple[str, ...]

    def sentence(self) -> Sentence:
        cases = list_words(self.cases, "and")
        return Sentence(
            f"`{self.rule.label}` never applies in play, which asks `{self.term}` only with {cases}",
            (party_label(self.rule),),
            f"ask `{self.term}` with the actual value in play, or in a precondition `at the table`",
        )


MembersByName = Mapping[str, frozenset[str]]


@check_of_stack
def unasked_case(stack: graph.Graph) -> Iterator[UnaskedCase]:
    """Find rules that no query in play reaches."""
    if not is_whole_game(stack):
        return
    reached, passed = passed_in_play(stack)
    writer = ExpressionWriter(stack.vocabulary)
    for name in sorted(reached):
        term = stack.terms[name]
        known = {part.name: found for part in term.parameters if (found := passed.get((name, part.name))) is not None}
        if not known:
            continue
        for rule in rules_of_term(stack, term):
            if rule.guard is not None and _value(rule.guard, known) is False:
                excluding_parameters = {
                    part for part, found in known.items() if _value(rule.guard, {part: found}) is False
                } or known
                member_texts = tuple(
                    f"{part}: {', '.join(sorted(known[part]))}" for part in sorted(excluding_parameters)
                )
                yield UnaskedCase(writer.rule_party(rule), name, member_texts)


def _value(expr: graph.Expr, known: MembersByName) -> bool | None:
    """Return the truth value of a condition where parameters are among these members.

    None if it depends on the member.
    """
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
            is_member = _among(known[name], frozenset({member}))
            return None if is_member is None else not is_member
        case graph.Op("in", (graph.Var(name), graph.SetOf(elements))) if name in known:
            members = frozenset(each.name for each in elements if isinstance(each, graph.Member))
            return _among(known[name], members) if len(members) == len(elements) else None
        case _:
            return None


def _among(found: frozenset[str], members: frozenset[str]) -> bool | None:
    """Return True if all of these are among those wanted, False if none is, None if some are."""
    return True if found <= members else False if found.isdisjoint(members) else None
