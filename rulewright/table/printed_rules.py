"""The printed rules behind an answer, and the official answers that speak of them.

In: explanations. Out: `Ground`s, those that gave the answer before those that these rest on; the rules that could have
forbidden what is allowed; and the rulings that clarify all of these. What only a house rule says is passed over for
what that asks.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from rulewright.table.preview_lines import HOUSE
from rulewright.table.related_rules import RULE, RULING, SMOOTHING
from runtime.answer.explain import APPLIED, DEFEATED, FAILED, ExplainedClause, Explanation
from runtime.answer.explanation_text import why_inapplicable
from runtime.graph import nodes as graph
from runtime.graph import words

# Rules that are shown behind one answer, and official answers about them.
GROUNDS, PUBLISHED = 6, 16
# Rules that did not speak, shown behind one question.
SILENT = 2
# Questions behind questions that are looked into.
DEEPEST = 3
# Answers, and the verbs of rules that could have given the contrary.
YES, NO = ("allowed", "yes"), ("forbidden", "no")
ALLOWING, FORBIDDING = ("allows", "holds"), ("forbids", "fails")
# What a rule had to do with an answer, the most first.
PART = {APPLIED: 0, DEFEATED: 1, FAILED: 2}
LAST = (9, 0)
# Rules and official answers that speak of a situation without a part in the answer.
SIMILAR = 10
# What it counts for an official answer that it is about a rule that had a say, or of which something holds; the one
# that speaks of the situation best counts 1 / SMOOTHING.
DECIDED, NEARLY = 0.07, 0.02


class Ground(NamedTuple):
    """A printed rule behind an answer: its label, its sentence, what holds here, its paragraphs."""

    label: str
    prose: str
    values: str
    cites: tuple[str, ...]


class PublishedAnswer(NamedTuple):
    """An official answer: the question, the answer, its paragraphs; `decides`: about a rule that had a say."""

    asks: str
    answers: str
    cites: tuple[str, ...]
    decides: bool


class Grounds:
    """Finds printed rules behind explanations under one set of rules."""

    def __init__(self, rules: graph.Graph) -> None:
        """Keep the rules."""
        self.rules = rules

    def printed_rules(self, explanation: Explanation) -> tuple[Ground, ...]:
        """List the printed rules that gave an answer, then those behind what they ask."""
        found: dict[str, Ground] = {}
        level = [explanation]
        for _ in range(DEEPEST):
            for each in level:
                for ground in self._own(each):
                    found.setdefault(ground.label, ground)
            level = [below for each in level for below in self._asked(each)]
        return tuple(found.values())[:GROUNDS]

    def obstacles(self, explanations: Sequence[Explanation]) -> tuple[tuple[Ground, ...], tuple[Ground, ...]]:
        """List the printed rules that could have forbidden what some answers allow, and why they do not.

        First those of which something holds, as they are about what was asked, each with the rules behind what fails
        in it; then the others.
        """
        near: dict[str, Ground] = {}
        far: dict[str, Ground] = {}
        for explanation in explanations:
            for each in explanation.clauses if explanation.answer in YES else ():
                if not self._is_silent(each, FORBIDDING):
                    continue
                ground = _ground(each, _not_so(each))
                if len(each.why) < 2:
                    far.setdefault(ground.label, ground)
                    continue
                near.setdefault(ground.label, ground)
                for below in each.explanations:
                    for behind in self.printed_rules(below):
                        near.setdefault(behind.label, behind)
        return tuple(near.values()), tuple(ground for label, ground in far.items() if label not in near)

    def published_answers(
        self, explanations: Sequence[Explanation], similar: Sequence[tuple[str, str]] = ()
    ) -> tuple[PublishedAnswer, ...]:
        """List the official answers about the rules that had a part in some answers, and those that speak of it best.

        `similar` are rules and rulings that speak of the situation, the best first (related_rules.py). Those come first
        that speak of it, and that are about a rule that had a say.
        """
        part = self._parts(explanations)
        had_a_say = {one.label for each in explanations for below in self._deciding(each) for one in below.clauses}
        spoken = [label for sort, label in similar if sort == RULING]
        worth = {label: 1 / (SMOOTHING + place) for place, label in enumerate(spoken)}
        about, decides = set(), set()
        for ruling in self.rules.rulings.values():
            if looked_at := part.keys() & {*ruling.clarifies, *ruling.rules}:
                about.add(ruling.label)
                nearest = min(part[label] for label in looked_at)
                if any(part[label][0] < PART[FAILED] for label in looked_at & had_a_say):
                    decides.add(ruling.label)
                    worth[ruling.label] = worth.get(ruling.label, 0.0) + DECIDED
                elif nearest[1] < -1:  # Something that the rule asks for holds.
                    worth[ruling.label] = worth.get(ruling.label, 0.0) + NEARLY
        ordered = sorted(about.union(spoken[:SIMILAR]), key=lambda label: (-worth.get(label, 0.0), label))
        return tuple(
            PublishedAnswer(each.asks, each.answers, each.cites, each.label in decides)
            for each in map(self.rules.rulings.__getitem__, ordered[:PUBLISHED])
        )

    def similar_rules(self, found: Sequence[tuple[str, str]], shown: Collection[str]) -> tuple[Ground, ...]:
        """List the printed rules that speak of the situation best, without those that are shown."""
        labels = [label for sort, label in found if sort == RULE][:SIMILAR]
        rules = [self.rules.rules[label] for label in labels if label not in shown]
        return tuple(Ground(each.label, words.sentence(each.prose), "", each.cites) for each in rules)

    def _parts(self, explanations: Sequence[Explanation]) -> dict[str, tuple[int, int]]:
        """Return for every rule that was evaluated its most decisive part, as (rank, minus the number of reasons)."""
        part: dict[str, tuple[int, int]] = {}
        level = [*explanations]
        while level:
            for each in level:
                for one in each.clauses:
                    part[one.label] = min(part.get(one.label, LAST), (PART.get(one.status, 3), -len(one.why)))
            level = [
                below
                for each in level
                for below in (*each.explanations, *(b for c in each.clauses for b in c.explanations))
            ]
        return part

    def _deciding(self, explanation: Explanation) -> Iterator[Explanation]:
        """List an explanation and those below it that its answer rests on."""
        yield explanation
        for below in self._asked(explanation):
            yield from self._deciding(below)

    def _asked(self, explanation: Explanation) -> Iterator[Explanation]:
        """List what was asked by the rules that gave an answer, or by those that could have given the contrary."""
        for each in explanation.applied_rules():
            yield from each.explanations
        yield from explanation.explanations
        if explanation.default and explanation.answer in NO:
            for each in explanation.clauses:
                if self._is_silent(each, ALLOWING):
                    yield from (below for below in each.explanations if below.answer in NO)
        if explanation.default and explanation.answer in YES:
            for each in explanation.clauses:
                if self._is_silent(each, FORBIDDING):
                    yield from (below for below in each.explanations if below.answer in NO)

    def _is_silent(self, clause: ExplainedClause, verbs: Sequence[str]) -> bool:
        """Return whether a printed rule with one of these verbs did not speak."""
        return clause.status == FAILED and _is_printed(clause) and self.rules.rules[clause.label].verb in verbs

    def _own(self, explanation: Explanation) -> Iterator[Ground]:
        """List the printed rules that gave an answer, the exceptions that made room for it, what a default rests on."""
        spoken = [each for each in explanation.applied_rules() if each.says]
        given = [each for each in spoken if each.says == explanation.answer] or spoken
        called = {each.label: each for each in explanation.clauses}
        for each in given:
            if _is_printed(each):
                yield _ground(each, words.sentence("; ".join(each.why)) if each.why else "")
        yield from self._exceptions(explanation)
        for each in explanation.clauses:
            if each.status == DEFEATED and _is_printed(each):
                yield from (_ground(called[label], f"Without it: {each.prose}") for label in each.by
                            if label in called and _is_printed(called[label]))  # fmt: skip
        if explanation.default and set(explanation.default_cites) - {HOUSE} and explanation.answer in (*YES, *NO):
            is_verdict = explanation.form == "verdict" and explanation.answer in YES
            told = words.sentence(
                f"{explanation.question} is {explanation.default}" if is_verdict else explanation.sentence
            )
            yield Ground(explanation.term, told, "", explanation.default_cites)
        if not given and explanation.answer in NO:
            silent = [each for each in explanation.clauses if self._is_silent(each, ALLOWING)]
            yield from (_ground(each, _not_so(each)) for each in _nearest(silent))

    def _exceptions(self, explanation: Explanation) -> Iterator[Ground]:
        """List the exceptions to what was said of which something holds, and why they do not apply."""
        spoken = {each.label for each in explanation.applied_rules() if each.says}
        failed = [
            each
            for each in explanation.clauses
            if each.status == FAILED
            and len(each.why) > 1
            and _is_printed(each)
            and spoken & {*self.rules.rules[each.label].defeats}
        ]
        yield from (_ground(each, _not_so(each)) for each in _nearest(failed))


def _nearest(silent: Sequence[ExplainedClause]) -> Sequence[ExplainedClause]:
    """Return the rules that did not speak of which most holds."""
    return sorted(silent, key=lambda each: -len(each.why))[:SILENT]


def _not_so(clause: ExplainedClause) -> str:
    """Explain why a rule does not speak."""
    return f"Not so here: {why_inapplicable(clause)}."


def _ground(clause: ExplainedClause, values: str) -> Ground:
    return Ground(clause.label, words.sentence(clause.prose), values, clause.cites)


def _is_printed(clause: ExplainedClause) -> bool:
    """Return whether a rule stands in a book, and says something."""
    return bool(clause.prose) and bool(set(clause.cites) - {HOUSE})
