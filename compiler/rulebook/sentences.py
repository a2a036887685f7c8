"""One sentence each for what a rule, a question or a ruling does.

In: nodes of the graph. Out: plain English, made by `runtime.graph.wording` and therefore the same
words that explanations use. Nothing here depends on how it will be printed.
"""

import re
from collections import Counter
from collections.abc import Iterable
from typing import assert_never

from compiler.rulebook.openings import headings_of_things
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.english import agreeing_verb, are_several
from runtime.graph.set_phrases import type_noun
from runtime.graph.wording import Wording

RELATIONS = {
    "exception": "Exception to",
    "replaces": "Replaces",
    "withdraws": "Withdraws",
    "suppresses": "Suppresses",
    "clarifies": "Clarifies",
    "concerns": "Clarifies",
    "carried": "Carried out by",
    "adds": "Adds to",
}

GATHERED = {
    "sum": "Its parts add up.",
    "min": "The least answer counts.",
    "max": "The greatest answer counts.",
    "set": "Its parts are united.",
}

WAS = "what it was"  # The value that a rule alters, in its own sentence.


def rule_sentence(book: graph.Graph, rule: graph.Rule) -> str:
    """Return when a rule applies and what it says then."""
    if not rule.verb and not rule.defeats:
        return ""
    speaker = _speaker(book, rule)
    said = words.list_text([_conclusion(book, speaker, rule, term) for term in rule.terms if term in book.terms])
    if not rule.verb:
        lifted = words.list_text([quoted_title(book, label) for label in rule.defeats])
        one = len(rule.defeats) == 1
        said = f"the rule{'' if one else 's'} {lifted} {'does' if one else 'do'} not apply" if lifted else said
    names = [f"{name} is {speaker.phrase(value)}" for name, value in rule.names]
    here = f"; here {words.list_text(names)}" if names else ""
    if rule.guard is None:
        return words.sentence(f"{said}{here}")
    guard = speaker.clause(rule.guard)
    # After an "otherwise", a "when" would seem to belong to that.
    told = f"when {guard}, {said}" if ", otherwise " in said else f"{said} when {guard}"
    return words.sentence(f"{told}{here}")


def quoted_title(book: graph.Graph, label: str) -> str:
    """Name a rule inside a sentence: by its title, in quotation marks."""
    named = headings_of_things(book).get(label) or heading_words(label)
    return f"“{named}”" if label in book.rules or label in book.cases else label


INITIALS = re.compile(r"\b[b-df-hj-np-tv-xz]{2,4}\b")  # Not pronounceable as a word.


def heading_words(label: str) -> str:
    """Make a title of a label or name."""
    return capitalize(INITIALS.sub(lambda found: found[0].upper(), words.readable_name(label.replace("-", " "))))


def capitalize(text: str) -> str:
    """Begin with a capital letter."""
    return f"{text[:1].upper()}{text[1:]}"


def term_question(book: graph.Graph, term: graph.Term) -> str:
    """Return what a term asks, with its parameters as they are called in rules."""
    speaker = speaker_of(book, term.parameters)
    text = speaker.term(term.name, tuple(speaker.variable(part.name) for part in term.parameters))
    yes_no = isinstance(term.type, graph.YesNo)
    return words.sentence(f"whether {text}" if yes_no else text).removesuffix(".")


def question_text(book: graph.Graph, name: str, arguments: tuple[graph.Expr, ...]) -> str:
    """Ask a question of these, in words, with what is known of a record among them; of a stage one asks the whole."""
    term = book.terms[name if book.terms[name].form == "flag" else name.partition(".")[0]]
    speaker = Wording(book)
    said = speaker.phrase(graph.Ask(term.name, arguments))
    for record in arguments:
        if isinstance(record, graph.New) and speaker.phrase(record) not in said:
            known = [speaker.filled_in(name, value) for name, value in record.fields if value != graph.SetOf(())]
            said += f" ({'; '.join(known)})" if known else ""
    return words.sentence(said).removesuffix(".")


def default_sentence(book: graph.Graph, term: graph.Term) -> str:
    """Return what holds when no rule speaks."""
    speaker = speaker_of(book, term.parameters)
    arguments = tuple(speaker.variable(part.name) for part in term.parameters)
    match term.form:
        case "verdict" | "condition":
            said = (
                speaker.term(term.name, arguments) if term.default else speaker.opposite_question(term.name, arguments)
            )
            return words.sentence(f"unless a rule says otherwise, {said}")
        case "flag":
            return "What is printed or marked holds, unless a rule says otherwise."
        case "value" | "min" | "max" if term.otherwise is not None:
            least = _below_all_places(book, term)
            return words.sentence(f"unless a rule says otherwise, it is {least or speaker.phrase(term.otherwise)}")
        case "sum" | "set":
            nothing = "nothing" if term.form == "set" else "0"
            return f"With no rule in force it is {nothing}."
        case "value" | "min" | "max":
            return ""


def _below_all_places(book: graph.Graph, term: graph.Term) -> str:
    """Name a value that is below all places of its scale by the lowest of these, "" if it is none."""
    match term.type, term.otherwise:
        case graph.Scale(name), graph.Op("place", (graph.Num(value),)):
            places = sorted(book.vocabulary.scales[name].places, key=lambda place: place[1])
            return f"less than {places[0][0]}" if places and value < places[0][1] else ""
        case _:
            return ""


def combination_text(term: graph.Term) -> str:
    """Return how the answers of several rules come together."""
    told = GATHERED.get(term.form, "")
    if term.capped:
        told = f"{told} The total stays within {term.capped[0]} and {term.capped[1]}.".strip()
    return told


def speaker_of(book: graph.Graph, parameters: Iterable[graph.Parameter]) -> Wording:
    """Return a wording of parameters; names of one letter are for authors, and are printed as what they stand for."""
    types = {part.name: part.type for part in parameters}
    plain = Wording(book, names=types)
    short = {name: noun for name, type_ in types.items() if len(name) == 1 and (noun := _noun(plain, type_))}
    often = Counter(short.values())
    calls: dict[str, str] = {}
    for name, noun in short.items():
        if noun in types:
            continue
        before = sum(short[other] == noun for other in calls)
        if often[noun] <= len(ORDINALS):
            calls[name] = f"the {noun}" if often[noun] == 1 else f"the {ORDINALS[before]} {noun}"
    return Wording(book, calls, types)


ORDINALS = ("first", "second", "third")


def _noun(speaker: Wording, type_: graph.Type) -> str:
    """Return what a parameter is, if a short noun does."""
    if isinstance(type_, graph.Number):
        return "number"
    noun = "piece" if isinstance(type_, graph.Piece) and len(type_.kinds) > 2 else type_noun(speaker, type_)
    return "" if noun == "member" else noun


def _speaker(book: graph.Graph, rule: graph.Rule) -> Wording:
    return speaker_of(
        book, (part for term in rule.terms for part in (book.terms[term].parameters if term in book.terms else ()))
    )


def _conclusion(book: graph.Graph, speaker: Wording, rule: graph.Rule, name: str) -> str:
    term = book.terms[name]
    arguments = tuple(speaker.variable(part.name) for part in term.parameters)
    asked = speaker.term(name, arguments)
    value = speaker.phrase(rule.value) if rule.value is not None else ""
    match rule.verb:
        case "is" if isinstance(term.type, graph.YesNo):
            return _told(speaker, rule, name, arguments)
        case "is" if value == asked:
            printed = "what the chart says" if _charted(rule.value) else "what is printed"
            return f"{asked} {agreeing_verb(asked, 'is')} {printed}"
        case "is" if "." in name and asked in value:
            return f"{asked} becomes {value.replace(asked, WAS)}"
        case "is" | "":
            return f"{asked} {linking_verb(term, asked, value)} {value}" if value else asked
        case "adds" if isinstance(rule.value, graph.Num):
            by = words.amount(abs(rule.value.value), rule.value.measure, book.vocabulary)
            return f"{asked} {agreeing_verb(asked, 'goes')} {'down' if rule.value.value < 0 else 'up'} by {by}"
        case "adds":
            return f"{value} {agreeing_verb(value, 'counts')} toward {asked}"
        case "offers":
            return f"{asked} {agreeing_verb(asked, 'is')} {least_or_most(term)} {value}"
        case "includes":
            return f"{value} {_counting(speaker, rule)} among {asked}"
        case "excludes":
            return f"{value} {'does' if _counting(speaker, rule) == 'counts' else 'do'} not count among {asked}"
        case "allows" | "holds":
            return asked
        case "forbids" | "fails":
            return speaker.opposite_question(name, arguments)


def linking_verb(term: graph.Term, subject: str, value: str) -> str:
    """Return what stands between a question and its value, "is" or "are"."""
    several = isinstance(term.type, graph.Many) and (are_several(subject) or are_several(value))
    return "are" if several else agreeing_verb(subject, "is")


def least_or_most(term: graph.Term) -> str:
    """Return how an answer bounds a question of which the least or the greatest counts."""
    return "at most" if term.form == "min" else "at least"


def _charted(value: graph.Expr | None) -> bool:
    """Return whether an answer stands in a chart."""
    return isinstance(value, graph.Cell) or (isinstance(value, graph.Op) and any(map(_charted, value.arguments)))


def _counting(speaker: Wording, rule: graph.Rule) -> str:
    """Return whether one thing counts, or several count."""
    match rule.value:
        case graph.SetOf((graph.Var() | graph.Member() as only,)) | (graph.Var() | graph.Member() as only):
            return "count" if isinstance(only, graph.Member) and are_several(speaker.phrase(only)) else "counts"
        case _:
            return "count"


def _told(speaker: Wording, rule: graph.Rule, name: str, arguments: tuple[str, ...]) -> str:
    """Write a yes or no as a sentence, without that word."""
    match rule.value:
        case graph.Truth(value):
            return speaker.term(name, arguments) if value else speaker.opposite_question(name, arguments)
        case None:
            return speaker.term(name, arguments)
        case condition:
            return f"{speaker.term(name, arguments)} if {speaker.clause(condition)}"


FEW = 6  # members that are worth telling one by one


def type_words(book: graph.Graph, type_: graph.Type) -> str:
    """Return what sort of answer a type is, as a player would."""
    match type_:
        case graph.Number(measure=measure):
            return _number_words(book, measure)
        case graph.YesNo():
            return "yes or no"
        case graph.Enum(name):
            declared = book.vocabulary.enums.get(name)
            members = [words.member(name, word.name, book.vocabulary) for word in declared.members] if declared else []
            if name in ("side", "kind", "counter") or not members:
                return words.article(words.factor_name(name, book.vocabulary))
            return words.list_text(members, "or") if len(members) <= FEW else f"{', '.join(members[:3])} and so on"
        case graph.Scale(name):
            places = [place for place, _ in book.vocabulary.scales[name].places]
            return f"{words.factor_name(name, book.vocabulary)}, from {places[0]} to {places[-1]}"
        case graph.CellOf(table):
            return f"a cell of {words.readable_name(table)}"
        case graph.Many(shape, of):
            return f"{_several(book, of)}{', in order' if shape == 'list' else ''}"
        case _:
            return words.article(_one(book, type_))


def _number_words(book: graph.Graph, measure: str) -> str:
    reads = words.measure_name(measure, book.vocabulary)
    own = words.measure_after_number(reads, 2) == reads.strip() and reads.split(" ")[0] in (
        "on",
        "of",
        "per",
        "to",
        "from",
    )
    return f"a number {reads if own else f'of {reads}'}" if reads else "a number"


def _several(book: graph.Graph, of: graph.Type) -> str:
    """Return what several of a type are."""
    match of:
        case graph.Piece(kinds):
            return words.kinds(kinds, book.vocabulary, several=True)
        case graph.Many(_, inner):
            return f"groups of {_several(book, inner)}"
        case graph.Number():
            return "numbers"
        case _:
            return words.plural(_one(book, of))


def _one(book: graph.Graph, type_: graph.Type) -> str:
    match type_:
        case graph.Piece(kinds):
            return "piece" if len(kinds) > 3 else words.kinds(kinds, book.vocabulary)
        case graph.RecordOf(name) | graph.Enum(name) | graph.Scale(name) | graph.CellOf(name):
            return words.readable_name(name)
        case graph.Crossing():
            return "step of a line"
        case graph.Nothing():
            return "nothing"
        case graph.Hex() | graph.Hexside() | graph.YesNo() | graph.Number() | graph.Many():
            return type(type_).__name__.lower()
        case _:
            assert_never(type_)
