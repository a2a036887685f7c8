"""The exact words of a rule, laid out to be read: a sentence of more than forty words becomes a list.

In: a rule of a graph. Out: paragraphs, each with the parts that it counts up: conditions that all have to hold or of
which one has to, the cases of a value, the names that a rule gives. What has no parts stays a sentence, however long.
"""

from dataclasses import dataclass, replace

from compiler.rulebook.sentences import rule_sentence, speaker_of
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.wording import Wording

MOST = 40  # words
TAKEN = "word " * 15  # what stands before a condition takes so many of them
HOLDS = {"and": "all of this holds:", "or": "one of these holds:"}


@dataclass(frozen=True, slots=True)
class Exact:
    """A sentence, or the head of a list with its items."""

    said: str
    items: "tuple[Exact, ...]" = ()


def exact_words(book: graph.Graph, rule: graph.Rule) -> tuple[Exact, ...]:
    """Lay the logic of a rule out, "" where there is none to tell."""
    whole = rule_sentence(book, rule)
    if not is_long(whole):
        return (Exact(whole),) if whole else ()
    terms = (book.terms[term] for term in rule.terms if term in book.terms)
    speaker = speaker_of(book, (part for term in terms for part in term.parameters))
    names = tuple(Exact(words.sentence(f"here {name} is {speaker.phrase(value)}")) for name, value in rule.names)
    bare = rule_sentence(book, replace(rule, guard=None, names=())).removesuffix(".")
    main = _of_value(book, speaker, rule, bare) if is_long(bare) else Exact(bare)
    if rule.guard is None:
        return (main if main.items else Exact(f"{main.said}."), *names)
    when = _condition(speaker, rule.guard)
    if main.items:
        return (Exact(f"When {when.said}", when.items), main, *names)
    return (Exact(f"{main.said} when {when.said}", when.items), *names)


def is_long(text: str) -> bool:
    """Tell whether a sentence has more words than are read at once."""
    return len(text.split()) > MOST


def _condition(speaker: Wording, condition: graph.Expr) -> Exact:
    """Say a condition, by its parts if it has some."""
    match condition:
        case graph.Op("and" | "or" as op):
            parts = tuple(_part(speaker, part) for part in _flat(op, condition))
            return Exact(HOLDS[op], parts)
        case _:
            said = speaker.clause(condition)
            return Exact("this holds:", (Exact(said),)) if is_long(f"{TAKEN} {said}") else Exact(f"{said}.")


def _part(speaker: Wording, condition: graph.Expr) -> Exact:
    """Say a part of a condition; one that is long itself has parts, too."""
    said = speaker.clause(condition)
    joined = isinstance(condition, graph.Op) and condition.op in HOLDS
    return _condition(speaker, condition) if joined and is_long(said) else Exact(said)


def _flat(op: str, condition: graph.Expr) -> tuple[graph.Expr, ...]:
    """List what is joined by one operator, brackets aside."""
    if isinstance(condition, graph.Op) and condition.op == op:
        return tuple(part for each in condition.arguments for part in _flat(op, each))
    return (condition,)


def _of_value(book: graph.Graph, speaker: Wording, rule: graph.Rule, bare: str) -> Exact:
    """Lay out a conclusion that is long because its value has conditions or cases."""
    term = next((book.terms[name] for name in rule.terms if name in book.terms), None)
    match rule.value:
        case graph.Op("and" | "or") as condition if term is not None and isinstance(term.type, graph.YesNo):
            asked = speaker.term(term.name, tuple(speaker.variable(part.name) for part in term.parameters))
            found = _condition(speaker, condition)
            return Exact(words.sentence(f"{asked} if").removesuffix(".") + f" {found.said}", found.items)
        case graph.Op("if" | "+" as op) as value if term is not None and rule.verb in ("is", ""):
            asked = speaker.term(term.name, tuple(speaker.variable(part.name) for part in term.parameters))
            sums = tuple(Exact(speaker.phrase(part)) for part in _flat(op, value))
            head = words.sentence(f"{asked} is").removesuffix(".") + (":" if op == "if" else " the sum of:")
            return Exact(head, tuple(_cases(speaker, value)) if op == "if" else sums)
        case _:
            return Exact(bare)


def _cases(speaker: Wording, value: graph.Expr) -> list[Exact]:
    """List the cases of a value, each with its condition."""
    if isinstance(value, graph.Op) and value.op == "if":
        condition, then, otherwise = value.arguments
        return [Exact(f"{speaker.phrase(then)} if {speaker.clause(condition)}"), *_cases(speaker, otherwise)]
    return [Exact(f"otherwise {speaker.phrase(value)}")]
