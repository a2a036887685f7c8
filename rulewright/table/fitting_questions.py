"""The questions of the rules that plain words about a position may mean, with their answers.

In: a state and a `PlainQuery`. Out: the questions whose wording has words of the query and whose arguments are what it
names, as expressions that `ask` accepts; each with its explanation.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby, islice, permutations, product
from typing import Any, NamedTuple

from compiler.rulebook.index.stems import stem, stems
from rulewright.auxiliary_rules import deciding_rules_first
from rulewright.position_questions import definition_text, explain_question, missing_requirements
from rulewright.table.actors import have_roles
from rulewright.table.lexicon import WORDS
from rulewright.table.named_actions import synonyms
from rulewright.table.plain_query import PlainQuery
from rulewright.table.roles import question_roles
from runtime.answer.explain import Explanation
from runtime.answer.explanation_text import as_json, missed_permissions, witnesses_text
from runtime.answer.interpreter import Interpreter
from runtime.answer.value_text import unanswered_reason
from runtime.board.answer_errors import Unanswered
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.budget import TooMuchWork
from runtime.graph.step_questions import step_parameters
from runtime.graph.words import readable_name
from runtime.play.rule_faults import budget_message
from runtime.play.word_binding import worded_members
from runtime.state.position import State
from runtime.state.record import Value

# The most questions of the rules that are listed.
QUESTIONS = 5
# The most calls of one question.
CALLS = 12
# The most named pieces and places that are tried as arguments in every order.
ARGUMENTS = 4
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
SIDE = graph.Enum("side")
PAIR = 2

# An argument of a question as it is written, and its value; None if it is open.
Argument = tuple[str, Value]


class FittingQuestion(NamedTuple):
    """A question with arguments as they are written, and its explanation; None if one is open, or it is `unanswered`.

    The words of the query with the stems `matched` are in its wording. `figures` is the comparison that defines it.
    """

    term: str
    arguments: tuple[str, ...]
    matched: frozenset[str]
    explanation: Explanation | None = None
    unanswered: str = ""
    figures: str = ""

    @property
    def call(self) -> str:
        """Return the question as an expression."""
        return f"{self.term}({', '.join(self.arguments)})"


def fitting_questions(
    answers: Interpreter, state: State, query: PlainQuery, depth: int = 0
) -> Iterator[FittingQuestion]:
    """Yield the questions with most words of the query that take the named things as arguments.

    An argument that the query does not name is any member of its enumeration, if the calls are few; otherwise it is the
    name of its parameter in braces. Of equally good questions, those that can be answered come first, and of these
    those about the named pieces, and not about their places, and then those about which most rules are. If no question
    has a word of the query, the name of one that a layer declares for it stands for it (`see`); without any, a named
    place may be one of the places that a question lists: *does T control B* asks for those that T controls.
    """
    found = _candidates(state, query, ()) or _candidates(state, query, synonyms(state.graph, query))
    member = -1
    if not found and len(query.places) == 1:
        member, lists = query.places[0], query.without_places(state)
        of_places = (each for each in state.graph.terms.values() if _lists_places(each))
        names = {each.name for each in of_places}
        found = [each for each in _candidates(state, lists, ()) if each[4] in names]
    found.sort(key=lambda each: each[:5])
    best = [each for each in found if each[0] == found[0][0]][:QUESTIONS]
    for _, is_open, _, _, name, arguments, matched in best:
        most = len(state.sheets) if query.has_open_agent or query.has_open_object else CALLS
        calls = list(islice(product(*arguments), most + 1))
        if is_open or len(calls) > most:
            parameters = zip(arguments, state.graph.terms[name].parameters, strict=True)
            written = (given[0][0] if len(given) == 1 else f"{{{each.name}}}" for given, each in parameters)
            yield FittingQuestion(name, tuple(written), matched)
        else:
            for call in calls:
                question = _answered(answers, state, name, call, matched, depth)
                yield _with_membership(state, question, member) if member >= 0 else question


def _lists_places(term: graph.Term) -> bool:
    """Return whether the answer of a question is a set of places."""
    return isinstance(term.type, graph.Many) and term.type.of == graph.Hex()


def _with_membership(state: State, question: FittingQuestion, place: int) -> FittingQuestion:
    """Return a question about some places with whether one is among them."""
    if not question.explanation:
        return question
    is_in = place in question.explanation.value
    return question._replace(figures=f"{state.board.names[place]} is {'' if is_in else 'not '}among these.")


# The sort key of a question, its name, its arguments and the stems of the query in its wording.
_Candidate = tuple[int, bool, bool, int, str, list[tuple[Argument, ...]], frozenset[str]]


def _candidates(
    state: State, query: PlainQuery, meanings: Iterable[tuple[frozenset[str], Sequence[str]]]
) -> list[_Candidate]:
    """Return the questions with words of a query; `meanings` are words of it that stand for a name, as stems."""
    found, phrases, meanings = list[_Candidate](), _search_phrases(state.graph), [*meanings]
    all_stems = query.all_stems
    for term in state.graph.terms.values():
        if term.form == "flag" or "." in term.name or not term.reads:
            continue
        roles = question_roles(state.graph)[term.name]
        phrases_in_query = (each for each in phrases.get(term.name, ()) if each <= all_stems)
        synonym_stems = (words for words, name in meanings if roles.name_stems == {*name})
        matched = roles.stems.union(*phrases_in_query, *synonym_stems).intersection(query.stems)
        for arguments in _arguments(state, term, query) if matched & query.topics else ():
            is_open = any(value is None for each in arguments for _, value in each)
            given = {value for each in arguments for _, value in each}
            by_place = not given.issuperset(query.pieces)
            found.append((-len(matched), is_open, by_place, -len(term.rules), term.name, arguments, matched))
    return found


def _search_phrases(rules: graph.Graph) -> dict[str, list[frozenset[str]]]:
    """Return the stems of each search phrase that a layer declares for a question."""
    found: dict[str, list[frozenset[str]]] = {}
    for label, phrases in (each for layer in rules.layers for each in layer.asked):
        if label in rules.terms:
            found.setdefault(label, []).extend(frozenset(stems(each)) for each in phrases)
    return found


def _answered(
    answers: Interpreter, state: State, term: str, arguments: Sequence[Argument], matched: frozenset[str], depth: int
) -> FittingQuestion:
    """Answer one call of a question, unless the position lacks a required fact that it reads."""
    question = FittingQuestion(term, tuple(text for text, _ in arguments), matched)
    try:
        if missing := next(missing_requirements(answers, state, graph.Ask(term, ())), None):
            track, demand = missing
            reason = f"`{track.name}` is required, and the position has none: {demand.why}"
            return question._replace(unanswered=reason)
        values = tuple(value for _, value in arguments)
        explanation = explain_question(answers, state, term, values, depth)
        return question._replace(explanation=explanation, figures=definition_text(answers, state, term, values))
    except Unanswered as unanswered:
        return question._replace(unanswered=unanswered_reason(state, unanswered))
    except TooMuchWork:
        return question._replace(unanswered=budget_message())


def _arguments(state: State, term: graph.Term, query: PlainQuery) -> list[list[tuple[Argument, ...]]]:
    """Return the possible arguments for each parameter of a question, with all named things; [] if they do not fit.

    Where a question about a step has one place more than the query, it is that of the first piece. Where it has a place
    or a side for a piece that is named, it is the place or the side of that piece: *can T spot P* asks whether P is
    spotted by the side of T, as *is P spotted by T* does. In *load R onto T* either piece may be the first argument, so
    both orders are returned if both fit. Where the same word stands before a piece as in the wording of the question
    (*loading G costs T*), that order is tried first. The places of a step are neighbors: the rules on hexsides say
    nothing of others, and would allow a step to a distant hex.
    """
    if not (query.names or query.agents):
        return [] if term.parameters else [[]]
    places = list(query.places)
    is_step = step_parameters(state.graph, term.name) is not None
    leads = query.destinations and sum(each.type == graph.Hex() for each in term.parameters) == PAIR
    starts = is_step or query.asks_state or leads
    own_place = [state.hex[each] for each in query.pieces[:1] if starts and state.hex[each] >= 0]
    orders = sorted(permutations(query.pieces[:ARGUMENTS]), key=partial(_words_apart, state, term, query))
    found: list[list[tuple[Argument, ...]]] = []
    for gives_side in (False, True):
        for ordered in reversed(orders) if gives_side and query.last_preposition != "by" else orders:
            for spaces in (own_place + places, places) if places or query.asks_state else (places,):
                arguments = _bound(state, term, query, ([*ordered], [*spaces]), gives_side=gives_side)
                if arguments and have_roles(state, term, _values(term, arguments), query):
                    is_near = len(spaces) != PAIR or state.board.adjacent(*spaces)
                    found += [arguments] if is_near or not (is_step and query.pieces) else []
                    break
            if found and (gives_side or query.last_preposition not in WORDS["destination"]):
                return found
        if found:
            return found
    return []


def _words_apart(state: State, term: graph.Term, query: PlainQuery, pieces: Sequence[int]) -> int:
    """Return how many of these pieces, as arguments in order, have another word before them than in the wording."""
    before = question_roles(state.graph)[term.name].before
    words = {name: stem(each.word_before) for each in query.mentions for name in each.names}
    names = (each.name for each in term.parameters if isinstance(each.type, graph.Piece))
    pairs = zip(names, pieces, strict=False)
    return sum(before.get(name) != words.get(state.sheets[piece].name) for name, piece in pairs)


def _bound(
    state: State, term: graph.Term, query: PlainQuery, named: tuple[list[int], list[int]], *, gives_side: bool
) -> list[tuple[Argument, ...]]:
    """Return the arguments of a question from these pieces and places in order; [] if not all of them fit."""
    arguments: list[tuple[Argument, ...]] = []
    pieces, places = named
    # Whether a piece may do something is not about what is in its place.
    stands_for_itself = query.has("permission") and query.mentions and query.mentions[0].is_subject
    roles = question_roles(state.graph)[term.name]
    agent, actor = roles.agent * query.has_open_agent, roles.actor * query.has_open_object
    # Who sees the place of a piece is of another side than that.
    foes = {state.side[each] for each in pieces} if any(each.type == graph.Hex() for each in term.parameters) else set()
    for each in term.parameters:
        place = places[0] if places else state.hex[pieces[0]] if pieces else -1
        if each.name == agent and isinstance(each.type, graph.Piece):
            known = query.agents or range(len(state.sheets))
            others = (piece for piece in known if piece not in query.pieces and state.side[piece] not in foes - {""})
            on_map = (piece for piece in others if state.hex[piece] >= 0 and each.type.admits(state.sheets[piece].kind))
            arguments.append(tuple((_written(state.sheets[piece].name), piece) for piece in on_map))
        elif actor not in ("", each.name) and isinstance(each.type, graph.Piece | graph.Hex):
            arguments.append(tuple(_objects(state, query, each.type)))
        elif isinstance(each.type, graph.Piece) and pieces and each.type.admits(state.sheets[pieces[0]].kind):
            arguments.append(((_written(state.sheets[pieces[0]].name), pieces.pop(0)),))
        elif isinstance(each.type, graph.Hex) and place >= 0 and (places or not stands_for_itself or arguments):
            (places or pieces).pop(0)
            arguments.append(((_written(state.board.names[place]), place),))
        elif gives_side and each.type == SIDE and pieces:
            side = state.side[pieces.pop(0)]
            arguments.append(((side, side),))
        else:
            is_number = isinstance(each.type, graph.Number)
            named_members = _members(state, each.type, query)
            members: list[Argument] = [(name, int(name) if is_number else name) for name in named_members]
            arguments.append(tuple(members) or ((f"{{{each.name}}}", None),))
    types = {each.name: each.type for each in term.parameters}
    is_set_or_closed = term.form == "set" or not query.has_open_agent
    is_agent_open = isinstance(types[agent], graph.Piece) or types[agent] == SIDE if agent else is_set_or_closed
    if actor and not all(arguments):
        return []  # Nothing is there on which it could act.
    # No step leads from a place to itself.
    spaces = [values[0][1] for values, each in zip(arguments, term.parameters, strict=True) if each.type == graph.Hex()]
    is_nowhere = len(spaces) == PAIR and spaces[0] is not None and spaces[0] == spaces[1]
    return [] if pieces or places or is_nowhere or not is_agent_open else arguments


def _values(term: graph.Term, arguments: Sequence[Sequence[Argument]]) -> dict[str, list[Value]]:
    """Return the values of each parameter of a question."""
    pairs = zip(term.parameters, arguments, strict=True)
    return {parameter.name: [value for _, value in given] for parameter, given in pairs}


def _objects(state: State, query: PlainQuery, type_: graph.Type) -> list[Argument]:
    """Return on what a named piece may act: the described pieces, or those of other sides, or where these are."""
    sides = {state.side[each] for each in query.pieces}
    described = query.agents or range(len(state.sheets))
    known = [each for each in described if state.side[each] not in sides] or query.agents
    on_map = [each for each in known if state.hex[each] >= 0 and each not in query.pieces]
    if isinstance(type_, graph.Piece):
        return [(_written(state.sheets[each].name), each) for each in on_map if type_.admits(state.sheets[each].kind)]
    places = dict.fromkeys(state.hex[each] for each in on_map)
    return [(_written(state.board.names[each]), each) for each in places]


def object_sentences(state: State, questions: Sequence[FittingQuestion]) -> Iterator[str]:
    """Yield who is in the places of which questions are true, and of which pieces and places others are not."""
    spaces = {_written(name): place for name, place in state.board.index.items()}

    def described(argument: str) -> str:
        there = state.at.get(spaces.get(argument, -1), ())
        return f"{argument} ({', '.join(state.sheets[each].name for each in there)})" if there else argument

    for term, group in groupby(questions, lambda each: each.term):
        found = [each for each in group if each.explanation and isinstance(each.explanation.value, bool)]
        if not found:
            continue
        common = {*found[0].arguments}.intersection(*(each.arguments for each in found)) if len(found) > 1 else set()
        objects = {each: [given for given in each.arguments if given not in common][-1:] for each in found}
        of = {
            holds: [
                described(name)
                for each in found
                if each.explanation and (each.explanation.value is True) == holds
                for name in objects[each]
            ]
            for holds in (True, False)
        }
        answers = [f"{'yes' if holds else 'no'} for {words.list_text(of[holds])}" for holds in of if of[holds]]
        arguments = [each if each in common else ".." for each in found[0].arguments]
        yield f"{term}({', '.join(arguments)}): {'; '.join(answers)}."


def questions_data(state: State, questions: Sequence[FittingQuestion]) -> list[dict[str, Any]]:
    """Return questions as data: a call with the keys of an explained answer, or `unanswered`, or none of them.

    Successive calls of one question with equal answers by the same rules are one entry: `same_with` has the other
    arguments of each, `whatever` the types of those that do not matter, if all calls of the question are.
    `witnesses` are what makes it so, `missed` lines about rules that would allow what no rule allows, if there are any.
    """
    names = {*state.board.index, *(sheet.name for sheet in state.sheets)}
    # Two pieces of a side may ask the same question about it.
    questions = [*{(each.term, each.arguments): each for each in questions}.values()]
    counts = Counter(each.term for each in questions)
    found = []
    entries = ((each, _data(state, each)) for each in questions)
    for _, group in groupby(entries, lambda pair: _answer_key(pair[0], pair[1], names)):
        (first, entry), *others = group
        differing = []
        for each, _ in others:
            pairs = enumerate(zip(first.arguments, each.arguments, strict=True))
            differing.append({number: other for number, (first_argument, other) in pairs if first_argument != other})
        if others and len(others) + 1 == counts[first.term]:
            numbers = {number for each in differing for number in each}
            varied = (state.graph.terms[first.term].parameters[number].type for number in sorted(numbers))
            entry["whatever"] = [readable_name(each.name) for each in varied if isinstance(each, graph.Enum)]
        found.append({**entry, "same_with": [" and ".join(each.values()) for each in differing]})
    return found


def _data(state: State, question: FittingQuestion) -> dict[str, Any]:
    """Return a question with its answer as data."""
    entry: dict[str, Any] = {"call": question.call, "same_with": [], "whatever": []}
    if question.unanswered:
        entry["unanswered"] = question.unanswered
    if question.explanation:
        entry |= as_json(state, deciding_rules_first(question.explanation))
        if witnesses := witnesses_text(question.explanation):
            entry["witnesses"] = witnesses
        if question.figures:
            entry["figures"] = question.figures
        if missed := [*missed_permissions(question.explanation)]:
            entry["missed"] = missed
    return entry


def _answer_key(question: FittingQuestion, entry: Mapping[str, Any], names: Collection[str]) -> tuple[object, ...]:
    """Return a question, its arguments among these names, its answer and the deciding rules."""
    because = tuple(reason["rule"] for reason in entry.get("because", ()))
    named = tuple(each for each in question.arguments if each in names)
    return question.term, named, entry.get("value"), question.unanswered, question.figures, because


def _members(state: State, type_: graph.Type, query: PlainQuery) -> tuple[str, ...]:
    """Return the members of an enumeration that a query names, otherwise all, of sides those with pieces.

    Of few numbers, as the faces of a die, they are all; () for another type.
    """
    if isinstance(type_, graph.Number) and type_.low is not None and type_.high is not None:
        size = type_.high - type_.low + 1
        return tuple(map(str, range(type_.low, type_.high + 1))) if size <= CALLS else ()
    members = worded_members(state, type_.name) if isinstance(type_, graph.Enum) else []
    found = [name for name, wording in members if not {*stems(f"{name} {wording}")}.isdisjoint(query.stems)]
    if not found and type_ == SIDE:
        present = [name for name, _ in members if name in state.side]
        own_sides = {state.side[piece] for piece in query.pieces}
        # Whether P is spotted is asked of its enemies first.
        found = sorted(present, key=lambda name: name in own_sides)
        if query.has_open_agent and own_sides.issuperset(found[-1:]):
            found = found[:-1] or found
    return tuple(found or (name for name, _ in members))


def _written(name: str) -> str:
    """Return a name as the language writes it."""
    return name if IDENTIFIER.fullmatch(name) else f"'{name}'"
