"""`rulewright change STACK NAME`: write a change of a stack as a layer, without writing rules."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulewright.serve.cli.arguments import StackName
from rulewright.serve.cli.console import Reply
from rulewright.system.shell_words import shell_word
from runtime.graph.document import DocumentBlock
from runtime.graph.document_lines import LineText, drawn_lines, listing, reply_block
from runtime.graph.records.packages import ChangeRecord

if TYPE_CHECKING:
    from rulewright.write.change.draft import Draft


def change(  # one option for each kind of change
    stack: StackName,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The layer to create, or one of yours to extend.")],
    packages: list[Path],
    words: Annotated[
        list[str] | None, typer.Argument(metavar="WORDS", help="The further arguments of an option below.")
    ] = None,
    cell: Annotated[str, typer.Option(metavar="CHART KEYS.. VALUE", help="Change a value in a chart.")] = "",
    number: Annotated[str, typer.Option(metavar="RULE WAS NOW", help="Change a number in a rule.")] = "",
    printed: Annotated[
        str, typer.Option(metavar="COUNTER COLUMN NOW", help="Change a number or class on a counter.")
    ] = "",
    trait: Annotated[
        str, typer.Option(metavar="COUNTER TRAIT yes|no", help="Add a trait to a counter, or remove it.")
    ] = "",
    forbid: Annotated[
        str, typer.Option(metavar="QUESTION|ACTION", help="Forbid an action or an answer, with --when.")
    ] = "",
    allow: Annotated[str, typer.Option(metavar="QUESTION", help="Allow it, with --when and --against.")] = "",
    status: Annotated[
        str, typer.Option(metavar="NAME", help="Add a status, with --of, --until, --marker, --after, --forbids.")
    ] = "",
    force: Annotated[
        str, typer.Option(metavar="CARD SIDE COUNTER NUMBER", help="Change how many of a counter a situation has.")
    ] = "",
    turns: Annotated[str, typer.Option(metavar="CARD NUMBER", help="Change how long a situation lasts.")] = "",
    fact: Annotated[str, typer.Option(metavar="CARD FACT VALUE", help="Change a fact of a situation.")] = "",
    when: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CONDITION", help="A condition like `mover is not dispersed`; may be repeated: all must hold."
        ),
    ] = None,
    against: Annotated[
        list[str] | None, typer.Option(metavar="RULE", help="The prohibition that --allow lifts; may be repeated.")
    ] = None,
    of: Annotated[str, typer.Option(metavar="KIND", help="For --status: what may have it.")] = "",
    until: Annotated[
        str, typer.Option(metavar="MOMENT", help="For --status: how long it lasts: `turn`, a phase.")
    ] = "own_turn",
    marker: Annotated[str, typer.Option(help="For --status: the text of its marker.")] = "",
    after: Annotated[str, typer.Option(metavar="EVENT", help="For --status: what causes it.")] = "",
    forbids: Annotated[str, typer.Option(metavar="QUESTION", help="For --status: what it forbids.")] = "",
    group: Annotated[
        str, typer.Option(metavar="TITLE", help="With --force: which force, where a side has several.")
    ] = "",
    why: Annotated[str, typer.Option(metavar="TEXT", help="One sentence, printed as that of the rule.")] = "",
    kind: Annotated[str, typer.Option(metavar="KIND", help="For a new layer: variant or optional.")] = "variant",
    place: Annotated[
        Path, typer.Option("--dir", metavar="DIR", help="Where to create the folder of a new layer.")
    ] = Path(),
    dry: Annotated[bool, typer.Option("--dry-run", help="Print the text, and write nothing.")] = False,
) -> Reply[ChangeRecord]:
    """Write a change as a layer, with an example.

    Example: rulewright change low_tide deep_mud --number mud-clings 2 3 --why 'It has rained.'
    """
    from rulewright.library.stack_names import named_stack
    from rulewright.system.errors import UsageError
    from rulewright.write.change.change_form import ChangeRequest
    from rulewright.write.change.layers import draft_change, layer_folder, write_draft

    stack, folders = named_stack(stack)
    packages = [*packages, *folders]
    options = {
        "cell": cell,
        "number": number,
        "printed": printed,
        "trait": trait,
        "forbid": forbid,
        "allow": allow,
        "status": status,
        "force": force,
        "turns": turns,
        "fact": fact,
    }
    chosen = [key for key, first in options.items() if first]
    if len(chosen) > 1:
        raise UsageError(
            f"one change at a time: {', '.join(f'--{each}' for each in chosen)}; call it again for the next"
        )
    if not chosen:
        raise UsageError(f"say what is changed: {', '.join(f'--{option}' for option in options)}")
    layer_place = layer_folder(name, place, packages)
    field_values = {
        "when": when or [],
        "against": against or [],
        "of": [of],
        "until": [until],
        "marker": [marker],
        "after": [after],
        "forbids": [forbids],
        "group": [group],
        "why": [why],
    }
    field_values |= _worded(chosen[0], options[chosen[0]], words or [])
    found = draft_change(ChangeRequest(stack, name, ((chosen[0], field_values),), kind), layer_place, packages)
    files = [] if dry or found.has_errors else write_draft(found, layer_place)
    return _reply(found, layer_place.folder, files, packages, dry=dry)


# The fields of the arguments of an option, in order; the arguments of a cell between the first and the last are its
# keys.
WORDS = {
    "number": ("rule", "was", "now"),
    "printed": ("counter", "column", "now"),
    "trait": ("counter", "trait", "now"),
    "forbid": ("what",),
    "allow": ("what",),
    "status": ("name",),
    "force": ("card", "side", "unit", "now"),
    "turns": ("card", "now"),
    "fact": ("card", "fact", "now"),
}


def _worded(kind: str, first: str, rest: Sequence[str]) -> dict[str, list[str]]:
    """Return the arguments of an option by field."""
    from rulewright.system.errors import UsageError

    if kind == "cell":
        if not rest:
            raise UsageError("write `--cell CHART KEYS.. VALUE`, as in `--cell tec slope truck 6`")
        return {"chart": [first], "keys": [*rest[:-1]], "now": [rest[-1]]}
    names = WORDS[kind]
    if len(rest) + 1 != len(names):
        raise UsageError(f"write `--{kind} {' '.join(each.upper() for each in names)}`")
    return {name: [word] for name, word in zip(names, (first, *rest), strict=True)}


def _reply(
    found: "Draft", folder: Path, files: Sequence[str], packages: Sequence[Path], *, dry: bool
) -> Reply[ChangeRecord]:
    """Return a reply with the written files and the findings of compiling them."""
    from rulewright.write.change.layers import folder_of_layer

    record: ChangeRecord = {
        "layer": found.name,
        "stack": found.stack,
        "folder": folder.as_posix(),
        "files": dict(found.files),
        "written": list(files),
        "findings": list(found.findings),
        "failed": list(found.failed_titles),
    }
    reach = dict.fromkeys((folder_of_layer(folder).as_posix(), *(package.as_posix() for package in packages)))
    more = "".join(f" --path {shell_word(each)}" for each in reach)
    text = found.text if dry or found.has_errors else ""
    return Reply(record, lambda record: _change_block(record, text, more, dry=dry), findings=not found.is_sound)


def _change_block(record: ChangeRecord, text: str, more: str, *, dry: bool) -> DocumentBlock:
    """Show the `text` of the layer, what is wrong, and the commands that try it, which end with `more`."""
    lines: list[LineText] = [
        *record["findings"],
        *(f"the example `{title}` fails" for title in record["failed"]),
    ]
    if record["written"]:
        stack = record["stack"]
        base = stack.removesuffix(f"+{record['layer']}")
        commands = (f"check {stack}", f"test {record['layer']}", f"diff {base} {stack}")
        wrote = f"wrote {', '.join(record['written'])} in {record['folder']}"
        lines.append(listing(wrote, [f"rulewright {command}{more}" for command in commands]))
    elif not dry:
        lines.append("nothing was written, as it would not compile")
    drawn = [reply_block(*drawn_lines(text))] if text else []
    return reply_block(blocks=[*drawn, reply_block(*lines)])
