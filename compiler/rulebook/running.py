"""Sentences that run over several rules: each rule is printed with the whole of it, its own part marked.

In: a graph. Out: for every rule its prose, and what comes before and after it in the same sentence.
Authors may write `It acts once a turn,` at one rule and `and not after it has slept.` at the next;
alone, neither could be printed.
"""

from dataclasses import dataclass
from itertools import pairwise

from compiler.rulebook.order import written
from runtime.graph import nodes as graph

STOPS = (".", "!", "?", ".)", ".”")


@dataclass(frozen=True, slots=True)
class Running:
    """A sentence: what stands before the part of this rule, that part, and what stands after it."""

    before: str
    own: str
    after: str

    @property
    def whole(self) -> str:
        """Write the sentence without marks, fit to stand alone."""
        text = " ".join(part for part in (self.before, self.own, self.after) if part)
        return f"{text[:1].upper()}{text[1:]}"


def run_sentences(book: graph.Graph) -> dict[str, Running]:
    """Join what runs on, in the order in which it was written."""
    found = {label: Running("", rule.prose, "") for label, rule in book.rules.items()}
    for chain in sentence_chains(book):
        parts = [rule.prose.strip() for rule in chain]
        for place, rule in enumerate(chain):
            found[rule.label] = Running(" ".join(parts[:place]), parts[place], " ".join(parts[place + 1 :]))
    return found


def sentence_chains(book: graph.Graph) -> list[list[graph.Rule]]:
    """Group the rules that have prose by the sentences they share, each in the order of its parts."""
    # The rules of a ruling have its question and answer; a sentence runs past them, or from one to the next.
    told = [rule for rule in book.rules.values() if rule.prose]
    told.sort(key=lambda rule: (rule.ruling, *written(book, rule), rule.label))
    chains: list[list[graph.Rule]] = [[rule] for rule in told[:1]]
    for one, next_ in pairwise(told):
        if _runs_on(one, next_):
            chains[-1].append(next_)
        else:
            chains.append([next_])
    return chains


def _runs_on(one: graph.Rule, next_: graph.Rule) -> bool:
    """Tell whether the prose of a rule goes on in the next one of the same file."""
    same = (one.origin.layer, one.origin.file, one.ruling) == (next_.origin.layer, next_.origin.file, next_.ruling)
    return same and not one.prose.rstrip().endswith(STOPS)
