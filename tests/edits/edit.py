"""Draw a single edit of a stack, make it in a scratch copy, and compile both.

In: a copy of the shipped rules, a stack and a seed. Out: the graphs before and after, and what was edited. Edits that
do not compile are drawn again. An added or withdrawn rule stands in a layer of its own, as a variant's would.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from compiler.compile import compile_stack
from compiler.source.nodes import Scenario
from compiler.source.package import Library, discover
from runtime.graph import nodes as graph
from tests.edits.changes import Candidate, Changes
from tests.edits.paragraphs import Paragraph, paragraphs
from tests.edits.templates import templates
from tests.fuzz.packages import Shelf

LAYER = "edited"
# Draws after which nothing is expected to compile any more.
PATIENCE = 200


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit. `names` are those under which a comparison has to list it; `parts` is what of them was edited."""

    stack: str
    seed: str
    kind: str
    what: str
    names: tuple[str, ...]
    parts: tuple[str, ...]
    words: str


@dataclass(frozen=True, slots=True)
class Edited:
    """An edit that compiles: both graphs, and both with the card that games are played on, if there is one."""

    edit: Edit
    a: graph.Graph
    b: graph.Graph
    card_a: graph.Graph | None
    card_b: graph.Graph | None


class Workshop:
    """A scratch copy of the rules, and one stack of it that is edited over and over."""

    def __init__(self, shelf: Shelf, stack: str, card: str = "") -> None:
        """Compile the stack as it is shipped."""
        self.shelf, self.stack = shelf, stack
        library = self.library()
        self.card = library.scenarios[card] if card else None
        self.a = graph_of(library, stack)
        self.card_a = graph_of(library, stack, self.card) if self.card else None
        self.by_kind: dict[str, list[tuple[Paragraph, Candidate]]] = {}
        for paragraph in paragraphs(library, stack):
            for candidate in Changes(paragraph, self.a.vocabulary).every():
                self.by_kind.setdefault(candidate.kind, []).append((paragraph, candidate))
        self.added = templates(self.a)

    def library(self) -> Library:
        """Look through the copy."""
        return discover([self.shelf.root], self.shelf.kept)[0]

    def kinds(self) -> list[str]:
        """List the kinds of edits there are."""
        return sorted({*self.by_kind, *self.added})

    def draw(self, seed: str, kind: str = "") -> Edited | None:
        """Draw an edit that compiles; None if nothing of the kind does."""
        dice = random.Random(f"{self.stack} {seed}")
        for _ in range(PATIENCE):
            wanted = kind or dice.choice(self.kinds())
            made = self._added(wanted, seed, dice) if wanted in self.added else self._edited(wanted, seed, dice)
            if made is not None:
                return made
        return None

    def _edited(self, kind: str, seed: str, dice: random.Random) -> Edited | None:
        """Edit a paragraph where it stands; of all paragraphs with such an edit each is as likely."""
        choices = self.by_kind.get(kind)
        if not choices:
            return None
        chosen = dice.choice(list({id(paragraph): paragraph for paragraph, _ in choices}.values()))
        candidate = dice.choice([each for paragraph, each in choices if paragraph is chosen])
        text = chosen.text
        old = text.content[candidate.change.begin : candidate.change.end]
        line = text.line(candidate.change)
        words = f"{text.name}:{line} {' '.join(old.split())[:70]!r} -> {' '.join(candidate.change.text.split())[:70]!r}"
        edit = Edit(self.stack, seed, kind, chosen.what, chosen.names, candidate.names, words)
        chosen.file.write_text(text.edited(candidate.change), encoding="utf-8", newline="")
        try:
            return self._compiled(edit, self.stack)
        finally:
            chosen.file.write_text(text.content, encoding="utf-8", newline="")

    def _added(self, kind: str, seed: str, dice: random.Random) -> Edited | None:
        """Put a rule into a layer above the stack."""
        names, rule = dice.choice(self.added[kind])
        return self.with_rules(Edit(self.stack, seed, kind, "rule", names, (), " ".join(rule.split())), rule)

    def with_rules(self, edit: Edit, rules: str) -> Edited | None:
        """Compile the stack with these rules in a layer above it."""
        folder = self.shelf.root / LAYER
        folder.mkdir()
        top = self.stack.split("+")[0]
        manifest = f"layer: {LAYER}\ntitle: Edited\nkind: variant\non: [{top}]\n"
        (folder / "layer.yaml").write_text(manifest, encoding="utf-8")
        (folder / "said.rules").write_text(rules, encoding="utf-8")
        try:
            return self._compiled(edit, f"{self.stack}+{LAYER}")
        finally:
            for file in folder.iterdir():
                file.unlink()
            folder.rmdir()

    def _compiled(self, edit: Edit, stack: str) -> Edited | None:
        library = self.library()
        b = compile_stack(library, stack).graph
        if b is None or (b.stack == self.a.stack and b.hash == self.a.hash):
            return None
        card_b = compile_stack(library, stack, self.card).graph if self.card else None
        return Edited(edit, self.a, b, self.card_a, card_b)


def graph_of(library: Library, stack: str, card: Scenario | None = None) -> graph.Graph:
    """Compile a stack that is known to compile."""
    made = compile_stack(library, stack, card).graph
    assert made is not None, stack
    return made


def drawn(workshop: Workshop, seed: str, count: int, only: str = "") -> Iterator[Edited]:
    """Draw so many edits, kind after kind, so that rare kinds come up as often as frequent ones; or the one named."""
    seed, _, number = only.rpartition("-") if only else (seed, "", "0")
    numbers = [int(number)] if only else range(count)
    kinds = workshop.kinds()
    random.Random(f"{workshop.stack} {seed}").shuffle(kinds)
    for each in numbers:
        made = workshop.draw(f"{seed}-{each}", kinds[each % len(kinds)])
        if made is not None:
            yield made
