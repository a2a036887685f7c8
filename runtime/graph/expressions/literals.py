"""Literals; sets and records of listed parts."""

from typing import TYPE_CHECKING

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.english import are_clauses, predicate_text
from runtime.graph.expressions.record import ExpressionRecord, Symbol, no_symbols, yes_no
from runtime.graph.phrases import PREPOSITIONAL_NAMES
from runtime.graph.predeclared_types import UNKNOWN

if TYPE_CHECKING:
    from runtime.graph.notation import NotationWriter
    from runtime.graph.wording import Wording


def _member_phrase(wording: "Wording", member: graph.Member) -> str:
    """Return the phrase of a member, in quotation marks where members are clauses."""
    enum, name = member.enum, member.name
    if enum == "side":
        return words.side(name, wording.vocabulary)
    if enum == "counter":
        return words.with_number(words.counter(name, wording.rules.counters), wording.vocabulary, f"counter.{name}")
    text = words.member(enum, name, wording.vocabulary)
    members = wording.vocabulary.enums[enum].members if enum in wording.vocabulary.enums else ()
    return f"“{text}”" if are_clauses(word.reads or word.name for word in members) else text


def field_phrase(wording: "Wording", name: str, value: graph.Expr) -> str:
    """Return the phrase of a field of a new record, without its name where the value determines it."""
    if isinstance(value, graph.Member) and value.enum not in ("side", "kind"):
        return wording.phrase(value)
    factor = words.factor_name(name, wording.vocabulary)
    if isinstance(value, graph.Truth):
        predicate = predicate_text("it", factor, holds=value.value)
        return predicate.removeprefix("it ").removeprefix("is ")
    name_text = words.readable_name(name) if name in PREPOSITIONAL_NAMES else f"{factor}:"
    return f"{name_text} {wording.phrase(value)}"


def _record_phrase(wording: "Wording", new: graph.New) -> str:
    """Return the phrase of a new record: "a step from A to B (one point; by cart)".

    Prepositional phrases follow the noun.
    """
    noun = [words.article(words.factor_name(new.record, wording.vocabulary))]
    entries: list[str] = []
    for name, value in new.fields:
        is_prepositional = name in PREPOSITIONAL_NAMES and not isinstance(value, graph.Truth)
        (noun if is_prepositional else entries).append(field_phrase(wording, name, value))
    return f"{' '.join(noun)} ({'; '.join(entries)})" if entries else " ".join(noun)


def _record_text(writer: "NotationWriter", new: graph.New) -> str:
    fields = [f"{name}: {writer.text(value)}" for name, value in new.fields]
    return f"{new.record}({', '.join(fields)})"


LITERALS = (
    ExpressionRecord(
        graph.Num,
        result=lambda number, _: graph.Number(None, None, number.measure),
        symbols=no_symbols,
        phrase=lambda wording, number: words.amount(number.value, number.measure, wording.vocabulary),
        clause=None,
        text=lambda _, number: f"{number.value} {number.measure}" if number.measure else str(number.value),
    ),
    ExpressionRecord(
        graph.Truth,
        result=yes_no,
        symbols=no_symbols,
        phrase=lambda _, truth: "yes" if truth.value else "no",
        clause=lambda _, truth, holds: "always" if truth.value == holds else "never",
        text=lambda _, truth: "yes" if truth.value else "no",
    ),
    ExpressionRecord(
        graph.Member,
        result=lambda member, _: graph.Enum(member.enum),
        symbols=lambda member: (Symbol("member", member.enum, member.name),),
        phrase=_member_phrase,
        clause=None,
        text=lambda writer, member: writer.name(member.name),
    ),
    ExpressionRecord(
        graph.Place,
        result=lambda place, _: graph.Scale(place.scale),
        symbols=lambda place: (Symbol("place of scale", place.scale, place.name),),
        phrase=lambda _, place: place.name,
        clause=None,
        text=lambda writer, place: writer.place_name(place.name),
    ),
    ExpressionRecord(
        graph.SetOf,
        result=lambda listed, scope: graph.Many("set", scope.of(listed.elements[0]) if listed.elements else UNKNOWN),
        symbols=no_symbols,
        phrase=lambda wording, listed: words.list_text(wording.phrases(listed.elements)) or "nobody",
        clause=None,
        text=lambda writer, listed: f"{{{writer.list_text(listed.elements)}}}",
    ),
    ExpressionRecord(
        graph.New,
        result=lambda new, _: graph.RecordOf(new.record),
        symbols=lambda new: (Symbol("record", "", new.record),),
        phrase=_record_phrase,
        clause=None,
        text=_record_text,
    ),
)  # fmt: skip
