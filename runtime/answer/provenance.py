"""The provenance of a rule in an answer, where it is not the text of the question itself.

In: a rule as it holds in a term. Out: a phrase: a ruling, a reading, a replaced rule, a question beside which the term
stands.
"""

from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import is_adopted


def provenance_text(rules: graph.Graph, rule: graph.Rule, term: graph.Term) -> str:
    """Return the provenance of a rule; "" for the base text."""
    named = [("replaces {}", label) for verb, label in rule.relations if verb == "replaces"]
    if is_adopted(written := rules.rules[rule.label], term):
        named.append((f"a rule of {{}}, beside which {term.name} stands", written.terms[0]))
    if rule.ruling and rule.ruling != rule.label:
        named.append(("ruling {}", rule.ruling))
    if rule.reading:
        named.append(("reading {}, chosen in a dispute", rule.reading))
    headings = dict(heading for layer in rules.layers for heading in layer.headings) if named else {}
    return ", ".join(text.format(headings.get(label, label)) for text, label in named)
