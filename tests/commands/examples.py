"""The command lines that tests run of all commands: their own, and for other commands the example in their help."""

import inspect
from collections.abc import Collection, Iterator

from rulewright.library.package_index import PackageIndex, list_packages
from rulewright.serve.cli.app import COMMANDS
from rulewright.serve.cli.help_pages import EXAMPLE


def lines_of_all(own_lines: Collection[str], stack: str, card: str, without: Collection[str] = ()) -> Iterator[str]:
    """Yield `own_lines`, then the example of each command that none of them runs, about a stack and a card.

    An example that names a file runs nowhere else: its command needs a line in `own_lines`. Those in `without` are not
    run.
    """
    yield from own_lines
    tried = {line.split(maxsplit=1)[0] for line in own_lines}
    shipped = list_packages(())
    for command in COMMANDS:
        name = command.__name__.removesuffix("_")
        if name not in tried and name not in without:
            example = (inspect.getdoc(command) or "").partition(f"{EXAMPLE} rulewright ")[2]
            yield " ".join(_about(word, shipped, stack, card) for word in example.split())


def _about(word: str, shipped: PackageIndex, stack: str, card: str) -> str:
    """Return a word of an example; the stack or the card in place of a shipped one."""
    if word.partition("+")[0] in shipped.files["layer"]:
        return stack
    return card if word in shipped.files["scenario"] else word
