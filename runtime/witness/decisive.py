"""When a rule decides an answer: it is live, and nothing else would have given the same answer.

In: a rule of one graph. Out: needs, each with a grade and a proposal; when all are met the answer hangs on
the rule. For amounts and sets it is enough that the rule is live. A prohibition decides only where all
other prohibitions are silent (and somebody grants, where a grant is needed); an exception only where
one of its targets would apply.
"""

from collections.abc import Callable
from dataclasses import dataclass

from runtime.answer.flags import printed
from runtime.answer.interpreter import bind
from runtime.graph import nodes as graph
from runtime.witness import objectives
from runtime.witness.mend import Mender
from runtime.witness.search import Scene
from runtime.witness.setting import Setting


@dataclass(frozen=True, slots=True)
class Need:
    """One thing that must be so."""

    grade: Callable[[Scene], float]
    propose: Callable[[Mender, Scene], Setting | None]


def needs_of(rules: graph.Graph, term: graph.Term, rule: graph.Rule) -> list[Need]:
    """List what must be so for the rule to decide."""
    needs = [_live(term, rule, want=True)]
    if term.form == "flag" and rule.value is not None:
        needs.append(_printed(rules.vocabulary.flags[term.name], want=rule.value != graph.Truth(value=True)))
    if term.form not in {"verdict", "condition"}:
        return needs
    others = [other for label in term.rules if (other := rules.rules[label]) is not rule]
    targets = [other for other in others if other.label in rule.defeats and other.guard is not None]
    denials = [other for other in others if other.verb in {"forbids", "fails"} and other not in targets]
    grants = [other for other in others if other.verb in {"allows", "holds"}]
    needs += [_live(term, other, want=False) for other in denials]
    if targets:
        needs.append(_one_of([_guard(term, target) for target in targets]))
    if grants and not term.default and rule.verb not in {"allows", "holds"}:
        needs.append(_one_of([_live(term, other, want=True) for other in grants]))
    return needs


def silence(rules: graph.Graph, term: graph.Term) -> list[Need]:
    """List what must be so for no rule of a term to speak."""
    return [_live(term, rule, want=False) for label in term.rules if (rule := rules.rules[label]).verb]


def answer_of(rules: graph.Graph, term: graph.Term, rule: graph.Rule) -> bool | None:
    """Say which answer of a yes/no question a deciding rule gives: an exception the opposite of its targets'."""
    if term.form not in {"verdict", "condition"}:
        return None
    verbs = {rule.verb} - {""} or {rules.rules[label].verb for label in rule.defeats if label in term.rules}
    said = {verb in {"allows", "holds"} for verb in verbs}
    if len(said) != 1:
        return None
    return said.pop() == bool(rule.verb)


def grade(needs: list[Need], scene: Scene) -> float:
    """Say how far the needs are met; the first, the rule itself, counts as much as all others."""
    first, *rest = (need.grade(scene) for need in needs)
    return (first + sum(rest) / len(rest)) / 2 if rest else first


def propose(needs: list[Need], mender: Mender, scene: Scene) -> Setting | None:
    """Propose to meet a need that is not met, the rule itself before all others; None if all are."""
    first, *rest = needs
    if first.grade(scene) < 1.0 and not mender.chance.once_in(4):
        return first.propose(mender, scene)
    unmet = [need for need in rest if need.grade(scene) < 1.0]
    return mender.chance.pick(unmet).propose(mender, scene) if unmet else None


def _live(term: graph.Term, rule: graph.Rule, *, want: bool) -> Need:
    return Need(
        lambda scene: scene.aim.live(term, rule, scene.arguments, want=want),
        lambda mender, scene: mender.live(term, rule, objectives.delayed(scene), want=want),
    )


def _printed(flag: graph.Flag, *, want: bool) -> Need:
    """Have a flag printed or marked, or not: a rule that says the same of it changes nothing."""
    test = graph.Test(flag.what, flag.owner, flag.name)
    return Need(
        lambda scene: float(printed(scene.state, flag, scene.arguments[0]) == want),
        lambda mender, scene: mender.with_flag(scene.arguments[0], test, want=want),
    )


def _guard(term: graph.Term, rule: graph.Rule) -> Need:
    """Have the guard of a rule true, whether or not the rule is defeated."""
    guard = rule.guard or graph.Truth(value=True)
    return Need(
        lambda scene: scene.aim.grade(guard, bind(term, rule, scene.arguments), want=True),
        lambda mender, scene: mender.mend(guard, bind(term, rule, objectives.delayed(scene)), want=True),
    )


def _one_of(needs: list[Need]) -> Need:
    return Need(
        lambda scene: max(need.grade(scene) for need in needs),
        lambda mender, scene: mender.chance.pick(needs).propose(mender, scene),
    )
