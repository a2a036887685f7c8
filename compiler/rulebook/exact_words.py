"""Format the generated sentences of a rule for reading: a sentence of more than thirty words becomes a list.

The input is a rule of a graph; the output is paragraphs, each with the parts that it enumerates: conjuncts or
disjuncts, conditions on the members of a set, summands, the cases of a value, the local names of a rule. A sentence
that is long for another reason refers to its long parts as "this", or as the first and the second, and lists them.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from compiler.rulebook.sentences import WAS, alters_answer, conclusion_text, rule_sentence, wording_of_rule
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.conjuncts import conjunction
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.operators import COMPARISONS
from runtime.graph.set_phrases import existence, inner_wording, relative_clause
from runtime.graph.walk import inner_expressions, replace_children
from runtime.graph.wording import Wording

MOST_WORDS_OF_FORMULA = 30  # words
HOLDS = {"and": "all of these hold:", "or": "one of these holds:"}
PHRASE_OF_OPERATOR = {"+": "the sum of:", "union": "these together:"}
THIS = "this"  # the only part of a sentence that stands below it
PARTS = ("the first", "the second", "the third")  # several of them
LEAST_WORDS_OF_PART = 6  # words of a part that stands below its sentence
VALUE_HERE = "{}"


@frozen_dataclass
class ExactSentence:
    """A sentence, or the head of a list with its items."""

    text: str
    items: "tuple[ExactSentence, ...]" = ()


def exact_words(book: graph.Graph, rule: graph.Rule) -> tuple[ExactSentence, ...]:
    """Format the logic of a rule; empty where there is none."""
    text = rule_sentence(book, rule)
    if not is_long(text):
        return (ExactSentence(text),) if text else ()
    wording = wording_of_rule(book, rule)
    names = tuple(
        with_stop(with_opening(words.sentence(f"here {wording.variable(name)} is"), value_words(wording, value, 3)))
        for name, value in rule.names
    )
    conclusion = rule_sentence(book, replace(rule, guard=None, names=())).removesuffix(".")
    main = _conclusion(book, wording, rule) if is_long(conclusion) else ExactSentence(conclusion)
    if rule.guard is None:
        return (with_stop(main), *names)
    when = condition_words(wording, rule.guard, len(main.text.split()) + 1)
    has_parts = isinstance(rule.guard, graph.Op) and rule.guard.op in HOLDS
    is_whole = not when.items or has_parts or is_long(wording.clause(rule.guard), 3)
    if is_whole and not main.items and not is_long(f"{main.text} when {when.text}"):
        return (with_stop(with_opening(f"{main.text} when", when)), *names)
    when = condition_words(wording, rule.guard, 3)
    if when.items:
        return (with_opening("When", when), with_stop(main), *names)
    return (ExactSentence(f"When {when.text}, this holds:", (with_stop(main),)), *names)


def is_long(text: str, extra_count: int = 0) -> bool:
    """Return whether a sentence with `extra_count` more words exceeds the limit."""
    return len(text.split()) + extra_count > MOST_WORDS_OF_FORMULA


def with_opening(opening: str, rest: ExactSentence) -> ExactSentence:
    """Open a sentence with words, above a list of one if both together are long."""
    opening = opening.removesuffix(".")
    if is_long(f"{opening} {rest.text}"):
        return ExactSentence(f"{opening} {'this holds' if opening.endswith((' when', ' if')) else 'this'}:", (rest,))
    return ExactSentence(f"{opening} {rest.text}", rest.items)


def with_stop(text: ExactSentence) -> ExactSentence:
    """End a sentence that heads no list with a stop."""
    return text if text.items or text.text.endswith(".") else ExactSentence(f"{text.text}.")


def condition_words(wording: Wording, condition: graph.Expr, extra_count: int = 0) -> ExactSentence:
    """Write a condition, by its parts if it is long."""
    clause = wording.clause(condition)
    if not is_long(clause, extra_count):
        return ExactSentence(clause)
    match condition:
        case graph.Op("and" | "or" as op):
            items = tuple(condition_words(wording, part) for part in _flat_operands(op, condition))
            return ExactSentence("both of these hold:" if op == "and" and len(items) == 2 else HOLDS[op], items)
        case graph.Op("if", (first, yes, no)):
            chosen = with_opening(f"if {wording.clause(first)},", condition_words(wording, yes))
            return ExactSentence("this holds:", (chosen, with_opening("otherwise", condition_words(wording, no, 1))))
        case graph.Op("not", (inner,)):
            return ExactSentence("this does not hold:", (condition_words(wording, inner),))
        case graph.Fold("some" | "none" as op, where=restriction) if restriction is not None:
            there_is = partial(existence, holds=op == "some")
            return members_below(wording, condition, there_is, "meets")
        case graph.Fold("every", body=body) if body is not None:
            every = wording.clause(replace(condition, body=graph.Truth(value=True))).removesuffix(", always")
            within = inner_wording(wording, condition)
            if not is_long(every, extra_count):
                held = condition_words(within, body)
                return (
                    with_opening(f"{every},", held) if held.items else ExactSentence(f"{every}, this holds:", (held,))
                )
            members = condition_words(wording, replace(condition, op="some", body=None))
            return ExactSentence(
                "this holds for every one there is:", (members, with_opening("then", condition_words(within, body, 1)))
            )
        case _:
            return with_listed_parts(wording, condition, Wording.clause, extra_count)


def value_words(wording: Wording, value: graph.Expr, extra_count: int = 0) -> ExactSentence:
    """Write a value, by its parts if it is long."""
    phrase = wording.phrase(value)
    if not is_long(phrase, extra_count):
        return ExactSentence(phrase)
    match value:
        case graph.Op("if"):
            return ExactSentence("one of these:", tuple(_cases(wording, value)))
        case graph.Op("+" | "union" as op):
            return ExactSentence(
                PHRASE_OF_OPERATOR[op], tuple(value_words(wording, part) for part in _flat_operands(op, value))
            )
        case graph.Op("and" | "or" | "not") | graph.Fold("some" | "none" | "every"):
            return with_opening("whether", condition_words(wording, value, extra_count + 1))
        case graph.Fold(where=restriction) if restriction is not None:
            return members_below(wording, value, Wording.phrase)
        case graph.Search(gate=gate, price=price) if gate is not None or price is not None:
            main = wording.phrase(replace(value, gate=None, price=None))
            steps = [ExactSentence(f"each step goes where {wording.clause(gate)}")] if gate is not None else []
            steps += [ExactSentence(f"a step costs {wording.phrase(price)}")] if price is not None else []
            return ExactSentence(f"{main}, where:", tuple(steps))
        case _:
            return with_listed_parts(wording, value, Wording.phrase, extra_count)


def members_below(
    wording: Wording, fold: graph.Fold, speak: Callable[[Wording, graph.Fold], str], verb: str = "meet"
) -> ExactSentence:
    """List the conditions on the members of a set below its head, which says whose they are, and where."""
    within = inner_wording(wording, fold)
    op = "or" if isinstance(fold.where, graph.Op) and fold.where.op == "or" else "and"
    parts = _flat_operands(op, fold.where) if fold.where is not None else ()
    brief = [part for part in parts if op == "and" and _belongs_to_noun(within, part, fold.var)]
    rest = [part for part in parts if part not in brief] or brief
    items = [condition_words(within, part) for part in rest]
    some = "one" if op == "or" else "both" if len(items) == 2 else "all"
    number = "this condition" if len(items) == 1 else f"{some} of these conditions"
    head = replace(fold, where=conjunction(part for part in brief if part not in rest))
    if fold.body is not None and is_long(speak(wording, head), len(number.split()) + 2):
        items.append(with_opening("the value is", value_words(within, fold.body, 3)))
        wording = wording.with_name("part value", "the value", within.type_of(fold.body))
        head = replace(head, body=graph.Var("part value"))
    return ExactSentence(f"{speak(wording, head)} that {verb} {number}:", tuple(items))


def _belongs_to_noun(wording: Wording, part: graph.Expr, member: str) -> bool:
    """Return whether a condition states the owner or the place of a member, which is part of its noun phrase."""
    return relative_clause(wording, part, member, is_plural=True).startswith(("of ", "in ", "other than "))


def _flat_operands(op: str, expr: graph.Expr) -> tuple[graph.Expr, ...]:
    """List the operands of nested applications of one operator, in order; an expression of another one alone."""
    if isinstance(expr, graph.Op) and expr.op == op:
        return tuple(part for argument in expr.arguments for part in _flat_operands(op, argument))
    return (expr,)


def _conclusion(book: graph.Graph, wording: Wording, rule: graph.Rule) -> ExactSentence:
    """Format a conclusion that is long because of its value."""
    term = next((book.terms[name] for name in rule.terms if name in book.terms), None)
    whole = ExactSentence(rule_sentence(book, replace(rule, guard=None, names=())).removesuffix("."))
    if term is not None and rule.value is not None:
        question = wording.term(term.name, tuple(wording.variable(part.name) for part in term.parameters))
        if wording.phrase(rule.value) == question:
            return whole  # A value of the same words as the question has others in the sentence.
        opening = words.sentence(conclusion_text(wording, rule, term, VALUE_HERE, value_last=True)).removesuffix(".")
        if opening.endswith(VALUE_HERE):
            opening = opening.removesuffix(VALUE_HERE).strip()
            write = condition_words if isinstance(term.type, graph.YesNo) else value_words
            text = with_opening(opening, write(wording, rule.value, len(opening.split())))
            return _renamed_text(text, question, WAS) if alters_answer(wording, rule, question) else text
    return whole


def _renamed_text(text: ExactSentence, before: str, after: str) -> ExactSentence:
    """Replace a phrase in a sentence and its items."""
    items = tuple(_renamed_text(item, before, after) for item in text.items)
    return ExactSentence(text.text.replace(before, after), items)


def _cases(wording: Wording, value: graph.Expr) -> list[ExactSentence]:
    """Format the cases of a value, each with its condition."""
    if not (isinstance(value, graph.Op) and value.op == "if"):
        return [with_opening("otherwise", value_words(wording, value, 1))]
    condition, consequent, alternative = value.arguments
    value_sentence = value_words(wording, consequent, 8)
    if value_sentence.items:
        first = ExactSentence(
            f"if {(condition_sentence := condition_words(wording, condition, 2)).text}",
            (*condition_sentence.items, with_opening("then", value_sentence)),
        )
    else:
        first = with_opening(
            f"{value_sentence.text} if", condition_words(wording, condition, len(value_sentence.text.split()) + 1)
        )
    return [first, *_cases(wording, alternative)]


def with_listed_parts(
    wording: Wording, expr: Any, speak: Callable[[Wording, Any], str], extra_count: int = 0
) -> ExactSentence:
    """List the long parts of an expression or a step below it: "this is more than 3:", and what it is."""
    # Within a fold the member at hand is "it".
    inner = inner_wording(wording, expr) if isinstance(expr, graph.Fold) else wording
    parts = tuple(dict.fromkeys(_named_parts(wording, expr)))
    listed: list[graph.Expr] = []
    for part in sorted(parts, key=lambda part: -len(inner.phrase(part).split()))[: len(PARTS)]:
        head = speak(*_with_calls(wording, expr, dict.fromkeys(listed, THIS)))
        if len(inner.phrase(part).split()) < LEAST_WORDS_OF_PART or not is_long(head, extra_count):
            break
        listed.append(part)
    in_order = [part for part in parts if part in listed]
    called = dict(zip(in_order, PARTS if len(listed) > 1 else (THIS,), strict=False))
    head = speak(*_with_calls(wording, expr, called))
    items = [_part_below(inner, part, call) for part, call in called.items()]
    return ExactSentence(f"{head}:", tuple(items)) if items else ExactSentence(head)


def _part_below(wording: Wording, part: graph.Expr, call: str) -> ExactSentence:
    """Format a part that stands below its sentence: alone, or as one of several that are told apart."""
    is_condition = isinstance(wording.type_of(part), graph.YesNo)
    write, link = (condition_words, "holds if") if is_condition else (value_words, "is")
    return write(wording, part) if call == THIS else with_opening(f"{call} {link}", write(wording, part, 4))


# Conditions on a member or a step: what is listed below has one value only.
SAID_OF_EACH = {graph.Fold: ("where", "otherwise"), graph.Search: ("gate", "price")}


def _named_parts(wording: Wording, expr: Any) -> tuple[graph.Expr, ...]:
    """Return the direct subexpressions that may be listed below."""
    if isinstance(expr, graph.Op) and expr.op in COMPARISONS and wording.stated(expr.arguments[0], "", holds=True):
        return expr.arguments[1:]  # The first has no words of its own in a declared clause.
    each = SAID_OF_EACH.get(expr.__class__, ())
    return tuple(inner_expressions(replace(expr, **dict.fromkeys(each))))


def _with_calls(wording: Wording, expr: Any, called: Mapping[graph.Expr, str]) -> tuple[Wording, Any]:
    """Replace parts of an expression or a step by what they are called; with the wording of these names."""
    each = SAID_OF_EACH.get(expr.__class__, ())
    for part, call in called.items():
        wording = wording.with_name(f"part {call}", call, wording.type_of(part))
    names = {part: graph.Var(f"part {call}") for part, call in called.items()}
    return wording, replace(replace_children(expr, names), **{name: getattr(expr, name) for name in each})
