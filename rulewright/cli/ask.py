"""`rulewright ask STACK -p POSITION 'term(args)'`: answer a question, and say why."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulewright.cli.console import Reply
from rulewright.errors import UsageError, advice

if TYPE_CHECKING:
    from rulewright.library.stacks import Stack


def ask(
    stack: Annotated[str, typer.Argument(metavar="STACK", help="game+option, or a folder.")],
    question: Annotated[
        str, typer.Argument(metavar="QUESTION", help="Such as 'may_enter(T, A, B)'; `tree STACK` lists them.")
    ],
    position: Annotated[Path, typer.Option("--position", "-p", metavar="FILE", help="The position asked about.")],
    packages: list[Path],
    side: Annotated[
        str, typer.Option("--as", metavar="SIDE", help="Answer as far as this side knows: without others' secrets.")
    ] = "",
    explain: Annotated[bool, typer.Option("--explain", help="Also explain what the answer rests on.")] = False,
) -> Reply:
    """Answer QUESTION about a position: the value, the rules behind it, and why the others stay silent."""
    from rulewright.cli.findings import refusal, reply_with
    from rulewright.library.stacks import load_stack
    from rulewright.questions import ask as put

    loaded = load_stack(stack, packages)
    if loaded.broken:
        return refusal(loaded)
    asked = put(loaded, position, question, depth=3 if explain else 0, side=known_side(loaded, side))
    if asked.reasons is None:
        return reply_with(asked.diagnostics, asked.texts)
    return Reply(asked.reasons.data, asked.reasons.text)


def known_side(stack: "Stack", side: str) -> str:
    """Refuse a side that the rules do not know."""
    sides = [word.name for word in stack.graph.vocabulary.enums["side"].members] if stack.graph else []
    if side and side not in sides:
        raise UsageError(f"there is no side `{side}`; {advice(side, sides)}")
    return side
