"""The records of questions and rules: `ask`, `tree`, `graph`, `dump`."""

from typing import Any, NotRequired, Required, TypedDict


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


class AppliedRuleRecord(TypedDict):
    """A rule that decides an answer.

    rule: its label.
    cites: items of the sources.
    text: its sentence.
    says: its conclusion.
    why: why it applies.
    cells: the cells that it reads.
    asked: the answers that it rests on, as of `ask`.
    clarified_by: the rulings that clarify it.
    provenance: the layer that it comes from; "" for the base text.
    """

    rule: str
    cites: list[str]
    provenance: str
    text: str
    says: str
    why: list[str]
    cells: list[Any]
    asked: list[Any]
    clarified_by: list[Any]


_NotPart = TypedDict("_NotPart", {"not": list[Any]})


class AnswerRecord(_NotPart, total=False):
    """The answer to a question of the rules.

    question: the question.
    value: the answer.
    text: the answer in a sentence.
    because: the rules that decide it.
    not: the rules that do not apply, each with `rule`, `cites`, `why` and `asked`.
    default: whether it is the answer where no rule applies.
    asked: the answers that it rests on.
    disputes: the disputes of the sources on which it depends.
    note: what the answer leaves out; absent where it leaves out nothing.
    """

    question: str
    value: Required[Any]
    text: str
    because: list[AppliedRuleRecord]
    default: Any
    asked: list[Any]
    disputes: list[Any]
    note: str


class AnswersRecord(TypedDict):
    """The answers to several questions.

    answers: each question under `question`, with the keys of its answer; or with `error`, if it has none.
    """

    answers: list[dict[str, Any]]
