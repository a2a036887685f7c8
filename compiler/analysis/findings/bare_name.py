"""Names that would stand in a sentence as they are written: "the due of the order is not s".

In: a stack. Out: findings. The book restates laws in words. A name of one letter, and a field of a record whose value a
condition states, are words of the rules and not of English, until a declaration says how they are said.
"""

from collections.abc import Iterator

from compiler.analysis.checks import check_of_stack
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.parties import Party, party_label
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence, list_words
from runtime.graph import nodes as graph
from runtime.graph.phrases import PREPOSITIONAL_NAMES
from runtime.graph.walk import nodes_of


@finding("R0212", "bare-name", WARNING)
class BareName(Finding):
    """Names without words in the law of one rule: of values, and of fields, `plan.due`."""

    party: Party
    names: tuple[str, ...]

    def sentence(self) -> Sentence:
        fields = [name for name in self.names if "." in name]
        advice = "give the values whole words as names"
        if fields:
            advice = f'declare how it is said, with `wording {fields[0]} says "{{it}} .. {{value}}"`'
        return Sentence(
            f"the book cannot say {list_words(self.names, 'and')} of `{self.party.label}` in words",
            (party_label(self.party),),
            advice,
        )


@check_of_stack
def bare_name(stack: graph.Graph) -> Iterator[BareName]:
    """Find values of one letter, and fields of records without words whose value a condition states."""
    writer = ExpressionWriter(stack.vocabulary)
    reported: set[str] = set()
    for _, rule in sorted(stack.rules.items()):
        fields = [name for name in _bare_fields(stack, rule) if name not in reported]
        reported.update(fields)
        names = (*(name for name, _ in rule.names if len(name) == 1), *dict.fromkeys(fields))
        if names:
            yield BareName(writer.rule_party(rule), names)


def _bare_fields(stack: graph.Graph, rule: graph.Rule) -> Iterator[str]:
    """Yield the fields without words whose value a rule states; prepositions are called by their types."""
    words = stack.vocabulary.wording
    for test in nodes_of(graph.Op, (rule.guard, rule.value, rule.names)):
        match test:
            case graph.Op("=" | "!=" | "in", (graph.Get(_, "record", owner, name), _)):
                known = words.keys() & {name, f"{owner}.{name}", f"says {owner}.{name}", f"says {owner}"}
                is_named = owner in stack.vocabulary.records and name not in PREPOSITIONAL_NAMES
                yield from (f"{owner}.{name}",) if is_named and not known else ()
            case _:
                pass
