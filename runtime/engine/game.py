"""Games in a compiled module.

In: a module compiled with its procedures, an opening, a seed, and the policy of each side (`EXTERNAL` to `PLANS`). Out:
decisions for sides that the caller plays, and the end of the game. A trap without an answer is a
`TrapError`: the game has to be played by the machine of runtime/play, which says what is wrong.
"""

import struct
from collections.abc import Mapping
from typing import NamedTuple

from runtime.engine.module import PAGE, STACK_BYTES, CompiledModule, ModuleInstance
from runtime.engine.snapshot import MemorySnapshot
from runtime.graph import nodes as graph
from runtime.graph.dice_subjects import is_by_action
from runtime.graph.digest import text_key
from runtime.graph.unsettled_offer import UnsettledOffer, unsettled_offer
from runtime.graph.walk import nodes_of
from runtime.state.moment import Moment, Phase
from runtime.state.position import State
from runtime.state.visibility import secret_types

DICE = 24  # Bytes that a die takes in the log.
MOST_DICE = 20_000
TAKEN = 16  # Bytes that what is taken at a decision takes in the log.
MOST_TAKEN = 1 << 16
HEADER = 64  # Bytes of a checkpoint before its copies.
ARENA = 4 << 20  # Bytes of records and collections that a position may come to refer to.
# Policies: the caller of the game; random, which tries options in random order or, with secrets, draws from the list;
# greedy (runtime/players/greedy.py), without a plan or following one, which PLANS requires.
EXTERNAL, DRAWS, DRAWS_LISTED, GREEDY, FOLLOWS, PLANS = range(6)
WANTS_PLAN = 2  # What `run` gives where a side that plans is to do so.
PLAN_SLOT_BYTES = 16  # Bytes of a side's plan and the phase it was made for.
SIZE_OF_UNSETTLED = 8  # Bytes of what is counted of a site whose offer has to be met.
NEVER = -(1 << 31)
# Bytes for the search of obligations: the position at each decision of a continuation.
TRIALS = 32 << 20
GAME_FUEL = 3_000_000_000  # Steps up to the next decision, or to the end where all sides draw: some ten seconds.


class TakenValue(NamedTuple):
    """An option taken at a choice or offer, even if it was the only one: `value` as the module encodes it.

    `choice_count` is the number of choices made before; `written_as` is PLAIN, RATIO_NUMBER, UNLOGGED or PLACE of
    runtime/graph/layout.py.
    """

    choice_count: int
    written_as: int
    value: int


class NativeGame(ModuleInstance):
    """Successive games from one opening in the memory of a module; `players` holds the policy of each side."""

    # Successive games request lines of the same map, of which a few hundred hexes have a hundred thousand.
    line_slots = 1 << 17
    line_bytes = 64 << 20

    def __init__(
        self,
        module: CompiledModule,
        opening: State,
        players: Mapping[str, int],
        fuel: int = GAME_FUEL,
        *,
        logs: bool,
    ) -> None:
        """Encode the opening; `start` begins a game. `fuel` limits the steps up to a decision.

        With `logs` the module records the options taken, for `choices_taken`.
        """
        self.players = dict(players)
        self.logs = logs
        self.unsettled_at = 0
        super().__init__(module, opening, fuel)

    def load(self) -> None:
        """Encode the opening, and allocate the memory of a game."""
        super().load()
        image, layout = self.image, self.module.layout
        self.players_at = image.append(bytes(4 * layout.enum_capacity))
        self.plan_slots_at = image.append(bytes(PLAN_SLOT_BYTES * layout.enum_capacity))
        self.dice_at = dice_at = image.append(bytes(DICE * MOST_DICE))
        self.log_at = image.append(bytes(TAKEN * MOST_TAKEN if self.logs else 0))
        self.arena_at = arena_at = image.append(bytes(ARENA))
        base = len(image.bytes)
        self.top += base - self.base
        self.grow_memory((base - self.base) // PAGE + 2)
        self.write_bytes(self.base, image.bytes[self.base : dice_at])
        self.base = base
        self.assign(line_begin=self.top, line_at=self.top, line_end=len(self.view))
        self.assign(
            base=base, end=self.top, arena_end=base, players=self.players_at, dice=dice_at,
            dice_top=self.log_at - DICE, log_top=arena_at - TAKEN, plan_slots=self.plan_slots_at, heap=image.map_end,
            arrays_end=layout.constants, heap_end=self.lines, arena_begin=arena_at,
        )  # fmt: skip
        self.plans = False  # Whether any side has been seated that follows plans.
        self.forget_plans()
        self.seat(self.players)
        if any(node.must for node in nodes_of(graph.Offer, tuple(self.module.rules.procedures.values()))):
            self.unsettled_at = self.reserve(SIZE_OF_UNSETTLED * len(layout.sites))
            base = self.reserve(TRIALS)
            self.assign(trial_base=base, trial_end=base + TRIALS)
            self.count_unsettled(counts=True)
        if secret_types(self.module.rules):
            self.assign(scratch=self.reserve_checkpoint())
        self.assign(
            sp=self.base, arena=self.arena_at, top=0, pieces=len(self.state.sheets), dice_end=self.dice_at, choices=0,
            mark_turn=NEVER, log_end=self.log_at if self.logs else 0,
        )  # fmt: skip
        self.call_function("start")
        self.opening_at = self.reserve(HEADER + self.array_bytes() + self.variable("sp") - self.base)
        self.save(self.opening_at)

    def start(self, seed: str) -> None:
        """Start a game before the first step of the sequence of play. Memos of the map stay valid."""
        if self.plans:
            self.forget_plans()
        if self.unsettled_at:
            self.write_bytes(self.unsettled_at, bytes(SIZE_OF_UNSETTLED * len(self.module.layout.sites)))
        self.call_unlimited("begin", text_key(seed), int(is_by_action(seed)), self.opening_at)

    def reseed(self, seed: str) -> None:
        """Set the seed of all further dice."""
        self.call_unlimited("reseed", text_key(seed), int(is_by_action(seed)))

    def seat(self, players: Mapping[str, int]) -> None:
        """Set the policy of each side; `EXTERNAL` for sides that are not named."""
        sides = [EXTERNAL] * self.module.layout.enum_capacity
        for side, player in players.items():
            sides[self.image.enum_member(side)] = player
        self.write_bytes(self.players_at, struct.pack(f"<{len(sides)}i", *sides))
        self.plans = self.plans or max(sides) >= FOLLOWS

    def forget_plans(self) -> None:
        """Remove the plans of all sides."""
        self.write_plan_slots(struct.pack("<4i", 0, NEVER, 0, 0) * self.module.layout.enum_capacity)

    def plan_slots(self) -> bytes:
        """Return the plans of all sides, by address, and the phases for which they were made."""
        size = PLAN_SLOT_BYTES * self.module.layout.enum_capacity
        return bytes(self.view[self.plan_slots_at : self.plan_slots_at + size])

    def write_plan_slots(self, slots: bytes) -> None:
        """Store the plans of all sides, as `plan_slots` returned them."""
        self.write_bytes(self.plan_slots_at, slots)

    def reserve(self, size: int) -> int:
        """Allocate memory at the end, for the life of this game, and return its address."""
        address = len(self.view)
        self.grow_memory((size + PAGE - 1) // PAGE)
        return address

    def reserve_checkpoint(self) -> int:
        """Return the address of a new checkpoint; pages that are not written to take no physical memory."""
        return self.reserve(HEADER + self.array_bytes() + STACK_BYTES + ARENA + DICE * MOST_DICE)

    def array_bytes(self) -> int:
        """Return the size in bytes of the arrays of a checkpoint, with the data that the opening appended to them."""
        layout = self.module.layout
        return layout.constants - layout.changing + self.lines - self.image.map_end

    def save(self, address: int) -> None:
        """Save the game to a checkpoint."""
        self.call_function("save", address)

    def restore(self, address: int) -> None:
        """Restore a checkpoint. Seed, policies and plans are unchanged."""
        self.call_unlimited("restore", address)

    def count_unsettled(self, *, counts: bool) -> None:
        """Start or stop counting offers of which the budget does not decide whether they can still be met."""
        self.assign(unsettled=self.unsettled_at if counts else 0)

    def unsettled_offers(self) -> tuple[UnsettledOffer, ...]:
        """Return the offers that the budget left undecided in this game."""
        if not self.unsettled_at:
            return ()
        sites, procedures = self.module.layout.sites, self.module.rules.procedures
        data = self.view[self.unsettled_at : self.unsettled_at + SIZE_OF_UNSETTLED * len(sites)]
        return tuple(
            unsettled_offer(site.actions, procedures[site.procedure], decisions, options)
            for site, (decisions, options) in zip(sites, struct.iter_unpack("<ii", data), strict=True)
            if options
        )

    def hide_secrets(self, side: str) -> None:
        """Remove what is secret to a side from the position."""
        self.call_function("hide", self.image.enum_member(side))

    def follow(self, side: str, plan: int) -> None:
        """Set the plan of a side for this phase, by its address (its layout: compiler/wasm/greedy.wat)."""
        self.call_function("follow", self.image.enum_member(side), plan)

    def option_count(self) -> int:
        """Return the number of options of the current decision."""
        return self.read_int32(self.variable("options"))

    def is_offer(self) -> bool:
        """Return whether the current decision is an offer."""
        return bool(self.call_function("is_offer"))

    def policy_choice(self) -> int:
        """Return the index of the option that a greedy player with the plan of the deciding side takes."""
        return self.call_function("policy_choice")

    def moment(self) -> Moment:
        """Return the moment of the current decision, as a playthrough has it."""
        return Moment(self.phase(), self.call_function("choice_number"))

    def phase(self) -> Phase:
        """Return the phase, as a playthrough has it."""
        names, arrays = self.module.layout.enum_members, self.module.layout.arrays
        turn, player, phase = (
            self.read_int32(arrays[f"fact:game.{name}"].base) for name in ("turn", "player", "phase")
        )
        return Phase(turn, names[player], names[phase])

    def hexes(self) -> tuple[int, ...]:
        """Return the hex of each piece."""
        address = self.module.layout.arrays["hex"].base
        return struct.unpack_from(f"<{self.variable('pieces')}i", self.view, address)

    @property
    def deciding_side(self) -> str:
        """Return the side that decides."""
        return self.module.layout.enum_members[self.variable("asked")]

    def run(self) -> int:
        """Run to the next decision of an `EXTERNAL` player; 0 at the end of the game, 2 where a side needs a plan.

        Raises `TrapError` as `call_function` does.
        """
        return self.call_unlimited("run", self.fuel)

    def options(self) -> list[int]:
        """Return the options of the current decision, as the module encodes them."""
        reader = self.memory_reader()
        row = self.variable("options")
        count = int.from_bytes(reader.view[row : row + 4], "little")
        return [reader.read_int64(row + 8 + 8 * index) for index in range(count)]

    def choose(self, index: int) -> None:
        """Apply the option with this index."""
        self.call_function("choose", index)

    def running_procedure(self) -> int:
        """Return the number of the procedure on top of the stack, -1 if there is none."""
        top = self.variable("top")
        return self.read_int32(top) if top else -1

    def position(self) -> State:
        """Return the position in the memory of the module as a new state."""
        return MemorySnapshot(self.memory_reader(), self.state, self.variable("pieces")).read()

    def pieces_and_clock(self) -> State:
        """Return the position of the pieces, with the clock, for a sixth of the time of `position`."""
        return MemorySnapshot(self.memory_reader(), self.state, self.variable("pieces")).read_pieces_and_clock()

    @property
    def choice_count(self) -> int:
        """Return the number of choices made."""
        return self.variable("choices")

    def dice(self) -> list[tuple[int, int]]:
        """Return the dice thrown: the number of their procedure, and the result."""
        reader = self.memory_reader()
        end = self.variable("dice_end")
        return [
            (reader.read_int64(address + 16) >> 32, reader.read_int64(address + 8))
            for address in range(self.dice_at, end, DICE)
        ]

    def choices_taken(self) -> list[TakenValue]:
        """Return the options taken since the beginning; the game has to be one that `logs`."""
        reader = self.memory_reader()
        data = reader.view[self.log_at : self.variable("log_end")]
        return [TakenValue(*entry) for entry in struct.iter_unpack("<iiq", data)]
