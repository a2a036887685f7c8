"""Two answers of one question, none, or one outside its declaration: what suspects are once a position was sought.

`when` lists, as texts, the answers to questions under which a finding occurs. `witness` is a position on which the
interpreter fails: then the finding is an error. Without one it is a warning, and `bound` is the extent of the search.
"""

from compiler.analysis.condition_texts import witness_and_severity
from compiler.analysis.parties import Party, party_label
from compiler.source.finding import Finding, finding
from compiler.source.sentence import Sentence
from runtime.graph.witness_position import WitnessPosition

_MOST_RESOLUTIONS = 3  # the most resolutions that are reported

# A condition longer than this is not quoted for an author to copy.
_LONGEST_QUOTED_CONDITION = 100


@finding("R0312", "overlap")
class RulesOverlap(Finding):
    """Two rules, neither defeating the other, conclude different answers.

    `others` conflict with `left` in the same way. `upper` lists the rules whose layers may mention all the others: in
    one of them the conflict can be resolved. `unexamined_count` is the number of pairs of rules of the term that were
    not examined. `independent_labels` lists those of the two that are also live where the other is not; `guards` has
    their guards. `exposed_rules` lists, by the label of one of them, rules that it defeats and that would conflict with
    the other one if that defeated it.
    """

    term: str
    left: Party
    right: Party
    when: tuple[str, ...]
    witness: WitnessPosition | None
    bound: str
    upper: tuple[str, ...]
    others: tuple[Party, ...] = ()
    unexamined_count: int = 0
    independent_labels: tuple[str, ...] = ()
    guards: tuple[tuple[str, str], ...] = ()
    exposed_rules: tuple[tuple[str, str], ...] = ()

    def sentence(self) -> Sentence:
        witness, severity = witness_and_severity(self.when, self.witness, self.bound)
        if not self.others:
            return Sentence(
                f"two rules give different answers to `{self.term}`{_unexamined_pairs_text(self.unexamined_count)}",
                (party_label(self.left), party_label(self.right)),
                _resolution_advice(self),
                witness,
                root=" ".join((self.term, *sorted((self.left.label, self.right.label)))),
                severity=severity,
            )
        rivals = (self.right, *self.others)
        message = (
            f"`{self.left.label}` and {len(rivals)} other rules give different answers to `{self.term}`"
            + _unexamined_pairs_text(self.unexamined_count)
        )
        labels = (party_label(self.left), *(party_label(party) for party in rivals))
        advice = _resolution_advice(self)
        return Sentence(
            message, labels, advice, witness, root=" ".join((self.term, self.left.label)), severity=severity
        )


@finding("R0501", "gap")
class TermGap(Finding):
    """No rule is live for a term without an `otherwise`."""

    term: Party
    rules: tuple[Party, ...]
    when: tuple[str, ...]
    witness: WitnessPosition | None
    bound: str

    def sentence(self) -> Sentence:
        witness, severity = witness_and_severity(self.when, self.witness, self.bound)
        nearest_rules = [
            rule for rule in self.rules[:1] if self.witness is not None and rule.label == self.witness.nearest
        ]
        nearest = [party_label(rule, "the closest rule") for rule in nearest_rules]
        message = f"no rule answers `{self.term.label}` in some cases"
        labels = (
            *nearest,
            party_label(self.term, "the question"),
            *map(party_label, self.rules[len(nearest_rules) : 3]),
        )
        advice = "add a rule for these cases, or write `otherwise ..` in the question"
        return Sentence(message, labels, advice, witness, root=self.term.label, severity=severity)


@finding("R0519", "rule-outside")
class RuleOutside(Finding):
    """A rule concludes a number outside the declared range of its term; `domain` is that range, "0..3 MP".

    `cells` are those with such a number in the chart that the rule looks its answer up in.
    """

    term: Party
    rule: Party
    domain: str
    when: tuple[str, ...]
    witness: WitnessPosition
    cells: tuple[Party, ...]

    def sentence(self) -> Sentence:
        witness, severity = witness_and_severity(self.when, self.witness, "")
        message = f"`{self.rule.label}` answers `{self.term.label}` with a number outside {self.domain}"
        labels = (
            party_label(self.rule),
            *map(party_label, self.cells[:3]),
            party_label(self.term, f"declared as {self.domain}"),
        )
        advice = f"correct the {'cell' if self.cells else 'rule'}, limit its answer, or declare a wider range"
        return Sentence(message, labels, advice, witness, severity=severity)


def _unexamined_pairs_text(pairs: int) -> str:
    """Return the part of a sentence that states how many pairs of rules were not examined."""
    return f" ({pairs:,} more pairs of rules were not examined)" if pairs else ""


def _resolution_advice(clash: RulesOverlap) -> str:
    """Return where a conflict can be resolved, and how: in rules that may refer to the others, or in a top layer."""
    rivals = (clash.right, *clash.others)
    if len(rivals) > 1:
        return _advice_for_many(clash.left, rivals, clash.upper)
    pair = (clash.left, clash.right)
    if not clash.independent_labels and clash.left.origin.layer == clash.right.origin.layer:
        return "correct the condition of one of them, or delete one, as both apply in the same cases"
    resolutions = [
        resolution
        for rule, rival in (pair, pair[::-1])
        if rule.label in clash.upper
        for resolution in _resolutions(clash, rule, rival)
    ]
    resolutions.sort(key=lambda resolution: not resolution.startswith("write"))
    return ", or ".join(resolutions[:_MOST_RESOLUTIONS]) if resolutions else _advice_for_layer_above(pair)


def _resolutions(clash: RulesOverlap, rule: Party, rival: Party) -> list[str]:
    """Return what can be written in one rule of a pair such that the other, or the rule itself, stays live."""
    guards = dict(clash.guards)
    found = []
    if rival.label in clash.independent_labels:
        silenced = ", ".join((rival.label, *(low for high, low in clash.exposed_rules if high == rival.label)))
        found.append(f"write `exception to {silenced}` in `{rule.label}`")
    elif rule.origin.layer != rival.origin.layer:
        found.append(f"write `replaces {rival.label}` in `{rule.label}`")
    case = guards.get(rival.label, "")
    if case and rule.label in clash.independent_labels and len(case) <= _LONGEST_QUOTED_CONDITION:
        joint = "and" if rule.label in guards else "when"
        found.append(f"exclude its cases from `{rule.label}`, with `{joint} not ({case})`")
    return found


def _advice_for_many(rule: Party, rivals: tuple[Party, ...], upper: tuple[str, ...]) -> str:
    """Return the advice for one rule in conflict with several, where it may refer to all of them."""
    if rule.label in upper:
        named = ", ".join(party.label for party in rivals)
        return f"write `exception to {named}` in `{rule.label}`, or exclude their cases from it, with `and not (..)`"
    return _advice_for_layer_above((rule, *rivals))


def _advice_for_layer_above(parties: tuple[Party, ...]) -> str:
    layers = ", ".join(sorted({party.origin.layer for party in parties}))
    return f"write a rule that is an exception to them in a layer `on: [{layers}]`"
