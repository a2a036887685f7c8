"""Mutate accounts: a text is removed, its condition altered, or the value of a field altered.

The input is a graph, the key of a procedure, and the types of the names around each part; the output is its mutants.
Only examples that check the report of an account detect one.
"""

from collections.abc import Iterator

from runtime.examples.expected_text import expects_text
from runtime.graph import nodes as graph
from runtime.mutation.altered_graph import omissions
from runtime.mutation.expression_mutants import REMOVED, Names
from runtime.mutation.mutant import TEXT, Mutant, MutatedPart, OriginalRun

LONGEST_TEXT_START = 40  # Signs of a text that identify it.


def account_mutants(rules: graph.Graph, key: str, names: Names) -> Iterator[Mutant]:
    """Generate the mutants of the account of a procedure; `names` are the types of the names that it binds."""
    account = rules.procedures[key].account
    if account is None:
        return
    known = dict(names) | {field.name: field.type for field in account.fields}
    cites = account.cites or rules.procedures[key].cites

    def concerns(record: OriginalRun) -> bool:
        return key in record.procedures and expects_text(record.run.example)

    def part(name: str, origin: graph.Origin) -> MutatedPart:
        full_name = f"{name} of the account of {key}"
        return MutatedPart(rules, full_name, cites, origin, concerns, bool(account.cites), procedure=key)

    path = ("procedures", key, "account")
    for index, field in enumerate(account.fields):
        fields = part(f"field {field.name}", account.origin)
        yield from fields.expression_mutants((*path, "fields", index, "value"), known, is_observed=False)
    for index, (text, others) in enumerate(omissions(account.texts)):
        excerpt = text.text if len(text.text) <= LONGEST_TEXT_START else f"{text.text[:LONGEST_TEXT_START]}.."
        written = part(f"{text.what} “{excerpt}”", text.origin)
        yield written.mutant(TEXT, (excerpt, REMOVED), ((*path, "texts"), others))
        if text.condition is not None:
            condition = (*path, "texts", index, "condition")
            yield written.mutant(TEXT, (text.condition, "always"), (condition, None))
            yield from written.expression_mutants(condition, known, is_observed=False)
