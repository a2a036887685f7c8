"""Plain words about a position, parsed (query_parser.py): what they name, the words that are left, what they ask.

In: mentions and words. Out: a `PlainQuery`, which tells what kind of question it is.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from compiler.rulebook.index.stems import STOP_WORDS, split_tokens, stem, stems
from rulewright.table.lexicon import WORDS, has_phrase, has_role
from runtime.state.position import State

HEX_NOUNS = ("hex", "space")
PAIR = 2
# What there is for one that may stack in a place.
ROOM = "room"
# One more than the largest number that words name.
MOST_FACES = 100
# Before a place that is left.
LEFT = frozenset({"", "from", "of"})


class Mention(NamedTuple):
    """A slot of a query: names of one side that are meant together (*T and H*), and the `preposition` before them.

    `is_subject`: they come before the verb, as who acts. `word_before` may be that verb: *loading G costs T*.
    """

    names: tuple[str, ...]
    preposition: str
    is_subject: bool
    word_before: str = ""


class PlainQuery(NamedTuple):
    """What a query names: pieces and places of a state, who acts first; all its other words, and those with a topic.

    `topics` are the stems of `words` without those of kinds of pieces and of hexes, unless there are no others: *unit*
    and *hex* are words of most actions and questions. `name_stems` are those of the names and of what they stand for.
    `unclear` are words for too many pieces, with these, or for none; `future` those about another time; `status_words`
    those for how a piece is (*while limbered*). `agents` are the pieces that a question describes: *which tanks*.
    `passed_places` are places on the way to another (*through B to C*), which are no names of the query any more.
    `is_passive`: the named piece is what is acted on (*can P be hit*); a reader finds that, which knows the actions.
    `later_goals` are the places to which it goes then (*can G be carried to D*), which are no names of the query.
    `has_open_object`: it asks on what the named piece acts (*what does T see*); who parses it finds that as well.
    """

    mentions: tuple[Mention, ...]
    pieces: tuple[int, ...]
    places: tuple[int, ...]
    tokens: tuple[str, ...]
    words: tuple[str, ...]
    topics: frozenset[str]
    name_stems: frozenset[str]
    last_preposition: str
    status_words: tuple[str, ...]
    during_other_act: bool
    agent_kind: str
    future: str = ""
    unclear: tuple[tuple[str, tuple[str, ...]], ...] = ()
    agents: tuple[int, ...] = ()
    is_passive: bool = False
    passed_places: tuple[str, ...] = ()
    later_goals: tuple[str, ...] = ()
    has_open_object: bool = False

    def has(self, *roles: str) -> bool:
        """Return whether the query has a word of one of some roles."""
        return any(has_role(role, self.tokens) for role in roles)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of all slots."""
        return tuple(dict.fromkeys(name for each in self.mentions for name in each.names))

    @property
    def stems(self) -> tuple[str, ...]:
        """Return the stems of the words with a topic."""
        return tuple(dict.fromkeys(map(stem, self.words)))

    @property
    def all_stems(self) -> frozenset[str]:
        """Return the stems of all words, also of names and words without a topic: *make*."""
        return self.name_stems.union(map(stem, self.tokens))

    def has_phrase(self, role: str) -> bool:
        """Return whether the query has a phrase of a role: *in view* makes its first name an object without a verb."""
        return has_phrase(role, " ".join(self.tokens))

    @property
    def asks_obligation(self) -> bool:
        """Return whether it asks if one must act: *must T fire*, *does T have to fire*, *what must T do*.

        *What must T roll* is about results, *how much must T pay* about a price.
        """
        asks = self.question_word in ("", "what") and not self.has("dice", "chance", "price")
        is_phrase = not self.question_word and self.has_phrase("obligation phrase")
        return not WORDS["obligation"].isdisjoint(self.tokens[:1]) or (asks and (self.has("obligation") or is_phrase))

    @property
    def question_word(self) -> str:
        """Return the question word other than *why*, "" if there is none; *anything* asks what."""
        found = next((each for each in self.tokens if each in WORDS["question"]), "")
        return found or ("what" if self.has("indefinite") else "")

    @property
    def verb_stem(self) -> str:
        """Return the stem of the first word with a topic that names nothing; *go by train* is no *go*."""
        found = [each for each in self.stems if each in self.topics - self.name_stems]
        return next((each for each in found if not has_role("motion", [each])), "".join(found[:1]))

    @property
    def asks_state(self) -> bool:
        """Return whether it asks if something is so, not on what one may act: *is there anything that T can hit*."""
        if self.has("indefinite") and self.has("permission"):
            return False
        is_description = self.agents and not self.has("permission")
        first = self.tokens if is_description else self.tokens[:1]
        return not (WORDS["state"].isdisjoint(first) or self.asks_obligation)

    @property
    def asks_what_is(self) -> bool:
        """Return whether it asks what a piece does or has, and not what it may do: *does it have a zone*."""
        return not WORDS["auxiliary"].isdisjoint(self.tokens[:1])

    @property
    def asks_effect_on_other(self) -> bool:
        """Return whether it asks what one piece does to another: *does N block M*."""
        first, *others = self.mentions or [Mention((), "", is_subject=False)]
        return self.asks_what_is and first.is_subject and any(not each.preposition for each in others)

    @property
    def asks_capacity(self) -> bool:
        """Return whether it asks how many may be in a place, if one more may, or if that is full."""
        stands = self.has("stand") or ("be" in self.tokens and not self.topics)
        asks_limit = {"how", "many"} <= {*self.tokens} and stands
        goes = stands or self.has("motion", "entry")
        asks_more = self.has("further") and self.has("permission") and goes
        return bool(self.places) and (self.has("fullness") or (not self.pieces and (asks_limit or asks_more)))

    @property
    def asks_contents(self) -> bool:
        """Return whether it asks who is in a place, and not who gets there: *who is in F*, *is anyone in F*."""
        is_there = len(self.mentions) == 1 and self.mentions[0].preposition in WORDS["location"]
        asks = (self.question_word == "who" or self.has("indefinite")) and not WORDS["state"].isdisjoint(self.tokens)
        return bool(self.places) and is_there and asks and not (self.topics or self.has("permission"))

    @property
    def asks_places(self) -> bool:
        """Return whether it asks for places: *which hexes can T reach*."""
        return self.question_word in ("what", "which") and has_role("place", self.tokens[1:2])

    @property
    def asks_departure(self) -> bool:
        """Return whether it asks if one piece leaves a place, and nothing else: *leave B*, *get out of B*."""
        first, *others = self.mentions or [Mention((), "", is_subject=False)]
        is_left = len(self.pieces) == len(first.names) == 1 and len(others) == 1 and len(others[0].names) == 1
        goes = not self.topics or all(has_role("departure", [each]) for each in self.topics)
        return is_left and bool(self.places) and goes and self.has("departure") and others[0].preposition in LEFT

    @property
    def asks_clock(self) -> bool:
        """Return whether it asks for the turn or the phase, and for nothing else: *whose turn is it*."""
        words = {each for each in (*split_tokens(self.future), *self.tokens) if each not in STOP_WORDS}
        is_known = all(has_role("clock", [each]) or has_role("order of play", [each]) for each in words)
        return is_known and has_role("clock", words)

    @property
    def asks_halt(self) -> bool:
        """Return whether it asks if a piece ends its move in a place, without another word: *stop in B*."""
        return bool(self.pieces and self.places) and all(has_role("halt", [each]) for each in self.topics)

    @property
    def asks_time(self) -> bool:
        """Return whether it asks when something comes to be, or how long it lasts."""
        return not WORDS["time"].isdisjoint(self.tokens[:2])

    @property
    def asks_value(self) -> bool:
        """Return whether it asks for a value: the movement *of T* is no move."""
        is_of_piece = self.is_about_pieces and self.mentions[0].preposition == "of"
        return is_of_piece and not self.has("permission", "chance")

    @property
    def numbers(self) -> dict[str, int]:
        """Return the numbers in the query by their stems, also those in words."""
        token_stems = {*map(stem, self.tokens)} - WORDS["pronoun"]
        numbers = ((stem(str(each)), each) for each in range(MOST_FACES))
        return {word: each for word, each in numbers if word in token_stems or str(each) in self.tokens}

    @property
    def asks_reach(self) -> bool:
        """Return whether it asks if one thing is in reach of another."""
        return asks_reach(self.tokens) and len(self.names) > 1

    def with_goal_at(self, state: State) -> "PlainQuery":
        """Return a query in which the piece that something goes to stands for its place: *drive to T*."""
        names = [sheet.name for sheet in state.sheets]
        goals = {name for each in self.mentions[1:] if each.preposition == "to" for name in each.names}
        places = {name: state.hex[names.index(name)] for name in goals.intersection(names)}
        places = {name: place for name, place in places.items() if place >= 0}
        mentions = tuple(
            each._replace(names=tuple(state.board.names[places[n]] if n in places else n for n in each.names))
            for each in self.mentions
        )
        pieces = tuple(each for each in self.pieces if names[each] not in places)
        return self._replace(mentions=mentions, pieces=pieces, places=(*self.places, *places.values()))

    def with_room_beside(self, state: State) -> "PlainQuery | None":
        """Return a query about the room where a piece is, for another one that may stack with it; None for others."""
        others = [each for each in self.mentions if each.preposition == "with"]
        if not (others and len(self.pieces) == PAIR and self.has("stand") and self.has("permission")) or self.places:
            return None
        place = next((state.hex[each] for each in self.pieces if state.sheets[each].name in others[0].names), -1)
        pieces = tuple(each for each in self.pieces if state.sheets[each].name not in others[0].names)
        if place < 0 or not pieces:
            return None
        mentions = (self.mentions[0], Mention((state.board.names[place],), "in", is_subject=False))
        query = self._replace(mentions=mentions, pieces=pieces, places=(place,))
        return query._replace(tokens=(*self.tokens, ROOM), words=(ROOM,), topics=frozenset({stem(ROOM)}))

    @property
    def destinations(self) -> tuple[str, ...]:
        """Return the names of what something goes to."""
        return tuple(name for each in self.mentions if each.preposition in WORDS["goal"] for name in each.names)

    @property
    def bindings(self) -> list[tuple[str, ...]]:
        """Return the combinations of one name of each slot: names that are meant together, one by one."""
        return [*dict.fromkeys(product(*(each.names for each in self.mentions)))]

    @property
    def has_open_agent(self) -> bool:
        """Return whether it asks who acts, on the only thing that it names, if any: *who may fire at P*."""
        asks = self.question_word == "who" or (self.question_word in {"what", "which"} and self.has("permission"))
        # *As it moves* is about what it names.
        pronouns = WORDS["pronoun"].intersection(self.tokens[: meanwhile_index(self.tokens)])
        is_open = (self.is_passive or ((asks or self.agents) and not pronouns)) and len(self.names) <= 1
        is_named = not any(each.is_subject for each in self.mentions) or self.is_passive
        is_open = is_open and not (self.asks_capacity or self.asks_places)
        return bool(is_open and (self.agents or self.names)) and is_named

    @property
    def may_be_passive(self) -> bool:
        """Return whether it may ask what can be done to the only thing that it names, by nobody in particular."""
        first, *others = self.mentions or [Mention((), "", is_subject=False)]
        known = {"from", *WORDS["goal"], *WORDS["location"]}
        is_alone = first.is_subject and len(self.pieces) == 1 and all(each.preposition in known for each in others)
        return "be" in self.tokens and self.has("permission", "supposition") and is_alone

    @property
    def may_be_imperative(self) -> bool:
        """Return whether it may tell nobody in particular to do something to the only piece that it names: *load G*."""
        first, *others = self.mentions or [Mention((), "", is_subject=False)]
        is_object = (
            not first.is_subject
            and first.preposition in ("", *WORDS["target"])
            and len(self.pieces) == len(first.names) == 1
        )
        is_alone = is_object and all(each.preposition in WORDS["goal"] for each in others)
        # *How long does it take to load G* has nobody who acts either.
        asks = self.question_word and not (self.asks_time and "to" in self.tokens)
        return is_alone and not (asks or self.has("permission") or self.agents or self.asks_state)

    def without_places_of_target(self, state: State) -> "PlainQuery":
        """Return a query without the places where what is acted on is, or goes then."""
        goals, there = (
            [name for each in self.mentions if each.preposition in WORDS[role] for name in each.names]
            for role in ("goal", "location")
        )
        there = [each for each in there if each in state.board.index]
        mentions = tuple(each for each in self.mentions if {*goals, *there}.isdisjoint(each.names))
        names = {name for each in mentions for name in each.names}
        places = tuple(each for each in self.places if state.board.names[each] in names)
        return self._replace(mentions=mentions, places=places, later_goals=tuple(goals))

    def without_places(self, state: State) -> "PlainQuery":
        """Return a query without the places that it names."""
        mentions = tuple(each for each in self.mentions if each.names[0] not in state.board.index)
        return self._replace(mentions=mentions, places=())

    def with_agents_at(self, pieces_at: Mapping[int, Collection[int]]) -> "PlainQuery":
        """Return a query of who acts from the places in it, if it has some: *can P be hit from B*."""
        agents = tuple(piece for place in self.places for piece in pieces_at.get(place, ()))
        return self._replace(mentions=self.mentions[:1], places=(), agents=agents) if self.places else self

    @property
    def participle(self) -> str:
        """Return the stem of the verb that *be* makes passive: *assaulted*; "" if there is none."""
        _, _, after = " ".join(self.tokens).partition("be ")
        verb = after.partition(" ")[0]
        return stem(verb) if verb.endswith("ed") else ""

    @property
    def is_about_pieces(self) -> bool:
        """Return whether the query names one piece, or some that are meant together, and nothing else."""
        return len(self.mentions) == 1 and bool(self.pieces)

    def has_all_words_of(self, *phrases: str) -> bool:
        """Return whether the topics of the query have all words of one of these phrases that are no stop words."""
        return any(found and found <= self.topics for found in ({*stems(phrase)} for phrase in phrases))


def asks_reach(tokens: Sequence[str]) -> bool:
    """Return whether words ask if something is in range *of* something."""
    is_distance = has_role("distance", tokens) or has_role("reach", tokens)
    return is_distance and "of" in tokens and not WORDS["state"].isdisjoint(tokens[:1])


def meanwhile_index(tokens: Sequence[str]) -> int | None:
    """Return the index of the word before what is done in the meantime: *as it moves*; None if there is none."""
    return next((index for index, token in enumerate(tokens) if index and token in WORDS["meanwhile"]), None)
