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
    for each in changes:
        witness = each["witness"]
        yield (
            f"{_named(each)}: {witness['question']}: {witness['b']} under {data['b']}, {witness['a']} without it there"
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
    reported_terms = {each["term"] for each in data["terms"]}
    more = {name for each in data["terms"] for group in each["groups"] for name in group["follows"]} - reported_terms
    if not more:
        return ""
    return f", and so {'is 1 more that asks' if len(more) == 1 else f'are {len(more)} more that ask'} {them}"


def answers_count(data: Mapping[str, Any]) -> str:
    """Format the number of questions that differ; it is stated that there are none only if that is proved."""
    groups = [len(each["groups"]) for each in data["terms"] if each["differs"]]
    reported_rules = {rule for each in data["terms"] for group in each["groups"] for rule in group["rules"]}
    # Questions of examples, or about counters, that no question above shows already: one for each change responsible.
    example_groups = [1 for each in data["behavior"]["example_questions"] if reported_rules.isdisjoint(each["rules"])]
    groups += example_groups
    states = [each["status"] for each in data["changes"]]
    open_ = states.count("unknown")
    left = f"; {open_} change{'s are' if open_ > 1 else ' is'} not decided" if open_ else ""
    if groups:
        reasons = f", for {sum(groups)} reasons" if sum(groups) > 1 else ""
        is_plural = len(groups) != 1
        sentence = f"{len(groups)} question{'s are' if is_plural else ' is'} answered differently{reasons}"
        sentence = f"at least {sentence}" if example_groups else sentence
        return f"{sentence}{_askers(data, 'them' if is_plural else 'it')}{left}"
    cards = [card["b"] for card in data["cards"] if card["says"]]
    if all(each["status"] == "same" or (each["kind"] == "card" and cards) for each in data["changes"]):
        if cards:
            return (
                f"no question is answered differently in the same position; games on {list_text(cards)} differ as told"
            )
        return "no questions are answered differently"
    if "witness" in states or open_:
        return f"no question was found that is answered differently{left}"
    return "no question that both ask is answered differently"


def equal_layers_line(data: Mapping[str, Any]) -> str:
    """Return a line that states that both names load the same layers, so that there is nothing to compare."""
    text = data.get("equal_layers")
    return f"\n{text}" if text else ""


def examples_played(data: Mapping[str, Any]) -> str:
    """Count the examples of what the two have in common that both were given."""
    count = data["examples"]["common"]
    return f"examples of what both stand on that were played in both: {count}\n" if count else ""
