"""Questions as they are where something is known of what they are asked about.

In: a graph. Out: expressions that ask the same in fewer words, and a graph that has the terms which they ask. A
question asked of a written word (`odds(a, chosen)`) or of a record just made (`may_join(u, shot(..))`, which is direct
fire) has a term of its own: rules that cannot speak there are gone, and so are conditions that hold for sure.

Answers alone are asked this way. Decision ids and explanations come from the terms as they are written.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from runtime.answer.emit_names import python_name
from runtime.answer.nearer import nearer
from runtime.answer.written_out import NO, YES, folded, only_value
from runtime.graph import nodes as graph
from runtime.graph.walk import fields_of

# What separates a term from what is known where it is asked; no name that somebody writes has it.
MARK = "@"

Word = graph.Member | graph.Truth
Fields = tuple[tuple[str, Word], ...]  # What is known of a record.
Fact = Word | Fields | None
Facts = Mapping[str, Fact]
Origin = tuple[str, tuple[Fact, ...]]  # A term, and what is known of its arguments.

NOTHING: Facts = {}


# Those of the graphs last used: the evaluator of a game and its memory ask the same.
_lately: "list[Specialization]" = []


def special_of(rules: graph.Graph) -> "Specialization":
    """Find the special terms of a graph, which all who ask it share."""
    found = next((each for each in _lately if each.written is rules), None)
    if found is None:
        found = Specialization(rules)
        _lately[:] = [found, *_lately[:3]]
    return found


class Specialization:
    """The special terms of one graph, made when somebody asks them. `rules` is the graph with those made so far."""

    def __init__(self, rules: graph.Graph) -> None:
        """Begin with the terms as they are written."""
        self.written = rules
        self.rules = replace(rules, terms=dict(rules.terms), rules=dict(rules.rules))
        self.names: dict[Origin, str] = {}
        self.agreed: dict[Origin, str] = {}  # Names that an earlier process gave.
        self.origins: dict[str, Origin] = {}
        self.made: list[str] = []
        self.standing: set[str] = set()  # Terms written anew as they stand.
        self.waiting: list[str] = []  # Those that are still to be: what asks what may go deep.
        self.taken = {python_name(name) for name in rules.terms}

    def agree(self, origins: Mapping[str, Origin]) -> bool:
        """Call special terms as an earlier process did; say whether that can be."""
        known = {**self.agreed, **self.names}
        for name, origin in origins.items():
            if known.get(origin, name) != name or (origin not in known and python_name(name) in self.taken):
                return False
        self.agreed.update((origin, name) for name, origin in origins.items())
        self.origins.update(origins)
        self.taken.update(map(python_name, origins))
        return True

    def of(self, expr: graph.Expr) -> graph.Expr:
        """Write an expression anew, and all that it asks."""
        made: graph.Expr = self.expr(expr)
        self.settle()
        return made

    def of_term(self, name: str) -> graph.Term:
        """Write a term anew as it stands, and all that it asks."""
        if name not in self.rules.terms:
            self.term(*self.origins[name])  # So far only its name is known.
        self.waiting.append(name)
        self.settle()
        return self.rules.terms[name]

    def settle(self) -> None:
        """Write the terms anew that are waiting."""
        while self.waiting:
            self.stand(self.waiting.pop())

    def stand(self, name: str) -> None:
        """Write a term anew as it stands, once."""
        if name not in self.standing and name in self.written.terms:
            self.standing.add(name)
            self.make(self.written.terms[name], name, NOTHING)

    def expr(self, expr: Any, known: Facts = NOTHING) -> Any:
        """Write an expression anew with what is known of its names."""
        match expr:
            case graph.Var(name):
                fact = known.get(name)
                return fact if isinstance(fact, Word) else expr
            case graph.Get(graph.Var(name), "record", _, field) if isinstance(fact := known.get(name), tuple):
                return dict(fact).get(field, expr)
            case graph.Ask(term, arguments):
                return self.asked(term, self.expr(arguments, known), known)
            case graph.Op(op, arguments):
                return folded(op, self.expr(arguments, known))
            case graph.Fold():
                inner = {name: fact for name, fact in known.items() if name != expr.var}
                where, body = self.expr((nearer(expr, self.written), expr.body), inner)
                source, otherwise = self.expr((expr.source, expr.otherwise), known)
                return graph.Fold(expr.op, expr.var, source, None if where == YES else where, body, otherwise)
            case tuple():
                return tuple([self.expr(part, known) for part in expr])
            case graph.Num() | graph.Truth() | graph.Member() | graph.Place() | graph.All() | graph.Test():
                return expr
            case _:
                names = fields_of(expr.__class__)
                return expr.__class__(*[self.expr(getattr(expr, name), known) for name in names]) if names else expr

    def asked(self, term: str, arguments: tuple[graph.Expr, ...], known: Facts) -> graph.Ask:
        """Ask the term that is special to these arguments; what it knows it is not told."""
        facts = tuple([self.fact(argument, known) for argument in arguments])
        name = self.term(term, facts)
        if name == term:
            return graph.Ask(term, arguments)
        left = (a for a, fact in zip(arguments, facts, strict=True) if not isinstance(fact, Word))
        return graph.Ask(name, tuple(left))

    def fact(self, expr: graph.Expr, known: Facts) -> Fact:
        """Say what is known of a value."""
        match expr:
            case graph.Member() | graph.Truth():
                return expr
            case graph.Var(name):
                return known.get(name)
            case graph.New(_, fields):
                facts = [(name, self.fact(value, known)) for name, value in fields]
                return tuple([(name, fact) for name, fact in facts if isinstance(fact, Word)]) or None
            case graph.Ask(term, arguments):
                match only_value(self.rules.terms[term], self.rules):
                    case graph.New() as made:
                        names = (parameter.name for parameter in self.rules.terms[term].parameters)
                        given = [self.fact(argument, known) for argument in arguments]
                        return self.fact(made, dict(zip(names, given, strict=True)))
                    case _:
                        return None
            case _:
                return None

    def term(self, name: str, facts: tuple[Fact, ...]) -> str:
        """Name the term that is special to facts about its parameters; the term itself if they settle nothing."""
        term = self.written.terms.get(name)
        if term is None:
            return name  # It is special already.
        self.waiting.append(name)
        if term.form == "flag" or not any(facts):
            return name
        if (name, facts) not in self.names:
            self.stand(name)
            known = dict(zip((p.name for p in term.parameters), facts, strict=True))
            special = self.names[name, facts] = self.called(name, facts)
            self.make(term, special, known)
            if not self.settles_nothing(term, special, known):
                self.made.append(special)
                self.origins[special] = (name, facts)
                return special
            self.names[name, facts] = name
            for label in self.rules.terms.pop(special).rules:
                del self.rules.rules[label]
        return self.names[name, facts]

    def called(self, name: str, facts: tuple[Fact, ...]) -> str:
        """Find a name for a special term that is no other term's in Python either."""
        if agreed := self.agreed.get((name, facts)):
            return agreed
        special = name + MARK + "_".join(said(fact) for fact in facts if fact)
        while python_name(special) in self.taken:
            special += "_"
        self.taken.add(python_name(special))
        return special

    def make(self, term: graph.Term, special: str, known: Facts) -> None:
        """Write the rules of a term anew."""
        mark = special.removeprefix(term.name)
        written = [self.written.rules[label] for label in term.rules]
        left = [made for rule in written if (made := self.rule(rule, mark, known)) is not None]
        self.rules.rules.update((rule.label, rule) for rule in left)
        self.rules.terms[special] = replace(
            term,
            name=special,
            parameters=tuple([p for p in term.parameters if not isinstance(known.get(p.name), Word)]),
            rules=tuple([rule.label for rule in left]),
            otherwise=self.expr(term.otherwise, known),
        )

    def settles_nothing(self, term: graph.Term, special: str, known: Facts) -> bool:
        """Say whether a special term says no less than the one it was made of."""
        made = self.rules.terms[special]
        if len(made.rules) < len(term.rules):
            return False
        pairs = [(term.otherwise, made.otherwise)]
        for label, other in zip(term.rules, made.rules, strict=True):
            rule, less = self.rules.rules[label], self.rules.rules[other]
            pairs += [(rule.guard, less.guard), (rule.value, less.value)]
            pairs += [(value, inner) for (_, value), (_, inner) in zip(rule.names, less.names, strict=True)]
        return all(replaced(whole, known) == less for whole, less in pairs)

    def rule(self, rule: graph.Rule, mark: str, known: Facts) -> graph.Rule | None:
        """Write a rule anew; None if it cannot speak. Of a term as it stands every rule stays where it was."""
        names = []
        for name, value in rule.names:
            names.append((name, self.expr(value, known)))
            known = {**known, name: self.fact(names[-1][1], known)}
        guard = self.expr(rule.guard, known)
        if mark and guard == NO:
            return None
        return replace(
            rule,
            label=rule.label + mark,
            names=tuple(names),
            guard=None if guard == YES else guard,
            value=self.expr(rule.value, known),
            defeats=tuple([label + mark for label in rule.defeats]),
        )


class AsWritten(Specialization):
    """No term is special: for whoever wants to hear of every question that is asked."""

    def of(self, expr: graph.Expr) -> graph.Expr:
        """Leave an expression as it is."""
        return expr

    def of_term(self, name: str) -> graph.Term:
        """Leave a term as it is."""
        return self.written.terms[name]


def replaced(expr: Any, known: Facts) -> Any:
    """Put known words in place of names and fields, and settle nothing."""
    match expr:
        case graph.Var(name):
            return fact if isinstance(fact := known.get(name), Word) else expr
        case graph.Get(graph.Var(name), "record", _, field) if isinstance(fact := known.get(name), tuple):
            return dict(fact).get(field, expr)
        case tuple():
            return tuple([replaced(part, known) for part in expr])
        case _:
            names = fields_of(expr.__class__)
            return expr.__class__(*[replaced(getattr(expr, name), known) for name in names]) if names else expr


def said(fact: Fact) -> str:
    """Write a fact as part of a name."""
    match fact:
        case graph.Member(_, name):
            return name
        case graph.Truth(value):
            return "yes" if value else "no"
        case tuple():
            return "_".join(f"{name}_{said(word)}" for name, word in fact)
        case _:
            return ""


def plainly(name: str) -> str:
    """Name the term or rule that is written for a special one."""
    return name.partition(MARK)[0]
