"""What is so in a position, for plain words about it: distances, statuses, traits and printed values, as lines.

In: a state and a `PlainQuery`. Out: a sentence for each fact that the query names.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import product

from compiler.rulebook.index.stems import stem, stems
from rulewright.table.lexicon import PREPOSITIONS, WORDS
from rulewright.table.named_actions import synonyms
from rulewright.table.option_lines import ground_text
from rulewright.table.piece_details import detail_lines
from rulewright.table.plain_query import HEX_NOUNS, PlainQuery
from runtime.answer.interpreter import Interpreter
from runtime.answer.value_text import value_text, with_space_noun
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.wording import Wording
from runtime.state.position import State
from runtime.state.record import Value

# The owner of the flags of places.
HEX = "hex"
# The owners of the flags of what is between places.
LINKS = ("hexside", "path")
PAIR = 2


def fact_lines(answers: Interpreter, state: State, query: PlainQuery) -> Iterator[str]:
    """Yield the distance of two named things, the statuses and traits of pieces that a query names, values and pairs.

    Of places it yields the same, and what is printed there, unless the query names pieces. Nothing if the query asks
    what is allowed, or what one piece does to another: *can R ride on T* is not answered by whether R has ridden. The
    printed values of two pieces are no answer to how one fares against the other.
    """
    yield from _contents_lines(state, query)
    if compared := [*_comparison_lines(state, query)]:
        yield from compared
        return
    if query.has("permission") or query.asks_effect_on_other:
        return
    if query.has_open_agent and query.agents:
        yield from _list_lines(answers, state, query)
        return
    spaces = [*query.places, *(state.hex[piece] for piece in query.pieces if state.hex[piece] >= 0)]
    if (query.has("distance") or query.asks_reach) and len(query.names) == len(spaces) == PAIR:
        distance = words.amount(state.board.distance(*spaces), "hexes", state.graph.vocabulary)
        first, second = query.names
        yield f"From {first} to {second} it is {with_space_noun(state, distance)}."
    if query.asks_state and query.has("neighbor") and len(query.names) == len(spaces) == PAIR:
        is_next = "is" if spaces[1] in state.board.beside[spaces[0]] else "is not"
        yield f"{query.names[0]} {is_next} next to {query.names[1]}."
    roles = [each for each in ("own", "foe", "piece", "indefinite") if query.has(each)]
    asks_who = query.question_word in ("what", "which", "who") or (query.asks_state and roles)
    if query.has("neighbor") and len(spaces) == 1 and asks_who:
        yield from _neighbor_lines(state, query, spaces[0], roles)
    for place in () if query.pieces else query.places:
        yield from _ground_lines(answers, state, query, state.board.names[place], place)
    for piece in query.pieces:
        sheet = state.sheets[piece]
        if query.asks_state and state.hex[piece] >= 0 and not WORDS["location"].isdisjoint(query.tokens):
            # *Is T in the woods* is about the ground where it is.
            yield from _ground_lines(answers, state, query, state.board.names[state.hex[piece]], state.hex[piece])
        yield from _within_lines(answers, state, query, piece) or _flag_lines(
            answers, state, query, sheet.kind, sheet.name, piece
        )
        ties = (f"{name} {each.left.name} {each.right.name}" for name, each in state.graph.vocabulary.relations.items())
        printed = () if query.asks_state else state.graph.vocabulary.kinds[sheet.kind].printed
        value_words = " ".join(f"{each.name} {getattr(each.type, 'measure', '')}" for each in printed)
        value_stems = stems(f"{value_words} {' '.join(ties)}".replace("_", " "))
        is_asked = len(query.mentions) == 1 and query.question_word not in ("which", "who")
        # *How strong* is a question of a value by another word.
        others = synonyms(state.graph, query) if query.question_word == "how" else ()
        if is_asked and query.topics.union(*(term for _, term in others)).intersection(value_stems):
            yield from detail_lines(state, sheet.name)


def _neighbor_lines(state: State, query: PlainQuery, place: int, roles: Collection[str]) -> Iterator[str]:
    """Yield the places and pieces next to one, or the pieces of the side alone that a query asks for: *an enemy*."""
    beside = state.board.beside[place]
    there = [piece for each in beside for piece in state.at.get(each, ())]
    sides = {state.side[each] for each in query.pieces} or {state.player}
    for role, is_own in (("own", True), ("foe", False)):
        if role in roles:
            there = [each for each in there if state.side[each] and (state.side[each] in sides) == is_own]
    names = [] if roles else [state.board.names[each] for each in beside]
    names += [state.sheets[each].name for each in there]
    yield f"Next to {query.names[0]}: {words.list_text(names) or 'no such piece'}."


def hexside_lines(state: State, query: PlainQuery) -> tuple[str, ...]:
    """Return what is printed between two places, if a query has words for that alone: *green hexside between A and B*.

    Without such words it asks what is between them.
    """
    flags = state.graph.vocabulary.flags
    kinds = {key: each for key, each in flags.items() if key.partition(".")[0] in LINKS}
    known = {*stems(" ".join((*LINKS, *(f"{key} {each.reads}" for key, each in kinds.items()))).replace(".", " "))}
    asks_any = query.question_word == "what" and all(each.preposition == "between" for each in query.mentions)
    topics = query.topics.difference(map(stem, PREPOSITIONS))
    if query.pieces or len(query.places) != PAIR or query.has("permission", "price") or not (topics or asks_any):
        return ()
    if not topics <= known:
        return ()
    first, second = query.places
    if second not in state.board.beside[first]:
        return (f"{query.names[0]} is not next to {query.names[1]}.",)
    side = state.board.side(first, second)
    paths = sorted(path for path, sides in state.board.paths.items() if side in sides)
    printed = {"hexside": sorted(state.board.side_features(side)), "path": paths}
    texts = {
        kind: words.list_text([words.flag(kind, each, state.graph.vocabulary) for each in names]) or "none"
        for kind, names in printed.items()
    }
    return (f"Between {query.names[0]} and {query.names[1]}: hexside {texts['hexside']}, path {texts['path']}.",)


def _comparison_lines(state: State, query: PlainQuery) -> Iterator[str]:
    """Yield the printed values of two pieces that a query compares: *does P outrange G*, *who has the longer range*."""
    beginnings = product(query.tokens, WORDS["outdoing"])
    outdone = {stem(each.removeprefix(word)) for each, word in beginnings if each.startswith(word)} - {""}
    named = outdone | (query.topics if query.has("comparison") else set())
    for piece in query.pieces if len(query.pieces) == len(query.names) > 1 else ():
        sheet = state.sheets[piece]
        fields = state.graph.vocabulary.kinds[sheet.kind].printed
        texts = [
            f"{words.readable_name(each.name)} {value_text(state, sheet.printed[each.name], each.type)}"
            for each in fields
            if each.name in sheet.printed and not named.isdisjoint(stems(each.name.replace("_", " ")))
        ]
        if texts:
            yield f"{sheet.name}: {words.list_text(texts)}, as printed."


def _contents_lines(state: State, query: PlainQuery) -> Iterator[str]:
    """Yield which pieces are in the places of a query that asks that, and the rules that limit how many may be."""
    for place in query.places if query.asks_capacity or query.asks_contents else ():
        there = [state.sheets[each].name for each in state.at.get(place, ())]
        listed = f"{len(there)} in {state.board.names[place]}: {words.list_text(there)}." if there else ""
        yield listed or f"Nothing is in {state.board.names[place]}."
    limits = _limiting_rules(state, query) if query.asks_capacity else ()
    yield from (f"{each.prose} ({each.label} [{', '.join(each.cites)}])" for each in limits)


def _limiting_rules(state: State, query: PlainQuery) -> Iterator[graph.Rule]:
    """Yield the rules that a layer finds by words for a limit, a place and pieces alone: *area full*, *max stack*.

    Of kinds of pieces they are those there, or else the most frequent one.
    """
    rules, kinds = state.graph.rules, {state.kind[each] for place in query.places for each in state.at.get(place, ())}
    kinds = kinds or {each for each, _ in Counter(state.kind).most_common(1)}
    nouns = {*stems(" ".join((*HEX_NOUNS, with_space_noun(state, HEX), *kinds, *map(words.readable_name, kinds))))}
    limits, full = ({*stems(" ".join(WORDS[role]))} for role in ("limit", "fullness"))
    for label, phrases in dict(each for layer in state.graph.layers for each in layer.asked).items():
        found = [{*stems(each)} for each in phrases]
        limiting = (each for each in found if each <= nouns | limits | full and (each & full or len(each & limits) > 1))
        if label in rules and rules[label].prose and any(limiting):
            yield rules[label]


def _ground_lines(answers: Interpreter, state: State, query: PlainQuery, name: str, place: int) -> Iterator[str]:
    """Yield whether a place has each flag that a query names; of the words for no feature, what is there instead.

    A place without features has no flag for that, even if the rules declare one for the column of a chart.
    """
    plain = words.plain_ground_name(state.graph.vocabulary)
    if query.asks_state and query.topics and query.topics <= {*stems(plain)}:
        yield f"{name} is {ground_text(state, place) or plain}."
        return
    yield from _flag_lines(answers, state, query, HEX, name, place)


def _flag_lines(
    answers: Interpreter, state: State, query: PlainQuery, owner: str, name: str, value: Value
) -> Iterator[str]:
    """Yield for each flag that a query names whether a piece of a kind, or a place, has it."""
    wording = Wording(state.graph).with_names({"subject": name})
    for test in _flag_tests(state, query, owner):
        holds = answers.evaluate(state, test, {"subject": value})
        yield f"{wording.condition_phrase(test, holds=holds is True)}."


def _within_lines(answers: Interpreter, state: State, query: PlainQuery, piece: int) -> list[str]:
    """Return which others in the place of a piece have the flags that a query of who has them there names.

    *Who is inside W* is not about W. None if no flag is named, or nobody could have it.
    """
    others = [each for each in state.at.get(state.hex[piece], ()) if each != piece]
    tests = {each: [*_flag_tests(state, query, state.sheets[each].kind)] for each in others}
    is_there = bool(query.mentions) and query.mentions[0].word_before in WORDS["location"]
    if query.question_word not in ("what", "which", "who") or not is_there or not any(tests.values()):
        return []
    found = [
        state.sheets[each].name
        for each in others
        if tests[each] and all(answers.evaluate(state, test, {"subject": each}) is True for test in tests[each])
    ]
    where = query.mentions[0].word_before.capitalize()
    return [f"{where} {state.sheets[piece].name}: {words.list_text(found) or 'none of those in its place'}."]


def _flag_tests(state: State, query: PlainQuery, owner: str) -> Iterator[graph.Is]:
    """Yield the test of each flag of pieces of a kind, or of places, that a query names."""
    kinds = state.graph.vocabulary.kinds
    for key, flag in state.graph.vocabulary.flags.items():
        of, _, name = key.partition(".")
        # A place within a fort is one of other pieces.
        is_owned = owner in kinds and of != owner if flag.what == "place" else of == owner
        if is_owned and query.has_all_words_of(name, flag.reads):
            yield graph.Is(graph.Var("subject"), (graph.Test(flag.what, of, name),), negated=False)


def _list_lines(answers: Interpreter, state: State, query: PlainQuery) -> Iterator[str]:
    """Yield which of the pieces that a query describes are in the place or on the ground, and have the flags, of it."""
    tests = {each: [*_flag_tests(state, query, state.sheets[each].kind)] for each in query.agents}
    places = {*query.places, *(state.hex[each] for each in query.pieces)}
    found = [
        state.sheets[each].name
        for each in query.agents
        if (tests[each] or query.topics <= {*stems(ground_text(state, state.hex[each]))})
        and (not places or state.hex[each] in places)
        and all(answers.evaluate(state, test, {"subject": each}) is True for test in tests[each])
    ]
    if found or not query.topics or any(tests.values()):
        where = f" in {words.list_text(query.names)}" if places else ""
        yield f"{len(found)}{where}: {words.list_text(found)}." if found else f"None{where}."
