"""The greedy player: maximizes the heuristic that the rules declare, the `preferring` of each choice.

At an offer it takes the action with the greatest attainable preference, if that is positive, and otherwise ends the
offer; an action without a preference counts zero. At a choice it takes the member with the greatest preference; a
choice without one is made by the next choice that has one. A set grows as long as the preference of the whole set
increases. Ties, and choices without any preference, are random.

It evaluates the current position only, without lookahead: expected results are a matter of the expression behind
`preferring`.
"""

from collections.abc import Sequence
from fractions import Fraction

from runtime.graph import nodes as graph
from runtime.graph.steps import HeadStep
from runtime.play.dice import Stream
from runtime.play.game import Game
from runtime.play.options import END, PICK, STOP, TAKE, Decision, Option
from runtime.play.playthrough import CHOSEN, Names, Playthrough, ProcedureFrame
from runtime.players.preferences import WRITTEN, Preferences, PreferenceValue
from runtime.state.position import OFF
from runtime.state.record import Value

# The value of an explored action, below that of any preferred one. One time in so many the offer is ended instead, so
# that repeatable actions do not keep a game from ending.
EXPLORED, END_ODDS = Fraction(1, 1000), 8


def greedy_option(game: Game, playthrough: Playthrough, decision: Decision, chance: Stream) -> int:
    """Return the index of the option with the greatest preference by the rules."""
    return preferred_option(game, playthrough, decision, chance, WRITTEN)


def preferred_option(
    game: Game, playthrough: Playthrough, decision: Decision, chance: Stream, preferences: Preferences
) -> int:
    """Return the index of the option with the greatest preference."""
    call = playthrough.calls[-1]
    step = game.step_of(call)
    if isinstance(step, graph.Choose) and step.how == "any" and step.preferring is not None:
        return _grow_set(game, playthrough, call, step, decision, chance, preferences)
    worths = _option_worths(game, playthrough, decision, preferences)
    if isinstance(step, graph.Offer):
        return _best_action(decision, worths, chance)
    return _best(worths, range(len(worths)), chance)


def _option_worths(
    game: Game, playthrough: Playthrough, decision: Decision, preferences: Preferences
) -> list[PreferenceValue]:
    """Return the value of each option: of beginning the action, or of choosing the member."""
    call = playthrough.calls[-1]
    step = game.step_of(call)
    if isinstance(step, graph.Offer):
        return [
            _action_worth(game, playthrough, decision, option, preferences) or 0 if option.kind == TAKE else 0
            for option in decision.options
        ]
    assert isinstance(step, graph.Choose)
    known: dict[Value, PreferenceValue] = {}
    worths: list[PreferenceValue] = []
    for option in decision.options:
        if option.kind != PICK:
            worths.append(None)
            continue
        key = _member_key(playthrough, decision.member, option.value, preferences)
        if key not in known:
            known[key] = _candidate_worth(game, playthrough, call, step, option, preferences)
        worths.append(known[key])
    return worths


def _member_key(playthrough: Playthrough, type_: graph.Type | None, member: Value, preferences: Preferences) -> Value:
    """Return the key of the equivalence class of a member: pieces of one force and counter are equal off the map.

    Most choices of a set-up are among such pieces, and evaluating every hex for each of them took a third of a whole
    game.
    """
    state = playthrough.state
    if not isinstance(type_, graph.Piece) or state.hex[member] != OFF:
        return member
    sheet = state.sheets[member]
    is_paired = any(member in pairs.lefts or member in pairs.rights for pairs in state.pairs.values())
    if is_paired or not sheet.counter:
        return member
    return (sheet.side, sheet.counter, sheet.force, preferences.distinguishing_key(member))


def _best_action(decision: Decision, worths: Sequence[PreferenceValue], chance: Stream) -> int:
    """Return the index of the best action, or of the end of the offer if no action has a positive value."""
    options = decision.options
    takes = [number for number, option in enumerate(options) if option.kind == TAKE]
    end = next((number for number, option in enumerate(options) if option.kind == END), None)
    if end is not None and all((worths[number] or 0) <= 0 for number in takes):
        return end
    best = _best(worths, takes, chance)
    return end if end is not None and worths[best] == EXPLORED and not chance.draw(END_ODDS) else best


def _action_worth(
    game: Game, playthrough: Playthrough, decision: Decision, option: Option, preferences: Preferences
) -> PreferenceValue:
    """Return the value of beginning an action: the best preference among its legal completions."""
    if preferences.avoids_action(option.name):
        return None
    key = f"action:{option.name}"
    names = game.programs.entries[key].bind_parameters(option.value, decision.side)
    worth = _best_completion(game, playthrough, key, 0, names, preferences)
    return EXPLORED if preferences.explores_action(option.name) and (worth or 0) <= 0 else worth


def _candidate_worth(
    game: Game,
    playthrough: Playthrough,
    call: ProcedureFrame,
    step: graph.Choose,
    option: Option,
    preferences: Preferences,
) -> PreferenceValue:
    """Return the value of a candidate: its own preference, or that of the first later choice that has one."""
    names = {**call.names, step.name: option.value}
    if not step.how:
        worth = preferences.member_worth(game, playthrough, call.key, step, names)
        if worth is not None:
            return worth
    program = game.program_of(call)
    if step.how or call.offset >= program.head_length:
        return None
    return _best_completion(
        game, playthrough, call.key, _choice_count(program.steps[: call.offset + 1]), names, preferences
    )


def _choice_count(steps: Sequence[object]) -> int:
    """Count the choices among steps."""
    return sum(isinstance(step, graph.Choose) for step in steps)


def _best_completion(
    game: Game, playthrough: Playthrough, key: str, choice_count: int, names: Names, preferences: Preferences
) -> PreferenceValue:
    """Return the best first preference of the legal completions of a head, after its first `choice_count` choices."""
    head = game.choices.searches[key].head
    if not any(isinstance(step, graph.Choose) and preferences.has_preference(key, step) for step in head.steps):
        return None
    return _BestCompletion(game, playthrough, key, preferences).best_worth(
        head.steps, head.written.starts[choice_count], choice_count, names
    )


class _BestCompletion:
    """A search of the completions of one head for the one with the best first preference."""

    def __init__(self, game: Game, playthrough: Playthrough, key: str, preferences: Preferences) -> None:
        self.game = game
        self.key = key
        self.preferences = preferences
        self.playthrough = playthrough
        self.state = playthrough.state
        self.evaluate = game.evaluator.evaluate
        self.search = game.choices.searches[key]

    def best_worth(self, steps: tuple[HeadStep, ...], index: int, choice_count: int, names: Names) -> PreferenceValue:
        """Return the best first preference of the steps from `index` on; None for none, or if a condition fails."""
        for number in range(index, len(steps)):
            match steps[number]:
                case graph.Legal(condition):
                    if not self.evaluate(self.state, condition, names):
                        return None
                case graph.Let(name, value):
                    names[name] = self.evaluate(self.state, value, names)
                case graph.Choose() as step if step.how:
                    return self.best_set_worth(step, choice_count, names)
                case graph.Choose() as step:
                    return self.best_member_worth(steps, number, step, choice_count, names)
        return None

    def best_member_worth(
        self, steps: tuple[HeadStep, ...], index: int, step: graph.Choose, choice_count: int, names: Names
    ) -> PreferenceValue:
        """Return the best value of a member; preferences come first, so that most members need no completion search."""
        best: PreferenceValue = None
        type_ = self.search.head.program.members[index]
        found = self.evaluate(self.state, step.source, names)
        for member in {
            _member_key(self.playthrough, type_, member, self.preferences): member for member in found
        }.values():
            bound = {**names, step.name: member}
            worth = self.preferences.member_worth(self.game, self.playthrough, self.key, step, bound)
            if worth is None:
                worth = self.best_worth(steps, index + 1, choice_count + 1, bound)
            elif (best is None or worth > best) and not self.search.can_complete(
                self.state, choice_count + 1, dict(bound)
            ):
                continue
            if worth is not None and (best is None or worth > best):
                best = worth
        return best

    def best_set_worth(self, step: graph.Choose, choice_count: int, names: Names) -> PreferenceValue:
        """Extend one set greedily and return its value."""
        if step.preferring is None or step.how == "order":
            return None
        chosen: tuple[Value, ...] = ()
        best: PreferenceValue = None
        for member in self.evaluate(self.state, step.source, names):
            trial = (*chosen, member)
            worth = self.evaluate(self.state, step.preferring, {**names, step.name: trial})
            if (best is None or worth > best) and self.search.can_continue(
                self.state, choice_count, dict(names), trial
            ):
                chosen, best = trial, worth
        return best


def _grow_set(  # noqa: PLR0913 -- the arguments of a player, with the choice at which the playthrough is
    game: Game,
    playthrough: Playthrough,
    call: ProcedureFrame,
    step: graph.Choose,
    decision: Decision,
    chance: Stream,
    preferences: Preferences,
) -> int:
    """Return the index of the first member that improves the set, else of the stop; without one, of the best member."""
    assert step.preferring is not None
    chosen: tuple[Value, ...] = call.names.get(CHOSEN, ())

    def worth(members: tuple[Value, ...]) -> Value:
        return game.evaluator.evaluate(playthrough.state, step.preferring, {**call.names, step.name: members})  # type: ignore[arg-type]  # Asserted above.

    picks = [number for number, option in enumerate(decision.options) if option.kind == PICK]
    stop = next((number for number, option in enumerate(decision.options) if option.kind == STOP), None)
    current_worth = worth(chosen) if chosen else 0
    is_piece = isinstance(decision.member, graph.Piece)
    worths: list[PreferenceValue] = [None] * len(decision.options)
    for number in picks:
        if stop is not None and is_piece and preferences.spares_member(playthrough, decision.options[number].value):
            continue
        new_worth = worths[number] = worth((*chosen, decision.options[number].value))
        if new_worth > current_worth:
            return number
    return _best(worths, picks, chance) if stop is None else stop


def _best(worths: Sequence[PreferenceValue], among: Sequence[int], chance: Stream) -> int:
    """Return an index with the greatest value; random among equals, and where there is no preference."""
    known = [worth for number in among if (worth := worths[number]) is not None]
    top = max(known) if known else None
    best = [number for number in among if worths[number] == top] if known else list(among)
    return best[0] if len(best) == 1 else best[chance.draw(len(best))]
