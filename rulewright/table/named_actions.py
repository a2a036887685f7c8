"""The actions that plain words name: by their names and wordings, by search phrases, or by what they let choose.

In: a game, actions, and a `PlainQuery`. Out: the named ones, each with the words that name it. A search phrase that a
layer declares for an action (`asked`), or its heading, names it by its verb: *get on*, *come out of*.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from compiler.rulebook.index.stems import STOP_WORDS, split_tokens, stem, stems
from rulewright.table.decision_state import OfferMoment, words_in
from rulewright.table.lexicon import DIRECTIONS, WORDS
from rulewright.table.plain_query import PlainQuery
from rulewright.table.roles import action_roles
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.members import members_of
from runtime.graph.type_of import SIDE
from runtime.play.game import Game
from runtime.state.record import Record

# The stems of the verb of a search phrase, and of its object.
SearchPhrase = tuple[frozenset[str], frozenset[str]]


# How an action is named: by some words of a search phrase, by what it lets choose, by words of its own, by its verb or
# a whole search phrase, by its whole name.
BY_PHRASE, BY_MEMBER, BY_WORDS, BY_VERB, BY_NAME = range(5)


class NamedAction(NamedTuple):
    """An action, the stems of the query that name it, and how they do."""

    name: str
    stems: frozenset[str]
    how: int = BY_VERB


def synonyms(rules: graph.Graph, query: PlainQuery) -> list[tuple[frozenset[str], list[str]]]:
    """Return the stems of each term that a layer declares for words of a query (`see`), with the stems of these.

    One of them is a topic of the query. Words within a longer phrase of the query, as *dig* in *dig in*, have none.
    """
    declared = [(_phrase_stems(words), words, terms) for layer in rules.layers for words, terms in layer.see]
    found = [each for each in declared if each[0] <= query.all_stems and each[0] & query.topics]
    complete = [{*map(stem, split_tokens(words))} for _, words, _ in found]
    longest = [each for each in complete if each <= query.all_stems]
    is_part = [any(each < other for other in longest) for each in complete]
    return [
        (words, stems(term))
        for (words, _, terms), within in zip(found, is_part, strict=True)
        for term in (() if within else terms)
    ]


def _phrase_stems(phrase: str) -> frozenset[str]:
    """Return the stems of a phrase without its stop words, if it has other words than a direction: not of *get off*."""
    found = frozenset(stems(phrase))
    return frozenset(map(stem, split_tokens(phrase))) if found <= DIRECTIONS else found


def named_actions(game: Game, actions: Iterable[str], query: PlainQuery) -> list[NamedAction]:
    """Return the actions that a query names.

    If none is named by words of its own, the words of a query stand for those that a layer declares for them (`see`).
    """
    phrases, known = _search_phrases(game.graph), [*actions]
    found = [*_named(game, known, query, phrases)]
    if not (any(each.how for each in found) or query.has("distance", "reach", "chance") or query.asks_state):
        for query_words, term in synonyms(game.graph, query):
            wider = query._replace(topics=frozenset(term), words=(*query.words, *term), tokens=(*query.tokens, *term))
            by_verb = (each for each in _named(game, known, wider, phrases) if each.how >= BY_VERB)
            found += [each._replace(stems=each.stems | query_words) for each in by_verb if each.stems.issuperset(term)]
    return found


def _named(
    game: Game, actions: Iterable[str], query: PlainQuery, phrases: Mapping[str, Sequence[SearchPhrase]]
) -> Iterator[NamedAction]:
    """Yield the actions that words of a query name."""
    roles = action_roles(game.graph)
    stems_by_name = {name: roles[name].stems for name in actions}
    verb_stems = query.topics if query.has("permission") or query.may_be_imperative else frozenset[str]()
    verbs = query.topics.difference(*stems_by_name.values())
    for name, found_stems in stems_by_name.items():
        matches = []
        if found_stems & query.topics - DIRECTIONS:
            how = BY_WORDS if query.topics.isdisjoint(roles[name].verbs) else BY_VERB
            how = BY_NAME if {*stems(name.replace("_", " "))} <= query.all_stems else how
            matches.append((how, found_stems.intersection(query.stems)))
        # A verb that is no word of an action names the one that has somebody who does it: *drop*, a raid with droppers.
        matches += [(BY_VERB, frozenset({verb})) for verb in verbs if roles[name].role_of({verb}, query.agent_kind)]
        # *Carry* names the action by which one piece comes to carry another.
        matches += [(BY_VERB, each) for each in roles[name].relation_stems if each <= verb_stems]
        # *Blow the bridge* names a work that engineers begin.
        of_members = (each for each in _member_stems(game, name) if each <= query.all_stems)
        matches += [(BY_MEMBER, each) for each in of_members if each & query.topics - DIRECTIONS]
        for verb, object_ in phrases.get(name, ()):
            is_named = verb <= query.all_stems and (len(verb) > 1 or verb <= query.topics)
            # *Come out of the town*, or *get into* it, is no action about a fort.
            is_way = bool(query.places and query.destinations and not verb.isdisjoint(DIRECTIONS))
            is_whole = query.topics <= verb | object_ and not (is_way and object_)
            if is_named and (is_whole or not object_.isdisjoint(query.all_stems)):
                how = BY_VERB if object_ <= query.all_stems else BY_PHRASE
                matches.append((how, (verb | object_) & query.all_stems))
        if matches:
            how, words_found = max(matches, key=lambda each: (each[0], len(each[1])))
            yield NamedAction(name, words_found, how)


def _search_phrases(rules: graph.Graph) -> dict[str, list[SearchPhrase]]:
    """Return the search phrases of each action, and its heading, as stems: those of the verb, and of its object.

    The verb is what stands before an article, *get on* in *get on a truck*, otherwise the first word, with one for a
    direction after it (*set down*); without its stop words if it has others than directions.
    """
    found: dict[str, list[SearchPhrase]] = {}
    for layer in rules.layers:
        for label, phrases in (*layer.asked, *((label, (heading,)) for label, heading in layer.headings)):
            what, _, name = label.rpartition(" ")
            if f"action:{name}" not in rules.procedures or what not in ("", "action"):
                continue
            for phrase in phrases:
                tokens = split_tokens(phrase)
                size = 2 if DIRECTIONS.issuperset(tokens[1:2]) else 1
                end = next((index for index, token in enumerate(tokens) if token in WORDS["article"]), size)
                verb = frozenset(stems(" ".join(tokens[:end])))
                # *Drive off* is no *get off*.
                verb = frozenset(map(stem, tokens[:end])) if verb <= DIRECTIONS else verb
                found.setdefault(name, []).append((verb, frozenset(stems(" ".join(tokens[end:])))))
    return found


def _member_stems(game: Game, action: str) -> Iterator[frozenset[str]]:
    """Yield the stems of the wording of each member that an action lets choose, as the works that engineers begin."""
    for members in _chosen_enums(game, action):
        yield from (frozenset(stems(wording.replace("_", " "))) for _, wording in members)


def _chosen_enums(game: Game, action: str) -> Iterator[Sequence[tuple[str, str]]]:
    """Yield the members of each enumeration from which an action chooses, with their wordings; sides are none."""
    vocabulary = game.graph.vocabulary
    for member in action_roles(game.graph)[action].choices.values():
        if isinstance(member, graph.Enum) and member != SIDE:
            yield [(each, words.member(member.name, each, vocabulary)) for each in members_of(vocabulary, member.name)]


def action_words(
    game: Game, moment: OfferMoment, action: str, names: Sequence[str], query: PlainQuery
) -> Iterator[list[str]]:
    """Yield the words by which an action is asked about names: itself, the members that the query names, the names.

    There are several where members are named alike: *clear*, mines or a block. A record that it chooses stands for the
    places in it and what is there: *can R land on B* is about the landing of R, if that is booked for B. What it reacts
    to needs no word.
    """
    state, roles, places, noted = moment.state, action_roles(game.graph)[action], set[int](), set[int]()
    for member in game.programs.entries[f"action:{action}"].members:
        for record in state.records[member.name] if isinstance(member, graph.RecordOf) else ():
            types = {each.name: each.type for each in state.graph.vocabulary.records[record.type].fields}
            if pieces := _pieces_of_record(record, types).intersection(query.pieces):
                noted |= pieces
                places |= {value for name, value in record.fields.items() if isinstance(types[name], graph.Hex)}
    known = {state.board.names[place] for place in places}
    known |= {state.sheets[piece].name for place in places for piece in state.at.get(place, ())}
    known -= {state.sheets[piece].name for piece in query.pieces[:1]}
    known |= {state.sheets[piece].name for piece in noted if not roles.pieces}
    known |= {state.sheets[piece].name for piece in moment.reaction[1]}
    # Who strafes is one of the strafers.
    role, goal = roles.role_of(query.topics, query.agent_kind), ""
    if query.has_open_agent and query.pieces:
        role, goal = roles.object, "".join(roles.places[:1])
    agent = state.sheets[query.pieces[0]].name if query.pieces else ""
    role_names = {**(dict.fromkeys(state.board.index, goal) if goal else {}), **({agent: role} if role else {})}
    words_for = [f"{role_names[name]}:{name}" if name in role_names else name for name in names if name not in known]
    yield from ([action, *members, *words_for] for members in product(*_named_members(game, action, query)))


def _pieces_of_record(record: Record, types: Mapping[str, graph.Type]) -> set[int]:
    """Return the pieces in the fields of a record, also those in sets: *the crew of the work*."""
    found = set[int]()
    for name, value in record.fields.items():
        match types[name]:
            case graph.Piece():
                found.add(value)
            case graph.Many(of=graph.Piece()):
                found.update(value)
            case _:
                pass
    return found


def _named_members(game: Game, action: str, query: PlainQuery) -> Iterator[list[str]]:
    """Yield the members with most words of the query, of each enumeration from which an action chooses.

    A word of the action itself names none: *fire* is no *anti-tank fire*.
    """
    own_stems = action_roles(game.graph)[action].stems
    for members in _chosen_enums(game, action):
        member_stems = {
            name: {stem(token) for token in split_tokens(f"{name} {wording}".replace("_", " "))}
            for name, wording in members
        }
        plain_stems = query.all_stems - query.name_stems | query.topics
        # What is named (*the block in H*) tells members with the same verb apart.
        counts = {
            name: (len(each & plain_stems), len(each & query.name_stems - STOP_WORDS))
            for name, each in member_stems.items()
            if each & query.topics - own_stems
        }
        if not counts:
            # *Destroy the bridge in H* has no word of *blow*.
            plain_stems = query.all_stems - STOP_WORDS - own_stems
            counts = {name: (0, len(each & plain_stems)) for name, each in member_stems.items() if each & plain_stems}
        named = [name for name, count in counts.items() if count == max(counts.values())]
        if named:
            yield named


def action_stems(game: Game) -> frozenset[str]:
    """Return the stems of the words that name actions by themselves, and the verbs of two words: *get off*."""
    phrases = (each for found in _search_phrases(game.graph).values() for each in found)
    verbs = [verb for verb, _ in phrases if len(verb) == 1]
    declared = (phrase for layer in game.graph.layers for _, phrases in layer.asked for phrase in phrases)
    # Thousands of phrases are declared: the second word is compared before any is split into tokens.
    phrasal = (each for each in declared if DIRECTIONS.intersection(each.lower().split(maxsplit=2)[1:2]))
    verbs.append(frozenset(" ".join(split_tokens(each)[:2]) for each in phrasal))
    roles = action_roles(game.graph).values()
    return frozenset[str]().union(*verbs, *(words for each in roles for words in (each.stems, *each.relation_stems)))


def terms_asked(game: Game, action: str) -> frozenset[str]:
    """Return the names of the questions that an action asks."""
    body = game.programs.entries[f"action:{action}"].procedure.body
    return frozenset(name for what, name in words_in(game.graph, body) if what == "term")
