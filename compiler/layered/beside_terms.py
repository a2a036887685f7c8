"""Terms that stand beside others: which stand beside which, and the exceptions that their authors name.

In: a catalog, and which rules are removed. Out: the declarations with their exceptions as labels of rules in force, and
problems. The terms themselves are checked with the types (typed/adoption.py).
"""

from collections.abc import Mapping

from compiler.layered import nodes as layered
from compiler.layered.catalog import Catalog
from compiler.layered.findings.labels import NamesUpward, UnknownLabel
from compiler.layered.findings.relations import SparesNothing
from compiler.source import nodes as source
from compiler.source.finding import Finding
from runtime.graph.closure import transitive_closure

DENYING = frozenset({"forbidden", "fails"})


def terms_beside(catalog: Catalog) -> dict[str, frozenset[str]]:
    """Return for each term that stands beside others all of those, transitively."""
    direct: dict[str, list[str]] = {}
    for part in catalog.kinds.get(source.StandsBeside, ()):
        direct.setdefault(part.node.term.text, []).append(part.node.other.name.text)
    return {
        name: frozenset(transitive_closure(others, lambda each: direct.get(each, [])))
        for name, others in direct.items()
    }


def resolve_exceptions(
    catalog: Catalog,
    rules: Mapping[str, layered.Rule],
    removed: Mapping[str, source.Word],
    reach: Mapping[str, frozenset[str]],
) -> tuple[tuple[layered.Beside, ...], list[Finding]]:
    """Return the declarations, each with its exceptions in force, and the exceptions that name nothing.

    `removed` maps the label of a removed rule to that of its remover, which may replace it.

    An exception to a rule that a layer out of the author's reach has removed is none in this stack, and no problem.
    """
    beside = terms_beside(catalog)
    found: list[layered.Beside] = []
    problems: list[Finding] = []
    for part in catalog.kinds.get(source.StandsBeside, ()):
        other = part.node.other.name.text
        terms = {other, *beside.get(other, ())}
        excepted: dict[str, None] = {}
        for word in part.node.excepted:
            labels = _rules_of_label(catalog, word, reach[part.layer], part.layer, problems)
            named = [_in_force(label, rules, removed) for label in labels]
            denying = [label for label in named if label in rules and _denies(rules[label], terms)]
            removing_layers = {catalog.rules[removed[label].text].layer for label in labels if label in removed}
            if labels and not denying and removing_layers <= reach[part.layer]:
                problems.append(SparesNothing(word.span, catalog.spans[word.text], word.text, other))
            excepted |= dict.fromkeys(denying)
        found.append(layered.Beside(part.layer, part.node, tuple(excepted)))
    return tuple(found), problems


def _denies(rule: layered.Rule, terms: set[str]) -> bool:
    """Return whether a rule is a prohibition of one of these terms."""
    return rule.concludes_on in terms and rule.node.conclusion is not None and rule.node.conclusion.verb in DENYING


def _in_force(label: str, rules: Mapping[str, layered.Rule], removed: Mapping[str, source.Word]) -> str:
    """Return the rule in force that replaces a rule, or the one that withdraws it."""
    visited = set()
    while label not in rules and label in removed and label not in visited:
        visited.add(label)
        label = removed[label].text
    return label


def _rules_of_label(
    catalog: Catalog, word: source.Word, reach: frozenset[str], layer: str, problems: list[Finding]
) -> list[str]:
    """Return the rules that a label denotes: one, or all of a case, ruling, reading or dispute."""
    if word.text in catalog.rules:
        target = catalog.rules[word.text]
        if target.layer in reach:
            return [word.text]
        problems.append(NamesUpward(word.span, word.text, catalog.spans[word.text], layer, target.layer))
    elif word.text in catalog.groups:
        return [*dict.fromkeys(catalog.groups[word.text])]
    else:
        problems.append(UnknownLabel(word.span, word.text, (*catalog.rules, *catalog.groups)))
    return []
