"""Say in a few lines why something is not open."""

from collections.abc import Iterator, Sequence

from rulewright.table.offering import told
from runtime.answer.paragraphs import text
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
    if reach == len(asked) and any(not each.why for each in best):
        taken = {each.action for each in refusals(game, course, asked) if not each.why}
        if named := [each.action for each in best if not each.why and each.action in taken]:
            yield f"nothing is in its way: {words.listed(named)} is open"
        else:
            yield f"it is not open, and why is not for {side} to know"
        return
    if all(not each.why for each in best):
        yield f"{words.listed([each.action for each in best])} asks for nothing like {asked[reach]}"
        return
    best = [each for each in best if each.why]
    if len(best) > 1 and all(" is no " in each.why for each in best):
        yield f"{asked[reach]} cannot come first: {words.listed([each.action for each in best])} ask for something else"
        return
    # A reason the rules give says more than that a hex is no piece.
    best = [each for each in best if each.explanation] or [each for each in best if " is no " not in each.why] or best
    for each in best[:REASONS]:
        yield from _told(game, each)


def _told(game: Game, refusal: Refusal) -> Iterator[str]:
    """Tell one refusal."""
    procedure = game.programs.of.get(f"action:{refusal.action}")
    doing = told(procedure.procedure) if procedure else words.spaced(refusal.action)
    yield f"{refusal.action} ({doing}): {words.sentence(refusal.why)}"
    if refusal.explanation:
        reasons = text(refusal.explanation).split("\n\nNot so:")[0].splitlines()
        first = words.sentence(refusal.explanation.sentence)
        yield from (line for line in reasons if line != first or words.sentence(refusal.why) != first)
