"""Say in a few lines why something is not open."""

from collections.abc import Iterator, Sequence

from rulewright.table.looking import names_something
from rulewright.table.offering import told
from runtime.answer.paragraphs import text
from runtime.answer.saying import of_map
from runtime.graph import words
from runtime.play.course import Course
from runtime.play.game import Game
from runtime.play.refusal import Refusal, refusals
from runtime.players.player import as_seen

# Nobody reads more reasons than this; those that get furthest come first.
REASONS = 3


def why_not(game: Game, course: Course, asked: Sequence[str], side: str) -> Iterator[str]:
    """Explain the refusals that took most of what was asked; name the rules and their paragraphs.

    The rules look at everything, the reasons only at what the side knows: where nothing that it knows is in the
    way and the rules refuse all the same, there is nothing more to be said.
    """
    found = refusals(game, as_seen(game, course, side), asked)
    if not found:
        yield f"nothing here could take {' '.join(asked)}"
        return
    reach = found[0].taken
    best = [each for each in found if each.taken == reach]
    if not any(each.left for each in best) and any(not each.why for each in best):
        taken = {each.action for each in refusals(game, course, asked) if not each.why}
        if open_ := [each.action for each in best if not each.why and each.action in taken]:
            yield f"nothing is in its way: {words.listed([_doing(game, action) for action in open_])} is open"
        else:
            yield f"it is not open, and why is not for {side} to know"
        return
    if all(not each.why for each in best):
        rest = best[0].left[0]
        if not names_something(course.state, rest):
            yield of_map(course.state, f"{rest} is no hex, no piece and no action")
        else:
            doing = words.listed([_doing(game, each.action) for each in best])
            yield f"{words.sentence(doing).rstrip('.')}: {rest} cannot be chosen for that"
        return
    best = [each for each in best if each.why]
    if len(best) > 1 and all(" is no " in each.why for each in best):
        doing = words.listed([_doing(game, each.action) for each in best])
        yield f"{asked[min(reach, len(asked) - 1)]} cannot come first: {doing} ask for something else"
        return
    # A reason the rules give says more than that a hex is no piece; one of a choice that it may be for, still more.
    best = [each for each in best if each.explanation] or [each for each in best if " is no " not in each.why] or best
    fit = max(each.fit for each in best)
    for each in [each for each in best if each.fit == fit][:REASONS]:
        yield from _told(game, each)


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
