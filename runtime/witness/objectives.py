"""What positions are looked for: a clash of two rules, a gap, an answer out of bounds, a rule that is live.

In: a graph and the labels of rules. Out: objectives for search.py. A position counts only if the reference
interpreter itself stops at it, with the clash or gap that was suspected and no other.
"""

from runtime.answer.answer import ClashError, GapError, OutsideError
from runtime.answer.expressions import Delayed
from runtime.answer.interpreter import bind
from runtime.graph import nodes as graph
from runtime.state.record import Value
from runtime.witness.aim import NO_ANSWER
from runtime.witness.mend import Mender
from runtime.witness.search import Objective, Scene
from runtime.witness.setting import Setting
from runtime.witness.wanted import Wanted


def overlap(rules: graph.Graph, term: str, labels: tuple[str, str]) -> Objective:
    """Look for a position on which two rules give different answers."""
    asked = rules.terms[term]
    one, other = (rules.rules[label] for label in labels)

    def grade(scene: Scene) -> float:
        both = [scene.aim.live(asked, rule, scene.arguments, want=True) for rule in (one, other)]
        differ = bool(_said(scene, asked, one) != _said(scene, asked, other))
        return 0.45 * sum(both) + 0.1 * differ

    def propose(mender: Mender, scene: Scene) -> Setting | None:
        rule = mender.chance.pick((one, other))
        given = delayed(scene)
        sleeping = [each for each in (one, other) if scene.aim.live(asked, each, scene.arguments, want=True) < 1.0]
        if not sleeping and rule.value is not None:
            # Both are live but agree: move what one of them says.
            said = _said(scene, asked, rule)
            return mender.push(rule.value, bind(asked, rule, given), Wanted("!=", said))
        return mender.live(asked, mender.chance.pick(sleeping or [rule]), given, want=True)

    def met(scene: Scene) -> bool:
        try:
            scene.aim.answers.ask(scene.state, term, scene.arguments)
        except ClashError as clash:
            return (clash.asked, clash.arguments) == (term, scene.arguments) and set(labels) <= set(clash.labels)
        except NO_ANSWER:
            return False
        return False

    return Objective(f"overlap {term} {' '.join(labels)}", asked, grade, propose, met)


def gap(rules: graph.Graph, term: str) -> Objective:
    """Look for a position on which no rule answers."""
    asked = rules.terms[term]
    speaking = [rule for label in asked.rules if (rule := rules.rules[label]).verb]

    def grade(scene: Scene) -> float:
        return sum(_silence(scene, asked, speaking)) / max(1, len(speaking))

    def propose(mender: Mender, scene: Scene) -> Setting | None:
        silence = _silence(scene, asked, speaking)
        talking = [rule for rule, grade in zip(speaking, silence, strict=True) if grade < 1.0]
        rule = mender.chance.pick_or_none(talking or speaking)
        # Now and then one that is silent already: the way out may lead through another chart row.
        if rule is None or mender.chance.once_in(8):
            rule = mender.chance.pick_or_none(speaking)
        return None if rule is None else mender.live(asked, rule, delayed(scene), want=False)

    def met(scene: Scene) -> bool:
        try:
            scene.aim.answers.ask(scene.state, term, scene.arguments)
        except GapError as found:
            return (found.asked, found.arguments) == (term, scene.arguments)
        except NO_ANSWER:
            return False
        return False

    return Objective(f"gap {term}", asked, grade, propose, met)


def outside(rules: graph.Graph, term: str, label: str) -> Objective:
    """Look for a position on which a rule answers with what its term does not declare."""
    asked, rule = rules.terms[term], rules.rules[label]
    low, high = (asked.type.low, asked.type.high) if isinstance(asked.type, graph.Number) else (None, None)
    beyond = [Wanted(op, end) for op, end in (("<", low), (">", high)) if end is not None]

    def grade(scene: Scene) -> float:
        said = _said(scene, asked, rule)
        out = any(wanted.admits(said) for wanted in beyond)
        return 0.5 * scene.aim.live(asked, rule, scene.arguments, want=True) + 0.5 * out

    def propose(mender: Mender, scene: Scene) -> Setting | None:
        given = delayed(scene)
        if rule.value is not None and mender.chance.once_in(2):
            return mender.push(rule.value, bind(asked, rule, given), mender.chance.pick(beyond))
        return mender.live(asked, rule, given, want=True)

    def met(scene: Scene) -> bool:
        try:
            scene.aim.answers.ask(scene.state, term, scene.arguments)
        except OutsideError as found:
            spoke = scene.aim.answers.live_rules(scene.state, asked, scene.arguments)
            return (found.asked, found.arguments) == (term, scene.arguments) and rule in spoke
        except NO_ANSWER:
            return False
        return False

    return Objective(f"outside {term} {label}", asked, grade, propose, met)


def live(rules: graph.Graph, term: str, label: str) -> Objective:
    """Look for a position on which a rule is live."""
    asked, rule = rules.terms[term], rules.rules[label]

    def grade(scene: Scene) -> float:
        return scene.aim.live(asked, rule, scene.arguments, want=True)

    def propose(mender: Mender, scene: Scene) -> Setting | None:
        return mender.live(asked, rule, delayed(scene), want=True)

    def met(scene: Scene) -> bool:
        try:
            return rule in scene.aim.answers.live_rules(scene.state, asked, scene.arguments)
        except NO_ANSWER:
            return False

    return Objective(f"live {term} {label}", asked, grade, propose, met)


def delayed(scene: Scene) -> tuple[Value, ...]:
    """Bind the arguments so that a mender can find its way back to them."""
    return tuple(Delayed(graph.Var(f"@{place}"), {f"@{place}": value}) for place, value in enumerate(scene.arguments))


def _said(scene: Scene, term: graph.Term, rule: graph.Rule) -> Value:
    return None if rule.value is None else scene.aim.value(rule.value, bind(term, rule, scene.arguments))


def _silence(scene: Scene, term: graph.Term, speaking: list[graph.Rule]) -> list[float]:
    return [scene.aim.live(term, rule, scene.arguments, want=False) for rule in speaking]
