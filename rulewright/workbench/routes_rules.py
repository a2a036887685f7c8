"""Requests of the view Rules: the files of a layer, findings, meanings of words, and examples as maps."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from starlette.responses import Response

from compiler.rulebook.drawings.diagrams import position_description
from compiler.source.files import LARGEST_FILE, normalized_text, reading_unsaved
from compiler.source.package import SUFFIXES
from rulewright.atomic_files import save_edited
from rulewright.change.layers import is_users
from rulewright.editor.cursor import word_at
from rulewright.editor.workspace import EditorWorkspace, format_text
from rulewright.errors import UsageError, suggestion_text
from rulewright.library.stacks import PackageSet, Stack, open_packages
from rulewright.regular_files import read_regular
from rulewright.views.picture import position_svg
from rulewright.workbench.checked_values import whole_number
from rulewright.workbench.expected_values import BY_HAND, with_answer
from rulewright.workbench.requests import RequestFields, RequestFunction, text_field
from rulewright.workbench.sessions import Sessions
from runtime.examples.row_result import Run
from runtime.examples.run import run_examples
from runtime.graph import nodes as graph
from runtime.state.setup import from_position

# The most examples of one file that are run after each key.
MOST_RUN = 60
# The most cached drawings.
MOST_KEPT = 400
# The most offered completions.
MOST_OFFERED = 60


def rules_files(sessions: Sessions, payload: RequestFields) -> Any:
    """Return the files of a layer, with their texts."""
    name = text_field(payload, "layer")
    package_set = open_packages(sessions.packages_with(name))
    folder = _folder(package_set, name)
    files = [each for each in sorted(folder.rglob("*")) if each.suffix in SUFFIXES and each.is_file()]
    files.sort(key=lambda each: (each.suffix != ".rules", each.name != "changes.rules", each.as_posix()))
    file_data = [
        {"name": each.relative_to(folder).as_posix(), "text": each.read_text(encoding="utf-8", errors="replace")}
        for each in files
    ]
    return {"layer": name, "title": str(package_set.library.layers[name].title or name), "own": is_users(folder),
            "folder": folder.as_posix(), "files": file_data}  # fmt: skip


def rules_look(sessions: Sessions, payload: RequestFields) -> Any:
    """Return the findings of compiling a file with its text in the editor."""
    path, text = _file(sessions, payload), text_field(payload, "text")
    workspace = EditorWorkspace(_packages_in_reach(sessions, payload))
    found = workspace.read(path, text)
    file_findings = [_finding(each) for each in found.get(path.resolve(), found.get(path, []))]
    others = sum(len(each) for file, each in found.items() if file.resolve() != path.resolve())
    return {"findings": file_findings, "elsewhere": others}


def rules_examples(sessions: Sessions, payload: RequestFields) -> Any:
    """Run the examples of a file with its text in the editor; `reason` is the reason if they cannot run.

    With `yields`, other requests have priority; if there is one, `unfinished` states that this request is to be
    repeated.
    """
    path, text = _file(sessions, payload), text_field(payload, "text")
    yields = payload.get("yields") is True
    found = _examples(sessions, text_field(payload, "layer"), path, text, lambda: yields and sessions.waiting > 0)
    examples, reason = found or ((), "")
    return {"examples": list(examples), "why": reason, "unfinished": found is None}


def rules_prove(sessions: Sessions, payload: RequestFields) -> Any:
    """Start a job that proves a file with its text in the editor, in place of an earlier job."""
    path = _file(sessions, payload)
    before = text_field(payload, "job")
    if before and before in sessions.jobs.all:
        sessions.jobs.find(before).stop()
    # A single text, proved in the process itself, which is killed with its children when the text changes.
    request = {
        "number": 0,
        "once": True,
        "path": path.as_posix(),
        "text": text_field(payload, "text"),
        "steps": EditorWorkspace().steps,
        "packages": [each.as_posix() for each in _packages_in_reach(sessions, payload)],
    }
    return {"job": sessions.jobs.begin_module("rulewright.editor.proving", request), "path": path.resolve().as_posix()}


def rules_word(sessions: Sessions, payload: RequestFields) -> Any:
    """Return the meaning of the word at a position of a text: its page of `explain`, and its printed form."""
    path, text = _file(sessions, payload), text_field(payload, "text")
    word = word_at(text, _number(payload, "line"), _number(payload, "column"))
    if word is None:
        return {"word": "", "meaning": "", "printed": ""}
    with reading_unsaved({path.resolve(): text}):
        workspace = EditorWorkspace(_packages_in_reach(sessions, payload))
        meaning = workspace.explain(path, word.text) or ""
        stack = workspace.stack_of(path)
    printed = _printed_text(stack.graph, word.text) if stack and stack.graph else ""
    return {"word": word.text, "meaning": meaning, "printed": printed}


def rules_offers(sessions: Sessions, payload: RequestFields) -> Any:
    """Return the completions of a text: words that begin with it, then words that contain it."""
    typed_text = text_field(payload, "begun").lower()
    offers = EditorWorkspace(_packages_in_reach(sessions, payload)).list_offers(_file(sessions, payload))
    matches = [each for each in offers if typed_text in each.word.lower()]
    matches.sort(key=lambda each: (not each.word.lower().startswith(typed_text), each.word))
    return {"offers": [{"word": each.word, "what": each.kind, "reads": each.reads} for each in matches[:MOST_OFFERED]]}


def rules_right(sessions: Sessions, payload: RequestFields) -> Any:
    """Return a text with the actual answer in place of an expectation; it is not saved."""
    path, text, line = _file(sessions, payload), text_field(payload, "text"), _number(payload, "line")
    layer = text_field(payload, "layer")
    rules, failed = _failing_run(sessions, layer, path, text, line)
    if failed is None:
        raise UsageError("the example no longer fails on this line")
    checks = [each for each in failed.example.lines if isinstance(each, graph.Check) and each.origin.line - 1 == line]
    failures = [each for each in failed.failures if each.origin.line - 1 == line]
    if len(checks) != 1 or len(failures) != 1 or failed.example.names:
        raise UsageError(BY_HAND)
    changed = with_answer(rules, checks[0], failures[0], text)
    if _failing_run(sessions, layer, path, changed, line)[1] is not None:
        raise UsageError(BY_HAND)
    return {"text": changed}


def _failing_run(sessions: Sessions, layer: str, path: Path, text: str, line: int) -> tuple[graph.Graph, Run | None]:
    """Run the example at a line of a text; return the graph, and the run that fails at this line, None if none does."""
    with reading_unsaved({path.resolve(): text}):
        stack, name = _compiled(sessions, layer, path), _report_name(sessions, path)
    assert stack.graph is not None
    earlier_examples = tuple(
        each for each in stack.graph.examples if each.origin.file == name and each.origin.line <= line + 1
    )
    runs = run_examples(replace(stack.graph, examples=earlier_examples[-1:]))
    return stack.graph, next((run for run in runs if any(each.origin.line - 1 == line for each in run.failures)), None)


def rules_laid_out(sessions: Sessions, payload: RequestFields) -> Any:
    """Return a text formatted like `fmt`."""
    path, text = _file(sessions, payload), text_field(payload, "text")
    return {"text": format_text(path, text) or text}


def rules_save(sessions: Sessions, payload: RequestFields) -> Any:
    """Save a file of the user; `UsageError` if it was changed since."""
    path, text = _file(sessions, payload), text_field(payload, "text")
    if not is_users(path):
        raise UsageError("the rules that come with Rulewright are read-only: create a layer that changes them")
    try:
        before = read_regular(path, LARGEST_FILE).decode("utf-8")
    except UnicodeDecodeError:
        raise UsageError(
            f"`{path}` is not UTF-8; characters that cannot be read are shown by replacements, so it is not saved"
        ) from None
    if normalized_text(before) != normalized_text(text_field(payload, "was")):
        raise UsageError(
            f"`{path}` was changed by another program since it was opened; copy your text, and reload the page"
        )
    save_edited(path, text)
    sessions.forget_rules()
    return {"saved": path.as_posix()}


# ---------------------------------------------------------------- files


def _folder(package_set: PackageSet, name: str) -> Path:
    known = package_set.library.layers
    if name not in known:
        raise UsageError(f"there is no layer `{name}`; {suggestion_text(name, sorted(known))}")
    manifest = package_set.library.texts.file(known[name].span.file)
    assert manifest is not None
    return manifest.path.parent


def _file(sessions: Sessions, payload: RequestFields) -> Path:
    """Return a file of a layer; `UsageError` if it is unknown or outside of the layer's folder."""
    folder = _folder(open_packages(_packages_in_reach(sessions, payload)), text_field(payload, "layer"))
    name = text_field(payload, "file")
    known = {each.relative_to(folder).as_posix(): each for each in folder.rglob("*") if each.suffix in SUFFIXES}
    if name not in known or not known[name].resolve().is_relative_to(folder.resolve()):
        raise UsageError(f"there is no file `{name}`; {suggestion_text(name, sorted(known))}")
    return known[name]


def _report_name(sessions: Sessions, path: Path) -> str:
    """Return the name of a file in findings and origins."""
    library = open_packages(sessions.available_packages).library
    for files in library.files.values():
        for each in files:
            if each.path == path.resolve() or each.path == path:
                return each.name
    return path.name


def _packages_in_reach(sessions: Sessions, payload: RequestFields) -> tuple[Path, ...]:
    """Return the packages available to the layer of a request."""
    return sessions.packages_with(text_field(payload, "layer"))


def _number(payload: RequestFields, name: str) -> int:
    value = payload.get(name, 0)
    if isinstance(value, str) and (number := whole_number(value)) is not None:
        return number
    if type(value) is not int or value < 0:
        raise UsageError(f"`{name}` is a number")
    return value


def _compiled(sessions: Sessions, layer: str, path: Path) -> Stack:
    """Compile the stack of a layer, with the editor's text if `reading_unsaved` provides one."""
    package_set = open_packages(sessions.packages_with(layer))
    package_set.require_layers(layer)
    stack = package_set.compiled(layer)
    if stack.is_broken or stack.graph is None:
        raise UsageError(f"`{path.name}` does not compile; see its findings")
    return stack


# ---------------------------------------------------------------- findings and examples


def _finding(each: dict[str, Any]) -> dict[str, Any]:
    start, end = each["range"]["start"], each["range"]["end"]
    return {"line": start["line"], "end": end["line"], "error": each["severity"] == 1, "code": each["code"],
            "message": each["message"], "range": each["range"], **each["data"]}  # fmt: skip


def _examples(
    sessions: Sessions, layer: str, path: Path, text: str, canceled: Callable[[], bool]
) -> tuple[list[dict[str, Any]], str] | None:
    """Run the examples of a file under the stack of its layer; also return why they cannot run; None if canceled."""
    with reading_unsaved({path.resolve(): text}):
        package_set = open_packages(sessions.packages_with(layer))
        if layer not in package_set.library.layers:
            return [], "The layer cannot be read."
        stack = package_set.compiled(layer)
        name = _report_name(sessions, path)
    if stack.is_broken or stack.graph is None:
        return [], "The examples run when the rules compile."
    runs: dict[graph.Origin, list[Run]] = defaultdict(list)
    file_examples = [each for each in stack.graph.examples if each.origin.file == name]
    for run in run_examples(replace(stack.graph, examples=tuple(file_examples[:MOST_RUN]))):
        runs[run.example.origin].append(run)
        if canceled():
            return None
    example_data = [
        _example(sessions, stack.graph, each) for _, each in sorted(runs.items(), key=lambda pair: pair[0].line)
    ]
    example_data.sort(key=lambda each: each["passed"])
    left = len(file_examples) - MOST_RUN
    return (
        example_data,
        f"The first {MOST_RUN} examples are run here; `rulewright test` also runs the other {left}."
        if left > 0
        else "",
    )


def _example(sessions: Sessions, rules: graph.Graph, runs: Sequence[Run]) -> dict[str, Any]:
    example = runs[0].example
    failures = [{"line": each.origin.line - 1, "expected": each.expected, "actual": each.actual, "case": each.case}
                for run in runs for each in run.failures]  # fmt: skip
    description = f"On the card {example.card}." if example.card else position_description(rules, example.position)
    drawing, passed = _drawing(sessions, rules, example), all(run.has_passed for run in runs)
    return {"title": example.title, "line": example.origin.line - 1, "passed": passed, "cases": len(runs),
            "drawing": drawing, "told": description, "failures": failures}  # fmt: skip


def _drawing(sessions: Sessions, rules: graph.Graph, example: graph.Example) -> str:
    """Render the position of an example, and cache it under the returned key; "" if each case has a different one."""
    if example.card or example.names or not example.position.pieces:
        return ""
    svg = position_svg(from_position(rules, example.position))
    key = hashlib.sha256(svg.encode()).hexdigest()
    sessions.drawings[key] = svg
    while len(sessions.drawings) > MOST_KEPT:
        del sessions.drawings[next(iter(sessions.drawings))]
    return key


def rules_drawing(sessions: Sessions, payload: RequestFields) -> Any:
    """Return a cached drawing of an example."""
    key = text_field(payload, "key")
    if key not in sessions.drawings:
        raise UsageError("this drawing is no longer stored; reload the page")
    return Response(sessions.drawings[key], media_type="image/svg+xml")


def _printed_text(rules: graph.Graph, word: str) -> str:
    """Return the printed text of a rule, ruling or question; "" if it has none."""
    if word in rules.rulings:
        ruling = rules.rulings[word]
        return f"{ruling.asks} {ruling.answers} [{', '.join(ruling.cites)}]"
    if word in rules.rules:
        rule = rules.rules[word]
        return f"{rule.prose} [{', '.join(rule.cites)}]" if rule.prose else ""
    return rules.terms[word].reads if word in rules.terms else ""


READ: dict[str, RequestFunction] = {
    "rules_files": rules_files,
    "rules_offers": rules_offers,
    "rules_drawing": rules_drawing,
}
WRITE: dict[str, RequestFunction] = {
    "rules_look": rules_look, "rules_examples": rules_examples, "rules_prove": rules_prove, "rules_word": rules_word,
    "rules_right": rules_right,
    "rules_laid_out": rules_laid_out, "rules_save": rules_save,
}  # fmt: skip
