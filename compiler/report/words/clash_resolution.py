"""Advice for a conflict of rules: by an exception, or by excluding a case, if no rule becomes dead by it."""

from compiler.analysis.parties import Party
from compiler.analysis.problems import RulesOverlap

# A condition longer than this is not quoted for an author to copy.
LONGEST = 100
MOST_RESOLUTIONS = 3  # the most resolutions that are reported


def resolution_advice(clash: RulesOverlap) -> str:
    """Return where a conflict can be resolved, and how: in rules that may refer to the others, or in a top layer."""
    rivals = (clash.right, *clash.others)
    if len(rivals) > 1:
        return _many(clash.left, rivals, clash.upper)
    pair = (clash.left, clash.right)
    if not clash.independent_labels and clash.left.origin.layer == clash.right.origin.layer:
        return "they speak in the same cases: correct the condition of one of them, or keep only one"
    resolutions = [
        resolution
        for rule, rival in (pair, pair[::-1])
        if rule.label in clash.upper
        for resolution in _resolutions(clash, rule, rival)
    ]
    resolutions.sort(key=lambda resolution: not resolution.startswith("write"))
    return "; or ".join(resolutions[:MOST_RESOLUTIONS]) if resolutions else _advice_for_layer_above(pair)


def _resolutions(clash: RulesOverlap, rule: Party, rival: Party) -> list[str]:
    """Return what can be written in one rule of a pair such that the other, or the rule itself, stays live."""
    guards = dict(clash.guards)
    found = []
    if rival.label in clash.independent_labels:
        silenced = ", ".join((rival.label, *(low for high, low in clash.exposed_rules if high == rival.label)))
        found.append(f"write `exception to {silenced}` in `{rule.label}`")
    elif rule.origin.layer != rival.origin.layer:
        found.append(f"write `replaces {rival.label}` in `{rule.label}`, as an exception would leave it no case")
    case = guards.get(rival.label, "")
    if case and rule.label in clash.independent_labels and len(case) <= LONGEST:
        joint = "and" if rule.label in guards else "when"
        found.append(f"leave its case out of `{rule.label}`: `{joint} not ({case})`")
    return found


def _many(rule: Party, rivals: tuple[Party, ...], upper: tuple[str, ...]) -> str:
    """Return the advice for one rule in conflict with several, where it may refer to all of them."""
    if rule.label in upper:
        named = ", ".join(party.label for party in rivals)
        return f"write `exception to {named}` in `{rule.label}`, or leave their cases out of it with `and not (..)`"
    return _advice_for_layer_above((rule, *rivals))


def _advice_for_layer_above(parties: tuple[Party, ...]) -> str:
    layers = ", ".join(sorted({party.origin.layer for party in parties}))
    return f"settle it in a layer above, `on: [{layers}]`, with a rule that is an exception to them"
