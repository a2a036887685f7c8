"""The log of the amendments applied to procedures, and the conflicts between them.

In: an amendment, the step that it changes, and the kind of the change. Out: whether it is compatible with the changes
of that step so far; a conflict is a problem. Layers that are based on each other have no conflicts.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from compiler.layered.findings.amendments import AmendedTwice
from compiler.source import nodes as source
from compiler.source.expression_text import equal_as_written
from compiler.source.finding import Finding
from compiler.source.span import Span
from runtime.graph.frozen_dataclass import frozen_dataclass

# The kinds of changes of a step, and which of them are compatible: a step may be moved and changed inside.
STEP_PLACE, GONE, AROUND, BODY, UNTIL, BEFORE, AFTER = "place", "gone", "around", "body", "until", "before", "after"
# Kinds that leave a procedure unchanged: it is moved, or something is inserted beside it.
AROUND_IT = frozenset((STEP_PLACE, BEFORE, AFTER))
MEET = {
    frozenset(pair)
    for pair in (
        (BEFORE, AFTER),
        *((inside, other) for inside in (BODY, UNTIL) for other in (STEP_PLACE, BEFORE, AFTER)),
    )
} | {frozenset((BODY, AROUND)), frozenset((UNTIL, AROUND)), frozenset((BODY, UNTIL))}


@frozen_dataclass
class Amendment:
    """An amendment, its rule, the layer of the rule, and the layers to which that may refer."""

    layer: str
    rule: source.Rule
    node: source.Amend
    reach: frozenset[str]
    below: frozenset[str]  # including those that its layer only declares to be above

    @property
    def span(self) -> Span:
        """Return the span of the amendment."""
        return self.node.span

    @property
    def condition(self) -> source.Expression | None:
        """Return the condition under which it holds."""
        return self.rule.guard


@frozen_dataclass
class AppliedAmendment:
    """An amendment applied to a step: the change, and its kind."""

    change: Amendment
    kind: str


@dataclass(slots=True)
class AmendmentLog:
    """The amendments applied so far: the steps that they changed, inserted and removed."""

    by_step: dict[Span, list[AppliedAmendment]] = field(default_factory=dict)
    targets: dict[Span, Any] = field(default_factory=dict)  # the node that each amendment changed, by its span
    by_procedure: dict[Span, list[AppliedAmendment]] = field(default_factory=dict)  # by procedure or phase
    inserting_layers: dict[Span, str] = field(default_factory=dict)  # the layers of steps that amendments brought
    removals: list[tuple[Span, source.Step, Amendment]] = field(default_factory=list)  # with the place of the procedure
    problems: list[Finding] = field(default_factory=list)

    def record_change(self, change: Amendment, step: Any, kind: str, name: str) -> bool:
        """Record a change of a step; return False, without a change, if it conflicts with one by another layer.

        What an unrelated layer changes in the same words counts once, and is no conflict.
        """
        others = [
            each
            for each in self.by_step.get(step.span, ())
            if frozenset((each.kind, kind)) not in MEET and not _is_compatible(change, kind, each)
        ]
        if kind == GONE:
            others += [
                each
                for part in source.nested_steps(source.steps_inside(step))
                for each in self.by_step.get(part.span, ())
            ]
        conflict = next((each for each in others if not _is_based_on(change, each, kind)), None)
        if conflict is not None:
            if not is_repetition(change, conflict.change):
                self.problems.append(AmendedTwice(change.span, conflict.change.span, name, step.span))
            return False
        self.by_step.setdefault(step.span, []).append(AppliedAmendment(change, kind))
        self.targets.setdefault(change.span, step)
        return True

    def conflict_inside(
        self, body: Iterable[source.Step], target: Span, reach: frozenset[str], ignored: frozenset[str] = frozenset()
    ) -> AppliedAmendment | None:
        """Return an amendment of a procedure, or of a step in it, by a layer on which another is not based.

        `ignored` are kinds of amendments of the whole procedure that do not count.
        """
        outer_amendments = (each for each in self.by_step.get(target, ()) if each.kind not in ignored)
        spans = [step.span for step in source.nested_steps(body)]
        inner = (each for span in spans for each in (*self.by_step.get(span, ()), *self.by_procedure.get(span, ())))
        found = (*outer_amendments, *self.by_procedure.get(target, ()), *inner)
        return next((each for each in found if each.change.layer not in reach), None)


def is_repetition(change: Amendment, other: Amendment) -> bool:
    """Return whether two unrelated layers amend in the same words, under the same condition."""
    if change.layer == other.layer or other.layer in change.reach or change.layer in other.reach:
        return False
    conditions = change.condition, other.condition
    is_same_condition = conditions == (None, None) or (None not in conditions and equal_as_written(*conditions))
    return is_same_condition and equal_as_written(change.node, other.node)


def _is_compatible(change: Amendment, kind: str, other: AppliedAmendment) -> bool:
    """Return whether two changes of one layer at a step are compatible, as one of them inserts beside it.

    What is inserted moves together with a step that is reordered, and is outside of any other change of it.
    """
    if change.layer != other.change.layer:
        return False
    if _inserts_beside(change, kind):
        return other.kind == STEP_PLACE
    return kind in (GONE, AROUND) and _inserts_beside(other.change, other.kind)


def _inserts_beside(change: Amendment, kind: str) -> bool:
    """Return whether a change inserts steps beside one, which is not the anchor of a step that moves there."""
    return kind in (BEFORE, AFTER) and change.node.anchor is None


def _is_based_on(change: Amendment, other: AppliedAmendment, kind: str) -> bool:
    """Return whether a layer is based on another that changed the same; for insertions `above` suffices."""
    known = change.below if kind == other.kind and kind in (BEFORE, AFTER) else change.reach
    return other.change.layer != change.layer and other.change.layer in known
