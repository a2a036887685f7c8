"""Sentences of problems with layers, rulings and relations that conflict."""

from typing import assert_never

from compiler.layered.amendment_problems import AmendedTwice, CannotAmend, LeavesUnbound, NoSuchStep
from compiler.layered.problems import (
    CardsAlike,
    CaseRenamed,
    DuplicateLabel,
    DuplicateTable,
    EmptyTarget,
    ExampleElsewhere,
    ExceptionCycle,
    InsertedTwice,
    LayerCycle,
    LayersExclude,
    LeadsNowhere,
    LeavesOffNothing,
    NamesUpward,
    NoDefaultReading,
    NotAsExpected,
    NothingToReplace,
    PatchedTwice,
    PatchesNothing,
    Problem,
    ReadingChosenTwice,
    ReadingsAgree,
    ReadingsAlike,
    RemovedTarget,
    ReplacedTwice,
    ReplacementDiffers,
    StillNeeded,
    UnknownCell,
    UnknownLabel,
    UnknownLayer,
    UnknownReading,
    UnknownSource,
    WrongTarget,
)
from compiler.layered.title_problems import UnrelatedTitle
from compiler.report.diagnostic import Severity
from compiler.report.sentence import (
    FEW,
    Sentence,
    choice_text,
    counted_noun,
    did_you_mean,
    list_words,
    quoted,
    span_label,
    suggestion_text,
)
from compiler.report.words import equal_cards, replaced_procedures
from compiler.report.words.patches import missing_cell, taken_name
from compiler.report.words.required_layers import why_required
from compiler.source.suggestions import nearest_names


def sentence(problem: Problem) -> Sentence:
    """Format a problem of the layered stage as a sentence."""
    match problem:
        case (
            UnknownLayer() | LayerCycle() | LayersExclude() | LeavesOffNothing() | UnknownReading() | NoDefaultReading()
        ):
            return _stack(problem)
        case UnknownLabel() | NamesUpward() | RemovedTarget() | EmptyTarget() | WrongTarget() | ExceptionCycle():
            return _relation(problem)
        case DuplicateLabel() | CaseRenamed() | ReplacedTwice():
            return _label(problem)
        case NotAsExpected() | PatchedTwice() | PatchesNothing() | InsertedTwice() | DuplicateTable():
            return _collision(problem)
        case UnknownCell():
            return missing_cell(problem)
        case ExampleElsewhere(span, stack, layer):
            return Sentence(
                f"this example stands in `{layer}`, which is no part of `{stack}`",
                (span_label(span, "runs under this stack"),),
                f"name a stack with `{layer}` in it, or move the example",
            )
        case (
            NothingToReplace() | ReplacementDiffers() | StillNeeded() | NoSuchStep() | AmendedTwice() | CannotAmend()
            | LeavesUnbound()
        ):  # fmt: skip
            return replaced_procedures.sentence(problem)
        case CardsAlike() | ReadingsAgree() | ReadingsAlike() | ReadingChosenTwice():
            return equal_cards.sentence(problem)
        case UnrelatedTitle() | LeadsNowhere():
            return _manifest(problem)
        case UnknownSource(span, cite, missing, near_names, items) if items:
            has = f"`{missing}` has {counted_noun(items, 'item')} in `sources.yaml`"
            return Sentence(
                f"`{cite}` is not in the register of sources: {has}",
                (span_label(span, "cited here"),),
                f"{did_you_mean(near_names, 'cite another.')} If it has more, raise the number",
                root=f"source {missing}",
                names=(cite.partition(".")[0],),
            )
        case UnknownSource(span, cite, missing, near_names):
            part = "section" if "." in missing else "document"
            return Sentence(
                f"`{cite}` is not in the register of sources",
                (span_label(span, "cited here"),),
                f"did you mean {list_words(near_names)}? If not, list the {part} in `sources.yaml`"
                if near_names
                else "list the document and its section in `sources.yaml`",
                root=f"source {missing}",
                names=(cite.partition(".")[0],),
            )
        case _:
            assert_never(problem)


def _stack(
    problem: UnknownLayer | LayerCycle | LayersExclude | LeavesOffNothing | UnknownReading | NoDefaultReading,
) -> Sentence:
    """Explain why these layers make no stack."""
    match problem:
        case LeavesOffNothing():
            return why_required(problem)
        case UnknownLayer(span, name, candidates, is_incompatible=True):
            return Sentence(
                f"there is no layer `{name}`, so this keeps nothing apart",
                (span_label(span, "named here"),),
                did_you_mean(candidates),
                root=f"layer {name}",
                severity=Severity.WARNING,
            )
        case UnknownLayer(span, name, candidates):
            near_names = nearest_names(name, candidates)
            return Sentence(
                f"there is no layer `{name}`",
                (span_label(span, "named here"),),
                did_you_mean(near_names, f"the layers are {list_words(candidates, 'and', 12)}" if candidates else ""),
                root=f"layer {name}",
                names=(name,),
            )
        case LayerCycle(spans, names):
            listed = list_words(names, "and")
            return Sentence(
                f"the layers {listed} stand on each other in a circle" if names[1:] else f"{listed} stands on itself",
                tuple(span_label(span, "named here") for span in spans[:FEW]),
                "take one of these names away",
            )
        case LayersExclude(span, layer, other, below=True):
            return Sentence(
                f"`{layer}` stands on `{other}` and says that it does not go together with it",
                (span_label(span, f"named here, though `{layer}` cannot be without it"),),
                f"take `{other}` out of `not with`, or let `{layer}` stand on another layer",
                root=" ".join(sorted((layer, other))),
            )
        case LayersExclude(span, layer, other):
            return Sentence(
                f"`{layer}` does not go together with `{other}`",
                (span_label(span, f"`{layer}` says so here"),),
                f"leave out `{layer}` or `{other}`",
                root=" ".join(sorted((layer, other))),
            )
        case UnknownReading(span, dispute, "", candidates):
            return Sentence(
                f"there is no dispute `{dispute}`",
                (span_label(span, "its reading is chosen here"),),
                choice_text(nearest_names(dispute, candidates), candidates, "the disputes are"),
                root=f"dispute {dispute}",
            )
        case UnknownReading(span, dispute, reading, candidates):
            near_names = nearest_names(reading, candidates)
            return Sentence(
                f"`{reading}` is no reading of a dispute `{dispute}`",
                (span_label(span, "chosen here"),),
                choice_text(near_names, candidates, "what can be chosen is"),
            )
        case NoDefaultReading(span, dispute, is_single_reading=True):
            return Sentence(
                f"the dispute `{dispute}` has one reading only, and nothing to choose from",
                (span_label(span, "this dispute"),),
                "write the reading that it is held against, or make plain rules of it",
            )
        case NoDefaultReading(span, dispute, (first, second, *_)):
            return Sentence(
                f"the dispute `{dispute}` has more than one default reading",
                (span_label(second, "this says `default`"), span_label(first, "and so does this")),
                "leave `default` and its reason with the reading to follow, and take it from the others",
            )
        case NoDefaultReading(span, dispute):
            return Sentence(
                f"the dispute `{dispute}` needs exactly one default reading",
                (span_label(span, "this dispute"),),
                'write `default "why we follow it"` behind the label of the reading to follow',
            )
        case _:
            assert_never(problem)


def _relation(
    problem: UnknownLabel | NamesUpward | RemovedTarget | EmptyTarget | WrongTarget | ExceptionCycle,
) -> Sentence:
    """Explain why a relation between rules is invalid."""
    match problem:
        case UnknownLabel(span, _, name, candidates, labels_of_term):
            others = "the other rules on the same question are"
            advice = "a relation names a label of its own layer or of one below it"
            close = did_you_mean(nearest_names(name, candidates))
            return Sentence(
                f"there is no rule, ruling or case labeled `{name}`",
                (span_label(span, "named here"),),
                close or suggestion_text(name, labels_of_term, others, advice) or advice,
                root=f"label {name}",
                names=(name,),
            )
        case NamesUpward(span, name, target, layer, target_layer):
            return Sentence(
                f"`{layer}` does not stand on `{target_layer}`, so its rules cannot name `{name}`",
                (span_label(span, f"named in `{layer}`"), span_label(target, f"`{name}` belongs to `{target_layer}`")),
                f"put the rule into `{target_layer}`, or into a joint layer on both",
            )
        case RemovedTarget(span, name, target, remover, remover_label, below):
            parties = (
                span_label(remover, f"`{remover_label}` withdraws it"),
                span_label(span, f"names `{name}`"),
            )
            return Sentence(
                f"`{name}` is not in force: `{remover_label}` withdraws it",
                # A layer that withdraws a rule below it has to handle the rules that depend on it.
                (*(parties if below else reversed(parties)), span_label(target, f"`{name}`")),
                f"{'withdraw what names it as well' if below else 'drop one of the two'}, "
                f"or write an exception to `{name}` instead of withdrawing it",
                root=f"withdrawn {name}",
            )
        case EmptyTarget(span, name, target):
            return Sentence(
                f"`{name}` holds no rule that could be defeated here",
                (span_label(span, "aims at it"), span_label(target, f"`{name}`")),
                "name the rule that should fall silent",
            )
        case WrongTarget():
            return _wrong_target(problem)
        case ExceptionCycle((span,), (name,)):
            return Sentence(
                f"`{name}` cannot be related to itself",
                (span_label(span, "names its own rule"),),
                "name the rule that it changes, or delete the line",
            )
        case ExceptionCycle(spans, labels):
            circle = list_words(labels, "and")
            return Sentence(
                f"{circle} defeat each other in a circle",
                tuple(span_label(span, f"`{name}`") for span, name in zip(spans, labels, strict=False)),
                "decide which of them wins where both apply, and take back the other exception",
                root=" ".join(sorted(labels)),
            )
        case _:
            assert_never(problem)


def _wrong_target(problem: WrongTarget) -> Sentence:
    """Explain why a rule cannot defeat another."""
    if problem.verdict:
        return Sentence(
            f"`{problem.target_label}` adds nothing to a sum, min, max or set, so it cannot be suppressed",
            (
                span_label(problem.span, "suppressed here"),
                span_label(problem.target, f"says that `{problem.target_concludes_on}` {_saying(problem.verdict)}"),
            ),
            f"write `exception to {problem.target_label}`",
        )
    note = f"`{problem.label}` speaks on `{problem.concludes_on}`" if problem.concludes_on else "aims at it"
    about = f"`{problem.target_concludes_on}`" if problem.target_concludes_on else "no term"
    return Sentence(
        f"`{problem.label}` cannot defeat `{problem.target_label}`, which speaks on {about}",
        (span_label(problem.span, note), span_label(problem.target, f"`{problem.target_label}` speaks on {about}")),
        "name a rule of the same term; `suppresses` is for contributions to a sum, min, max or set",
        names=(problem.target_label,),
    )


def _saying(verb: str) -> str:
    return f"is {verb}" if verb in {"allowed", "forbidden"} else "is so much" if verb == "is" else verb


Collision = NotAsExpected | PatchedTwice | PatchesNothing | InsertedTwice | DuplicateTable


def _label(problem: DuplicateLabel | CaseRenamed | ReplacedTwice) -> Sentence:
    """Return the sentence for two laws with the same label, heading or place."""
    match problem:
        case DuplicateLabel(span, first, name):
            return Sentence(
                f"the label `{name}` is taken",
                (span_label(span, "again here"), span_label(first, "first used here")),
                "labels are unique in a stack: choose another, or write `replaces` if it should take the place",
                root=f"label {name}",
            )
        case CaseRenamed(span, first, name, heading, first_heading):
            return Sentence(
                f"the case `{name}` has two headings",
                (
                    span_label(span, f"here it is {quoted(heading)}"),
                    span_label(first, f"here it is {quoted(first_heading)}"),
                ),
                "leave title and number out where a case is only opened again, or choose another label",
                root=f"label {name}",
            )
        case ReplacedTwice(span, other, name, target):
            return Sentence(
                f"`{name}` is replaced or withdrawn twice",
                (span_label(span, "removed here"), span_label(other, "and here"), span_label(target, f"`{name}`")),
                "keep one, or settle it in a joint layer on both",
                root=f"removed {name}",
            )
        case _:
            assert_never(problem)


def _collision(problem: Collision) -> Sentence:
    """Return the sentence for two changes of the same place."""
    match problem:
        case NotAsExpected(span, target, part, expected, found):
            return Sentence(
                f"`{part}` is `{found}`, not `{expected}` as this change expects",
                (span_label(span, f"expects `{expected}`"), span_label(target, f"is `{found}`")),
                "what stands below has changed: look at it again, then write what is there now",
            )
        case PatchedTwice(span, other, part, is_same_layer=True):
            return Sentence(
                f"`{part}` is changed twice",
                (span_label(span, "changed here"), span_label(other, "and here")),
                "keep one of the two",
            )
        case PatchesNothing(span, target, part, "so"):
            return Sentence(
                f"this changes nothing: `{part}` does the same already",
                (span_label(span, "stands in for it"), span_label(target, "does the same")),
                "write what is to be done instead, or delete the replacement",
            )
        case PatchesNothing(span, target, part, "there already"):
            return Sentence(
                f"this changes nothing: `{part}` stands there already",
                (span_label(span, "put there"), span_label(target, "stands there")),
                "say where it is to stand, or delete the line",
            )
        case PatchesNothing(span, target, part, value):
            return Sentence(
                f"this changes nothing: `{part}` is `{value}` already",
                (span_label(span, "is to stand there"), span_label(target, "stands there")),
                "write what it should be, or delete the change",
            )
        case PatchedTwice(span, other, part):
            return Sentence(
                f"two loaded layers change `{part}`",
                (span_label(span, "changed here"), span_label(other, "and here")),
                "settle it in a joint layer on both",
            )
        case InsertedTwice(span, other, name, other_name, anchor):
            return Sentence(
                f"`{other_name}` and `{name}` are both inserted next to `{anchor}`, and nothing says which comes first",
                (span_label(span, "inserted here"), span_label(other, "and here")),
                "let one name the other as its neighbor; if their layers do not know each other,"
                " one of these may say `above: [OTHER]`",
            )
        case DuplicateTable():
            return taken_name(problem)
        case _:
            assert_never(problem)


def _manifest(problem: UnrelatedTitle | LeadsNowhere) -> Sentence:
    """Return the sentence for an entry of a manifest that refers to nothing."""
    match problem:
        case UnrelatedTitle(span, layer, title):
            return Sentence(
                f"the title `{title}` has no word of what the layer `{layer}` does",
                (span_label(span, "this title"),),
                "call it after what it does; or let a rule of it say in its sentence what the title means",
            )
        case LeadsNowhere(span, word, candidates):
            return Sentence(
                f"`see` leads to {quoted(word)}, which nothing speaks of",
                (span_label(span, "in no text of any layer"),),
                did_you_mean(candidates, "name a word of the rules, or leave the line out"),
            )
