"""What is said of procedures that are replaced or withdrawn."""

from typing import assert_never

from compiler.layered.problems import NothingToReplace, ReplacementDiffers, StillNeeded
from compiler.report.sentence import Sentence, did_you_mean, label, listed, meant
from compiler.source.suggest import nearest


def say(problem: NothingToReplace | ReplacementDiffers | StillNeeded) -> Sentence:
    """Say why a procedure cannot take the place of another, or be taken away."""
    match problem:
        case NothingToReplace(span, what, layer, candidates, several) if several:
            return Sentence(
                f"`{what}` may be any of {several} procedures",
                (label(span, "which one is meant cannot be told"),),
                f"several of them are in `{layer}`: replace each by its name, `as NAME`"
                if layer
                else f"say whose it is: `replaces {what} of LAYER`, with one of {listed(candidates)}",
                root=what,
            )
        case NothingToReplace(span, what, _, (heading,), 0, "replace") if heading and heading.split()[0] in KINDS:
            return Sentence(
                f"`{heading.partition('(')[0]}` cannot stand in the place of `{what}`",
                (label(span, "is called otherwise"),),
                "a replacement has the name of what it replaces, as others call it by that name",
                root=what,
            )
        case NothingToReplace(span, what, _, candidates, _, verb):
            close = did_you_mean(nearest(what, candidates))
            return Sentence(
                f"there is no `{what}` below to {verb}",
                (label(span, "named here"),),
                close or meant(what, candidates, "there are", "name a procedure of a layer that this one stands on"),
                root=what,
            )
        case ReplacementDiffers(span, target, what, below, now):
            return Sentence(
                f"`{what}` is written `{below}` below, and its replacement `{now}`",
                (label(span, "cannot stand in for it"), label(target, "others come to this one")),
                f"write `{below}`; what is to be known besides can be asked for inside",
                root=what,
            )
        case StillNeeded(span, target, what, place, who):
            return Sentence(
                f"`{what}` is withdrawn, and {who}",
                (label(span, "withdrawn here"), label(place, "still named"), label(target, f"`{what}`")),
                f"replace it instead (`replaces {what}`), or replace what names it as well",
                root=f"{what} {place}",
            )
        case _:
            assert_never(problem)


KINDS = {"action", "reaction", "resolution", "after", "phase"}
