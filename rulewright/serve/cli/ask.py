"""`rulewright ask STACK -p POSITION 'term(args)'`: answer a question, and say why."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from rulewright.serve.cli.arguments import searched_words
from rulewright.serve.cli.console import Reply
from rulewright.system.errors import UsageError, suggestion_text
from runtime.graph.document import DocumentBlock
from runtime.graph.document_lines import listing, reply_block
from runtime.graph.records.asking import AnswerRecord, AnswersRecord
from runtime.graph.records.explaining import FinderRowRecord, FoundRowsRecord, PlacesRecord
from runtime.graph.records.findings import FindingsRecord

if TYPE_CHECKING:
    from rulewright.explain.position_questions import SetUpQuestion
    from rulewright.library.stacks import Stack
    from runtime.state.position import State

# The most places of the book below the questions.
MOST_PLACES = 3
# A member access: `tank.hex`.
SIGNS = frozenset("(){}[]=<>")
MEMBER = re.compile(r"[A-Za-z_]\.[A-Za-z_]")


def ask(
    stack: Annotated[str, typer.Argument(metavar="STACK", help="game[+option...], or the folder of a layer.")],
    questions: Annotated[
        list[str],
        typer.Argument(
            metavar="QUESTION..",
            help="Such as 'may_enter(T, A, B)', or words: with -p they find questions about pieces and places, "
            "and places of the book.",
        ),
    ],
    packages: list[Path],
    position: Annotated[
        Path | None, typer.Option("--position", "-p", metavar="FILE", help="The position that the questions are about.")
    ] = None,
    side: Annotated[
        str,
        typer.Option("--as", metavar="SIDE", help="Answer with what this side knows; `umpire` knows all secrets."),
    ] = "",
    explain: Annotated[
        bool, typer.Option("--explain", help="Also explain the answers that this one depends on.")
    ] = False,
    all_rules: Annotated[
        bool, typer.Option("--all", help="Also list the rules that do not apply, each with the reason.")
    ] = False,
) -> Reply[AnswerRecord] | Reply[AnswersRecord] | Reply[FoundRowsRecord] | Reply[PlacesRecord] | Reply[FindingsRecord]:
    """Answer questions about a position, with the rules that decide.

    Of several questions, one without an answer does not stop the others; the exit code is 1 then.

    Example: rulewright ask panzer_leader -p rulewright-demo/crowded-road.yaml 'may_use_road(H, A, B, march)'
    """
    from rulewright.explain.position_questions import set_up_file
    from rulewright.library.stacks import load_stack
    from rulewright.serve.cli.findings import reply_with

    loaded = load_stack(stack, packages).require_usable()
    side = known_side(loaded, side)
    if position is not None and len(questions) > 1:
        set_up = set_up_file(loaded, position, side=side)
        if set_up.state is None:  # An error of the position is reported once, and not for each question.
            return reply_with(set_up.diagnostics, set_up.texts)
    replies = []
    closed = None if all_rules else " (`--all` lists them)"
    for question in questions:
        plain = _is_plain(loaded, question, with_position=position is not None)
        try:
            if plain:
                replies.append(_answer_plain_words(loaded, position, question, side, closed=closed))
            else:
                replies.append(_answer_question(loaded, position, question, side, explain=explain, closed=closed))
        except UsageError as refused:
            if len(questions) == 1:
                raise
            replies.append(_refusal(str(refused)))
    return _joined(questions, replies, closed=closed)


def _refusal(message: str) -> Reply[Any]:
    """Return the reply to a question without an answer."""
    return Reply({"error": message}, lambda _: reply_block(f"error: {message}"), findings=True)


def _joined(questions: Sequence[str], replies: Sequence[Reply[Any]], *, closed: str | None) -> Reply[Any]:
    """Return the only reply, or one with each question above its own."""
    if len(replies) == 1:
        return replies[0]
    answers = [{"question": each, **reply.record} for each, reply in zip(questions, replies, strict=True)]
    record: AnswersRecord = {"answers": answers}

    def block(_: AnswersRecord) -> DocumentBlock:
        blocks = []
        for question, reply in zip(questions, replies, strict=True):
            blocks += [reply_block(question), reply.builder(reply.record)]
        return reply_block(blocks=blocks)

    return Reply(record, block, findings=any(reply.findings for reply in replies), closed=closed)


def _is_plain(stack: "Stack", question: str, *, with_position: bool) -> bool:
    """Return whether a question is a search query instead of a term of the rules.

    With a position, a text that parses as an expression is a question, such as `R is dispersed`, but not if it begins
    with a question word, as *where is R*. A single word is a query, unless it is the name of a question.
    """
    from compiler.rulebook.index.stems import STOP_WORDS
    from compiler.source.parse import parse_expression

    first, _, rest = question.strip().partition(" ")
    begins_plainly = len(first) > 1 and first in STOP_WORDS
    if (
        with_position
        and rest
        and not begins_plainly
        and parse_expression(question.rstrip("?"), "question")[0] is not None
    ):
        return False
    if SIGNS.intersection(question) or MEMBER.search(question):
        return False
    word = question.rstrip("?").strip()
    if " " in word:
        return True
    return stack.graph is not None and word not in stack.graph.terms


def _answer_plain_words(
    stack: "Stack", position: Path | None, query: str, side: str, *, closed: str | None
) -> Reply[Any]:
    """List the questions and actions that words about a position may mean, with answers, and places of the book."""
    if position is None:
        return _search_reply(stack, query)
    from rulewright.explain.position_questions import set_up_file
    from rulewright.serve.cli.findings import reply_with

    set_up = set_up_file(stack, position, side=side)
    if set_up.state is None:
        return reply_with(set_up.diagnostics, set_up.texts)
    return _finder_reply(stack, set_up.state, set_up, query, side, closed=closed)


def _finder_reply(
    stack: "Stack", state: "State", set_up: "SetUpQuestion", query: str, side: str, *, closed: str | None
) -> Reply[Any]:
    """Return what words may mean in a position that is set up, and below it places of the book."""

    from rulewright.book.book_places import place_text, places_block
    from rulewright.explain.finder.find import find_rows
    from rulewright.explain.finder.mentions import names_text
    from rulewright.explain.finder.question_rows import SideView
    from rulewright.explain.finder.row import numbered_lines

    found = find_rows(state, query, SideView(side, set_up.left_out))
    places = _search_book(stack, query)
    if not found.rows and places is None:
        raise UsageError(f"{_nothing_about(stack, query)}, and no question of the rules. {names_text(state)}")
    notes = [set_up.ended] if set_up.ended else []
    notes += _notes_on_secrets(state, set_up.left_out, side)
    if not (found.rows or found.query.mentions):
        notes.append(f"“{query}” names nothing of the position. {names_text(state)}")
    record = cast("FoundRowsRecord", {"rows": [row.data for row in found.rows], **(places or {})})
    if notes:
        record["note"] = " ".join(notes)

    def block(_: FoundRowsRecord) -> DocumentBlock:
        rows = [cast("FinderRowRecord", {**row.data, "answer": row.answer_lines(closed=closed)}) for row in found.rows]
        blocks = [reply_block(*numbered_lines(rows)), *map(reply_block, notes)]
        if places is not None and rows:
            entries = map(place_text, places["places"][:MOST_PLACES])
            blocks.append(reply_block(listing("Places of the book:", entries)))
        elif places is not None:
            blocks.append(places_block(places))
        return reply_block(blocks=(part for part in blocks if part.lines))

    return Reply(record, block)


def _notes_on_secrets(state: "State", left_out: Sequence[str], side: str) -> list[str]:
    """Return which secrets the answers leave out."""
    from rulewright.explain.position_questions import UMPIRE

    if left_out and not side:
        return ["The secrets of sides are left out: `--as SIDE` answers with those of a side."]
    if side not in ("", UMPIRE) and any(record.secret for record in state.graph.vocabulary.records.values()):
        return [f"This is what `{side}` knows: the secrets of other sides are left out."]
    return []


def _nothing_about(stack: "Stack", query: str) -> str:
    """Return that the book has no place for a query."""
    return f"nothing in the book of {stack.name} is about “{query}”"


def _search_book(stack: "Stack", question: str) -> PlacesRecord | None:
    """Search the book for a question in plain words; None if nothing is found."""
    from rulewright.book.book_places import book_index, places_page

    return places_page(stack, book_index(stack), searched_words(question.rstrip("?")))


def _search_reply(stack: "Stack", query: str) -> Reply[Any]:
    """Return the places of the book and the questions of the rules that words may mean."""
    from rulewright.book.book_places import places_block, with_questions

    places = _search_book(stack, query)
    if places is None:
        raise UsageError(f"{_nothing_about(stack, query)}; `tree {stack.name}` lists its questions")
    return Reply(with_questions(stack, places, query), places_block)


def _answer_question(
    stack: "Stack", position: Path | None, question: str, side: str, *, explain: bool, closed: str | None
) -> Reply[Any]:
    """Answer a question of the rules about a position; raises `UsageError` without one."""
    from rulewright.explain.position_questions import ask_about_position
    from rulewright.serve.cli.findings import reply_with

    if position is None:
        term = stack.graph.terms.get(question.rstrip("?")) if stack.graph else None
        call = f"{term.name}({', '.join(parameter.name for parameter in term.parameters)})" if term else question
        raise UsageError(f"`{call}` is asked about a position: name its file with -p; plain words need none")
    answered = ask_about_position(stack, position, question, depth=3 if explain else 0, side=side)
    if answered.answer is None:
        if " " in question.strip() and not SIGNS.intersection(question):
            return _answer_plain_words(stack, position, question, side, closed=closed)
        return reply_with(answered.diagnostics, answered.texts)
    answer = answered.answer
    return Reply(cast("AnswerRecord", answer.data), lambda _: answer.block, closed=closed)


def known_side(stack: "Stack", side: str) -> str:
    """Return a side, the umpire, or "" for none; raises `UsageError` for one that the rules do not declare."""
    from rulewright.explain.position_questions import UMPIRE
    from runtime.graph.members import members_of

    sides = members_of(stack.graph.vocabulary, "side") if stack.graph else ()
    if side and side not in (*sides, UMPIRE):
        raise UsageError(f"there is no side `{side}`; {suggestion_text(side, sides)}")
    return side
