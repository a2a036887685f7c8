"""Examples whose table says what the position is: columns for ground, places, counters, sides, dice.

In: an example as written. Out: one for each row of its table, with what the row says in the place of the names of
columns, so that each case has a position of its own. A word that is declared as what may stand in a place means that,
also where a column is called so. Columns that are asked for in expressions stay a table of one row, and an example
whose columns are all of that sort stays as it is. Where a row is wrong there is none.
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
    """Write an example out, a case at a time, if columns of its table stand where no expression does."""
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
    """Write one case out."""
    row = cases.rows[number]
    said = {word.text: value for word, value in zip(cases.names, row, strict=True) if word.text in placed}
    left = replace(cases, names=tuple(cases.names[at] for at in kept), rows=(tuple(row[at] for at in kept),))
    lines = tuple(_filled(env, line, said) for line in node.lines)
    return replace(node, title=f"{node.title}, case {number + 1}", cases=left if kept else None, lines=lines)


def _check_lengths(env: Environment, cases: source.Cases) -> bool:
    """Report rows that have not as many values as there are names; whether all have."""
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
    """Report a row that stands there twice."""
    for at, row in enumerate(cases.rows):
        first = next((other for other in cases.rows[:at] if equal_as_written(other, row)), None)
        if first is not None:
            spans = [span_of_list([part.span for part in each]) for each in (row, first)]
            env.problems.append(ListedTwice(spans[0], spans[1], "this row"))


def _is_declared(env: Environment, node: source.Example, name: str, what: str) -> bool:
    """Return whether a name may stand in a place as it is."""
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
    """List the hexes, or other spaces, that a line puts down."""
    match line:
        case source.HexRow(hexes=put) | source.SpaceRow(spaces=put):
            yield from (name for name, _ in put)
        case _:
            pass


def _places(line: Line) -> Iterator[tuple[source.Word, str]]:
    """List the words of a line in whose place a column may stand, with what stands there."""
    seen: list[tuple[source.Word, str]] = []

    def note(word: source.Word, what: str) -> tuple[source.Word, ...]:
        seen.append((word, what))
        return (word,)

    _rewritten(line, note)
    yield from seen


def _filled(env: Environment, line: Line, said: Row) -> Line:
    """Put what a row says in the place of its columns."""

    def fill(word: source.Word, what: str) -> tuple[source.Word, ...]:
        value = said.get(word.text)
        return (word,) if value is None else _words(env, value, what)

    return _rewritten(line, fill)


def _words(env: Environment, value: source.Expression, what: str) -> tuple[source.Word, ...]:
    """Read what a row says as the word, or the words, that stand in a place."""
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
    """Return a line with other words where columns may stand; where nothing is put the word stays."""

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
    """Return the words for a property: a note with its value keeps its name."""
    return put(word, "status") if value is None else (word,)


def _is_number(shown: source.Word | int) -> bool:
    return isinstance(shown, source.Word) and shown.text.removeprefix("-").isdecimal()
