"""A sentence and a law that speak of different parties: of all or of some, of one hex or the other, of another rule.

In: a rule, and the rule written before it. Out: what is said, and how the law has it. "All of" a set beside a law that
is content with one of it; a sentence that says what its question says ("enters", `{mover} may enter {to}`) beside a law
that looks at the other hex and not at that one; and a half sentence that begins with "unless" or "except" and is an
exception to another rule than the one whose sentence it goes on with. Only what no shipped rule says otherwise is told.
"""

import re

from compiler.analysis.section_profiles import stem
from runtime.graph import nodes as graph
from runtime.graph.walk import walk

ALL_OF = re.compile(r"\b(?:all|each|every one) of\b")
ANY_OF = re.compile(r"\b(?:any|at least one|one or more) of\b")
GOES_ON = re.compile(r"(?:unless|except)\b[^,;.]*")
SPOKEN = re.compile(r"(\w{4,}) \{(\w+)\}")
WORD = re.compile(r"[a-z]+")
# Verbs of a law that grants or gives something: of a prohibition the words may mean the contrary.
GRANTS = {"allows", "holds", "offers", "is", "adds", "includes"}
QUANTIFIERS = {"some", "every", "none"}


def other_parties(rule: graph.Rule, before: graph.Rule | None, stack: graph.Graph) -> tuple[str, str] | None:
    """Give what the sentence says, and what the law has otherwise; None if that cannot be told."""
    return _quantified(rule) or _other_hex(rule, stack) or _goes_on(rule, before)


def _quantified(rule: graph.Rule) -> tuple[str, str] | None:
    """Compare "all of" with `some(..)`, and "any of" with `every(..)`."""
    said = rule.prose.lower()
    ops = {node.op for node in walk((rule.guard, rule.value, rule.names)) if isinstance(node, graph.Fold)} & QUANTIFIERS
    if rule.verb not in GRANTS or len(ops) != 1:
        return None
    for pattern, wrong in ((ALL_OF, "some"), (ANY_OF, "every")):
        if (found := pattern.search(said)) and wrong in ops:
            return found[0], f"{wrong}(..)"
    return None


def _other_hex(rule: graph.Rule, stack: graph.Graph) -> tuple[str, str] | None:
    """Compare the word that a question says of one hex with a law that asks of another one only."""
    term = stack.terms.get(rule.terms[0]) if rule.terms else None
    if term is None:
        return None
    hexes = {each.name for each in term.parameters if isinstance(each.type, graph.Hex)}
    asked = hexes & {node.name for node in walk((rule.guard, rule.value, rule.names)) if isinstance(node, graph.Var)}
    said = {stem(word): word for word in WORD.findall(rule.prose.lower())}
    for found in SPOKEN.finditer(term.reads.lower()):
        word, name = stem(found[1]), found[2]
        if name in hexes and asked and name not in asked and word in said:
            return said[word], f"{', '.join(sorted(asked))} instead of {name}"
    return None


def _goes_on(rule: graph.Rule, before: graph.Rule | None) -> tuple[str, str] | None:
    """Compare "unless .." with the rule that it is an exception to."""
    found = GOES_ON.match(rule.prose)
    if found is None or before is None or rule.verb or before.origin.file != rule.origin.file:
        return None
    if before.label in rule.defeats or not rule.defeats or not set(before.terms) & set(rule.terms):
        return None
    return found[0], f"exception to {', '.join(rule.defeats)}, and not to {before.label}"
