"""Every code has a page, every page reports exactly what it says, and docs/codes shows the pages."""

import re
from pathlib import Path
from string import Template

import pytest

from compiler.analysis.aims import idle_lines
from compiler.analysis.prove import prove
from compiler.compile import compile_stack
from compiler.report.codes import CODES, Code
from compiler.report.diagnose import Problem, diagnose
from compiler.report.diagnostic import Diagnostic, Severity
from compiler.report.render.terminal import terminal
from compiler.source.package import discover
from compiler.typed.alike import alike
from rulewright.confirming import confirm
from rulewright.starting import SCAFFOLD
from tests.codes.page import Page, read_page, with_report

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs" / "codes"
PAGES = [read_page(file) for file in sorted(HERE.glob("R*.md"))]

TOY = {
    f"toy/{file.name}": Template(file.read_text(encoding="utf-8")).substitute(
        name="toy", dash="toy", title="Toy", prefix="TOY"
    )
    for file in sorted((SCAFFOLD / "game").iterdir())
}
MINE = {
    "mine/layer.yaml": "layer: mine\ntitle: Mine\nkind: variant\non: [toy]\n",
    "mine/sources.yaml": "sources:\n  - {prefix: V, title: My Variant, items: [V.1, V.2, V.3]}\n",
}

# Codes that no folder of sources can show; the test that shows each.
SHOWN_ELSEWHERE = {
    "R0326": "tests/commands/test_words.py",
    "R0513": "tests/analysis",
    "R0548": "tests/commands/test_doubts.py",
    "R0551": "tests/commands/test_faults.py",
    "R0552": "tests/commands/test_faults.py",
    "R0553": "tests/commands/test_faults.py",
    "R0554": "tests/commands/test_faults.py",
    "R0555": "tests/commands/test_faults.py",
    "R0556": "tests/commands/test_faults.py",
    "R0557": "tests/books/test_gates.py",
    "R0558": "tests/commands/test_faults.py",
    "R0559": "tests/commands/test_always.py",
    "R0562": "tests/commands/test_faults.py",
    "R0563": "tests/commands/test_faults.py",
}


def findings(place: Path, files: dict[str, str]) -> tuple[list[Diagnostic], str]:
    """Check the toy game with these files over it; also give the report as text."""
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
    library, found = discover([place / top for top in dict.fromkeys(name.split("/")[0] for name in everything)])
    compiled = compile_stack(library, "mine")
    cards = [card for name in library.scenarios if (card := library.scenarios.get(name)) and card.uses.text == "mine"]
    laid = [compile_stack(library, "mine", card) for card in cards]
    played = [problem for each in laid for problem in each.problems or (idle_lines(each.graph) if each.graph else ())]
    problems: tuple[Problem, ...] = (*found, *(compiled.problems or played))
    graph = compiled.graph
    if graph is not None and not problems:
        world = compiled.typed.world if compiled.typed else None
        problems = (
            *prove(graph, lambda suspect: confirm(graph, suspect), "searched a little"),
            *(alike(world, graph.counters.values()) if world else ()),
        )
    diagnostics = diagnose(problems, library.texts)
    return diagnostics, "\n\n".join(terminal(each, library.texts) for each in diagnostics) + "\n"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.file.stem)
def test_page(page: Page, tmp_path: Path, reset: bool) -> None:
    diagnostics, report = findings(tmp_path / "wrong", page.wrong)
    if reset:
        page.file.write_text(with_report(page, report), encoding="utf-8")
    else:
        assert report == page.report
    assert {each.code for each in diagnostics} == {page.code}
    right, _ = findings(tmp_path / "right", page.right)
    assert [each.code for each in right] == []


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.number)
def test_every_code_has_a_page(code: Code) -> None:
    if code.number not in SHOWN_ELSEWHERE:
        assert (HERE / code.page).is_file()


def test_docs_show_the_pages(reset: bool) -> None:
    wanted = {page.file.name: page.file.read_text(encoding="utf-8") for page in PAGES} | {"README.md": index()}
    if reset:
        DOCS.mkdir(parents=True, exist_ok=True)
        for file in DOCS.glob("*.md"):
            file.unlink()
        for name, text in wanted.items():
            (DOCS / name).write_text(text, encoding="utf-8", newline="\n")
    assert {file.name: file.read_text(encoding="utf-8") for file in DOCS.glob("*.md")} == wanted


def index() -> str:
    """Write the page that leads to all others."""
    lines = [
        "# What `rulewright check` reports",
        "",
        "Errors stop a stack; warnings are suspicions. Each page says why, shows a wrong source, the exact report and",
        "a right source. `rulewright explain R0312` prints a page.",
        "",
        "| code | | |",
        "| --- | --- | --- |",
    ]
    for code in CODES:
        page = next((page for page in PAGES if page.code == code.number), None)
        severity = "warning" if code.severity is Severity.WARNING else "error"
        if page:
            lines.append(f"| [{code.number}]({page.file.name}) | {severity} | {page.title} |")
        else:
            lines.append(f"| {code.number} | {severity} | {re.sub('-', ' ', code.slug)} |")
    return "\n".join(lines) + "\n"
