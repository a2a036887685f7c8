"""Rulings that answer yes or no to a question that asks which, what, when or how."""

import re
from collections.abc import Iterator

from compiler.analysis.omissions import AnswerOfAnother
from compiler.analysis.parties import ruling_party
from compiler.analysis.problems import Problem
from runtime.graph import nodes as graph

OPEN_QUESTION = re.compile(r"(which|what|when|how|who|where|whom|whose|why)\b", re.IGNORECASE)
# "No more than others" is no plain answer.
YES_NO_ANSWER = re.compile(r"(yes|no)(?=\s*(?:[,.;:!(]|$))", re.IGNORECASE)
SENTENCES = re.compile(r"(?<=[.?!])\s+")


def answer_of_another(stack: graph.Graph) -> Iterator[Problem]:
    """Find rulings whose answer cannot be one to their question."""
    for ruling in stack.rulings.values():
        question = OPEN_QUESTION.match(SENTENCES.split(ruling.asks.strip())[-1])
        answer = YES_NO_ANSWER.match(ruling.answers)
        if question and answer:
            yield AnswerOfAnother(ruling_party(ruling), question[1].lower(), answer[1].lower())
