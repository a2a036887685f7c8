"""The records of `explain`, and of words that are searched for: the pages of names, the places of the book."""

from typing import Any, NotRequired, Required, TypedDict


class CodePageRecord(TypedDict):
    """The page of a code.

    code: the code.
    page: its page.
    """

    code: str
    page: str


class PlaceRowRecord(TypedDict):
    """A paragraph of the book that a search found.

    sort: what it is: `rule`, `example` ..
    number: its number; "" if it has none.
    title: its title.
    label: its name in the files.
    text: its words.
    found_by: the words of the book by which it was found, if they are others.
    """

    sort: str
    number: str
    title: str
    label: str
    text: str
    found_by: str


class PlaceRecord(PlaceRowRecord):
    """A place of the book that a search found.

    beneath: further paragraphs in it.
    """

    beneath: list[PlaceRowRecord]


class FinderRowRecord(TypedDict):
    """A question of the rules or an action that words may mean.

    sort: `question`, `action`, or `open` for all that is open to a piece.
    name: the name of the question or action.
    heading: what is answered, with every argument.
    answer: the answers and what decides them, in lines.
    calls: the questions as `ask` takes them.
    actions: the names of actions.
    """

    sort: str
    name: str
    heading: str
    answer: list[str]
    calls: list[str]
    actions: list[str]


class PlacesRecord(TypedDict):
    """The places of the book that a search found.

    words: the words.
    stack: the stack.
    found: the number of places.
    unknown: words that the book does not have.
    read: the words of the book that took the place of others.
    best: the label of the first place that `explain` has a page on; "" without one.
    places: the first places.
    rows: questions of the rules that the words may mean; absent without any.
    """

    words: str
    stack: str
    found: int
    unknown: list[str]
    read: dict[str, Any]
    best: str
    places: list[PlaceRecord]
    rows: NotRequired[list[FinderRowRecord]]


class FoundRowsRecord(TypedDict, total=False):
    """What words mean in a position; the keys of `PlacesRecord` are there if the book has places, too.

    rows: questions and actions, with their answers.
    note: what the answers leave out.
    words: as in `PlacesRecord`.
    stack: as in `PlacesRecord`.
    found: as in `PlacesRecord`.
    unknown: as in `PlacesRecord`.
    read: as in `PlacesRecord`.
    best: as in `PlacesRecord`.
    places: as in `PlacesRecord`.
    """

    rows: Required[list[FinderRowRecord]]
    note: str
    words: str
    stack: str
    found: int
    unknown: list[str]
    read: dict[str, Any]
    best: str
    places: list[PlaceRecord]


# The page of a name; a counter has a key for each value printed on it, and a kind for each sort of marks, besides.
ExplainedNamePart = TypedDict(
    "ExplainedNamePart",
    {
        "asked as": str, "answered by": str, "stands beside": str, "and so answered by": str, "asked by": str,
        "read by keys": str, "changed by": str, "in the place of": str, "amended by": str, "ruled on by": str,
        "in phases": str, "preferred by nobody": str, "called by": str, "in words": list[str], "told by": str,
        "heard by": str, "at first": str, "on the card": str, "in the case": str, "reading of": str,
        "answers the question": str, "holds beside it for": str, "defeated by": str, "clarified by": str,
        "read here as": str, "not in force": str, "is": str,
    },
    total=False,
)  # fmt: skip


class ExplainedNameRecord(ExplainedNamePart, total=False):
    """The page of a thing with a name: its facts, as texts that are empty where it has none.

    Its first key is what it is (`rule`, `question`, `chart`, `counter`, `action` ..), with its name. A counter has a
    key for each value that is printed on it, and a kind for each sort of marks, besides those below.

    layer: the layer that declares it.
    file: its file and line.
    paragraph: its source text.
    title: its title.
    text: its sentence.
    asks: the question of a ruling.
    answers: the answer of a ruling.
    kind: the kind and the impact of a ruling.
    cites: items of the sources.
    clarifies: what a ruling clarifies.
    rules: its rules.
    examples: the examples that protect it.
    readings: the readings of a dispute.
    read here as: the chosen reading.
    not in force: the rule that withdraws or replaces it.
    in the case: the headings above a rule.
    reading of: the dispute that a rule is a reading of.
    answers the question: the questions of a rule.
    holds beside it for: further questions that a prohibition holds for.
    concludes: the conclusion of a rule.
    when: the condition of a rule.
    relations: the relations of a rule to others.
    defeats: the rules that it defeats.
    defeated by: the rules that defeat it.
    clarified by: the rulings that clarify it.
    asked as: a question with its parameters.
    form: the form of a question.
    reads: how it is read.
    answered by: the rules that answer a question.
    stands beside: the questions whose prohibitions hold for it, too.
    and so answered by: the rules that hold for it by that.
    asked by: what asks it.
    more: the command that shows more.
    read by keys: the keys of a chart.
    hit: which line of a chart is read.
    cells: the cells of a chart.
    changed by: the layers that change a chart.
    parameters: its parameters.
    says: the sentence of a procedure.
    in the place of: what a procedure replaces.
    amended by: the rules that amend it.
    ruled on by: the rulings on it.
    in phases: the phases of an action.
    preferred by nobody: why no rule prefers an action.
    called by: the procedures that call it.
    in words: its steps, in lines.
    told by: the procedures that cause an event.
    heard by: the hooks of an event.
    actions: the actions of a phase.
    is: what it is.
    of: what it belongs to.
    traits: its traits.
    besides: what layers print on a counter besides.
    on the card: how many of a counter the situation has.
    printed: what is printed on the counters of a kind.
    counters: the counters that have it.
    type: its type.
    at first: what a factor shows that no chart gives another.
    otherwise: the other values of a factor.
    members: the members of an enumeration.
    places: the places of a scale.
    gives: what a function gives.
    written: how a function is written.
    fields: the fields of a record.
    book: places of the book with the word.
    also: the pages of other things with the name.
    """

    layer: str
    file: str
    paragraph: str
    title: str
    text: str
    asks: str
    answers: str
    kind: str
    cites: str
    clarifies: str
    rules: str
    examples: str
    readings: str
    concludes: str
    when: str
    relations: str
    defeats: str
    form: str
    reads: str
    more: str
    hit: str
    cells: list[Any]
    parameters: str
    says: str
    actions: str
    of: str
    traits: str
    besides: str
    printed: str
    counters: str
    type: str
    otherwise: str
    members: str
    places: str
    gives: str
    written: str
    fields: str
    book: str
    also: list[Any]
