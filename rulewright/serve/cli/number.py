"""`rulewright number [LAYER..]`: give rules and rulings numbers that stay."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulewright.serve.cli.console import Reply
from runtime.graph.document_lines import reply_block
from runtime.graph.records.packages import NumberedLayersRecord

if TYPE_CHECKING:
    from rulewright.library.stacks import PackageSet
    from rulewright.write.book_numbers import RegisterUpdate


def number(
    packages: list[Path],
    layers: Annotated[
        list[str] | None,
        typer.Argument(metavar="[LAYER...]", help="Layers by name or folder; all of your packages, if left out."),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; list the registers that would change.")
    ] = False,
) -> Reply[NumberedLayersRecord]:
    """Assign permanent numbers in the book to the rules of LAYER.

    A new rule or ruling gets a number that was never assigned, and changes no other.

    Example: rulewright number my_variant
    """
    from rulewright.library.stack_names import named_stack
    from rulewright.library.stacks import open_packages
    from rulewright.system.atomic_files import save_inside
    from rulewright.write.book_numbers import number_layer

    requests = [named_stack(request) for request in layers or ()]
    packages = [*packages, *(folder for _, folders in requests for folder in folders)]
    package_set = open_packages(packages)
    names = _in_order(package_set, [name for name, _ in requests])
    lines, changed = [], []
    for name in names:
        update = number_layer(package_set, name)
        if update.old_text == update.new_text:
            continue
        changed.append(name)
        lines.append(f"{'would change' if check else 'wrote'} {_update_text(update)}")
        if not check:
            save_inside(update.path.parent, update.path.name, update.new_text)
            package_set = open_packages(packages)  # The next layer avoids the numbers of this one.
    lines.append(f"{len(changed)} of {len(names)} registers {'would change' if check else 'changed'}")
    record: NumberedLayersRecord = {"layers": names, "changed": changed, "says": lines}
    return Reply(record, lambda record: reply_block(*record["says"]), findings=check and bool(changed))


def _in_order(package_set: "PackageSet", requested: Sequence[str]) -> list[str]:
    """Return the layers to number, all of one's own if none is requested: each after those that it extends."""
    from rulewright.system.errors import UsageError
    from rulewright.write.book_numbers import numbered_layers

    known = numbered_layers(package_set.library)
    names = requested or [name for name in known if not _is_shipped(package_set, name)]
    if not names:
        raise UsageError("name the layers to number; there are no packages besides those that are shipped")
    for name in names:
        if "+" in name:
            raise UsageError(f"`{name}` is a stack, and layers are numbered each by itself: {name.replace('+', ' ')}")
        package_set.require_layers(name)
    return sorted(names, key=lambda name: known.index(name) if name in known else -1)


def _is_shipped(package_set: "PackageSet", layer: str) -> bool:
    """Return whether a layer is one of those that rulewright ships."""
    from rulewright.library.shipped_folders import rules_folder
    from rulewright.write.book_numbers import folder_of

    return folder_of(package_set.library, layer).resolve().is_relative_to(rules_folder().resolve())


def _update_text(update: "RegisterUpdate") -> str:
    """Return the file of a register, with the number of its new and of its retired numbers."""
    from runtime.graph.words import counted_noun

    retired = f", {len(update.retired)} retired" if update.retired else ""
    return f"{update.path}: {counted_noun(update.new_count, 'new number')}{retired}"
