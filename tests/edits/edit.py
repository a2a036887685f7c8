"""Draw a single edit of a stack: a mutant of its graph, a rule in a layer above it, or an additional option.

In: a copy of the shipped rules, a stack and a seed. Out: the stacks before and after the edit, and its description.
Mutants are those of `runtime/mutation`, of the stack and of its card, and some more kinds (operators.py). A rule in a
layer is compiled like a variant; what does not compile is drawn again.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from compiler.compile import compile_stack
from compiler.source.nodes import Scenario
from compiler.source.package import Library, discover_layers
from rulewright.library.stacks import Stack
from runtime.graph import nodes as graph
from runtime.mutation.card_mutants import card_mutants
from runtime.mutation.mutant import CELL, FIGURE, LINE, NUMBER, PART, TRAIT, Mutant
from runtime.mutation.protection import mutants_of
from tests.edits.operators import more_mutants
from tests.edits.templates import templates
from tests.fuzz.packages import Corpus

LAYER = "edited"
OPTION = "option"
OF_CARD = frozenset({LINE, NUMBER, PART})
# The number of draws after which the search for an edit that compiles ends.
PATIENCE = 200


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit; a comparison must list it under one of its names.

    `what` is rule, chart, counter, procedure, sequence, note, card or option.
    """

    stack: str
    seed: str
    kind: str
    what: str
    names: tuple[str, ...]
    words: str


@dataclass(frozen=True, slots=True)
class Edited:
    """Both stacks, and their graphs with the card on which games are played, if there is one."""

    edit: Edit
    stacks: tuple[Stack, Stack]
    card_a: graph.Graph | None
    card_b: graph.Graph | None

    @property
    def a(self) -> graph.Graph:
        """Return the graph before the edit."""
        assert self.stacks[0].graph is not None
        return self.stacks[0].graph

    @property
    def b(self) -> graph.Graph:
        """Return the graph after the edit."""
        assert self.stacks[1].graph is not None
        return self.stacks[1].graph


class Workshop:
    """A copy of the shipped rules, and one stack of it that is edited repeatedly."""

    def __init__(self, corpus: Corpus, stack: str, card: str = "") -> None:
        """Compile the stack as it is shipped, and list its mutants."""
        self.corpus, self.stack = corpus, stack
        library = self.library()
        self.card = library.scenarios[card] if card else None
        self.whole = _compiled(library, stack)
        assert self.whole.graph is not None, stack
        self.a: graph.Graph = self.whole.graph
        self.on_card = _compiled(library, stack, self.card) if self.card else None
        self.card_a = self.on_card.graph if self.on_card else None
        self.mutants: dict[str, list[Mutant]] = {}
        for mutant in (*mutants_of(self.a), *more_mutants(self.a), *self._of_card()):
            self.mutants.setdefault(mutant.kind, []).append(mutant)
        self.added = templates(self.a)
        top = stack.split("+", maxsplit=1)[0]
        self.options = [
            name for name, layer in library.layers.items()
            if layer.kind.text == OPTION and any(below.text == top for below in layer.on) and name not in stack
        ]  # fmt: skip

    def _of_card(self) -> Iterator[Mutant]:
        if self.card_a is not None and self.card_a.scenario is not None:
            yield from card_mutants(self.card_a, self.card_a.scenario)

    def library(self) -> Library:
        """Discover the layers of the copy."""
        return discover_layers([self.corpus.root], self.corpus.database)[0]

    def kinds(self) -> list[str]:
        """List the kinds of edits of this stack."""
        return sorted({*self.mutants, *self.added, *([OPTION] if self.options else [])})

    def draw(self, seed: str, kind: str = "") -> Edited | None:
        """Draw an edit that compiles; return None if none was found."""
        dice = random.Random(f"{self.stack} {seed}")
        for _ in range(PATIENCE):
            wanted = kind or dice.choice(self.kinds())
            edit = (
                self._mutated(wanted, seed, dice) if wanted in self.mutants
                else self._added(wanted, seed, dice) if wanted in self.added
                else self._with_option(seed, dice)
            )  # fmt: skip
            if edit is not None:
                return edit
        return None

    def _mutated(self, kind: str, seed: str, dice: random.Random) -> Edited | None:
        """Draw a mutant; each owner of mutants of the kind has the same probability."""
        choices = self.mutants[kind]
        owner = dice.choice(list(dict.fromkeys((each.name, each.procedure) for each in choices)))
        mutant = dice.choice([each for each in choices if (each.name, each.procedure) == owner])
        variants = list(mutant.variants())
        at = dice.randrange(len(variants))
        whole = self.on_card if kind in OF_CARD and self.on_card else self.whole
        other = replace(whole, graph=variants[at])
        if other.graph == whole.graph:
            return None
        card_b = other.graph if kind in OF_CARD else self._on_the_card(mutant, at)
        edit = edit_of(self.stack, seed, mutant, self.a)
        return Edited(edit, (whole, other), self.card_a, card_b)

    def _on_the_card(self, mutant: Mutant, at: int) -> graph.Graph | None:
        """Return the same mutant of the graph with the card, identified by its key and its number."""
        if self.card_a is None:
            return None
        mutant_text = _mutant_key(mutant)
        same = [each for each in self.mutants[mutant.kind] if _mutant_key(each) == mutant_text]
        number = next(at for at, each in enumerate(same) if each is mutant)
        there = [
            each for each in (*mutants_of(self.card_a), *more_mutants(self.card_a)) if _mutant_key(each) == mutant_text
        ]
        return list(there[number].variants())[at] if number < len(there) else None

    def _added(self, kind: str, seed: str, dice: random.Random) -> Edited | None:
        """Add a rule in a layer above the stack."""
        names, rule = dice.choice(self.added[kind])
        return self.with_rules(Edit(self.stack, seed, kind, "rule", names, " ".join(rule.split())), rule)

    def _with_option(self, seed: str, dice: random.Random) -> Edited | None:
        """Return an edit that adds an option to the stack; a comparison must list one of its rules or procedures."""
        option = dice.choice(self.options)
        named = f"{self.stack}+{option}"
        library = self.library()
        other = _compiled(library, named)
        if other.graph is None:
            return None
        rules = (label for label, rule in other.graph.rules.items() if rule.origin.layer == option)
        procedures = (key for key, each in other.graph.procedures.items() if each.origin.layer == option)
        names = tuple({**dict.fromkeys(rules), **dict.fromkeys(map(_procedure, procedures))})
        edit = Edit(self.stack, seed, OPTION, OPTION, names, named)
        card_b = compile_stack(library, named, self.card).graph if self.card else None
        return Edited(edit, (self.whole, other), self.card_a, card_b)

    def with_rules(self, edit: Edit, rules: str) -> Edited | None:
        """Compile the stack with these rules in a layer above it."""
        folder = self.corpus.root / LAYER
        folder.mkdir()
        top = self.stack.split("+")[0]
        manifest = f"layer: {LAYER}\ntitle: Edited\nkind: variant\non: [{top}]\n"
        (folder / "layer.yaml").write_text(manifest, encoding="utf-8")
        (folder / "said.rules").write_text(rules, encoding="utf-8")
        try:
            library = self.library()
            other = _compiled(library, f"{self.stack}+{LAYER}")
            if other.graph is None:
                return None
            card_b = compile_stack(library, f"{self.stack}+{LAYER}", self.card).graph if self.card else None
            return Edited(edit, (self.whole, other), self.card_a, card_b)
        finally:
            for file in folder.iterdir():
                file.unlink()
            folder.rmdir()


def _compiled(library: Library, name: str, card: Scenario | None = None) -> Stack:
    """Compile a stack, with the environment that reads positions."""
    stack = compile_stack(library, name, card)
    return Stack(name, library, stack.graph, stack.typed.env if stack.typed else None, stack.problems, {})


def graph_of(library: Library, stack: str, card: Scenario | None = None) -> graph.Graph:
    """Return the graph of a stack that compiles."""
    rules = compile_stack(library, stack, card).graph
    assert rules is not None, stack
    return rules


def _mutant_key(mutant: Mutant) -> tuple[Any, ...]:
    return mutant.name, mutant.procedure, str(mutant.original), str(mutant.replacement), str(mutant.key)


def edit_of(stack: str, seed: str, mutant: Mutant, rules: graph.Graph) -> Edit:
    """Return the edit of a mutant, with the names under which a comparison must list it."""
    words = (
        f"{mutant.name}: {' '.join(str(mutant.original).split())[:90]} "
        f"-> {' '.join(str(mutant.replacement).split())[:90]}"
    )
    what, names = _names(mutant, rules)
    return Edit(stack, seed, mutant.kind, what, names, words)


def _names(mutant: Mutant, rules: graph.Graph) -> tuple[str, tuple[str, ...]]:
    key = mutant.procedure or (mutant.name if mutant.name in rules.procedures else "")
    flag = rules.vocabulary.flags.get(mutant.name)
    match mutant.kind:
        case kind if kind in OF_CARD:
            return "card", (mutant.name.partition(": ")[2],)
        case _ if key:
            return ("sequence" if key == "sequence" else "procedure"), (_procedure(key),)
        case kind if kind == CELL:
            return "chart", (str(mutant.key),)
        case kind if mutant.name in rules.tables and mutant.name not in rules.rules:
            return "chart", (mutant.name,)
        case kind if kind in {FIGURE, TRAIT}:
            return "counter", (mutant.name,)
        case _ if flag is not None or mutant.name in rules.vocabulary.tracks:
            return "note", (mutant.name, f"{flag.owner}.{flag.name}" if flag else "")
        case _:
            return "rule", (mutant.name,)


def _procedure(key: str) -> str:
    what, _, name = key.partition(":")
    return f"after {name.partition('#')[0]}" if what == "hook" else name or key


def drawn(workshop: Workshop, seed: str, count: int, only: str = "") -> Iterator[Edited]:
    """Draw edits, one kind after another, so that all kinds are equally frequent; or the one edit named."""
    seed, _, number = only.rpartition("-") if only else (seed, "", "0")
    numbers = [int(number)] if only else range(count)
    kinds = workshop.kinds()
    random.Random(f"{workshop.stack} {seed}").shuffle(kinds)
    for each in numbers:
        edit = workshop.draw(f"{seed}-{each}", kinds[each % len(kinds)])
        if edit is not None:
            yield edit
