"""`rulewright ask STACK -p POSITION 'term(args)'`: answer a question, and say why."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulewright.cli.arguments import searched_words
from rulewright.cli.console import Reply
from rulewright.errors import UsageError, suggestion_text

if TYPE_CHECKING:
    from rulewright.library.stacks import Stack
    from rulewright.table.plain_questions import PlainAnswer
    from runtime.state.position import State

# A member access: `tank.hex`.
SIGNS = frozenset("(){}[]=<>")
MEMBER = re.compile(r"[A-Za-z_]\.[A-Za-z_]")


def ask(
    stack: Annotated[str, typer.Argument(metavar="STACK", help="game[+option...], or the folder of a layer.")],
    questions: Annotated[
        list[str],
        typer.Argument(
            metavar="QUESTION..",
            help="Such as 'may_enter(T, A, B)', or plain words: with -p about pieces and places that they name, "
            "else about the book.",
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
) -> Reply:
    """Answer questions about a position, with the rules that decide.

    Of several questions, one without an answer does not stop the others; the exit code is 1 then.

    Example: rulewright ask panzer_leader -p rulewright-demo/crowded-road.yaml 'may_use_road(H, A, B, march)'
    """
    from rulewright.cli.findings import reply_with
    from rulewright.library.stacks import load_stack
    from rulewright.position_questions import set_up_file

    loaded = load_stack(stack, packages).require_usable()
    side = known_side(loaded, side)
    if position is not None and len(questions) > 1:
        set_up = set_up_file(loaded, position, side=side)
        if set_up.state is None:  # An error of the position is reported once, and not for each question.
            return reply_with(set_up.diagnostics, set_up.texts)
    replies = []
    for question in questions:
        plain = is_plain(loaded, question, with_position=position is not None)
        answer = _answer_plain_words if plain else _answer_question
        try:
            replies.append(answer(loaded, position, question, side, explain=explain))
        except UsageError as refused:
            if len(questions) == 1:
                raise
            replies.append(Reply({"error": str(refused)}, f"error: {refused}", findings=True))
    return _joined(questions, replies)


def _joined(questions: Sequence[str], replies: Sequence[Reply]) -> Reply:
    """Return the only reply, or one with each question above its own."""
    if len(replies) == 1:
        return replies[0]
    answers = [{"question": each, **reply.data} for each, reply in zip(questions, replies, strict=True)]
    from rich.console import Group

    texts = [part for each, reply in zip(questions, replies, strict=True) for part in (f"{each}\n", reply.text, "")]
    return Reply({"answers": answers}, Group(*texts[:-1]), findings=any(reply.findings for reply in replies))


def is_plain(stack: "Stack", question: str, *, with_position: bool) -> bool:
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


def _answer_plain_words(stack: "Stack", position: Path | None, query: str, side: str, *, explain: bool) -> Reply:
    """Answer a query about a position whose pieces or places it names; otherwise search the book."""
    if position is None:
        if (places := _search_book(stack, query)) is None:
            raise UsageError(f"{_nothing_about(stack, query)}; `tree {stack.name}` lists its questions")
        return places
    from rulewright.cli.findings import reply_with
    from rulewright.position_questions import set_up_file
    from rulewright.table.query_parts import separate_questions

    set_up = set_up_file(stack, position, side=side)
    if set_up.state is None:
        return reply_with(set_up.diagnostics, set_up.texts)
    parts = separate_questions(set_up.state, query)
    state, ended = set_up.state, set_up.ended
    if set_up.left_out and not side:
        ended = f"{ended} The secrets of sides are left out: `--as SIDE` answers with those of a side.".strip()
    return _joined(parts, [_answer_single(stack, state, ended, each, side, explain=explain) for each in parts])


def _answer_single(stack: "Stack", state: "State", ended: str, query: str, side: str, *, explain: bool) -> Reply:
    """Answer a single question about a state, in which pairs have `ended` as these sentences say."""
    from rich.console import Group

    from rulewright.position_questions import UMPIRE
    from rulewright.table.fitting_questions import questions_data
    from rulewright.table.plain_questions import answer_plain_words, names_text

    found = answer_plain_words(state, query, 3 if explain else 0)
    if found is None:
        places = _search_book(stack, query)
        reason = f"“{query}” names nothing of the position"
        if places is None:
            raise UsageError(f"{reason}, and {_nothing_about(stack, query)}. {names_text(state)}")
        note = f"{reason}, so the book is searched. {names_text(state)}"
        return Reply({"note": note, **places.data}, Group(f"{note}\n", places.text))
    questions = questions_data(state, found.questions)
    data = {
        "phase": found.phase,
        "side": found.side,
        "moment": found.moment,
        "lines": found.lines,
        "questions": questions,
    }
    text = "\n".join(_lines(found, questions))
    notes = [ended] if ended else []
    if side not in ("", UMPIRE) and any(record.secret for record in state.graph.vocabulary.records.values()):
        notes.append(f"This is what `{side}` knows: the secrets of other sides are left out.")
    notes += (problems := found.not_understood)
    places = None
    if not (text or found.unclear):
        words = " ".join(found.words_left) or query
        if (places := _search_book(stack, words)) is None:
            notes.append(f"Also, {_nothing_about(stack, words)}.")
    if notes:
        data["note"] = " ".join(notes)
    # Lines about other words are no answer until it is said that these are not understood.
    parts = [
        *filter(None, (*notes, text) if problems else (text, *notes)),
        *([places.text] if places else []),
    ]
    spaced = [line for part in parts for line in (part, "")][:-1]
    return Reply({**data, **(places.data if places else {})}, Group(*spaced))


def _nothing_about(stack: "Stack", query: str) -> str:
    """Return that the book has no place for a query."""
    return f"nothing in the book of {stack.name} is about “{query}”"


def _lines(found: "PlainAnswer", questions: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the lines of an answer to plain words: first those of the action that they name, or of the questions."""
    play_part = [f"{found.moment}:", *(f"  {line}" for line in found.lines)] if found.lines else []
    question_part = ["Questions of the rules with these words:", *_question_lines(questions)] if questions else []
    first, second = (play_part, question_part) if found.lines_first else (question_part, play_part)
    yield from (*first, *([""] if first and second else []), *second)


def _question_lines(questions: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the lines of questions with their answers."""
    from runtime.answer.value_text import VERDICT, YES_NO
    from runtime.graph.words import list_text

    for each in questions:
        yield f"  {each['call']}"
        if "text" in each:
            # The first rule concludes the answer; of a yes or no, others may be overruled.
            verdicts = {*VERDICT.values(), *YES_NO.values()} - {rule["says"] for rule in each["because"][:1]}
            because = [rule for rule in each["because"] if rule["cites"] and rule["says"] not in verdicts]
            decides = [f"{rule['rule']} [{', '.join(rule['cites'])}]" for rule in because]
            witnesses = each.get("witnesses", "")
            yield f"      {each['text']}{f' By {list_text(decides)}{witnesses}.' if decides else ''}"
            yield from (f"      {line}" for line in (*filter(None, [each.get("figures")]), *each.get("missed", ())))
        if "{" in each["call"]:
            yield "      (asked with something in place of the braces)"
        if "unanswered" in each:
            yield f"      not known: {each['unanswered']}"
        if each["whatever"]:
            yield f"      The same whatever the {list_text(each['whatever'])}."
        elif each["same_with"]:
            yield f"      The same with {list_text(each['same_with'])}."


def _search_book(stack: "Stack", question: str) -> Reply | None:
    """Search the book for a question in plain words; None if nothing is found."""
    from rulewright.views.book_places import book_index, places_page, places_text
    from rulewright.views.options_about import stacks_about

    assert stack.graph
    index = book_index(stack)
    found = places_page(stack, index, searched_words(question.rstrip("?")))
    if found is None:
        return None
    found["options"] = stacks_about(stack, index, question)
    return Reply(found, places_text(found))


def _answer_question(stack: "Stack", position: Path | None, question: str, side: str, *, explain: bool) -> Reply:
    """Answer a question of the rules about a position; raises `UsageError` without one."""
    from rulewright.cli.findings import reply_with
    from rulewright.position_questions import ask_about_position

    if position is None:
        term = stack.graph.terms.get(question.rstrip("?")) if stack.graph else None
        call = f"{term.name}({', '.join(each.name for each in term.parameters)})" if term else question
        raise UsageError(f"`{call}` is asked about a position: name its file with -p; plain words need none")
    answered = ask_about_position(stack, position, question, depth=3 if explain else 0, side=side)
    if answered.answer is None:
        if " " in question.strip() and not SIGNS.intersection(question):
            return _answer_plain_words(stack, position, question, side, explain=explain)
        return reply_with(answered.diagnostics, answered.texts)
    return Reply(answered.answer.data, answered.answer.text)


def known_side(stack: "Stack", side: str) -> str:
    """Return a side, the umpire, or "" for none; raises `UsageError` for one that the rules do not declare."""
    from rulewright.position_questions import UMPIRE
    from runtime.graph.members import members_of

    sides = members_of(stack.graph.vocabulary, "side") if stack.graph else ()
    if side and side not in (*sides, UMPIRE):
        raise UsageError(f"there is no side `{side}`; {suggestion_text(side, sides)}")
    return side
