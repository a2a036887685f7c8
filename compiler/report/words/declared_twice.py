"""Messages for names that are declared twice, or listed twice.

In: a problem of the typed stage. Out: its sentence.
"""

from typing import assert_never

from compiler.report.sentence import Sentence, span_label
from compiler.typed.problems import DuplicateName, FactorsDiffer, FactorTaken, ListedTwice
from runtime.graph.words import article


def declared_twice(problem: DuplicateName | FactorTaken | FactorsDiffer | ListedTwice) -> Sentence:
    """State that a name is declared or listed twice."""
    match problem:
        case DuplicateName(span, first, "action" | "resolution" as category, name):
            return Sentence(
                f"the {category} `{name}` is declared twice",
                (span_label(span, "again here"), span_label(first, "first here")),
                f"write `replaces {category} {name}` before its `{{` if this one is to stand in the place of the other;"
                " else rename it",
                root=f"{category} {name}",
            )
        case DuplicateName(span, first, "track of scenario", name) if not span.file.endswith(".rules"):
            return Sentence(
                f"`{name}` is a fact that the rules declare, and this declares it again",
                (span_label(span, "names new hexes of this card"), span_label(first, "declared here")),
                f"give it under `facts`, as in `facts: {{{name}: ..}}`, or rename the region",
                root=f"track of scenario {name}",
            )
        case DuplicateName(span, first, category, name) if category.startswith("factor of "):
            return Sentence(
                f"the {category} `{name}` is declared twice",
                (span_label(span, "again here"), span_label(first, "first here")),
                "rename one of the two, or let one layer stand on the other and only give values",
                root=f"{category} {name}",
            )
        case DuplicateName(span, first, "kind" as category, name):
            return Sentence(
                f"the {category} `{name}` is declared twice",
                (span_label(span, "again here"), span_label(first, "first here")),
                f"to print more on its counters, write `extend kind {name} has NAME: 0..9 = 5`; else rename one",
                root=f"{category} {name}",
            )
        case FactorTaken(span, first, name, kind, category):
            return Sentence(
                f"`{name}` is printed on each {kind} and is {article(category)} as well: the name may mean either",
                (span_label(span, "here"), span_label(first, "and here")),
                "rename one of the two",
                root=f"factor of {kind} {name}",
            )
        case FactorsDiffer(span, first, name, kind, now, before):
            return Sentence(
                f"`{name}` is printed on each {kind} as {before} and as {now}",
                (span_label(span, f"as {now}"), span_label(first, f"as {before}")),
                "rename one of the two, or let one layer stand on the other and only give values",
                root=f"factor of {kind} {name}",
            )
        case DuplicateName(span, first, category, name):
            return Sentence(
                f"the {category} `{name}` is declared twice",
                (span_label(span, "again here"), span_label(first, "first here")),
                "keep one of the two, or rename one",
                root=f"{category} {name}",
            )
        case ListedTwice(span, first, name):
            entry = name if name == "this row" else f"`{name}`"
            return Sentence(
                f"{entry} stands twice in this list",
                (span_label(span, "again here"), span_label(first, "first here")),
                "keep one of the two, or write what the second was meant to be",
            )
        case _:
            assert_never(problem)
