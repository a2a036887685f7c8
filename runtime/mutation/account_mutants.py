"""Mutate accounts: a text is removed, its condition altered, or the value of a field altered.

The input is a graph, the key of a procedure, and the types of the names around each part; the output is its mutants.
Only examples that check the report of an account detect one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from runtime.examples.expected_text import expects_text
from runtime.graph import nodes as graph
from runtime.mutation.expression_mutants import REMOVED, Alterations
from runtime.mutation.mutant import TEXT, Mutant, OriginalRun

Names = Mapping[str, graph.Type]
LONGEST_TEXT_START = 40  # Signs of a text that identify it.


def account_mutants(rules: graph.Graph, key: str, inner: Alterations, names: Names) -> Iterator[Mutant]:
    """Generate the mutants of the account of a procedure; `names` are the types of the names that it binds."""
    account = rules.procedures[key].account
    if account is None:
        return
    cites = account.cites or rules.procedures[key].cites
    known = dict(names) | {field.name: field.type for field in account.fields}

    def concerns(record: OriginalRun) -> bool:
        return key in record.procedures and expects_text(record.run.example)

    def make_mutant(
        kind: str,
        name: str,
        original: graph.Expr | str,
        replacement: graph.Expr | str,
        origin: graph.Origin,
        altered_account: graph.Account,
    ) -> Mutant:
        return Mutant(
            kind,
            f"{name} of the account of {key}",
            original,
            replacement,
            cites,
            origin,
            lambda: iter((_with_account(rules, key, altered_account),)),
            concerns,
            procedure=key,
            singled_out=bool(account.cites),
        )

    for index, field in enumerate(account.fields):
        for each in inner.alterations_of(field.value, known):
            fields = (*account.fields[:index], replace(field, value=each.altered_expr), *account.fields[index + 1 :])
            altered_account = replace(account, fields=fields)
            yield make_mutant(
                each.kind, f"field {field.name}", each.original, each.replacement, account.origin, altered_account
            )
    for index, text in enumerate(account.texts):
        before, after = account.texts[:index], account.texts[index + 1 :]
        excerpt = text.text if len(text.text) <= LONGEST_TEXT_START else f"{text.text[:LONGEST_TEXT_START]}.."
        name = f"{text.what} “{excerpt}”"
        yield make_mutant(TEXT, name, excerpt, REMOVED, text.origin, replace(account, texts=(*before, *after)))
        if text.condition is None:
            continue
        always = replace(text, condition=None)
        yield make_mutant(
            TEXT, name, text.condition, "always", text.origin, replace(account, texts=(*before, always, *after))
        )
        for each in inner.alterations_of(text.condition, known):
            other = replace(text, condition=each.altered_expr)
            altered_account = replace(account, texts=(*before, other, *after))
            yield make_mutant(each.kind, name, each.original, each.replacement, text.origin, altered_account)


def _with_account(rules: graph.Graph, key: str, account: graph.Account) -> graph.Graph:
    procedure = replace(rules.procedures[key], account=account)
    return replace(rules, procedures={**rules.procedures, key: procedure})
