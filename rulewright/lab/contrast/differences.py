"""The differences between the answers of two stacks, with witness positions as files."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from compiler.analysis.arithmetic.strategy import available_strategy
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.intervals import Intervals
from compiler.analysis.laws import laws_of
from compiler.analysis.proof_context import BY_CASES, open_proof_context
from compiler.rulebook.book_differences import book_differences, dispute_differences, reading_differences
from compiler.rulebook.sentences import rule_sentence
from rulewright.checks.read_back import make_reader
from rulewright.checks.witnesses import save_witness, witness_folder, write_witness
from rulewright.lab.contrast.behavior_differences import Graphs, SaveFunction, behavior_data, question_text
from rulewright.lab.contrast.inherited_examples import inherited_examples, stamp_of
from rulewright.library import cache
from rulewright.library.stacks import Stack
from runtime.graph import nodes as graph
from runtime.graph.added_factors import added_factors
from runtime.graph.procedure_pairs import procedure_pairs
from runtime.graph.records.differing import (
    ChangeRecord,
    DifferencesRecord,
    DifferingAccountsRecord,
    DifferingAnswerRecord,
    DifferingCellRecord,
    DifferingChartRecord,
    DifferingFactorRecord,
    DifferingNoteRecord,
    DifferingSentencesRecord,
    DifferingTermRecord,
    PrintedValueRecord,
)
from runtime.graph.records.differing_play import ChangeWitnessRecord
from runtime.graph.type_names import type_name
from runtime.graph.words import readable_name
from runtime.witness.behavioral_diff import DifferingTerms, DiffGroup, TermDifference, behavioral_diff
from runtime.witness.change_report import PROVED_SAME, RENAMED, UNKNOWN_EFFECT, ChangeReport
from runtime.witness.comparison import ProgressListener, no_progress
from runtime.witness.example_corpus import AskedQuestions
from runtime.witness.printed_differences import ChartDifference

# The kind and the name of what two stacks may have with different properties, and these as texts.
Key = tuple[str, str]
PropertyTexts = dict[str, str]


def difference_of(
    a: Stack,
    b: Stack,
    term: str = "",
    moved: ProgressListener = no_progress,
    example_runs: AskedQuestions | None = None,
) -> DifferingTerms:
    """Compare two compiled stacks; kept until one of them changes. Every position is read back before it is told.

    They play the examples of what they have in common besides their own. `moved` is told how far the search has come.
    `example_runs` saves time where the first stack is compared with several others.
    """
    assert a.graph is not None
    assert b.graph is not None
    stamp = cache.compiler_stamp("compiler", "runtime", "rulewright/lab/contrast", "rulewright/checks")
    key = cache.cache_key(
        b"difference",
        b"reckoned" if available_strategy() else b"by cases",
        stamp,
        a.graph.hash.encode(),
        b.graph.hash.encode(),
        stamp_of(a, b),
        term.encode(),
    )
    return cache.remember_result(key, lambda: _difference(a, b, term, moved, example_runs))


def _difference(
    a: Stack, b: Stack, term: str, moved: ProgressListener, example_runs: AskedQuestions | None
) -> DifferingTerms:
    assert a.graph is not None
    assert b.graph is not None
    common = inherited_examples(a, b)
    first, second = (
        replace(rules, examples=(*rules.examples, *(pair[side] for pair in common)))
        for side, rules in enumerate((a.graph, b.graph))
    )
    found = behavioral_diff(first, second, term, make_reader((a, b)), moved, example_runs)
    return with_proofs(replace(found, shared_examples=len(common)), a.graph, b.graph)


def as_data(
    found: DifferingTerms, names: tuple[str, str], graphs: tuple[graph.Graph, graph.Graph], folder: Path | None = None
) -> DifferencesRecord:
    """Convert a difference to data for `diff --format json`, with its positions saved as files."""
    place = witness_folder("..".join(names), folder)
    saved: dict[str, str | None] = {}

    def save_position(text: str) -> str | None:
        """Write a position once; None if the cache cannot be written to."""
        if text not in saved:
            file = place / f"witness-{len(saved) + 1}.yaml"
            saved[text] = write_witness(file, text) if folder is not None else save_witness(file, text)
        return saved[text]

    return {
        "a": names[0],
        "b": names[1],
        # The order of these is that of the numbers of positions.
        "terms": [_term(term, save_position) for term in found.terms],
        "behavior": behavior_data(found.behavior, graphs, save_position),
        "changes": [_change(change, graphs, save_position) for change in found.changes],
        "sentences": _sentences(found, graphs),
        "notes": _notes_data(*graphs),
        "disputes": [
            {"dispute": label, "a": before, "b": after} for label, before, after in dispute_differences(*graphs)
        ],
        "readings": [
            {
                "dispute": each.dispute,
                "reading": each.reading,
                "only": each.only or None,
                "differs": list(each.parts),
                "compared": each.compared,
            }
            for each in reading_differences(*graphs)
        ],
        "book": [
            {"part": part, "name": label, "a": before, "b": after}
            for part, label, before, after in book_differences(*graphs)
        ],
        "counters": [
            {"counter": counter.counter, "only": counter.only or None, "shows": list(counter.shows)}
            for counter in found.counters
        ],
        "factors": factors_data(*graphs),
        "charts": [_chart(chart) for chart in found.charts],
        "actions": [
            {"action": each.name, "only": each.only_stack or None}
            for each in found.behavior.procedures
            if each.kind == "action"
        ],
        "examples": {"left_out": found.behavior.left_out_examples, "common": found.shared_examples},
    }


def _sentences(found: DifferingTerms, graphs: Graphs) -> dict[str, DifferingSentencesRecord]:
    """Return the sentences of the changed rules in both stacks, by label; None for a stack without the rule.

    If the sentences are equal, the law is restated as `law_a` and `law_b`.
    """
    renamed = [report.change for report in found.changes if report.change.operation == RENAMED]
    former_labels = {change.fields[0]: change.name for change in renamed}
    sentences: dict[str, DifferingSentencesRecord] = {}
    for change in (report.change for report in found.changes if report.change.kind == "rule"):
        old = graphs[0].rules.get(former_labels.get(change.name, change.name))
        new = graphs[1].rules.get(change.name)
        laws = [
            None if rule is None else rule_sentence(book, rule) for book, rule in zip(graphs, (old, new), strict=True)
        ]
        prose = (rule.prose if rule is not None else "" for rule in (old, new))
        texts = [text or law for text, law in zip(prose, laws, strict=True)]
        sentences[change.name] = {"a": texts[0], "b": texts[1]}
        if texts[0] == texts[1]:
            sentences[change.name]["law_a"], sentences[change.name]["law_b"] = laws
    return sentences


def _change(each: ChangeReport, graphs: Graphs, save: SaveFunction) -> ChangeRecord:
    """Convert the report of one change to data."""
    change, witness_report = each.change, each.witness
    witness: ChangeWitnessRecord | None = None
    if witness_report is not None:
        expression = witness_report.expression
        witness = {
            "question": witness_report.question if expression is None else question_text(expression, graphs[0]),
            "a": witness_report.a,
            "b": witness_report.b,
            "witness": save(witness_report.file) if witness_report.file else None,
        }
    return {
        "kind": change.kind,
        "name": change.name,
        "label": each.label,
        "operation": change.operation,
        "status": each.status,
        "why": each.reason,
        "witness": witness,
        "accounts": _differing_accounts(each, graphs),
    }


def _differing_accounts(each: ChangeReport, graphs: Graphs) -> DifferingAccountsRecord | None:
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
    return [f'{text.what} "{text.text}"' for text in account.texts] if account is not None else []


def _chart(each: ChartDifference) -> DifferingChartRecord:
    cells: list[DifferingCellRecord] = [
        {"cell": cell, "a": old_value or None, "b": new_value or None} for cell, old_value, new_value in each.cells
    ]
    keys = list(each.keys) if any(each.keys) else None
    return {"chart": each.chart, "only": each.only or None, "keys": keys, "cells": cells}


def _term(each: TermDifference, save: SaveFunction) -> DifferingTermRecord:
    return {
        "term": each.term,
        "differs": each.differs,
        "of": each.positions,
        "only": each.only or None,
        "groups": [_group(group, save) for group in each.groups],
    }


def _group(group: DiffGroup, save: SaveFunction) -> DifferingAnswerRecord:
    """Convert one group to data, and save its position."""
    return {
        "summary": group.summary,
        "witness": save(group.witness.file),
        "rules": list(group.rules),
        "follows": list(group.follows),
        "dependents": list(group.dependents),
        "differs": group.differs,
        "question": group.witness.question,
        "a": group.witness.a,
        "b": group.witness.b,
        "missing_words": list(group.witness.missing_words),
        "position": group.witness.file,
    }


# ---------------------------------------------------------------- added factors


def factors_data(a: graph.Graph, b: graph.Graph) -> list[DifferingFactorRecord]:
    """Return the added factors that only one stack has, or whose first values or ranges differ.

    For a factor that only one stack has, `counters` lists those with another value than the first; other differences
    of counters are listed with the counters.
    """
    found: list[DifferingFactorRecord] = []
    for (kind, name), only_side, factor, says in _property_differences(_added(a), _added(b)):
        counters = _other_counters(a if only_side == "a" else b, kind, name) if only_side else []
        found.append(
            {
                "kind": kind,
                "factor": name,
                "only": only_side,
                "type": factor["type"],
                "first": factor["first"],
                "counters": counters,
                "says": says,
            }
        )
    return found


def _property_differences(
    a: Iterable[tuple[Key, PropertyTexts]], b: Iterable[tuple[Key, PropertyTexts]]
) -> Iterator[tuple[Key, str | None, PropertyTexts, list[str]]]:
    """Yield what one stack alone has, or has with other properties: the key, which stack, the properties, sentences."""
    old, new = dict(a), dict(b)
    for key in sorted({*old, *new}):
        only_side = "a" if key not in new else "b" if key not in old else None
        before, after = old.get(key) or new[key], new.get(key) or old[key]
        says = [f"{after[part]} instead of {before[part]}" for part in before if after[part] != before[part]]
        if only_side or says:
            yield key, only_side, before, says


def _added(rules: graph.Graph) -> Iterator[tuple[Key, PropertyTexts]]:
    writer = ExpressionWriter(rules.vocabulary)
    for factor in added_factors(rules):
        properties = {"type": type_name(factor.part.type), "first": writer.text(factor.first)}
        yield (factor.kind, factor.part.name), properties


def _other_counters(rules: graph.Graph, kind: str, name: str) -> list[PrintedValueRecord]:
    """Return the counters of a kind with another value of an added factor than the first."""
    writer = ExpressionWriter(rules.vocabulary)
    return [
        {"counter": counter.id, "shows": writer.text(dict(counter.printed)[name])}
        for counter in sorted(rules.counters.values(), key=lambda one: one.id)
        if counter.kind == kind and name not in counter.first and name in dict(counter.printed)
    ]


# ---------------------------------------------------------------- statuses, tracks and records


def _notes_data(a: graph.Graph, b: graph.Graph) -> list[DifferingNoteRecord]:
    """Return the statuses and tracks that differ, each with the properties in both stacks."""
    return [
        {"what": kind, "name": name, "only": only_side, "says": says}
        for (kind, name), only_side, _, says in _property_differences(_notes(a), _notes(b))
        if not (only_side and kind == "record")
    ]


def _notes(rules: graph.Graph) -> Iterator[tuple[Key, PropertyTexts]]:
    writer = ExpressionWriter(rules.vocabulary)
    for name, flag in rules.vocabulary.flags.items():
        if flag.what == "status":
            yield ("status", name), {"until": _lasting(flag.until, "until it is taken off")}
    for name, track in rules.vocabulary.tracks.items():
        first = "nothing at first" if track.initial is None else f"{writer.text(track.initial)} at first"
        yield (
            ("track", name),
            {"until": _lasting(track.until, "until it is set anew"), "type": _holding(track.type), "first": first},
        )

    for name, record in rules.vocabulary.records.items():
        yield ("record", name), {"known": "known to its side alone" if record.secret else "known to both sides"}


def _holding(type_: graph.Type) -> str:
    return f"a {type_.shape} of {_holding(type_.of)}" if isinstance(type_, graph.Many) else type_name(type_)


def _lasting(moment: str, forever: str) -> str:
    match moment:
        case "":
            return forever
        case "game":
            return "for good"
        case _:
            return f"until the end of {'its' if moment.startswith('own_') else 'the'} {readable_name(moment)}"


NEVER_APPLIES = "it is proved never to apply, whatever the position"


def with_proofs(found: DifferingTerms, a: graph.Graph, b: graph.Graph) -> DifferingTerms:
    """Return the difference with undecided changes of rules proved to be `same` where possible."""
    undecided = {change.change.name for change in found.changes if _is_open(change)}
    for rules in (a, b):
        undecided -= {label for label in undecided if label in rules.rules} - _dead_rules(rules, undecided)
    changes = (
        replace(change, status=PROVED_SAME, reason=NEVER_APPLIES)
        if _is_open(change) and change.change.name in undecided
        else change
        for change in found.changes
    )
    return replace(found, changes=tuple(changes))


def _is_open(each: ChangeReport) -> bool:
    return each.status == UNKNOWN_EFFECT and each.change.kind == "rule"


def _dead_rules(rules: graph.Graph, labels: set[str]) -> set[str]:
    """Return those of the rules that are provably never live; not proved for rules on several questions."""
    labels_by_term: dict[str, set[str]] = {}
    for label in labels & rules.rules.keys():
        terms = rules.rules[label].terms
        if len(terms) == 1:
            labels_by_term.setdefault(terms[0], set()).add(label)
    dead: set[str] = set()
    if not labels_by_term:
        return dead
    laws = laws_of(rules)
    intervals = Intervals(rules, recording=laws.recording)
    for term, own_labels in labels_by_term.items():
        for method in filter(None, (BY_CASES, available_strategy())):
            context = open_proof_context(laws, rules.terms[term], intervals, method)
            dead |= {label for label in own_labels - dead if not context.is_satisfiable(context.live[label])}
    return dead
