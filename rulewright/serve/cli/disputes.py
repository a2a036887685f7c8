"""`rulewright disputes STACK`: where the sources contradict themselves."""

from pathlib import Path
from typing import Any

from rich.text import Text

from rulewright.serve.cli.arguments import StackName, Witnesses
from rulewright.serve.cli.console import Reply
from rulewright.serve.cli.termination import terminated_as_interrupted


def disputes(stack: StackName, packages: list[Path], witnesses: Witnesses = None) -> Reply:
    """List where the sources disagree, and what they leave open.

    Of each dispute it lists the readings, the chosen one, and positions in which they differ.

    Example: rulewright disputes panzer_leader
    """
    from rulewright.lab.contrast.source_disputes import disputes_of
    from rulewright.library.stacks import load_stack
    from rulewright.serve.cli.findings import page_with_paths

    loaded = load_stack(stack, packages)
    with terminated_as_interrupted():
        data = disputes_of(loaded, witnesses)
    return Reply(data, _describe_disputes(page_with_paths(data, loaded.texts)), findings=bool(data["left"]))


def _describe_disputes(data: dict[str, Any]) -> Text:
    """Format disputes as text."""
    text = Text()
    for each in data["disputes"]:
        text.append(each["title"], "bold").append(f"  ({each['dispute']})\n")
        text.append(f"  {each['question']}  [{', '.join(each['cites'])}]\n")
        text.append(f"  {each['file']}\n")
        text.append(f"  chosen  {_named(each['chosen'])}\n")
        for other in each["others"]:
            text.append(f"  or      {_named(other)}\n")
            for line in _reading_lines(other):
                text.append(f"          {line}\n")
        text.append("\n")
    for each in data["gaps"]:
        text.append("left open", "bold").append(f"  {each['gap']}  ({each['layer']})\n")
    if data["gaps"]:
        text.append("\n")
    number = len(data["disputes"])
    if data["left"]:
        total = number + len(data["left"])
        return text.append(f"interrupted after {number} of {total} disputes; not looked at: {', '.join(data['left'])}")
    if not number:
        return text.append(f"no layer of {data['stack']} declares a contradiction of its sources")
    return text.append(f"{number} contradiction{'s' if number != 1 else ''} of the sources in {data['stack']}")


def _named(reading: dict[str, Any]) -> str:
    cites = f" [{', '.join(reading['cites'])}]" if reading["cites"] else ""
    return f"{reading['title']} ({reading['reading']}){cites}" + (f": {reading['why']}" if reading["why"] else "")


def _shown_otherwise(found: dict[str, Any]) -> list[str]:
    """Return the effect of a reading that no question shows: in play, none by proof, or undecided changes."""
    plays = [f"{each['act']}: {each['b']} instead of {each['a']}" for each in found["behavior"]["rules"]]
    if plays:
        return plays
    if all(each["status"] == "same" for each in found["changes"]):
        return ["it changes no answer: nothing that answers rest on is otherwise"]
    left = sorted({each["label"] for each in found["changes"] if each["status"] in {"unknown", "only"}})
    about = f": {', '.join(left)}" if left else ""
    return [f"no position was found in which it makes a difference, nor a proof that there is none{about}"]


def _reading_lines(other: dict[str, Any]) -> list[str]:
    """Return the lines of the differences of a reading from the chosen one."""
    found = other["diff"]
    if found is None:
        return [f"{other['stack']} does not compile; `check` says why"]
    lines = []
    for term in found["terms"]:
        for group in term["groups"]:
            lines.append(f"{group['question']}: {group['b']} instead of {group['a']}")
            lines += [f"position: {group['witness']}"] if group["witness"] else []
    return [*(lines or _shown_otherwise(found)), f"to follow it: {other['stack']}"]
