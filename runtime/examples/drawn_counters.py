"""Comparison of the counters that an example draws with the unit charts.

In: rows that an example draws, and a graph. Out: their differences.
"""

from dataclasses import replace

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.frozen_dataclass import frozen_dataclass

TRAIT = "trait"


@frozen_dataclass
class _RowDifference:
    """A printed value or trait in which a drawn row and the counter differ, as text; None where one of them has none.

    `name` is the column, or `trait NAME`.
    """

    name: str
    drawn_value: str | None
    printed_value: str | None


def counter_differences(line: graph.Printed, found: graph.Counter) -> tuple[_RowDifference, ...]:
    """Return the differences of a drawn row and a counter; a factor that a layer added may be left out."""
    drawn_values, printed_values = _print(line), _print(replace(found, printed=_comparable(line, found)))
    return tuple(
        _RowDifference(name, drawn_values.get(name), printed_values.get(name))
        for name in {**drawn_values, **printed_values}
        if drawn_values.get(name) != printed_values.get(name)
    )


def misprinted_counters(line: graph.Printed, rules: graph.Graph) -> tuple[str, str] | None:
    """Return (expected, actual) for a drawn row that differs from its counter; None if they agree."""
    found = rules.counters.get(line.counter)
    if found is None:
        return f"a counter `{line.counter}`", "none"
    other = counter_differences(line, found)
    if not other:
        return None
    expected = words.list_text([_printed_text(each.name, each.drawn_value) for each in other])
    actual = words.list_text([_printed_text(each.name, each.printed_value) for each in other])
    return f"`{line.counter}` to have {expected}", f"printed with {actual}"


def _comparable(line: graph.Printed, found: graph.Counter) -> tuple[tuple[str, graph.Expr], ...]:
    """Return what is printed on a counter, without the added factors that a row does not draw."""
    left_out = {*found.first, *(each.name for each in found.added)} - dict(line.printed).keys()
    return tuple((name, value) for name, value in found.printed if name not in left_out)


def _printed_text(name: str, value: str | None) -> str:
    return f"no {name}" if value is None else f"{name} {value}".strip()


def _print(counter: graph.Printed | graph.Counter) -> dict[str, str]:
    """Return the printed values of a counter as text, by name."""
    side = {"side": counter.owner} if counter.owner else {}
    traits = dict.fromkeys((f"{TRAIT} {name}" for name in sorted(counter.traits)), "")
    side |= {"back": counter.back} if counter.back else {}
    return {"kind": counter.kind, **side, **{name: _plain(value) for name, value in counter.printed}, **traits}


def _plain(value: graph.Expr) -> str:
    match value:
        case graph.Num(number, _):
            return str(number)
        case graph.Truth(truth):
            return "yes" if truth else "no"
        case graph.Member(_, name) | graph.Place(_, name):
            return name
        case _:
            return repr(value)
