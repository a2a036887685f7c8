"""Players that plan, in a compiled module: what they try out is played there, and so is what they choose.

In: a game of a module in which sides are seated as `PLANS`. It stops where one of them is to make a plan, and goes on
once it has one. The same plans come of it as in the machine (lookahead.py), decision by decision.
"""

import struct
from collections.abc import Mapping

from runtime.engine.game import FOLLOWS, GREEDY, WANTS_PLAN, NativeGame
from runtime.engine.terms import TrapError
from runtime.play.dice import Stream
from runtime.play.game import Game
from runtime.players.orders import NO_PLAN, Goal, Ground, Plan
from runtime.players.rehearsal import Rehearsal, margin, offered, share, sides_of
from runtime.state.position import State

PLAN_SLOT = 8  # Bytes of the order of a piece: where the distances of its goal lie, and whether it is quiet.


class PlanMemory:
    """Writes plans of one side where a module reads them; distances of a goal are written once a game."""

    def __init__(self, native: NativeGame, ground: Ground) -> None:
        """Make room for one plan."""
        layout = native.program.layout
        self.native = native
        self.ground = ground
        self.pieces = layout.pieces
        self.actions = {
            key.removeprefix("action:"): number for number, key in enumerate(sorted(native.program.rules.procedures))
        }
        self.shunned_bytes = (len(self.actions) + 63) // 64 * 8
        self.at = native.reserve(PLAN_SLOT * self.pieces + self.shunned_bytes)
        self.rows: dict[Goal, int] = {}
        self.free = self.end = 0

    def write(self, plan: Plan) -> int:
        """Write a plan; give its address, 0 for one that says nothing."""
        if not plan.orders and not plan.shunned:
            return 0
        slots = [0] * (2 * self.pieces)
        for piece, order in plan.orders.items():
            slots[2 * piece : 2 * piece + 2] = self.row(order.goal), int(order.quiet)
        shunned = sum(1 << self.actions[name] for name in plan.shunned)
        data = struct.pack(f"<{len(slots)}i", *slots) + shunned.to_bytes(self.shunned_bytes, "little")
        self.native.memory.write(self.native.store, data, self.at)
        return self.at

    def row(self, goal: Goal) -> int:
        """Give where it is written how far each hex is from a goal."""
        if goal not in self.rows:
            distances = self.ground.distances(goal)
            size = 4 * len(distances)
            if self.free + size > self.end:
                self.free = self.native.reserve(64 * size)
                self.end = self.free + 64 * size
            self.native.memory.write(self.native.store, struct.pack(f"<{len(distances)}i", *distances), self.free)
            self.rows[goal] = self.free
            self.free += size
        return self.rows[goal]


class NativeSimulation:
    """Plays on in a module from a checkpoint of its game, as one side knows it."""

    def __init__(self, planner: "Planner", side: str) -> None:
        """Stand where the game stands, less what the side does not know of."""
        self.planner = planner
        self.native = planner.native
        self.side = side
        self.played = 0
        self.native.hide(side)
        self.native.save(planner.root)
        self.seated = {**dict.fromkeys(planner.sides, GREEDY), side: FOLLOWS}

    def position(self) -> State:
        """Give the position."""
        return self.native.position()

    def value(self, plan: Plan, seed: str) -> float:
        """Play on; rules that break are nobody's gain."""
        native, planner = self.native, self.planner
        native.restore(planner.root)
        native.reseed(seed)
        native.seat(self.seated)
        native.follow(self.side, planner.memory[self.side].write(plan))
        before = native.choices
        try:
            if native.run():
                raise TrapError("broken")  # Somebody is asked who does not play.
        except TrapError as trap:
            if trap.reason != "broken":
                raise
            return 0.0
        finally:
            self.played += native.choices - before + 1
        outcome = planner.game.graph.outcome
        levels = {side: native.ask(outcome, (side,)) if outcome else 0 for side in planner.sides}
        return margin(self.side, levels, native.state, native.hexes())


class Planner:
    """Makes the plans of all sides that plan in one game of a module; `budgets` are theirs, in decisions a phase."""

    def __init__(self, game: Game, native: NativeGame, budgets: Mapping[str, int]) -> None:
        """Make room for two checkpoints and a plan a side."""
        self.game = game
        self.native = native
        self.budgets = budgets
        self.sides = sides_of(game, native.state)
        self.ground = Ground(game, native.state.board)
        self.actions = offered(game)
        self.plans: dict[str, Plan] = {}
        self.seed = ""
        self.main, self.root = native.reserve_checkpoint(), native.reserve_checkpoint()
        self.memory = {side: PlanMemory(native, self.ground) for side in budgets}

    def start(self, seed: str) -> None:
        """Begin a game, without plans."""
        self.plans.clear()
        self.seed = seed
        self.native.start(seed)

    def run(self) -> int:
        """Play on to the next decision of somebody outside (1), or to the end (0), making the plans asked for."""
        while (asks := self.native.run()) == WANTS_PLAN:
            self.plan(self.native.asked)
        return asks

    def plan(self, side: str) -> None:
        """Make a plan for a side, and go back to where the game stands."""
        native = self.native
        native.save(self.main)
        chance = Stream(self.seed, side)
        chance.enter(native.moment())
        simulation = NativeSimulation(self, side)
        rehearsal = Rehearsal(simulation, side, self.actions, chance.seed())
        turn = simulation.position().turn
        plan = rehearsal.best(self.plans.get(side, NO_PLAN), int(self.budgets[side] * share(self.game, turn)))
        self.plans[side] = plan
        native.restore(self.main)
        native.reseed(self.seed)
        native.seat(native.players)
        native.follow(side, self.memory[side].write(plan))
