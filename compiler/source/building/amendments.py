"""Build amendments of procedures: steps and procedures that are withdrawn, reordered, inserted, wrapped or replaced."""

from compiler.source.building.forms import form
from compiler.source.building.parts import Parts, cover, every, maybe_word, value_word, word
from compiler.source.nodes import Amend, AmendmentTarget, ProcedureName, StepSelector, Word

PLACE_OF_WORD = {"first": 1, "second": 2, "third": 3, "last": -1}


def _each_withdrawn(amend: Amend, parts: Parts) -> tuple[Amend, ...]:
    """Return an amendment for each step that is withdrawn."""
    targets = every(AmendmentTarget, parts)
    return tuple([Amend(cover((parts[0], target)), amend.verb, target) for target in targets])


withdraw_steps = form(Amend, '{verb:"withdraws"} {target:spot ","+}', finish=_each_withdrawn)
reorder = form(Amend, '{verb:"reorders"} {target:spot|whole} {order:"before"|"after"} {anchor:anchor}')
insert_steps = form(
    Amend, '{verb:"inserts"} {body:block} {order:"before"|"after"} {target:spot|inserted_at}', anchor=None
)
wrap = form(Amend, '{verb:"wraps"} {target:spot|whole} by {body:block}', order="", anchor=None)
replace_step = form(Amend, '{verb:"replaces"} {target:spot} by {body:block}', order="", anchor=None)
replace_until = form(
    Amend, "replaces until of {target:spot} by {value:expression}", verb="until", order="", anchor=None, body=()
)


# ---------------------------------------------------------------- where


def whole(parts: Parts) -> AmendmentTarget:
    """Build the target for a whole procedure or phase, with its expected hash."""
    (reference, layer), _, expecting = parts
    return AmendmentTarget(cover(parts), None, reference, layer, value_word(expecting))


def spot(parts: Parts) -> AmendmentTarget:
    """Build `step do pay of action march`, `the second do pay of action march expecting "1f3a9c20"`."""
    *place, step, _, (reference, layer), _, expecting = parts
    return AmendmentTarget(cover(parts), _placed(place, step), reference, layer, value_word(expecting))


def within(parts: Parts) -> tuple[ProcedureName, Word | None]:
    """Return the procedure and the layer that it belongs to."""
    reference, _, layer = parts if len(parts) == 3 else (parts[0], None, None)
    if isinstance(reference, ProcedureName):
        return reference, maybe_word(layer)
    return ProcedureName(reference.span, "sequence", word(reference)), None


def inserted_at(parts: Parts) -> AmendmentTarget:
    """Build the phase before or behind which steps are inserted, as a step of the sequence."""
    keyword, name = parts
    span = cover(parts)
    selector = StepSelector(span, keyword.text, word(name), None)
    return AmendmentTarget(span, selector, ProcedureName(span, "sequence", word(name)), None, None)


def anchor(parts: Parts) -> StepSelector:
    """Build the step before or behind which something is inserted; a bare name is that of a phase."""
    if len(parts) == 1:
        return StepSelector(parts[0].span, "phase", word(parts[0]), None)
    *place, step = parts
    return _placed(place, step)


def _placed(place: Parts, step: StepSelector) -> StepSelector:
    """Return a step with its ordinal among several equal steps: `the second`."""
    ordinal = place[1] if len(place) == 2 else None
    if ordinal is None:
        return step
    return StepSelector(cover([*place, step]), step.what, step.name, step.values, PLACE_OF_WORD[ordinal.text])
