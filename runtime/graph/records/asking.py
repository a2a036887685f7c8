"""The records of questions and rules: `tree`, `graph`, `dump`, `explain`, and the places of the book."""

from typing import Any, NotRequired, TypedDict


class QuestionRowRecord(TypedDict):
    """A question in a list.

    term: its name.
    signature: its name with its parameters.
    reads: how it is read.
    """

    term: str
    signature: str
    reads: str


class QuestionsRecord(TypedDict):
    """The questions of a stack.

    questions: the questions, by name.
    """

    questions: list[QuestionRowRecord]


class BranchRecord(TypedDict):
    """A rule of a question, with its exceptions.

    rule: its label.
    says: its conclusion; "" if it only defeats others.
    when: its condition; "" without one.
    layer: its layer.
    cites: items of the sources.
    prose: its sentence.
    exceptions: the rules that defeat it.
    """

    rule: str
    says: str
    when: str
    layer: str
    cites: list[str]
    prose: str
    exceptions: list["BranchRecord"]


class QuestionTreeRecord(TypedDict):
    """A question with its rules.

    term: its name.
    form: its form: `value`, `flag`, `sum` ..
    signature: its name with its parameters.
    reads: how it is read.
    default: the answer where no rule applies; "" without one.
    rules: its rules.
    stages: the questions that are its stages.
    """

    term: str
    form: str
    signature: str
    reads: str
    default: str
    rules: list[BranchRecord]
    stages: list["QuestionTreeRecord"]


class DiagramNodeRecord(TypedDict):
    """A node of a diagram.

    id: its identifier.
    kind: what it is: a question, a rule ..
    name: its name.
    says: its lines.
    layer: its layer.
    """

    id: str
    kind: str
    name: str
    says: list[str]
    layer: str


DiagramEdgeRecord = TypedDict("DiagramEdgeRecord", {"from": str, "to": str, "kind": str})
DiagramEdgeRecord.__doc__ = """An edge of a diagram.

from: the node at which it begins.
to: the node at which it ends.
kind: what it is: `defeats`, `asks` ..
"""


class DiagramRecord(TypedDict):
    """The rules that answer, defeat and ask each other.

    nodes: the nodes.
    edges: the edges.
    file: the file that was written; absent without one.
    """

    nodes: list[DiagramNodeRecord]
    edges: list[DiagramEdgeRecord]
    file: NotRequired[str]


class DumpRecord(TypedDict):
    """A stack after a stage of compilation; its form changes with the compiler.

    stack: the stack.
    stage: the stage.
    python: the code of the last stage.
    core: the text of the core.
    parts: the nodes of other stages by section.
    graph: the rule graph, after the stage `lowered` of a whole stack.
    """

    stack: str
    stage: str
    python: NotRequired[str]
    core: NotRequired[str]
    parts: NotRequired[dict[str, list[Any]]]
    graph: NotRequired[Any]


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
