"""Memo keys by dependence analysis: the state reads that, together with the map, determine an answer.

In: a graph. Out: for each term, its reads of anything but the map: Python texts such as `s.hex[watcher]`; or None where
it reads too much (other pieces, records, the clock). A term with few reads that costs more than they do is evaluated
once for each map and each value of its reads: a line of sight, for instance, depends on the hex of the watcher and
not on its identity.

The analysis is interprocedural: a read of a parameter in the asked term is a read of the argument in the asking one.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple, assert_never

from runtime.answer.cache_keys import KEYS, CacheKeyAnalysis, KeyPart, united_keys
from runtime.answer.emit_expression import GIVEN, Emitter
from runtime.answer.emit_fold import nearness_condition
from runtime.answer.emit_is import has_text, write_test
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.conjuncts import conjuncts
from runtime.graph.operators import OPERATORS
from runtime.graph.operators.record import Cost
from runtime.graph.walk import walk


class StateRead(NamedTuple):
    """A read of a parameter ("" for none): a Python text with {} for the parameter."""

    text: str
    parameter: str


class MemoKey(NamedTuple):
    """The key of a memo: templates with {} for an argument, with its index; `with_board`: valid as long as the map."""

    with_board: bool
    reads: tuple[tuple[str, int], ...]

    def key_expressions(self, texts: list[str]) -> list[str]:
        """Return the key expressions for these argument texts."""
        return [text.replace("{}", texts[index]) if "{}" in text else text for text, index in self.reads]


# The reads of a term or expression; None where they are too many.
Reads = frozenset[StateRead] | None
NO_READS: frozenset[StateRead] = frozenset()

# A variable bound over hexes or members: the map and the reads already collected determine it.
FROM_MAP = ""

# Evaluating more reads than this costs as much as many answers do.
MOST_READS = 5

# The least cost of an answer to be memoized, in steps for each read of its key: about the cost of a lookup by one.
WORTH_OF_A_READ = 25

# The least cost of a subexpression to be memoized separately from the answer.
WORTH_OF_PARTS = 150

# The least cost of an answer to be memoized until the next event, which clears the table: a few hundred steps if it
# iterates over everything, else enough that a hit pays for certain.
WORTH_A_WHILE = 400
WORTH_IT_ANYWAY = 3_000

# The least cost of an answer about a record that recurs, whose fields have to be read for the key.
WORTH_OF_RECORDS = 250

# Forms of terms with a boolean answer.
YES_OR_NO = ("verdict", "condition")

# The assumed iterations of an aggregate: over a stack or a line of hexes, and over everything.
MEMBERS_OF_STACK, MEMBERS_OF_ALL = 4, 20
COSTS: Mapping[Cost, int] = {"look": 1, "hexes": 20, "map": 20 * MEMBERS_OF_ALL}

# An answer memoized per map is asked so often that this fraction of its cost falls to each question.
ONCE = 100


class StateDependence:
    """The dependence and cost analysis of one graph, computed on demand."""

    def __init__(self, rules: graph.Graph, emitter: Emitter) -> None:
        """Prepare the memos of the analysis."""
        self.rules = rules
        self.emitter = emitter
        self.cache_keys = CacheKeyAnalysis(rules)
        self.reads_of_term: Callable[[str], Reads] = cache(self._reads_of_term)
        self.cost: Callable[[str], int] = cache(self._cost)
        self.iterates_over_all: Callable[[str], bool] = cache(self._iterates_over_all)

    def memo_reads(self, name: str) -> list[StateRead] | None:
        """Return the reads that key a term's memos; None if it is not memoized by reads."""
        reads = self.reads_of_term(name)
        if not reads or self.cost(name) < WORTH_OF_A_READ * len(reads):
            return None
        return _ordered_reads(reads, self.rules.terms[name])

    def memo_key(self, name: str) -> MemoKey | None:
        """Return the memo key of a term; None if it is not memoized."""
        reads = self.memo_reads(name)
        term = self.rules.terms[name]
        if reads is not None:
            return _board_key(reads, term)
        parts = self.cache_keys.parts(name) if self.is_memoized(name) else None
        if parts is None:
            return None
        numbers = _parameter_numbers(term)
        types = [parameter.type for parameter in term.parameters]
        places = [(part, numbers[part.parameter]) for part in parts]
        return MemoKey(
            with_board=False, reads=tuple((self.key_part(part, types[place]), place) for part, place in places)
        )

    def part_key(self, expr: graph.Expr, term: graph.Term) -> MemoKey | None:
        """Return the memo key of a subexpression of a rule; None unless the map and a few reads determine it."""
        if self.cost_of(expr) < WORTH_OF_PARTS:
            return None
        reads = self.expression_reads(expr, {parameter.name: parameter.name for parameter in term.parameters})
        found = _ordered_reads(reads, term) if reads else None
        return None if found is None else _board_key(found, term)

    def key_part(self, part: KeyPart, type_: graph.Type) -> str:
        """Return the text of a key part, {} for the parameter; a field that steps assign is read from the state."""
        if not isinstance(type_, graph.RecordOf):
            return "{}"
        amended = (type_.name, part.field) in self.emitter.amended_fields
        return f"s.field({{}}, {part.field!r})" if amended else f"{{}}.fields.get({part.field!r})"

    def is_memoized(self, name: str) -> bool:
        """Return whether memoizing a term's answers between events pays."""
        parts = self.cache_keys.parts(name)
        if not parts:
            return False
        is_repeated = name in self.cache_keys.recurring_terms()
        if any(part.field for part in parts):
            return self.cost(name) >= WORTH_OF_RECORDS and is_repeated
        if self.rules.terms[name].form in YES_OR_NO and not is_repeated:
            return False  # Whether somebody may is asked of him once, and then something happens.
        return self.cost(name) >= (WORTH_A_WHILE if self.iterates_over_all(name) else WORTH_IT_ANYWAY)

    # The reads of a term.

    def _reads_of_term(self, name: str) -> Reads:
        term = self.rules.terms[name]
        names = {parameter.name: parameter.name for parameter in term.parameters}
        found: list[Reads] = []
        if term.otherwise is not None:
            found.append(self.expression_reads(term.otherwise, names))
        if term.form == "flag":
            owner, _, flag = name.partition(".")
            base = graph.Test(self.rules.vocabulary.flags[name].what, owner, flag)
            found.append(self._test(base, graph.Var(term.parameters[0].name), names, printed=True))
        for rule in rules_of_term(self.rules, term):
            inner: Mapping[str, str] = names
            for with_name, expr in rule.names:
                found.append(self.expression_reads(expr, inner))
                inner = {**inner, with_name: FROM_MAP} if self._plain(expr) else inner
            found += [self.expression_reads(part, inner) for part in (rule.guard, rule.value) if part is not None]
        return united_keys(found)

    def _plain(self, expr: graph.Expr) -> bool:
        """Return whether a value is atomic: no piece or record."""
        return isinstance(self.emitter.type_of(expr), graph.Number | graph.YesNo | graph.Enum | graph.Scale | graph.Hex)

    def expression_reads(self, expr: graph.Expr, names: Mapping[str, str]) -> Reads:  # noqa: C901 - one case a node.
        """Return the reads of an expression; None where they are too many. `names` maps names to parameters."""
        match expr:
            case graph.Num() | graph.Truth() | graph.Member() | graph.Place():
                return NO_READS
            case graph.Var(name):
                if name not in names:
                    return None
                return frozenset((StateRead("{}", names[name]),)) if names[name] else NO_READS
            case graph.Get():
                return self._get(expr, names)
            case graph.GameTrack(owner, name):
                known = f"{owner}.{name}" in self.rules.vocabulary.tracks
                return frozenset((StateRead(f"s.facts[{f'{owner}.{name}'!r}]", ""),)) if known else None
            case graph.Is(subject, tests, _):
                return united_keys(self._test(test, subject, names) for test in tests)
            case graph.Has():
                return self._has(expr, names)
            case graph.Ask(term, arguments):
                return self._ask(term, arguments, names)
            case graph.Op(op, _) if OPERATORS[op].reads:
                return None
            case graph.Op(_, parts) | graph.SetOf(parts) | graph.Cell(_, parts):
                return united_keys(self.expression_reads(part, names) for part in parts)
            case graph.Fold():
                return self._fold(expr, names)
            case graph.Search():
                operands = (expr.start, expr.goal, expr.gate, expr.price, expr.most, expr.otherwise)
                return united_keys(self.expression_reads(part, names) for part in operands if part is not None)
            case graph.Spot("step"):
                return NO_READS
            case graph.All(member_type):
                return None if isinstance(member_type, graph.Piece | graph.RecordOf) else NO_READS
            case graph.Spot() | graph.Pieces() | graph.New():
                return None
            case _:
                assert_never(expr)

    def _read_of_parameter(self, text: str, subject: graph.Expr, names: Mapping[str, str]) -> Reads:
        """Return the read of a parameter; None where the subject is none."""
        match subject:
            case graph.Var(name) if names.get(name):
                return frozenset((StateRead(text, names[name]),))
            case _:
                return None

    def _get(self, expr: graph.Get, names: Mapping[str, str]) -> Reads:
        match expr.what:
            case "given" if expr.name in ("name", "board", "boards"):
                return self.expression_reads(expr.base, names)
            case "record" if expr.owner not in self.rules.vocabulary.records:
                return self.expression_reads(expr.base, names)
            case "given" if expr.name in GIVEN:
                return self._read_of_parameter(self.emitter.write_field(expr, "{}"), expr.base, names)
            case "printed":
                # The read is evaluated for any piece, including one whose kind lacks the factor.
                return self._read_of_parameter(f"s.printed[{{}}].get({expr.name!r})", expr.base, names)
            case "track" if not isinstance(self.emitter.type_of(expr), graph.Many | graph.RecordOf):
                return self._read_of_parameter(self.emitter.write_field(expr, "{}"), expr.base, names)
            case _:
                return None

    def _test(self, test: graph.Test, subject: graph.Expr, names: Mapping[str, str], *, printed: bool = False) -> Reads:
        key = f"{test.owner}.{test.name}"
        if key in self.rules.terms and not printed:
            return self._ask(key, (subject,), names)
        if test.what in ("feature", "cell"):
            return self.expression_reads(subject, names)
        return self._read_of_parameter(
            write_test(self.emitter, test, "{}", graph.Nothing(), printed=True), subject, names
        )

    def _has(self, expr: graph.Has, names: Mapping[str, str]) -> Reads:
        match expr.what:
            case "path":
                return self.expression_reads(expr.subject, names)
            case "track" if isinstance(expr.subject, graph.GameTrack):
                return self.expression_reads(expr.subject, names)
            case "track" | "partner" | "printed":
                return self._read_of_parameter(has_text(self.emitter, expr, "{}"), expr.subject, names)
            case _:
                return None

    def _ask(self, term: str, arguments: tuple[graph.Expr, ...], names: Mapping[str, str]) -> Reads:
        reads = self.reads_of_term(term)
        if reads is None:
            return None
        arguments_by_name = dict(zip((p.name for p in self.rules.terms[term].parameters), arguments, strict=True))
        return united_keys(self._reads_of_argument(read, arguments_by_name, names) for read in reads)

    def _reads_of_argument(
        self, read: StateRead, arguments_by_name: Mapping[str, graph.Expr], names: Mapping[str, str]
    ) -> Reads:
        """Return the reads of an argument that correspond to a read of the parameter in the asked term."""
        if not read.parameter:
            return frozenset((read,))
        argument = arguments_by_name[read.parameter]
        return (
            self.expression_reads(argument, names)
            if read.text == "{}"
            else self._read_of_parameter(read.text, argument, names)
        )

    def _fold(self, expr: graph.Fold, names: Mapping[str, str]) -> Reads:
        source = self.expression_reads(expr.source, names)
        inner = {**names, expr.var: FROM_MAP}
        parts = [self.expression_reads(part, inner) for part in (expr.where, expr.body) if part is not None]
        if expr.otherwise is not None:
            parts.append(self.expression_reads(expr.otherwise, names))
        return united_keys([source, *parts])

    # The cost of a term.

    def _cost(self, name: str) -> int:
        term = self.rules.terms[name]
        rules = rules_of_term(self.rules, term)
        return self.cost_of((term.otherwise, *((rule.names, rule.guard, rule.value) for rule in rules)))

    def _iterates_over_all(self, name: str) -> bool:
        """Return whether a term iterates over all pieces or hexes, directly or in terms that it asks."""
        term = self.rules.terms[name]
        rules = rules_of_term(self.rules, term)
        for node in walk((term.otherwise, *((rule.names, rule.guard, rule.value) for rule in rules))):
            if isinstance(node, graph.Fold) and _is_exhaustive(node):
                return True
            if isinstance(node, graph.Ask) and self.memo_reads(node.term) is None and self.iterates_over_all(node.term):
                return True
        return False

    def cost_of(self, value: object) -> int:
        """Estimate the number of evaluation steps; an aggregate multiplies the cost of its body."""
        total = 0
        for node in walk(value):
            match node:
                case graph.Ask(term, _):
                    total += 3 + (5 + self.cost(term) // ONCE if self.memo_reads(term) else self.cost(term))
                case graph.Fold(_, _, _, condition, body, _):
                    total += 10 + (MEMBERS_OF_ALL if _is_exhaustive(node) else MEMBERS_OF_STACK) * self.cost_of(
                        (condition, body)
                    )
                case graph.Op(op, _):
                    total += COSTS[OPERATORS[op].cost]
                case graph.Search():
                    total += 20 * MEMBERS_OF_ALL
                case graph.Test(_, owner, flag) if f"{owner}.{flag}" in self.rules.terms:
                    total += 3 + self.cost(f"{owner}.{flag}")
                case _:
                    total += 1
        return total


def _ordered_reads(reads: frozenset[StateRead], term: graph.Term) -> list[StateRead] | None:
    """Return reads in order; None where there are too many, or one is not hashable as a key part."""
    types = {parameter.name: parameter.type for parameter in term.parameters}
    key_types = [types[read.parameter] for read in reads if read.text == "{}"]
    return sorted(reads) if len(reads) <= MOST_READS and all(isinstance(type_, KEYS) for type_ in key_types) else None


def _board_key(reads: list[StateRead], term: graph.Term) -> MemoKey:
    """Return the key of a memo that is valid as long as the map."""
    numbers = _parameter_numbers(term)
    return MemoKey(with_board=True, reads=tuple((read.text, numbers.get(read.parameter, 0)) for read in reads))


def _parameter_numbers(term: graph.Term) -> dict[str, int]:
    """Return the index of each parameter of a term."""
    return {parameter.name: number for number, parameter in enumerate(term.parameters)}


def _is_exhaustive(fold: graph.Fold) -> bool:
    """Return whether an aggregate iterates over all pieces or hexes, not over a neighborhood alone."""
    return _is_unrestricted(fold.source) and not any(
        nearness_condition(part, fold.var) for part in conjuncts(fold.where)
    )


def _is_unrestricted(source: graph.Expr) -> bool:
    """Return whether a collection is all pieces or all hexes, possibly filtered."""
    match source:
        case graph.Pieces(_, None) | graph.All(graph.Hex()):
            return True
        case graph.Fold("gather", _, inner, _, _, _):
            return _is_unrestricted(inner)
        case _:
            return False
