"""Typing of a question about a position: the position file and the expression, against one stack.

In: the environment of a typed stack, a position as read, and the text of a question. Out: graph nodes for the runtime,
and the problems of both texts.
"""

from collections.abc import Mapping
from dataclasses import replace

from compiler.source import nodes as source
from compiler.source.finding import Finding
from compiler.source.parse import parse_expression
from compiler.typed.environment import Environment
from compiler.typed.findings.names import OF_POSITION, UnknownName
from compiler.typed.situations.setups import build_position
from compiler.typed.values.expressions import elaborate
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass

WHERE = "question"


@frozen_dataclass
class TypedQuestion:
    """A typed question; `expression` is None where there are problems."""

    position: graph.Position
    expression: graph.Expr | None
    type: graph.Type | None
    problems: tuple[Finding, ...]


def type_question(
    stack_env: Environment, boards: Mapping[str, source.Board], position: source.Position, text: str
) -> TypedQuestion:
    """Return a position and a question about it, typed in the environment of a stack."""
    env = replace(stack_env, problems=[])
    graph_position, context = build_position(env, position, boards)
    written, broken = parse_expression(text, WHERE)
    if written is None:
        return TypedQuestion(graph_position, None, None, (*env.problems, *broken))
    expression, type_ = elaborate(written, context, None)
    problems = (*map(_in_position, env.problems), *broken)
    return TypedQuestion(graph_position, None if problems else expression, type_, problems)


def _in_position(problem: Finding) -> Finding:
    """Return the problem of a name in a question as that of a name that its position lacks."""
    if not isinstance(problem, UnknownName) or problem.category != "name" or problem.span.file != WHERE:
        return problem
    return replace(
        problem, category=OF_POSITION, candidates=tuple(each for each in problem.candidates if each != "player")
    )
