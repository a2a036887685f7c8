"""`rulewright diff A B`: where two stacks answer differently, and what happens otherwise."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from rulewright.serve.cli.arguments import Witnesses
from rulewright.serve.cli.console import Reply, show_progress
from runtime.graph.words import counted_noun, list_text, readable_name

# The most questions in one line; of others, the number.
SHOWN = 8
# The most questions with equal answers that are listed.
MOST_EQUAL_QUESTIONS = 3
# What may differ in a reading of a dispute.
READING_PARTS = {"rules": "other rules, chosen by neither", "reason": "another reason", "citations": "other citations"}


def diff(
    a: Annotated[str, typer.Argument(metavar="A", help="A stack or a situation card.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Another stack or card.")],
    packages: list[Path],
    term: Annotated[str, typer.Option(metavar="T", help="Compare only the answers to this question.")] = "",
    witnesses: Witnesses = None,
    every: Annotated[bool, typer.Option("--all", help="List every question, not only the first few.")] = False,
) -> Reply:
    """Find where A and B answer differently, and where play differs.

    It compares rule by rule, and of two cards forces, areas, turns and victory too.

    Example: rulewright diff panzer_leader panzer_leader+quick_time
    """
    from rulewright.lab.contrast.card_differences import cards_data, load_operand
    from rulewright.lab.contrast.differences import as_data, difference_of
    from rulewright.lab.contrast.equal_layers import equal_layers_text
    from rulewright.serve.cli.findings import page_with_paths
    from rulewright.system.errors import UsageError, suggestion_text

    stacks = [load_operand(name, packages) for name in (a, b)]
    rules, other = (stack.rules for stack in stacks)
    known = sorted({*rules.terms, *other.terms})
    if term and term not in known:
        raise UsageError(f"there is no term `{term}`; {suggestion_text(term, known)}")
    with show_progress(f"comparing {a} and {b}", 0) as moved:
        found = difference_of(stacks[0], stacks[1], term, moved)
    data = as_data(found, (a, b), (rules, other), witnesses)
    data["cards"] = [card for card in cards_data(*stacks) if term in {"", *card["dependents"]}]
    data["equal_layers"] = equal_layers_text(*stacks) or None
    page = page_with_paths(data, stacks[0].texts, stacks[1].texts)
    text = describe_difference(page, every=every)
    return Reply({**data, "report": text.plain}, text)


def describe_difference(data: dict[str, Any], *, every: bool) -> Text:
    """Format a difference as text; with `every`, all questions are listed instead of the first few."""
    from rulewright.serve.cli.behavior import behavior_lines, charts_text, summary_lines
    from rulewright.serve.cli.change_account import (
        accounts_text,
        answers_count,
        equal_layers_line,
        examples_played,
        group_by_chart,
        names_text,
    )

    text = Text()
    most = None if every else SHOWN
    for each in data["terms"]:
        if each["only"]:
            continue
        text.append(each["term"], "bold").append(f"  differs on {each['differs']} of {each['of']} positions tried\n")
        for group, *others in group_by_chart(each["groups"]):
            text.append(f"  {group['summary']}\n")
            answers = f"{group['question']}: {group['a']} under {data['a']}, {group['b']} under {data['b']}"
            missing = (
                f"; only one of them declares {', '.join(group['missing_words'])}" if group["missing_words"] else ""
            )
            text.append(f"    {answers}{missing}\n")
            if follows := group["follows"]:
                more = counted_noun(len(follows), "more question")
                text.append(f"    and so {more}: {names_text(follows, most)}\n")
            if resting := group["dependents"]:
                text.append(f"    {_resting(resting, every=every)}\n")
            if group["witness"]:
                text.append(f"    position: {group['witness']}\n")
            for other in others:
                outcome = f"{other['a']} under {data['a']}, {other['b']} under {data['b']}"
                text.append(f"    and by {list_text(other['rules'])}: {outcome}\n")
        text.append("\n")
    for side in ("a", "b"):
        if only := [each["term"] for each in data["terms"] if each["only"] == side]:
            text.append(f"only {data[side]} asks: {', '.join(only)}\n")
    text.append(_counters(data))
    text.append_text(charts_text(data))
    text.append_text(_noted(data)).append(_disputed(data, most)).append(_printed(data, most))
    text.append_text(_cards(data, most))
    text.append_text(behavior_lines(data)).append_text(accounts_text(data)).append(examples_played(data))
    return (
        text.append("".join(summary_lines(data)))
        .append(answers_count(data))
        .append(_not_compared(data))
        .append(equal_layers_line(data))
    )


def _resting(names: list[str], *, every: bool) -> str:
    """Format the questions that may ask a differing one and have equal answers: a few, or all with `every`."""
    phrase = "answered alike in all that was tried"
    if len(names) <= MOST_EQUAL_QUESTIONS or every:
        return f"{list_text(names)} may ask it, and {phrase}"
    return f"{len(names)} more questions may ask it, and {phrase} (--all names them)"


def _noted(data: dict[str, Any]) -> Text:
    """Format the differences of statuses and tracks in duration and values."""
    text = Text()
    if changed := [each for each in data["notes"] if not each["only"]]:
        text.append("statuses, tracks and records\n", "bold")
        text.append("".join(f"  {each['name']}: {'; '.join(each['says'])}\n" for each in changed))
    for side in ("a", "b"):
        if only := [each["name"] for each in data["notes"] if each["only"] == side]:
            text.append(f"only {data[side]} notes down: {', '.join(only)}\n")
    return text


def _disputed(data: dict[str, Any], most: int | None) -> str:
    """Format the disputes that only one of the two has, with its reading, and those that they read differently."""
    from rulewright.serve.cli.change_account import names_text

    lines = [
        f"the dispute {each['dispute']} is read as {each['b']} instead of {each['a']}\n"
        for each in data["disputes"]
        if each["a"] and each["b"]
    ]
    for side, other in (("a", "b"), ("b", "a")):
        if only := [f"{each['dispute']} (read as {each[side]})" for each in data["disputes"] if not each[other]]:
            lines.append(f"only {data[side]} has {counted_noun(len(only), 'dispute')}: {names_text(only, most)}\n")
    return "".join((*lines, *_reading_lines(data, most)))


def _reading_lines(data: dict[str, Any], most: int | None) -> Iterator[str]:
    """Yield the readings that only one of the two has, and those that differ, by what differs in them."""
    from rulewright.serve.cli.change_account import names_text

    for side in ("a", "b"):
        if only := [_reading_name(each) for each in data["readings"] if each["only"] == side]:
            yield f"only {data[side]} has {counted_noun(len(only), 'reading')}: {names_text(only, most)}\n"
    for part, phrase in READING_PARTS.items():
        if names := [_reading_name(each) for each in data["readings"] if part in each["differs"]]:
            yield f"readings with {phrase}: {names_text(names, most)}\n"


def _not_compared(data: dict[str, Any]) -> str:
    """Format what was left out of the comparison."""
    from rulewright.serve.cli.change_account import names_text

    names = [_reading_name(each) for each in data["readings"] if not each["compared"]]
    if not names:
        return ""
    return f"\nnot compared, as neither has chosen it: what {names_text(names, None)} would change beside answers"


def _reading_name(each: dict[str, Any]) -> str:
    return f"{each['dispute']}={each['reading']}"


def _printed(data: dict[str, Any], most: int | None) -> str:
    """Format what the two books print differently about things that both have."""
    from rulewright.serve.cli.change_account import names_text

    lines = []
    for part in dict.fromkeys(each["part"] for each in data["book"]):
        texts = [
            each["name"] + (f" ({each['b'] or 'none'} instead of {each['a'] or 'none'})" if part == "number" else "")
            for each in data["book"]
            if each["part"] == part
        ]
        lines.append(f"in the book alone: the {part}{'s' if len(texts) > 1 else ''} of {names_text(texts, most)}\n")
    return "".join(lines)


def _cards(data: dict[str, Any], most: int | None) -> Text:
    """Format the differences of cards by heading, and at most `most` of the questions that read them."""
    from rulewright.serve.cli.change_account import names_text

    text = Text()
    for card in data["cards"]:
        names = f"{card['b']} instead of {card['a']}" if card["a"] != card["b"] else card["a"]
        text.append(f"the card {names}\n" if card["says"] else f"the card {names} says the same\n", "bold")
        for heading in dict.fromkeys(each["about"] for each in card["says"]):
            lines = [each["says"] for each in card["says"] if each["about"] == heading]
            text.append(f"  {heading}\n").append("".join(f"    {line}\n" for line in lines))
        if rests := card["dependents"]:
            text.append(f"  what is set so is read by {names_text(rests, most)}\n")
    return text


def _counters(data: dict[str, Any]) -> str:
    """Format the differences of counters."""
    counters = [each for each in data["counters"] if not each["only"]]
    lines = [f"counters as {data['b']} prints them:\n"] if counters else []
    lines += [f"  {counter['counter']}: {', '.join(counter['shows'])}\n" for counter in counters]
    return "".join([*map(partial(_factor, data), data["factors"]), *lines])


def _factor(data: dict[str, Any], each: dict[str, Any]) -> str:
    """Write down what a layer prints on a kind besides."""
    called = f"{readable_name(each['factor'])} on each {readable_name(each['kind'])}"
    if not each["only"]:
        return f"{called} without a value of its own: {'; '.join(each['says'])}\n"
    counter_values = [f"{counter['counter']} {counter['shows']}" for counter in each["counters"]]
    values_text = f"; {', '.join(counter_values)}" if counter_values else ""
    return f"only {data[each['only']]} prints {called} ({each['type']}): {each['first']}{values_text}\n"
