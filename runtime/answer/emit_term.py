"""Write a term of the graph as two Python functions.

In: a term and its rules. Out: the text of `NAME(s, ...)`, its answer alone, and of `NAME_why(s, ...)`,
the answer and the decision id. Both are what one would write by hand: exceptions first, a rule a
paragraph, leaving as soon as nothing can change the answer any more.

In the first, an exception that concludes nothing is asked only where what it defeats would apply;
in the second every rule is looked at, because every live rule has its bit.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from runtime.answer.conditions import conjuncts
from runtime.answer.emit_expression import Emitter, Scope, python_name
from runtime.graph import nodes as graph
from runtime.graph.type_of import type_of
from runtime.graph.walk import walk

STEP = "    "
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

    def __init__(self, emitter: Emitter, term: graph.Term) -> None:
        """Line up the rules, defeaters first."""
        self.emitter = emitter
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

    def remembered(self, looks: list[str]) -> str:
        """Write the function that remembers answers by the looks that decide them."""
        name = python_name(self.term.name)
        key = looks[0] if len(looks) == 1 else f"({', '.join(looks)})"
        body = [
            f"memory = s.board.memo[{self.constant()}_MEMORY]",
            f"key = {key}",
            "value = memory.get(key)",
            "if value is None:",
            f"{STEP}value = memory[key] = {name}_afresh({', '.join(['s', *self.parameters])})",
            "return value",
        ]
        self.emitter.constants[f"{self.constant()}_MEMORY"] = Question()
        return self.function(name, body)

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
        lines = list(body)
        if any("b." in line for line in lines):
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
        return f"({guard} and not ({self.lifted(clause)}))"

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
                lines.append(f"{STEP * depth}if {' and '.join(pending)}:")
                pending.clear()
                depth += 1

        for part in [*conjuncts(rule.guard), None]:
            needed = part if part is not None else (rule.value, waiting)
            while waiting and mentions(needed, waiting, scope):
                close()
                name, expr = waiting.pop(0)
                lines.append(f"{STEP * depth}{python_name(name)} = {self.emitter.write(expr, scope)}")
                scope = scope.binding(name, python_name(name), type_of(expr, scope.types, self.emitter.rules))
            if part is not None:
                pending.append(self.emitter.write(part, scope))
        close()
        self.inner = scope
        lines += [f"{STEP * depth}{line}" for line in then]
        return [*lines, *otherwise] if depth else lines

    # Verdicts and conditions.

    def ruled(self) -> Iterator[str]:
        """Write a yes or no that leaves at the first reason."""
        grants = [clause for clause in self.clauses if clause.rule.verb in FOR]
        if not self.term.default:
            if not grants:
                yield "return False"
                return
            yield from (comment(clause.rule) for clause in grants)
            yield f"if not ({' or '.join(self.live(clause) for clause in grants)}):"
            yield f"{STEP}return False"
        for clause in self.clauses:
            if clause.rule.verb in AGAINST:
                yield comment(clause.rule)
                yield from (comment(other.rule) for other in clause.by)
                yield from self.barring(clause)
        yield "return True"

    def barring(self, clause: Clause) -> list[str]:
        """Write a prohibition."""
        lifted = [f"if not ({self.lifted(clause)}):", f"{STEP}return False"] if clause.by else ["return False"]
        if clause.rule.names:
            return self.guarded(clause.rule, lifted, [])
        return [f"if {self.live(clause)}:", f"{STEP}return False"]

    def weighed(self) -> Iterator[str]:
        """Write a yes or no that looks at every rule."""
        yield "why = 0"
        for clause in self.clauses:
            yield comment(clause.rule)
            yield from self.noted(clause, [f"why |= {clause.bit}"])
        grants, bars = (
            sum(clause.bit for clause in self.clauses if clause.rule.verb in verbs) for verbs in (FOR, AGAINST)
        )
        barred = f"not why & {bars}" if bars else "True"
        granted = "" if self.term.default else (f"why & {grants} != 0 and " if grants else "False and ")
        yield f"return {granted}{barred}, why"

    def noted(self, clause: Clause, then: list[str]) -> list[str]:
        """Write a rule that looks at the bits of what defeats it."""
        mask = sum(other.bit for other in clause.by)
        return self.guarded(clause.rule, then, [], first=f"not why & {mask}" if mask else "")

    # Everything that has values.

    def collected(self, *, why: bool) -> Iterator[str]:
        """Write a term that takes, adds, compares or unites what its rules say."""
        speaking = [clause for clause in self.clauses if clause.rule.verb]
        if not why and len(speaking) == 1 and speaking[0].rule.guard is None and not self.clauses[1:]:
            yield from self.plain_value(speaking[0].rule)
            return
        yield "why = 0"
        yield from BEGINNINGS[self.term.form]
        for clause in self.clauses:
            yield comment(clause.rule)
            then = [f"why |= {clause.bit}"]
            if clause.rule.verb:
                # Written twice: only the first pass finds out what the names are called inside.
                self.noted(clause, [])
                then += self.spoken(clause)
            yield from self.noted(clause, then)
        yield from self.concluded(why=why)

    def plain_value(self, rule: graph.Rule) -> list[str]:
        """Write a definition: one rule, always."""
        self.guarded(rule, [], [])
        value = self.emitter.write(rule.value or graph.Truth(value=False), self.inner)
        if self.term.form == "set":
            value = f"s.frame.ordered({value})"
        if not self.checks():
            return self.guarded(rule, [f"return {value}"], [])
        return self.guarded(rule, [f"value = {value}", *self.checks(), "return value"], [])

    def spoken(self, clause: Clause) -> list[str]:
        """Write what a live rule does to the answer so far."""
        rule = clause.rule
        said = self.emitter.write(rule.value or graph.Truth(value=False), self.inner)
        match self.term.form:
            case "sum":
                return [f"total += {said}"]
            case "min" | "max":
                sign = "<" if self.term.form == "min" else ">"
                return [f"said = {said}", f"if value is None or said {sign} value:", f"{STEP}value = said"]
            case "set":
                return [f"{'included' if rule.verb == 'includes' else 'excluded'}.append({said})"]
            case _:
                return self.said_once(clause, said)

    def said_once(self, clause: Clause, said: str) -> list[str]:
        """Write one answer of a value: another one before it must have been the same."""
        others = [
            other for other in self.clauses
            if other.bit < clause.bit and other.rule.verb and other not in clause.by
        ]  # fmt: skip
        if not others:
            return [f"value = {said}"]
        return [
            f"said = {said}",
            "if value is not None and value != said:",
            f"{STEP}clash({self.constant()}, {self.arguments()}, why)",
            "value = said",
        ]

    def concluded(self, *, why: bool) -> Iterator[str]:
        """Write the end: the answer if any rule spoke, else what is said when none does."""
        end = "return {}, why" if why else "return {}"
        match self.term.form:
            case "sum":
                yield "value = total"
            case "set":
                yield end.format("united(s, included, excluded)")
                return
            case "flag":
                flag = self.emitter.vocabulary.flags[self.term.name]
                yield "if value is None:"
                yield f"{STEP}value = {self.emitter.printed(flag, self.parameters[0])}"
            case _:
                yield "if value is None:"
                yield f"{STEP}{self.silent()}"
        yield from self.checks()
        yield end.format("value")

    def silent(self) -> str:
        """Write what a value is when no rule speaks."""
        if self.term.otherwise is None:
            return f"gap({self.constant()}, {self.arguments()})"
        return f"value = {self.emitter.write(self.term.otherwise, self.scope)}"

    def checks(self) -> list[str]:
        """Write the cap and the domain of an answer."""
        lines = []
        if self.term.capped is not None:
            lines.append("value = clamp(value, {}, {})".format(*self.term.capped))
        match self.term.type:
            case graph.Number(low, high) if low is not None or high is not None:
                within = " <= ".join(str(part) for part in (low, "value", high) if part is not None)
                if self.term.capped != (low, high):
                    lines += [f"if not {within}:", f"{STEP}outside({self.constant()}, {self.arguments()})"]
            case _:
                pass
        return lines

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
