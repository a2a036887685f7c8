"""What happens otherwise in play, as blocks: the order of play, actions, resolutions and reactions to events.

In: the record of a difference. Out: a block for each procedure that differs.
"""

from collections.abc import Iterator

from rulewright.lab.contrast.difference_lines import MOST_LISTED, DifferenceLines, DifferenceRecord, cited_text
from runtime.graph.document import DocumentBlock, DocumentLine
from runtime.graph.document_lines import LineText, listing, reply_block
from runtime.graph.words import counted_noun, list_text

KINDS = ("sequence", "action", "resolution", "hook")


def procedure_blocks(lines: DifferenceLines) -> Iterator[DocumentBlock]:
    """Yield a block for each procedure of both stacks, and for each reaction to an event."""
    for kind in KINDS:
        for each in lines.record["behavior"]["procedures"]:
            if each["what"] == kind and (kind == "hook" or not each["only"]):
                yield _procedure_block(each, lines)


def one_sided_procedures(lines: DifferenceLines) -> Iterator[str]:
    """Yield the names of the procedures that one of the two alone has, and what amends or withdraws them."""
    for kind in ("action", "resolution"):
        procedures = [each for each in lines.record["behavior"]["procedures"] if each["what"] == kind and each["only"]]
        yield from lines.only_lines(((each["only"], each["name"]) for each in procedures), kind)
        for each in procedures:
            yield from _amendments(each, lines)


def _procedure_block(each: DifferenceRecord, lines: DifferenceLines) -> DocumentBlock:
    """Show what amends a procedure, its differing steps, and a play that shows the difference."""
    kind = "" if each["what"] in {"sequence", "hook"} else f"{each['what']} "
    title = f"{kind}{each['name']}"
    if only := each["only"]:
        version = each[only]
        entries = [version["prose"]] if version["prose"] else version["text"][:MOST_LISTED]
        text = f"Only {lines.record[only]}{cited_text(version['cites'])}, {version['file']}:{version['line']}"
        return reply_block(listing(text, entries), *_evidence(each, lines), title=title)
    versions = [_version_line(each, side, lines) for side in ("a", "b")]
    return reply_block(
        *_amendments(each, lines), *_orders(each, lines), *versions, *_evidence(each, lines), title=title
    )


def _amendments(each: DifferenceRecord, lines: DifferenceLines) -> Iterator[str]:
    """Yield a line for each rule that amends a procedure in one of the two only, or otherwise."""
    for rule in each["amended_by"]:
        side = f"only in {lines.record[rule['only']]}" if rule["only"] else "in both, but not in the same way"
        prose = f": {rule['prose']}" if rule["prose"] else ""
        place = f"{rule['rule']}{cited_text(rule['cites'])}, {rule['file']}:{rule['line']}"
        yield f"{each['name']} is changed {side} by {place}{prose}"


def _orders(each: DifferenceRecord, lines: DifferenceLines) -> Iterator[str]:
    """Yield the old and the new order of phases, if they differ."""
    for side in ("a", "b"):
        if phases := each["phases"][side]:
            yield f"Phases under {lines.record[side]}: {', '.join(phases)}"


def _version_line(each: DifferenceRecord, side: str, lines: DifferenceLines) -> DocumentLine:
    """Show the differing steps of a procedure in one of the two."""
    version = each[side]
    texts, others = lines.first_of(version["text"], "line")
    place = f"{version['file']}:{version['line']}"
    return listing(f"Under {lines.record[side]}{cited_text(version['cites'])}, {place}:", [*texts, others])


def _evidence(each: DifferenceRecord, lines: DifferenceLines) -> Iterator[LineText]:
    """Yield a play that shows the difference, or what was tried."""
    if each["play"]:
        count = f"it makes a difference in {each['differs']} of the {counted_noun(each['of'], 'play')} in which it ran"
        entries = [count] if each["differs"] and each["of"] else []
        yield lines.play_line(each["play"], entries=entries)
    elif each["preferring"]:
        yield "Only the preferences of greedy players differ."
    else:
        runs = [counted_noun(each["of"], "play") + " of the examples", counted_noun(each["tried"], "made position")]
        ran = [text for text, count in zip(runs, (each["of"], each["tried"]), strict=True) if count]
        yield f"No play was found in which it makes a difference; it ran in {list_text(ran) or 'none'}."
