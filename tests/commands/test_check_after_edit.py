"""After an edit, a check with a cache has the same findings as a check with an empty cache."""

import random
import re
import threading
from pathlib import Path
from typing import Any

import pytest

from compiler.analysis.budgets import MOST_PROOF_STEPS
from compiler.query.database import Database
from rulewright.checks import card_proofs, checking, proof_database, proofs, trace_store
from rulewright.checks import stuck_offers as walks
from rulewright.checks.trace_store import FileTraceStore
from rulewright.library import cache, shipped_folders
from rulewright.system import worker
from tests.fuzz.packages import Corpus, is_frame, is_rules, is_table, open_corpus
from tests.play.test_stuck_offers import DRY, MANIFEST, RULES
from tests.sample import LONG, sampled

GAME = (
    RULES.replace("ENDS", f"until {DRY}")
    .replace(" and c.steps < 1", "")
    .replace("  set c.steps to c.steps + 1", "  legal may_go(c, to)")
    .replace("ask R.steps = 1", "ask may_rest(R) = forbidden by rests")
    + """
verdict may_go(c: cart, to: hex) default allowed
verdict may_rest(c: cart) default allowed
rule inland [house] "Not to the edge." may_go forbidden when count(h in neighbors(to)) < FROM
rule rests [house] "A rest." may_rest forbidden when c.hex is marsh and c.steps < REST
"""
)
# Comparison operators and numbers in rules; an edit exchanges the operator or adds one to the number.
COMPARED = re.compile(r"(?<=\s)(?:>=|<=|>|<)(?=\s)|(?<![\w/.-])\d+(?![\w/.])")
OTHER = {">=": ">", "<=": "<", ">": ">=", "<": "<="}
# Cells of rows of data; an edit replaces one by another of the same file.
CELL = re.compile(r"(?<=[\[ ,])[\w/]+(?=[,\]])")
HALF = 0.5
QUIET = re.compile(r'"[^"\n]*"|\[[^\]\n]*\]|#[^\n]*')

Found = list[tuple[str, ...]]


def is_data(name: str) -> bool:
    """Return whether a file has rows: a chart, counters, a board or a card."""
    return is_table(name) or is_frame(name)


class Processes:
    """Runs checks one after another, each as in a new process, and counts the computed walks, cards and proofs."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Use an empty cache and one core, and count calls of the functions that compute walks, cards and proofs."""
        self.folder, self.patch = folder, monkeypatch
        self.walked = self.cards = self.proved = 0
        # Work of worker processes is not counted.
        self.use_cores(1)
        walk, compiled = walks.stuck_offers_in, card_proofs._line_problems

        def walking(*arguments: Any) -> Any:
            self.walked += 1
            return walk(*arguments)

        def compiling(*arguments: Any) -> Any:
            self.cards += 1
            return compiled(*arguments)

        proofs_of_rules = proofs.problems_of_rules

        def proving(*arguments: Any) -> Any:
            self.proved += 1
            return proofs_of_rules(*arguments)

        monkeypatch.setattr(checking, "problems_of_rules", proving)
        monkeypatch.setattr(walks, "stuck_offers_in", walking)
        monkeypatch.setattr(card_proofs, "_line_problems", compiling)

    def use_cores(self, count: int) -> None:
        """Make checks use this number of cores.

        An earlier test of this process may have left a thread, beside which no worker would be started.
        """
        self.patch.setattr(worker, "count_cores", lambda: count)
        self.patch.setattr(threading, "active_count", lambda: 1)

    def found(self, stack: str, cache_name: str = "warm", proofs_before: Database | None = None) -> Found:
        """Check a stack with the named cache and the given database of proofs.

        Returns the code and the lines of each finding, sorted.
        """
        self.patch.setenv("RULEWRIGHT_CACHE", str(self.folder / cache_name))
        self.patch.setattr(proof_database, "_DATABASE", Database() if proofs_before is None else proofs_before)
        self.patch.setattr(trace_store, "store", FileTraceStore())
        cache.write_pending()
        cache._in_memory.clear()
        self.walked = self.cards = self.proved = 0
        checked = checking.check_stack(stack, [*self.folder.glob("mine")], MOST_PROOF_STEPS)
        trace_store.store.write_traces()
        return sorted(
            (each.code, *(f"{label.span.file}:{label.span.line}" for label in each.spans))
            for each in checked.diagnostics
        )


@pytest.fixture
def processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Processes:
    return Processes(tmp_path, monkeypatch)


def test_walks_are_recomputed_after_an_edit_of_a_rule_that_they_evaluated(processes: Processes) -> None:
    folder = processes.folder / "mine"
    folder.mkdir()
    folder.joinpath("layer.yaml").write_text(MANIFEST)
    processes.patch.setattr(shipped_folders, "rules_folder", lambda: folder)
    walked = []
    for number, (start, rest) in enumerate(((1, 1), (1, 2), (2, 2), (2, 3), (1, 3))):
        folder.joinpath("r.rules").write_text(GAME.replace("FROM", str(start)).replace("REST", str(rest)))
        warm = processes.found("planted")
        walked.append(processes.walked)
        assert warm == processes.found("planted", f"cold {number}")
        assert ("R0578" in {code for code, *_ in warm}) == (start == 2)
    assert walked == [1, 0, 1, 1, 0]


def edited(corpus: Corpus, stack: str, dice: random.Random) -> tuple[str, str]:
    """Edit a number or a comparison in rules of a stack, or a cell of its data; return the file and its new text."""
    while True:
        name = dice.choice(corpus.files(stack, is_rules if dice.random() < HALF else is_data))
        text = corpus.originals[name]
        if is_rules(name):
            rules = text.split("\nexample ")[0]
            plain = QUIET.sub(lambda quoted: " " * len(quoted[0]), rules)
            places, others = list(COMPARED.finditer(plain)), []
        else:
            places = list(CELL.finditer(text))
            others = sorted({place[0] for place in places})
        if places:
            place = dice.choice(places)
            other = dice.choice(others) if others else OTHER.get(place[0]) or str(int(place[0]) + 1)
            return name, text[: place.start()] + other + text[place.end() :]


@sampled(0)
@pytest.mark.parametrize(
    ("stack", "edits"),
    [("low_tide", 3), pytest.param("low_tide", 40, marks=LONG), pytest.param("panzer_leader", 25, marks=LONG)],
)
@pytest.mark.parametrize("goes_on", [False, True], ids=["new processes", "one process"])
def test_checks_after_random_edits_equal_checks_with_an_empty_cache(
    processes: Processes, stack: str, edits: int, *, goes_on: bool
) -> None:
    corpus = open_corpus(processes.folder)
    processes.patch.setattr(shipped_folders, "rules_folder", lambda: corpus.root)
    before = Database() if goes_on else None
    assert processes.found(stack, "warm", before) == []
    assert processes.cards
    dice, reuse_count, found = random.Random(f"{stack} {edits}"), 0, set()
    for number in range(edits):
        name, text = edited(corpus, stack, dice)
        corpus.root.joinpath(name).write_text(text, encoding="utf-8")
        warm = processes.found(stack, "warm", before)
        reused_before = processes.walked + processes.cards
        assert warm == processes.found(stack, f"cold {number}"), (name, number)
        corpus.root.joinpath(name).write_text(corpus.originals[name], encoding="utf-8")
        reuse_count += reused_before < processes.walked + processes.cards
        found.add(tuple(warm))
    assert reuse_count
    assert len(found) > 1


TOKEN = re.compile(r"[\w'-]+|[<>=!]+|[-+*/]")


def spoiled(text: str, dice: random.Random) -> str:
    """Return the text with a line deleted, duplicated or exchanged with another, or with a word replaced."""
    lines = text.split("\n")
    full = [at for at, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")]
    at, other = dice.choice(full), dice.choice(full)
    match dice.randrange(8):
        case 0 | 1:
            del lines[at]
        case 2:
            lines.insert(at, lines[at])
        case 3:
            lines[at], lines[other] = lines[other], lines[at]
        case _:
            words = list(TOKEN.finditer(lines[at]))
            if words:
                word = dice.choice(words)
                instead = dice.choice(("", "1", *TOKEN.findall(text)))
                lines[at] = lines[at][: word.start()] + instead + lines[at][word.end() :]
    return "\n".join(lines)


@sampled(0)
@pytest.mark.parametrize(
    ("stack", "edits"),
    [("low_tide", 8), pytest.param("low_tide", 400, marks=LONG), pytest.param("panzer_grenadier", 80, marks=LONG)],
)
def test_checks_after_random_line_edits_equal_checks_with_an_empty_cache(
    processes: Processes, stack: str, edits: int
) -> None:
    corpus = open_corpus(processes.folder)
    processes.patch.setattr(shipped_folders, "rules_folder", lambda: corpus.root)
    assert processes.found(stack) == []
    dice = random.Random(f"{stack} {edits}")
    for number in range(edits):
        name = dice.choice(corpus.files(stack, lambda _: True))
        corpus.root.joinpath(name).write_text(spoiled(corpus.originals[name], dice), encoding="utf-8")
        assert processes.found(stack) == processes.found(stack, f"cold {number}"), (name, number)
        corpus.root.joinpath(name).write_text(corpus.originals[name], encoding="utf-8")
