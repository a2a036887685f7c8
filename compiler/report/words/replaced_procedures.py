"""Sentences of problems with procedures that are replaced, amended or withdrawn."""

from compiler.layered.amendment_problems import AmendedTwice, CannotAmend, LeavesUnbound, NoSuchStep
from compiler.layered.problems import NothingToReplace, ReplacementDiffers, StillNeeded
from compiler.source.sentence import MOST_NAMES, Label, Sentence, did_you_mean, list_words, suggestion_text
from compiler.source.suggestions import nearest_names

AmendmentProblem = NoSuchStep | AmendedTwice | CannotAmend | LeavesUnbound
ReplacementProblem = NothingToReplace | ReplacementDiffers | StillNeeded | AmendmentProblem


def replacement_sentence(problem: ReplacementProblem) -> Sentence:
    """Explain why a procedure cannot replace another, be amended, or be withdrawn."""
    if isinstance(problem, AmendmentProblem):
        return _amending(problem)
    match problem:
        case NothingToReplace(span, name, layer, candidates, match_count, verb) if match_count:
            written = name if verb == "amend" else f"{verb}s {name}"
            message = f"`{name}` may be any of {match_count} procedures"
            advice = (
                f"several of them are in `{layer}`: replace each by its name, `as NAME`"
                if layer
                else f"say whose it is: `{written} of LAYER`, with one of {list_words(candidates)}"
            )
            return Sentence(message, (Label(span, "which one is meant cannot be told"),), advice, root=name)
        case NothingToReplace(span, name, _, (heading,), 0, "replace") if (
            heading and heading.split()[0] in PROCEDURE_KINDS
        ):
            message = f"`{heading.partition('(')[0]}` cannot stand in the place of `{name}`"
            advice = "a replacement has the name of what it replaces, as others call it by that name"
            return Sentence(message, (Label(span, "is called otherwise"),), advice, root=name)
        case NothingToReplace(span, name, _, candidates, _, verb):
            close = did_you_mean(nearest_names(name, candidates))
            advice = close or suggestion_text(
                name, candidates, "there are", "name a procedure of a layer that this one stands on"
            )
            return Sentence(f"there is no `{name}` below to {verb}", (Label(span, "named here"),), advice, root=name)
        case ReplacementDiffers(span, target, name, original, replacement):
            message = f"`{name}` is written `{original}` below, and its replacement `{replacement}`"
            labels: tuple[Label, ...] = (
                Label(span, "cannot stand in for it"),
                Label(target, "others come to this one"),
            )
            advice = f"write `{original}`; what is to be known besides can be asked for inside"
            return Sentence(message, labels, advice, root=name)
        case StillNeeded(span, target, name, place, who, is_conditional=True):
            labels = (Label(span, "left out here"), Label(place, "waits for it"), Label(target, f"`{name}`"))
            advice = (
                f"let it begin and end, and leave out what is done in it: `wraps {name} by {{ if .. {{ proceed }} }}`"
            )
            return Sentence(f"`{name}` is left out at times, and {who}", labels, advice, root=f"{name} {place}")
        case StillNeeded(span, target, name, place, who):
            labels = (Label(span, "withdrawn here"), Label(place, "still named"), Label(target, f"`{name}`"))
            advice = f"replace it instead (`replaces {name}`), or replace what names it as well"
            return Sentence(f"`{name}` is withdrawn, and {who}", labels, advice, root=f"{name} {place}")


def _amending(problem: AmendmentProblem) -> Sentence:
    """Explain why a rule cannot amend a procedure."""
    match problem:
        case NoSuchStep(span, step, within, _, matches, has_place) if matches and has_place:
            return Sentence(
                f"`{within}` has fewer steps `{step}` than that",
                (
                    Label(span, f"it has {len(matches)}"),
                    *(Label(each, f"number {number}") for number, each in enumerate(matches, 1)),
                ),
                f"write which of them it is, as `the first {step}`",
                root=f"{within} {step}",
            )
        case NoSuchStep(span, step, within, _, matches) if matches:
            return Sentence(
                f"`{step}` of `{within}` may be any of {len(matches)} steps",
                (
                    Label(span, "which one is meant cannot be told"),
                    *(Label(each, f"number {number}") for number, each in enumerate(matches, 1)),
                ),
                f"write what it is done with as well, or which one it is, in the place of `step`: `the first {step}`",
                root=f"{within} {step}",
            )
        case NoSuchStep(span, step, within, candidates):
            close = did_you_mean(nearest_names(step, candidates))
            message = f"`{within}` has no step `{step}`"
            advice = close or _steps_text(step, within, candidates)
            return Sentence(message, (Label(span, "named here"),), advice, root=f"{within} {step}")
        case AmendedTwice(span, other, part, target):
            message = f"`{part}` is changed by two rules, and nothing says how they go together"
            labels = (Label(span, "changed here"), Label(other, "and here"), Label(target, f"`{part}`"))
            advice = "make one rule of both; or, where they are of two layers, settle it in a layer that stands on both"
            return Sentence(message, labels, advice, root=f"changed {part}")
        case CannotAmend(span, target, message, advice):
            return Sentence(message, (Label(span, "changed here"), Label(target, "this")), advice)
        case LeavesUnbound(span, use, name, binding):
            binding_labels = () if binding is None else (Label(binding, f"`{name}` is given here"),)
            message = f"after this change `{name}` is used where nothing has given it yet"
            labels = (Label(span, "changed here"), Label(use, f"uses `{name}`"), *binding_labels)
            advice = f"keep what gives `{name}` before this step, outside of any `if`, or replace both"
            return Sentence(message, labels, advice, root=f"{name} {use}")


def _steps_text(step: str, within: str, candidates: tuple[str, ...]) -> str:
    """List the steps that begin with the same word; without one all, or the first ones."""
    if not candidates:
        return f"`{within}` has no steps that could be named"
    same_word = tuple(each for each in candidates if each.split()[0] == step.split(maxsplit=1)[0])
    return f"there are {list_words(same_word or candidates, 'and', MOST_NAMES)}"


PROCEDURE_KINDS = {"action", "reaction", "resolution", "after", "phase"}
