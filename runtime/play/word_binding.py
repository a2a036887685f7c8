"""Assignment of the words of a question to the choices of an action.

In: a position, a program and words. Out: assignments, each with a word for some choices, and the unused words. A word
matches a choice of hexes, pieces or members of an enumeration by name; loosely, a piece matches its hex, a hex its
pieces.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, permutations

from runtime.graph import nodes as graph
from runtime.graph.free_names import variables_in
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.words import member
from runtime.play.playthrough import Names
from runtime.play.programs import Program
from runtime.state.position import State
from runtime.state.record import Value

MOST_WORDS = 5  # Words of a line that are tried in every order.


@frozen_dataclass
class ChoiceBinding:
    """A partial execution of a procedure: program counter, bindings, and the words of choices by index of their step.

    `types` are those of the bindings, where these are not the program's own. `empty` are the indexes of choices of a
    set from which nothing is taken.
    """

    program: Program
    offset: int
    names: Names
    words: Mapping[int, str]
    types: Mapping[str, graph.Type] | None = None
    empty: frozenset[int] = frozenset()

    def without_unnamed_sets(self) -> "Iterator[ChoiceBinding]":
        """Yield the binding with nothing taken from one set that no word names and that may be empty."""
        for offset, step in enumerate(self.program.steps[: self.program.head_length]):
            is_optional = isinstance(step, graph.Choose) and step.how == "any" and step.least is None
            if is_optional and offset >= self.offset and offset not in self.words:
                yield replace(self, names=dict(self.names), empty=frozenset({offset}))

    def definition_of(self, name: str) -> graph.Expr | None:
        """Return the expression that a step binds to a name; None where the names are not the program's."""
        if self.types is not None:
            return None
        code = self.program.steps
        return next((step.value for step in code if isinstance(step, graph.Let) and step.name == name), None)

    def assumed_names(self, parameters: Collection[str]) -> tuple[frozenset[str], frozenset[int]]:
        """Return the names that no word determined, and the indexes of the conditions that read them.

        `parameters` are parameters that no word named.
        """
        assumed, found = set(parameters), set[int]()
        for offset, step in enumerate(self.program.steps[: self.program.head_length]):
            match step:
                case graph.Let(value=read) | graph.Legal(condition=read) | graph.Choose(source=read):
                    pass
                case _:
                    continue
            if variables_in(read) & assumed:
                found.add(offset)
                assumed |= {step.name} if isinstance(step, graph.Let) else set()
            if isinstance(step, graph.Choose) and offset >= self.offset and offset not in self.words:
                assumed.add(step.name)
        return frozenset(assumed), frozenset(found)

    def named_values(self, state: State) -> Iterator[tuple[str, Value]]:
        """Yield the choices of words with their values, also of those that are not executed yet."""
        for offset, word in self.words.items():
            step = self.program.steps[offset]
            assert isinstance(step, graph.Choose)
            found = values_named(state, self.program.members[offset], word, by_place=True)[:1]
            if step.name in self.names:
                yield step.name, self.names[step.name]
            elif found:
                yield step.name, tuple(found) if step.how else found[0]

    def count_loose_words(self, state: State) -> int:
        """Count the words that match their choice only loosely."""
        return sum(not values_named(state, self.program.members[offset], word) for offset, word in self.words.items())

    def count_own_places(self, state: State) -> int:
        """Count the hexes that are meant by a piece of the acting side in it: rather by one that it acts on."""
        own_piece_names = {sheet.name.lower() for sheet in state.sheets if sheet.side == self.names.get("player")}
        return sum(
            isinstance(self.program.members[offset], graph.Hex) and word.lower() in own_piece_names
            for offset, word in self.words.items()
        )

    def passes_over_a_place(self) -> bool:
        """Return whether a word is a hex in a choice although an earlier choice of a hex has no word."""
        unnamed = [
            offset
            for offset, (step, member) in enumerate(zip(self.program.steps, self.program.members, strict=True))
            if isinstance(step, graph.Choose) and isinstance(member, graph.Hex) and offset not in self.words
        ]
        return any(
            isinstance(self.program.members[offset], graph.Hex)
            and any(self.offset <= each < offset for each in unnamed)
            for offset in self.words
        )

    def reads_piece_as_place(self, state: State) -> bool:
        """Return whether a piece was read as its place."""
        hexes = {name.lower() for name in state.board.index}
        return any(
            isinstance(self.program.members[offset], graph.Hex) and word.lower() not in hexes
            for offset, word in self.words.items()
        )

    def count_place_substitutes(self, state: State) -> int:
        """Count the places that were read as the pieces in them."""
        places = {name.lower() for name in state.board.index}
        return sum(
            isinstance(self.program.members[offset], graph.Piece) and word.lower() in places
            for offset, word in self.words.items()
        )


def bind_words(
    state: State, program: Program, names: Names, word_list: tuple[str, ...], start: int = 0
) -> Iterator[tuple[ChoiceBinding, tuple[str, ...]]]:
    """Yield the assignments of words to the choices of a program, those in word order first, with the unused words.

    `start` is the index of the step from which the program continues: earlier choices are made.

    A word is matched loosely only where the same words have no assignment with fewer loose matches: a piece stands
    for its hex where the action has no other use for it. `strafers:T` is meant by the choice of that name only.
    """
    head = range(start, max(program.head_length, start + 1))
    choices = {offset: step.name for offset in head if isinstance(step := program.steps[offset], graph.Choose)}
    places = [*choices]
    parts = [
        word.rpartition(":") if word.rpartition(":")[0] in choices.values() else ("", "", word) for word in word_list
    ]
    roles = {word: role for role, _, word in parts}
    word_list = tuple(word for _, _, word in parts)
    word_list, excess_words = word_list[:MOST_WORDS], word_list[MOST_WORDS:]
    matches = {
        (word, offset)
        for word in word_list
        for offset in places
        if roles[word] in ("", choices[offset]) and values_named(state, program.members[offset], word, by_place=True)
    }
    inner = any(isinstance(step, graph.Offer) for step in program.steps)
    for count in range(min(len(places), len(word_list)), -1, -1):
        found = False
        for chosen in combinations(range(len(word_list)), count):
            bindings = [
                ChoiceBinding(
                    program, start, dict(names), {offset: word_list[i] for i, offset in zip(chosen, order, strict=True)}
                )
                for order in permutations(places, count)
                if all((word_list[i], offset) in matches for i, offset in zip(chosen, order, strict=True))
            ]
            left = tuple(word for i, word in enumerate(word_list) if i not in chosen)
            least = min((each.count_loose_words(state) for each in bindings), default=0)
            found = found or bool(bindings)
            yield from ((each, (*left, *excess_words)) for each in bindings if each.count_loose_words(state) == least)
        if found and not inner:
            return
    if word_list and places and not matches and not inner:
        yield ChoiceBinding(program, start, dict(names), {places[0]: word_list[0]}), (*word_list[1:], *excess_words)


def values_named(state: State, type_: graph.Type | None, word: str, *, by_place: bool = False) -> list[Value]:
    """Return the values that a word denotes: a hex by name, pieces by name or counter, a member by name or wording.

    A record is named by a piece in it. With `by_place` a piece matches its hex, and a hex the pieces in it.
    """
    low = word.lower()
    hexes: list[Value] = [index for name, index in state.board.index.items() if name.lower() == low]
    named_pieces = [piece for piece, sheet in enumerate(state.sheets) if sheet.name.lower() == low]
    pieces: list[Value] = named_pieces or [
        piece for piece, sheet in enumerate(state.sheets) if sheet.counter.lower() == low
    ]
    match type_:
        case graph.Hex():
            spaces = [state.hex[piece] for piece in pieces if state.hex[piece] >= 0] if by_place else []
            return hexes or [*dict.fromkeys(spaces)]
        case graph.Piece():
            return pieces or ([piece for piece, space in enumerate(state.hex) if space in hexes] if by_place else [])
        case graph.RecordOf(name):
            fields = state.graph.vocabulary.records[name].fields
            named = [each.name for each in fields if isinstance(each.type, graph.Piece)]
            return [each for each in state.records[name] if any(each.fields.get(field) in pieces for field in named)]
        case graph.Enum(name):
            members = worded_members(state, name)
            return [member for member, wording in members if low in (member.lower(), wording.lower())]
        case _:
            return []


def worded_members(state: State, enum: str) -> list[tuple[str, str]]:
    """Return the members of an enumeration, each with its name and wording; [] for one without a declaration."""
    vocabulary = state.graph.vocabulary
    declared = vocabulary.enums.get(enum)
    return [(each.name, member(enum, each.name, vocabulary)) for each in declared.members] if declared else []


def join_words(state: State, words: Sequence[str]) -> list[str]:
    """Join words that together are the wording of a member of an enumeration: `siege train`."""
    every = (wording.lower() for enum in state.graph.vocabulary.enums for _, wording in worded_members(state, enum))
    phrases = {wording for wording in every if " " in wording}
    longest = max((wording.count(" ") + 1 for wording in phrases), default=1)
    found, rest = [], list(words)
    while rest:
        sizes = range(min(longest, len(rest)), 1, -1)
        size = next((n for n in sizes if " ".join(rest[:n]).lower() in phrases), 1)
        found.append(" ".join(rest[:size]))
        del rest[:size]
    return found
