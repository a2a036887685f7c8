"""Format the questions that a page can evaluate, and describe how answers are read from the memory of the module.

The input is a pattern and its graph; the output is plain data for JSON. A parameter in a text is a placeholder that the
page replaces: ⟦0⟧ for the first one.
"""

from typing import Any

from compiler.rulebook.live.module import LivePattern
from compiler.rulebook.sentences import default_sentence
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.walk import walk
from runtime.graph.wording import Wording


def written_pattern(book: graph.Graph, pattern: LivePattern) -> dict[str, Any]:
    """Convert a pattern to data: its parameters, texts, the encoding of its answer, and its deciding rules."""
    question, term = pattern.question, book.terms.get(pattern.question.term)
    calls = {part.name: f"⟦{index}⟧" for index, part in enumerate(question.parameters)}
    wording = Wording(book, calls, graph.parameter_types(question.parameters))
    record: dict[str, Any] = {
        "p": [_encoded_type(part.type, has_ratios=False) for part in question.parameters],
        "a": _encoded_type(pattern.answer, has_ratios=pattern.has_ratios, book=book),
        "by": list(term.rules) if term else [],
    }
    if isinstance(pattern.answer, graph.YesNo):
        record |= {
            "yes": wording.condition_phrase(question.expr, holds=True),
            "no": wording.condition_phrase(question.expr, holds=False),
        }
    else:
        record["of"] = wording.phrase(question.expr)
    described = [wording.phrase(part) for part in dict.fromkeys(walk(question.expr)) if isinstance(part, graph.New)]
    if missing := [each for each in described if each not in (record["yes"] if "yes" in record else record["of"])]:
        record["about"] = words.list_text(missing)  # The sentence only names the record: "the attack".
    if term:
        record["silent"] = default_sentence(book, term)
    return record


def _encoded_type(type_: graph.Type, *, has_ratios: bool, book: graph.Graph | None = None) -> list[Any]:
    match type_:
        case graph.Number(low, high, measure):
            unit_names = (
                [words.amount(n, measure, book.vocabulary).partition(" ")[2] for n in (1, 2)] if book else ["", ""]
            )
            return ["number", has_ratios, *unit_names, low, high]
        case graph.Scale(name):
            return ["scale", has_ratios, name]
        case graph.Enum(name):
            return ["enum", name]
        case graph.Many(shape, element_type):
            return ["many", shape, _encoded_type(element_type, has_ratios=has_ratios, book=book)]
        case graph.Piece(kinds):
            return ["piece", *kinds]
        case _:
            return [{"YesNo": "yes", "Hex": "hex", "Hexside": "side"}[type(type_).__name__]]


def number_members(book: graph.Graph, names: tuple[str, ...]) -> dict[str, list[list[Any]]]:
    """Return the members of all enumerations, each with its number in the module and its wording."""
    rank = {name: number for number, name in enumerate(names)}
    wording = Wording(book)
    return {
        enum: [
            [rank[member.name], wording.phrase(graph.Member(enum, member.name))]
            for member in declared.members
            if member.name in rank
        ]
        for enum, declared in book.vocabulary.enums.items()
    }


def number_scale_places(book: graph.Graph) -> dict[str, list[list[Any]]]:
    """Return the places of all scales in order, each with its number."""
    return {
        name: [[int(number), place] for place, number in sorted(scale.places, key=lambda each: each[1])]
        for name, scale in book.vocabulary.scales.items()
        if all(number == int(number) for _, number in scale.places)
    }
