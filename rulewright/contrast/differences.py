"""The differences between the answers of two stacks, with witness positions as files."""

from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from compiler.analysis.arithmetic.strategy import available_strategy
from rulewright.contrast.behavior import Graphs, Save, behavior_data, question_text
from rulewright.contrast.factors import factors_data
from rulewright.contrast.inherited_examples import inherited_examples, stamp_of
from rulewright.contrast.notes import notes_data
from rulewright.contrast.proved import with_proofs
from rulewright.contrast.read_back import make_reader
from rulewright.library import cache
from rulewright.library.stacks import Stack
from rulewright.witnesses import save_witness, witness_folder, write_witness
from runtime.graph import nodes as graph
from runtime.graph.procedure_pairs import procedure_pairs
from runtime.witness.asked_questions import AskedQuestions
from runtime.witness.behavioral_diff import Difference, ExampleCounts, Group, TermDifference, behavioral_diff
from runtime.witness.change_report import ChangeReport
from runtime.witness.comparison import Moved, no_progress
from runtime.witness.printed_differences import ChartDifference
from runtime.witness.renamed_parts import with_names_of


def difference_of(
    a: Stack, b: Stack, term: str = "", moved: Moved = no_progress, example_runs: AskedQuestions | None = None
) -> Difference:
    """Compare two compiled stacks; kept until one of them changes. Every position is read back before it is told.

    They play the examples of what they have in common besides their own. `moved` is told how far the search has come.
    `example_runs` saves time where the first stack is compared with several others.
    """
    assert a.graph is not None
    assert b.graph is not None
    stamp = cache.compiler_stamp("compiler", "runtime", "rulewright/contrast")
    key = cache.cache_key(
        b"difference",
        b"reckoned" if available_strategy() else b"by cases",
        stamp,
        a.graph.hash.encode(),
        b.graph.hash.encode(),
        stamp_of(a, b),
        term.encode(),
    )
    return cache.remember(key, lambda: _difference(a, b, term, moved, example_runs))


def _difference(a: Stack, b: Stack, term: str, moved: Moved, example_runs: AskedQuestions | None) -> Difference:
    assert a.graph is not None
    assert b.graph is not None
    common = inherited_examples(a, b)
    found = behavioral_diff(*common.added_to(a.graph, b.graph), term, make_reader((a, b)), moved, example_runs)
    example_counts = (
        ExampleCounts(common.base, len(common.first_examples), common.failing_count, common.foreign_count)
        if common.count
        else None
    )
    return with_proofs(replace(found, base=example_counts), a.graph, b.graph)


def as_data(
    found: Difference, names: tuple[str, str], graphs: tuple[graph.Graph, graph.Graph], folder: Path | None = None
) -> dict[str, Any]:
    """Convert a difference to data for `diff --format json`, with its positions saved as files."""
    if found.renamings:  # What is only called otherwise is told by the name that the second one has for it.
        graphs = with_names_of(*graphs)[0], graphs[1]
    place = witness_folder("..".join(names), folder)
    numbers = count(1)

    def save_position(text: str) -> str | None:
        """Write a position; None if the cache cannot be written to."""
        file = place / f"witness-{next(numbers)}.yaml"
        return write_witness(file, text) if folder is not None else save_witness(file, text)

    terms = [_term(each, save_position) for each in found.terms]
    labels = {
        "without_effect": list(found.idle),
        "incomparable": list(found.incomparable),
        "never_applied": list(found.unseen),
    }
    procedures = found.behavior.procedures
    behavior = behavior_data(found.behavior, graphs, save_position)
    sections: dict[str, Any] = {
        "counters": [
            {"counter": each.counter, "only": each.only or None, "shows": list(each.shows)} for each in found.counters
        ],
        "factors": factors_data(*graphs),
        "charts": [_chart(each) for each in found.charts],
        "actions": [
            {"action": each.name, "only": each.only_stack or None} for each in procedures if each.kind == "action"
        ],
        "behavior": behavior,
    }
    saved = {**_saved(terms), **_saved_plays(behavior)}
    witness_files = (each.witness.file for each in found.changes if each.witness is not None and each.witness.file)
    saved |= {file: save_position(file) for file in dict.fromkeys(witness_files) if file not in saved}
    sections["changes"] = [
        {**_change(each, graphs, saved), "accounts": _differing_accounts(each, graphs)} for each in found.changes
    ]
    sections["examples"] = _examples(found)
    return {"a": names[0], "b": names[1], "terms": terms, **labels, "notes": notes_data(*graphs), **sections}


def _examples(found: Difference) -> dict[str, Any]:
    """Format how many examples both stacks played, and which shared ones were left out."""
    played, base = found.behavior.examples, found.base
    common = None
    if base is not None:
        common = {"stack": base.stack, "given": base.examples, "failing": base.failing, "foreign": base.foreign}
    return {"played": played.played, "left_out": played.left_out, "common": common}


def _saved(terms: list[dict[str, Any]]) -> dict[str, str | None]:
    """Return the files of the positions of questions, by content."""
    return {group["position"]: group["witness"] for term in terms for group in term["groups"]}


def _saved_plays(behavior: dict[str, Any]) -> dict[str, str | None]:
    """Return the files of the positions of plays, by content."""
    plays = [*behavior["rules"], *behavior["example_questions"], behavior["order"]]
    plays += [each["play"] for each in behavior["procedures"]]
    return {play["position"]: play["witness"] for play in plays if play}


def _change(each: ChangeReport, graphs: Graphs, saved: dict[str, str | None]) -> dict[str, Any]:
    """Convert the report of one change to data."""
    change, witness_report = each.change, each.witness
    witness: dict[str, Any] | None = None
    if witness_report is not None:
        expression = witness_report.expression
        witness = {
            "question": witness_report.question if expression is None else question_text(expression, graphs[0]),
            "a": witness_report.a,
            "b": witness_report.b,
            "witness": saved.get(witness_report.file),
        }
        witness["remarks"] = list(witness_report.remarks)
    return {
        "kind": change.kind,
        "name": change.name,
        "label": each.label,
        "operation": change.operation,
        "fields": list(change.fields),
        "status": each.status,
        "why": each.reason,
        "witness": witness,
    }


def _differing_accounts(each: ChangeReport, graphs: tuple[graph.Graph, graph.Graph]) -> dict[str, list[str]] | None:
    """Return the account texts that only one of two procedures has; None if the accounts do not differ."""
    if each.change.kind != "procedure" or "account" not in each.change.fields:
        return None
    pair = next(pair for pair in procedure_pairs(*graphs) if each.change.name == (pair.second_key or pair.first_key))
    old_texts, new_texts = (
        _texts(key, rules) for key, rules in zip((pair.first_key, pair.second_key), graphs, strict=True)
    )
    return {
        "a": [text for text in old_texts if text not in new_texts],
        "b": [text for text in new_texts if text not in old_texts],
    }


def _texts(key: str, rules: graph.Graph) -> list[str]:
    """Return the account texts of a procedure, in the syntax of rules."""
    procedure = rules.procedures.get(key)
    account = procedure.account if procedure is not None else None
    return [f'{each.what} "{each.text}"' for each in account.texts] if account is not None else []


def _chart(each: ChartDifference) -> dict[str, Any]:
    cells = [
        {"cell": cell, "a": old_value or None, "b": new_value or None} for cell, old_value, new_value in each.cells
    ]
    keys = list(each.keys) if any(each.keys) else None
    return {"chart": each.chart, "only": each.only or None, "keys": keys, "cells": cells}


def _term(each: TermDifference, save: Save) -> dict[str, Any]:
    return {
        "term": each.term,
        "differs": each.differs,
        "of": each.positions,
        "only": each.only or None,
        "groups": [_group(group, save) for group in each.groups],
    }


def _group(group: Group, save: Save) -> dict[str, Any]:
    """Convert one group to data, and save its position."""
    return {
        "summary": group.summary,
        "witness": save(group.witness.file),
        "rules": list(group.rules),
        "against": list(group.against),
        "follows": list(group.follows),
        "dependents": list(group.dependents),
        "differs": group.differs,
        "question": group.witness.question,
        "a": group.witness.a,
        "b": group.witness.b,
        "missing_words": list(group.witness.missing_words),
        "remarks": list(group.witness.remarks),
        "position": group.witness.file,
    }
