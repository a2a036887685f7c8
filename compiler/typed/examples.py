"""Elaboration of examples: the small position that they set up, and the lines that query it.

In: an example as written, and its card if it has one. Out: one `graph.Example`; none if it has a problem that leaves no
position.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple, cast

from compiler.layered import nodes as layered
from compiler.source import nodes as source
from compiler.source.finding import Finding
from compiler.source.origins import origin_of
from compiler.source.span import Span
from compiler.typed.context import Context
from compiler.typed.drawn_counters import type_drawn_counter
from compiler.typed.environment import UNKNOWN_TYPE, Environment, type_text
from compiler.typed.example_acts import check_actors, check_labels, type_act, type_resolution
from compiler.typed.findings.declared_twice import ListedTwice
from compiler.typed.findings.invalid_constructs import InvalidConstruct
from compiler.typed.findings.mismatches import TypeMismatch
from compiler.typed.laws import context_for
from compiler.typed.procedures.call_graph import nodes_reached
from compiler.typed.procedures.expected_order import type_order
from compiler.typed.procedures.steps import type_step
from compiler.typed.situations.cards import ResolvedCard
from compiler.typed.situations.grid import BoardBuilder
from compiler.typed.situations.pieces import build_piece
from compiler.typed.situations.setups import with_pieces
from compiler.typed.source_lists import span_of_list
from compiler.typed.tabulated import expanded_cases
from compiler.typed.unknown_names import unknown_word
from compiler.typed.values.expressions import elaborate
from runtime.graph import nodes as graph
from runtime.graph.free_names import variables_in
from runtime.graph.operators.numbers import amount

Row = tuple[graph.Expr, ...]

HEX = graph.Hex()
MAPPED = source.HexRow | source.SpaceRow | source.Connection | source.SideSetting | source.PathSetting
POSITION_SETTINGS = MAPPED | source.PieceSetting | source.Dice
VERDICTS = {"allowed": "allowed", "forbidden": "forbidden"}

# The greatest number of units on a card; to set up more takes too long.
MOST_CARD_PIECES = 500


def build_examples(
    env: Environment, example: layered.Example, stack: str, resolved_card: ResolvedCard | None = None
) -> tuple[graph.Example, ...]:
    """Elaborate an example: one result, or one for each of its cases where these have separate positions."""
    cases = expanded_cases(env, example.node)
    return tuple(_build_example(env, replace(example, node=node), stack, resolved_card) for node in cases)


def _build_example(
    env: Environment, example: layered.Example, stack: str, resolved_card: ResolvedCard | None
) -> graph.Example:
    """Elaborate one example, on the map of its card if any; hexes come first, so that lines may be in any order."""
    node = example.node
    sketch = _build_board(env, node, has_map=resolved_card is not None)
    labels = resolved_card.labels if resolved_card else {name: name for name in sketch.names}
    context = context_for(env, {"player": graph.Enum("side")})
    context = context._replace(
        spots={name: graph.Spot("hex", label) for name, label in labels.items()},
        spot_kinds=dict.fromkeys(labels, HEX),
        at_table=True,
    )
    context = _name_pieces(node, context)
    env.problems += _content_problems(node)
    _check_order(node, env)
    context, names, rows = _cases(node, context)
    contents = _type_lines(node, context, example.layer)
    lines = [typed_line for _, typed_line in contents.lines]
    if resolved_card is None or not resolved_card.card.order:
        check_actors(contents.lines, contents.pieces, contents.context)
    if node.cases is not None and not env.problems:
        _check_rows(node, node.cases, rows, (tuple(contents.pieces), tuple(lines)), env)
    _check_lets(node, lines, env)
    _check_dice(node, env)
    board, pieces = sketch.build_board(node.title), tuple(contents.pieces)
    return graph.Example(
        title=node.title,
        stack=node.under.text if node.under else "",
        names=names,
        rows=rows,
        position=graph.Position(node.title, stack, board, pieces, (), (), (), (), 1, "", ""),
        dice=contents.dice,
        lines=tuple(lines),
        protects=example.protects,
        origin=origin_of(example.layer, node.span),
        card=resolved_card.card.name if resolved_card else "",
    )


class _Contents(NamedTuple):
    """The pieces of an example, its forced dice, its other lines as written and as typed, and the scope after them."""

    pieces: list[graph.PieceAt]
    dice: tuple[int, ...]
    lines: list[tuple[source.Setting | source.Ask, graph.ExampleLine]]
    context: Context


def _type_lines(node: source.Example, context: Context, layer: str) -> _Contents:
    """Elaborate the lines of an example that are no part of its map."""
    pieces: list[graph.PieceAt] = []
    lines: list[tuple[source.Setting | source.Ask, graph.ExampleLine]] = []
    dice: tuple[int, ...] = ()
    for line in node.lines:
        if isinstance(line, MAPPED):
            continue
        if isinstance(line, source.PieceSetting):
            for word in line.names[: MOST_CARD_PIECES - len(pieces)]:
                piece = build_piece(context, word.text, line.type, line.owner, line.at, line.place, line.properties)
                if piece is not None:
                    pieces.append(piece)
        elif isinstance(line, source.Dice):
            dice += tuple(throw for throw in line.throws if isinstance(throw, int))
        else:
            typed_line, context = _line(line, context, layer)
            if typed_line is not None:
                lines.append((line, typed_line))
    return _Contents(pieces, dice, lines, context)


def _content_problems(node: source.Example) -> Iterator[InvalidConstruct]:
    """Report too many pieces, and an example without a line that can fail."""
    piece_words = [word for line in node.lines if isinstance(line, source.PieceSetting) for word in line.names]
    if len(piece_words) > MOST_CARD_PIECES:
        message = f"this example has more than {MOST_CARD_PIECES} pieces"
        advice = "remove the pieces that its questions do not need"
        yield InvalidConstruct(piece_words[MOST_CARD_PIECES].span, message, advice)
    expecting = source.Ask | source.Perform | source.Order | source.CounterRow | source.Narrated
    if not any(isinstance(line, expecting) for line in node.lines):
        message = "this example cannot fail, as it asks nothing"
        yield InvalidConstruct(node.span, message, "add a line such as `ask .. = ..` or `act ..(..)`")


def _check_order(node: source.Example, env: Environment) -> None:
    """Report the first part of the position below a line that asks or acts: readers take it for a later event."""
    executed = False
    for line in node.lines:
        if executed and isinstance(line, MAPPED | source.PieceSetting):
            message = "this part of the position comes after a line that asks or acts"
            advice = "move it above the first such line, or create the piece there, with `create m4 at h`"
            env.report_invalid(line.span, message, advice)
            return
        executed = executed or isinstance(line, source.Ask | source.Perform | source.Order | source.Narrated)


def _build_board(env: Environment, node: source.Example, *, has_map: bool) -> BoardBuilder:
    """Build the board of an example; one on a card has the map of the card."""
    sketch = BoardBuilder(env)
    lines = [line for line in node.lines if isinstance(line, MAPPED)]
    if has_map and lines:
        message = "an example on a situation cannot have a map of its own"
        return env.report(InvalidConstruct(lines[0].span, message, "delete its map, or delete `on ..`"), sketch)
    for line in node.lines:
        if isinstance(line, source.HexRow):
            sketch.add_row(line)
        elif isinstance(line, source.SpaceRow):
            for word, features in line.spaces:
                sketch.add_space(source.Space(word.span, word, features, ()), line.board)
    sketch.connect(line for line in node.lines if isinstance(line, source.Connection))
    for line in node.lines:
        if isinstance(line, source.SideSetting):
            sketch.add_side(line)
        elif isinstance(line, source.PathSetting):
            sketch.add_path(line)
    return sketch


def _name_pieces(node: source.Example, context: Context) -> Context:
    """Add the names of all pieces to the scope before any of them is elaborated."""
    lines = (line for line in node.lines if isinstance(line, source.PieceSetting))
    return with_pieces(context.env, context, ((word, line.type) for line in lines for word in line.names), "example")


def _cases(
    node: source.Example, context: Context
) -> tuple[Context, tuple[str, ...], tuple[tuple[graph.Expr, ...], ...]]:
    """Return the names that an example iterates over, typed by its first row, and the rows."""
    if node.cases is None:
        return context, (), ((),)
    names = tuple(word.text for word in node.cases.names)
    types: list[graph.Type | None] = [None] * len(names)
    rows: list[tuple[graph.Expr, ...]] = []
    for written in node.cases.rows:
        if len(written) != len(names):
            continue  # This is reported already.
        row = []
        for index, part in enumerate(written):
            cell, type_ = elaborate(part, context, types[index])
            types[index] = types[index] or (type_ and amount(type_))
            row.append(cell)
        rows.append(tuple(row))
    for index, (name, type_) in enumerate(zip(names, types, strict=True)):
        # A name without a value in any row is reported, and may have any type.
        column_type = UNKNOWN_TYPE if type_ is None else _within(type_, [row[index] for row in rows])
        context = context.with_binding(name, column_type, named=True)
    return context, names, tuple(rows) or ((),)


def _check_rows(
    node: source.Example, cases: source.Cases, rows: tuple[Row, ...], parts: tuple[object, ...], env: Environment
) -> None:
    """Report a row that occurs twice, and a column that no line reads.

    Where another problem was reported, the line that reads the column may be missing.
    """
    variables = variables_in(parts)
    for word in cases.names:
        if word.text not in variables and node.lines:
            message = f"no line of this example uses `{word.text}`"
            env.report_invalid(word.span, message, "use it where it is meant, or delete it from the rows")
    first: dict[Row, Span] = {}
    if node.upon is not None:
        return  # A hex of a map may have two numbers, so that two rows denote the same hex.
    for row, written in zip(rows, cases.rows, strict=False):
        span = span_of_list([part.span for part in written])
        if first.setdefault(row, span) != span:
            env.problems.append(ListedTwice(span, first[row], "this row"))


def _check_lets(node: source.Example, lines: list[graph.ExampleLine], env: Environment) -> None:
    """Report a name that no later line reads; after other problems, lines may be missing."""
    if env.problems:
        return
    words = iter([line.name for line in node.lines if isinstance(line, source.Let | source.LetOnly)])
    for number, line in enumerate(lines):
        if not isinstance(line, graph.Let | graph.LetOnly):
            continue
        word, later_lines = next(words), tuple(lines[number:])
        if line.name not in variables_in(later_lines) and line.name not in _choices_in(later_lines, env):
            message = f"no line of this example uses `{word.text}`"
            help_text = "use it where it is meant, or delete the line"
            env.report_invalid(word.span, message, help_text)


def _choices_in(lines: Iterable[graph.ExampleLine], env: Environment) -> set[str]:
    """Return the names of choices in the resolutions that lines execute; a value of that name is chosen there."""
    names: set[str] = set()
    for line in lines:
        if isinstance(line, graph.Do):
            for procedure in nodes_reached(env.call_graph, f"resolution:{line.resolution}"):
                names.update(part.name for part in procedure.choices)
    return names


def _check_dice(node: source.Example, env: Environment) -> None:
    """Report results of dice that no die has."""
    columns = [word.text for word in node.cases.names] if node.cases else []
    for line in node.lines:
        for throw in line.throws if isinstance(line, source.Dice) else ():
            if isinstance(throw, source.Word):
                env.report_unknown("column", throw, columns)
            elif env.domains and not any(_shows(die, throw) for die in env.domains.values()):
                ranges = ", ".join(f"`{name}` {die.low}..{die.high}" for name, die in env.domains.items())
                env.report_invalid(line.span, f"the dice cannot show {throw}", f"write values within {ranges}")


def _shows(die: graph.Number, throw: int) -> bool:
    return (die.low or 0) <= throw <= (die.high or throw)


def _within(type_: graph.Type, column: list[graph.Expr]) -> graph.Type:
    """Return the type of a column with the range of its whole numbers."""
    numbers = [int(cell.value) for cell in column if isinstance(cell, graph.Num) and cell.value.denominator == 1]
    if isinstance(type_, graph.Number) and numbers and len(numbers) == len(column):
        return graph.Number(min(numbers), max(numbers), type_.measure)
    return type_


def _line(  # noqa: C901 - one case a line
    line: "source.Setting | source.Ask", context: Context, layer: str
) -> tuple["graph.ExampleLine | None", Context]:
    match line:
        case source.Ask():
            return _check(line, context, layer), context
        case source.Given(question=question, value=value):
            expression, type_ = elaborate(question, context, None)
            if not isinstance(expression, graph.Ask):
                if type_ is not None:
                    context.problems.append(TypeMismatch(question.span, "a question to a term", type_text(type_)))
                return None, context
            return graph.Given(expression.term, expression.arguments, elaborate(value, context, type_)[0]), context
        case source.CounterRow() | source.Narrated():
            return _printed(line, context, layer), context
        case source.Draws(members=members):
            return graph.Draws(tuple(elaborate(member, context, None)[0] for member in members)), context
        case source.LetOnly():
            return _let_only(line, context, layer)
        case source.Perform():
            return type_act(line, context, layer), context
        case source.Answered():
            return type_resolution(line, context), context
        case source.Order():
            return type_order(line, context, layer), context
        case source.Moment(name=name):
            known = ("turn", "own_turn", *context.env.members("phase"))
            if name.text not in known:
                context.problems.append(unknown_word("moment", name, known))
            return graph.End(name.text), context
        case _:
            assert not isinstance(line, POSITION_SETTINGS)
            stepped = type_step(line, context)
            return stepped if stepped is not None else (None, context)


def _printed(line: source.CounterRow | source.Narrated, context: Context, layer: str) -> graph.ExampleLine | None:
    """Elaborate a line about printed values or narrated texts."""
    if isinstance(line, source.Narrated):
        return graph.Narrated(cast(graph.Narration, line.what), line.text, origin_of(layer, line.span))
    return type_drawn_counter(line, context.env, layer)


def _let_only(line: source.LetOnly, context: Context, layer: str) -> tuple[graph.LetOnly | None, Context]:
    """Elaborate a line that binds the only piece or record of a kind.

    In its condition the kind denotes each of them.
    """
    env, kind = context.env, line.kind
    if kind.text not in env.kinds and kind.text not in env.records:
        env.report_unknown("kind or record", kind, (*env.kinds, *env.records))
        return None, context.with_binding(line.name.text, UNKNOWN_TYPE)
    every = source.Pieces(kind.span, (kind,), None)
    members, type_ = elaborate(
        source.SetComprehension(line.span, source.Binder(line.span, kind, every, line.where), None), context, None
    )
    if not isinstance(type_, graph.Many):
        return None, context.with_binding(line.name.text, UNKNOWN_TYPE)
    let_only = graph.LetOnly(line.name.text, members, origin_of(layer, line.span))
    return let_only, context.with_binding(line.name.text, type_.of)


def _partial_comparison(line: source.Ask, problems: list[Finding]) -> InvalidConstruct | None:
    """Return the problem of `ask u has chief and u.chief = L`, where `=` compares the answer to the whole."""
    match line.question:
        case source.Both(parts=(*_, last)) | source.Either(parts=(*_, last)) | source.Not(operand=last):
            pass
        case _:
            return None
    mismatches = [problem.span for problem in problems if isinstance(problem, TypeMismatch)]
    if line.expected is None or last.span not in mismatches:
        return None
    message = "`=` compares the whole question with the answer, not only its last part"
    return InvalidConstruct(last.span, message, "put the question in parentheses, `ask (A and B = C)`")


def _check(line: source.Ask, context: Context, layer: str) -> graph.Check:
    problem_count = len(context.problems)
    question, type_ = elaborate(line.question, context, None)
    if (problem := _partial_comparison(line, context.problems[problem_count:])) is not None:
        context.problems[problem_count:] = [problem]
    expected: graph.Expr | None = None
    verdict = ""
    rule_words: tuple[source.Word, ...] = ()
    match line.expected:
        case source.ExpectedVerdict():
            verdict, rule_words = line.expected.verdict, line.expected.by
            if type_ is not None and not isinstance(type_, graph.YesNo):
                context.problems.append(TypeMismatch(line.question.span, "a verdict", type_text(type_)))
        case None:
            expected = graph.Truth(value=True) if isinstance(type_, graph.YesNo) else None
        case written:
            expected = elaborate(written, context, type_)[0]
    if type_ is not None and expected == question and line.expected is not None:
        message = "this line cannot fail, as both sides are the same question"
        context.problems.append(InvalidConstruct(line.span, message, "write the expected answer"))
    check_labels((*rule_words, *line.because), context)
    return graph.Check(
        question=question,
        expected=expected,
        verdict=VERDICTS.get(verdict, verdict),
        by=tuple(word.text for word in rule_words),
        because=tuple(word.text for word in line.because),
        origin=origin_of(layer, line.span),
    )
