"""Play games in a compiled module.

In: a program that was made with its procedures, an opening, a seed, and who decides for each side (`OUTSIDE` to
`PLANS`). Out: decisions for those outside, and how the game ends. What a module stops at without an answer is a
`TrapError`: the game has to be played by the machine of runtime/play, which says what is wrong.
"""

import struct
from collections.abc import Mapping
from typing import NamedTuple

from runtime.engine.snapshot import Snapshot
from runtime.engine.terms import PAGE, STACK, Program, Terms
from runtime.engine.values import NotRepresentableError
from runtime.graph import nodes as graph
from runtime.graph.dice_subjects import is_by_action
from runtime.graph.unsettled_offer import UnsettledOffer, unsettled_offer
from runtime.graph.walk import walk
from runtime.state.position import State
from runtime.state.visibility import secret_types

DICE = 32  # Bytes that a die takes in the log.
MOST_DICE = 20_000
TAKEN = 16  # Bytes that what is taken at a decision takes in the log.
MOST_TAKEN = 1 << 16
HEADER = 64  # Bytes of a checkpoint before its copies.
MOST_SEED = 1024  # Bytes of a seed.
ARENA = 4 << 20  # Bytes of records and collections that a position may come to refer to.
# Who decides: somebody outside, or chance, which tries options in random order or, with secrets, draws from the
# list; or greed (runtime/players/greedy.py), without orders or by those of a plan, which PLANS has to be given.
OUTSIDE, DRAWS, DRAWS_LISTED, GREEDY, FOLLOWS, PLANS = range(6)
WANTS_PLAN = 2  # What `run` gives where a side that plans is to do so.
PLAN_SLOT_BYTES = 16  # Bytes of a side's plan and the stretch it was made for.
SIZE_OF_UNSETTLED = 8  # Bytes of what is counted of a site whose offer has to be met.
NEVER = -(1 << 31)
# Bytes for what is tried out where an offer must come to something: the position at each decision on the way.
TRIALS = 32 << 20
GAME_FUEL = 3_000_000_000  # Steps up to the next decision, or to the end where all sides draw: some ten seconds.


class TakenValue(NamedTuple):
    """What was taken where somebody is asked, though it were the only option: `value` as the module writes it.

    `choices` counts the choices made by then; `written_as` is PLAIN, RATIO_NUMBER, UNLOGGED or PLACE of
    runtime/graph/layout.py.
    """

    choices: int
    written_as: int
    value: int


class NativeGame(Terms):
    """Games from one opening, one after the other, in the memory of a module; `players` decide for the sides."""

    # Game after game asks for lines of the same map: a few hundred hexes have a hundred thousand.
    line_slots = 1 << 17
    line_bytes = 64 << 20

    def __init__(
        self,
        program: Program,
        opening: State,
        players: Mapping[str, int],
        fuel: int = GAME_FUEL,
        *,
        logs: bool = False,
    ) -> None:
        """Write the opening; `start` begins a game. `fuel` is how many steps may be taken up to a decision.

        With `logs` the module keeps what is taken, for `taken`.
        """
        self.players = dict(players)
        self.logs = logs
        self.unsettled_at = 0
        super().__init__(program, opening, fuel)

    def load(self) -> None:
        """Write the opening, and make room for what a game is made of."""
        super().load()
        image, layout = self.image, self.program.layout
        self.seed_at = image.append(bytes(MOST_SEED))
        self.players_at = image.append(bytes(4 * layout.enum_capacity))
        self.plan_slots_at = image.append(bytes(PLAN_SLOT_BYTES * layout.enum_capacity))
        self.dice_at = dice_at = image.append(bytes(DICE * MOST_DICE))
        self.log_at = image.append(bytes(TAKEN * MOST_TAKEN if self.logs else 0))
        self.arena_at = arena_at = image.append(bytes(ARENA))
        base = len(image.bytes)
        self.top += base - self.base
        self.grow_memory((base - self.base) // PAGE + 2)
        self.memory.write(self.store, bytes(image.bytes[self.base : dice_at]), self.base)
        self.base = base
        self.assign(line_begin=self.top, line_at=self.top, line_end=self.memory.data_len(self.store))
        self.assign(
            base=base, end=self.top, arena_end=base, seed=self.seed_at, players=self.players_at, dice=dice_at,
            dice_top=self.log_at - DICE, log_top=arena_at - TAKEN, plan_slots=self.plan_slots_at, heap=layout.heap,
            arrays_end=layout.constants, heap_end=self.lines, arena_begin=arena_at,
        )  # fmt: skip
        self.plans = False  # Whether any side has been seated that follows plans.
        self.forget_plans()
        self.seat(self.players)
        if any(
            isinstance(node, graph.Offer) and node.must for node in walk(tuple(self.program.rules.procedures.values()))
        ):
            self.unsettled_at = self.reserve(SIZE_OF_UNSETTLED * len(layout.sites))
            room = self.reserve(TRIALS)
            self.assign(trial_room=room, trial_end=room + TRIALS)
            self.counts_unsettled(counts=True)
        if secret_types(self.program.rules):
            self.assign(scratch=self.reserve_checkpoint())
        self.assign(
            sp=self.base, arena=self.arena_at, top=0, pieces=len(self.state.sheets), dice_end=self.dice_at, choices=0,
            mark_turn=NEVER, log_end=self.log_at if self.logs else 0,
        )  # fmt: skip
        self.call_function("start")
        self.opening_at = self.reserve(HEADER + self.array_bytes() + self.variable("sp") - self.base)
        self.save(self.opening_at)

    def start(self, seed: str) -> None:
        """Stand before the first step of the sequence of play. What is known of the map stays known."""
        self.reseed(seed)
        if self.plans:
            self.forget_plans()
        if self.unsettled_at:
            self.memory.write(self.store, bytes(SIZE_OF_UNSETTLED * len(self.program.layout.sites)), self.unsettled_at)
        self.restore(self.opening_at)

    def reseed(self, seed: str) -> None:
        """Throw the dice of a seed from here on."""
        text = seed.encode()
        if len(text) > MOST_SEED:
            raise NotRepresentableError(f"a seed of {len(text)} bytes")
        self.memory.write(self.store, text, self.seed_at)
        self.call_function("reseed", len(text), int(is_by_action(seed)))

    def seat(self, players: Mapping[str, int]) -> None:
        """Set who decides for each side; somebody outside for those that are not named."""
        sides = [OUTSIDE] * self.program.layout.enum_capacity
        for side, player in players.items():
            sides[self.image.enum_member(side)] = player
        self.memory.write(self.store, struct.pack(f"<{len(sides)}i", *sides), self.players_at)
        self.plans = self.plans or max(sides) >= FOLLOWS

    def forget_plans(self) -> None:
        """Let no side have a plan."""
        no_plans = struct.pack("<4i", 0, NEVER, 0, 0) * self.program.layout.enum_capacity
        self.memory.write(self.store, no_plans, self.plan_slots_at)

    def reserve(self, size: int) -> int:
        """Make room behind all other memory, for as long as this game is in use."""
        at = self.memory.data_len(self.store)
        self.grow_memory((size + PAGE - 1) // PAGE)
        return at

    def reserve_checkpoint(self) -> int:
        """Make room for a checkpoint; what is not written to takes no memory of the machine."""
        return self.reserve(HEADER + self.array_bytes() + STACK + ARENA + DICE * MOST_DICE)

    def array_bytes(self) -> int:
        """Return how many bytes of a checkpoint are arrays, and what the opening put behind them."""
        layout = self.program.layout
        return layout.constants - layout.changing + self.lines - layout.heap

    def save(self, at: int) -> None:
        """Copy the game to a checkpoint."""
        self.call_function("save", at)

    def restore(self, at: int) -> None:
        """Go back to a checkpoint. The seed, who decides, and plans stay as they are."""
        self.call_function("restore", at)

    def counts_unsettled(self, *, counts: bool) -> None:
        """Count from now on where the budget does not tell whether an offer can still be met, or count no more."""
        self.assign(unsettled=self.unsettled_at if counts else 0)

    def unsettled_offers(self) -> tuple[UnsettledOffer, ...]:
        """List the offers of which the budget did not always tell in this game."""
        if not self.unsettled_at:
            return ()
        sites, procedures = self.program.layout.sites, self.program.rules.procedures
        data = self.memory.read(self.store, self.unsettled_at, self.unsettled_at + SIZE_OF_UNSETTLED * len(sites))
        return tuple(
            unsettled_offer(site.actions, procedures[site.procedure], decisions, options)
            for site, (decisions, options) in zip(sites, struct.iter_unpack("<ii", data), strict=True)
            if options
        )

    def hide_from(self, side: str) -> None:
        """Take out of the position what a side does not know of."""
        self.call_function("hide", self.image.enum_member(side))

    def follow(self, side: str, plan: int) -> None:
        """Give a side the plan at an address (compiler/wasm/play.wat says what it is made of), for this phase."""
        self.call_function("follow", self.image.enum_member(side), plan)

    def option_count(self) -> int:
        """Say among how many options somebody is asked to choose."""
        return int.from_bytes(self.memory.read(self.store, at := self.variable("options"), at + 4), "little")

    def is_offer(self) -> bool:
        """Return whether the options are actions to begin."""
        return bool(self.call_function("is_offer"))

    def policy_choice(self) -> int:
        """Return which option a greedy player would take who follows the plan of the side that is asked."""
        return self.call_function("policy_choice")

    def moment(self) -> str:
        """Name the choice to come, as a playthrough of the machine does: its phase, and its number there."""
        return f"{self.phase_key()}.{self.call_function('here')}"

    def phase_key(self) -> str:
        """Name the phase as a playthrough does: turn, player, phase."""
        names, view = self.program.layout.enum_members, self.reader().view
        turn, player, phase = (
            struct.unpack_from("<i", view, self.program.layout.arrays[f"fact:game.{name}"].base)[0]
            for name in ("turn", "player", "phase")
        )
        return f"{turn}.{names[player]}.{names[phase]}"

    def hexes(self) -> tuple[int, ...]:
        """Return the hex of each piece."""
        at = self.program.layout.arrays["hex"].base
        return struct.unpack_from(f"<{self.variable('pieces')}i", self.reader().view, at)

    @property
    def deciding_side(self) -> str:
        """Name the side that is asked."""
        return self.program.layout.enum_members[self.variable("asked")]

    def run(self) -> int:
        """Play on to the next decision of somebody outside: 0 at the end of the game, 2 where a side wants a plan."""
        return self.call_function("run")

    def options(self) -> list[int]:
        """Return what may be chosen, as the integers that stand for it."""
        reader = self.reader()
        row = self.variable("options")
        count = int.from_bytes(reader.view[row : row + 4], "little")
        return [reader.read_int64(row + 8 + 8 * at) for at in range(count)]

    def choose(self, index: int) -> None:
        """Take an option."""
        self.call_function("choose", index)

    def variable(self, name: str) -> int:
        """Read a variable of the module."""
        value: int = self.exports[name].value(self.store)
        return value

    def running_procedure(self) -> int:
        """Return the number of the procedure on top of the stack, -1 if none is."""
        top = self.variable("top")
        return int.from_bytes(self.memory.read(self.store, top, top + 4), "little") if top else -1

    def position(self) -> State:
        """Read the position."""
        return Snapshot(self.reader(), self.state, self.variable("pieces")).read()

    @property
    def choices(self) -> int:
        """Count the choices made."""
        return self.variable("choices")

    def dice(self) -> list[tuple[int, int]]:
        """List the dice thrown: the number of their procedure, and what they showed."""
        reader = self.reader()
        end = self.variable("dice_end")
        return [(reader.read_int64(at + 8) >> 32, reader.read_int64(at + 16)) for at in range(self.dice_at, end, DICE)]

    def choices_taken(self) -> list[TakenValue]:
        """List what was taken, from the beginning of the game; it has to be one that `logs`."""
        reader = self.reader()
        data = reader.view[self.log_at : self.variable("log_end")]
        return [TakenValue(*entry) for entry in struct.iter_unpack("<iiq", data)]
