"""Say in a few lines why something is not open.

In: a course at a decision, and words for what somebody would like to choose. Out: `WhyNot`, or its lines.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rulewright.table.looking import names_something
from rulewright.table.offering import told
from rulewright.table.sheet import HOUSE
from runtime.answer.explain import Explanation
from runtime.answer.paragraphs import text
from runtime.answer.saying import of_map
from runtime.graph import words
from runtime.play.course import Course
from runtime.play.game import Game
from runtime.play.refusal import refusals
from runtime.play.refusal_parts import Refusal
from runtime.players.player import as_seen

# Nobody reads more reasons than this; those that get furthest come first.
REASONS = 3
# What a rule says that refuses.
REFUSING = ("forbidden", "no")


class Ground(NamedTuple):
    """A printed rule behind a refusal: its sentence, what holds here, its paragraphs."""

    prose: str
    values: str
    cites: tuple[str, ...]


class WhyNot(NamedTuple):
    """Why something is not open: lines of text, the refusals that they tell, and the printed rules of the first."""

    lines: tuple[str, ...]
    refusals: tuple[Refusal, ...]

    @property
    def grounds(self) -> tuple[Ground, ...]:
        """List the printed rules that forbid what is told first."""
        explanation = next((each.explanation for each in self.refusals if each.explanation), None)
        return tuple(dict.fromkeys(_grounds(explanation)))[:REASONS] if explanation else ()


def why_not(game: Game, course: Course, asked: Sequence[str], side: str) -> Iterator[str]:
    """Explain the refusals that took most of what was asked; name the rules and their paragraphs."""
    yield from refused_because(game, course, asked, side).lines


def refused_because(game: Game, course: Course, asked: Sequence[str], side: str) -> WhyNot:
    """Explain the refusals that took most of what was asked.

    The rules look at everything, the reasons only at what the side knows: where nothing that it knows is in the
    way and the rules refuse all the same, there is nothing more to be said.
    """
    found = refusals(game, as_seen(game, course, side), asked)
    if not found:
        return _said(f"nothing here could take {' '.join(asked)}")
    reach = found[0].taken
    best = [each for each in found if each.taken == reach]
    if not any(each.left for each in best) and any(not each.why for each in best):
        taken = {each.action for each in refusals(game, course, asked) if not each.why}
        if open_ := [each.action for each in best if not each.why and each.action in taken]:
            return _said(f"nothing is in its way: {words.listed([_doing(game, action) for action in open_])} is open")
        return _said(f"it is not open, and why is not for {side} to know")
    if all(each.why and each.failing is None for each in best):
        # That there is nothing to choose says less than why the word before was not taken.
        nearly = [each for each in found if each.taken == reach - 1 and each.explanation and not each.left]
        best = nearly or best
    if all(not each.why for each in best):
        rest = best[0].left[0]
        if not names_something(course.state, rest):
            return _said(of_map(course.state, f"{rest} is no hex, no piece and no action"))
        doing = words.listed([_doing(game, each.action) for each in best])
        return _said(f"{words.sentence(doing).rstrip('.')}: {rest} cannot be chosen for that")
    best = [each for each in best if each.why]
    if len(best) > 1 and all(" is no " in each.why for each in best):
        doing = words.listed([_doing(game, each.action) for each in best])
        return _said(f"{asked[min(reach, len(asked) - 1)]} cannot come first: {doing} ask for something else")
    # A reason the rules give says more than that a hex is no piece; one of a choice that it may be for, still more.
    # What is out of reach for one action is explained, too, and says no more than that it is so for another.
    ruled = [each for each in best if each.explanation and each.failing]
    best = ruled or [each for each in best if " is no " not in each.why] or best
    fit = max(each.fit for each in best)
    shown = [each for each in best if each.fit == fit][:REASONS]
    return WhyNot(tuple(line for each in shown for line in _told(game, each)), tuple(shown))


def _said(line: str) -> WhyNot:
    return WhyNot((line,), ())


def _grounds(explanation: Explanation) -> Iterator[Ground]:
    """List the printed rules that gave an answer; where one is only plumbing, those behind what it asks."""
    applied = explanation.applied()
    for each in [each for each in applied if each.says in REFUSING] or applied:
        if each.prose and set(each.cites) - {HOUSE}:
            values = words.sentence("; ".join(each.why)) if each.why else ""
            yield Ground(words.sentence(each.prose), values, each.cites)
        else:
            for asked in each.asked:
                yield from _grounds(asked)
    for asked in explanation.asked:
        yield from _grounds(asked)


def _doing(game: Game, action: str) -> str:
    """Say what an action does."""
    procedure = game.programs.of.get(f"action:{action}")
    return told(procedure.procedure) if procedure else words.spaced(action)


def _told(game: Game, refusal: Refusal) -> Iterator[str]:
    """Tell one refusal."""
    if not refusal.action:
        yield words.sentence(refusal.why)
        return
    yield f"{words.sentence(_doing(game, refusal.action)).rstrip('.')}: {words.sentence(refusal.why)}"
    if refusal.explanation:
        reasons = text(refusal.explanation).split("\n\nNot so:")[0].splitlines()
        first = words.sentence(refusal.explanation.sentence)
        yield from (line for line in reasons if line != first or words.sentence(refusal.why) != first)
