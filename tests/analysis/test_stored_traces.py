"""Stored traces save proofs in later processes, and findings are the same as without them."""

from dataclasses import replace
from pathlib import Path

import pytest

from compiler.analysis.arithmetic.strategy import available_strategy
from compiler.analysis.prove import prove_graph
from compiler.analysis.suspects import ProofSummary
from compiler.query.database import Database
from compiler.query.traces import StoredTrace, content_hash
from rulewright.checks.trace_store import TRACES, FileTraceStore
from rulewright.library import cache
from runtime.graph import nodes as graph
from tests.analysis.test_recording_graph import mutated_graphs
from tests.edits.edit import Workshop, drawn, graph_of
from tests.fuzz.packages import is_rules, open_corpus
from tests.sample import LONG, sampled


class Processes:
    """Proves stacks one after the other, each as a new process that reads the traces stored by earlier ones."""

    def __init__(self) -> None:
        """Start with an empty cache."""
        self.added = 0

    def examine(self, rules: graph.Graph) -> ProofSummary:
        """Prove a stack; store the number of added traces in `added`."""
        store = _Counting()
        found = prove_graph(rules, available_strategy(), Database(), store)
        store.write_traces()
        self.added = store.added
        return without_models(found)


class _Counting(FileTraceStore):
    added = 0

    def add(self, key: str, trace: StoredTrace) -> None:
        self.added += 1
        super().add(key, trace)


@pytest.fixture
def processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Processes:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    return Processes()


@pytest.fixture
def tide(tmp_path: Path) -> Workshop:
    return Workshop(open_corpus(tmp_path), "low_tide")


def fresh(rules: graph.Graph) -> ProofSummary:
    return without_models(prove_graph(rules, available_strategy()))


def without_models(found: ProofSummary) -> ProofSummary:
    """Remove the models of suspects: arithmetic finds one of many, a different one each time."""
    return replace(found, suspects=tuple(replace(each, when=()) for each in found.suspects))


@sampled(0)
def test_random_edits_are_proved_as_without_stored_traces(tide: Workshop, processes: Processes) -> None:
    assert processes.examine(tide.a) == fresh(tide.a)
    whole, anew, found = processes.added, [], set()
    for edit in drawn(tide, "0", 6):
        shared = processes.examine(edit.b)
        assert shared == fresh(edit.b), edit.edit.words
        anew.append(processes.added)
        found.add(len(shared.problems) + len(shared.suspects))
    assert len(found) > 1  # Some edits have findings of their own.
    assert sum(anew) < len(anew) * whole / 2
    assert processes.examine(tide.a) == fresh(tide.a)
    assert not processes.added


@sampled(0)
@pytest.mark.parametrize(
    ("stack", "every"),
    [("low_tide", 7), pytest.param("low_tide", 1, marks=LONG), pytest.param("panzer_grenadier", 9, marks=LONG)],
)
def test_mutants_are_proved_as_without_stored_traces(
    stack: str, every: int, tmp_path: Path, processes: Processes
) -> None:
    rules = Workshop(open_corpus(tmp_path), stack).a
    processes.examine(rules)
    for mutant in mutated_graphs(rules, every):
        assert processes.examine(mutant) == fresh(mutant)


@pytest.mark.parametrize("stack", [pytest.param(each, marks=LONG) for each in ("panzer_leader", "panzer_grenadier")])
def test_random_edits_of_large_games_are_proved_as_without_stored_traces(
    stack: str, tmp_path: Path, processes: Processes
) -> None:
    workshop = Workshop(open_corpus(tmp_path), stack)
    processes.examine(workshop.a)
    for edit in drawn(workshop, "0", 20):
        assert processes.examine(edit.b) == fresh(edit.b), edit.edit.words


def test_stored_findings_have_the_lines_of_today(tide: Workshop, processes: Processes) -> None:
    file = tide.corpus.root / tide.corpus.files("low_tide", is_rules)[0]
    text = file.read_text(encoding="utf-8")
    term = next(each for each in tide.a.terms.values() if each.form == "condition")
    bad = f'\n\nrule never-so [house] "Never."\n  {term.name} holds\n  when 1 = 2\n'
    file.write_text(text + bad, encoding="utf-8")
    found = processes.examine(graph_of(tide.library(), "low_tide"))
    assert found.problems
    file.write_text(f"# moved\n{text}{bad}", encoding="utf-8")
    moved = graph_of(tide.library(), "low_tide")
    second_findings = processes.examine(moved)
    assert second_findings == fresh(moved)
    assert second_findings != found


def test_the_content_hash_ignores_lines_and_prose_only(tide: Workshop) -> None:
    rule = next(iter(tide.a.rules.values()))
    assert content_hash(replace(rule, origin=replace(rule.origin, line=900, column=9))) == content_hash(rule)
    assert content_hash(replace(rule, origin=replace(rule.origin, layer="other"))) != content_hash(rule)
    assert content_hash(replace(rule, prose='{"column":1, "prose":"', cites=("A.1", 'a "]'))) == content_hash(rule)
    assert content_hash(replace(rule, label='"prose":"', prose="")) != content_hash(
        replace(rule, label='"prose":"x"', prose="")
    )
    assert content_hash(replace(rule, case='{"column":1,')) != content_hash(rule)
    assert content_hash(("a", "b")) != content_hash(("ab",))


def test_a_damaged_file_of_traces_is_not_used(tide: Workshop, processes: Processes) -> None:
    processes.examine(tide.a)
    (file,) = cache.cache_folder().glob(f"*{TRACES.suffix}")
    assert file.stat().st_mode & 0o077 == 0
    file.write_bytes(file.read_bytes().replace(b'"traces"', b'"tracks"'))
    assert processes.examine(tide.a) == fresh(tide.a)
    assert processes.added
