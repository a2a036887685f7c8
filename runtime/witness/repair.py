"""Propose one change to a candidate that may give a yes-or-no expression the wanted value.

The input is an expression that does not have it, and the names around it; the output is a changed candidate, or None.
Each call descends into one failing operand, chosen by the stream, down to an atom, and repairs it: a feature is
printed, a status marked, a piece added.

Arguments of the question are bound as names `@0`, `@1`, delayed, so that a name inside a term queried by a guard can
always be traced back to what the question itself may change.
"""

from collections.abc import Callable
from dataclasses import replace

from runtime.answer.expressions import Environment, LazyBinding
from runtime.answer.interpreter import bindings_of
from runtime.board.answer_errors import Unanswered
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.verbs import concludes_yes
from runtime.state.record import Value
from runtime.witness import candidate as changes
from runtime.witness.candidate import Candidate
from runtime.witness.extension import add_member, remove_member
from runtime.witness.pool import MIRRORED, DomainPool, Target
from runtime.witness.set_up import Instance
from runtime.witness.values import choose_value, perturb_expression

# Expressions below this depth, with terms expanded, are left to the other proposals.
DEEPEST_REPAIRED = 12

RepairFunction = Callable[["Repairer", graph.Expr, Environment], Candidate | None]

REVERSED = {"=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


class Repairer:
    """Proposes changes to one candidate."""

    def __init__(self, instance: Instance, materials: DomainPool, types: tuple[graph.Type, ...]) -> None:
        self.instance = instance
        self.state = instance.state
        self.stack = instance.answers.graph
        self.candidate = instance.candidate
        self.materials = materials
        self.chance = materials.chance
        self.types = types
        self._depth = 0

    def make_live(
        self, term: graph.Term, rule: graph.Rule, arguments: tuple[Value, ...], *, want: bool
    ) -> Candidate | None:
        """Propose what may make a rule live, or silent."""
        names = bindings_of(term, rule, arguments)
        defeaters = [other for other in rules_of_term(self.stack, term) if rule.label in other.defeats]
        fixed = rule.guard is None or self.instance.holds(rule.guard, names, want=want)
        if defeaters and (fixed or self.chance.one_in(4)):
            return self.make_live(term, self.chance.pick(defeaters), arguments, want=not want)
        return None if rule.guard is None else self.propose_repair(rule.guard, names, want=want)

    def propose_repair(self, expr: graph.Expr, names: Environment, *, want: bool) -> Candidate | None:
        """Propose a change for the wanted value."""
        if self._depth >= DEEPEST_REPAIRED:
            return None
        self._depth += 1
        proposal = self._repair_expr(expr, names, want=want)
        self._depth -= 1
        return proposal

    def _repair_expr(self, expr: graph.Expr, names: Environment, *, want: bool) -> Candidate | None:  # noqa: C901 -- one arm a node
        match expr:
            case graph.Op("and" | "or", parts):
                failing = [part for part in parts if not self.instance.holds(part, names, want=want)]
                return self.propose_repair(self.chance.pick(failing or parts), names, want=want)
            case graph.Op("not", (inner,)):
                return self.propose_repair(inner, names, want=not want)
            case graph.Op("if", (condition, consequent, alternative)):
                if self.chance.one_in(2):
                    return self.propose_repair(condition, names, want=self.chance.one_in(2))
                return self.propose_repair(
                    consequent if self.instance.value(condition, names) else alternative, names, want=want
                )
            case graph.Op("=" | "!=" | "<" | "<=" | ">" | ">=" as op, (left, right)):
                return self._repair_comparison(op if want else REVERSED[op], left, right, names)
            case graph.Op("in", (member, collection)):
                return self._repair_membership(member, collection, names, want=want)
            case graph.Op("adjacent", (left, right)):
                return self.perturb(graph.Op("distance", (left, right)), names, Target("=" if want else ">", 1))
            case graph.Is(subject, tests, negated):
                return self._repair_test(subject, self.chance.pick(tests), names, want=want != negated)
            case graph.Has():
                return self._repair_presence(expr, names, want=want != expr.negated)
            case graph.Fold("some" | "none" | "every"):
                return self._repair_quantifier(expr, names, want=want)
            case graph.Ask(term, arguments):
                return self._repair_answer(self.stack.terms[term], arguments, names, want=want)
            case graph.Var(name) if isinstance(delayed := names.get(name), LazyBinding):
                return self.propose_repair(delayed.expr, delayed.names, want=want)
            case _:
                return self.perturb(expr, names, Target("=", want))

    def perturb(self, expr: graph.Expr, names: Environment, target: Target) -> Candidate | None:
        """Propose what may move an amount to a target."""
        if self._depth >= DEEPEST_REPAIRED:
            return None
        self._depth += 1
        proposal = perturb_expression(self, expr, names, target)
        self._depth -= 1
        return proposal

    def extend_answer(
        self,
        term: graph.Term,
        arguments: tuple[graph.Expr, ...],
        names: Environment,
        change: RepairFunction,
        *,
        want: bool,
    ) -> Candidate | None:
        """Propose what adds a member to the collection that a term answers (`want`), or removes one."""
        rules = [rule for label in term.rules if (rule := self.stack.rules[label]).verb and rule.value is not None]
        if not rules or self._depth >= DEEPEST_REPAIRED:
            return None
        rule = self.chance.pick(rules) if len(rules) > 1 else rules[0]
        bindings = tuple(LazyBinding(argument, names) for argument in arguments)
        self._depth += 1
        if rule.guard is not None and self.chance.one_in(2):
            proposal = self.make_live(term, rule, bindings, want=want)
        else:
            assert rule.value is not None
            proposal = change(self, rule.value, bindings_of(term, rule, bindings))
        self._depth -= 1
        return proposal

    def choose_value(self, type_: graph.Type, target: Target) -> graph.Expr | None:
        """Choose a value of a type that meets a target."""
        return choose_value(self, type_, target)

    def _repair_comparison(self, op: str, left: graph.Expr, right: graph.Expr, names: Environment) -> Candidate | None:
        """Change the order of two amounts as wanted: perturb either of them."""
        values = self.instance.value(left, names), self.instance.value(right, names)
        # Where neither has a value, as no rule answers, a rule of one of them has to apply first.
        if values == (None, None) or isinstance(values[0], bool) or isinstance(values[1], bool):
            side, other = (left, values[1]) if self.chance.one_in(2) else (right, values[0])
            return self.propose_repair(side, names, want=(other is True) == (op == "="))
        sides = [(left, Target(op, values[1])), (right, Target(MIRRORED[op], values[0]))]
        for side, target in sides if self.chance.one_in(2) else sides[::-1]:
            proposal = None if target.bound is None else perturb_expression(self, side, names, target)
            if proposal is not None:
                return proposal
        return None

    def _repair_membership(
        self, member: graph.Expr, collection: graph.Expr, names: Environment, *, want: bool
    ) -> Candidate | None:
        """Propose a change that makes a value a member of a collection: of the value, or of the collection."""
        found = self.instance.value(collection, names)
        if found is None:
            return None
        value = self.instance.value(member, names)
        others = [each for each in found if (each == value) != want]
        if want and others and not self.chance.one_in(4):
            return self.perturb(member, names, Target("=", self.chance.pick(others)))
        if not want and self.chance.one_in(2):
            return self.perturb(member, names, Target("!=", value))
        return add_member(self, collection, names, value) if want else remove_member(self, collection, names)

    def _repair_test(
        self, subject: graph.Expr, test: graph.Test, names: Environment, *, want: bool
    ) -> Candidate | None:
        """Add a word to the subject, or remove it."""
        value = self.instance.value(subject, names)
        if test.what == "cell" and isinstance(subject, graph.Cell):
            return self.perturb(subject, names, Target("=" if want else "!=", test.name))
        if value is None:
            return None
        term = self.stack.terms.get(f"{test.owner}.{test.name}")
        if term is not None and term.rules and self.chance.one_in(3):
            rule = self.stack.rules[self.chance.pick(term.rules)]
            return self.make_live(term, rule, (LazyBinding(subject, names),), want=self.chance.one_in(2))
        return self.set_flag(value, test, want=want)

    def set_flag(self, value: Value, test: graph.Test, *, want: bool) -> Candidate | None:
        """Print a word on a hex, a hexside or a piece, or mark it; or remove it."""
        match test.what:
            case "feature" if test.owner == "hexside":
                ends = self.side_names(value)
                return None if ends is None else changes.with_side(self.candidate, ends, test.name, want)
            case "feature":
                return changes.with_feature(self.candidate, self.state.board.names[value], test.name, want)
            case "status" if test.owner == "hex":
                return changes.with_hex_mark(self.candidate, self.state.board.names[value], test.name, want)
            case _:
                return self.with_word(value, test, want=want)

    def with_word(self, piece: int, test: graph.Test, *, want: bool) -> Candidate | None:
        """Add a word to a piece, or remove it."""
        name = self.state.sheets[piece].name
        match test.what:
            case "status":
                return self.edit_candidate(
                    name, lambda p: replace(p, marks=changes.with_word(p.marks, test.name, want))
                )
            case "place":
                return self.edit_candidate(name, lambda p: replace(p, place=test.name if want else ""))
            case "off":
                space_name = self.chance.pick(self.state.board.names)
                return self.edit_candidate(name, lambda p: replace(p, at="" if want else p.at or space_name))
            case "kind":
                others = [kind for kind in self.materials.words.kinds if (kind == test.name) == want]
                kind = self.chance.pick_or_none(others)
                fresh = None if kind is None else self.materials.make_piece(self.candidate, kind, "other", "")
                return (
                    None if fresh is None else self.edit_candidate(name, lambda p: replace(fresh, name=p.name, at=p.at))
                )
            case "trait":
                return self._with_trait(name, test, want=want)
            case _:
                return None

    def _with_trait(self, name: str, test: graph.Test, *, want: bool) -> Candidate | None:
        """Choose another counter; a kind without counters has its traits set directly."""
        if test.owner not in self.materials.counters:
            return self.edit_candidate(name, lambda p: replace(p, traits=changes.with_word(p.traits, test.name, want)))
        counters = [c for c in self.materials.counters[test.owner] if (test.name in c.traits) == want]
        if not counters and self.materials.varies_printed:
            return self.edit_candidate(name, lambda p: replace(p, traits=changes.with_word(p.traits, test.name, want)))
        return self.change_counter(name, counters)

    def change_counter(self, name: str, counters: list[graph.Counter]) -> Candidate | None:
        """Replace the counter of a piece by one of these."""
        counter = self.chance.pick_or_none(counters)
        return None if counter is None else self.edit_candidate(name, lambda p: self.materials.with_counter(p, counter))

    def edit_candidate(self, name: str, change: "changes.EditFunction") -> Candidate:
        """Change a piece."""
        return changes.edit_piece(self.candidate, name, change)

    def side_names(self, side: Value) -> tuple[str, str] | None:
        """Return the names of the two ends of a hexside; None for what is not a hexside."""
        if not isinstance(side, tuple) or not self.state.board.adjacent(*side):
            return None
        return self.state.board.names[side[0]], self.state.board.names[side[1]]

    def _repair_presence(self, has: graph.Has, names: Environment, *, want: bool) -> Candidate | None:
        """Propose a change that makes something present, or absent."""
        if isinstance(has.subject, graph.GameTrack):
            return self.perturb(has.subject, names, Target("present" if want else "absent", None))
        subject = self.instance.value(has.subject, names)
        if subject is None:
            return None
        if has.what == "path":
            return self.repair_path(has.name, subject, want=want)
        get_kind: graph.GetKind = "partners" if has.what == "partner" else has.what
        place = graph.Get(has.subject, get_kind, has.owner, has.name)
        if has.what == "partner":
            return add_member(self, place, names) if want else remove_member(self, place, names)
        return self.perturb(place, names, Target("present" if want else "absent", None))

    def repair_path(self, path: str, subject: Value, *, want: bool) -> Candidate | None:
        """Add a path over a hexside, or into a hex from one of its neighbors."""
        if isinstance(subject, int):
            neighbors = self.state.board.beside[subject]
            if not neighbors:
                return None
            subject = self.state.board.side(subject, self.chance.pick(neighbors))
        ends = self.side_names(subject)
        return None if ends is None else changes.with_path(self.candidate, path, ends, want)

    def _repair_quantifier(self, fold: graph.Fold, names: Environment, *, want: bool) -> Candidate | None:
        """Find or create a member that decides the quantifier, or repair the members that prevent it."""
        members = self.instance.value(fold.source, names)
        if members is None:
            return None
        wants_one = want == (fold.op == "some")
        if wants_one and (not len(members) or self.chance.one_in(4)):
            return add_member(self, fold.source, names)
        if not wants_one and self.chance.one_in(4):
            return remove_member(self, fold.source, names)
        member = self.chance.pick(tuple(members)) if len(members) else None
        if member is None:
            return None
        inner = {**names, fold.var: member}
        if fold.op == "every" and fold.body is not None and (fold.where is None or self.chance.one_in(2)):
            return self.propose_repair(fold.body, inner, want=want)
        found = (want != (fold.op == "every")) == (fold.op != "none")
        return None if fold.where is None else self.propose_repair(fold.where, inner, want=found)

    def _repair_answer(
        self, term: graph.Term, arguments: tuple[graph.Expr, ...], names: Environment, *, want: bool
    ) -> Candidate | None:
        """Invert the answer of a term: make one of its rules live or silent."""
        bindings = tuple(LazyBinding(argument, names) for argument in arguments)
        rules = rules_of_term(self.stack, term)
        if not rules:
            return None
        rule = self.chance.pick(rules)
        says_yes = concludes_yes(rule)
        try:
            if rule.value is not None and (rule.guard is None or self.chance.one_in(2)):
                return self.propose_repair(rule.value, bindings_of(term, rule, bindings), want=want)
            return self.make_live(term, rule, bindings, want=says_yes == want)
        except Unanswered:
            return None
