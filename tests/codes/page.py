"""A page of docs/codes is a test: explanation, a wrong source, the exact report, the right source.

    # R0307: unknown label

    Why this is an error, in a paragraph or two.

    ## Wrong

    ```rules
    rule ice [V.1] "..." ...
    ```

    ## Report

    ```text
    error R0307: ...
    ```

    ## Right

    ```rules
    ...
    ```

If `check` alone does not report a finding, the section Wrong names the command that does, and the report is the output
of that command; with the sources of the section Right the same command ends with exit code 0:

    ```console
    $ rulewright test mine --path .
    ```

If that command has `--since`, the sources of the section Right are committed first.

The sources of a page are a layer `mine` on the game that `rulewright new game toy` writes. A fence may name its file,
```` ```yaml toy/charts.yaml ````; otherwise `.rules` text becomes mine/mine.rules and YAML mine/mine.yaml. `toy/...`
replaces a file of the toy game; a name that ends in `.latin1` is written in that encoding, `-> path` creates a link,
` *9` repeats the text.
"""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(
    r"^```(?P<kind>\w+)(?: (?P<file>\S+))?(?: \*(?P<times>\d+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
SECTIONS = ("Wrong", "Report", "Right")


@dataclass(frozen=True, slots=True)
class Page:
    """The parts of one page."""

    file: Path
    code: str
    title: str
    why: str
    wrong: dict[str, str]
    command: tuple[str, ...]  # Arguments of `rulewright`; none for the checks that all other pages run.
    report: str
    right: dict[str, str]


def read_page(file: Path) -> Page:
    """Parse a page; a page without the expected sections fails."""
    head, *rest = re.split(r"^## (\w+)\n", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    sections = dict(zip(rest[::2], rest[1::2], strict=True))
    assert tuple(sections) == SECTIONS, f"{file.name}: sections are {', '.join(SECTIONS)}"
    found = re.match(r"# (?P<code>R\d{4}): (?P<title>[^\n]+)\n\n(?P<why>.+)", head, re.DOTALL)
    assert found, f"{file.name}: begins with `# R0000: title` and says why"
    reports = [fence["text"] for fence in FENCE.finditer(sections["Report"])]
    assert len(reports) == 1, f"{file.name}: the report is one block of text, which may be empty"
    wrong, right = files(sections["Wrong"]), files(sections["Right"])
    return Page(file, found["code"], found["title"], found["why"], wrong, command(sections["Wrong"]), reports[0], right)


def command(section: str) -> tuple[str, ...]:
    """Read the arguments of the command in a section; empty if it has none."""
    for fence in FENCE.finditer(section):
        if fence["kind"] == "console":
            return tuple(shlex.split(fence["text"].removeprefix("$ rulewright ")))
    return ()


def files(section: str) -> dict[str, str]:
    """Read the fenced sources of a section, by file."""
    default = {"rules": "mine/mine.rules", "yaml": "mine/mine.yaml"}
    found = {
        fence["file"] or default[fence["kind"]]: fence["text"] * int(fence["times"] or 1)
        for fence in FENCE.finditer(section)
        if fence["kind"] != "console"
    }
    assert found, "a section without a fenced source"
    return found


def with_report(page: Page, report: str) -> str:
    """Return the text of a page with another report."""
    text = page.file.read_text(encoding="utf-8")
    before, after = text.split("## Report\n", 1)
    body, right = after.split("## Right\n", 1)
    return f"{before}## Report\n{FENCE.sub(lambda _: f'```text{chr(10)}{report}```', body)}## Right\n{right}"
