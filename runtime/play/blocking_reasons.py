"""The reasons that block a condition or a choice: the first failing conjunct, and what excludes a value from a set.

In: a condition or a choice of an action, and the values bound so far. Out: a `BlockingReason` as text, with the
explanation of the question that decides it; names and questions that denote a set are expanded.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import takewhile

from runtime.answer.conditions import failing_clause
from runtime.answer.explain import Explainer, Explanation
from runtime.answer.failing_parts import counterexample, tests_fixed_property
from runtime.answer.interpreter import Interpreter
from runtime.answer.single_expressions import sole_expression
from runtime.answer.value_text import value_text
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.graph.conjuncts import conjuncts
from runtime.graph.free_names import variables_in
from runtime.graph.predeclared_types import SIDE, member_of
from runtime.graph.type_of import type_of
from runtime.graph.walk import nodes_of
from runtime.graph.wording import Wording
from runtime.graph.words import article, choice_words
from runtime.graph.words import kinds as kinds_text
from runtime.play.choice_mismatch import explain_mismatch
from runtime.play.choice_subsets import allowed_sizes
from runtime.play.machine import Machine
from runtime.play.playthrough import Names
from runtime.play.refusal_parts import ActionRefusal, BlockingReason, FailedCondition
from runtime.play.word_binding import ChoiceBinding, values_named
from runtime.state.position import GONE, State
from runtime.state.record import Value

# The most members of an empty choice of which is told why they are excluded.
MOST_TRIED_MEMBERS = 24


class BlockingReasons:
    """The search of the reason why a condition fails or a value is no candidate, in one position."""

    def __init__(self, game: Machine, state: State, *, explains: bool = True) -> None:
        """Store the position; `explains`: reasons have the explanations of the questions in them."""
        self.game, self.explains = game, explains
        self.state = state
        self.evaluate = game.evaluator.evaluate

    def find_failure(self, binding: ChoiceBinding, condition: graph.Expr | None) -> BlockingReason | None:
        """Return the first failing conjunct of a condition, with the question in it.

        `after` is 1 if an earlier conjunct holds: the named value is then of the right kind.
        """
        for index, part in enumerate(conjuncts(condition)):
            if not self.evaluate(self.state, part, binding.names):
                return self.reason_of_part(binding, part)._replace(after=int(index > 0))
        return None

    def reason_of_part(self, binding: ChoiceBinding, part: graph.Expr) -> BlockingReason:
        """Return a failing conjunct, with the question in it, as a reason."""
        if found := self.find_counterexample(binding, part):
            return found
        failing = FailedCondition(part, dict(binding.names), self.bound_types(binding))
        question = next((e for e in nodes_of(graph.Ask, part) if graph.FROM not in e.arguments), None)
        explanation = self.explain_question(binding, question) if question and self.explains else None
        if explanation and part == question:
            return BlockingReason(explanation.sentence, explanation, 0, failing, by_rules=True)
        return BlockingReason(self.condition_clause(binding, part), explanation, 0, failing)

    def failing_conditions(self, refusal: ActionRefusal) -> Iterator[BlockingReason]:
        """Yield the conditions that fail with the words of a refusal, up to one without which others mean nothing.

        Conditions on what no word names are left out; all are, if the action takes a word nowhere.
        """
        for reason in self.failures_of_head(refusal.binding) if refusal.binding and not refusal.unused_words else ():
            yield reason
            if reason.failing is None or tests_fixed_property(
                self.game.graph, reason.failing.condition, reason.failing.types
            ):
                return

    def failures_of_head(self, binding: ChoiceBinding) -> Iterator[BlockingReason]:
        """Yield the failing conditions of an action's head and of its named choices, in order."""
        program = binding.program
        steps = [*enumerate(program.steps)][binding.offset : max(program.head_length, binding.offset + 1)]
        bound = {step.name for _, step in steps if isinstance(step, graph.Choose | graph.Let)}
        binding = replace(binding, names={name: each for name, each in binding.names.items() if name not in bound})
        for offset, step in steps:
            with suppress(KeyError, Unanswered):
                match step:
                    case graph.Let(name, value):
                        binding.names[name] = self.evaluate(self.state, value, binding.names)
                    case graph.Legal(condition):
                        yield from self.failures_of_condition(binding, condition)
                    case graph.Choose(name=name) if word := binding.words.get(offset):
                        found = values_named(self.state, program.members[offset], word)
                        if len(found) != 1:
                            continue
                        failures = [*self.failures_of_member(binding, step, found[0])]
                        yield from failures
                        # What a set comes to is no matter while a member may not be in it.
                        if not (step.how and failures):
                            binding.names[name] = (found[0],) if step.how else found[0]

    def failures_of_condition(self, binding: ChoiceBinding, condition: graph.Expr | None) -> Iterator[BlockingReason]:
        """Yield the failing conjuncts of a condition that have an answer."""
        for part in conjuncts(condition):
            with suppress(KeyError, Unanswered):
                if not self.evaluate(self.state, part, binding.names):
                    yield self.reason_of_part(binding, part)

    def failures_of_member(self, binding: ChoiceBinding, step: graph.Choose, value: Value) -> Iterator[BlockingReason]:
        """Yield the failing conditions of the filter of a choice for a value, or what else excludes it."""
        if filtered := self.filter_of(binding, step, value):
            yield from self.failures_of_condition(*filtered)
        elif found := self.find_exclusion(binding, step, value):
            yield found

    def find_counterexample(self, binding: ChoiceBinding, condition: graph.Expr) -> BlockingReason | None:
        """Return the failing conjunct of an `every` for the first member that it fails for; None without one."""
        instance = counterexample(condition, partial(self.evaluate, self.state), binding.names)
        if instance is None or not isinstance(condition, graph.Fold):
            return None
        types = self.bound_types(binding)
        types[condition.var] = member_of(type_of(condition.source, types, self.game.graph))
        return self.find_failure(replace(binding, names=instance[1], types=types), instance[0])

    def find_exclusion(self, binding: ChoiceBinding, step: graph.Choose, value: Value) -> BlockingReason | None:
        """Return why a value is no member of a choice's source, expanding names and questions that denote a set."""
        if value in self.evaluate(self.state, step.source, binding.names):
            return None
        if filtered := self.filter_of(binding, step, value):
            return self.find_failure(*filtered)
        refusals = (self.find_failure(*each) for each in self.images_of(binding, step, value) if self.explains)
        if found := next((each for each in refusals if each and each.explanation), None):
            return found
        type_ = binding.program.members[binding.program.steps.index(step)]
        inner_binding, source = self.expanded_source(binding, step.source)
        if isinstance(source, graph.Fold) and source.op == "gather" and source.body is None:
            source = source.source
        value_phrase = value_text(self.state, value, type_) if type_ else str(value)
        pieces = [value] if isinstance(type_, graph.Piece) else []
        if isinstance(type_, graph.Hex) and not self.evaluate(self.state, source, inner_binding.names):
            # What is beside a piece off the map is nowhere.
            types, read_names = self.bound_types(inner_binding), variables_in(source)
            read_pieces = (name for name, each in types.items() if isinstance(each, graph.Piece) and name in read_names)
            pieces = [inner_binding.names[name] for name in read_pieces]
        for piece in pieces:
            if self.state.hex[piece] < 0:
                absent = "gone" if self.state.hex[piece] == GONE else "not on the map"
                return BlockingReason(f"{self.state.sheets[piece].name} is {absent}", None, 0)
        wording = self.wording_of(inner_binding)
        plain = _absence_text(value_phrase, source, wording)
        if not self.explains:
            return BlockingReason(plain, None, 0)  # What keeps it out costs a search, and nobody reads it.
        reason, explanation = self.make_explainer().explain_absence(
            self.state, inner_binding.names, wording, value, source
        )
        return BlockingReason(f"{value_phrase}: {reason}" if reason else plain, explanation, 0)

    def filter_of(
        self, binding: ChoiceBinding, step: graph.Choose, value: Value
    ) -> tuple[ChoiceBinding, graph.Expr | None] | None:
        """Return the filter of a choice's source, with the value as a bound name; None where it is not reached."""
        inner_binding, source = self.expanded_source(binding, step.source)
        match source:
            case graph.Fold("gather", var, among, condition, None):
                if value not in self.evaluate(self.state, among, inner_binding.names):
                    return None
                type_ = binding.program.members[binding.program.steps.index(step)]
                types = inner_binding.types
                types = {**types, var: type_} if types is not None and type_ is not None else None
                return replace(inner_binding, names={**inner_binding.names, var: value}, types=types), condition
            case _:
                return None

    def images_of(
        self, binding: ChoiceBinding, step: graph.Choose, value: Value
    ) -> Iterator[tuple[ChoiceBinding, graph.Expr | None]]:
        """Yield the filter of a choice's source for each record that gives the value: the hex of a marker."""
        inner_binding, source = self.expanded_source(binding, step.source)
        match source:
            case graph.Fold("gather", var, among, condition, body) if body is not None:
                types = self.bound_types(inner_binding)
                types[var] = member_of(type_of(among, types, self.game.graph))
                records = isinstance(types[var], graph.RecordOf)
                for each in self.evaluate(self.state, among, inner_binding.names) if records else ():
                    names = {**inner_binding.names, var: each}
                    if self.evaluate(self.state, body, names) == value:
                        yield replace(inner_binding, names=names, types=types), condition
            case _:
                pass

    def expanded_source(self, binding: ChoiceBinding, source: graph.Expr) -> tuple[ChoiceBinding, graph.Expr]:
        """Expand a name that a step binds, and a question that abbreviates an expression."""
        match source:
            case graph.Var(name) if (definition := binding.definition_of(name)) is not None:
                return self.expanded_source(binding, definition)
            case graph.Ask(term, arguments):
                called_term = self.game.graph.terms[term]
                if (meaning := sole_expression(called_term, self.game.graph)) is not None:
                    values = tuple(self.evaluate(self.state, each, binding.names) for each in arguments)
                    names = {p.name: value for p, value in zip(called_term.parameters, values, strict=True)}
                    types = {p.name: p.type for p in called_term.parameters}
                    return self.expanded_source(replace(binding, names=names, types=types), meaning)
            case _:
                pass
        return binding, source

    def reason_of_choice(self, binding: ChoiceBinding, step: graph.Choose) -> BlockingReason:
        """Return why a choice rejects its bound value, or has no candidate; without a text where there are several."""
        if step.name in binding.names:
            chosen_members = binding.names[step.name] if step.how else (binding.names[step.name],)
            exclusions = (self.find_exclusion(binding, step, value) for value in chosen_members)
            mismatch = BlockingReason(self.explain_mismatch(binding, step, chosen_members), None, 0)
            return next(filter(None, exclusions), mismatch)
        return self.find_absence(binding, step) or BlockingReason("", None, 0)

    def find_absence(self, binding: ChoiceBinding, step: graph.Choose) -> BlockingReason | None:
        """Return why a choice has no candidate, None if it has some: by one of the right kind."""
        if self.evaluate(self.state, step.source, binding.names):
            return None
        place = binding.program.steps.index(step)
        plain = f"there is nothing to choose as {choice_words(step.name, binding.program.members[place])}"
        inner_binding, source = self.expanded_source(binding, step.source)
        # What is of the wrong kind, and fails the first condition, tells nothing, nor does what is chosen already.
        is_piece = isinstance(binding.program.members[place], graph.Piece)
        types = self.bound_types(inner_binding) if is_piece else {}
        chosen = [inner_binding.names[name] for name, each in types.items() if isinstance(each, graph.Piece)]
        member = next((each for each in self.matching_members(inner_binding, source) if each not in chosen), None)
        found = self.find_exclusion(binding, step, member) if member is not None else None
        if found := found or self.least_refused(binding, step, inner_binding, source):
            var = source.var if isinstance(source, graph.Fold) else ""
            if var and found.failing and var not in variables_in(found.failing.condition):
                return found  # It is about no candidate.
            return BlockingReason(f"{plain}: {found.text}", found.explanation, 0, is_empty=True)
        return BlockingReason(plain, None, 0, is_empty=True)

    def least_refused(
        self, binding: ChoiceBinding, step: graph.Choose, inner_binding: ChoiceBinding, source: graph.Expr
    ) -> BlockingReason | None:
        """Return the exclusion of the member that the fewest rules refuse, of those that a question refuses first."""
        if not isinstance(source, graph.Fold) or source.op != "gather" or source.body is not None or not self.explains:
            return None
        members = tuple(self.evaluate(self.state, source.source, inner_binding.names))[:MOST_TRIED_MEMBERS]
        exclusions = (self.find_exclusion(binding, step, each) for each in members)
        ruled = [(each.explanation, each) for each in exclusions if each and each.explanation]
        return min(ruled, key=lambda pair: len(pair[0].applied_rules()), default=(None, None))[1]

    def matching_members(self, binding: ChoiceBinding, source: graph.Expr) -> Iterator[Value]:
        """Yield the members of a set that the first condition about a member admits; all if one before it fails."""
        match source:
            case graph.Fold("gather", var, among, condition, None):
                parts = conjuncts(condition)
                about_all = [*takewhile(lambda part: var not in variables_in(part), parts)]
                first = parts[len(about_all) : len(about_all) + 1]
                is_refused = not all(self.evaluate(self.state, part, binding.names) for part in about_all)
                for value in self.evaluate(self.state, among, binding.names):
                    names = {**binding.names, var: value}
                    if is_refused or all(self.evaluate(self.state, part, names) for part in first):
                        yield value
            case _:
                pass

    def explain_mismatch(self, binding: ChoiceBinding, step: graph.Choose, named: tuple[Value, ...]) -> str:
        """Return why members that are open one by one are no legal choice of several; "" if they are."""
        if not step.how:
            return ""
        found = tuple(self.evaluate(self.state, step.source, binding.names))
        type_ = binding.program.members[binding.program.steps.index(step)]
        allowed = allowed_sizes(step, lambda expr: self.evaluate(self.state, expr, binding.names))
        return explain_mismatch(
            step, len(found), named, allowed, lambda each: value_text(self.state, each, type_) if type_ else str(each)
        )

    def explain_question(self, binding: ChoiceBinding, question: graph.Ask) -> Explanation | None:
        """Explain a question; None if its arguments are not known yet."""
        values = self.known_values(question.arguments, binding.names)
        return None if values is None else self.make_explainer().explain(self.state, question.term, values, 1)

    def known_values(self, arguments: Sequence[graph.Expr], names: Names) -> tuple[Value, ...] | None:
        """Evaluate arguments; None where they read names that are bound only during the action."""
        try:
            return tuple(self.evaluate(self.state, argument, names) for argument in arguments)
        except (KeyError, Unanswered):
            return None

    def make_explainer(self) -> Explainer:
        """Return an explainer that answers by generated code."""
        return Explainer(Interpreter(self.game.graph, elsewhere=self.game.evaluator.evaluator.ask))

    def condition_clause(self, binding: ChoiceBinding, part: graph.Expr) -> str:
        """Return the clause of a failing condition."""
        wording = self.wording_of(binding)
        return failing_clause(part, wording, lambda expr: self.value_of(binding, expr, wording))

    def value_of(self, binding: ChoiceBinding, expr: graph.Expr, wording: Wording) -> str:
        """Return the value of an expression as text."""
        type_ = type_of(expr, wording.names, self.game.graph)
        return value_text(self.state, self.evaluate(self.state, expr, binding.names), type_)

    def wording_of(self, binding: ChoiceBinding) -> Wording:
        """Return a wording in which bound names are replaced by their values."""
        types = self.bound_types(binding)
        calls = {name: value_text(self.state, binding.names[name], type_) for name, type_ in types.items()}
        return Wording(self.game.graph, calls, types)

    def bound_types(self, binding: ChoiceBinding) -> dict[str, graph.Type]:
        """Return the types of all bound names."""
        if binding.types is not None:
            return dict(binding.types)
        types: dict[str, graph.Type] = {"player": SIDE}
        types |= {each.name: each.type for each in binding.program.procedure.parameters}
        for step, member in zip(binding.program.steps, binding.program.members, strict=True):
            if isinstance(step, graph.Choose) and member is not None:
                types[step.name] = graph.Many("set", member) if step.how else member
                if isinstance(step.source, graph.Fold):
                    types[step.source.var] = member
            elif isinstance(step, graph.Let) and step.name in binding.names:
                types[step.name] = type_of(step.value, types, self.game.graph)
        return {name: type_ for name, type_ in types.items() if name in binding.names}


def _absence_text(value: str, source: graph.Expr, wording: Wording) -> str:
    """Return the clause that a value is in no set of neighbors, of pieces of some kinds, or in no other set."""
    match source:
        case graph.Op("neighbors", (place,)):
            return f"{value} is not next to {wording.phrase(place)}"
        case graph.Pieces(kinds, None) if kinds:
            return f"{value} is not {article(kinds_text(kinds, wording.vocabulary))}"
        case _:
            return f"{value} is not among {wording.phrase(source)}"
