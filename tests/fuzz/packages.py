"""Mutants of files of a package: rules, charts, layers, boards and cards."""

import random
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from compiler.compile import compile_stack
from compiler.query.database import Database
from compiler.report.diagnose import diagnose
from compiler.source.finding import Finding
from compiler.source.package import discover_layers
from rulewright.checks.confirming_witness import confirming_witness
from rulewright.library.shipped_folders import rules_folder
from runtime.examples.run import run_examples
from runtime.graph import nodes as graph
from tests.fuzz.findings import finding_errors
from tests.fuzz.mutate import distinct_words, mutant
from tests.parsed import unused_database
from tests.proved import prove

# Most mutants are of the smallest game, which compiles in milliseconds; the other stacks have constructs that it lacks.
SMALL = ("low_tide",)
STACKS = SMALL * 8 + ("panzer_grenadier+pg_smoke", "panzer_leader", "panssari_salama")


@dataclass(frozen=True, slots=True)
class Corpus:
    """A copy of the shipped rules; one file at a time is replaced by a mutant."""

    root: Path
    originals: dict[str, str]
    words: list[str]
    database: Database = field(default_factory=unused_database)

    def files(self, stack: str, is_matching: Callable[[str], bool]) -> list[str]:
        """Return the files of a stack for which `is_matching` is true."""
        names = stack.split("+")
        games = {"low_tide": ("games/low_tide",), "panzer_grenadier": ("games/panzer_grenadier", "options/pg_smoke")}
        others = ("core/", "games/panzer_leader/", "games/panzerblitz/", "variants/", "boards/", "scenarios/")
        places = games.get(names[0], others)
        return [name for name in self.originals if name.startswith(places) and is_matching(name)]


def open_corpus(place: Path) -> Corpus:
    """Copy the shipped rules, and read their texts."""
    root = place / "rules"
    shutil.copytree(rules_folder(), root)
    found = sorted((*root.rglob("*.rules"), *root.rglob("*.yaml")))
    originals = {file.relative_to(root).as_posix(): file.read_text(encoding="utf-8") for file in found}
    # A mutant differs from the corpus in one file, so most memos are reused, which tests them as well.
    return Corpus(root, originals, distinct_words([*originals.values()]))


def is_rules(name: str) -> bool:
    """Return whether a file has rules, not data."""
    return name.endswith(".rules")


def is_table(name: str) -> bool:
    """Return whether a file has charts or counters, not other data."""
    return name.endswith(".yaml") and not is_frame(name)


def is_frame(name: str) -> bool:
    """Return whether a file is a manifest, a register, a board or a card."""
    framing = ("layer.yaml", "sources.yaml", "flats.yaml", "before_the_tide.yaml")
    return name.startswith(("boards/", "scenarios/")) or name.endswith(framing)


def spoil(
    corpus: Corpus, is_matching: Callable[[str], bool], dice: random.Random, stacks: Sequence[str] = STACKS
) -> tuple[str, Callable[[], str]]:
    """Draw a mutant of one file; return its text, and a function that compiles the package with it."""
    stack = dice.choice(stacks)
    name = dice.choice(corpus.files(stack, is_matching) or corpus.files("panzer_leader", is_matching))
    if not corpus.files(stack, is_matching):
        stack = "panzer_leader"
    text = mutant(corpus.originals[name], corpus.words, dice)
    return f"{name} ({stack})\n{text}", lambda: compiled(corpus, stack, name, text)


def compiled(corpus: Corpus, stack: str, name: str, text: str) -> str:
    """Compile a package with one file replaced; return what is wrong, or ""."""
    file = corpus.root / name
    file.write_text(text, encoding="utf-8", errors="replace", newline="")
    try:
        return _compiled(corpus, stack)
    finally:
        file.write_text(corpus.originals[name], encoding="utf-8", newline="")


def _compiled(corpus: Corpus, stack: str) -> str:
    small = stack == "low_tide"
    library, found = discover_layers([corpus.root / "games" / "low_tide"] if small else [corpus.root], corpus.database)
    result = compile_stack(library, stack)
    problems: list[Finding] = [*found, *result.problems]
    for named in library.scenarios:
        card = library.scenarios.get(named)
        if card is not None and card.uses.text == stack and result.graph is not None:
            problems += compile_stack(library, stack, card).problems
    problems += library.scenarios.problems
    rules = result.graph
    if rules is not None and small:
        problems += prove(rules, lambda suspect: confirming_witness(rules, suspect)).problems
        run_examples(rules)
    # A stack whose name no layer has is an error of the caller, and has no location.
    return finding_errors(diagnose(problems, library.texts), library.texts, nowhere=("R0301",))


def graph_of(corpus: Corpus, stack: str, scenario: str = "") -> graph.Graph:
    """Compile a stack of the unchanged corpus, with a card if one is named."""
    library, _ = discover_layers([corpus.root], corpus.database)
    rules = compile_stack(library, stack, library.scenarios[scenario] if scenario else None).graph
    assert rules is not None, stack
    return rules
