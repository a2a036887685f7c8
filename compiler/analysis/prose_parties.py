"""Sentences and laws about different hexes.

In: a rule. Out: the phrase of the sentence, and the law's form. A sentence with the verb of its question ("enters",
`{mover} may enter {to}`) is compared with the hexes that its law reads. Sentences are parsed as English.
"""

import re

from compiler.analysis.section_profiles import bare_word
from runtime.graph import nodes as graph
from runtime.graph.walk import walk

SPOKEN = re.compile(r"(\w{4,}) \{(\w+)\}")
WORD = re.compile(r"[a-z]+")


def other_parties(rule: graph.Rule, stack: graph.Graph) -> tuple[str, str] | None:
    """Compare the verb that a question applies to one hex with a law that reads only another one."""
    term = stack.terms.get(rule.terms[0]) if rule.terms else None
    if term is None:
        return None
    hexes = {each.name for each in term.parameters if isinstance(each.type, graph.Hex)}
    verb_matches = [found for found in SPOKEN.finditer(term.reads.lower()) if found[2] in hexes]
    if not verb_matches:
        return None
    read_hexes = hexes & {
        node.name for node in walk((rule.guard, rule.value, rule.names)) if isinstance(node, graph.Var)
    }
    words_by_stem = {bare_word(word): word for word in WORD.findall(rule.prose.lower())}
    for found in verb_matches:
        word, name = bare_word(found[1]), found[2]
        if read_hexes and name not in read_hexes and word in words_by_stem:
            return words_by_stem[word], f"{', '.join(sorted(read_hexes))} instead of {name}"
    return None
