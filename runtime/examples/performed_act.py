"""The execution of an `act` line of an example: the action is performed, or has to be refused.

In: the run of a case, and the line with its choices. Out: failures of the run, where the action is refused or taken
against expectation, for other reasons than expected, or where a stated choice is not asked for.
"""

from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from runtime.examples.acting_side import ambiguous_choice
from runtime.examples.expectations import unexpected_rule
from runtime.examples.reasons import Reasons, reasons_of
from runtime.examples.refusals import refusal_text, unspecified_choice
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.play.named_choice_use import ClosedAction, NamedChoiceUse
from runtime.play.nested_offers import perform_offered
from runtime.play.playthrough import Names, Playthrough
from runtime.play.refusal_parts import RefusalReason
from runtime.play.scripted_choices import ScriptedChoices

if TYPE_CHECKING:
    from runtime.examples.run import ExampleRun


class PerformedAct:
    """One `act` line, in the run of its case."""

    def __init__(self, playing: "ExampleRun", line: graph.Perform, chosen: ScriptedChoices) -> None:
        """Start before the action."""
        self.playing, self.line, self.chosen = playing, line, chosen
        self.machine = playing.machine_of_row()

    def perform(self, playthrough: Playthrough, names: Names) -> None:
        """Perform the action, or check that it is refused."""
        playing, line, chosen, choice_use = self.playing, self.line, self.chosen, NamedChoiceUse()
        refusals_by_choice: dict[str, graph.Refusal] = {}
        for refusal in line.refusals:
            if refusal.when is None or playing.answers.evaluate(playthrough.state, refusal.when, names):
                refusals_by_choice[refusal.choice] = refusal
        expected_refusal = refusals_by_choice.get("")
        if expected_refusal is not None:
            playthrough = playthrough.copy()  # What is to be refused changes nothing.
        act = partial(perform_offered, self.machine, action=line.action)
        playing.compute_chances(
            playthrough,
            lambda trial: act(trial, chosen=chosen.restarted_copy(), begun_actions=set(playing.begun_actions)),
        )
        refused = act(playthrough, chosen=chosen, begun_actions=playing.begun_actions, choice_use=choice_use)
        if refused is not None:
            self.check_refusal(playthrough, refused, expected_refusal)
        elif expected_refusal is None:
            self.check_choices(choice_use, refusals_by_choice)
        elif offered := choice_use.first_closed(chosen):  # In what it offers.
            self.compare_reasons(expected_refusal, offered)
        else:
            playing.fail(line.origin, f"`{line.action}` to be refused", "taken", "")

    def check_refusal(
        self, playthrough: Playthrough, refused: RefusalReason, expected_refusal: graph.Refusal | None
    ) -> None:
        """Report a refusal that was not expected, has other reasons, or is due to a choice that is not stated."""
        line, expected = self.line, f"`{self.line.action}` to be {'taken' if expected_refusal is None else 'refused'}"
        closed = ClosedAction(line.action, refused, refused.after or playthrough)
        if refused.unspecified:
            message = unspecified_choice(self.machine, playthrough.state, line.action, refused)
            self.playing.fail(line.origin, expected, message, "")
        elif expected_refusal is None:
            self.playing.fail(line.origin, expected, *self.explain_refusal(closed))
        else:
            self.compare_reasons(expected_refusal, closed)

    def check_choices(self, choice_use: NamedChoiceUse, refusals_by_choice: Mapping[str, graph.Refusal]) -> None:
        """Report choices that no procedure asked for, and expected refusals that did not occur."""
        # By the choices that nobody could make, as these actions were closed.
        closed_actions = {
            name: each for name, each in choice_use.closed_actions.items() if name not in choice_use.procedures_asking
        }
        expected_labels = {each.action for name, each in closed_actions.items() if name in refusals_by_choice}
        for name, stated_count in Counter(name for name, _ in self.line.choices).items():
            closed = closed_actions.get(name)
            if closed is None:
                self.check_chosen(name, stated_count, choice_use, is_refusal_expected=name in refusals_by_choice)
            elif name in refusals_by_choice:
                self.compare_reasons(refusals_by_choice[name], closed)
            elif closed.action not in expected_labels:
                reason, explained = self.explain_refusal(closed)
                expected = f"somebody to choose `{name}` while `{self.line.action}` goes on"
                actual = f"chosen in `{closed.action}`, which is {reason}"
                self.playing.fail(self.line.origin, expected, actual, explained)
            else:
                self.check_count(name, stated_count)
            if self.playing.failures:
                return

    def check_chosen(
        self, name: str, stated_count: int, choice_use: NamedChoiceUse, *, is_refusal_expected: bool
    ) -> None:
        """Report a choice that should have been refused, that nobody asked for, or that was asked for less often."""
        line, fail = self.line, partial(self.playing.fail, self.line.origin)
        procedures = choice_use.procedures_asking.get(name, ())
        if not procedures:
            fail(f"somebody to choose `{name}` while `{line.action}` goes on", "asked of nobody", "")
        elif is_refusal_expected:
            fail(f"`{name}` to be refused while `{line.action}` goes on", "chosen", "")
        elif len(procedures) > 1:
            fail(*ambiguous_choice(name, procedures), "")
        else:
            self.check_count(name, stated_count)

    def check_count(self, name: str, stated_count: int) -> None:
        """Report a choice that is stated several times and was asked for less often."""
        unused_count = self.chosen.count_unused(name)
        if unused_count and stated_count > 1:
            expected = f"`{name}` to be asked {words.times_text(stated_count)}"
            request_text = words.times_text(stated_count - unused_count)
            self.playing.fail(self.line.origin, expected, f"asked {request_text}", "")

    def compare_reasons(self, refusal: graph.Refusal, closed: ClosedAction) -> None:
        """Compare the reasons of a refusal with the expected ones."""
        playing, origin = self.playing, self.line.origin
        reasons = self.reasons_for(closed)
        wrong = unexpected_rule(refusal, reasons.deciding_names, reasons.applied, playing.rules)
        if wrong:
            playing.fail(origin, f"`{closed.action}` to be refused {wrong}", *self.explain_refusal(closed))

    def reasons_for(self, closed: ClosedAction) -> Reasons:
        """Return the reasons of a refusal."""
        answers = self.playing.answers
        return reasons_of(self.machine, closed.playthrough, answers, closed.action, self.chosen, closed.refused)

    def explain_refusal(self, closed: ClosedAction) -> tuple[str, str]:
        """Return the reason of a refusal as text, and the explanation of the question that decides it, if any."""
        reasons = self.reasons_for(closed)
        state = closed.playthrough.state
        reason, explained = refusal_text(self.playing.answers, self.machine, state, closed.action, closed.refused)
        if not reasons.rules and not reasons.words:  # The place of a refusal is no reason of it.
            return f"refused: {reason}", explained
        return f"refused by {words.list_text(reasons.best_reason)}: {reason}", explained
