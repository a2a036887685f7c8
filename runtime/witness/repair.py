"""Propose one change to a candidate that may give a yes-or-no expression the wanted value.

The input is an expression that does not have it, and the names around it; the output is a changed candidate, or None.
Each call descends into one failing operand, chosen by the stream, down to an atom, and repairs it: a feature is
printed, a status marked, a piece added.

Arguments of the question are bound as names `@0`, `@1`, delayed, so that a name inside a term queried by a guard can
always be traced back to what the question itself may change.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from runtime.answer.expressions import Environment, LazyBinding
from runtime.answer.interpreter import bindings_of
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.answer_errors import Unanswered
from runtime.graph.verbs import concludes_yes
from runtime.state.record import Value
from runtime.witness import candidate as changes
from runtime.witness.candidate import Candidate
from runtime.witness.extension import add_member, remove_member
from runtime.witness.pool import MIRRORED, DomainPool, Target
from runtime.witness.set_up import Instance
from runtime.witness.values import perturb_expression

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
        return self._deeper(lambda: self._repair_expr(expr, names, want=want))

    def perturb(self, expr: graph.Expr, names: Environment, target: Target) -> Candidate | None:
        """Propose what may move an amount to a target."""
        return self._deeper(lambda: perturb_expression(self, expr, names, target))

    def _deeper(self, propose: Callable[[], Candidate | None]) -> Candidate | None:
        """Return a proposal for an expression inside another one, None below the greatest depth."""
        if self._depth >= DEEPEST_REPAIRED:
            return None
        self._depth += 1
        proposal = propose()
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
                return self.change_answer(self.stack.terms[term], arguments, names, Target("=", want))
            case graph.Var(name) if isinstance(delayed := names.get(name), LazyBinding):
                return self.propose_repair(delayed.expr, delayed.names, want=want)
            case _:
                return self.perturb(expr, names, Target("=", want))

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
        rules = [self.stack.rules[label] for label in term.rules]
        rule = self.chance.pick_or_none([each for each in rules if each.verb and each.value is not None])
        if rule is None or rule.value is None:
            return None
        bindings, value = _delayed(arguments, names), rule.value
        if rule.guard is not None and self.chance.one_in(2):
            return self._deeper(lambda: self.make_live(term, rule, bindings, want=want))
        return self._deeper(lambda: change(self, value, bindings_of(term, rule, bindings)))

    def change_answer(
        self, term: graph.Term, arguments: tuple[graph.Expr, ...], names: Environment, target: Target
    ) -> Candidate | None:
        """Invert the answer of a term: make a rule live or silent, or perturb what one concludes."""
        bindings = _delayed(arguments, names)
        rule = self.chance.pick_or_none(rules_of_term(self.stack, term))
        if rule is None:
            return None
        try:
            names = bindings_of(term, rule, bindings)
            concluded = concludes_yes(rule) if rule.value is None else self.instance.value(rule.value, names)
            would_do = target.admits(concluded)
            is_movable = rule.value is not None and not isinstance(rule.value, graph.LiteralExpr)
            if is_movable and not would_do and (rule.guard is None or self.chance.one_in(2)):
                return self._change_value(rule.value, names, target)
            # An amount may be the answer of another rule as well; yes or no is not tried against what is wanted.
            is_live = rule.label in replace(self.instance, arguments=bindings).live_labels(term)
            is_settled = not isinstance(target.bound, bool) and is_live == would_do
            return self.make_live(term, rule, bindings, want=self.chance.one_in(2) if is_settled else would_do)
        except Unanswered:
            return None

    def _change_value(self, expr: graph.Expr | None, names: Environment, target: Target) -> Candidate | None:
        if expr is None:
            return None
        if isinstance(target.bound, bool):
            return self.propose_repair(expr, names, want=target.bound == (target.op == "="))
        return self.perturb(expr, names, target)

    def piece(self, subject: int) -> graph.PieceAt:
        """Return a piece of the candidate by its number."""
        name = self.state.sheets[subject].name
        return next(piece for piece in self.candidate.position.pieces if piece.name == name)

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
        members = self.instance.value(collection, names)
        if members is None:
            return None
        value = self.instance.value(member, names)
        others = [other for other in members if (other == value) != want]
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

    def with_word(self, subject: int, test: graph.Test, *, want: bool) -> Candidate | None:
        """Add a word to a piece, or remove it."""
        piece = self.piece(subject)
        match test.what:
            case "status":
                return self._with_piece(replace(piece, marks=changes.with_entry(piece.marks, test.name, want)))
            case "place":
                return self._with_piece(replace(piece, place=test.name if want else ""))
            case "off":
                space_name = self.chance.pick(self.state.board.names)
                return self._with_piece(replace(piece, at="" if want else piece.at or space_name))
            case "kind":
                others = [kind for kind in self.materials.words.kinds if (kind == test.name) == want]
                if not others:
                    return None
                other = self.materials.make_piece(self.candidate, self.chance.pick(others), "other", piece.at)
                return self._with_piece(replace(other, name=piece.name))
            case "trait":
                return self._with_trait(piece, test, want=want)
            case _:
                return None

    def _with_trait(self, piece: graph.PieceAt, test: graph.Test, *, want: bool) -> Candidate | None:
        """Choose another counter; a kind without counters has its traits set directly."""
        chart = self.materials.counters.get(test.owner)
        counters = [counter for counter in chart or () if (test.name in counter.traits) == want]
        if chart is None or (not counters and self.materials.varies_printed):
            return self._with_piece(replace(piece, traits=changes.with_entry(piece.traits, test.name, want)))
        return self.change_counter(piece, counters)

    def change_counter(self, piece: graph.PieceAt, counters: Sequence[graph.Counter]) -> Candidate | None:
        """Replace the counter of a piece by one of these."""
        counter = self.chance.pick_or_none(counters)
        return None if counter is None else self._with_piece(self.materials.with_counter(piece, counter))

    def _with_piece(self, piece: graph.PieceAt) -> Candidate:
        return changes.with_piece_as(self.candidate, piece)

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
        if not len(members):
            return None
        inner = {**names, fold.var: self.chance.pick(tuple(members))}
        if fold.op == "every" and fold.body is not None and (fold.where is None or self.chance.one_in(2)):
            return self.propose_repair(fold.body, inner, want=want)
        # Whether the member is to be among those that the quantifier is about.
        belongs = (want != (fold.op == "every")) == (fold.op != "none")
        return None if fold.where is None else self.propose_repair(fold.where, inner, want=belongs)


def _delayed(arguments: tuple[graph.Expr, ...], names: Environment) -> tuple[Value, ...]:
    """Return the arguments of a question such that a name inside it can be traced back to them."""
    return tuple(LazyBinding(argument, names) for argument in arguments)
