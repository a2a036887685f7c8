"""Change the default of a term, the value after `otherwise`, by a rule of a layer.

In: a stack and a term. Out: a rule that concludes the new value if no rule of the stack applies: its condition is
the negation of their conditions. The term itself is not replaced.
"""

from rulewright.change.rule_numbers import SourceRule, source_rule
from rulewright.change.writing import read_amount
from rulewright.errors import UsageError, suggestion_text
from rulewright.library.stacks import Stack
from runtime.graph import nodes as graph
from runtime.graph.members import members_of
from runtime.witness.position_file import expression_text, quote_name

# The conclusion of a rule with a value, by form of the term.
SAYS = {"value": "is", "min": "offers", "max": "offers"}


def terms_with_fallback(rules: graph.Graph) -> dict[str, graph.Term]:
    """Return the terms with a constant default; a computed one cannot be changed."""
    plain = graph.Num | graph.Member | graph.Place
    return {
        name: term
        for name, term in rules.terms.items()
        if term.form in SAYS and "." not in name and isinstance(term.otherwise, plain)
    }


def fallback_rule(stack: Stack, rules: graph.Graph, term: graph.Term, text: str, heading: str) -> str:
    """Format a rule that concludes the value `text` if no rule of the stack applies."""
    assert term.otherwise is not None
    old_value, value = expression_text(term.otherwise), formatted_value(rules, term, text)
    if value == old_value:
        raise UsageError(f"`{term.name}` is {old_value} already where no rule says anything")
    found = [source_rule(stack, rules.rules[label]) for label in term.rules if rules.rules[label].verb]
    others = [each for each in found if each is not None]
    if len(others) < len(found):
        raise UsageError(f"a rule of `{term.name}` is not written in a file of rules, so its condition cannot be told")
    if always := next((each for each in others if each.node.guard is None), None):
        raise UsageError(f"`{always.node.label.text}` always answers `{term.name}`: change what that says")
    names = [each.source_text(name.span) for each in others for name in each.node.names]
    if len(others) > 1 and names:
        raise UsageError(f"the rules of `{term.name}` bind names of their own: write this rule by hand")
    lines = [heading, f"  {term.name} {SAYS[term.form]} {value}", *(f"  {each}" for each in names)]
    if others:
        condition = "\n    and ".join(f"not ({_guard(each)})" for each in others)
        lines.append(f"  when {condition}")
    return "\n".join(lines) + "\n"


def formatted_value(rules: graph.Graph, term: graph.Term, text: str) -> str:
    """Format a value in the rule language, with the measure of the current one."""
    if isinstance(term.otherwise, graph.Num):
        measure = term.otherwise.measure
        return f"{read_amount(text, measure)} {measure}".strip()
    word, known = text.strip().strip("'"), possible_words(rules, term)
    if word not in known:
        raise UsageError(f"`{term.name}` cannot be `{word}`; {suggestion_text(word, list(known))}")
    return quote_name(word) if isinstance(term.otherwise, graph.Member) else f"'{word}'"


def possible_words(rules: graph.Graph, term: graph.Term) -> tuple[str, ...]:
    """Return the identifiers that a value may be; () for numbers."""
    match term.type:
        case graph.Enum(name):
            return members_of(rules.vocabulary, name)
        case graph.Scale(name):
            return tuple(place for place, _ in rules.vocabulary.scales[name].places)
        case _:
            return ()


def _guard(rule: SourceRule) -> str:
    """Return the condition of a rule in one line."""
    assert rule.node.guard is not None
    return " ".join(rule.source_text(rule.node.guard.span).split())
