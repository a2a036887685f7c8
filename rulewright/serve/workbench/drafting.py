"""Draft changes of a game in a separate process, since compiling and the search for examples take seconds.

In: a request as JSON on stdin: that of the view Change, the folder in which layers are saved, the packages, and
whether to save. Out: the draft as JSON, or `refused`, a sentence.
"""

import json
import sys
from pathlib import Path
from typing import Any

from rulewright.library.stacks import Stack
from rulewright.serve.workbench.changeable_layers import layers_in
from rulewright.serve.workbench.requests import RequestFields, text_field
from rulewright.system.errors import UsageError
from rulewright.system.progress import report_to_parent
from rulewright.write.change.change_form import ChangeForm, ChangeRequest, GivenValues
from rulewright.write.change.change_forms import card_choices
from rulewright.write.change.draft import Draft
from rulewright.write.change.layers import LayerFolder, draft_change, layer_folder, stack_at, write_draft
from runtime.graph import nodes as graph

# The most changes in one request.
MOST_CHANGES = 40
MODULE = "rulewright.serve.workbench.drafting"


def stack_of(
    payload: RequestFields, home: Path, packages: tuple[Path, ...]
) -> tuple[LayerFolder | None, Stack, graph.Graph]:
    """Return the place of the extended layer, and the compiled stack of a request."""
    name, layer = text_field(payload, "stack"), text_field(payload, "layer")
    place = layer_folder(layer, home, packages) if layer else None
    stack = stack_at(name, layer, place or LayerFolder(home, None), packages)
    return place, stack, stack.rules


def _draft_of(payload: RequestFields, home: Path, packages: tuple[Path, ...]) -> tuple[Draft, LayerFolder]:
    """Build and compile the draft of the changes in a request."""
    change_data = payload.get("changes")
    if not isinstance(change_data, list) or not 0 < len(change_data) <= MOST_CHANGES:
        raise UsageError(f"`changes` is a list of one to {MOST_CHANGES} changes")
    layer = text_field(payload, "layer")
    if not layer:
        raise UsageError("give the layer a name, like `deep_snow`")
    place = layer_folder(layer, home, packages)
    changes: list[tuple[str, GivenValues]] = []
    for each in change_data:
        if not isinstance(each, dict) or not isinstance(each.get("kind"), str):
            raise UsageError("a change is an object with its `kind` and what is `given`")
        changes.append((each["kind"], read_fields(each.get("given"))))
    kind = text_field(payload, "kind") or "variant"
    request = ChangeRequest(text_field(payload, "stack"), layer, tuple(changes), kind)
    return draft_change(request, place, packages), place


def read_fields(value: object) -> GivenValues:
    """Check that filled-in fields are lists of texts by name; `UsageError` otherwise."""
    if not isinstance(value, dict):
        raise UsageError("`given` is an object")
    for each in value.values():
        if not isinstance(each, list) or not all(isinstance(text, str) for text in each):
            raise UsageError("each field of `given` is a list of texts")
    return value


def draft_reply(
    payload: RequestFields, home: Path, packages: tuple[Path, ...], *, save: bool, shown_files: object
) -> dict[str, Any]:
    """Build a draft, and save it if requested; return its data, and after saving the situations that can be played.

    `shown_files` are the files of the draft that the page shows: others are not saved.
    """
    draft, place = _draft_of(payload, home, packages)
    if not save:
        return draft_data(draft)
    if shown_files is not None and draft_data(draft)["files"] != shown_files:
        raise UsageError(
            f"`{draft.name}` or the rules under it have changed since this draft was written, so it is not saved; "
            "the page now shows what it would be"
        )
    if draft.has_errors:
        raise UsageError("the draft has errors, so it is not saved; its findings are listed above its text")
    files = write_draft(draft, place)
    reach = tuple(dict.fromkeys((*packages, *layers_in(home))))
    _, stack, rules = stack_of({"stack": draft.stack}, home, reach)
    known = stack.library.scenarios
    found = [
        {"name": each.value, "title": each.title, "sides": [side.text for side in card.order]}
        for each in card_choices(ChangeForm(stack, rules, {}))
        if (card := known.get(each.value)) is not None
    ]
    return {**draft_data(draft), "folder": place.folder.as_posix(), "written": files, "cards": found}


def draft_data(draft: Draft) -> dict[str, Any]:
    """Return a draft as data."""
    files = [{"name": name, "text": text} for name, text in sorted(draft.files.items())]
    return {
        "layer": draft.name,
        "stack": draft.stack,
        "files": files,
        "findings": list(draft.findings),
        "failed": list(draft.failed_titles),
        "errors": draft.has_errors,
    }


def main() -> int:
    """Read a request, and print the answer."""
    request = json.load(sys.stdin)
    packages = tuple(Path(each) for each in request["packages"])
    try:
        with report_to_parent():
            found = draft_reply(
                request["asked"],
                Path(request["home"]),
                packages,
                save=request["save"],
                shown_files=request.get("shown"),
            )
    except UsageError as error:
        found = {"refused": str(error)}
    except OSError as error:
        found = {"refused": f"{error.filename or 'the system'}: {error.strerror}"}
    sys.stdout.write(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
