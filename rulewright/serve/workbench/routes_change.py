"""Requests of the view Change: its forms, charts as grids, drafts of changes, their effects, saving."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from compiler.rulebook.charts import chart_title
from rulewright.library.stacks import Stack
from rulewright.serve.workbench.changeable_layers import changeable_layers
from rulewright.serve.workbench.drafting import MODULE as DRAFTING
from rulewright.serve.workbench.drafting import read_fields, stack_of
from rulewright.serve.workbench.readable_packages import excluded_folders
from rulewright.serve.workbench.requests import RequestFields, RequestFunction, text_field
from rulewright.serve.workbench.sessions import Sessions
from rulewright.system.errors import UsageError, suggestion_text
from rulewright.system.json_texts import decode_json
from rulewright.write.change.cells import cell_text, key_alternatives, key_words
from rulewright.write.change.change_form import ChangeForm
from rulewright.write.change.change_forms import KINDS, kind_of
from rulewright.write.change.layers import LayerFolder, layer_folder
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.witness.position_file import expression_text


def _changeable_stacks(sessions: Sessions, _: RequestFields) -> Any:
    """Return the stacks that can be changed, and the kinds of change."""
    return {"layers": changeable_layers(sessions.packages_in_reach), "home": sessions.save_folder.as_posix(),
            "left_out": excluded_folders(sessions.available_packages),
            "kinds": [{"name": kind.name, "title": kind.title} for kind in KINDS.values()]}  # fmt: skip


def _change_fields(sessions: Sessions, payload: RequestFields) -> Any:
    """Return the fields of a change, given those that are filled in."""
    _, stack, rules = _stack(sessions, payload)
    try:
        filled_fields = read_fields(decode_json(text_field(payload, "given") or "{}"))
    except ValueError:
        raise UsageError("`given` is not valid JSON") from None
    found = ChangeForm(stack, rules, filled_fields)
    return {"fields": [
        {"name": each.name, "title": each.title, "free": each.free, "many": each.many, "optional": each.optional,
         "choices": [{"value": choice.value, "title": choice.title} for choice in each.choices]}
        for each in kind_of(text_field(payload, "kind")).fields(found)
    ]}  # fmt: skip


def _chart_grid(sessions: Sessions, payload: RequestFields) -> Any:
    """Return a chart as a grid: its keys, and each row with its keys and value.

    `parts` are the single values of a key that a row accepts.
    """
    _, _, rules = _stack(sessions, payload)
    name = text_field(payload, "chart")
    table = rules.tables.get(name)
    if table is None:
        raise UsageError(f"there is no chart `{name}`; {suggestion_text(name, sorted(rules.tables))}")
    lines = [{"keys": key_words(rules, table, row), "value": cell_text(row),
              "parts": key_alternatives(table, row, rules.vocabulary)} for row in table.rows]  # fmt: skip
    return {"name": name, "title": chart_title(table), "cites": list(table.cites),
            "keys": [words.readable_name(key.name) for key in table.keys], "lines": lines}  # fmt: skip


def _counter_values(sessions: Sessions, payload: RequestFields) -> Any:
    """Return the printed values of counters, by kind."""
    _, _, rules = _stack(sessions, payload)
    kinds = []
    for kind in dict.fromkeys(counter.kind for counter in rules.counters.values()):
        rows = [counter for counter in rules.counters.values() if counter.kind == kind]
        columns = list(dict.fromkeys(name for row in rows for name, _ in row.printed))
        traits = sorted(
            flag.name for flag in rules.vocabulary.flags.values() if flag.owner == kind and flag.what == "trait"
        )
        kinds.append({"kind": kind, "columns": columns, "traits": traits, "rows": [
            {"id": row.id, "title": words.counter(row.id, rules.counters), "traits": list(row.traits),
             "printed": {name: expression_text(value) for name, value in row.printed}} for row in rows]})  # fmt: skip
    return {"kinds": kinds}


def _start_draft(sessions: Sessions, payload: RequestFields) -> Any:
    """Start a job that drafts changes without saving them."""
    return {"job": _begin_drafting(sessions, payload, save=False)}


def _start_comparison(sessions: Sessions, payload: RequestFields) -> Any:
    """Start a job that compares a stack with its draft; `draft` is the job of the latter."""
    draft_data = sessions.jobs.find(text_field(payload, "draft")).state()["data"]
    if not isinstance(draft_data, dict) or "files" not in draft_data:
        raise UsageError("the draft no longer exists; reload the page")
    if draft_data["errors"]:
        raise UsageError("the draft has errors; its findings are listed above its text")
    place = layer_folder(draft_data["layer"], sessions.save_folder, sessions.packages_in_reach)
    aside = Path(tempfile.mkdtemp(prefix="rulewright-change-"))
    sessions.scratch.append(aside)
    for each in draft_data["files"]:
        file = aside / draft_data["layer"] / each["name"]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(each["text"], encoding="utf-8")
    base = (
        text_field(payload, "stack")
        if place.existing_files is None
        else draft_data["stack"].removesuffix(f"+{draft_data['layer']}")
    )
    others = [each for each in sessions.packages_in_reach if each.resolve() != place.folder.resolve()]
    if any(place.folder.resolve().is_relative_to(each.resolve()) for each in others):
        raise UsageError("save the draft first: its layer is in a folder with other layers, and is compared from there")
    command = ["diff", base, draft_data["stack"]]
    return {"job": sessions.jobs.begin(command, [*others, aside]), "a": base, "b": draft_data["stack"]}


def _start_save(sessions: Sessions, payload: RequestFields) -> Any:
    """Start a job that saves changes in a layer of the user; `draft` is the job of the draft that the page shows."""
    draft_job = text_field(payload, "draft")
    draft_data = sessions.jobs.find(draft_job).state()["data"] if draft_job else None
    shown_files = draft_data.get("files") if isinstance(draft_data, dict) else None
    return {"job": _begin_drafting(sessions, payload, save=True, on_end=sessions.forget_rules, shown_files=shown_files)}


def _begin_drafting(
    sessions: Sessions,
    payload: RequestFields,
    *,
    save: bool,
    on_end: Callable[[], None] | None = None,
    shown_files: object = None,
) -> str:
    """Start a drafting process."""
    request = {"asked": payload, "home": sessions.save_folder.as_posix(), "save": save, "shown": shown_files,
               "packages": [each.as_posix() for each in sessions.packages_in_reach]}  # fmt: skip
    return sessions.jobs.begin_module(DRAFTING, request, on_end)


def _stack(sessions: Sessions, payload: RequestFields) -> tuple[LayerFolder | None, Stack, graph.Graph]:
    """Return the place of the extended layer, and the compiled stack of a request."""
    return stack_of(payload, sessions.save_folder, sessions.packages_in_reach)


READ: dict[str, RequestFunction] = {
    "changeable": _changeable_stacks,
    "form": _change_fields,
    "chart": _chart_grid,
    "counters": _counter_values,
}
WRITE: dict[str, RequestFunction] = {"draft": _start_draft, "difference": _start_comparison, "save": _start_save}
