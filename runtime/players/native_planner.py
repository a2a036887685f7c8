"""Players that plan on the compiled module, the greedy ones by their aims: rollouts and play run natively.

In: a game of a module with sides whose policy is `PLANS`. It stops where one of them needs a plan, and continues with
it. The plans are the same as with the machine (lookahead.py), decision by decision.
"""

import struct
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager

from runtime.engine.game import EXTERNAL, PLANS, WANTS_PLAN, NativeGame
from runtime.engine.trap import TrapError
from runtime.play.dice import Stream
from runtime.play.game import Game
from runtime.players.macro_search import SearchState
from runtime.players.orders import NO_PLAN, Plan, PlanContext
from runtime.players.player import sides_of
from runtime.players.rehearsal import Rehearsal, budget_share
from runtime.players.simulation import BrokenOffError, DecisionPoint, lead_margin, planners_of
from runtime.players.thinking_budget import ClockFunction, ThinkingBudget
from runtime.state.position import State

PLAN_SLOT = 8  # Bytes of the order of a piece: where the distances of its goal lie, and whether it is quiet.


class _PlanMemory:
    """The memory of one side's plans in a module; the distances of a goal are encoded once per game."""

    def __init__(self, native: NativeGame, ground: PlanContext) -> None:
        """Allocate the memory of one plan."""
        layout = native.module.layout
        self.native = native
        self.ground = ground
        self.pieces = layout.pieces
        self.actions = {
            key.removeprefix("action:"): number for number, key in enumerate(sorted(native.module.rules.procedures))
        }
        self.action_bytes = (2 * len(self.actions) + 63) // 64 * 8
        self.address = native.reserve(PLAN_SLOT * self.pieces + self.action_bytes)
        # By the identity of the distances, which are kept: to hash them took longer than the rest of a plan.
        self.rows: dict[int, tuple[int, tuple[int, ...]]] = {}
        self.free_address = self.end = 0
        self.written_plan: Plan | None = None

    def write(self, plan: Plan) -> int:
        """Encode a plan and return its address; 0 for an empty plan."""
        if not any(plan):
            return 0
        if plan is self.written_plan:
            return self.address
        slots = [0] * (2 * self.pieces)
        for piece, order in plan.orders.items():
            if order is None:
                continue
            slots[2 * piece : 2 * piece + 2] = self.distance_row(order.distances), int(order.quiet)
        bits = sum(1 << 2 * self.actions[name] for name in plan.avoided)
        bits += sum(2 << 2 * self.actions[name] for name in plan.explored)
        data = struct.pack(f"<{len(slots)}i", *slots) + bits.to_bytes(self.action_bytes, "little")
        self.native.write_bytes(self.address, data)
        self.written_plan = plan
        return self.address

    def distance_row(self, distances: tuple[int, ...]) -> int:
        """Return the address of the distances of all hexes from a goal."""
        known = self.rows.get(id(distances))
        if known is not None:
            return known[0]
        size = 4 * len(distances)
        if self.free_address + size > self.end:
            self.free_address = self.native.reserve(64 * size)
            self.end = self.free_address + 64 * size
        address = self.free_address
        self.native.write_bytes(address, struct.pack(f"<{len(distances)}i", *distances))
        self.rows[id(distances)] = address, distances
        self.free_address += size
        return address


class _NativeSimulation:
    """Rollouts in a module from a checkpoint of its game (`Simulation`)."""

    def __init__(self, planner: "Planner", side: str) -> None:
        """Start from the current game without what is secret to the side."""
        self.planner = planner
        self.native = planner.native
        self.side = side
        self.played = self.games = 0
        self.aimed = self.changes = NO_PLAN
        self.previous_choices = 0
        self.native.hide_secrets(side)
        self.native.save(planner.root)
        self._position: State | None = None

    def position(self) -> State:
        """Return the initial position; the first call has to precede all rollouts."""
        if self._position is None:
            assert not self.games
            self._position = self.native.position()
        return self._position

    def begin(self, changes: Plan, seed: str) -> None:
        """Restore the checkpoint, with changes of plans and a seed."""
        native, planner = self.native, self.planner
        native.restore(planner.root)
        native.reseed(seed)
        native.forget_plans()
        self.follow(changes)
        self._seat(EXTERNAL)
        self.games += 1
        self.played += 1
        self.previous_choices = native.choice_count

    def next_decision(self) -> DecisionPoint | None:
        """Run to the next decision of the side."""
        if not self._run():
            return None
        native = self.native
        return DecisionPoint(native.phase(), native.option_count(), native.is_offer())

    def policy_choice(self) -> int:
        """Return the index of the option that the policy prefers."""
        with self._breaking_off():
            return self.native.policy_choice()

    def choose(self, index: int) -> None:
        """Select an option."""
        with self._breaking_off():
            self.native.choose(index)

    def follow(self, changes: Plan) -> None:
        """Continue with other changes."""
        self.changes = changes
        self._follow(self.side, self.aimed)

    def _follow(self, side: str, aimed: Plan) -> None:
        """Set the plan of a side in this phase to one of its aims."""
        plan = aimed.changed_by(self.changes) if side == self.side else aimed
        self.native.follow(side, self.planner.rollout_memory[side].write(plan))

    def play_out(self) -> float:
        """Run to the end and return the value."""
        self._seat(PLANS)
        if self._run():
            raise BrokenOffError  # A side without a player has to decide.
        native, planner = self.native, self.planner
        self.played += native.choice_count - self.previous_choices
        outcome = planner.game.graph.outcome
        levels = {side: native.ask(outcome, (side,)) if outcome else 0 for side in planner.sides}
        return lead_margin(self.side, levels, native.state, native.hexes())

    def abandon(self) -> None:
        """Discard the current game from the count."""
        self.games -= 1

    def _seat(self, policy: int) -> None:
        self.native.seat({**dict.fromkeys(self.planner.sides, PLANS), self.side: policy})

    def _run(self) -> int:
        native = self.native
        with self._breaking_off():
            while (asks := native.run()) == WANTS_PLAN:
                self._follow(native.deciding_side, self.planner.aimed(native.deciding_side))
            return asks
        return 0

    @contextmanager
    def _breaking_off(self) -> Iterator[None]:
        """Convert traps of broken rules to `BrokenOffError`; other traps are raised for the machine to take over."""
        try:
            yield
        except TrapError as trap:
            if trap.reason != "broken":
                raise
            self.played += self.native.choice_count - self.previous_choices
            raise BrokenOffError from None


class Planner:
    """The greedy, lookahead and search players of one game of a module.

    `budgets`: decisions per phase, of lookahead players; `searches`: those of search players; `greedy`: the sides of
    greedy ones.
    """

    def __init__(
        self,
        game: Game,
        native: NativeGame,
        budgets: Mapping[str, float],
        searches: Mapping[str, ThinkingBudget] | None,
        clock: ClockFunction | None,
        greedy: Collection[str] = (),
    ) -> None:
        """Allocate two checkpoints and a plan for each side."""
        self.game = game
        self.native = native
        self.budgets = budgets
        self.searches = searches or {}
        self.clock = clock
        self.sides = sides_of(game, native.state)
        self.ground = PlanContext(game, native.state.board)
        self.changes: dict[str, Plan] = {}
        self.states: dict[str, SearchState] = {}
        self.seed = ""
        self.main, self.root = native.reserve_checkpoint(), native.reserve_checkpoint()
        planning = (*budgets, *self.searches, *greedy)
        self.memory = {side: _PlanMemory(native, self.ground) for side in planning}
        self.aims = planners_of(game, native.state)
        # The plans of rollouts, which are not those of the game.
        searching = self.sides if budgets or searches else ()
        self.rollout_memory = {side: _PlanMemory(native, self.ground) for side in searching}
        self.plan_slots = b""

    def start(self, seed: str) -> None:
        """Start a game without plans."""
        self.changes.clear()
        self.states = {
            side: SearchState(self.ground, self.aims[side], budget, self.clock)
            for side, budget in self.searches.items()
        }
        self.seed = seed
        self.native.start(seed)

    def run(self) -> int:
        """Run to the next decision of an `EXTERNAL` player (1), or to the end (0)."""
        native = self.native
        while asks := native.run():
            if asks == WANTS_PLAN:
                self.plan(native.deciding_side)
            elif native.deciding_side in self.states:
                native.choose(self.choose_by_search(native.deciding_side))
            else:
                return 1
        return 0

    def plan(self, side: str) -> None:
        """Compute the plan of a greedy player, or search that of a lookahead player, which restores the game."""
        if side not in self.budgets:
            self.native.follow(side, self.memory[side].write(self.aimed(side)))
            return
        simulation, seed = self._begin_simulation(side)
        simulation.aimed = self.aimed(side)
        rehearsal = Rehearsal(simulation, side, self.ground, seed)
        most = int(self.budgets[side] * budget_share(self.game, simulation.position().turn))
        changes = rehearsal.best_changes(self.changes.get(side, NO_PLAN), lambda: simulation.played >= most)
        self.changes[side] = changes
        self._restore_game()
        self.native.follow(side, self.memory[side].write(simulation.aimed.changed_by(changes)))

    def aimed(self, side: str) -> Plan:
        """Return the plan that the aims of a side yield now."""
        aims = self.aims[side]
        return aims.plan(self.native.hexes(), self.native.position() if aims.needs_position else None)

    def choose_by_search(self, side: str) -> int:
        """Return the option of a search player."""
        native, state = self.native, self.states[side]
        point = DecisionPoint(native.phase(), native.option_count(), native.is_offer())
        picked = state.next_pick(point)
        if picked is not None:
            return picked
        simulation, seed = self._begin_simulation(side)
        found = state.search(simulation, side, point, seed)
        self._restore_game()
        return found

    def _begin_simulation(self, side: str) -> tuple[_NativeSimulation, str]:
        """Save the game for rollouts; return a simulation and a seed for it."""
        self.native.save(self.main)
        self.plan_slots = self.native.plan_slots()
        self.native.count_unsettled(counts=False)
        chance = Stream(self.seed, side)
        chance.restart_at(self.native.moment())
        return _NativeSimulation(self, side), chance.seed()

    def _restore_game(self) -> None:
        """Restore the game."""
        self.native.restore(self.main)
        self.native.count_unsettled(counts=True)
        self.native.reseed(self.seed)
        self.native.write_plan_slots(self.plan_slots)
        self.native.seat(self.native.players)
