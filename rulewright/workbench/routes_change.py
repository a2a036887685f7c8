"""Requests of the room Change: its forms, charts as grids, the text of a change, what it alters, saving."""

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rulewright.change.cells import cell_text, labels_of
from rulewright.change.draft import Draft
from rulewright.change.forms import KINDS, Form, cards, kind_of
from rulewright.change.kinds import AddOption, Change, Request
from rulewright.change.layers import Place, drafted, place_of, stack_at, written
from rulewright.errors import UsageError, advice
from rulewright.library.stacks import Stack
from rulewright.workbench.layers_here import layers_in, listed
from rulewright.workbench.requests import Answered, Asked, text_of
from rulewright.workbench.sessions import Sessions
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.witness.position_file import expression_text

# More in one go than anybody writes by hand.
MOST_CHANGES = 40


def changeable(sessions: Sessions, _: Asked) -> Any:
    """List the stacks that can be changed, and the kinds of change."""
    return {"layers": listed(sessions.packages), "home": sessions.home.as_posix(),
            "kinds": [{"name": each.name, "title": each.title} for each in KINDS.values()]}  # fmt: skip


def form(sessions: Sessions, asked: Asked) -> Any:
    """Show the fields of a change, as far as they are known from what was filled in."""
    _, stack, rules = _stack(sessions, asked)
    given = _given(json.loads(text_of(asked, "given") or "{}"))
    found = Form(stack, rules, given, [each for each in text_of(asked, "switches").split(" ") if each])
    return {"fields": [
        {"name": each.name, "title": each.title, "free": each.free, "many": each.many, "optional": each.optional,
         "choices": [{"value": choice.value, "title": choice.title} for choice in each.choices]}
        for each in kind_of(text_of(asked, "kind")).fields(found)
    ]}  # fmt: skip


def chart(sessions: Sessions, asked: Asked) -> Any:
    """Show a chart as a grid: its keys, and each line with its keys and what stands there."""
    _, _, rules = _stack(sessions, asked)
    name = text_of(asked, "chart")
    table = rules.tables.get(name)
    if table is None:
        raise UsageError(f"there is no chart `{name}`; {advice(name, sorted(rules.tables))}")
    lines = [{"keys": labels_of(rules, table, row), "value": cell_text(row)} for row in table.rows]
    title = (table.reads or words.spaced(name)).replace("{", "").replace("}", "")
    return {"name": name, "title": title, "cites": list(table.cites),
            "keys": [words.spaced(key.name) for key in table.keys], "lines": lines}  # fmt: skip


def counters(sessions: Sessions, asked: Asked) -> Any:
    """Show what is printed on counters, kind by kind."""
    _, _, rules = _stack(sessions, asked)
    kinds = []
    for kind in dict.fromkeys(each.kind for each in rules.counters.values()):
        rows = [each for each in rules.counters.values() if each.kind == kind]
        columns = list(dict.fromkeys(name for each in rows for name, _ in each.printed))
        traits = sorted(
            flag.name for flag in rules.vocabulary.flags.values() if flag.owner == kind and flag.what == "trait"
        )
        kinds.append({"kind": kind, "columns": columns, "traits": traits, "rows": [
            {"id": each.id, "title": words.counter(each.id, rules.counters), "traits": list(each.traits),
             "printed": {name: expression_text(value) for name, value in each.printed}} for each in rows]})  # fmt: skip
    return {"kinds": kinds}


def draft(sessions: Sessions, asked: Asked) -> Any:
    """Write changes as text, and try it; nothing is kept."""
    made, _ = _drafted(sessions, asked)
    return _shown(made)


def difference(sessions: Sessions, asked: Asked) -> Any:
    """Begin to look for what changes alter: a job that compares both stacks."""
    made, place = _drafted(sessions, asked)
    if made.errors:
        raise UsageError("this does not compile; see what is said beside its text")
    aside = Path(tempfile.mkdtemp(prefix="rulewright-change-"))
    sessions.scratch.append(aside)
    for name, text in made.files.items():
        file = aside / made.name / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    base = _below(made, place, text_of(asked, "stack"))
    others = [each for each in sessions.packages if each.resolve() != place.folder.resolve()]
    if any(place.folder.resolve().is_relative_to(each.resolve()) for each in others):
        raise UsageError("save this first: its layer lies in a folder with others, and is compared from there")
    return {"job": sessions.jobs.begin(["diff", base, made.stack], [*others, aside]), "a": base, "b": made.stack}


def save(sessions: Sessions, asked: Asked) -> Any:
    """Write changes into a layer of the user's."""
    made, place = _drafted(sessions, asked)
    if made.errors:
        raise UsageError("this does not compile, so it is not saved; see what is said beside its text")
    files = written(made, place)
    sessions.forget_rules()
    sessions.packages = tuple(dict.fromkeys((*sessions.packages, *layers_in(sessions.home))))
    _, stack, rules = _stack(sessions, {"stack": made.stack})
    known = stack.library.scenarios
    found = [{"name": each.value, "title": each.title, "sides": [side.text for side in card.order]}
             for each in cards(Form(stack, rules, {})) if (card := known.get(each.value)) is not None]  # fmt: skip
    return {**_shown(made), "folder": place.folder.as_posix(), "written": files, "cards": found}


def _shown(made: Draft) -> dict[str, Any]:
    files = [{"name": name, "text": text} for name, text in sorted(made.files.items())]
    return {"layer": made.name, "stack": made.stack, "files": files,
            "findings": list(made.findings), "failed": list(made.failed), "errors": made.errors}  # fmt: skip


def _below(made: Draft, place: Place, stack: str) -> str:
    """Name the stack that a draft is held against."""
    return stack if place.before is None else made.stack.removesuffix(f"+{made.name}")


def _stack(sessions: Sessions, asked: Asked) -> tuple[Place | None, Stack, graph.Graph]:
    """Compile the stack that a request is about, with the layer that grows."""
    name, layer = text_of(asked, "stack"), text_of(asked, "layer")
    place = place_of(layer, sessions.home, sessions.packages) if layer else None
    stack = stack_at(name, layer, place or Place(sessions.home, None), sessions.packages)
    if stack.broken or stack.graph is None:
        raise UsageError(f"`{name}` has errors; `rulewright check {name}` says which")
    return place, stack, stack.graph


def _drafted(sessions: Sessions, asked: Asked) -> tuple[Draft, Place]:
    place, stack, rules = _stack(sessions, asked)
    if place is None:
        raise UsageError("give the layer a name, like `deep_snow`")
    several = asked.get("changes")
    if not isinstance(several, list) or not 0 < len(several) <= MOST_CHANGES:
        raise UsageError(f"`changes` is a list of one to {MOST_CHANGES} changes")
    made: list[Change] = []
    for each in several:
        if not isinstance(each, dict) or not isinstance(each.get("kind"), str):
            raise UsageError("a change is an object with its `kind` and what is `given`")
        switches = [one.name for one in made if isinstance(one, AddOption)]
        made.append(kind_of(each["kind"]).made(Form(stack, rules, _given(each.get("given")), switches)))
    request = Request(
        text_of(asked, "stack"), text_of(asked, "layer"), tuple(made), text_of(asked, "kind") or "variant"
    )
    return drafted(request, place, sessions.packages), place


def _given(value: object) -> Mapping[str, list[str]]:
    """Read what was filled in: lists of texts by the names of fields."""
    if not isinstance(value, dict):
        raise UsageError("`given` is an object")
    for each in value.values():
        if not isinstance(each, list) or not all(isinstance(one, str) for one in each):
            raise UsageError("each field of `given` is a list of texts")
    return value


READ: dict[str, Answered] = {"changeable": changeable, "form": form, "chart": chart, "counters": counters}
WRITE: dict[str, Answered] = {"draft": draft, "difference": difference, "save": save}
