"""The printed rules behind an answer, and the rulings that clarify them.

In: explanations. Out: `CitedRule`s, the deciding rules before those that they depend on; the rules that could have
forbidden what is allowed; and the rulings that clarify all of these. A house rule is replaced by the rules behind its
questions.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from compiler.layered.citations import HOUSE
from runtime.answer.explain import APPLIED, DEFEATED, FAILED, ExplainedClause, Explanation
from runtime.answer.explanation_text import why_inapplicable
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.verbs import rule_answer

# The most rules and rulings for one answer.
MOST_PRINTED_RULES, PUBLISHED = 6, 16
# The most rules that did not apply for one question.
SILENT = 2
# The depth of nested questions.
DEEPEST = 3
# Answers, and the verbs of rules that could have concluded the opposite.
YES, NO = ("allowed", "yes"), ("forbidden", "no")
# The part of a rule in an answer, most decisive first.
PART = {APPLIED: 0, DEFEATED: 1, FAILED: 2}
LAST = (9, 0)
# The ranks of a ruling about a rule that was evaluated, about one some of whose conditions hold, and of the others.
DECIDED, NEARLY, OTHER = range(3)


class CitedRule(NamedTuple):
    """A printed rule behind an answer: its label, its sentence, the conditions that hold, its paragraphs."""

    label: str
    prose: str
    values: str
    cites: tuple[str, ...]


class PublishedAnswer(NamedTuple):
    """A ruling: the question, the answer, its paragraphs; `is_decisive` if it concerns a rule that was evaluated."""

    question: str
    answer: str
    cites: tuple[str, ...]
    is_decisive: bool


class PrintedRules:
    """A finder of the printed rules behind explanations, for one graph."""

    def __init__(self, rules: graph.Graph) -> None:
        """Store the graph."""
        self.rules = rules

    def rules_behind(self, explanation: Explanation) -> tuple[CitedRule, ...]:
        """Return the printed rules that decided an answer, then those behind their questions, breadth first."""
        found: dict[str, CitedRule] = {}
        level = [explanation]
        for _ in range(DEEPEST):
            for each in level:
                for rule in self._deciding_rules(each):
                    found.setdefault(rule.label, rule)
            level = [below for each in level for below in self._called_questions(each)]
        return tuple(found.values())[:MOST_PRINTED_RULES]

    def obstacles(self, explanations: Sequence[Explanation]) -> tuple[tuple[CitedRule, ...], tuple[CitedRule, ...]]:
        """Return the printed rules that could have forbidden what some answers allow, with the reasons why they do not.

        The first tuple are those of which some condition holds, each with the rules behind the condition that fails;
        the second are the others.
        """
        near_rules: dict[str, CitedRule] = {}
        far_rules: dict[str, CitedRule] = {}
        for explanation in explanations:
            for each in explanation.clauses if explanation.answer in YES else ():
                if not self._is_silent(each, answer=False):
                    continue
                rule = _printed_rule(each, _failure_text(each))
                if len(each.reasons) < 2:
                    far_rules.setdefault(rule.label, rule)
                    continue
                near_rules.setdefault(rule.label, rule)
                for below in each.explanations:
                    for inner_rule in self.rules_behind(below):
                        near_rules.setdefault(inner_rule.label, inner_rule)
        return tuple(near_rules.values()), tuple(rule for label, rule in far_rules.items() if label not in near_rules)

    def published_answers(self, explanations: Sequence[Explanation]) -> tuple[PublishedAnswer, ...]:
        """Return the rulings about the rules that took part in some answers, those about deciding rules first."""
        part = self._parts(explanations)
        deciding_labels = {
            clause.label
            for explanation in explanations
            for below in self._deciding(explanation)
            for clause in below.clauses
        }
        ranks: dict[str, int] = {}
        for ruling in self.rules.rulings.values():
            looked_at = part.keys() & {*ruling.clarifies, *ruling.rules}
            if not looked_at:
                continue
            ranks[ruling.label] = OTHER
            if any(part[label][0] < PART[FAILED] for label in looked_at & deciding_labels):
                ranks[ruling.label] = DECIDED
            elif min(part[label] for label in looked_at)[1] < -1:  # Some condition of the rule holds.
                ranks[ruling.label] = NEARLY
        ordered = sorted(ranks, key=lambda label: (ranks[label], label))
        return tuple(
            PublishedAnswer(each.asks, each.answers, each.cites, ranks[each.label] == DECIDED)
            for each in map(self.rules.rulings.__getitem__, ordered[:PUBLISHED])
        )

    def _parts(self, explanations: Sequence[Explanation]) -> dict[str, tuple[int, int]]:
        """Return, for every evaluated rule, its most decisive part as (rank, minus the number of reasons)."""
        part: dict[str, tuple[int, int]] = {}
        level = [*explanations]
        while level:
            for each in level:
                for clause in each.clauses:
                    part[clause.label] = min(
                        part.get(clause.label, LAST), (PART.get(clause.status, 3), -len(clause.reasons))
                    )
            level = [below for each in level for below in each.called_questions()]
        return part

    def _deciding(self, explanation: Explanation) -> Iterator[Explanation]:
        """Yield an explanation and those below it that its answer depends on."""
        yield explanation
        for below in self._called_questions(explanation):
            yield from self._deciding(below)

    def _called_questions(self, explanation: Explanation) -> Iterator[Explanation]:
        """Yield the questions of the rules that decided an answer, or that could have concluded the opposite."""
        for clause in explanation.applied_rules():
            yield from clause.explanations
        yield from explanation.explanations
        if not explanation.default or explanation.answer not in (*YES, *NO):
            return
        for clause in explanation.clauses:
            if self._is_silent(clause, answer=explanation.answer in NO):
                yield from (below for below in clause.explanations if below.answer in NO)

    def _is_silent(self, clause: ExplainedClause, *, answer: bool) -> bool:
        """Return whether a printed rule that concludes an answer did not apply."""
        is_silent = clause.status == FAILED and _is_printed(clause)
        return is_silent and rule_answer(self.rules.rules[clause.label]) == answer

    def _deciding_rules(self, explanation: Explanation) -> Iterator[CitedRule]:
        """Yield the printed rules that decided an answer, the exceptions behind it, and the sources of a default."""
        matching_rules = _matching_rules(explanation)
        for clause in matching_rules:
            if _is_printed(clause):
                yield _printed_rule(clause, words.sentence("; ".join(clause.reasons)) if clause.reasons else "")
        yield from self._exceptions(explanation)
        yield from _defeaters(explanation)
        yield from _default_rule(explanation)
        if not matching_rules and explanation.answer in NO:
            silent = [clause for clause in explanation.clauses if self._is_silent(clause, answer=True)]
            yield from (_printed_rule(clause, _failure_text(clause)) for clause in _nearest_clauses(silent))

    def _exceptions(self, explanation: Explanation) -> Iterator[CitedRule]:
        """Yield the exceptions to the applied rules some of whose conditions hold, with why they do not apply."""
        applied_labels = {clause.label for clause in explanation.applied_rules() if clause.conclusion}
        failed = list[ExplainedClause]()
        for clause in explanation.clauses:
            is_near = clause.status == FAILED and len(clause.reasons) > 1 and _is_printed(clause)
            if is_near and applied_labels & {*self.rules.rules[clause.label].defeats}:
                failed.append(clause)
        yield from (_printed_rule(clause, _failure_text(clause)) for clause in _nearest_clauses(failed))


def _matching_rules(explanation: Explanation) -> Sequence[ExplainedClause]:
    """Return the rules that decided and conclude the answer; all that decided, if none concludes it."""
    deciding = [clause for clause in explanation.applied_rules() if clause.conclusion]
    return [clause for clause in deciding if clause.conclusion == explanation.answer] or deciding


def _defeaters(explanation: Explanation) -> Iterator[CitedRule]:
    """Yield the printed rules that defeat another printed one, with what would hold without them."""
    clauses = {clause.label: clause for clause in explanation.clauses if _is_printed(clause)}
    for clause in explanation.clauses:
        if clause.status == DEFEATED and _is_printed(clause):
            for label in clause.defeaters:
                if label in clauses:
                    yield _printed_rule(clauses[label], f"Without it: {clause.prose}")


def _default_rule(explanation: Explanation) -> Iterator[CitedRule]:
    """Yield what a printed default answers."""
    is_printed = explanation.default and set(explanation.default_cites) - {HOUSE}
    if not is_printed or explanation.answer not in (*YES, *NO):
        return
    sentence = explanation.sentence
    if explanation.form == "verdict" and explanation.answer in YES:
        sentence = words.sentence(f"{explanation.question} is {explanation.default}")
    yield CitedRule(explanation.term, sentence, "", explanation.default_cites)


def _nearest_clauses(silent: Sequence[ExplainedClause]) -> Sequence[ExplainedClause]:
    """Return the rules that did not apply with the most conditions that hold."""
    return sorted(silent, key=lambda each: -len(each.reasons))[:SILENT]


def _failure_text(clause: ExplainedClause) -> str:
    """Return a sentence that states why a rule does not apply."""
    return f"Not so here: {why_inapplicable(clause)}."


def _printed_rule(clause: ExplainedClause, values: str) -> CitedRule:
    return CitedRule(clause.label, words.sentence(clause.prose), values, clause.cites)


def _is_printed(clause: ExplainedClause) -> bool:
    """Return whether a rule has prose and cites a published document."""
    return bool(clause.prose) and bool(set(clause.cites) - {HOUSE})
