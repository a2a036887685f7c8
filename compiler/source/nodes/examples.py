"""Examples: a small position, questions about it, and the expected answers."""

from compiler.source.nodes.expressions import Expression
from compiler.source.nodes.pieces import Counter
from compiler.source.nodes.procedures import Invoke, Let, Step
from compiler.source.nodes.types import Moment
from compiler.source.nodes.words import Scalar, Word
from compiler.source.span import Node
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class HexRow(Node):
    """`row A, B heath, C from X ne`: a straight line of hexes, by default eastward from a fresh hex.

    `row '0502', '0602' on moor` states the printed board of the hexes.
    """

    hexes: tuple[tuple[Word, tuple[Word, ...]], ...]
    start: Word | None
    direction: Word | None
    board: Word | None


@frozen_dataclass
class SideSetting(Node):
    """One `A/B green` of a `sides` line."""

    a: Word
    b: Word
    features: tuple[Word, ...]


@frozen_dataclass
class PathSetting(Node):
    """`path lane A-B-C`."""

    path: Word
    trail: tuple[Word, ...]


@frozen_dataclass
class SpaceRow(Node):
    """`spaces A, B heath on moor`: spaces that are not hexes, unordered; connections define which are adjacent."""

    spaces: tuple[tuple[Word, tuple[Word, ...]], ...]
    board: Word | None


@frozen_dataclass
class Connection(Node):
    """One step of `connections A-B-C, D to E`: a connection of two spaces, in both directions or in one."""

    a: Word
    b: Word
    one_way: bool


@frozen_dataclass
class PieceSetting(Node):
    """`piece T1, T2: coach of elves at A in inside (sleepy, spent 2 MP)`."""

    names: tuple[Word, ...]
    type: Word  # a counter of a pieces chart, or a kind without one
    owner: Word | None
    at: Word | None
    place: Word | None
    properties: tuple[tuple[Word, Expression | None], ...]


@frozen_dataclass
class CounterRow(Node):
    """`coach: elves, 0, 6, hoof {slow}` in a `chart`: all printed values of one counter.

    `spare` are cells without a column; the type of the counter reports columns that a short row lacks.
    """

    kind: Word
    counter: Counter
    spare: tuple[Scalar, ...]


@frozen_dataclass
class Given(Node):
    """`given can_see(A, B) = yes`: fixes one answer."""

    question: Expression
    value: Expression


@frozen_dataclass
class LetOnly(Node):
    """`let s = the sledge where sledge is empty`: binds the only piece or record of a kind for which this holds."""

    name: Word
    kind: Word
    where: Expression | None


@frozen_dataclass
class Dice(Node):
    """`dice 3, first`: the results of dice, as numbers or as columns of the example's table that contain them."""

    throws: tuple[int | Word, ...]


@frozen_dataclass
class Narrated(Node):
    """`tells`, `previews` or `chances`, and a text: what accounts have reported since the last line with an effect."""

    what: str  # tells | previews | chances
    text: str


@frozen_dataclass
class Draws(Node):
    """`draws P, Q`: the members that are drawn next, in order."""

    members: tuple[Expression, ...]


@frozen_dataclass
class Refused(Node):
    """`refused by tired-legs because marsh-slows when far`; the deciding part may also be a word of a condition."""

    by: tuple[Word, ...]
    because: tuple[Word, ...]
    when: Expression | None


@frozen_dataclass
class ChoiceMade(Node):
    """`lose.lost: T`: the choice that is made where `lose` asks for it.

    Without a procedure, where any asks for `lost`.
    """

    asking: Word | None
    name: Word
    value: Expression
    refused: Refused | None

    @property
    def graph_name(self) -> str:
        """Return the name of the choice in the graph."""
        return f"{self.asking.text}.{self.name.text}" if self.asking else self.name.text


@frozen_dataclass
class Perform(Node):
    """`act hop(imp: T, to: B) by red`: performs an action; one that is `refused` is expected to be illegal.

    The same holds for a choice on the way, `watcher: G refused`: a reaction of another side.
    """

    action: Word
    choices: tuple[ChoiceMade, ...]
    by: Expression | None
    refused: Refused | None


@frozen_dataclass
class ExpectedVerdict(Node):
    """`forbidden by label`."""

    verdict: str
    by: tuple[Word, ...]


@frozen_dataclass
class Ask(Node):
    """`ask e = v because label`; without `=`, e must be yes."""

    question: Expression
    expected: Expression | ExpectedVerdict | None
    because: tuple[Word, ...]


@frozen_dataclass
class Station(Node):
    """`phase combat of red`, `offer fire`, `do repairs`, `turn 2`: a station that the game reaches.

    With `absent`, `no phase combat`, the game does not reach it before the next station listed.
    """

    what: str
    name: Word
    side: Word | None
    absent: bool = False


@frozen_dataclass
class Order(Node):
    """`order phase combat of red, offer fire of red, turn 2`: the game reaches these in this order.

    With `stop` at the end, the lines that follow start from the position there.
    """

    stations: tuple[Station, ...]
    stop: bool = False


@frozen_dataclass
class Answered(Node):
    """`do give_up(2) choosing lost: T`: runs a resolution in which this is chosen."""

    done: Invoke
    choices: tuple[ChoiceMade, ...]


# A moment, `end of combat`, resets everything that lasts until then.
Setting = (
    CounterRow | HexRow | SpaceRow | Connection | SideSetting | PathSetting | PieceSetting | Given | Dice | Draws
    | Narrated | Let | LetOnly | Perform | Answered | Order | Invoke | Moment | Step
)  # fmt: skip


@frozen_dataclass
class Cases(Node):
    """`for (a, b) in (1, 2), (3, 4)`."""

    names: tuple[Word, ...]
    rows: tuple[tuple[Expression, ...], ...]


@frozen_dataclass
class Example(Node):
    """A position, small or from the card that it is `upon`, questions and expected answers, in written order."""

    title: str
    under: Word | None
    upon: Word | None
    cases: Cases | None
    lines: tuple[Setting | Ask, ...]
