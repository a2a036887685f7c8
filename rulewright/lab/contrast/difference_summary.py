"""The first and the last sentence of a difference: how much differs, and what was not compared.

In: the record of a difference. Out: sentences. That no answer differs is stated only where it is proved.
"""

from collections.abc import Iterator, Sequence

from rulewright.lab.contrast.difference_lines import DifferenceRecord
from runtime.graph.words import counted_noun, list_text, sentence

# What the first sentence counts, by the kind of a change; others are declarations.
NOUNS = {
    "rule": "rule", "outcome": "rule", "question": "question", "cell": "chart", "chart": "chart", "counter": "counter",
    "procedure": "procedure", "order of hooks": "procedure",
}  # fmt: skip
DECLARATION = "declaration"


def answer_text(record: DifferenceRecord) -> str:
    """Return how much differs, and how many questions are answered differently."""
    states = [change["status"] for change in record["changes"]]
    cards = [card["b"] for card in record["cards"] if card["says"]]
    open_count = states.count("unknown")
    pronoun = "it changes" if open_count == 1 else "they change"
    left = (
        f"; of {counted_noun(open_count, 'change')} it is not known whether {pronoun} an answer" if open_count else ""
    )
    parts_text = _things_text(record)
    if differing := _results_text(record):
        return sentence(f"{parts_text}; {differing}{left}")
    if all(_is_settled(change, cards) for change in record["changes"]):
        return _settled_text(record, cards)
    if "witness" in states or open_count:
        return sentence(f"{parts_text}; no question was found that is answered differently{left}")
    return sentence(f"{parts_text}; no question that both ask is answered differently")


def _settled_text(record: DifferenceRecord, cards: Sequence[str]) -> str:
    """Return that no answer changes, and why."""
    if cards:
        names = list_text(cards)
        return f"No question is answered differently in the same position; games on {names} differ as listed below."
    reason = record.get("equal_layers")
    if not reason and record["changes"]:
        count = len(record["changes"])
        reason = f"{'the change is' if count == 1 else f'all {count} changes are'} proved to change no answer"
    return f"No question is answered differently{f': {reason}' if reason else ''}."


def _is_settled(change: DifferenceRecord, cards: Sequence[str]) -> bool:
    """Return whether a change is proved to change no answer, or is one of cards whose differences are listed."""
    return change["status"] == "same" or (change["kind"] == "card" and bool(cards))


def _things_text(record: DifferenceRecord) -> str:
    """Return how many things of each kind differ, without those that are proved to change nothing."""
    names: dict[str, set[str]] = {}
    for change in record["changes"]:
        if change["status"] != "same" and change["kind"] != "card":
            noun = NOUNS.get(change["kind"], DECLARATION)
            names.setdefault(noun, set()).add(change["name"].partition("[")[0] if noun == "chart" else change["name"])
    order = (*dict.fromkeys(NOUNS.values()), DECLARATION)
    counts = [counted_noun(len(names[noun]), noun) for noun in order if noun in names]
    is_single = len(counts) == 1 and len(next(iter(names.values()))) == 1
    return f"{list_text(counts) or 'play'} differ{'s' if is_single or not counts else ''}"


def _results_text(record: DifferenceRecord) -> str:
    """Return the number of questions and moves that differ, also because of others; "" if there are none."""
    differing = {term["term"] for term in record["terms"] if term["differs"]}
    groups = [group for term in record["terms"] for group in term["groups"]]
    reported = {label for group in groups for label in group["rules"]}
    examples = [each for each in record["behavior"]["example_questions"] if reported.isdisjoint(each["rules"])]
    count = len(differing) + len(examples)
    moves = len(record["behavior"]["rules"]) + sum(bool(each["play"]) for each in record["behavior"]["procedures"])
    ends = f"{counted_noun(moves, 'move')} {'ends' if moves == 1 else 'end'} differently" if moves else ""
    if not count:
        return ends and f"{ends}, and no question was found that is answered differently"
    more = {name for group in groups for name in group["follows"]} - {term["term"] for term in record["terms"]}
    verb, pronoun = ("is", "it") if count == 1 else ("are", "them")
    depends = "it depends" if len(more) == 1 else "they depend"
    follows = f", and {len(more)} more because {depends} on {pronoun}" if more else ""
    head = f"{'at least ' if examples else ''}{counted_noun(count, 'question')} {verb} answered differently{follows}"
    return f"{head}{'; ' if more else ' and '}{ends}" if ends else head


def examples_text(record: DifferenceRecord) -> str:
    """Return how many examples of what the two have in common were played in both; "" for none."""
    count = record["examples"]["common"]
    return (
        f"{counted_noun(count, 'example')} of what both build on {'was' if count == 1 else 'were'} played in both."
        if count
        else ""
    )


def left_out_text(record: DifferenceRecord) -> str:
    """Return what was not compared, in one sentence; "" where everything is proved."""
    return sentence(f"not looked at: {list_text(parts)}") if (parts := list(_left_out(record))) else ""


def _left_out(record: DifferenceRecord) -> Iterator[str]:
    states = [change["status"] for change in record["changes"]]
    if "witness" in states or "unknown" in states:
        yield "positions other than those tried"
    if count := record["examples"]["left_out"]:
        yield f"{counted_noun(count, 'example')} that only one of the two can set up"
    if count := states.count("only"):
        yield f"{counted_noun(count, 'part')} that only one of the two has, on which no question of both depends"
    if names := [f"{each['dispute']}={each['reading']}" for each in record["readings"] if not each["compared"]]:
        yield f"what {list_text(names)} would change beside answers, as neither has chosen it"
