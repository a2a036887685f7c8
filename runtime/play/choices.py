"""Decisions: a side, a question, and a finite list of options in canonical order.

In: a playthrough at an offer or a choice. Out: the `Decision`. An action is offered if it can be completed legally, and
so is a candidate. A set is chosen by adding one member or stopping, members in canonical order, an order by its next
member; there are no other decisions (docs/language.md, 10).
"""

from collections.abc import Iterable

from runtime.graph import nodes as graph
from runtime.play.choice_point import ChoicePoint
from runtime.play.head_order import HeadAnalysis
from runtime.play.instructions import Instruction, Program
from runtime.play.offering import ActionHead, Offering
from runtime.play.option_evaluator import OptionEvaluator
from runtime.play.options import Decision
from runtime.play.playthrough import Names, Playthrough, ProcedureFrame
from runtime.play.search import CompletionSearch
from runtime.state.record import Value
from runtime.state.visibility import secret_types

Site = Offering | ChoicePoint


class Choices:
    """The enumerator of options, with the heads of all actions."""

    __slots__ = ("_sites", "evaluator", "head_analyses", "heads", "programs", "searches", "secret")

    def __init__(self, programs: dict[str, Program], evaluator: OptionEvaluator, rules: graph.Graph) -> None:
        """Prepare the head of every action for the search; secret records are offered to their own side only."""
        self.secret: frozenset[graph.Type | None] = frozenset(map(graph.RecordOf, secret_types(rules)))
        self.programs = programs
        self.evaluator = evaluator
        actions = {key: program for key, program in programs.items() if program.procedure.what == "action"}
        self.head_analyses = {key: HeadAnalysis(program, self.secret) for key, program in actions.items()}
        self.searches = {key: CompletionSearch(evaluator, head) for key, head in self.head_analyses.items()}
        self.heads = {
            program.procedure.name: ActionHead(program.procedure, self.searches[key])
            for key, program in actions.items()
        }
        self._sites: dict[tuple[str, int], Site] = {}

    def site(self, call: ProcedureFrame) -> Site:
        """Return the offer or choice at which a call is."""
        found = self._sites.get((call.key, call.offset))
        step = self.programs[call.key].code[call.offset]
        if found is None or found.step is not step:  # The programs of several examples share one key.
            found = self._sites[call.key, call.offset] = self._prepared(call, step)
        return found

    def _prepared(self, call: ProcedureFrame, step: Instruction) -> Site:
        if isinstance(step, graph.Offer):
            return Offering(step, self.heads, self.evaluator)
        assert isinstance(step, graph.Choose)
        program, search = self.programs[call.key], self.searches.get(call.key)
        is_secret = program.members[call.offset] in self.secret
        return ChoicePoint(step, program, call.offset, search, self.evaluator, is_secret=is_secret)

    def decision(self, playthrough: Playthrough, call: ProcedureFrame) -> Decision:
        """Return the decision at a call: open actions and the end of an offer, or the candidates of a choice."""
        site, state, names = self.site(call), playthrough.state, call.names
        side = site.side(state, names)
        options = tuple(site.candidates(state, names, side).iterate())
        return Decision(side, site.question, options, site.member)

    def bind_parameters(self, key: str, values: tuple[Value, ...], side: str) -> Names:
        """Bind the parameters of an action."""
        return self.heads[self.programs[key].procedure.name].bind_parameters(values, side)

    def visible_members(
        self, playthrough: Playthrough, call: ProcedureFrame, found: Iterable[Value]
    ) -> tuple[Value, ...]:
        """Return the members of the choice at a call without records that are secret to the deciding side."""
        site = self.site(call)
        assert isinstance(site, ChoicePoint)
        return site.visible_members(playthrough.state, site.side(playthrough.state, call.names), found)

    def allowed_sizes(self, playthrough: Playthrough, call: ProcedureFrame) -> range | None:
        """Return the admitted sizes of the choice at a call; None where they are not restricted."""
        site = self.site(call)
        assert isinstance(site, ChoicePoint)
        return site.allowed_sizes(playthrough.state, call.names)
