"""The exact words of a rule, laid out to be read: a sentence of more than forty words becomes a list.

In: a rule of a graph. Out: paragraphs, each with the parts that it counts up: conditions that all have to hold or of
which one has to, what the members of a set have in common, the parts of a sum, the cases of a value, the names that a
rule gives. What is long for another reason calls its long parts X and Y, and says of each what it is.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from compiler.rulebook.sentences import rule_sentence, speaker_of
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.english import verb
from runtime.graph.gatherings import inside
from runtime.graph.type_of import type_of
from runtime.graph.wording import Wording

MOST = 40  # words
HOLDS = {"and": "all of this holds:", "or": "one of these holds:"}
TOGETHER = {"+": "the sum of:", "union": "these together:"}
LETTERS = "XYZUVW"
SHORT = 6  # words of a part that gets no letter


@dataclass(frozen=True, slots=True)
class ExactSentence:
    """A sentence, or the head of a list with its items."""

    said: str
    items: "tuple[ExactSentence, ...]" = ()


def exact_words(book: graph.Graph, rule: graph.Rule) -> tuple[ExactSentence, ...]:
    """Lay the logic of a rule out, "" where there is none to tell."""
    whole = rule_sentence(book, rule)
    if not is_long(whole):
        return (ExactSentence(whole),) if whole else ()
    terms = (book.terms[term] for term in rule.terms if term in book.terms)
    speaker = speaker_of(book, (part for term in terms for part in term.parameters))
    names = tuple(_led(words.sentence(f"here {name} is"), _value(speaker, value, 3)) for name, value in rule.names)
    bare = rule_sentence(book, replace(rule, guard=None, names=())).removesuffix(".")
    main = _conclusion(book, speaker, rule) if is_long(bare) else ExactSentence(bare)
    if rule.guard is None:
        return (_ended(main), *names)
    when = _condition(speaker, rule.guard, len(main.said.split()) + 1)
    if not main.items and not is_long(f"{main.said} when {when.said}"):
        return (_ended(_led(f"{main.said} when", when)), *names)
    when = _condition(speaker, rule.guard, 3)
    if when.items:
        return (_led("When", when), _ended(main), *names)
    return (ExactSentence(f"When {when.said}, this holds:", (main,)), *names)


def is_long(text: str, around: int = 0) -> bool:
    """Return whether a sentence has more words than are read at once, with as many around it."""
    return len(text.split()) + around > MOST


def _led(opening: str, rest: ExactSentence) -> ExactSentence:
    return ExactSentence(f"{opening.removesuffix('.')} {rest.said}", rest.items)


def _ended(text: ExactSentence) -> ExactSentence:
    return text if text.items or text.said.endswith(".") else ExactSentence(f"{text.said}.")


def _condition(speaker: Wording, condition: graph.Expr, around: int = 0) -> ExactSentence:
    """Write a condition, by its parts if it is long."""
    said = speaker.clause(condition)
    if not is_long(said, around):
        return ExactSentence(said)
    match condition:
        case graph.Op("and" | "or" as op):
            return ExactSentence(HOLDS[op], tuple(_condition(speaker, part) for part in _flat(op, condition)))
        case graph.Op("not", (inner,)):
            return ExactSentence("this does not hold:", (_condition(speaker, inner),))
        case graph.Fold("some" | "none", where=where) if where is not None:
            return _of_members(speaker, condition, where, Wording.clause, around)
        case graph.Fold("every", body=body) if body is not None:
            every = speaker.clause(replace(condition, body=graph.Truth(value=True))).removesuffix(", always")
            within = inside(speaker, condition)
            if not is_long(every, around):
                return ExactSentence(f"{every}, this holds:", (_condition(within, body),))
            of = _condition(speaker, replace(condition, op="some", body=None))
            return ExactSentence("this holds for every one there is:", (of, _led("then", _condition(within, body, 1))))
        case _:
            return _lettered(speaker, condition, Wording.clause, around)


def _value(speaker: Wording, value: graph.Expr, around: int = 0) -> ExactSentence:
    """Write a value, by its parts if it is long."""
    said = speaker.phrase(value)
    if not is_long(said, around):
        return ExactSentence(said)
    match value:
        case graph.Op("if"):
            return ExactSentence("one of these:", tuple(_cases(speaker, value)))
        case graph.Op("+" | "union" as op):
            return ExactSentence(TOGETHER[op], tuple(_value(speaker, part) for part in _flat(op, value)))
        case graph.Op("and" | "or" | "not"):
            return _led("whether", _condition(speaker, value, around + 1))
        case graph.Fold("some" | "none" | "every"):
            return _led("whether", _condition(speaker, value, around + 1))
        case graph.Fold(where=where) if where is not None:
            return _of_members(speaker, value, where, Wording.phrase, around)
        case graph.Search(gate=gate, price=price) if gate is not None or price is not None:
            main = _value(speaker, replace(value, gate=None, price=None), around + 4)
            steps = [ExactSentence(f"each step goes where {speaker.clause(gate)}")] if gate is not None else []
            steps += [ExactSentence(f"a step costs {speaker.phrase(price)}")] if price is not None else []
            return ExactSentence(f"{main.said.removesuffix(', where:')}, where:", (*steps, *main.items))
        case _:
            return _lettered(speaker, value, Wording.phrase, around)


def _of_members(
    speaker: Wording,
    fold: graph.Fold,
    where: graph.Expr,
    speak: Callable[[Wording, graph.Expr], str],
    around: int = 0,
) -> ExactSentence:
    """List what the members of a set have in common, under what is said of them."""
    within = inside(speaker, fold)
    op = "or" if isinstance(where, graph.Op) and where.op == "or" else "and"
    head = _lettered(speaker, replace(fold, where=None), speak, around + 8)
    of = tuple(_condition(within, part) for part in _flat(op, where))
    return ExactSentence(
        f"{head.said.removesuffix(', where:')}, of which {HOLDS[op]}",
        (*of, *(_led("here", item) for item in head.items)),
    )


def _flat(op: str, expr: graph.Expr) -> tuple[graph.Expr, ...]:
    """List what is joined by one operator, brackets aside."""
    if isinstance(expr, graph.Op) and expr.op == op:
        return tuple(part for each in expr.arguments for part in _flat(op, each))
    return (expr,)


def _conclusion(book: graph.Graph, speaker: Wording, rule: graph.Rule) -> ExactSentence:
    """Lay out a conclusion that is long because its value is."""
    term = next((book.terms[name] for name in rule.terms if name in book.terms), None)
    bare = rule_sentence(book, replace(rule, guard=None, names=())).removesuffix(".")
    if term is None or rule.value is None:
        return ExactSentence(bare)
    asked = speaker.term(term.name, tuple(speaker.variable(part.name) for part in term.parameters))
    is_ = verb(asked, "is")
    match rule.verb:
        case "is" | "" if isinstance(term.type, graph.YesNo):
            heads = f"{asked} if"
            return _led(words.sentence(heads), _condition(speaker, rule.value, len(heads.split())))
        case "is" | "":
            heads = f"{asked} {is_}"
        case "includes":
            heads = f"among {asked} {'count' if isinstance(term.type, graph.Many) else 'counts'}"
        case "excludes":
            heads = f"not among {asked} count"
        case "adds":
            heads = f"toward {asked} counts"
        case _:
            return ExactSentence(bare)
    return _led(words.sentence(heads), _value(speaker, rule.value, len(heads.split())))


def _cases(speaker: Wording, value: graph.Expr) -> list[ExactSentence]:
    """List the cases of a value, each with its condition."""
    if not (isinstance(value, graph.Op) and value.op == "if"):
        return [_led("otherwise", _value(speaker, value, 1))]
    condition, then, otherwise = value.arguments
    said = _value(speaker, then, 8)
    if said.items:
        first = ExactSentence(
            f"if {(held := _condition(speaker, condition, 2)).said}", (*held.items, _led("then", said))
        )
    else:
        first = _led(f"{said.said} if", _condition(speaker, condition, len(said.said.split()) + 1))
    return [first, *_cases(speaker, otherwise)]


def _lettered(
    speaker: Wording, expr: graph.Expr, speak: Callable[[Wording, graph.Expr], str], around: int = 0
) -> ExactSentence:
    """Call the long parts of an expression by letters, and say what each letter stands for."""
    inner = inside(speaker, expr) if isinstance(expr, graph.Fold) else speaker  # There the member at hand is "it".
    free = [letter for letter in LETTERS if letter not in speaker.calls.values()]
    by_length = sorted(_parts(expr), key=lambda part: -len(inner.phrase(part).split()))
    called: dict[int, tuple[str, graph.Expr]] = {}
    within = speaker
    for letter, part in zip(free, by_length, strict=False):
        if not is_long(speak(within, _renamed(expr, called)), around) or len(inner.phrase(part).split()) < SHORT:
            break
        called[id(part)] = (letter, part)
        within = within.calling(f"letter {letter}", letter, type_of(part, inner.names, speaker.rules))
        inner = inside(within, expr) if isinstance(expr, graph.Fold) else within
    head = speak(within, _renamed(expr, called))
    of = tuple(_led(f"{letter} is", _value(inner, part, 2)) for letter, part in called.values())
    return ExactSentence(f"{head}, where:", of) if of else ExactSentence(head)


def _parts(expr: graph.Expr) -> tuple[graph.Expr, ...]:
    """List the values that an expression is made of, those of a pass aside that speak of a member."""
    match expr:
        case graph.Op(_, parts) | graph.Ask(_, parts) | graph.Cell(_, parts) | graph.SetOf(parts):
            return parts
        case graph.Get(part) | graph.Is(part) | graph.Has(part):
            return (part,)
        case graph.Fold(source=part, body=body):
            return (part,) if body is None else (part, body)
        case graph.New(fields=fields):
            return tuple(part for _, part in fields)
        case graph.Search():
            return tuple(part for part in (expr.start, expr.goal, expr.most, expr.otherwise) if part is not None)
        case _:
            return ()


def _renamed(expr: graph.Expr, called: dict[int, tuple[str, graph.Expr]]) -> graph.Expr:
    """Put letters in the place of parts."""

    def named(part: graph.Expr) -> graph.Expr:
        return graph.Var(f"letter {called[id(part)][0]}") if id(part) in called else part

    match expr:
        case graph.Op(_, parts) | graph.Ask(_, parts):
            return replace(expr, arguments=tuple(map(named, parts)))
        case graph.Cell(_, parts):
            return replace(expr, keys=tuple(map(named, parts)))
        case graph.SetOf(parts):
            return replace(expr, elements=tuple(map(named, parts)))
        case graph.New(fields=fields):
            return replace(expr, fields=tuple((name, named(part)) for name, part in fields))
        case graph.Get(part):
            return replace(expr, base=named(part))
        case graph.Is(part) | graph.Has(part):
            return replace(expr, subject=named(part))
        case graph.Fold(source=part, body=body):
            return replace(expr, source=named(part), body=body and named(body))
        case graph.Search(start=start, goal=goal, most=most, otherwise=otherwise):
            goal, most, otherwise = goal and named(goal), most and named(most), otherwise and named(otherwise)
            return replace(expr, start=named(start), goal=goal, most=most, otherwise=otherwise)
        case _:
            return expr
