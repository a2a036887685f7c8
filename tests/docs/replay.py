"""Follow a document: write its files, run its commands, and compare their output.

In: a markdown text and an empty folder. Out: a message for each difference.

A path in backquotes and a colon before a block names the file that the block is written to ("At the end of" appends);
commands of `console` blocks are run. Where the prose tells the reader to change a file, a comment that the page does
not show has the change: `<!-- in FILE: OLD -> NEW -->`.

Of comparisons only the exit code and the words are compared: their numbers change with every change of the players.
"""

import re
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path

from tests.commands.planting import say

PROMPT = "$ python3 -m rulewright "
SETTLED = ("check", "test", "ask", "diff", "tree", "import", "play", "reference")
# Lines of output on a page after which the command must exit with 1.
FINDINGS = re.compile(r"^error|^unprotected: | (lost or broken|left behind: .*)[;]")
# Commands that play for minutes.
SLOW = ("compare",)
# Only the words of its output are compared, not the numbers.
MEASURED = "compare"

_EDIT = re.compile(r"<!-- in (?P<file>\S+): (?P<old>.+?) -> (?P<new>.+?) -->")
_FILE = re.compile(r"(?P<end>At the end of )?`(?P<file>[\w./]+)`[^`]*:$")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its language, its lines, and the last line of prose before it."""

    language: str
    before: str
    lines: tuple[str, ...]


def replay(page: str, folder: Path, slow: Sequence[str] = SLOW, once: Sequence[str] = ()) -> Iterator[str]:
    """Follow a page inside `folder`, and yield the differences.

    `slow` commands are not run; of the commands in `once` only the last block that has them is run.
    """
    left = Counter(name for name in once for _ in range(page.count(f"\n{PROMPT}{name} ")))
    for part in parts(page):
        match part:
            case Block("console", _, lines):
                typed = Counter(line.removeprefix(PROMPT).split()[0] for line in lines if line.startswith(PROMPT))
                left -= typed
                yield from type_in(lines, folder, (*slow, *left))
            case Block(_, before, lines) if named := _FILE.search(before):
                write_file(folder / named["file"], "\n".join((*lines, "")), appended=named["end"] is not None)
            case re.Match():
                yield from edit(folder / part["file"], written(part["old"]), written(part["new"]))
            case _:
                pass


def parts(page: str) -> Iterator[Block | re.Match[str]]:
    """Yield the blocks and the edits of a page, in order."""
    before, language = "", ""
    block: list[str] = []
    inside = False
    for line in page.splitlines():
        if line.startswith("```"):
            if inside:
                yield Block(language, before, tuple(block))
            before, language, block, inside = before if not inside else "", line[3:], [], not inside
        elif inside:
            block.append(line)
        elif found := _EDIT.match(line):
            yield found
        elif line:
            before = line


def write_file(file: Path, text: str, *, appended: bool) -> None:
    """Write a file, or append to it after an empty line."""
    file.parent.mkdir(parents=True, exist_ok=True)
    old = file.read_text(encoding="utf-8") + "\n" if appended else ""
    file.write_text(old + text, encoding="utf-8")


def edit(file: Path, old: str, new: str) -> Iterator[str]:
    """Replace a text in a file; yield a message if the text is not in it."""
    text = file.read_text(encoding="utf-8")
    if old not in text:
        yield f"{file.name}: nothing to change, {old!r} is not there"
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def written(text: str) -> str:
    r"""Return the text with the line breaks that `\n` stands for."""
    return text.replace(r"\n", "\n")


def type_in(lines: tuple[str, ...], folder: Path, slow: Sequence[str]) -> Iterator[str]:
    """Run the commands of a block, and compare each output with the lines below the command."""
    starts = [number for number, line in enumerate(lines) if line.startswith(PROMPT)]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        command = shlex.split(lines[start].removeprefix(PROMPT))
        if command[0] in slow:
            continue
        with chdir(folder):
            done = say(command)
        compare_words = words_of if command[0] == MEASURED else same
        error_output = {compare_words(line) for line in (done.out + done.err).splitlines()}
        promised = [compare_words(line) for line in lines[start + 1 : end] if line]
        told_of_findings = any(FINDINGS.search(line) for line in promised)
        if done.code != int(told_of_findings):
            yield f"{' '.join(command)}: exits with {done.code}\n{done.out}{done.err}"
        elif command[0] in (*SETTLED, MEASURED):
            yield from (f"{' '.join(command)}: does not show: {line}" for line in promised if line not in error_output)


def words_of(line: str) -> str:
    """Replace numbers by signs and reduce white space, so that only the words are compared."""
    line = re.sub(r"[-+<]? ?\d[\d.]*%?", "#", line.replace(", so it is no accident", ""))
    return " ".join(line.split())


def same(line: str) -> str:
    """Replace the folder of saved positions and the number of examples left out, and strip the line end."""
    line = re.sub(r"^left out: [0-9,]+ examples", "left out: # examples", line)
    return re.sub(r"(saved as|position:|` in) \S*witnesses", r"\1 .../witnesses", line).rstrip()
