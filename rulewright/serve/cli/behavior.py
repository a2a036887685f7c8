"""Format differences in behavior: the sequence of play, procedures, plays, charts."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rich.text import Text

from rulewright.serve.cli.change_account import group_by_chart, reported_rules
from runtime.graph.words import counted_noun, list_text, times_text

# The most lines of a procedure, and cells of a chart, that are printed; of others, the number.
MOST_LINES = 8
NO_CAUSE = "for a reason that was not found out"
HEADS = {"sequence": "the sequence of play", "action": "actions", "resolution": "resolutions",
         "hook": "what follows from events"}  # fmt: skip


def behavior_lines(data: dict[str, Any]) -> Text:
    """Format the differences in behavior; empty if there are none."""
    found = data["behavior"]
    text = Text()
    for kind, lines in _procedures(found, data):
        if lines:
            text.append(f"{HEADS[kind]}\n", "bold").append(_indented(lines))
    if found["rules"]:
        text.append("the same choice, another position\n", "bold")
        for play, *others in group_by_chart(found["rules"]):
            text.append(_indented(_differing_play(play, others, data)))
    shown_rules = reported_rules(data)
    questions = [question for question in found["example_questions"] if shown_rules.isdisjoint(question["rules"])]
    if questions:
        text.append("questions of the examples\n", "bold")
        for question in questions:
            text.append(_indented(_differing_question(question, data)))
    return text


def _indented(lines: Iterable[str]) -> str:
    """Return lines under a heading."""
    return "".join(f"  {line}\n" for line in lines)


def _differing_play(play: dict[str, Any], others: Sequence[dict[str, Any]], data: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of a play with another result, and the cells of the same chart that others show."""
    yield f"{', '.join(play['rules']) or NO_CAUSE} ({_times(play['differs'])})"
    yield from (f"  {line}" for line in _play(play, data))
    if others:
        cells = list_text([label for other in others for label in other["rules"]])
        yield f"  and of the same chart, each in plays of its own: {cells}"


def _differing_question(question: dict[str, Any], data: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of a question of an example that is answered differently."""
    rules = ", ".join(question["rules"]) or NO_CAUSE
    yield f"{rules} (answered differently {times_text(question['differs'])})"
    yield from (f"  {line}" for line in _play(question, data))


def summary_lines(data: dict[str, Any]) -> Iterator[str]:
    """Yield the numbers of differences other than answers, by kind; none if there are none."""
    sorts = {
        "chart": [chart["only"] for chart in data["charts"]],
        "counter": [counter["only"] for counter in data["counters"]],
    }
    for kind in HEADS:
        sorts[kind] = [found["only"] for found in data["behavior"]["procedures"] if found["what"] == kind]
    for noun, sides in sorts.items():
        if sides:
            yield _summary_line(noun, sides, data)


def _summary_line(noun: str, sides: Sequence[str | None], data: dict[str, Any]) -> str:
    """Return how many things of a sort differ, and how many only one of the two has: its side, None for both."""
    counts = [(sides.count(None), "otherwise")]
    counts += [(sides.count(side), f"only in {data[side]}") for side in ("a", "b")]
    (count, qualifier), *others = [(count, qualifier) for count, qualifier in counts if count]
    rest = [f"{count} {qualifier}" for count, qualifier in others]
    return f"{count} {noun}{'s' if count > 1 else ''} {list_text([qualifier, *rest])}\n"


def charts_text(data: dict[str, Any]) -> Text:
    """Format the differing cells of charts, except those that explain a difference in answers."""
    text = Text()
    for side in ("a", "b"):
        if only := [chart["chart"] for chart in data["charts"] if chart["only"] == side]:
            text.append(f"only {data[side]} has the chart{'s' if len(only) > 1 else ''}: {', '.join(only)}\n")
    shown_rules = reported_rules(data)
    for chart in data["charts"]:
        if chart["keys"]:
            text.append(f"{chart['chart']}: read by {chart['keys'][1]} instead of {chart['keys'][0]}\n")
        elif cells := [cell for cell in chart["cells"] if cell["cell"] not in shown_rules]:
            text.append(f"{chart['chart']}: {len(cells)} cell{'s differ' if len(cells) > 1 else ' differs'}\n")
            text.append(_indented(_cell(cell, data) for cell in cells))
    return text


def _cell(cell: dict[str, Any], data: dict[str, Any]) -> str:
    if cell["a"] is None or cell["b"] is None:
        return f"{cell['cell']}: {cell['a'] or cell['b']}, only in {data['b' if cell['a'] is None else 'a']}"
    return f"{cell['cell']}: {cell['b']} instead of {cell['a']}"


def _amendments(rules: Sequence[dict[str, Any]], data: dict[str, Any], what: str = "it") -> Iterator[str]:
    """Yield a line for each rule that amends a procedure in one of the two only, or otherwise."""
    for rule in rules:
        who = f"only {data[rule['only']]} changes {what}" if rule["only"] else f"both change {what} otherwise"
        prose = f": {rule['prose']}" if rule["prose"] else ""
        yield f"{who} by {rule['rule']}{_cited(rule['cites'])} {rule['file']}:{rule['line']}{prose}"


def _procedures(found: dict[str, Any], data: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Yield the lines of procedures by kind."""
    for kind in HEADS:
        procedures = [each for each in found["procedures"] if each["what"] == kind]
        lines: list[str] = []
        if kind != "hook":
            owned = (
                (side, [procedure["name"] for procedure in procedures if procedure["only"] == side])
                for side in ("a", "b")
            )
            lines += [f"only {data[side]} has {', '.join(names)}" for side, names in owned if names]
        for each in procedures:
            if kind == "hook" or not each["only"]:
                lines += _procedure(each, data)
            else:
                lines += _amendments(each["amended_by"], data, each["name"])
        yield kind, lines


def _procedure(each: dict[str, Any], data: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of the differences of a procedure, or of a hook of one stack, and of a play that shows it."""
    if each["only"]:
        version = each[each["only"]]
        yield f"{each['name']}, only {data[each['only']]}{_cited(version['cites'])} {version['file']}:{version['line']}"
        yield from (f"  {line}" for line in ([version["prose"]] if version["prose"] else version["text"][:MOST_LINES]))
    else:
        yield f"{each['name']} otherwise:"
        yield from (f"  {line}" for line in _amendments(each["amended_by"], data))
        for side in ("a", "b"):
            version = each[side]
            yield f"  {data[side]}{_cited(version['cites'])} {version['file']}:{version['line']}"
            yield from (f"    {line}" for line in version["text"][:MOST_LINES])
            if len(version["text"]) > MOST_LINES:
                yield f"    .. and {len(version['text']) - MOST_LINES} more lines"
    if each["play"]:
        yield from (f"  {line}" for line in _play(each["play"], data))
        if each["differs"] and each["of"]:
            yield f"  {_times(each['differs'])} of {each['of']} in which it ran"
    elif each["preferring"]:
        yield "  only what greedy players prefer differs"
    elif not each["only"] or each["what"] == "hook":
        ran = f"it ran in {counted_noun(each['of'], 'play')} of the examples"
        tried = f"{ran}, and was begun in {each['tried']} more"
        yield f"  undecided: no play was found in which it makes a difference; {tried}"


def _play(play: dict[str, Any], data: dict[str, Any]) -> Iterator[str]:
    if play["reversion"]:
        yield "seen only beside the other changes:"
        yield f"{play['act']}: {play['b']} under {data['b']}, {play['a']} without it there"
    else:
        yield f"{play['act']}: {play['a']} under {data['a']}, {play['b']} under {data['b']}{_lacks(play)}"
    if play["witness"]:
        yield f"position: {play['witness']}"
    elif play["example"]:
        # Position files contain neither removed pieces nor pinned answers.
        place = f"{play['written']['file']}:{play['written']['line']}"
        yield f'no position file can hold it: it comes by in the example "{play["example"]}" {place}'


def _lacks(play: dict[str, Any]) -> str:
    return f"; only one of them declares {', '.join(play['missing_words'])}" if play["missing_words"] else ""


def _cited(cites: Sequence[str]) -> str:
    return f" [{', '.join(cites)}]" if cites else ""


def _times(count: int) -> str:
    return f"in {counted_noun(count, 'play')}"
