"""Text of an example: its position, its actions and questions, and the answers of play with their reasons.

The input is an example with its outcome in the engine; the output is a drawing and sentences for the page.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from compiler.rulebook import example_questions
from compiler.rulebook.drawings.counters import printed_text
from compiler.rulebook.drawings.diagrams import Drawing, column_name, draw_position
from compiler.rulebook.evidence import AnswerEvidence, DecidingRule, ExampleOutcome
from compiler.rulebook.naming import procedure_title
from compiler.rulebook.steps import read_step
from compiler.rulebook.titles import stack_title
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.amounts import amount_opening
from runtime.graph.english import agreeing_verb
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.type_of import type_of
from runtime.graph.walk import nodes_of, walk
from runtime.graph.wording import Wording

IN_A_CLAUSE = 6  # stations


@frozen_dataclass
class ExampleStep:
    """One line: a fact or an action (`answer` false), or an answer with the labels that determine it.

    `why` are the reasons of the engine, `steps` the answers it depends on, `default` the term whose default was used if
    no rule was live.
    """

    text: str
    answer: bool = False
    reasons: tuple[str, ...] = ()
    why: tuple[DecidingRule, ...] = ()
    overruled: tuple[tuple[str, tuple[str, ...]], ...] = ()
    default: str = ""
    steps: tuple[tuple[str, tuple[str, ...]], ...] = ()


@frozen_dataclass
class _ExampleRow:
    """One case of an example: the values of its names, and the answers with the rules that determine them."""

    given: tuple[str, ...]
    answers: tuple[tuple[str, tuple[str, ...]], ...]


@frozen_dataclass
class PrintableExample:
    """An example ready to print; `rows` is the table of its cases, whose last columns are the `questions`."""

    title: str
    stack: str
    drawing: Drawing
    dice: str
    names: tuple[str, ...]
    questions: tuple[str, ...]
    common: str  # the common prefix of the questions, if it would make their columns too wide
    rows: tuple[_ExampleRow, ...]
    lines: tuple[ExampleStep, ...]
    origin: graph.Origin


def show_example(book: graph.Graph, played: ExampleOutcome) -> PrintableExample:
    """Convert an example to its printable form, from its position to its answers."""
    example = played.example
    wording = Wording(book, {name: column_name(name) for name in example.names})
    checks = tuple(index for index, line in enumerate(example.lines) if isinstance(line, graph.Check))
    questions = example_questions.distinct_questions(wording, example, checks)
    common = example_questions.common_beginning(questions) if played.cases else ""
    columns = _column_indices(played)
    return PrintableExample(
        words.sentence(example.title).removesuffix("."),
        stack_title(book, played.stack) if played.stack else "",
        draw_position(book, example.position, example.names),
        words.list_text([str(die) for die in example.dice]),
        tuple(words.readable_name(example.names[index]) for index in columns),
        tuple(question.removeprefix(common) for question in questions) if played.cases else (),
        common.strip(),
        tuple(_rows(wording, played, checks, columns)) if example.names else (),
        tuple(_lines(wording, played)),
        example.origin,
    )


def _lines(wording: Wording, played: ExampleOutcome) -> Iterator[ExampleStep]:
    """Return the lines of an example that are no columns of its table of cases."""
    lines = played.example.lines
    single = played.cases[0] if len(played.cases) == 1 and not played.example.names else ()
    has_columns = bool(played.example.names and played.cases)
    places = []
    for index, line in enumerate(lines):
        # A column of answers contains what a check would; accounts are printed behind the line of the action.
        if not (has_columns and isinstance(line, graph.Check)) and not (single and _is_account(line)):
            places.append(index)
    qualifiers = example_questions.distinguishing_words(wording, played.example)
    for index in _reading_order(lines, places):
        step = _example_step(wording, lines[index], single[index] if single else None)
        yield replace(step, text=example_questions.with_qualifiers(step.text, qualifiers.get(index, ())))


NARRATED = {
    "previews": "Before the dice one reads", "tells": "What is told", "chances": "The chances before the dice",
}  # fmt: skip


def _reading_order(lines: tuple[graph.ExampleLine, ...], places: list[int]) -> list[int]:
    """Move lines that are evaluated before the dice before the line that throws them, which they are written behind."""
    order: list[int] = []
    index = 0
    for place in places:
        if isinstance(lines[place], graph.Narrated) and order:
            order.insert(index, place)
            index += 1
        else:
            index = index if isinstance(lines[place], graph.Check) else len(order)
            order.append(place)
    return order


def _is_account(line: graph.ExampleLine) -> bool:
    return isinstance(line, graph.Narrated) and line.what == "tells"


def _column_indices(played: ExampleOutcome) -> tuple[int, ...]:
    """Return the names of the cases that need a column: not those that only contain an expected answer."""
    example, position = played.example, played.example.position
    lines = [replace(line, expected=None) if isinstance(line, graph.Check) else line for line in example.lines]
    nodes = walk((*lines, position.pieces, position.facts, position.hex_tracks))
    used = {node.name for node in nodes if isinstance(node, graph.Var)}
    return tuple(index for index, name in enumerate(example.names) if name in used or not played.cases)


def _rows(
    wording: Wording, played: ExampleOutcome, checks: tuple[int, ...], columns: tuple[int, ...]
) -> Iterator[_ExampleRow]:
    """Return a row for each case; without answers if the example was not run."""
    for index, values in enumerate(played.example.rows):
        answers: list[tuple[str, tuple[str, ...]]] = []
        for check in checks if played.cases else ():
            answered = played.cases[index][check] if played.cases[index] else None
            answers.append((answered.answer, _labels(answered)) if answered else ("", ()))
        yield _ExampleRow(tuple(wording.phrase(values[column]) for column in columns), tuple(answers))


def _labels(answered: AnswerEvidence) -> tuple[str, ...]:
    return tuple(dict.fromkeys(reason.rule for reason in answered.because))


def _example_step(wording: Wording, line: graph.ExampleLine, answered: AnswerEvidence | None) -> ExampleStep:
    match line:
        case graph.Given():
            return ExampleStep(words.sentence(f"say that {_given_clause(wording, line)}"))
        case graph.Perform():
            known = tuple(label for label in dict.fromkeys(line.reasons) if label in wording.rules.rules)
            text = _with_account(_action_text(wording, line), answered)
            return ExampleStep(text, answer=bool(line.refusals), reasons=known)
        case graph.Printed():
            return ExampleStep(
                words.sentence(printed_text(wording, line.kind, line.counter, line.printed, line.traits)), answer=True
            )
        case graph.Draws(members):
            drawn = words.list_text([wording.phrase(member) for member in members])
            return ExampleStep(words.sentence(f"{drawn} will be drawn"))
        case graph.Narrated(narration, text):
            return ExampleStep(f"{NARRATED[narration]}: “{text}”")
        case graph.LetOnly(name, members):
            return ExampleStep(words.sentence(f"call {name} the only one of {wording.phrase(members)}"))
        case graph.Order(stations):
            return ExampleStep(_order_text(wording, stations), answer=True)
        case graph.Check() if answered is not None:
            text = answered.sentence or words.sentence(_answer(wording, line.question, answered.answer))
            return ExampleStep(
                _with_new_records(wording, line.question, text), answer=True, reasons=_labels(answered),
                why=answered.because, overruled=answered.overruled, default=answered.default, steps=answered.steps,
            )  # fmt: skip
        case graph.Check():
            named = tuple(dict.fromkeys((*line.by, *line.because)))
            return ExampleStep(words.sentence(_expectation_text(wording, line)), answer=True, reasons=named)
        case graph.Do(answers=answers) if answers:
            text = f"{read_step(wording, line).text.removesuffix('.')} ({_listed_choices(wording, answers)})."
            return ExampleStep(_with_account(text, answered))
        case _:
            return ExampleStep(_with_account(read_step(wording, line).text, answered))


def _with_account(text: str, answered: AnswerEvidence | None) -> str:
    """Return a sentence with those that report what was done."""
    return " ".join((text, *(answered.account_sentences if answered else ())))


def _given_clause(wording: Wording, line: graph.Given) -> str:
    question = graph.Ask(line.term, line.arguments)
    if isinstance(line.value, graph.Truth):
        return wording.condition_phrase(question, holds=line.value.value)
    value = wording.phrase(line.value)
    if clause := wording.stated(question, value, holds=True):
        return clause
    phrase = wording.phrase(question)
    return f"{phrase} {agreeing_verb(phrase, 'is')} {value}"


def _with_new_records(wording: Wording, question: graph.Expr, text: str) -> str:
    """Return a sentence with the records that its question describes, if its words only name them: the attack."""
    records = dict.fromkeys(nodes_of(graph.New, question))
    missing = [phrase for phrase in map(wording.phrase, records) if phrase not in text]
    return f"{text.removesuffix('.')}: {words.list_text(missing)}." if missing else text


def _without_presence(question: graph.Expr) -> graph.Expr:
    """Return a question without the condition that something is there, if it says next what that is."""
    match question:
        case graph.Op("and", (graph.Has(base, _, owner, name, False), other)):
            fields = {(field.base, field.owner, field.name) for field in nodes_of(graph.Get, other)}
            return other if (base, owner, name) in fields else question
        case _:
            return question


def _answer(wording: Wording, question: graph.Expr, answer: str) -> str:
    """Return an answer that no rule determined: a yes or no as a clause, a number with its meaning."""
    question = _without_presence(question) if answer == "yes" else question
    type_ = type_of(question, wording.names, wording.rules)
    if isinstance(question, graph.Get) and (question.what, question.name) == ("given", "hex"):
        return f"{wording.phrase(question.base)} is in {answer}"
    if isinstance(type_, graph.YesNo) and answer in ("yes", "no"):
        return wording.condition_phrase(question, holds=answer == "yes")
    if amount := amount_opening(wording, question, literal=True):
        return f"{amount[1]} {answer}"
    phrase = wording.phrase(question)
    verb = f" {agreeing_verb(phrase, 'is')}" if isinstance(type_, graph.Number) else ":"
    return f"{phrase}{verb} {answer}"


def _values_by_choice(wording: Wording, choices: Iterable[tuple[str, graph.Expr]]) -> dict[str, str]:
    """Return what is chosen, in order, by the name of the choice."""
    values_by_choice: dict[str, list[str]] = {}
    for name, value in choices:
        values_by_choice.setdefault(name, []).append(wording.phrase(value))
    return {name: ", then ".join(values) for name, values in values_by_choice.items()}


def _listed_choices(wording: Wording, choices: Iterable[tuple[str, graph.Expr]]) -> str:
    """Return what is chosen, each behind the name of its choice."""
    values = _values_by_choice(wording, choices)
    return ", ".join(f"{_choice_name(name)} {text}" for name, text in values.items())


def _action_text(wording: Wording, line: graph.Perform) -> str:
    action = wording.rules.procedures.get(f"action:{line.action}")
    refused = {refusal.choice: _refusal_text(wording, refusal) for refusal in line.refusals}
    choices = _values_by_choice(wording, line.choices)
    for name in choices.keys() & refused.keys():
        choices[name] += f", which is {refused[name]}"
    template = action.reads if action and set(re.findall(r"\{(\w+)\}", action.reads)) <= choices.keys() else ""
    text = re.sub(r"\{(\w+)\}", lambda place: choices[place[1]], template) or words.readable_name(line.action)
    rest = []
    for name, value in choices.items():
        if f"{{{name}}}" not in template:
            rest.append(f"{_choice_name(name)} {value}" if len(name) > 1 else value)
    text += f" ({', '.join(rest)})" if rest else ""
    text += f", by {wording.phrase(line.by)}" if line.by is not None else ""
    text += f": this is {refused['']}" if "" in refused else ""
    return words.sentence(text)


def _choice_name(name: str) -> str:
    """Return the name of a choice with its procedure: `lose.lost` is “lost (lose)”."""
    asking, _, choice = name.rpartition(".")
    return f"{words.readable_name(choice)} ({words.readable_name(asking)})" if asking else words.readable_name(choice)


def _refusal_text(wording: Wording, refusal: graph.Refusal) -> str:
    """Return in which cases something is refused."""
    if refusal.when is None:
        return "refused"
    return f"refused where {wording.condition_phrase(refusal.when, holds=True)}"


def _order_text(wording: Wording, stations: tuple[graph.Station, ...]) -> str:
    """Return the stations that the game reaches, in order; many are told in clauses, each of one side."""
    named = [station for station in stations if station.what != graph.STOP]
    goes_on = len(named) < len(stations)
    if len(named) > IN_A_CLAUSE:
        listed = f"these, in this order: {'; '.join(_side_clauses(wording, named))}"
    elif goes_on:
        listed = ", then to ".join(station_text(wording, station) for station in named)
    else:
        ordered = ", in this order" if len(named) > 1 else ""
        listed = words.list_text([station_text(wording, station) for station in named]) + ordered
    return words.sentence(f"play comes to {listed}{', where the example continues' if goes_on else ''}")


def _side_clauses(wording: Wording, stations: list[graph.Station]) -> Iterator[str]:
    """Return clauses with a few stations of one side each."""
    for side, run in groupby(stations, lambda station: station.side):
        texts = [station_text(wording, replace(station, side="")) for station in run]
        opening = f"for {words.side(side, wording.vocabulary)}, " if side else ""
        for index in range(0, len(texts), IN_A_CLAUSE):
            yield f"{opening}{', '.join(texts[index : index + IN_A_CLAUSE])}"


def station_text(wording: Wording, station: graph.Station) -> str:
    """Return the text of a station; actions and resolutions have their headings in the book."""
    if station.what.startswith(graph.ABSENT):
        return f"not {station_text(wording, replace(station, what=station.what.removeprefix(graph.ABSENT)))}"
    side_phrase = words.side(station.side, wording.vocabulary) if station.side else ""
    match station.what:
        case "turn":
            return f"turn {station.name}"
        case "phase":
            of_side = f" of {side_phrase}" if side_phrase else ""
            return f"the phase “{_phase_title(wording.rules, station.name)}”{of_side}"
        case what:
            called = wording.rules.procedures.get(f"{'action' if what == 'offer' else 'resolution'}:{station.name}")
            title = procedure_title(wording.rules, called) if called else words.readable_name(station.name)
            return f"“{title}”{f' for {side_phrase}' if side_phrase else ''}"


def _phase_title(book: graph.Graph, name: str) -> str:
    """Return the title of a phase in the sequence of play."""
    steps = walk(tuple(procedure.body for procedure in book.procedures.values() if procedure.what == "sequence"))
    titles = (step.title for step in steps if isinstance(step, graph.Phase) and step.name == name and step.title)
    return next(titles, words.readable_name(name))


def _expectation_text(wording: Wording, check: graph.Check) -> str:
    question, expected = check.question, check.expected
    if check.verdict:
        return wording.condition_phrase(question, holds=check.verdict == "allowed")
    match question, expected:
        case _, None:
            return wording.phrase(question)
        case _, graph.Truth(value):
            return wording.condition_phrase(question, holds=value)
        case _:
            return f"{wording.phrase(question)}: {wording.phrase(expected)}"
