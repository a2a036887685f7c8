"""Read a witness back from its file like `ask -p`, before it is reported.

In: the environments of two stacks, and a position file with a question. Out: the answer as text, None if the file
or the question cannot be read. A position that cannot be written as a file is no witness.
"""

from collections.abc import Sequence

from compiler.question import type_question
from compiler.source.documents import read_documents
from compiler.source.lazy_table import RecordingTable
from compiler.source.nodes import Position
from rulewright.library.stacks import Stack
from runtime.witness.behavioral_diff import Read
from runtime.witness.paired_evaluation import answer_in_words


def make_reader(stacks: Sequence[Stack]) -> Read | None:
    """Build a reader of positions for two stacks; None if one of them has no environment."""
    if any(stack.env is None or stack.graph is None for stack in stacks):
        return None

    def read(which: int, text: str, question: str) -> str | None:
        stack = stacks[which]
        assert stack.env is not None
        assert stack.graph is not None
        nodes, problems = read_documents(text, "witness")
        position = next((node for node in nodes if isinstance(node, Position)), None)
        if position is None or problems:
            return None
        boards = RecordingTable(stack.library.boards)
        typed_question = type_question(stack.env, boards, position, question)
        if (
            typed_question.expression is None
            or typed_question.type is None
            or typed_question.problems
            or boards.problems
        ):
            return None
        return answer_in_words(stack.graph, typed_question.position, typed_question.expression, typed_question.type)

    return read
