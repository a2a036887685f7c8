"""The pages for contributors name only existing folders and files, and every command."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tidy.check import ROOT, check, plant, texts
from tests.tidy.test_arrows import ORDER

PAGES = ("README.md", "docs/architecture.md", "docs/recipes.md")
TOPS = ("bench", "compiler", "docs", "editors", "rules", "rulewright", "runtime", "tests")
# Made-up names stand for files that a reader is to write.
MADE_UP = {"tests/codes/R0412-slug.md", "rules/x.yaml", "rulewright/serve/cli/weigh.py"}
CODE = ("compiler", "runtime", "rulewright")


def lost_paths(root: Path) -> Iterator[str]:
    """Find paths and links on the pages that do not exist."""
    for page, text in texts(root, *(page for page in PAGES if (root / page).exists())):
        for number, line in enumerate(text.splitlines(), 1):
            named = [path for path in re.findall(r"`([\w./-]+)`", line) if "/" in path and path.split("/")[0] in TOPS]
            linked = [(root / page).parent / path for path in re.findall(r"\]\(([\w./-]+)\)", line)]
            for path in [*(root / name for name in named if name not in MADE_UP), *linked]:
                if not path.exists():
                    yield f"{page}:{number}: there is no {path.relative_to(root)}"


def lost_references(root: Path) -> Iterator[str]:
    """Find files, and numbered sections of pages, that code refers to and that do not exist."""
    names = {path.rpartition("/")[2] for path, _ in texts(root, *CODE, "docs", "editors", "tests")}
    for path, text in texts(root, *CODE, suffixes=".py"):
        for named, section, part in re.findall(
            rf"(?<![\w./])((?:{'|'.join(TOPS)})/[\w/-]+\.(?:\w+\.)?\w+)(?:, (\d+))?( \d+\.\d)?", text
        ):
            page = root / named
            if named not in MADE_UP and (not page.exists() or part):
                yield f"{path}: there is no {named}{part}"
            elif section and not re.search(rf"(?m)^## {section}\. ", page.read_text(encoding="utf-8")):
                yield f"{path}: {named} has no section {section}"
        for named in re.findall(r"DESIGN \d+|(?<=[a-z] \()\d\.\d+(?=\)\.)", text):
            yield f"{path}: {named} is a section of no page here"
        for named in re.findall(r"\((\w+\.py)\b", text):
            if named not in names:
                yield f"{path}: there is no {named}"


def test_paths_on_pages_exist() -> None:
    check(lost_paths)


def test_references_in_code_exist() -> None:
    check(lost_references)


def test_a_lost_reference_is_found(tmp_path: Path) -> None:
    says = "see docs/a.md, 2, docs/a.md, 3, docs/a.md 2.1, docs/b.md, runtime/b.py (a.py, (c.py) DESIGN 4, so (3.6)."
    root = plant(tmp_path, {"docs/a.md": "## 2. Two\n", "runtime/a.py": f'"""{says}"""\n'})
    there = [
        "docs/a.md has no section 3",
        "there is no docs/a.md 2.1",
        "there is no docs/b.md",
        "there is no runtime/b.py",
    ]
    nowhere = [f"{each} is a section of no page here" for each in ("DESIGN 4", "3.6")]
    assert [*lost_references(root)] == [f"runtime/a.py: {each}" for each in (*there, *nowhere, "there is no c.py")]


@pytest.mark.parametrize("text", ["`compiler/gone.py`", "[language](gone.md)"])
def test_a_lost_path_is_found(tmp_path: Path, text: str) -> None:
    assert len([*lost_paths(plant(tmp_path, {"docs/recipes.md": text}))]) == 1


def test_the_architecture_names_every_folder() -> None:
    plan = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    folders = {f"{root}/{folder}" for root, lines in ORDER.items() for line in lines for folder in line.split()}
    assert {folder for folder in folders if f"`{folder}`" not in plan} == set()
    assert {folder for folder in folders if not (ROOT / folder).is_dir()} == set()


def test_the_readme_is_short_and_its_rule_is_shipped() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme.count("\n") <= 120
    (rule,) = re.findall(r"(?s)```rules\n(.*?)```", readme)
    shipped = (ROOT / "rules" / "games" / "panzer_leader" / "rulings" / "movement.rules").read_text(encoding="utf-8")
    assert rule in shipped


def test_every_command_is_registered_and_tested() -> None:
    app = (ROOT / "rulewright" / "serve" / "cli" / "app.py").read_text(encoding="utf-8")
    tried = " ".join(text for _, text in texts(ROOT, "tests", suffixes=".py"))
    for file in (ROOT / "rulewright" / "serve" / "cli").glob("*.py"):
        if _is_command(file):
            assert re.search(rf"(?m)^    \".*[(, ]{file.stem}_?[,)]", app), f"`{file.stem}` is in no group of GROUPS"
            # A list of arguments, or a text that starts with the command: the first one of a call or of a case.
            runs = rf"(?<![\w\]])\[\s*\"{file.stem}\"|[(\[]\s*f?[\"'](?:rulewright )?{file.stem}(?: [^\"']*)?[\"'][,)]"
            assert re.search(runs, tried), f"no test runs `{file.stem}`"


def _is_command(file: Path) -> bool:
    """Return whether a file implements a command: it has a function of its name that returns a reply."""
    function = rf"^def {file.stem}_?\((?:(?!^def).)*?\) -> Reply:"
    return re.search(function, file.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL) is not None
