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
from compiler.source.expression_text import equal_as_written, expression_text
from compiler.typed.environment import Environment
from compiler.typed.problems import ListedTwice, Misplaced
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
        for word, what in _places(line)
        if word.text in columns and not _is_declared(env, node, word.text, what)
    }
    if not placed:
        return (node,)
    _check_twice(env, cases)
    asked = {each.id for each in walk(node.lines) if isinstance(each, source.Name)}
    kept = [at for at, word in enumerate(cases.names) if word.text not in placed or word.text in asked]
    told = len(env.problems)
    found = [_case(env, node, cases, number, kept, placed) for number in range(len(cases.rows)) if whole_rows]
    return tuple(found) if len(env.problems) == told else ()


def _case(
    env: Environment, node: source.Example, cases: source.Cases, number: int, kept: list[int], placed: set[str]
) -> source.Example:
    """Return one case as an example."""
    row = cases.rows[number]
    said = {word.text: value for word, value in zip(cases.names, row, strict=True) if word.text in placed}
    left = replace(cases, names=tuple(cases.names[at] for at in kept), rows=(tuple(row[at] for at in kept),))
    lines = tuple(_filled(env, line, said) for line in node.lines)
    return replace(node, title=f"{node.title}, case {number + 1}", cases=left if kept else None, lines=lines)


def _check_lengths(env: Environment, cases: source.Cases) -> bool:
    """Report rows with a wrong number of values; return whether there are none."""
    names = [word.text for word in cases.names]
    wrong = [row for row in cases.rows if len(row) != len(names)]
    for row in wrong:
        span = row[0].span if row else cases.span
        said = f"{', '.join(names)} {'is one name' if len(names) == 1 else f'are {len(names)} names'}"
        has = f"this row has {len(row)} value{'' if len(row) == 1 else 's'}"
        advice = f"write a value for each: `({', '.join(names)})`"
        env.problems.append(Misplaced(span, f"{has}, but {said}", advice))
    return not wrong


def _check_twice(env: Environment, cases: source.Cases) -> None:
    """Report a repeated row."""
    for at, row in enumerate(cases.rows):
        first = next((other for other in cases.rows[:at] if equal_as_written(other, row)), None)
        if first is not None:
            spans = [span_of_list([part.span for part in each]) for each in (row, first)]
            env.problems.append(ListedTwice(spans[0], spans[1], "this row"))


def _is_declared(env: Environment, node: source.Example, name: str, what: str) -> bool:
    """Return whether a name is itself valid in a place."""
    match what:
        case "counter":
            return name in env.kinds or name in env.counters
        case "side":
            return name in env.members("side")
        case "hex":
            return any(name == space.text for line in node.lines for space in _spaces(line))
        case "die":
            return False
        case _:
            return any(flag.name == name and (what == "path") == (flag.what == "path") for flag in env.flags.values())


def _spaces(line: Line) -> Iterator[source.Word]:
    """List the hexes, or other spaces, that a line adds."""
    match line:
        case source.HexRow(hexes=put) | source.SpaceRow(spaces=put):
            yield from (name for name, _ in put)
        case _:
            pass


def _places(line: Line) -> Iterator[tuple[source.Word, str]]:
    """List the words of a line that a column may replace, with the sort of each."""
    seen: list[tuple[source.Word, str]] = []

    def note(word: source.Word, what: str) -> tuple[source.Word, ...]:
        seen.append((word, what))
        return (word,)

    _rewritten(line, note)
    yield from seen


def _filled(env: Environment, line: Line, said: Row) -> Line:
    """Substitute the values of a row for its columns in a line."""

    def fill(word: source.Word, what: str) -> tuple[source.Word, ...]:
        value = said.get(word.text)
        return (word,) if value is None else _words(env, value, what)

    return _rewritten(line, fill)


def _words(env: Environment, value: source.Expression, what: str) -> tuple[source.Word, ...]:
    """Return the words of a value for a place; empty after a problem."""
    match value:
        case source.Name(span=span, id=text) | source.Quoted(span=span, text=text) if what != "die":
            return (source.Word(span, text),)
        case source.SetLiteral(elements=elements) if what in ("feature", "status"):
            return tuple(word for each in elements for word in _words(env, each, what))
        case source.Amount(span=span, value=shown, measure=None) if what == "die" and shown.denominator == 1:
            return (source.Word(span, str(shown)),)
        case _:
            expected = SPOKEN.get(what, f"the name of a {what}")
            misplaced = Misplaced(
                value.span, f"`{expression_text(value)}` cannot stand for a {what}", f"write {expected}"
            )
            env.problems.append(misplaced)
            return ()


Put = Callable[[source.Word, str], tuple[source.Word, ...]]


def _rewritten(line: Line, put: Put) -> Line:
    """Return a line with words replaced where columns are valid; a word without a replacement is unchanged."""

    def one(word: Any, what: str) -> Any:
        return next(iter(put(word, what)), word) if isinstance(word, source.Word) else word

    def many(words: tuple[source.Word, ...], what: str) -> tuple[source.Word, ...]:
        return tuple(each for word in words for each in put(word, what))

    match line:
        case source.HexRow(hexes=hexes):
            return replace(line, hexes=tuple((name, many(features, "feature")) for name, features in hexes))
        case source.SpaceRow(spaces=spaces):
            return replace(line, spaces=tuple((name, many(features, "feature")) for name, features in spaces))
        case source.SideSetting(features=features):
            return replace(line, features=many(features, "feature"))
        case source.PathSetting(path=path):
            return replace(line, path=one(path, "path"))
        case source.PieceSetting(type=type_, owner=owner, at=at, place=place):
            said = tuple((status, value) for word, value in line.properties for status in _statuses(word, value, put))
            return replace(
                line, type=one(type_, "counter"), owner=one(owner, "side"), at=one(at, "hex"),
                place=one(place, "place"), properties=said,
            )  # fmt: skip
        case source.Dice(throws=throws):
            shown = tuple(one(throw, "die") for throw in throws)
            return replace(line, throws=tuple(int(each.text) if _is_number(each) else each for each in shown))
        case _:
            return line


def _statuses(word: source.Word, value: source.Expression | None, put: Put) -> tuple[source.Word, ...]:
    """Return the words of a property: that of a track with a value is unchanged."""
    return put(word, "status") if value is None else (word,)


def _is_number(shown: source.Word | int) -> bool:
    return isinstance(shown, source.Word) and shown.text.removeprefix("-").isdecimal()
