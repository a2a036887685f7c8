"""Ideas for plans: somebody is sent somewhere, told to stay, left to himself; or an action is not begun.

Who: all, a force, a sort of counter, one piece, or those nearest to it. Where to: what stands out on the map, such
as hexes that the card names, a region, a feature that is rare; where others stand; anywhere. No idea need be good,
and most are not: plans are tried out before they are followed.
"""

from runtime.graph import nodes as graph
from runtime.play.dice import Stream
from runtime.players.orders import Goal, Ground, Order, Plan
from runtime.state.position import GONE, State

RARE = 4  # What covers less than a quarter of the map stands out.
CLOSE = 7  # The most that are picked for standing together.
# One idea in so many also explores one of the actions that nobody prefers, or all.
EXPLORING = 4
# One idea in so many is about an action, one in so many of the others about leaving somebody to himself, or staying.
ACTIONS, LEAVING, STAYING = 8, 6, 5


class PlanCandidates:
    """Ideas of one side in one position."""

    def __init__(self, state: State, side: str, ground: Ground, chance: Stream) -> None:
        """Look at the map."""
        self.state = state
        self.actions = ground.actions
        self.unpreferred = sorted(ground.unpreferred)
        self.draw = chance.draw
        self.own = [piece for piece, owner in enumerate(self.state.side) if owner == side]
        self.own = [piece for piece in self.own if self.state.hex[piece] != GONE]
        self.foes = sorted(
            {h for h, owner in zip(self.state.hex, self.state.side, strict=True) if owner not in ("", side)}
        )
        self.foes = [h for h in self.foes if h >= 0]
        self.landmarks = landmark_goals(self.state)

    def changed_plan(self, plan: Plan) -> Plan:
        """Change a plan in one thing or two."""
        if self.unpreferred and self.draw(EXPLORING) == 0:
            number = self.draw(len(self.unpreferred) + 1)
            some = self.unpreferred if number == len(self.unpreferred) else self.unpreferred[number : number + 1]
            plan = plan._replace(explored=frozenset()).with_explored(frozenset(some))
        if self.actions and (not self.own or self.draw(ACTIONS) == 0):
            changed = {self.actions[self.draw(len(self.actions))]}
            if self.draw(2):
                return plan._replace(avoided=plan.avoided ^ changed, explored=plan.explored - changed)
            return plan._replace(avoided=plan.avoided - changed, explored=plan.explored ^ changed)
        orders = dict(plan.orders)
        if not self.own:
            return plan
        for _ in range(1 + self.draw(2)):
            self.add_order(orders)
        return plan._replace(orders=orders)

    def add_order(self, orders: dict[int, Order]) -> None:
        """Give one order to somebody."""
        who = self.random_pieces()
        if self.draw(LEAVING) == 0:
            for piece in who:
                orders.pop(piece, None)
        elif self.draw(STAYING) == 0:
            orders.update({p: Order((self.state.hex[p],), quiet=False) for p in who if self.state.hex[p] >= 0})
        else:
            order = Order(self.goal(), quiet=self.draw(2) == 0)
            orders.update(dict.fromkeys(who, order))

    def random_pieces(self) -> list[int]:
        """Pick who is meant."""
        state, own = self.state, self.own
        one = own[self.draw(len(own))]
        match self.draw(5):
            case 0:
                return own
            case 1:
                return [piece for piece in own if state.sheets[piece].force == state.sheets[one].force]
            case 2:
                return [piece for piece in own if state.sheets[piece].counter == state.sheets[one].counter]
            case 3:
                return [one]
            case _:
                here, distance = state.hex[one], state.board.distance
                near = sorted(own, key=lambda piece: (distance(here, state.hex[piece]), piece))
                return near[: 2 + self.draw(CLOSE - 1)]

    def goal(self) -> Goal:
        """Pick where to."""
        kind = self.draw(4)
        if kind == 0 and self.foes:
            return (self.foes[self.draw(len(self.foes))],)
        if kind == 1 or not self.landmarks:
            return (self.draw(self.state.board.size),)
        landmark = self.landmarks[self.draw(len(self.landmarks))]
        return landmark if self.draw(2) else (landmark[self.draw(len(landmark))],)


def landmark_goals(state: State) -> list[Goal]:
    """List what stands out on the map: hexes that the card or the rules name, regions, features."""
    board, tracks = state.board, state.graph.vocabulary.tracks
    found = {
        tuple(sorted(hexes or ())) for key, hexes in state.facts.items() if key in tracks and of_hexes(tracks[key].type)
    }
    found.update(board.regions.values())
    for feature in frozenset().union(*board.features):
        found.add(tuple(h for h in range(board.size) if feature in board.features[h]))
    return sorted(goal for goal in found if 0 < len(goal) <= board.size // RARE)


def of_hexes(kind: graph.Type) -> bool:
    """Return whether a type is of many hexes."""
    return isinstance(kind, graph.Many) and isinstance(kind.of, graph.Hex)
