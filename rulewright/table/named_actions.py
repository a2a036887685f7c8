"""The actions that plain words name: by their names and wordings, by search phrases, or by what they let choose.

In: a game, actions, and a `PlainQuery`. Out: the named ones, each with the words that name it. A search phrase that a
layer declares for an action (`asked`), or its heading, names it by its verb: *get on*, *come out of*.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from compiler.rulebook.index.stems import split_tokens, stem, stems
from rulewright.table.decision_state import Moment
from rulewright.table.option_lines import option_text
from rulewright.table.plain_query import DIRECTIONS, PlainQuery
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.members import members_of
from runtime.graph.templates import without_slots
from runtime.graph.type_of import SIDE
from runtime.play.game import Game

ARTICLES = {"a", "an", "my", "the"}


class NamedAction(NamedTuple):
    """An action, and the stems of the query that name it; `is_own`: they are of its own name or wording."""

    name: str
    stems: frozenset[str]
    is_own: bool = True


def named_actions(game: Game, actions: Iterable[str], query: PlainQuery) -> Iterator[NamedAction]:
    """Yield the actions that a query names."""
    phrases = _search_phrases(game.graph)
    for name in actions:
        own_stems = _action_stems(game, name)
        found = [own_stems.intersection(query.stems)] if own_stems & query.topics - DIRECTIONS else []
        is_own = bool(found)
        for verb, object_ in phrases.get(name, ()):
            is_named = verb <= query.all_stems and (len(verb) > 1 or verb <= query.topics)
            # *Come out of the town* is no action about a fort.
            if is_named and (query.topics <= verb | object_ or not object_.isdisjoint(query.all_stems)):
                found.append((verb | object_) & query.all_stems)
        if found:
            yield NamedAction(name, max(found, key=len), is_own)


def _search_phrases(rules: graph.Graph) -> dict[str, list[tuple[frozenset[str], frozenset[str]]]]:
    """Return the search phrases of each action, and its heading, as stems: those of the verb, and of its object.

    The verb is what stands before an article, *get on* in *get on a truck*, otherwise the first word; without its stop
    words if it has others.
    """
    found: dict[str, list[tuple[frozenset[str], frozenset[str]]]] = {}
    for layer in rules.layers:
        for label, phrases in (*layer.asked, *((label, (heading,)) for label, heading in layer.headings)):
            what, _, name = label.rpartition(" ")
            if f"action:{name}" not in rules.procedures or what not in ("", "action"):
                continue
            for phrase in phrases:
                tokens = split_tokens(phrase)
                end = next((place for place, token in enumerate(tokens) if token in ARTICLES), 1)
                verb = frozenset(stems(" ".join(tokens[:end]))) or frozenset(tokens[:end])
                found.setdefault(name, []).append((verb, frozenset(stems(" ".join(tokens[end:])))))
    return found


def _action_stems(game: Game, action: str) -> frozenset[str]:
    """Return the stems of the name, the description and the printed sentence of an action, without parameters.

    Those of the members that it lets choose are among them, as the works that an engineer begins.
    """
    procedure = game.programs.entries[f"action:{action}"].procedure
    sentence = without_slots(procedure.reads)
    members = " ".join(f"{name} {wording}" for each in _chosen_enums(game, action) for name, wording in each)
    return frozenset(stems(f"{action} {option_text(procedure)} {sentence} {members}".replace("_", " ")))


def _chosen_enums(game: Game, action: str) -> Iterator[Sequence[tuple[str, str]]]:
    """Yield the members of each enumeration from which an action chooses, with their wordings; sides are none."""
    vocabulary = game.graph.vocabulary
    for member in game.programs.entries[f"action:{action}"].members:
        if isinstance(member, graph.Enum) and member != SIDE:
            yield [(each, words.member(member.name, each, vocabulary)) for each in members_of(vocabulary, member.name)]


def action_words(game: Game, moment: Moment, action: str, names: Sequence[str], query: PlainQuery) -> list[str]:
    """Return the words by which an action is asked about names: itself, the members that the query names, the names.

    A record that it chooses stands for the places in it: *can R land on B* is about the landing of R, if that is booked
    for B. What it reacts to needs no word.
    """
    state, places = moment.state, set[int]()
    for member in game.programs.entries[f"action:{action}"].members:
        for record in state.records[member.name] if isinstance(member, graph.RecordOf) else ():
            types = {each.name: each.type for each in state.graph.vocabulary.records[record.type].fields}
            pieces = {value for name, value in record.fields.items() if isinstance(types[name], graph.Piece)}
            if pieces.intersection(query.pieces):
                places |= {value for name, value in record.fields.items() if isinstance(types[name], graph.Hex)}
    known = {state.board.names[place] for place in places}
    known |= {state.sheets[piece].name for piece in moment.reaction[1]}
    return [action, *_named_members(game, action, query), *(name for name in names if name not in known)]


def _named_members(game: Game, action: str, query: PlainQuery) -> Iterator[str]:
    """Yield the member with most words of the query, of each enumeration from which an action chooses."""
    for members in _chosen_enums(game, action):
        member_stems = {
            name: {stem(token) for token in split_tokens(f"{name} {wording}".replace("_", " "))}
            for name, wording in members
        }
        counts = {name: len(each & query.all_stems) for name, each in member_stems.items() if each & query.topics}
        named = [name for name, count in counts.items() if count == max(counts.values())]
        if len(named) == 1:
            yield named[0]
