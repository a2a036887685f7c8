"""Recipes are complete: if a step of one is omitted, a test fails.

Each case takes an existing product of a recipe, undoes one step in a copy of the code, and runs the tests that must
fail. A case quotes its step from the recipe; a case whose quotation the recipe no longer has fails as well.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.sample import LONG
from tests.tidy.check import ROOT

TOPS = (
    "bench",
    "compiler",
    "docs",
    "editors",
    "rules",
    "rulewright",
    "runtime",
    "tests",
    "pyproject.toml",
    "README.md",
)
PATIENCE = 600


class Omission(NamedTuple):
    """A step to undo: its recipe, a quotation of it, the file, the text to remove, and the tests that must fail.

    `out` is a pattern; "" deletes the file. With `instead`, the file is new, and no other file refers to it.
    `noticed_by` are arguments of pytest, or of `mypy` if that is the first.
    """

    recipe: str
    words: str
    file: str
    out: str
    noticed_by: tuple[str, ...]
    instead: str = ""


NEW = '"""Nothing."""\n'

MASKED_ROW = "compiler/analysis/findings/masked_row.py"
IDLE_OVERRIDE = "compiler/analysis/findings/idle_override.py"
CONSTRUCTS, STEPS = ("tests/constructs/test_constructs.py",), ("tests/consumers/test_steps.py",)
WRITTEN, RECORDS_TYPED = ("tests/consumers/test_written.py",), ("mypy", "compiler/typed/declarations")
FORMS = ("tests/stages/source/test_forms.py",)
# The beginning of the record of scales.
RECORD = r"    DeclarationRecord\(\n        source.Scale,\n"
EXPRESSIONS, NODES = ("tests/consumers/test_expressions.py",), ("tests/consumers/test_nodes.py",)
COLLECTIONS, COLLECTIONS_TYPED = "runtime/graph/expressions/collections.py", ("mypy", "runtime/graph/expressions")
PRINTERS = ("tests/printers",)
MODULES, PEERS = ("tests/core/test_play.py", "-k", "test_every_construct"), ("tests/tidy/test_peers.py",)

CASES = (
    Omission("A command", "Its name in `GROUPS`", "rulewright/serve/cli/app.py", r", errata\b(?=\))",
             ("tests/tidy/test_docs.py",)),
    Omission("A command", "the page of all commands", "docs/reference/commands.md", r"(?s)### errata.*?```\n\n",
             ("tests/docs/test_reference.py", "-k", "up_to_date")),
    Omission("A command", "whose docstring is the help", "rulewright/serve/cli/errata.py",
             r'(?<=""")List what official.*\n\n    (?=The)', ("tests/docs/test_reference.py", "-k", "up_to_date")),
    Omission("A command", "its last an example", "rulewright/serve/cli/errata.py", r"\n    Example: .*\n",
             ("tests/commands/test_help.py", "-k", "errata")),
    Omission("A command", "It returns a `Reply`", "rulewright/serve/cli/errata.py", r"return Reply(?=\()",
             ("tests/commands/test_without_extras.py", "-k", "works and errata")),
    Omission("A command", "Import large modules inside", "rulewright/serve/cli/show.py", r"if TYPE_CHECKING:\n    ",
             ("tests/commands/test_help.py", "-k", "loads")),
    Omission("A command", "Its test in", "tests/commands/test_demo.py", "", ("tests/tidy/test_docs.py",)),
    Omission("A command", "a line in `LINES`", "tests/printers/test_goldens.py", r'(?m)^    "errata": .*\n',
             ("tests/printers/test_goldens.py", "-k", "golden_reply")),
    Omission("A command", "where the example names a file", "tests/commands/test_without_extras.py",
             r'(?m)^    "replay TRIAL": "",\n', ("tests/commands/test_without_extras.py", "-k", "works and replay")),
    Omission("A command", "or needs an extra", "tests/commands/test_without_extras.py",
             r'(?m)^    f"open .*\n', ("tests/commands/test_without_extras.py", "-k", "works and open")),
    Omission("A diagnostic", "The code", MASKED_ROW, r"(?m)^@finding.*\n", ("mypy", MASKED_ROW)),
    Omission("A diagnostic", "The words", MASKED_ROW, r"(?s)    def sentence.*?(?=\n\n@check)", ("mypy", MASKED_ROW)),
    Omission("A diagnostic", "Where it is found", MASKED_ROW, r" {16}yield MaskedRow.*\n",
             ("tests/codes", "-k", "R0507")),
    Omission("A diagnostic", "The page", "tests/codes/R0507-masked-row.md", "", ("tests/codes", "-k", "R0507 or docs")),
    Omission("A diagnostic", "the copy in `docs/codes`", "docs/codes/R0507-masked-row.md", "",
             ("tests/codes", "-k", "docs")),
    Omission("A check", "`@check_of_stack` above", MASKED_ROW, "(?m)^@check_of_stack\n",
             ("tests/codes", "-k", "R0507")),
    Omission("A check", "`@check_of_examples` if it reads examples",
             "compiler/analysis/findings/unshown_clarification.py", "(?m)^@check_of_examples\n",
             ("tests/codes", "-k", "R0517")),
    Omission("A check", "mypy compares the decorator with the argument", IDLE_OVERRIDE,
             r"(?<=def idle_override\()proof_context: ProofContext", ("mypy", IDLE_OVERRIDE)),
    Omission("A check", "Small stacks with the defect", "tests/analysis/charts.rules",
             r"(?s)--- a row that never comes first\n.*?(?=---)",
             ("tests/analysis/test_proofs.py", "-k", "is_planted")),
    Omission("A check", "Its row in", "docs/checks.md", r"\| \[R0507\].*\n", ("tests/codes", "-k", "has_a_row")),
    Omission("An operator", "Its value in proofs by arithmetic", "compiler/analysis/arithmetic/exact.py",
             r'(?m)^            case graph\.Op\("clamp".*\n(?: {16}.*\n){2}',
             ("tests/consumers/test_exact_amounts.py", "-k", "clamp")),
    Omission("An operator", "Its core", "compiler/core/operations.py", r'(?m)^    "touching": .*\n',
             ("tests/core/test_every_operator.py",)),
    Omission("An operator", "A use of it in the constructs", "tests/constructs/toy/functions.rules",
             r"(?m)^.*sides_met.*\n", ("tests/consumers/test_operators.py",)),
    Omission("An operator", "lists it in", "docs/reference/operators.md", r"(?m)^.*`touching.*\n",
             ("tests/docs/test_reference.py",)),
    Omission("An operator", "its line in `docs/language.md`", "docs/language.md", r" touching\b",
             ("tests/docs/test_reference.py",)),
    Omission("A hook of the evaluator", "Its entry in `HOOKS`", "tests/consumers/test_hooks.py",
             r'(?m)^    "RowReads": .*\n', ("tests/consumers/test_hooks.py", "-k", "every_hook")),
    Omission("A hook of the evaluator", "the calls that it needs", "runtime/examples/row_reads.py",
             r"(?s)    def on_answer\(.*?(?=    def )", ("tests/consumers/test_hooks.py", "-k", "RowReads and hares")),
    Omission("A hook of the evaluator", "of a run of an example", "runtime/examples/run.py",
             r"\bself\.reads\b(?=\))", ("tests/mutation/test_coverage.py",)),
    Omission("A player", "Its name in", "runtime/players/idle.py", "", ("tests/tidy/test_orphans.py",), NEW),
    Omission("A pass of the core", "Its place in `optimize`", "compiler/core/passes/idle.py", "",
             ("tests/tidy/test_orphans.py",), NEW),
    Omission("A node of the language", "its form", "compiler/source/building/procedures.py", r"(?m)^strike = .*\n",
             (*WRITTEN, "-k", "class_with_a_notation")),
    Omission("A node of the language", "its name in the rules of `grammar.lark`", "compiler/source/grammar.lark",
             r" \| search\b", FORMS),
    Omission("A node of the language", "A use of it in the constructs", "tests/constructs/toy/drawing.rules", "",
             ("tests/consumers/test_nodes.py",)),
    Omission("An expression", "its name in the union `Expr`", "runtime/graph/nodes/expressions.py",
             r" Search \|(?= SetOf)", EXPRESSIONS),
    Omission("An expression", "Its record", COLLECTIONS,
             r"    ExpressionRecord\(\n        graph.Search,\n(?:        .*\n)+    \),\n", EXPRESSIONS),
    Omission("An expression", "its type", COLLECTIONS, r"        result=_search_type,\n", COLLECTIONS_TYPED),
    Omission("An expression", "what it names", COLLECTIONS, r"        symbols=no_symbols,\n(?=        phrase=search)",
             COLLECTIONS_TYPED),
    Omission("An expression", "its phrase", COLLECTIONS, r"        phrase=search_phrase,\n", COLLECTIONS_TYPED),
    Omission("An expression", "its clause", COLLECTIONS, r"        clause=None,\n(?=        text=_search)",
             COLLECTIONS_TYPED),
    Omission("An expression", "its notation", COLLECTIONS, r"        text=_search_text,\n", COLLECTIONS_TYPED),
    Omission("An expression", "A name that it binds", "runtime/graph/free_names.py",
             r"(?s)        case Fold\(\):.*?(?=        case _)", NODES),
    Omission("An expression", "where bound names are numbered", "compiler/analysis/normal_form.py",
             r"        case graph\.Fold\(\):\n            return _fold.*\n", EXPRESSIONS),
    Omission("An expression", "with a case in `expressions.py` there", "compiler/typed/values/expressions.py",
             r"        case source\.Search\(\):\n.*\n", ("mypy", "compiler/typed/values/expressions.py")),
    Omission("An expression", "Its value in the reference interpreter", "runtime/answer/expressions.py",
             r"    graph\.Search: searching,\n", CONSTRUCTS),
    Omission("An expression", "its generated Python", "runtime/answer/emit_expression.py",
             r"            case graph\.Search\(\):\n.*\n", ("mypy", "runtime/answer/emit_expression.py")),
    Omission("An expression", "the reads by which answers are memoized", "runtime/answer/state_reads.py",
             r"            case graph\.Search\(\):\n +operands.*\n.*\n", ("mypy", "runtime/answer/state_reads.py")),
    Omission("An expression", "Its core", "compiler/core/expressions.py", r"            case graph\.Search\(\):\n.*\n",
             ("mypy", "compiler/core/expressions.py")),
    Omission("An expression", "A use of it in the constructs", "tests/constructs/toy/searching.rules", "", NODES),
    Omission("An expression", "Its line in `docs/language.md`", "docs/language.md", r"\bcheapest_way\b",
             ("tests/docs/test_reference.py",)),
    Omission("A declaration", "The tree as written", "compiler/source/nodes/declarations.py", r" \| Scale\b",
             (*WRITTEN, "-k", "has_a_record")),
    Omission("A declaration", "is in `_ALSO_WITHIN_PARAGRAPHS`", "compiler/source/grammar.py", r'"offer", ',
             (*WRITTEN, "-k", "ends_a_paragraph")),
    Omission("A declaration", "Its form", "compiler/source/building/declarations.py", r"(?m)^scale = .*\n",
             (*WRITTEN, "-k", "class_with_a_notation")),
    Omission("A declaration", "Its record", "compiler/typed/declarations/value_types.py",
             rf"{RECORD}(?:        .*\n)+?    \),\n", (*WRITTEN, "-k", "has_a_record")),
    Omission("A declaration", "its forms as messages show them", "compiler/typed/declarations/value_types.py",
             rf"(?<={RECORD})        forms=.*\n", RECORDS_TYPED),
    Omission("A declaration", "what it binds", "compiler/typed/declarations/value_types.py",
             r"Wave.TYPE_NAMES: _enter_scale, ", CONSTRUCTS),
    Omission("A declaration", "its names, for navigation", "compiler/typed/declarations/value_types.py",
             r', "items": "declares place of scale \{name\}"', (*WRITTEN, "-k", "is_a_name")),
    Omission("A declaration", "its symbol in the outline", "compiler/typed/declarations/value_types.py",
             r"        outline=.*\n", RECORDS_TYPED),
    Omission("A declaration", "editors highlight its keyword", "editors/vscode/syntaxes/rulewright.tmLanguage.json",
             r"\|scale", ("tests/editors/test_textmate.py",)),
    Omission("A declaration", "`tests/stages/source/toy.rules`", "tests/stages/source/toy.rules", r"(?m)^outcome.*\n",
             ("tests/consumers/test_written.py",)),
    Omission("A declaration", "`tests/stages/format/toy.rules`", "tests/stages/format/toy.rules", r"(?m)^outcome.*\n",
             ("tests/docs/test_reference.py",)),
    Omission("A declaration", "its line in `docs/language.md`", "docs/language.md", r"\brequires\b",
             ("tests/docs/test_reference.py",)),
    Omission("A step", "its name in the union `ChangingStep`", "runtime/graph/nodes/conduct.py", r" \| Strike\b",
             ("mypy", "runtime/graph/effects")),
    Omission("A step", "Its record", "runtime/graph/effects/relations.py",
             r"(?s)    StepRecord\(\n        graph\.Strike,.*?\n    \),\n", STEPS),
    Omission("A step", "No field has a default", "runtime/graph/effects/relations.py", r"        title=.*strike.*\n",
             ("mypy", "runtime/graph/effects")),
    Omission("A step", "`does` returns primitive effects", "runtime/graph/effects/relations.py",
             r"StrikeRecord\(step\.record\),", STEPS),
    Omission("A declaration", "and a section of", "docs/reference/vocabulary.py", r'    Section\("Events".*\n',
             ("tests/docs/test_reference.py", "-k", "vocabulary")),
    Omission("An amendment", "its verb in `AmendVerb`", "compiler/source/nodes/amendments.py", r', "wraps"',
             ("mypy", "compiler/layered/amendment_verbs.py")),
    Omission("An amendment", "a form", "compiler/source/building/amendments.py", r"(?m)^reorder = .*\n",
             (*WRITTEN, "-k", "builder")),
    Omission("An amendment", "Its record", "compiler/layered/amendment_verbs.py", r'.*AmendmentRecord\("wraps".*\n',
             (*WRITTEN, "-k", "of_amendments")),
    Omission("An amendment", "the kind of its change", "compiler/layered/amendment_verbs.py", r" AROUND,(?= _wrapped)",
             ("mypy", "compiler/layered/amendment_verbs.py")),
    Omission("An amendment", "what it makes of a step", "compiler/layered/amendment_verbs.py",
             r" _wrapped_step,(?= _wrapped_procedure)", ("mypy", "compiler/layered/amendment_verbs.py")),
    Omission("An amendment", "of a whole procedure", "compiler/layered/amendment_verbs.py",
             r" _wrapped_procedure,(?= None\))", ("mypy", "compiler/layered/amendment_verbs.py")),
    Omission("An amendment", "A use of it in the constructs", "tests/constructs/toy/amending.rules",
             r"(?s)rule aired-twice.*?(?=example)", CONSTRUCTS),
    Omission("An amendment", "its line in `docs/language.md`", "docs/language.md", r"\breorders\b",
             ("tests/docs/test_reference.py",)),
    Omission("A step", "its class in the union `Change`", "compiler/source/nodes/effects.py", r" \| Strike\b", FORMS),
    Omission("A step", "form has another `selector`", "compiler/source/building/procedures.py",
             r', selector="add to \{target:target\}"', ("tests/stages/source/test_trees.py",)),
    Omission("A step", "Its type", "compiler/typed/procedures/position_changes.py",
             r"(?s)        case source\.Strike\(.*?(?=        case _)", ("tests/audit",)),
    Omission("A step", "A use of it in the constructs", "tests/constructs/toy/flipping.rules",
             r"(?m)^  (?:flip|restore) \w+\n|(?<=\{ )flip c(?= \})", STEPS),
    Omission("A step", "its line in `docs/language.md`", "docs/language.md", r"\bstrike\b",
             ("tests/docs/test_reference.py",)),
    Omission("A step", "`tests/stages/source/toy.rules`", "tests/stages/format/toy.rules", r"(?m)^ *strike\b.*\n",
             ("tests/docs/test_reference.py",)),
    Omission("A primitive effect", "its name in the union there", "runtime/graph/effects/primitives.py",
             r" \| StrikeRecord\[V\]", ("mypy", "runtime/graph/effects")),
    Omission("A primitive effect", "What it names", "runtime/graph/step_symbols.py",
             r"        case RelatePieces\(.*\n.*\n", STEPS),
    Omission("A primitive effect", "what it writes", "runtime/graph/slots.py",
             r"            case StrikeRecord\(.*\n.*\n", STEPS),
    Omission("A primitive effect", "its entry in `ACTS`", "runtime/play/primitive_effects.py",
             r",\s+StrikeRecord: _strike_record|    StrikeRecord: _strike_record,\n", STEPS),
    Omission("A primitive effect", "its `case` in `compiler/wasm/effect.py`", "compiler/wasm/effect.py",
             r"(?s)            case StrikeRecord\(.*?(?=            case _)", MODULES),
    Omission("A line of the book", "yields it", "compiler/rulebook/rule_blocks.py",
             r'            yield text_line\(DocumentRole\.DETAIL, "See ", .*\n', PRINTERS),
    Omission("A line of the book", "`decision_blocks.py` for questions", "compiler/rulebook/decision_blocks.py",
             r'            items\.append\(text_line\(DocumentRole\.REMARK, "Also outweighs ".*\n', PRINTERS),
    Omission("A line of the book", "`counter_sheets.py`", "compiler/rulebook/counter_sheets.py",
             r'(?m)^        "traits": .*\n', PRINTERS),
    Omission("A line of the book", "`change_blocks.py` for what differs", "compiler/rulebook/change_blocks.py",
             r'(?m)^            yield text_line\(DocumentRole\.REMARK, WEIGHED\)\n', PRINTERS),
    Omission("A line of the book", "`cover_blocks.py` for the title page", "compiler/rulebook/cover_blocks.py",
             r'(?m)^        yield text_line\(DocumentRole\.PROSE, f"Not settled.*\n', PRINTERS),
    Omission("A line of the book", "Its role says where it stands", "compiler/rulebook/rule_blocks.py",
             r'DocumentRole\.DETAIL, (?="See ",)', ("mypy", "compiler/rulebook/rule_blocks.py")),
    Omission("A line of the book", "its member of `DocumentRole`", "runtime/graph/document.py",
             r"    DISPUTED = .*\n", PRINTERS),
    Omission("A line of the book", "the editions that have it", "runtime/graph/document.py",
             r'(?<=In exact words"), _WITH_DETAILS', PRINTERS),
    Omission("A line of the book", "a field of `PrintedRule`", "compiler/rulebook/printed_rules.py",
             r"(?m)^        _relations\(book, rule\),\n", ("mypy", "compiler/rulebook")),
    Omission("A peer of the bench", "Its entry in `PEERS`", "bench/peers/__init__.py", r'    "rule-engine".*\n',
             PEERS),
    Omission("A peer of the bench", "Its package in the extra", "pyproject.toml", r'    "rule-engine.*\n', PEERS),
    Omission("A peer of the bench", "writes its rows into", "docs/performance.md", r"\| rule-engine.*\n", PEERS),
    Omission("A kind of change", "Its form", "rulewright/write/change/change_forms.py",
             r'        ChangeKind\("number",.*\n',
             ("tests/change/test_kinds.py", "-k", "rules_offered")),
    Omission("A kind of change", "Its text", "rulewright/write/change/change_text.py",
             r"(?s)    def number\(self.*?(?=    def forbid)", ("mypy", "rulewright/write/change")),
    Omission("A view of the page", "its entry in `VIEWS`", "rulewright/serve/workbench/routes.py",
             r".*\broutes_lab\b.*\n", ("tests/tidy/test_orphans.py",)),
)  # fmt: skip


EVERY = sorted({each.noticed_by for each in CASES})


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the code without compiled files and caches."""
    folder = tmp_path_factory.mktemp("copy") / "repository"
    folder.mkdir()
    for top in TOPS:
        whence = ROOT / top
        if whence.is_dir():
            shutil.copytree(whence, folder / top, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
        elif whence.exists():
            shutil.copy(whence, folder / top)
    return folder


@pytest.fixture
def undone() -> Iterator[list[tuple[Path, str]]]:
    """Yield a list for edited files with their texts, and restore these after the test."""
    moved_files: list[tuple[Path, str]] = []
    yield moved_files
    for path, text in moved_files:
        if text:
            path.write_text(text, encoding="utf-8")
        else:
            path.unlink()


@pytest.mark.parametrize("case", [pytest.param(each, marks=LONG, id=f"{each.recipe}: {each.words}") for each in CASES])
def test_an_omitted_step_makes_a_test_fail(case: Omission, copy: Path, undone: list[tuple[Path, str]]) -> None:
    path = copy / case.file
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    undone.append((path, text))
    if case.instead:
        path.write_text(case.instead, encoding="utf-8")
    elif case.out:
        path.write_text(re.sub(case.out, "", text), encoding="utf-8")
    else:
        path.unlink()
    done = _run(copy, case.noticed_by)
    assert done.returncode == 1, done.stdout[-2000:] + done.stderr[-500:]


@pytest.mark.parametrize("noticed_by", [pytest.param(each, marks=LONG) for each in EVERY])
def test_the_tests_pass_on_an_unedited_copy(noticed_by: tuple[str, ...], copy: Path) -> None:
    done = _run(copy, noticed_by)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-500:]


def _run(copy: Path, noticed_by: tuple[str, ...]) -> "subprocess.CompletedProcess[str]":
    module = [] if noticed_by[0] == "mypy" else ["pytest", "-q", "-x", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", *module, *noticed_by]
    return subprocess.run(command, cwd=copy, capture_output=True, text=True, timeout=PATIENCE, check=False)


@pytest.mark.parametrize("case", [pytest.param(each, id=f"{each.recipe}: {each.words}") for each in CASES])
def test_every_case_applies_to_the_code(case: Omission) -> None:
    """The cases take long and run rarely; this test finds cases that no longer fit the code in every run."""
    path = ROOT / case.file
    assert path.exists() != bool(case.instead), "the case makes what is there, or undoes what is not"
    assert not case.out or re.search(case.out, path.read_text(encoding="utf-8"))
    assert case.noticed_by[0] == "mypy" or (ROOT / case.noticed_by[0]).exists()


def test_every_case_is_a_step_of_its_recipe() -> None:
    page = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")
    recipes = dict(re.findall(r"(?ms)^## ([^\n]*)\n(.*?)(?=^## |\Z)", page))
    lost = [each for each in CASES if each.words not in " ".join(recipes.get(each.recipe, "").split())]
    assert not lost
