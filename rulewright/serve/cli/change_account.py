"""Format the changes without a witness, and the last sentence of a comparison."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.text import Text

from runtime.graph.grouping import group_by
from runtime.graph.words import list_text

# The most changes that are listed for one reason; of others, the number.
MOST_NAMES = 6
HEADS = {
    "witness": "changed, and seen only beside the other changes",
    "unknown": "changed, and not decided whether an answer changes",
    "same": "changed, and proved to change no answer",
}


def accounts_text(data: Mapping[str, Any]) -> Text:
    """Format the changes that no position shows, by state and reason."""
    text = Text()
    for status, head in HEADS.items():
        if changes := [each for each in data["changes"] if each["status"] == status and each["why"]
                    and not (status == "witness" and each["kind"] == "procedure")]:  # fmt: skip
            lines = _shown(changes, data) if status == "witness" else _lines(changes)
            text.append(f"{head}\n", "bold").append("".join(f"  {line}\n" for line in lines))
    return text


def _shown(changes: Sequence[Mapping[str, Any]], data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the effect of each change, compared with the second stack without it."""
    for change in changes:
        witness = change["witness"]
        yield (
            f"{_named(change)}: {witness['question']}: "
            f"{witness['b']} under {data['b']}, {witness['a']} without it there"
        )
        if witness["witness"]:
            yield f"  position: {witness['witness']}"


def _lines(changes: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield one line for each reason, with its changes."""
    reasons = group_by(changes, lambda each: each["why"])
    for reason, group in reasons.items():
        yield f"{names_text(list(dict.fromkeys(_named(each) for each in group)), MOST_NAMES)}: {reason}"
        for statements in (each["accounts"] for each in group if each["accounts"]):
            yield from (f"  no longer {text}" for text in statements["a"])
            yield from (f"  now {text}" for text in statements["b"])


def group_by_chart(groups: Sequence[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Join the groups about cells of one chart; the others remain single."""
    joined: dict[object, list[dict[str, Any]]] = {}
    for number, group in enumerate(groups):
        charts = {label.partition("[")[0] if "[" in label else "" for label in group["rules"]}
        chart = charts.pop() if len(charts) == 1 else ""
        joined.setdefault(chart or number, []).append(group)
    return list(joined.values())


def names_text(names: Sequence[str], most: int | None) -> str:
    """Format the first names, and the number of the others; None for all names."""
    left = len(names) - most if most is not None else 0
    return list_text([*names[:most], f"{left} more"] if left > 0 else list(names))


def _named(change: Mapping[str, Any]) -> str:
    """Return the label of a change, with `question` for an added or removed question."""
    question = change["kind"] == "question" and change["operation"] != "changed"
    return f"question {change['name']}" if question else str(change["label"])


def _askers(data: Mapping[str, Any], them: str) -> str:
    """Format the number of questions that differ because they ask a listed one."""
    more = set[str]()
    for term in data["terms"]:
        for group in term["groups"]:
            more.update(group["follows"])
    more -= {term["term"] for term in data["terms"]}
    if not more:
        return ""
    return f", and so {'is 1 more that asks' if len(more) == 1 else f'are {len(more)} more that ask'} {them}"


def answers_count(data: Mapping[str, Any]) -> str:
    """Format the number of questions that differ; it is stated that there are none only if that is proved."""
    states = [change["status"] for change in data["changes"]]
    open_count = states.count("unknown")
    left = f"; {open_count} change{'s are' if open_count > 1 else ' is'} not decided" if open_count else ""
    if differing := _differing_text(data):
        return f"{differing}{left}"
    cards = [card["b"] for card in data["cards"] if card["says"]]
    if all(_is_settled(change, cards) for change in data["changes"]):
        if not cards:
            return "no questions are answered differently"
        return f"no question is answered differently in the same position; games on {list_text(cards)} differ as told"
    if "witness" in states or open_count:
        return f"no question was found that is answered differently{left}"
    return "no question that both ask is answered differently"


def _is_settled(change: Mapping[str, Any], cards: Sequence[str]) -> bool:
    """Return whether a change is proved to change no answer, or is one of cards that differ as told."""
    return change["status"] == "same" or (change["kind"] == "card" and bool(cards))


def _differing_text(data: Mapping[str, Any]) -> str:
    """Format the number of questions that differ, and of the reasons; "" if there are none."""
    reason_counts = [len(term["groups"]) for term in data["terms"] if term["differs"]]
    of_examples = _example_count(data)
    question_count, reason_count = len(reason_counts) + of_examples, sum(reason_counts) + of_examples
    if not question_count:
        return ""
    is_plural = question_count != 1
    reasons = f", for {reason_count} reasons" if reason_count > 1 else ""
    questions = f"{question_count} question{'s are' if is_plural else ' is'} answered differently{reasons}"
    return f"{'at least ' if of_examples else ''}{questions}{_askers(data, 'them' if is_plural else 'it')}"


def _example_count(data: Mapping[str, Any]) -> int:
    """Count the questions of examples, or about counters, whose changes no question above shows already."""
    shown_rules = reported_rules(data)
    return sum(shown_rules.isdisjoint(question["rules"]) for question in data["behavior"]["example_questions"])


def reported_rules(data: Mapping[str, Any]) -> set[str]:
    """Return the labels of the rules that are reported as the cause of a difference in answers."""
    labels = set[str]()
    for term in data["terms"]:
        for group in term["groups"]:
            labels.update(group["rules"])
    return labels


def equal_layers_line(data: Mapping[str, Any]) -> str:
    """Return a line that states that both names load the same layers, so that there is nothing to compare."""
    text = data.get("equal_layers")
    return f"\n{text}" if text else ""


def examples_played(data: Mapping[str, Any]) -> str:
    """Count the examples of what the two have in common that both were given."""
    count = data["examples"]["common"]
    return f"examples of what both stand on that were played in both: {count}\n" if count else ""
