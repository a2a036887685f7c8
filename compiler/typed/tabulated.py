"""Examples whose table sets up the position: columns for terrain, places, counters, sides, dice.

In: an example as written. Out: one for each row of its table, with the values of the row substituted for the names of
columns, so that each case has a separate position. A word that is declared as valid in a place denotes that, even
where a column has its name. Columns that are read in expressions remain as a table of one row, and an example all of
whose columns are of that sort is unchanged. If a row is wrong there is none.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from compiler.source import nodes as source
from compiler.source.expression_text import expression_text, written_text
from compiler.typed.environment import Environment
from compiler.typed.findings.declared_twice import ListedTwice
from compiler.typed.findings.invalid_constructs import InvalidConstruct
from compiler.typed.source_lists import span_of_list
from runtime.graph.walk import walk

Line = source.Setting | source.Ask
Row = Mapping[str, source.Expression]
SPOKEN = {
    "feature": "the name of a feature, several in braces, or none: `{}`",
    "status": "the name of a status, several in braces, or none: `{}`",
    "die": "what the die shows",
}


def expanded_cases(env: Environment, node: source.Example) -> tuple[source.Example, ...]:
    """Return the cases of an example as examples, if columns of its table occur where no expression does."""
    cases = node.cases
    if cases is None:
        return (node,)
    whole_rows = _check_lengths(env, cases)
    columns = {word.text for word in cases.names}
    placed = {
        word.text
        for line in node.lines
        for word, category in _places(line)
        if word.text in columns and not _is_declared(env, node, word.text, category)
    }
    if not placed:
        return (node,)
    _check_twice(env, cases)
    read_names = {each.id for each in walk(node.lines) if isinstance(each, source.Name)}
    column_indices = [
        index for index, word in enumerate(cases.names) if word.text not in placed or word.text in read_names
    ]
    problem_count = len(env.problems)
    found = [_case(env, node, cases, number, column_indices, placed) for number in range(len(cases.rows)) if whole_rows]
    return tuple(found) if len(env.problems) == problem_count else ()


def _case(
    env: Environment,
    node: source.Example,
    cases: source.Cases,
    number: int,
    column_indices: list[int],
    placed: set[str],
) -> source.Example:
    """Return one case as an example."""
    row = cases.rows[number]
    values = {word.text: value for word, value in zip(cases.names, row, strict=True) if word.text in placed}
    left = replace(
        cases,
        names=tuple(cases.names[index] for index in column_indices),
        rows=(tuple(row[index] for index in column_indices),),
    )
    lines = tuple(_filled(env, line, values) for line in node.lines)
    return replace(node, title=f"{node.title}, case {number + 1}", cases=left if column_indices else None, lines=lines)


def _check_lengths(env: Environment, cases: source.Cases) -> bool:
    """Report rows with a wrong number of values; return whether there are none."""
    names = [word.text for word in cases.names]
    wrong = [row for row in cases.rows if len(row) != len(names)]
    for row in wrong:
        span = row[0].span if row else cases.span
        names_text = f"{', '.join(names)} {'is one name' if len(names) == 1 else f'are {len(names)} names'}"
        has = f"this row has {len(row)} value{'' if len(row) == 1 else 's'}"
        advice = f"write a value for each: `({', '.join(names)})`"
        env.report_invalid(span, f"{has}, but {names_text}", advice)
    return not wrong


def _check_twice(env: Environment, cases: source.Cases) -> None:
    """Report a repeated row."""
    first_rows: dict[object, tuple[source.Expression, ...]] = {}
    for row in cases.rows:
        first = first_rows.setdefault(written_text(row), row)
        if first is not row:
            spans = [span_of_list([part.span for part in each]) for each in (row, first)]
            env.problems.append(ListedTwice(spans[0], spans[1], "this row"))


def _is_declared(env: Environment, node: source.Example, name: str, category: str) -> bool:
    """Return whether a name is itself valid in a place."""
    match category:
        case "counter":
            return name in env.kinds or name in env.counters
        case "side":
            return name in env.members("side")
        case "hex":
            return any(name == space.text for line in node.lines for space in _spaces(line))
        case "die":
            return False
        case _:
            return any(
                flag.name == name and (category == "path") == (flag.what == "path") for flag in env.flags.values()
            )


def _spaces(line: Line) -> Iterator[source.Word]:
    """List the hexes, or other spaces, that a line adds."""
    match line:
        case source.HexRow(hexes=spaces) | source.SpaceRow(spaces=spaces):
            yield from (name for name, _ in spaces)
        case _:
            pass


def _places(line: Line) -> Iterator[tuple[source.Word, str]]:
    """List the words of a line that a column may replace, with the sort of each."""
    seen: list[tuple[source.Word, str]] = []

    def note(word: source.Word, category: str) -> tuple[source.Word, ...]:
        seen.append((word, category))
        return (word,)

    _rewritten(line, note)
    yield from seen


def _filled(env: Environment, line: Line, values: Row) -> Line:
    """Substitute the values of a row for its columns in a line."""

    def fill(word: source.Word, category: str) -> tuple[source.Word, ...]:
        value = values.get(word.text)
        return (word,) if value is None else _words(env, value, category)

    return _rewritten(line, fill)


def _words(env: Environment, value: source.Expression, category: str) -> tuple[source.Word, ...]:
    """Return the words of a value for a place; empty after a problem."""
    match value:
        case source.Name(span=span, id=text) | source.Quoted(span=span, text=text) if category != "die":
            return (source.Word(span, text),)
        case source.SetLiteral(elements=elements) if category in ("feature", "status"):
            return tuple(word for each in elements for word in _words(env, each, category))
        case source.Amount(span=span, value=number, measure=measure) if (
            category == "die"
            and number.denominator == 1
            and (measure is None or any(die.measure == measure.text for die in env.domains.values()))
        ):
            return (source.Word(span, str(number)),)
        case _:
            expected = SPOKEN.get(category, f"the name of a {category}")
            misplaced = InvalidConstruct(
                value.span, f"`{expression_text(value)}` cannot stand for a {category}", f"write {expected}"
            )
            return env.report(misplaced, ())


WordFunction = Callable[[source.Word, str], tuple[source.Word, ...]]


def _rewritten(line: Line, substitute: WordFunction) -> Line:
    """Return a line with words replaced where columns are valid; a word without a replacement is unchanged."""

    def rewrite_word(word: Any, category: str) -> Any:
        return next(iter(substitute(word, category)), word) if isinstance(word, source.Word) else word

    def rewrite_features(words: tuple[source.Word, ...]) -> tuple[source.Word, ...]:
        return tuple(each for word in words for each in substitute(word, "feature"))

    match line:
        case source.HexRow(hexes=hexes):
            return replace(line, hexes=tuple((name, rewrite_features(features)) for name, features in hexes))
        case source.SpaceRow(spaces=spaces):
            return replace(line, spaces=tuple((name, rewrite_features(features)) for name, features in spaces))
        case source.SideSetting(features=features):
            return replace(line, features=rewrite_features(features))
        case source.PathSetting(path=path):
            return replace(line, path=rewrite_word(path, "path"))
        case source.PieceSetting(type=type_, owner=owner, at=space, place=place):
            properties = tuple(
                (status, value)
                for word, value in line.properties
                for status in (substitute(word, "status") if value is None else (word,))
            )
            return replace(
                line,
                type=rewrite_word(type_, "counter"),
                owner=rewrite_word(owner, "side"),
                at=rewrite_word(space, "hex"),
                place=rewrite_word(place, "place"),
                properties=properties,
            )
        case source.Dice(throws=throws):
            throw_words = tuple(rewrite_word(throw, "die") for throw in throws)
            return replace(line, throws=tuple(int(each.text) if _is_number(each) else each for each in throw_words))
        case _:
            return line


def _is_number(throw: source.Word | int) -> bool:
    return isinstance(throw, source.Word) and throw.text.removeprefix("-").isdecimal()
