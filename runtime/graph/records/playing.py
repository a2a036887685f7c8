"""The records of games: `play`, `replay`, `audit`, `show`."""

from typing import NotRequired, TypedDict


class ContradictionRecord(TypedDict):
    """A step that was carried out although its precondition does not hold.

    precondition: the precondition.
    procedure: the procedure.
    step: the step.
    times: how often that was so.
    where: the first time.
    sentence: the sentence of the precondition.
    because: the reasons why it does not hold.
    question: the question of the rules that the precondition asks; "" without one.
    position: the file of the position; "" without one.
    left_out: what the file cannot have of the position.
    """

    precondition: str
    procedure: str
    step: str
    times: int
    where: str
    sentence: str
    because: list[str]
    question: str
    position: str
    left_out: list[str]


class BrokenFactRecord(TypedDict):
    """A step after which an `always` fact does not hold.

    fact: the fact.
    procedure: the procedure.
    step: the step.
    times: how often that was so.
    where: the first time.
    culprits: what of the position breaks it.
    position: the file of the position; "" without one.
    left_out: what the file cannot have of the position.
    sentence: the sentence of the fact.
    """

    fact: str
    procedure: str
    step: str
    times: int
    where: str
    culprits: list[str]
    position: str
    left_out: list[str]
    sentence: str


class ExecutedStepRecord(TypedDict):
    """A precondition in a procedure that was carried out.

    precondition: the precondition.
    procedure: the procedure.
    steps: how often its step was reached.
    evaluated: how often the precondition was asked.
    contradicted: how often it did not hold.
    """

    precondition: str
    procedure: str
    steps: int
    evaluated: int
    contradicted: int


class UncheckedStepRecord(TypedDict):
    """A procedure that never asks the question of a precondition.

    procedure: the procedure.
    precondition: the precondition.
    question: the question.
    """

    procedure: str
    precondition: str
    question: str


class AuditRecord(TypedDict):
    """What examples and games show of preconditions and `always` facts.

    stack: the stack.
    games: the number of games that were played.
    cards: the situations of the stack.
    examples: the number of examples whose acts were carried out.
    preconditions: the number of preconditions.
    evaluated: how often a precondition was asked before a step.
    contradictions: the steps that preconditions forbid.
    facts: the number of facts that were checked after each step.
    broken_facts: the facts that a step broke.
    executed: the preconditions by procedure, where its step was reached.
    never_executed: procedures with preconditions of which no step was carried out.
    unchecked: procedures that never ask the question of a precondition.
    unplayed: procedures and phases that no game carried out.
    stopped: why games stopped.
    printed_facts: the number of facts about printed values, which `check` compares with the counters.
    """

    stack: str
    games: int
    cards: list[str]
    examples: int
    preconditions: int
    evaluated: int
    contradictions: list[ContradictionRecord]
    facts: int
    broken_facts: list[BrokenFactRecord]
    executed: list[ExecutedStepRecord]
    never_executed: list[str]
    unchecked: list[UncheckedStepRecord]
    unplayed: list[str]
    stopped: list[str]
    printed_facts: int


class UnsettledOfferRecord(TypedDict):
    """An offer of which the budget did not decide whether its `must` can still be met.

    actions: the actions that it offers.
    file: the file of the offer.
    line: its line.
    decisions: the number of decisions at which that was so.
    options: the number of options that were offered all the same.
    """

    actions: list[str]
    file: str
    line: int
    decisions: int
    options: int


class FinishedGameRecord(TypedDict):
    """A game that was played to its end.

    winner: the side that wins; null for a draw.
    level: the level of its victory; null without one.
    levels: the level of each side.
    turns: the number of turns.
    decisions: the number of decisions.
    dice: the number of dice.
    state_hash: the hash of the last position.
    """

    winner: str | None
    level: str | int | None
    levels: dict[str, str | int | None]
    turns: int
    decisions: int
    dice: int
    state_hash: str


class PlayRecord(FinishedGameRecord):
    """A game that `play` played.

    unsettled: offers that the budget did not decide.
    player_limits: what the players do not do, in sentences.
    side_titles: the noun phrase of each side, as sentences have it.
    scenario: the situation.
    seed: the seed of the game.
    file: the file that has the game; null without one.
    """

    unsettled: list[UnsettledOfferRecord]
    player_limits: list[str]
    side_titles: dict[str, str]
    scenario: str
    seed: str
    file: str | None


class LeftGameRecord(TypedDict):
    """A game that was left, and that can go on.

    winner: null.
    level: null.
    left: true.
    file: the file that has the game.
    """

    winner: None
    level: None
    left: bool
    file: str


class GameLogRecord(TypedDict):
    """What happened in a game.

    log: a sentence for each event that is known to all.
    """

    log: list[str]


class KnownChoiceRecord(TypedDict):
    """A choice in a game, as far as a side may know it.

    step: its number.
    turn: its turn.
    side: who chose.
    question: what was asked; of own choices only.
    choice: what was chosen; of own choices only.
    """

    step: int
    turn: int
    side: str
    question: NotRequired[str]
    choice: NotRequired[str]


class GameEndRecord(TypedDict):
    """The end of a recorded game.

    winner: the side that wins; null for a draw.
    turn: the last turn.
    """

    winner: str | None
    turn: int


_ReaderPart = TypedDict("_ReaderPart", {"as": str})


class GameForSideRecord(_ReaderPart):
    """A game as far as a side may know it.

    as: the side.
    stack: the rules.
    scenario: the situation.
    players: the player of each side.
    log: a sentence for each event that the side knows.
    choices: the choices.
    result: the end; null if the game was not played to its end.
    """

    stack: str
    scenario: str
    players: dict[str, str]
    log: list[str]
    choices: list[KnownChoiceRecord]
    result: GameEndRecord | None


class ReplayRecord(TypedDict):
    """Whether a recorded game is the same when it is played again.

    same: whether it is.
    step: the first step that differs; null without one.
    rule: the first of the changed rules that are live there; null without one.
    rules: the changed rules that are live there.
    turn: the turn of the step.
    what: what differs: `options`, `state`, `dice` ..
    only_here: options that only the rules of the game give.
    only_there: options that only the other rules give.
    says: the same in sentences.
    """

    same: bool
    step: int | None
    rule: str | None
    rules: NotRequired[list[str]]
    turn: NotRequired[int]
    what: NotRequired[str]
    only_here: NotRequired[list[str]]
    only_there: NotRequired[list[str]]
    says: list[str]


class ShownPieceRecord(TypedDict):
    """A piece on the map.

    name: its name.
    counter: its counter.
    side: its side; "" if it has none.
    at: its place.
    """

    name: str
    counter: str
    side: str
    at: str


class ShownForceRecord(TypedDict):
    """A force off the map.

    side: its side.
    title: its title; "" without one.
    units: the numbers of its counters.
    where: where and when it is set up or enters.
    """

    side: str
    title: str
    units: dict[str, int]
    where: str


class ShownSceneRecord(TypedDict):
    """A situation, a position or a board under rules.

    name: its name.
    title: its title.
    stack: the rules.
    hexes: the number of hexes.
    pieces: the pieces on the map.
    forces: the forces off the map.
    victory_conditions: who wins when, in sentences.
    gaps: what the sources leave open.
    waits_for: the boards that are not there.
    file: the picture that was written; null without one.
    """

    name: str
    title: str
    stack: str
    hexes: int
    pieces: list[ShownPieceRecord]
    forces: list[ShownForceRecord]
    victory_conditions: list[str]
    gaps: list[str]
    waits_for: list[str]
    file: str | None


class WrittenCardRecord(TypedDict):
    """A situation as it is written.

    name: its name.
    title: its title.
    stack: the rules that it is written for.
    turns: the number of turns.
    sides: the sides in the order of play.
    boards: the boards of its map.
    pieces: the pieces on the map.
    forces: the forces off the map.
    facts: the facts that it gives.
    aims: who wins when, in the language of rules.
    gaps: what the sources leave open.
    waits_for: the boards that are not there.
    """

    name: str
    title: str
    stack: str
    turns: int
    sides: list[str]
    boards: list[str]
    pieces: list[ShownPieceRecord]
    forces: list[ShownForceRecord]
    facts: dict[str, str]
    aims: list[str]
    gaps: list[str]
    waits_for: list[str]
