"""Numbers that may be fractions: a fixpoint over everything that numbers flow into.

A slot is what numbers flow into: the value of a term, a parameter, a name, a note, a field, a printed factor. It is
assumed to be whole until a fraction is found to flow into it: a quotient, or a fraction literal. A named place of a
scale is no fraction, whatever its position. What is not traced (members of sets, what cards and positions set) is
assumed to be whole, so a fraction may be missed; conditions are ignored, so a quotient counts even if it is always
whole.
"""

from collections.abc import Iterator

from runtime.graph import nodes as graph
from runtime.graph.effects import effects_in
from runtime.graph.effects.primitives import RelatePieces, SetValue
from runtime.graph.walk import nodes_of, walk

# Operators whose value may be a fraction where one of their arguments is.
FRACTION_PRESERVING = frozenset("+ - * min max clamp neg place number if".split())
Slot = tuple[str, ...]


class Fractions:
    """The slots of a graph that may hold fractions, computed as a fixpoint."""

    def __init__(self, stack: graph.Graph) -> None:
        """Propagate fractions until the fixpoint is reached."""
        self.stack = stack
        self.slots: set[Slot] = set()
        self._follow_print()
        before = -1
        while before != len(self.slots):
            before = len(self.slots)
            self._follow_rules()
            self._follow_procedures()

    def fractional_keys(self) -> Iterator[tuple[graph.Cell, int, graph.Rule | graph.Procedure]]:
        """Yield the keys of charts that may be fractions: the cell, the index of the key, the rule or procedure."""
        for rule in self.stack.rules.values():
            yield from (
                (cell, index, rule) for cell, index in self._cells((rule.guard, rule.value, rule.names), rule.label)
            )
        for key, procedure in self.stack.procedures.items():
            yield from ((cell, index, procedure) for cell, index in self._cells(procedure.body, key))

    def _cells(self, part: object, home: str) -> Iterator[tuple[graph.Cell, int]]:
        for cell in nodes_of(graph.Cell, part):
            yield from ((cell, index) for index, key in enumerate(cell.keys) if self.may_be_fraction(key, home))

    def may_be_fraction(self, expr: graph.Expr | None, home: str) -> bool:  # noqa: C901 -- one arm a node
        """Return whether a number may be a fraction; `home` is the rule or procedure that it occurs in."""
        match expr:
            case graph.Num(value):
                return value.denominator != 1
            case graph.Op("/", (left, graph.Num(value))) if value == 1:
                return self.may_be_fraction(left, home)
            case graph.Op("/"):
                return True
            case graph.Op("if", (_, yes, no)):
                return self.may_be_fraction(yes, home) or self.may_be_fraction(no, home)
            case graph.Op("clamp", (graph.Fold(_, _, graph.All(graph.Scale()), _, body), *ends)):
                # Rounding to the places of a scale finds no place beyond the last, where the value is clamped.
                return any(self.may_be_fraction(part, home) for part in (body, *ends))
            case graph.Op("payload", (graph.Member(_, relation), *_)):
                return ("payload", relation) in self.slots
            case graph.Op(op, parts) if op in FRACTION_PRESERVING:
                return any(self.may_be_fraction(part, home) for part in parts)
            case graph.Ask(term):
                return ("term", term) in self.slots
            case graph.Var(name):
                return ("name", home, name) in self.slots
            case graph.GameTrack(owner, name):
                return ("track", owner, name) in self.slots
            case graph.Get(_, field_kind, owner, name):
                return (field_kind, owner, name) in self.slots
            case graph.Fold("sum" | "min" | "max", _, _, _, body, default):
                return self.may_be_fraction(body, home) or self.may_be_fraction(default, home)
            case graph.Cell(table):
                return any(self.may_be_fraction(row.value, "") for row in self.stack.tables[table].rows)
            case graph.Search("cheapest_cost", price=price, otherwise=default):
                return self.may_be_fraction(price, home) or self.may_be_fraction(default, home)
            case _:
                return False

    def _follow_print(self) -> None:
        for counter in self.stack.counters.values():
            self.slots |= {
                ("printed", counter.kind, name) for name, value in counter.printed if self.may_be_fraction(value, "")
            }
        for kind in self.stack.vocabulary.kinds.values():
            self.slots |= {
                ("printed", kind.name, name) for name, value in kind.first if self.may_be_fraction(value, "")
            }
        for track in self.stack.vocabulary.tracks.values():
            if self.may_be_fraction(track.initial, ""):
                self.slots.add(("track", track.owner, track.name))

    def _follow_rules(self) -> None:
        for name, term in self.stack.terms.items():
            if self.may_be_fraction(term.otherwise, name):
                self.slots.add(("term", name))
        for label, rule in self.stack.rules.items():
            for term_name in rule.terms:
                parameters = self.stack.terms[term_name].parameters if term_name in self.stack.terms else ()
                self.slots |= {
                    ("name", label, part.name) for part in parameters if ("param", term_name, part.name) in self.slots
                }
            self.slots |= {("name", label, name) for name, value in rule.names if self.may_be_fraction(value, label)}
            if self.may_be_fraction(rule.value, label):
                self.slots |= {("term", term_name) for term_name in rule.terms}
            self._follow_questions((rule.names, rule.guard, rule.value), label)

    def _follow_procedures(self) -> None:
        for key, procedure in self.stack.procedures.items():
            self.slots |= {
                ("name", key, part.name) for part in procedure.parameters if ("param", key, part.name) in self.slots
            }
            self._follow_questions(procedure.body, key)
            self._follow_effects(procedure.body, key)
            for step in walk(procedure.body):
                match step:
                    case graph.Let(name, value) if self.may_be_fraction(value, key):
                        self.slots.add(("name", key, name))
                    case graph.Do(called, arguments):
                        self._follow_call(f"resolution:{called}", arguments, key)
                    case graph.Tell(event, arguments):
                        for hook in (
                            each for each, listener in self.stack.procedures.items() if listener.event == event
                        ):
                            self._follow_call(hook, arguments, key)
                    case graph.Offer(actions):
                        for called, arguments in actions:
                            self._follow_call(f"action:{called}", arguments, key)
                    case _:
                        pass

    def _follow_effects(self, body: tuple[graph.Step, ...], key: str) -> None:
        for effect in effects_in(body, SetValue):
            if self.may_be_fraction(effect.value, key):
                self.slots.add(("record" if effect.in_record else "track", effect.owner, effect.name))
        for pairing in effects_in(body, RelatePieces):
            if self.may_be_fraction(pairing.payload, key):
                self.slots.add(("payload", pairing.relation))

    def _follow_call(self, called: str, arguments: tuple[graph.Expr, ...], home: str) -> None:
        if called in self.stack.procedures:
            parameters = self.stack.procedures[called].parameters
            self._follow_arguments(called, parameters, arguments, home)

    def _follow_questions(self, part: object, home: str) -> None:
        for node in walk(part):
            match node:
                case graph.Ask(term, arguments) if term in self.stack.terms:
                    self._follow_arguments(term, self.stack.terms[term].parameters, arguments, home)
                case graph.New(record, fields):
                    self.slots |= {
                        ("record", record, name) for name, value in fields if self.may_be_fraction(value, home)
                    }
                case _:
                    pass

    def _follow_arguments(
        self, called: str, parameters: tuple[graph.Parameter, ...], arguments: tuple[graph.Expr, ...], home: str
    ) -> None:
        for parameter, argument in zip(parameters, arguments, strict=False):
            if self.may_be_fraction(argument, home):
                self.slots.add(("param", called, parameter.name))
