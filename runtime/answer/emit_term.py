"""Write a term of the graph as two Python functions.

In: a term and its rules. Out: the text of `NAME(s, ...)`, its answer alone, and of `NAME_why(s, ...)`,
the answer and the decision id. Both are what one would write by hand: exceptions first, a rule a
paragraph, leaving as soon as nothing can change the answer any more.

In the first, an exception that concludes nothing is asked only where what it defeats would apply;
in the second every rule is looked at, because every live rule has its bit.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from runtime.answer.bounds import Bounds, around, bounds
from runtime.answer.conditions import conjuncts
from runtime.answer.emit_expression import Emitter, Scope, python_name
from runtime.answer.quick_first import quick_first
from runtime.answer.tidy_text import bare, hoisted, shared
from runtime.graph import nodes as graph
from runtime.graph.type_of import type_of
from runtime.graph.walk import walk

STEP = "    "
BOARD = re.compile(r"\bb\.")
Price = Callable[[object], int]

FOR = ("allows", "holds")
AGAINST = ("forbids", "fails")


@dataclass(frozen=True, slots=True)
class Clause:
    """A rule in its term: its bit, and the rules that defeat it."""

    rule: graph.Rule
    bit: int
    by: tuple["Clause", ...]


class Question:
    """A question of one compiled stack; equal only to itself, so stacks share maps but no answers."""


class TermEmitter:
    """Writes the functions of one term."""

    def __init__(self, emitter: Emitter, term: graph.Term, price: Price) -> None:
        """Line up the rules, defeaters first. `price` says roughly what a part of a rule costs."""
        self.emitter = emitter
        self.price = price
        self.term = term
        self.parameters = [python_name(parameter.name) for parameter in term.parameters]
        self.scope = Scope(
            {p.name: python_name(p.name) for p in term.parameters}, {p.name: p.type for p in term.parameters}
        )
        self.clauses: list[Clause] = []
        for place, label in enumerate(term.rules):
            by = tuple(clause for clause in self.clauses if label in clause.rule.defeats)
            self.clauses.append(Clause(emitter.rules.rules[label], 1 << place, by))

    # The two functions.

    def answer(self, suffix: str = "") -> str:
        """Write the function that gives the answer alone."""
        body = self.ruled() if self.term.form in ("verdict", "condition") else self.collected(why=False)
        return self.function(f"{python_name(self.term.name)}{suffix}", body)

    def remembering(self, memory: str, key: list[str]) -> str:
        """Write the function that looks into a memory first, and the one that works the answer out."""
        name = python_name(self.term.name)
        parts = ", ".join(key)
        body = [
            f"memory = {memory}",
            f"key = ({parts})" if len(key) > 1 else f"key = {parts}",
            "value = memory.get(key)",
            "if value is None:",
            f"{STEP}value = memory[key] = {name}_afresh({', '.join(['s', *self.parameters])})",
            "return value",
        ]
        return f"{self.answer('_afresh')}\n\n\n{self.function(name, body)}"

    def question(self) -> str:
        """Name what answers are remembered under."""
        name = f"{self.constant()}_MEMORY"
        self.emitter.constants[name] = Question()
        return name

    def decision(self) -> str:
        """Write the function that gives the answer and the decision id."""
        body = self.weighed() if self.term.form in ("verdict", "condition") else self.collected(why=True)
        return self.function(f"{python_name(self.term.name)}_why", body)

    def guards(self) -> str:
        """Write the functions of those rules that others have to ask about, and cannot in one expression."""
        texts = [
            self.function(guard_name(clause.rule), self.guarded(clause.rule, ["return True"], ["return False"]))
            for clause in self.clauses
            if clause.rule.names and clause.rule.terms[0] == self.term.name
        ]
        return "\n\n\n".join(texts)

    def function(self, name: str, body: Iterator[str] | list[str]) -> str:
        """Put a head on a body; the board gets a name where it is looked at."""
        self.emitter.calls.clear()
        self.emitter.members.clear()
        lines = shared(list(body), self.emitter.calls)
        lines = hoisted(lines, self.parameters)
        if any(BOARD.search(line) for line in lines if not line.lstrip().startswith("#")):
            lines.insert(0, "b = s.board")
        title = self.term.reads or self.term.name
        head = [f"def {name}({', '.join(['s', *self.parameters])}):", f'{STEP}"""{title}"""'.replace("\\", "")]
        return "\n".join([*head, *(f"{STEP}{line}" for line in lines)])

    # Conditions of rules.

    def lifted(self, clause: Clause) -> str:
        """Write whether anything that defeats a rule is live, asked only now."""
        return " or ".join(self.live(other) for other in clause.by)

    def live(self, clause: Clause) -> str:
        """Write whether a rule is live as one expression."""
        guard = self.guard(clause.rule)
        if not clause.by:
            return guard
        return f"({guard} and not {grouped(self.lifted(clause))})"

    def guard(self, rule: graph.Rule) -> str:
        """Write a guard as one expression; a rule with names of its own has a function for it."""
        if rule.names:
            return f"{guard_name(rule)}({', '.join(['s', *self.parameters])})"
        return "True" if rule.guard is None else self.emitter.write(rule.guard, self.scope)

    def guarded(self, rule: graph.Rule, then: list[str], otherwise: list[str], first: str = "") -> list[str]:
        """Write a guard as statements around what follows from it.

        A `with` name is worked out where the first condition needs it: what stands left of that
        condition may be all that makes the name safe to work out.
        """
        scope, waiting = self.scope, list(rule.names)
        lines: list[str] = []
        depth = 0
        pending = [first] if first else []

        def close() -> None:
            nonlocal depth
            if pending:
                condition = bare(pending[0]) if len(pending) == 1 else " and ".join(pending)
                lines.append(f"{STEP * depth}if {condition}:")
                pending.clear()
                depth += 1

        parts = quick_first(conjuncts(rule.guard), self.emitter.rules.terms, scope.in_play)
        for part in [*parts, None]:
            needed = part if part is not None else (rule.value, waiting)
            while waiting and mentions(needed, waiting, scope):
                close()
                name, expr = waiting.pop(0)
                self.emitter.members.add(python_name(name))
                lines.append(f"{STEP * depth}{python_name(name)} = {bare(self.emitter.write(expr, scope))}")
                scope = scope.binding(name, python_name(name), type_of(expr, scope.types, self.emitter.rules))
            if isinstance(part, graph.Fold) and part.op == "some" and part is parts[-1] and then:
                # A loop that leaves at the first member found.
                close()
                source, picked, scope, var = self.emitter.loop(part, scope)
                lines.append(f"{STEP * depth}for {var} in {source}:")
                depth += 1
                pending += [picked] if picked else []
                pending += [self.emitter.operand(part.where, scope)] if part.where else []
                then = then if then[-1].startswith("return") else [*then, "break"]
            elif part is not None:
                pending.append(self.emitter.operand(part, scope))
        close()
        self.inner = scope
        lines += [f"{STEP * depth}{line}" for line in then]
        return [*lines, *otherwise] if depth else lines

    # Verdicts and conditions.

    def ruled(self) -> Iterator[str]:
        """Write a yes or no that leaves at the first reason."""
        # Any order is right, since each decides alone; the cheapest first is fastest.
        by_price = sorted(self.clauses, key=lambda clause: self.price((clause.rule.names, clause.rule.guard)))
        grants = [clause for clause in by_price if clause.rule.verb in FOR]
        bars = [clause for clause in by_price if clause.rule.verb in AGAINST]
        if self.term.default or not grants:
            yield from self.each(bars if self.term.default else [], "return False")
            yield f"return {self.term.default}"
        elif not bars:
            yield from self.each(grants, "return True")
            yield "return False"
        else:
            yield from (comment(clause.rule) for clause in grants)
            yield from self.unless([self.live(clause) for clause in grants])
            yield from self.each(bars, "return False")
            yield "return True"

    def each(self, clauses: list[Clause], then: str) -> Iterator[str]:
        """Write rules each of which decides alone."""
        for clause in clauses:
            yield comment(clause.rule)
            yield from (comment(other.rule) for other in clause.by)
            if clause.rule.names:
                inner = [f"if not {grouped(self.lifted(clause))}:", f"{STEP}{then}"] if clause.by else [then]
                yield from self.guarded(clause.rule, inner, [])
            elif (condition := bare(self.live(clause))) == "True":
                yield then
            elif clause.by:
                yield from (f"if {condition}:", f"{STEP}{then}")
            else:
                yield from self.guarded(clause.rule, [then], [])

    def unless(self, grants: list[str]) -> list[str]:
        """Write that nothing is granted unless one of these holds."""
        if len(grants) == 1:
            return [f"if not {grants[0]}:", f"{STEP}return False"]
        return [
            "if not (",
            *(f"{STEP}{'or ' if n else ''}{text}" for n, text in enumerate(grants)),
            "):",
            f"{STEP}return False",
        ]

    def weighed(self) -> Iterator[str]:
        """Write a yes or no that looks at every rule."""
        yield "why = 0"
        for clause in self.clauses:
            yield comment(clause.rule)
            yield from self.noted(clause, [f"why |= {clause.bit}"], frozenset())
        grants, bars = (
            sum(clause.bit for clause in self.clauses if clause.rule.verb in verbs) for verbs in (FOR, AGAINST)
        )
        barred = f"not why & {bars}" if bars else "True"
        granted = "" if self.term.default else (f"why & {grants} != 0 and " if grants else "False and ")
        yield f"return {granted}{barred}, why"

    def noted(self, clause: Clause, then: list[str], left: frozenset[int]) -> list[str]:
        """Write a rule that looks at the bits of what defeats it, but for what would have left already."""
        mask = sum(other.bit for other in clause.by if other.bit not in left)
        return self.guarded(clause.rule, then, [], first=f"not why & {mask}" if mask else "")

    # Everything that has values.

    def collected(self, *, why: bool) -> Iterator[str]:
        """Write a term that takes, adds, compares or unites what its rules say."""
        if not why and self.is_definition():
            yield from self.definition(self.clauses[0].rule)
            return
        left = frozenset(clause.bit for clause in self.clauses if self.is_last(clause, why=why))
        needed = {other.bit for clause in self.clauses for other in clause.by} - left
        if why or needed or self.may_clash(left):
            yield "why = 0"
        if any(clause.rule.verb and clause.bit not in left for clause in self.clauses) or self.term.form in (
            "sum",
            "set",
        ):
            yield from BEGINNINGS[self.term.form]
        for clause in self.clauses:
            yield comment(clause.rule)
            if clause.bit in left:
                yield from self.leaving(clause, left, why=why)
                continue
            noting = why or clause.bit in needed or (clause.rule.verb and self.may_clash(left))
            then = [f"why |= {clause.bit}"] if noting else []
            if clause.rule.verb:
                # Written twice: only the first pass finds out what the names are called inside.
                self.noted(clause, [], left)
                then += self.spoken(clause, left)
            if then:
                yield from self.noted(clause, then, left)
        yield from self.concluded(left, why=why)

    def is_definition(self) -> bool:
        """Say whether a term is one rule that always speaks."""
        return len(self.clauses) == 1 and self.clauses[0].rule.guard is None and self.term.form in ("value", "set")

    def definition(self, rule: graph.Rule) -> list[str]:
        """Write a definition."""
        self.guarded(rule, [], [])
        value = bare(self.emitter.write(rule.value or graph.Truth(value=False), self.inner))
        if self.term.form == "set":
            value = f"s.frame.ordered({value})"
        return self.guarded(rule, self.returning(value, rule.value, "return {}"), [])

    def is_last(self, clause: Clause, *, why: bool) -> bool:
        """Say whether nothing can change the answer (or the decision id) once a rule is found live."""
        if self.term.form not in ("value", "flag") or not clause.rule.verb:
            return False
        before = [other for other in self.clauses if other.bit < clause.bit and other.rule.verb]
        after = [other for other in self.clauses if other.bit > clause.bit and (why or other.rule.verb)]
        alone = all(other in clause.by or clause in other.by for other in before)
        return alone and all(clause in other.by for other in after)

    def may_clash(self, left: frozenset[int]) -> bool:
        """Say whether two rules of a value may speak at once."""
        speaking = [clause for clause in self.clauses if clause.rule.verb and clause.bit not in left]
        return self.term.form in ("value", "flag") and any(self.others(clause, left) for clause in speaking)

    def others(self, clause: Clause, left: frozenset[int]) -> list[Clause]:
        """List the rules that may have spoken before one and are not defeated with it."""
        return [
            other
            for other in self.clauses
            if other.bit < clause.bit and other.rule.verb and other not in clause.by and other.bit not in left
        ]

    def leaving(self, clause: Clause, left: frozenset[int], *, why: bool) -> list[str]:
        """Write a rule after which nothing more is looked at."""
        self.noted(clause, [], left)
        said = bare(self.emitter.write(clause.rule.value or graph.Truth(value=False), self.inner))
        end = f"return {{}}, why | {clause.bit}" if why else "return {}"
        return self.noted(clause, self.returning(said, clause.rule.value, end), left)

    def returning(self, text: str, value: graph.Expr | None, end: str) -> list[str]:
        """Write the return of a value, checked unless it cannot lie outside."""
        checks = self.checks([value])
        return [f"value = {text}", *checks, end.format("value")] if checks else [end.format(text)]

    def spoken(self, clause: Clause, left: frozenset[int]) -> list[str]:
        """Write what a live rule does to the answer so far."""
        rule = clause.rule
        said = bare(self.emitter.write(rule.value or graph.Truth(value=False), self.inner))
        match self.term.form:
            case "sum":
                return [f"total += {said}"]
            case "min" | "max":
                sign = "<" if self.term.form == "min" else ">"
                return [f"said = {said}", f"if value is None or said {sign} value:", f"{STEP}value = said"]
            case "set":
                return [f"{'included' if rule.verb == 'includes' else 'excluded'}.append({said})"]
            case _ if not self.others(clause, left):
                return [f"value = {said}"]
            case _:
                return [
                    f"said = {said}",
                    "if value is not None and value != said:",
                    f"{STEP}clash({self.constant()}, {self.arguments()}, why)",
                    "value = said",
                ]

    def concluded(self, left: frozenset[int], *, why: bool) -> Iterator[str]:
        """Write the end: the answer if any rule spoke, else what is said when none does."""
        end = "return {}, why" if why else "return {}"
        values = [clause.rule.value for clause in self.clauses if clause.rule.verb and clause.bit not in left]
        match self.term.form:
            case "sum":
                yield from self.returning("total", None, end)
                return
            case "set":
                yield end.format("united(s, included, excluded)")
                return
            case _ if self.always_leaves(left):
                return
            case _ if not values:
                yield from self.silent(end)
                return
            case _:
                yield "if value is None:"
                yield from (f"{STEP}{line}" for line in self.silent(end))
        yield from self.checks(values)
        yield end.format("value")

    def always_leaves(self, left: frozenset[int]) -> bool:
        """Say whether some rule always speaks where nothing before it has, and leaves."""
        return any(
            clause.rule.guard is None and clause.bit in left and {other.bit for other in clause.by} <= left
            for clause in self.clauses
        )

    def silent(self, end: str) -> list[str]:
        """Write what is answered when no rule speaks."""
        if self.term.form == "flag":
            flag = self.emitter.vocabulary.flags[self.term.name]
            return [end.format(bare(self.emitter.printed(flag, self.parameters[0])))]
        if self.term.otherwise is None:
            return [f"gap({self.constant()}, {self.arguments()})"]
        return self.returning(bare(self.emitter.write(self.term.otherwise, self.scope)), self.term.otherwise, end)

    def checks(self, values: list[graph.Expr | None]) -> list[str]:
        """Write the cap and the domain of an answer, unless all values it may have lie within."""
        if self.term.capped is not None:
            low, high = self.term.capped
            return [f"value = clamp(value, {low}, {high})", *self.domain((Fraction(low), Fraction(high)))]
        known = [value and bounds(value, self.scope.types, self.emitter.rules) for value in values]
        return self.domain(around([one or None for one in known]))

    def domain(self, known: Bounds) -> list[str]:
        """Write the check of a domain."""
        match self.term.type:
            case graph.Number(low, high) if low is not None or high is not None:
                if known is not None and (low is None or low <= known[0]) and (high is None or known[1] <= high):
                    return []
                within = " <= ".join(str(part) for part in (low, "value", high) if part is not None)
                return [f"if not {within}:", f"{STEP}outside({self.constant()}, {self.arguments()})"]
            case _:
                return []

    def constant(self) -> str:
        """Name the term, for a complaint about it."""
        name = f"TERM_{python_name(self.term.name)}"
        self.emitter.constants[name] = self.term
        return name

    def arguments(self) -> str:
        """Write the arguments as a tuple, for a complaint about them."""
        return f"({', '.join(self.parameters)}{',' if len(self.parameters) == 1 else ''})"


BEGINNINGS = {
    "sum": ["total = 0"],
    "min": ["value = None"],
    "max": ["value = None"],
    "value": ["value = None"],
    "flag": ["value = None"],
    "set": ["included, excluded = [], []"],
}


def grouped(text: str) -> str:
    """Put brackets around an expression that has none."""
    return f"({bare(text)})"


def guard_name(rule: graph.Rule) -> str:
    """Name the function of a guard."""
    return f"{python_name(rule.label)}_holds"


def comment(rule: graph.Rule) -> str:
    """Introduce a rule."""
    cites = f" [{', '.join(rule.cites)}]" if rule.cites else ""
    return f"# {rule.label}{cites}: {rule.prose}".rstrip(": ")


def mentions(needed: object, waiting: list[tuple[str, graph.Expr]], scope: Scope) -> bool:
    """Say whether something names what is not worked out yet."""
    names = {name for name, _ in waiting} - set(scope.texts)
    return any(isinstance(node, graph.Var) and node.name in names for node in walk(needed))
