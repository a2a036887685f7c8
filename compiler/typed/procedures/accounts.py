"""Elaboration of accounts: the fields that a procedure reports, and the texts that mention them.

In: an account as written, and the contexts of the first effect and of the end of its procedure. Out: the account of the
graph. Names known when the procedure begins are in scope for fields `before`; those and all that its steps bind for
fields `after` and for the texts printed then. Reports R0411 where a field or a text is meaningless.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple, cast

from compiler.source import nodes as source
from compiler.source.origins import origin_of
from compiler.source.suggestions import nearest_names
from compiler.typed.context import Context
from compiler.typed.environment import UNKNOWN_TYPE
from compiler.typed.findings.invalid_constructs import InvalidConstruct
from compiler.typed.values.expressions import elaborate, elaborate_condition
from runtime.graph import nodes as graph
from runtime.graph.free_names import free_names
from runtime.graph.templates import NoTemplate, Slot, parse_template

# The greatest number of words of a text of an account, as these are read aloud.
MOST_WORDS_OF_ACCOUNT = 40
BEFORE, AFTER = "before", "after"
PREVIEWS = "previews"
HOW = "write `{x}`, `{the x}`, `{x where}` or `{x: one, several}`"


class _Scope(NamedTuple):
    """The scope of a moment: the context, and the fields with their types."""

    context: Context
    fields: dict[str, graph.Type]


def typed_account(
    node: source.Account, head: Context, end: Context, layer: str, body: Iterable[source.Step]
) -> graph.Account:
    """Elaborate an account."""
    problems = head.problems
    account_fields: list[graph.AccountField] = []
    scopes = {BEFORE: _Scope(head, {}), AFTER: _Scope(end, {})}
    in_order = sorted(node.fields, key=lambda each: each.moment != BEFORE)
    for each in in_order:
        if any(each.name.text == other.name for other in account_fields):
            message = f"this account has two fields named `{each.name.text}`"
            problems.append(InvalidConstruct(each.name.span, message, "delete or rename one of the two"))
            continue
        field = _too_early(each, head, end) or _field(each, scopes[each.moment])
        account_fields.append(field)
        for moment in (BEFORE, AFTER) if each.moment == BEFORE else (AFTER,):
            context, fields = scopes[moment]
            scopes[moment] = _Scope(context.with_binding(field.name, field.type), {**fields, field.name: field.type})
    texts = tuple(_text(each, scopes[BEFORE if each.what == PREVIEWS else AFTER], layer) for each in node.texts)
    problems.extend(_unused(node, account_fields, texts))
    problems.extend(_unbound_fields(node, account_fields, tuple(body), head))
    problems.extend(_missing_sentences(node))
    return graph.Account(
        tuple(account_fields), texts, tuple(word.text for word in node.cites), origin_of(layer, node.span)
    )


def _too_early(node: source.AccountField, head: Context, end: Context) -> graph.AccountField | None:
    """Return a field `before` for a name that only steps bind, after reporting it; None for any other field."""
    name = node.name.text
    if node.moment != BEFORE or node.value is not None or name in head.names or name not in end.names:
        return None
    message = f"`{name}` has no value yet when this field is computed, at the beginning"
    advice = f"write `before {name} = ..` with a value known then, or write `after {name}`"
    head.problems.append(InvalidConstruct(node.name.span, message, advice))
    return graph.AccountField(name, "before", graph.Var(name), end.names[name])


def _field(node: source.AccountField, scope: _Scope) -> graph.AccountField:
    """Elaborate one field; a name alone is its own value."""
    context, name = scope.context, node.name.text
    value = node.value or source.Name(node.name.span, name)
    expression, type_ = elaborate(value, context, None)
    if node.value is not None and name in context.names and expression != graph.Var(name):
        message = f"`{name}` is already a name here"
        advice = f"write `{node.moment} {name}` to show its value, or rename the field"
        context.problems.append(InvalidConstruct(node.name.span, message, advice))
    return graph.AccountField(name, cast(graph.Moment, node.moment), expression, type_ or UNKNOWN_TYPE)


def _text(node: source.AccountText, scope: _Scope, layer: str) -> graph.AccountText:
    """Elaborate one text, with its placeholders."""
    context, fields = scope
    text, span = node.text.text, node.text.span
    try:
        slots = [part for part in parse_template(text) if isinstance(part, Slot)]
    except NoTemplate as wrong:
        context.problems.append(InvalidConstruct(span, f"`{wrong}` in this text cannot be read", HOW))
        slots = []
    for slot in slots:
        context.problems.extend(_misfit(slot, node, fields))
    count = len(re.sub(r"\{[^{}]*\}", "field", text).split())
    if count > MOST_WORDS_OF_ACCOUNT:
        message = f"this text has {count} words, more than the {MOST_WORDS_OF_ACCOUNT} allowed"
        context.problems.append(InvalidConstruct(span, message, "shorten it, or make two sentences of it"))
    if not text.strip():
        context.problems.append(InvalidConstruct(span, "this text is empty", "write the text, or delete it"))
    test = elaborate_condition(node.condition, context) if node.condition is not None else None
    return graph.AccountText(cast(graph.Telling, node.what), text, test, origin_of(layer, node.span))


def _misfit(slot: Slot, node: source.AccountText, fields: dict[str, graph.Type]) -> Iterator[InvalidConstruct]:
    """Find a placeholder for an unknown field, or with a form that the field's type does not have."""
    if slot.field not in fields:
        message = f"this account has no field `{slot.field}`"
        message += " that is known before the dice" if node.what == PREVIEWS else ""
        similar_names = nearest_names(slot.field, fields)
        known = ", ".join(f"`{each}`" for each in similar_names or fields)
        advice = f"did you mean {known}?" if similar_names else f"its fields are {known}" if known else "declare it"
        yield InvalidConstruct(node.text.span, message, advice)
        return
    type_ = fields[slot.field]
    if slot.with_hexes and not (
        isinstance(type_.of if isinstance(type_, graph.Many) else type_, graph.Piece) or type_ is UNKNOWN_TYPE
    ):
        message = f"`{slot.field}` has no hex, as it is not a piece"
        yield InvalidConstruct(node.text.span, message, f"write `{{{slot.field}}}`")
    if slot.singular and not isinstance(type_, graph.Many | graph.Number | graph.Piece) and type_ is not UNKNOWN_TYPE:
        message = f"`{slot.field}` has no singular or plural, as it is neither a number nor a set"
        yield InvalidConstruct(node.text.span, message, f"write `{{{slot.field}}}`")


def _unused(
    node: source.Account, fields: list[graph.AccountField], texts: tuple[graph.AccountText, ...]
) -> Iterator[InvalidConstruct]:
    """Find fields that no text, no condition and no other field mentions."""
    mentions: set[str] = set()
    for text in texts:
        mentions |= free_names(text.condition) if text.condition is not None else set()
        try:
            mentions |= {part.field for part in parse_template(text.text) if isinstance(part, Slot)}
        except NoTemplate:
            return  # The fields of an unreadable text are unknown.
    if mentions - {field.name for field in fields} - {each.name.text for each in node.fields}:
        return  # A text with an unknown field probably means the one that would be reported here.
    for field in fields:
        mentions |= free_names(field.value) - {field.name}
    for each in node.fields:
        if each.name.text not in mentions:
            wrong = f"no text of this account uses the field `{each.name.text}`"
            yield InvalidConstruct(each.name.span, wrong, "use it, or delete the field")


def _unbound_fields(
    node: source.Account, fields: list[graph.AccountField], body: tuple[source.Step, ...], head: Context
) -> Iterator[InvalidConstruct]:
    """Find fields with names that a `stop` on the path may leave unbound."""
    named_late = _named_behind_stop(body) - set(head.names)
    field_names = {field.name for field in fields}
    for each in node.fields:
        field = next((field for field in fields if field.name == each.name.text), None)
        if field is None or each.moment == BEFORE:
            continue
        late = sorted((free_names(field.value) - (field_names - {field.name})) & named_late)
        if late:
            message = f"this field may have no value, as the procedure can stop before `{late[0]}` is known"
            yield InvalidConstruct(
                each.name.span, message, "write the rest of the procedure in an `else` instead of `stop`"
            )


def steps_of_account(body: tuple[source.Step, ...]) -> tuple[source.Step, ...]:
    """Return the steps that an account covers: all, or those behind the place where it begins."""
    for index, step in enumerate(body):
        if isinstance(step, source.BeginAccount):
            return body[index + 1 :]
        blocks = (step.then, step.orelse) if isinstance(step, source.Branch) else ()
        for block in blocks:
            if (found := steps_of_account(block)) is not block:
                return found
    return body


def _named_behind_stop(body: tuple[source.Step, ...]) -> set[str]:
    """Return the names that steps bind behind one that may stop."""
    found: set[str] = set()
    may_stop = False
    for step in body:
        if may_stop and isinstance(name := getattr(step, "name", None), source.Word):
            found.add(name.text)
        may_stop = may_stop or _stops(step)
    return found


def _stops(step: source.Step) -> bool:
    match step:
        case source.Stop():
            return True
        case source.Branch(then=then, orelse=orelse):
            return any(map(_stops, (*then, *orelse)))
        case source.Loop(body=body):
            return any(map(_stops, body))
        case _:
            return False


def _missing_sentences(node: source.Account) -> Iterator[InvalidConstruct]:
    """Find an account without a text for afterwards."""
    if not any(each.what == "tells" for each in node.texts):
        message = "this account lacks its main sentence"
        yield InvalidConstruct(node.span, message, "write it after `tells`")
