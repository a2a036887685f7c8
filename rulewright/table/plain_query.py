"""Plain words about a position, parsed: the pieces and places that they name, and the words that are left.

In: a state, and words of a player: `why may T not enter B`. Out: a `PlainQuery`.
"""

import re
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from compiler.rulebook.index.stems import STOP_WORDS, split_tokens, stem, stems
from rulewright.table.names_in_words import DETERMINERS, TARGET_PREPOSITIONS, NamesInWords, NotHereError
from runtime.state.position import State

HEX_NOUNS = ("hex", "space")
# Words before where something goes.
DESTINATION_PREPOSITIONS = {"aboard", "in", "into", "on", "onto", "to"}
# Words of questions that are not about what is allowed.
QUESTION_WORDS = {"how", "what", "when", "where", "which", "who"}
PERMISSION_WORDS = {"allowed", "can", "cannot", "cant", "could", "may", "must", "why"}
# Words before who acts.
AGENT_PREPOSITIONS = {"by", "of", "using", "with"}
# Words before where a piece gets.
GOAL_PREPOSITIONS = {"into", "onto", "to"}
PREPOSITIONS = DESTINATION_PREPOSITIONS | TARGET_PREPOSITIONS | AGENT_PREPOSITIONS | {"from", "through", "near"}
# Words before *to* that make it a neighbor.
NEIGHBOR_WORDS = {"adjacent", "beside", "close", "next"}
# Words that stand for who acts.
PRONOUNS = {"i", "it", "one", "they", "we", "you"}
# Words of a question that name no topic, but may in a search of the book.
NO_TOPICS = {
    *("against", "anything", "bring", "choices", "everything", "many", "much", "need", "needs", "option"),
    *("options", "send", "something", "take", "takes", "then", "together", "turn", "why"),
}
# Words that say which way; alone they name no action.
DIRECTIONS = frozenset({"away", "down", "into", "off", "out", "over", "through", "up"})
# First words of questions about what is so, not about what is allowed.
STATE_WORDS = {"are", "has", "have", "is", "was", "were"}
DISTANCE_WORDS = ("away", "distance", "far", "range", "reach")
# Words of questions about the results of an attack.
CHANCE_WORDS = ("chance", "likelihood", "likely", "odds", "probability")
# Words before what others do in the meantime.
MEANWHILE = {"as", "when", "while"}
# Words between names that are meant together.
JOINING_WORDS = {",", "and", "or", "plus", "with", *DETERMINERS}
# The most pieces that words may describe.
MOST_ALIKE = 4
# What one does after another, in either order.
_THEN = re.compile(r",?\s+(?:and\s+)?then\s+|\s+before\s+(?=\w+ing\b)", re.IGNORECASE)
_AND = re.compile(r",?\s+and\s+(\w+)", re.IGNORECASE)
_AFTER = re.compile(r"\s+after\s+(?=\w+ing\b)", re.IGNORECASE)


class Mention(NamedTuple):
    """Names of one side that are meant together (*T and H*), and the `preposition` before them, "" if there is none.

    `is_subject`: they come before the verb, as who acts.
    """

    names: tuple[str, ...]
    preposition: str
    is_subject: bool


class PlainQuery(NamedTuple):
    """What a query names: pieces and places of a state, who acts first; its other words, and their stems.

    `topics` are the stems without those of kinds of pieces and of hexes, unless there are no others: *unit* and *hex*
    are words of most actions and questions. `question` is its question word other than *why*, "" if it has none.
    `asks_permission`: it asks what is allowed, or why not; `asks_state`: whether something is so; `asks_outcome`: what
    happens. `all_stems` are those of all words, also of names (`name_stems`) and words without a topic: *make*.
    `during_other_act`: it asks what one does as another acts. `unclear` are words for too many pieces, with these, or
    for none.
    """

    mentions: tuple[Mention, ...]
    pieces: tuple[int, ...]
    places: tuple[int, ...]
    names: tuple[str, ...]
    words: tuple[str, ...]
    stems: tuple[str, ...]
    topics: frozenset[str]
    question: str
    asks_permission: bool
    asks_state: bool
    asks_outcome: bool
    has_pronoun: bool
    last_preposition: str
    name_stems: frozenset[str]
    all_stems: frozenset[str]
    during_other_act: bool
    unclear: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def destinations(self) -> tuple[str, ...]:
        """Return the names of what something goes to."""
        return tuple(name for each in self.mentions if each.preposition in GOAL_PREPOSITIONS for name in each.names)

    @property
    def cases(self) -> list[tuple[str, ...]]:
        """Return the names with one of each mention: those that are meant together, one by one."""
        return [*dict.fromkeys(product(*(each.names for each in self.mentions)))]

    @property
    def ends_with_agent(self) -> bool:
        """Return whether the last piece is who acts: *is T spotted by P*."""
        return self.last_preposition == "by"

    @property
    def ends_with_place(self) -> bool:
        """Return whether the last piece is where something goes: *load R onto T*."""
        return self.last_preposition in DESTINATION_PREPOSITIONS

    @property
    def lacks_agent(self) -> bool:
        """Return whether it asks who acts on the only thing that it names: *who may fire at P*."""
        asks = self.question == "who" or (self.question in {"what", "which"} and self.asks_permission)
        return asks and not self.has_pronoun and len(self.names) == 1 and not self.mentions[0].is_subject

    @property
    def ends_with_target(self) -> bool:
        """Return whether the last piece is acted on: *the strength of T against P*."""
        return self.last_preposition in TARGET_PREPOSITIONS

    @property
    def is_about_pieces(self) -> bool:
        """Return whether the query names one piece, or some that are meant together, and nothing else."""
        return len(self.mentions) == 1 and bool(self.pieces)

    @property
    def asks_distance(self) -> bool:
        """Return whether the query has a word for a distance."""
        return not {*map(stem, DISTANCE_WORDS)}.isdisjoint(self.stems)

    @property
    def asks_chances(self) -> bool:
        """Return whether the query has a word for the chances of an attack."""
        return not {*map(stem, CHANCE_WORDS)}.isdisjoint(self.stems)

    def has_all_words_of(self, *phrases: str) -> bool:
        """Return whether the topics of the query have all words of one of these phrases that are no stop words."""
        return any(found and found <= self.topics for found in ({*stems(phrase)} for phrase in phrases))


def split_acts(state: State, text: str, action_stems: frozenset[str]) -> list[str]:
    """Return the parts of a query about acts one after the other, in their order: *fire at P and then move*.

    `action_stems` are those of words that name actions.
    """
    if len(parts := _AFTER.split(text, 1)) > 1:
        later, first = parts
        has_agent = any(not each.preposition for each in parse_query(state, first).mentions)
        named = () if has_agent else parse_query(state, later).names[:1]
        return [" ".join((*named, first)), later]
    if len(parts := _THEN.split(text, 1)) > 1:
        return parts
    for link in _AND.finditer(text):
        before = text[: link.start()]
        verbs = action_stems.isdisjoint(stems(before)), stem(link[1].lower()) not in action_stems
        if not any(verbs) and not NamesInWords(state).exact(link[1]):
            return [before, text[link.start(1) :]]
    return [text]


def parse_query(state: State, text: str) -> PlainQuery:
    """Find the pieces and places that a query names.

    Case counts in stop words and single letters: *a* is an article, *A* may be a hex.
    """
    known = NamesInWords(state)
    mentions: list[Mention] = []
    rest: list[str] = []
    between: list[str] = []
    unclear: list[tuple[str, tuple[str, ...]]] = []
    left = [each.strip("?!.;:\"'`“”()").removesuffix("'s").removesuffix("’s") for each in text.split()]
    while left:
        try:
            found, size = known.at_beginning(left, between, [name for each in mentions for name in each.names])
        except NotHereError as missing:
            unclear.append((str(missing), ()))
            found, size = (), 1
        if len(found) > MOST_ALIKE:
            unclear.append((" ".join(left[:size]), found))
            found = ()
        if not found:
            rest.append(left[0].rstrip(","))
            between += [rest[-1].lower(), *([","] if left[0].endswith(",") else [])]
            del left[0]
            continue
        is_joined = mentions and between and JOINING_WORDS.issuperset(between)
        if is_joined and known.side(mentions[-1].names[0]) == known.side(found[0]):
            mentions[-1] = mentions[-1]._replace(names=mentions[-1].names + found)
        else:
            before = [word for word in between if word not in DETERMINERS]
            preposition = before[-1] if before and before[-1] in PREPOSITIONS else ""
            if preposition == "to" and NEIGHBOR_WORDS.intersection(before[-2:]):
                preposition = "next to"
            verbs = {word.lower() for word in rest} - STOP_WORDS | PRONOUNS.intersection(map(str.lower, rest))
            mentions.append(Mention(found, preposition, preposition == "of" or not (preposition or verbs)))
        between = [","] if left[size - 1].endswith(",") else []
        del left[:size]
    return _query(state, mentions, rest, unclear)


def _query(
    state: State, mentions: list[Mention], rest: Sequence[str], unclear: list[tuple[str, tuple[str, ...]]]
) -> PlainQuery:
    """Return a query of mentions and the words that are left."""
    pieces = {sheet.name: piece for piece, sheet in enumerate(state.sheets)}
    last = next((each.preposition for each in reversed(mentions) if each.names[0] in pieces), "")
    tokens = split_tokens(" ".join(rest))
    asks_permission = not PERMISSION_WORDS.isdisjoint(tokens)
    # *Can I fire at P with T*; *can P be hit by T*.
    agent_words = {"by"} if "be" in tokens else set[str]()
    agent_words |= {"using", "with"} if not any(each.is_subject for each in mentions) else set()
    mentions.sort(key=lambda each: not (each.preposition in agent_words and each.names[0] in pieces))
    other_words = tuple(dict.fromkeys(token for token in tokens if token not in {*STOP_WORDS, *NO_TOPICS}))
    stemmed = tuple(dict.fromkeys(map(stem, other_words)))
    # What others do in the meantime is no topic, but may be a word of a reaction: *as it moves*.
    meanwhile = next((place for place, token in enumerate(tokens) if place and token in MEANWHILE), len(tokens))
    no_topics = {*stems(" ".join((*state.graph.vocabulary.kinds, *HEX_NOUNS)))}
    topics = {each for each in stemmed if each in map(stem, tokens[:meanwhile])} - no_topics
    names = tuple(dict.fromkeys(name for each in mentions for name in each.names))
    named_pieces = tuple(pieces[name] for name in names if name in pieces)
    known = NamesInWords(state)
    named_words = " ".join((*names, *map(known.words_of, named_pieces)))
    name_stems = frozenset(map(stem, split_tokens(named_words)))
    named_places = tuple(state.board.index[each] for each in names if each not in pieces)
    return PlainQuery(
        tuple(mentions), named_pieces, named_places, names, other_words, stemmed,
        frozenset(topics or stemmed), next((each for each in tokens if each in QUESTION_WORDS), ""),
        asks_permission, tokens[:1] != [] and tokens[0] in STATE_WORDS,
        "happen" in map(stem, tokens), not PRONOUNS.isdisjoint(tokens), last,
        name_stems, name_stems.union(map(stem, tokens)), meanwhile < len(tokens), tuple(unclear),
    )  # fmt: skip
