"""Every code has a page, the report of a page equals the real one, and docs/codes has the pages."""

import re
from pathlib import Path
from string import Template

import pytest

from compiler.analysis.idle_card_lines import idle_lines
from compiler.compile import compile_stack
from compiler.query.database import Database
from compiler.report.codes import known_findings
from compiler.report.diagnose import diagnose
from compiler.report.diagnostic import Diagnostic
from compiler.source.finding import Finding, FindingCode
from compiler.source.package import discover_layers
from compiler.source.sentence import Severity
from compiler.typed.indistinguishable_names import terms_reading_alike
from rulewright.checks.confirming_witness import confirming_witness
from rulewright.serve.cli.app import run
from rulewright.write.new_packages import SCAFFOLD
from tests.codes.committed import commit
from tests.codes.page import Page, read_page, with_report
from tests.parsed import unused_database
from tests.proved import prove
from tests.report.terminal_text import terminal_text
from tests.sample import sampled

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs" / "codes"
RESET = "run `python3 -m tests tests/codes --reset`"
CODES = [facts.code for facts in known_findings()]
# Checks of soundness, whose findings are warnings: rows between rows, secrets that are told, parts that are not proved.
SOUNDNESS = {"R0417", "R0523", "R0566"}
PAGES = [read_page(file) for file in sorted(HERE.glob("R*.md"))]

TOY = {
    f"toy/{file.name}": Template(file.read_text(encoding="utf-8")).substitute(
        name="toy", dash="toy", title="Toy", prefix="TOY"
    )
    for file in sorted((SCAFFOLD / "game").iterdir())
}
# Shared by two hundred small stacks on one game: their common parts are compiled and proved once.
SHARED = unused_database()
PROVED = Database()
MINE = {
    "mine/layer.yaml": "layer: mine\ntitle: Mine\nkind: variant\non: [toy]\n",
    "mine/sources.yaml": "sources:\n  - {prefix: V, title: My Variant, items: [V.1, V.2, V.3]}\n",
}


def write(place: Path, files: dict[str, str]) -> tuple[str, ...]:
    """Write the toy game and these files over it; return the names of the folders."""
    everything = {**TOY, **MINE, **files}
    for name, text in everything.items():
        file = place / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith(".latin1"):
            file.with_suffix("").write_bytes(text.encode("latin-1"))
        elif text.startswith("-> "):
            file.symlink_to(text.removeprefix("-> ").strip())
        else:
            file.write_text(text, encoding="utf-8", newline="")
    return tuple(dict.fromkeys(name.split("/")[0] for name in everything))


def findings(place: Path, files: dict[str, str]) -> tuple[list[Diagnostic], str]:
    """Check the toy game with these files over it; return the diagnostics, and the report as text."""
    folders = write(place, files)
    library, found = discover_layers([place / folder for folder in folders], SHARED)
    compiled = compile_stack(library, "mine")
    cards = [card for name in library.scenarios if (card := library.scenarios.get(name)) and card.uses.text == "mine"]
    stacks = [compile_stack(library, "mine", card) for card in cards]
    played = [
        problem
        for each in stacks
        for problem in each.problems or (idle_lines(each.graph, laws=None) if each.graph else ())
    ]
    problems: tuple[Finding, ...] = (*found, *(compiled.problems or played))
    graph = compiled.graph
    if graph is not None and not problems:
        env = compiled.typed.env if compiled.typed else None
        problems = (
            *prove(
                graph, lambda suspect: confirming_witness(graph, suspect), "searched a little", database=PROVED
            ).problems,
            *(terms_reading_alike(env, graph) if env else ()),
        )
    diagnostics = diagnose(problems, library.texts)
    return diagnostics, "\n\n".join(terminal_text(each, library.texts) for each in diagnostics) + "\n"


@sampled(10)
@pytest.mark.parametrize("page", [page for page in PAGES if not page.command], ids=lambda page: page.file.stem)
def test_page(page: Page, tmp_path: Path, reset: bool) -> None:
    diagnostics, report = findings(tmp_path / "wrong", page.wrong)
    compare_report(page, report, reset)
    assert {each.code for each in diagnostics} == {page.code}, f"the sources of Wrong give another report:\n{report}"
    right, _ = findings(tmp_path / "right", page.right)
    assert [each.code for each in right] == []


@sampled(1)
@pytest.mark.parametrize("page", [page for page in PAGES if page.command], ids=lambda page: page.file.stem)
def test_page_of_a_command(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], reset: bool
) -> None:
    """The command reports the code of the page for the wrong sources, and none for the right ones."""
    if "--since" in page.command:
        write(tmp_path / "wrong", page.right)
        commit(tmp_path / "wrong")
    write(tmp_path / "wrong", page.wrong)
    monkeypatch.chdir(tmp_path / "wrong")
    code = run([*page.command])
    # The last paragraph is a summary of the run; the tests of the command check it.
    findings, _, _ = re.sub(r"[ ]+$", "", capsys.readouterr().out, flags=re.MULTILINE).rpartition("\n\n")
    report = f"{findings}\n"
    compare_report(page, report, reset)
    assert {*re.findall(r"^(?:error|warning) (R\d{4})", report, flags=re.MULTILINE)} == {page.code}
    assert code == (Severity.ERROR is next(each.severity for each in CODES if each.number == page.code))
    write(tmp_path / "right", page.right)
    if "--since" in page.command:
        commit(tmp_path / "right")
    monkeypatch.chdir(tmp_path / "right")
    assert run([*page.command]) == 0
    assert not re.search(r"R\d{4}", capsys.readouterr().out)


def compare_report(page: Page, report: str, reset: bool) -> None:
    """Compare the report with that of the page, or write it to the page."""
    if reset:
        page.file.write_text(with_report(page, report), encoding="utf-8")
    else:
        assert report == page.report


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.number)
def test_every_code_has_a_page(code: FindingCode) -> None:
    assert (HERE / code.page).is_file(), f"write tests/codes/{code.page}"


def test_every_warning_of_a_check_has_a_row() -> None:
    """docs/checks.md states what a check of style or idleness has found; checks of soundness stay without a find."""
    rows = (DOCS.parent / "checks.md").read_text(encoding="utf-8").partition("## Checks that went")[0]
    of_checks = (facts.code for facts in known_findings() if facts.__module__.startswith("compiler.analysis."))
    warnings = {code.number for code in of_checks if code.severity is Severity.WARNING}
    assert warnings - {*re.findall(r"\[(R\d+)\]", rows)} == SOUNDNESS


def test_docs_equal_the_pages(reset: bool) -> None:
    wanted = {page.file.name: page.file.read_text(encoding="utf-8") for page in PAGES} | {"README.md": index()}
    if reset:
        DOCS.mkdir(parents=True, exist_ok=True)
        for file in DOCS.glob("*.md"):
            file.unlink()
        for name, text in wanted.items():
            (DOCS / name).write_text(text, encoding="utf-8", newline="\n")
    assert {file.name: file.read_text(encoding="utf-8") for file in DOCS.glob("*.md")} == wanted, RESET


def index() -> str:
    """Write the page that links all others."""
    lines = [
        "# What the commands report",
        "",
        "Errors stop a stack; warnings are suspicions. Each page says why, shows a wrong source, the exact report and",
        "a right source; where another command than `check` reports it, that command.",
        "`rulewright explain R0312` prints a page.",
        "",
        "| code | | |",
        "| --- | --- | --- |",
    ]
    for code in CODES:
        title = next((page.title for page in PAGES if page.code == code.number), re.sub("-", " ", code.slug))
        severity = "warning" if code.severity is Severity.WARNING else "error"
        number = f"[{code.number}]({code.page})"
        lines.append(f"| {number} | {severity} | {title} |")
    return "\n".join(lines) + "\n"
