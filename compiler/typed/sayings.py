"""How a question or an action is said: `reads "what {mover} pays"` speaks of `mover`."""

import re
from collections.abc import Collection, Iterator

from compiler.source import nodes as source
from compiler.source.suggest import nearest
from compiler.typed.problems import Misplaced

_ARGUMENT = re.compile(r"\{(\w+)\}")


def unsaid(reads: source.Reads, names: Collection[str], what: str) -> Iterator[Misplaced]:
    """Find what stands in braces and is nobody's name: it would be printed as it stands."""
    for name in dict.fromkeys(_ARGUMENT.findall(f"{reads.text} {reads.denied or ''}")):
        if name not in names:
            near = nearest(name, names)
            known = ", ".join(f"`{{{each}}}`" for each in near or sorted(names))
            advice = f"did you mean {known}?" if near else f"write {known}" if known else "leave out the braces"
            yield Misplaced(reads.span, f"`{{{name}}}` in what is said here is no name of this {what}", advice)


def alike(reads: source.Reads) -> Iterator[Misplaced]:
    """Find a yes and a no that are said in the same words: nobody could tell them apart."""
    if reads.denied is not None and reads.denied.split() == reads.text.split():
        said = "yes and no are said in the same words here"
        yield Misplaced(reads.span, said, "write behind `denied` what is so when the answer is no")
