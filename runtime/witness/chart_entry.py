"""Conditions under which a question reads a chart at one row.

The input is a term that reads the chart, and a row; the output is needs, as for a rule that should decide.
"""

from collections.abc import Iterator

from runtime.answer.expressions import Environment
from runtime.answer.interpreter import bindings_of
from runtime.graph import nodes as graph
from runtime.graph.walk import walk
from runtime.state.record import Value
from runtime.witness.arithmetic import match_row, row_matches
from runtime.witness.candidate import Candidate
from runtime.witness.decisive_condition import DecisiveCondition
from runtime.witness.instance import Instance
from runtime.witness.repair import Repairer

Reading = tuple[graph.Rule | None, graph.Cell]


def chart_reads(rules: graph.Graph, term: graph.Term) -> Iterator[Reading]:
    """Return where a term itself reads charts."""
    for label in term.rules:
        rule = rules.rules[label]
        for node in walk((rule.guard, rule.value, rule.names)):
            if isinstance(node, graph.Cell):
                yield rule, node
    for node in walk((term.otherwise,)):
        if isinstance(node, graph.Cell):
            yield None, node


def have_same_keys(first_keys: tuple[graph.Parameter, ...], second_keys: tuple[graph.Parameter, ...]) -> bool:
    """Return whether two charts have the same keys."""
    return [(key.name, key.type) for key in first_keys] == [(key.name, key.type) for key in second_keys]


def has_words_for(table: graph.Table, row: graph.TableRow, rules: graph.Graph) -> bool:
    """Return whether a graph can express the keys of a row."""
    enums = rules.vocabulary.enums
    for key, accepted in zip(table.keys, row.keys, strict=True):
        if isinstance(key.type, graph.Enum) and key.type.name in enums and accepted is not None:
            words = {word.name for word in enums[key.type.name].members}
            if not all(match.low in words for match in accepted):
                return False
    return True


def decisive_conditions_of_row(
    rules: graph.Graph, term: graph.Term, table: str, row: graph.TableRow
) -> list[DecisiveCondition]:
    """Return the conditions under which the term reads this row."""
    places = [reading for reading in chart_reads(rules, term) if reading[1].table == table]

    def is_met(instance: Instance) -> bool:
        return any(_reads_row(instance, term, reading, row) for reading in places)

    def propose(repairer: Repairer, instance: Instance) -> Candidate | None:
        rule, cell = repairer.chance.pick(places)
        arguments = instance.lazy_arguments()
        if rule is not None and not instance.is_live(term, rule, instance.arguments) and repairer.chance.one_in(2):
            return repairer.make_live(term, rule, arguments, want=True)
        names = bindings_of(term, rule, arguments)
        return match_row(repairer, row, cell.keys, _values(instance, cell, names), names)

    return [DecisiveCondition(is_met, propose)] if places else []


def _reads_row(instance: Instance, term: graph.Term, reading: Reading, row: graph.TableRow) -> bool:
    rule, cell = reading
    values = _values(instance, cell, bindings_of(term, rule, instance.arguments))
    return (rule is None or instance.is_live(term, rule, instance.arguments)) and row_matches(row, values)


def _values(instance: Instance, cell: graph.Cell, names: Environment) -> list[Value]:
    return [instance.value(key, names) for key in cell.keys]
