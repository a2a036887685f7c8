"""Format the generated sentences of a rule for reading: a sentence of more than forty words becomes a list.

The input is a rule of a graph; the output is paragraphs, each with the parts that it enumerates: conjuncts or
disjuncts, conditions on the members of a set, summands, the cases of a value, the local names of a rule. A sentence
that is long for another reason refers to its long parts as X and Y, which are defined below it.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from compiler.rulebook.sentences import WAS, least_or_most, linking_verb, rule_sentence, wording_of
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.english import agreeing_verb
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.set_phrases import inner_wording
from runtime.graph.type_of import type_of
from runtime.graph.walk import inner_expressions, replace_children
from runtime.graph.wording import Wording

MOST_WORDS_OF_FORMULA = 40  # words
HOLDS = {"and": "all of this holds:", "or": "one of these holds:"}
PHRASE_OF_OPERATOR = {"+": "the sum of:", "union": "these together:"}
PART_LETTERS = "XYZUVW"
MOST_UNLETTERED_WORDS = 6  # words of a part that gets no letter


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
    terms = (book.terms[term] for term in rule.terms if term in book.terms)
    wording = wording_of(book, (part for term in terms for part in term.parameters))
    names = tuple(
        with_stop(with_opening(words.sentence(f"here {name} is"), value_words(wording, value, 3)))
        for name, value in rule.names
    )
    conclusion = rule_sentence(book, replace(rule, guard=None, names=())).removesuffix(".")
    main = _conclusion(book, wording, rule) if is_long(conclusion) else ExactSentence(conclusion)
    if rule.guard is None:
        return (with_stop(main), *names)
    when = condition_words(wording, rule.guard, len(main.text.split()) + 1)
    if not main.items and not is_long(f"{main.text} when {when.text}"):
        return (with_stop(with_opening(f"{main.text} when", when)), *names)
    when = condition_words(wording, rule.guard, 3)
    if when.items:
        return (with_opening("When", when), with_stop(main), *names)
    return (ExactSentence(f"When {when.text}, this holds:", (main,)), *names)


def is_long(text: str, extra_count: int = 0) -> bool:
    """Return whether a sentence with `extra_count` more words exceeds the limit."""
    return len(text.split()) + extra_count > MOST_WORDS_OF_FORMULA


def with_opening(opening: str, rest: ExactSentence) -> ExactSentence:
    """Open a sentence with words."""
    return ExactSentence(f"{opening.removesuffix('.')} {rest.text}", rest.items)


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
            return ExactSentence(
                HOLDS[op], tuple(condition_words(wording, part) for part in flat_operands(op, condition))
            )
        case graph.Op("not", (inner,)):
            return ExactSentence("this does not hold:", (condition_words(wording, inner),))
        case graph.Fold("some" | "none", where=restriction) if restriction is not None:
            return _of_members(wording, condition, restriction, Wording.clause, extra_count)
        case graph.Fold("every", body=body) if body is not None:
            every = wording.clause(replace(condition, body=graph.Truth(value=True))).removesuffix(", always")
            within = inner_wording(wording, condition)
            if not is_long(every, extra_count):
                return ExactSentence(f"{every}, this holds:", (condition_words(within, body),))
            members = condition_words(wording, replace(condition, op="some", body=None))
            return ExactSentence(
                "this holds for every one there is:", (members, with_opening("then", condition_words(within, body, 1)))
            )
        case _:
            return with_lettered_parts(wording, condition, Wording.clause, extra_count)


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
                PHRASE_OF_OPERATOR[op], tuple(value_words(wording, part) for part in flat_operands(op, value))
            )
        case graph.Op("and" | "or" | "not") | graph.Fold("some" | "none" | "every"):
            return with_opening("whether", condition_words(wording, value, extra_count + 1))
        case graph.Fold(where=restriction) if restriction is not None:
            return _of_members(wording, value, restriction, Wording.phrase, extra_count)
        case graph.Search(gate=gate, price=price) if gate is not None or price is not None:
            main = value_words(wording, replace(value, gate=None, price=None), extra_count + 4)
            steps = [ExactSentence(f"each step goes where {wording.clause(gate)}")] if gate is not None else []
            steps += [ExactSentence(f"a step costs {wording.phrase(price)}")] if price is not None else []
            return ExactSentence(f"{main.text.removesuffix(', where:')}, where:", (*steps, *main.items))
        case _:
            return with_lettered_parts(wording, value, Wording.phrase, extra_count)


def _of_members(
    wording: Wording,
    fold: graph.Fold,
    restriction: graph.Expr,
    speak: Callable[[Wording, graph.Expr], str],
    extra_count: int,
) -> ExactSentence:
    """Format the conditions on the members of a set as a list below its head."""
    within = inner_wording(wording, fold)
    op = "or" if isinstance(restriction, graph.Op) and restriction.op == "or" else "and"
    head = with_lettered_parts(wording, replace(fold, where=None), speak, extra_count + 8)
    conditions = tuple(condition_words(within, part) for part in flat_operands(op, restriction))
    return ExactSentence(
        f"{head.text.removesuffix(', where:')}, of which {HOLDS[op]}",
        (*conditions, *(with_opening("here", item) for item in head.items)),
    )


def flat_operands(op: str, expr: graph.Expr) -> tuple[graph.Expr, ...]:
    """List the operands of nested applications of one operator, in order; an expression of another one alone."""
    if isinstance(expr, graph.Op) and expr.op == op:
        return tuple(part for argument in expr.arguments for part in flat_operands(op, argument))
    return (expr,)


def _conclusion(book: graph.Graph, wording: Wording, rule: graph.Rule) -> ExactSentence:
    """Format a conclusion that is long because of its value."""
    term = next((book.terms[name] for name in rule.terms if name in book.terms), None)
    conclusion = rule_sentence(book, replace(rule, guard=None, names=())).removesuffix(".")
    if term is None or rule.value is None:
        return ExactSentence(conclusion)
    question = wording.term(term.name, tuple(wording.variable(part.name) for part in term.parameters))
    value = wording.phrase(rule.value)
    becomes = "." in term.name and rule.verb == "is" and question in value
    match rule.verb:
        case "is" | "" if isinstance(term.type, graph.YesNo):
            heads = f"{question} if"
            return with_opening(words.sentence(heads), condition_words(wording, rule.value, len(heads.split())))
        case "is" | "" if value != question:
            heads = f"{question} {'becomes' if becomes else linking_verb(term, question, value)}"
        case "offers":
            heads = f"{question} {agreeing_verb(question, 'is')} {least_or_most(term)}"
        case "includes":
            heads = f"among {question} {'count' if isinstance(term.type, graph.Many) else 'counts'}"
        case "excludes":
            heads = f"not among {question} count"
        case "adds" if not isinstance(rule.value, graph.Num):
            heads = f"toward {question} counts"
        case _:
            return ExactSentence(conclusion)
    value_sentence = value_words(wording, rule.value, len(heads.split()))
    return with_opening(
        words.sentence(heads), _renamed_text(value_sentence, question, WAS) if becomes else value_sentence
    )


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


def with_lettered_parts(
    wording: Wording, expr: Any, speak: Callable[[Wording, Any], str], extra_count: int = 0
) -> ExactSentence:
    """Call the long parts of an expression or a step by letters, and say what each letter stands for."""
    inner = (
        inner_wording(wording, expr) if isinstance(expr, graph.Fold) else wording
    )  # There the member at hand is "it".
    free = [letter for letter in PART_LETTERS if letter not in wording.calls.values()]
    by_length = sorted(dict.fromkeys(named_parts(expr)), key=lambda part: -len(inner.phrase(part).split()))
    called: dict[graph.Expr, str] = {}
    within = wording
    for letter, part in zip(free, by_length, strict=False):
        if (
            not is_long(speak(within, with_letters(expr, called)), extra_count)
            or len(inner.phrase(part).split()) < MOST_UNLETTERED_WORDS
        ):
            break
        called[part] = letter
        within = within.with_name(f"letter {letter}", letter, type_of(part, inner.names, wording.rules))
        inner = inner_wording(within, expr) if isinstance(expr, graph.Fold) else within
    head = speak(within, with_letters(expr, called))
    meanings = tuple(_meaning(inner, letter, part) for part, letter in called.items())
    return ExactSentence(f"{head}, where:", meanings) if meanings else ExactSentence(head)


def _meaning(wording: Wording, letter: str, part: graph.Expr) -> ExactSentence:
    """Format the definition of a letter: its value, or when it holds."""
    if isinstance(type_of(part, wording.names, wording.rules), graph.YesNo):
        return with_opening(f"{letter} holds if", condition_words(wording, part, 3))
    return with_opening(f"{letter} is", value_words(wording, part, 2))


# Conditions on a member or a step: a letter stands for one value only.
SAID_OF_EACH = {graph.Fold: ("where", "otherwise"), graph.Search: ("gate", "price")}


def named_parts(expr: Any) -> tuple[graph.Expr, ...]:
    """Return the direct subexpressions that a letter can replace."""
    each = SAID_OF_EACH.get(expr.__class__, ())
    return tuple(inner_expressions(replace(expr, **dict.fromkeys(each))))


def with_letters(expr: Any, called: Mapping[graph.Expr, str]) -> Any:
    """Replace parts of an expression or a step by letters."""
    each = SAID_OF_EACH.get(expr.__class__, ())
    letters = {part: graph.Var(f"letter {letter}") for part, letter in called.items()}
    return replace(replace_children(expr, letters), **{name: getattr(expr, name) for name in each})
