"""`rulewright disputes STACK`: where the sources contradict themselves."""

from pathlib import Path

from rulewright.serve.cli.arguments import StackName, Witnesses
from rulewright.serve.cli.console import Reply
from rulewright.serve.cli.termination import terminated_as_interrupted
from runtime.graph.document import DocumentBlock
from runtime.graph.document_lines import reply_block, row_lines
from runtime.graph.records.books import DisputeRecord, DisputesRecord, OtherReadingRecord, ReadingRecord
from runtime.graph.records.differing import DifferencesRecord
from runtime.graph.words import counted_noun


def disputes(stack: StackName, packages: list[Path], witnesses: Witnesses = None) -> Reply[DisputesRecord]:
    """List where the sources disagree, and what they leave open.

    Of each dispute it lists the readings, the chosen one, and positions in which they differ.

    Example: rulewright disputes panzer_leader
    """
    from rulewright.lab.contrast.source_disputes import disputes_of
    from rulewright.library.stacks import load_stack
    from rulewright.serve.cli.findings import page_with_paths

    loaded = load_stack(stack, packages)
    with terminated_as_interrupted():
        record = disputes_of(loaded, witnesses)
    # Files are shown by paths that open from here.
    return Reply(
        record,
        lambda record: _disputes_block(page_with_paths(record, loaded.texts)),
        findings=bool(record["left"]),
    )


def _disputes_block(record: DisputesRecord) -> DocumentBlock:
    """Show each dispute, what is left open, and how many there are."""
    blocks = [*map(_dispute_block, record["disputes"])]
    if gaps := record["gaps"]:
        blocks.append(reply_block(*row_lines(("left open", f"{gap['gap']}  ({gap['layer']})") for gap in gaps)))
    count = len(record["disputes"])
    total = f"{counted_noun(count, 'contradiction')} of the sources in {record['stack']}"
    if record["left"]:
        left = ", ".join(record["left"])
        total = f"interrupted after {count} of {count + len(record['left'])} disputes; not looked at: {left}"
    elif not count:
        total = f"no layer of {record['stack']} declares a contradiction of its sources"
    return reply_block(blocks=[*blocks, reply_block(total)])


def _dispute_block(dispute: DisputeRecord) -> DocumentBlock:
    """Show the question, the chosen reading, and the others with what they change."""
    rows = [("chosen", _named(dispute["chosen"]))]
    for other in dispute["others"]:
        rows += [("or", _named(other)), *(("", line) for line in _reading_lines(other))]
    question = f"{dispute['question']}  [{', '.join(dispute['cites'])}]"
    return reply_block(
        question, dispute["file"], *row_lines(rows), title=dispute["title"], tags=[(dispute["dispute"], "label")]
    )


def _named(reading: ReadingRecord) -> str:
    cites = f" [{', '.join(reading['cites'])}]" if reading["cites"] else ""
    return f"{reading['title']} ({reading['reading']}){cites}" + (f": {reading['why']}" if reading["why"] else "")


def _difference_text(found: DifferencesRecord) -> list[str]:
    """Return the effect of a reading that no question shows: in play, none by proof, or undecided changes."""
    plays = [f"{each['act']}: {each['b']} instead of {each['a']}" for each in found["behavior"]["rules"]]
    if plays:
        return plays
    if all(each["status"] == "same" for each in found["changes"]):
        return ["it changes no answer: nothing that answers depend on is changed"]
    left = sorted({each["label"] for each in found["changes"] if each["status"] in {"unknown", "only"}})
    about = f": {', '.join(left)}" if left else ""
    return [f"no position was found in which it makes a difference, nor a proof that there is none{about}"]


def _reading_lines(other: OtherReadingRecord) -> list[str]:
    """Return the lines of the differences of a reading from the chosen one."""
    found = other["diff"]
    if found is None:
        return [f"{other['stack']} does not compile; `check` says why"]
    lines = []
    for term in found["terms"]:
        for group in term["groups"]:
            lines.append(f"{group['question']}: {group['b']} instead of {group['a']}")
            lines += [f"position: {group['witness']}"] if group["witness"] else []
    return [*(lines or _difference_text(found)), f"to follow it: {other['stack']}"]
