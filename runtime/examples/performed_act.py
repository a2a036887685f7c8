"""The execution of an `act` line of an example: the action is performed, or has to be refused.

In: the run of a case, and the line with its choices. Out: failures of the run, where the action is refused or taken
against expectation, for other reasons than expected, or where a stated choice is not asked for.
"""

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
        refusals_by_choice = {
            each.choice: each
            for each in line.refusals
            if each.when is None or playing.answers.evaluate(playthrough.state, each.when, names)
        }
        if "" in refusals_by_choice:
            playthrough = playthrough.copy()  # What is to be refused changes nothing.
        act = partial(perform_offered, self.machine, action=line.action)
        playing.compute_chances(
            playthrough,
            lambda trial: act(trial, chosen=chosen.restarted_copy(), begun_actions=set(playing.begun_actions)),
        )
        refused = act(playthrough, chosen=chosen, begun_actions=playing.begun_actions, choice_use=choice_use)
        expected = f"`{line.action}` to be {'refused' if '' in refusals_by_choice else 'taken'}"
        closed = ClosedAction(line.action, refused, refused.after or playthrough) if refused is not None else None
        if refused is not None and refused.unspecified:
            message = unspecified_choice(self.machine, playthrough.state, line.action, refused)
            playing.fail(line.origin, expected, message, "")
        elif refused is None and "" in refusals_by_choice:
            if offered := choice_use.first_closed(chosen):  # In what it offers.
                self.compare_reasons(refusals_by_choice[""], offered)
            else:
                playing.fail(line.origin, expected, "taken", "")
        elif closed is None:
            self.check_choices(choice_use, refusals_by_choice)
        elif "" not in refusals_by_choice:
            playing.fail(line.origin, expected, *self.explain_refusal(closed))
        else:
            self.compare_reasons(refusals_by_choice[""], closed)

    def check_choices(self, choice_use: NamedChoiceUse, refusals_by_choice: Mapping[str, graph.Refusal]) -> None:
        """Report choices that no procedure asked for, and expected refusals that did not occur."""
        line, fail = self.line, partial(self.playing.fail, self.line.origin)
        closed = {
            choice_use.closed_actions[name].action
            for name in refusals_by_choice
            if name in choice_use.closed_actions and name not in choice_use.procedures_asking
        }
        for name in dict.fromkeys(name for name, _ in line.choices):
            closed_action = None if name in choice_use.procedures_asking else choice_use.closed_actions.get(name)
            expected = f"somebody to choose `{name}` while `{line.action}` goes on"
            stated_count = sum(each == name for each, _ in line.choices)
            if name in refusals_by_choice and closed_action is not None:
                self.compare_reasons(refusals_by_choice[name], closed_action)
            elif name in refusals_by_choice and name in choice_use.procedures_asking:
                fail(f"`{name}` to be refused while `{line.action}` goes on", "chosen", "")
            elif closed_action is not None and closed_action.action not in closed:
                reason, explained = self.explain_refusal(closed_action)
                fail(expected, f"chosen in `{closed_action.action}`, which is {reason}", explained)
            elif closed_action is None and name not in choice_use.procedures_asking:
                fail(expected, "asked of nobody", "")
            elif len(procedures := choice_use.procedures_asking.get(name, ())) > 1:
                fail(*ambiguous_choice(name, procedures), "")
            elif (left := self.chosen.count_unused(name)) and stated_count > 1:
                request_text = words.times_text(stated_count - left)
                fail(f"`{name}` to be asked {words.times_text(stated_count)}", f"asked {request_text}", "")
            if self.playing.failures:
                return

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
