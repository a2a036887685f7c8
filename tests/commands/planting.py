"""Edit a copy of the shipped rules with one mistake, and read the finding that the command line reports.

The mistakes are sections of `planted/*.txt`:

    ## misspelled feature
    file core/odds.rules
    - when h is woods
    + when h is wods
    R0203 when h is «wods»
    help did you mean `woods`

`-` is the text to replace, which occurs in the file once; without it, `+` is appended. Then come the code, with a part
of the underlined line and the underlined text in « », and a part of the message or the help. `run` is the command if
it is not `check panzer_leader`; `at` is the underlined file if it is not the edited one.
"""

import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulewright.serve.cli.app import run

MISTAKES = Path(__file__).parent / "planted"


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake to plant, and the finding that must be reported."""

    name: str
    file: str
    command: tuple[str, ...]
    old: str
    new: str
    at: str
    code: str
    output: str
    help: str


@dataclass(frozen=True, slots=True)
class CommandReply:
    """The reply of a command."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """The answer to `--format json`."""
        return json.loads(self.out)


def mistakes() -> Iterator[Mistake]:
    """Read the mistakes of all files of `planted`."""
    for file in sorted(MISTAKES.glob("*.txt")):
        for part in file.read_text(encoding="utf-8").split("\n## ")[1:]:
            name, *lines = part.strip().split("\n")
            yield _mistake(name, lines)


def _mistake(name: str, lines: list[str]) -> Mistake:
    keys = {
        word: rest for line in lines for word, _, rest in [line.partition(" ")] if word in {"file", "run", "at", "help"}
    }
    [reports] = [line for line in lines if re.match(r"R\d{4} ", line)]
    return Mistake(
        name,
        keys["file"],
        tuple(keys.get("run", "check panzer_leader").split()),
        "\n".join(line[2:] for line in lines if line.startswith("-")),
        "\n".join(line[2:] for line in lines if line.startswith("+")),
        keys.get("at", keys["file"]),
        reports[:5],
        reports[6:],
        keys["help"],
    )


def say(arguments: Sequence[str]) -> CommandReply:
    """Run a command line in this process."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run(arguments)
    return CommandReply(code, out.getvalue(), err.getvalue())


def planted(mistake: Mistake, text: str) -> str:
    """Return a text with the mistake in it; the replaced text must occur exactly once."""
    if not mistake.old:
        return f"{text}\n{mistake.new}\n"
    assert text.count(mistake.old) == 1, f"{mistake.file} has `{mistake.old}` {text.count(mistake.old)} times"
    return text.replace(mistake.old, mistake.new)


def underlined(text: str, span: Mapping[str, Any]) -> str:
    """Return the first line of a span, with the underlined text in « »."""
    line = text.split("\n")[span["line"] - 1]
    end = span["end_column"] - 1 if span["end_line"] == span["line"] else len(line)
    start = span["column"] - 1
    return f"{line[:start]}«{line[start:end]}»{line[end:]}"
