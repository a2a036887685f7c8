"""Random changes of plans: an order is given, withdrawn or no longer changed, or an action avoided.

The pieces of an order: all, a force, a sort of counter, one piece, or its nearest neighbors. The goal: a landmark such
as hexes that the card names, a region or a rare feature; the place of a foe; any hex. Most mutations are bad, which
the evaluation by rollouts decides.
"""

from runtime.graph import nodes as graph
from runtime.play.dice import Stream
from runtime.players.orders import NO_PLAN, Goal, MoveOrder, Plan, PlanContext
from runtime.state.position import GONE, State

RARE = 4  # What covers less than a quarter of the map stands out.
CLOSE = 7  # The most that are picked for standing together.
# One mutation in so many also explores one of the unpreferred actions, or all.
EXPLORING = 4
# One mutation in so many concerns an action; one in so many of the others removes an order, or lets pieces stay.
ACTIONS, LEAVING, STAYING = 8, 6, 5


class PlanCandidates:
    """The mutations of one side in one position."""

    def __init__(self, state: State, side: str, ground: PlanContext, chance: Stream) -> None:
        """Collect the pieces and landmarks."""
        self.state = state
        self.ground = ground
        self.actions = ground.actions
        self.unpreferred = sorted(ground.unpreferred)
        self.draw = chance.draw
        self.own_pieces = [piece for piece, owner in enumerate(self.state.side) if owner == side]
        self.own_pieces = [piece for piece in self.own_pieces if self.state.hex[piece] != GONE]
        self.enemy_hexes = sorted(
            {h for h, owner in zip(self.state.hex, self.state.side, strict=True) if owner not in ("", side)}
        )
        self.enemy_hexes = [h for h in self.enemy_hexes if h >= 0]
        self.landmarks = _landmark_goals(self.state)

    def changed_plan(self, plan: Plan) -> Plan:
        """Return a plan with one or two random changes."""
        if self.unpreferred and self.draw(EXPLORING) == 0:
            number = self.draw(len(self.unpreferred) + 1)
            some = self.unpreferred if number == len(self.unpreferred) else self.unpreferred[number : number + 1]
            plan = plan._replace(explored=frozenset()).with_explored(frozenset(some))
        if self.actions and (not self.own_pieces or self.draw(ACTIONS) == 0):
            changed = {self.actions[self.draw(len(self.actions))]}
            if self.draw(2):
                return plan._replace(avoided=plan.avoided ^ changed, explored=plan.explored - changed)
            return plan._replace(avoided=plan.avoided - changed, explored=plan.explored ^ changed)
        orders = dict(plan.orders)
        if not self.own_pieces:
            return plan
        for _ in range(1 + self.draw(2)):
            self.add_order(orders)
        return plan._replace(orders=orders)

    def without_orders(self) -> Plan:
        """Return the plan that withdraws all orders."""
        return NO_PLAN._replace(orders=dict.fromkeys(self.own_pieces))

    def add_order(self, orders: dict[int, MoveOrder | None]) -> None:
        """Change the orders of random pieces."""
        who = self.random_pieces()
        if self.draw(LEAVING) == 0:
            if self.draw(2):
                orders.update(dict.fromkeys(who))
                return
            for piece in who:
                orders.pop(piece, None)
        elif self.draw(STAYING) == 0:
            here = {piece: self.state.hex[piece] for piece in who if self.state.hex[piece] >= 0}
            orders.update({piece: MoveOrder(self.ground.distances((at,)), quiet=False) for piece, at in here.items()})
        else:
            order = MoveOrder(self.ground.distances(self.goal()), quiet=self.draw(2) == 0)
            orders.update(dict.fromkeys(who, order))

    def random_pieces(self) -> list[int]:
        """Return random pieces."""
        state, pieces = self.state, self.own_pieces
        sample = pieces[self.draw(len(pieces))]
        match self.draw(5):
            case 0:
                return pieces
            case 1:
                return [piece for piece in pieces if state.sheets[piece].force == state.sheets[sample].force]
            case 2:
                return [piece for piece in pieces if state.sheets[piece].counter == state.sheets[sample].counter]
            case 3:
                return [sample]
            case _:
                center, distance = state.hex[sample], state.board.distance
                neighbors = sorted(pieces, key=lambda piece: (distance(center, state.hex[piece]), piece))
                return neighbors[: 2 + self.draw(CLOSE - 1)]

    def goal(self) -> Goal:
        """Return a random goal."""
        kind = self.draw(4)
        if kind == 0 and self.enemy_hexes:
            return (self.enemy_hexes[self.draw(len(self.enemy_hexes))],)
        if kind == 1 or not self.landmarks:
            return (self.draw(self.state.board.size),)
        landmark = self.landmarks[self.draw(len(self.landmarks))]
        return landmark if self.draw(2) else (landmark[self.draw(len(landmark))],)


def _landmark_goals(state: State) -> list[Goal]:
    """Return the landmarks of a map: hexes that the card or the rules name, regions, features."""
    board, tracks = state.board, state.graph.vocabulary.tracks
    found = {
        tuple(sorted(hexes or ()))
        for key, hexes in state.facts.items()
        if key in tracks and _is_hex_collection(tracks[key].type)
    }
    found.update(board.regions.values())
    for feature in frozenset().union(*board.features):
        found.add(tuple(h for h in range(board.size) if feature in board.features[h]))
    return sorted(goal for goal in found if 0 < len(goal) <= board.size // RARE)


def _is_hex_collection(kind: graph.Type) -> bool:
    """Return whether a type is a collection of hexes."""
    return isinstance(kind, graph.Many) and isinstance(kind.of, graph.Hex)
