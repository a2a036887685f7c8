"""`rulewright number [LAYER..]`: give rules and rulings numbers that stay."""

from pathlib import Path
from typing import Annotated

import typer

from rulewright.serve.cli.console import Reply


def number(
    packages: list[Path],
    layers: Annotated[
        list[str] | None,
        typer.Argument(metavar="[LAYER...]", help="Layers by name or folder; all of your packages, if left out."),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; list the registers that would change.")
    ] = False,
    afresh: Annotated[
        bool, typer.Option("--afresh", help="Discard the numbers assigned so far, for a new edition.")
    ] = False,
) -> Reply:
    """Assign permanent numbers in the book to the rules of LAYER.

    A new rule or ruling gets a number that was never assigned, and changes no other.

    Example: rulewright number my_variant
    """
    from rulewright.library.shipped_folders import rules_folder
    from rulewright.library.stack_names import named_stack
    from rulewright.library.stacks import open_packages
    from rulewright.system.atomic_files import save_inside
    from rulewright.system.errors import UsageError
    from rulewright.write.book_numbers import folder_of, number_layer, numbered_layers
    from runtime.graph.words import counted_noun

    layer_requests = [named_stack(each) for each in layers or ()]
    packages = [*packages, *(folder for _, folders in layer_requests for folder in folders)]
    package_set = open_packages(packages)
    named = [name for name, _ in layer_requests] or [
        name
        for name in numbered_layers(package_set.library)
        if not folder_of(package_set.library, name).resolve().is_relative_to(rules_folder().resolve())
    ]
    if not named:
        raise UsageError("name the layers to number; there are no packages besides those that are shipped")
    lines, changed = [], []
    for name in named:
        if "+" in name:
            raise UsageError(
                f"`{name}` is a stack, and layers are numbered each by itself: {' '.join(name.split('+'))}"
            )
        package_set.require_layers(name)
    # Layers are numbered after those they extend. The files of later layers still have the numbers of the old edition.
    known = numbered_layers(package_set.library)
    named = sorted(named, key=lambda name: known.index(name) if name in known else -1)
    for index, name in enumerate(named):
        to_do = named[index : index + 1] if check else named[index:]  # A check leaves the others as they are.
        result = number_layer(package_set, name, ignored_layers=to_do if afresh else ())
        if result.old_text == result.new_text:
            continue
        changed.append(name)
        retired = f", {len(result.retired)} retired" if result.retired else ""
        numbers = counted_noun(result.new_count, "new number")
        lines.append(f"{'would change' if check else 'wrote'} {result.path}: {numbers}{retired}")
        if not check:
            save_inside(result.path.parent, result.path.name, result.new_text)
            package_set = open_packages(packages)  # The next layer avoids the numbers of this one.
    count = f"{len(changed)} of {len(named)} registers {'would change' if check else 'changed'}"
    return Reply(
        {"layers": list(named), "changed": changed}, "\n".join([*lines, count]), findings=check and bool(changed)
    )
