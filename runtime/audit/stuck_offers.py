"""Find offers that can be stuck, since nothing is open in them and they may not end.

And choices and draws from nothing. Offers for which the budget does not suffice to decide whether their `must` can
still be met are reported, too.

The input is a graph; the output is for each such step how it came about, with the position. The search plays at random:
from the beginning of the situation, if there is one that does not wait for its boards; else from the positions in which
examples take an action that leads there. Pieces moved at random seldom meet, so that a situation is also played several
times with one random side against greedy ones, as long as that is cheap: a set that is empty in one game of ten is not
found in two. A found step is stuck; that nothing is found proves
nothing. All walks of a stack have one budget, counted in members of sets and in positions that are tried out.
"""

from collections.abc import Iterator, Set
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import islice

from runtime.answer.evaluator import Evaluator
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.interpreter import Interpreter
from runtime.examples.run import ExampleRun
from runtime.examples.set_up import set_up
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.graph.budget import TooMuchWork, limited_budget, open_budget, remaining_work
from runtime.graph.call_graph import procedures_called, procedures_reached
from runtime.graph.free_names import free_names
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.members import members_of
from runtime.graph.walk import walk
from runtime.play.dice import Stream
from runtime.play.game import Game
from runtime.play.goal_search import TooManyTrials
from runtime.play.options import TAKE
from runtime.play.playthrough import OFFER_TAKEN, Playthrough
from runtime.play.rule_faults import BrokenRules, NoOpenOption
from runtime.players.greedy import greedy_option
from runtime.state import change
from runtime.state.position import State
from runtime.witness.position_file import position_file
from runtime.witness.set_up import may_stand
from runtime.witness.snapshot import position_of

# The number of decisions of a random game of a situation, and of another one; of games with one random side, and of
# members of sets that these may iterate over together; of examples for each offer, walks from each, and their
# decisions.
LONG_WALK, LONGER_WALK = 100, 300
RANDOM_GAMES, MEMBERS_OF_GAMES = 20, 100_000
EXAMPLES, WALKS, SHORT_WALK = 3, 2, 20
ZERO_NUMBER = graph.Num(Fraction(0), "")
MOST_PIECES_LISTED = 8  # The most pieces that are listed.
MOST_WALK_STEPS = 100_000  # Between two decisions.
# The number of members of sets that all walks iterate over, that one walk does, and of positions that all of them try
# out.
MEMBERS_OF_SEARCH, MEMBERS_OF_WALK, TRIALS = 6_000_000, 2_000_000, 6_000


@frozen_dataclass
class StuckOffer:
    """A step that was stuck: its procedure, how and when, and the position as a file, "" if it cannot be written."""

    step: graph.Offer | graph.Choose | graph.Draw
    procedure: graph.Procedure
    description: str
    situation: str
    file: str


@frozen_dataclass
class UnsettledStep:
    """An offer with `must` that the budget did not decide at so many decisions, after so many of their options."""

    step: graph.Offer
    procedure: graph.Procedure
    description: str
    decisions: int
    options: int


@frozen_dataclass
class _Start:
    """The start of a walk."""

    playthrough: Playthrough
    description: str
    position: graph.Position | None
    decisions: int
    offer: int | None = None  # The step of the sequence at which it starts and ends; None: no end.
    is_eager: bool = False  # It takes an action as long as there is one.
    random_side: str = ""  # The side that decides by chance where the others are greedy; "": all sides.


def stuck_offers(rules: graph.Graph, evaluator: Evaluator | None) -> Iterator[StuckOffer | UnsettledStep]:
    """Find them, each once. The evaluator must be a fresh one of the graph."""
    game = Game(rules, evaluator or GeneratedEvaluator(rules))
    binding = {
        (key, index)
        for key, program in game.programs.entries.items()
        for index, step in enumerate(program.steps)
        if may_be_empty(step) and (index >= program.head_length or isinstance(step, graph.Offer))
    }
    game.obligations.trials = TRIALS
    found: set[tuple[str, int]] = set()
    unsettled: dict[tuple[str, int], UnsettledStep] = {}
    seen: set[tuple[str, int]] = set()
    members = MEMBERS_OF_SEARCH
    for start in _starts(game) if binding or game.obligations.offers else ():
        if start.random_side:
            members = min(members, MEMBERS_OF_GAMES)
        budget = min(members, MEMBERS_OF_WALK)
        with limited_budget(budget), open_budget():
            stuck = _find_stuck_step(game, start, seen)
            members -= budget - int(remaining_work())
        _count_unsettled(game, start, unsettled)
        if stuck is not None and stuck not in found and stuck in binding:
            found.add(stuck)
            program = game.programs.entries[stuck[0]]
            step = program.steps[stuck[1]]
            assert isinstance(step, graph.Offer | graph.Choose | graph.Draw)
            yield StuckOffer(
                step,
                program.procedure,
                start.description,
                _situation_text(start.playthrough.state),
                _position_text(start, rules),
            )
        is_done = len(found) == len(binding) and len(unsettled) == len(game.obligations.offers)
        if is_done or members <= 0 or game.obligations.trials <= 0:
            break
    yield from unsettled.values()


def _count_unsettled(game: Game, start: _Start, unsettled: dict[tuple[str, int], UnsettledStep]) -> None:
    """Add the decisions of a walk at which the budget did not decide whether an offer can still be met."""
    for site, (decisions, options) in start.playthrough.unsettled.items():
        known = unsettled.get(site) or UnsettledStep(
            game.obligations.offers[site], game.programs.entries[site[0]].procedure, start.description, 0, 0
        )
        unsettled[site] = replace(known, decisions=known.decisions + decisions, options=known.options + options)


def may_be_empty(step: object) -> bool:
    """Return whether a step chooses from something that may be empty."""
    match step:
        case graph.Offer():
            return step.until not in (None, graph.Truth(value=True)) and not step.escapes
        case graph.Choose(how=mode, source=source, least=least):
            return (not mode or (mode == "any" and least not in (None, ZERO_NUMBER))) and _may_be_empty(source)
        case graph.Draw(how=mode, source=source):
            return not mode and _may_be_empty(source)
        case _:
            return False


def _may_be_empty(source: graph.Expr) -> bool:
    match source:
        case graph.All(graph.Enum() | graph.Scale()) | graph.Op("span", (_, graph.Num())):
            return False
        case graph.SetOf(elements):
            return not elements
        case _:
            return True


def _is_to_be_searched(rules: graph.Graph, offer: graph.Offer) -> bool:
    """Return whether an offer, or a step on the path of its actions, may have nothing open, or it has `must`."""
    bodies = (rules.procedures[key].body for key in procedures_reached(rules, procedures_called(rules, (offer,))))
    return offer.must or any(may_be_empty(step) for step in walk((offer, *bodies)))


def _starts(game: Game) -> Iterator[_Start]:
    """Return the starts: the situation, or positions of examples."""
    rules = game.graph
    if rules.scenario is not None:
        if not rules.scenario.waits_for and "sequence" in rules.procedures:
            name = rules.scenario.name
            sides = members_of(rules.vocabulary, "side")
            yield _Start(game.start("stuck 0"), f"in a random game of `{name}`", None, LONG_WALK)
            for number in range(RANDOM_GAMES):
                side = sides[number % len(sides)]
                mixed = f"in a game of `{name}` with {side} at random against greedy players"
                yield _Start(game.start(f"stuck {number}"), mixed, None, LONGER_WALK, random_side=side)
        return
    for key, program in tuple(game.programs.entries.items()):  # The consumer may compile programs meanwhile.
        for index, step in enumerate(program.steps):
            if isinstance(step, graph.Offer) and free_names(step) <= {"player"} and _is_to_be_searched(rules, step):
                yield from _from_examples(game, key, index, step)


def _from_examples(game: Game, key: str, index: int, offer: graph.Offer) -> Iterator[_Start]:
    """Return positions in which an example takes an action of an offer."""
    phase = next(
        (step.name for step in reversed(game.programs.entries[key].steps[:index]) if isinstance(step, graph.Phase)), ""
    )
    named = {name for name, _ in offer.actions}
    for example in _examples_with_actions(game.graph, named):
        with suppress(IndexError, BrokenRules, Unanswered, TooMuchWork):
            playing, side = ExampleRun(game.graph, example, 0), ""
            with limited_budget(MEMBERS_OF_WALK), open_budget():
                playthrough, names = set_up(game.graph, example, 0)
                if not may_stand(Interpreter(game.graph), example.position, playthrough.state):
                    continue
                for line in example.lines:
                    if isinstance(line, graph.Perform) and line.action in named:
                        side = str(
                            playing.scripted_choices(playthrough, line, names).get("player", playthrough.state.player)
                        )
                        break
                    names = playing.play_line(playthrough, line, names, playing.types)
            position = position_of(playthrough.state, replace(example.position, name="stuck"))
            for number in range(WALKS):
                walk = Playthrough(playthrough.state.copy(), f"stuck {number}")
                change.set_player(walk.state, side)
                change.set_phase(walk.state, phase)
                walk.calls.append(game.frame(key, {"player": side}, index))
                description = f"from the position of the example `{example.title}`, {side} acting"
                yield _Start(walk, description, position, SHORT_WALK, index, is_eager=bool(number))


def starting_examples(rules: graph.Graph) -> tuple[graph.Example, ...]:
    """Return the examples from whose positions offers of a stack are searched, possibly with others."""
    if rules.scenario is not None:
        return ()
    steps = walk(tuple(each.body for each in rules.procedures.values()))
    offers = (frozenset(name for name, _ in step.actions) for step in steps if isinstance(step, graph.Offer))
    return tuple(example for actions in dict.fromkeys(offers) for example in _examples_with_actions(rules, actions))


def _examples_with_actions(rules: graph.Graph, actions: Set[str]) -> list[graph.Example]:
    """Return the first examples that take one of these actions, except those on cards."""
    found = (
        each for each in rules.examples if not each.card and any(_uses_action(line, actions) for line in each.lines)
    )
    return list(islice(found, EXAMPLES))


def _uses_action(line: graph.ExampleLine, actions: Set[str]) -> bool:
    return isinstance(line, graph.Perform) and line.action in actions and not line.refusals


def _find_stuck_step(game: Game, start: _Start, seen: set[tuple[str, int]]) -> tuple[str, int] | None:
    """Play; return the step in which nothing was open, None if there is none. `seen` collects the steps reached."""
    playthrough = start.playthrough
    drawing = dict.fromkeys(members_of(game.graph.vocabulary, "side"), Stream(playthrough.seed or "", "stuck"))
    decision_count = 0
    try:
        while decision_count < start.decisions and _decide_once(game, playthrough, start, drawing, seen):
            decision_count += 1
    except NoOpenOption:
        call = playthrough.calls[-1]
        return (call.key, call.offset) if decision_count else None
    except (BrokenRules, Unanswered, TooMuchWork, TooManyTrials):
        return None
    return None


def _decide_once(
    game: Game, playthrough: Playthrough, start: _Start, drawing: dict[str, Stream], seen: set[tuple[str, int]]
) -> bool:
    """Choose one option; False once the game is over, or the offer of the sequence in which the walk started."""
    if start.offer is not None and len(playthrough.calls) == 1 and playthrough.calls[0].offset != start.offer:
        return False
    call = game.run_to_decision(playthrough, 0, iter(range(MOST_WALK_STEPS)))
    if call is None:
        return False
    game.end_pairs(playthrough)
    site = game.choices.site(call)
    if call.names.get(OFFER_TAKEN) or not isinstance(site.step, graph.Offer):
        seen.add((call.key, call.offset))
    is_greedy = bool(start.random_side) and site.side(playthrough.state, call.names) != start.random_side
    if is_greedy or (start.is_eager and isinstance(site.step, graph.Offer)):
        decision = game.decide(playthrough, call)
        chance = drawing[decision.side]
        if is_greedy:
            chosen = decision.options[greedy_option(game, playthrough, decision, chance)]
        else:
            options = [each for each in decision.options if each.kind == TAKE] or decision.options
            chosen = options[chance.draw(len(options))]
        game.apply_option(playthrough, call, site, chosen)
        return True
    # Listing all that is open, where one option suffices, would take most of the time.
    if game.obligations.are_running(playthrough) or not game.draw_for_side(playthrough, call, site, drawing):
        game.apply_option(playthrough, call, site, game.decide(playthrough, call).options[0])
    return True


def _situation_text(state: State) -> str:
    """Return the time, and the places of the pieces, as text."""
    places = [f"{s.name} at {state.board.names[h]}" for s, h in zip(state.sheets, state.hex, strict=True) if h >= 0]
    some = ", ".join(places[:MOST_PIECES_LISTED]) + (
        f" and {len(places) - MOST_PIECES_LISTED} more" if len(places) > MOST_PIECES_LISTED else ""
    )
    return f"turn {state.turn}{f', {state.phase}' if state.phase else ''}: {some}"


def _position_text(start: _Start, rules: graph.Graph) -> str:
    """Write the state where nothing is open, "" if it cannot be written."""
    if start.position is None:
        return ""
    found = position_of(start.playthrough.state, start.position)
    return position_file(found, rules.vocabulary) if found is not None else ""
