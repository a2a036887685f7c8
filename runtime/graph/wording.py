"""Verbalization of expressions in English.

In: an expression, and the wording of its names. Out: a phrase ("the speed of the cart"), a clause ("the cart is old"),
or its opposite. Questions are worded as declared. Independent of positions.
"""

from collections.abc import Mapping

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.amounts import amount_clause, amount_opening, is_participial_amount, possession_clause
from runtime.graph.english import (
    agreeing_verb,
    are_clauses,
    holding_phrase,
    is_plural_phrase,
    joined_clauses,
    negated_template,
    opposite_clause,
    possessive,
    predicate_text,
)
from runtime.graph.operators import COMPARISONS, OPERATORS, Clause, Comparison, Phrase, PhraseFunction
from runtime.graph.phrases import CROSSED, FIELD_NOUNS, OF_STEP, ORDINAL, PREPOSITIONAL_NAMES, prepositional_phrase
from runtime.graph.question_templates import fill_template
from runtime.graph.scales import rounding_of
from runtime.graph.set_phrases import fold_phrase, members_phrase, noun_of_type, quantified_clause, search_phrase
from runtime.graph.type_of import type_of

Calls = Mapping[str, str]
# The wording of predeclared keys of situation cards.
ON_CARDS = {"set_up": "order of setting up", "turns": "number of turns"}


class Wording:
    """The wording of expressions of one graph in its vocabulary. `calls` maps names to replacement phrases."""

    def __init__(
        self, rules: graph.Graph, calls: Calls | None = None, names: Mapping[str, graph.Type] | None = None
    ) -> None:
        """Store the graph, and the types of names by which members of sets are worded."""
        self.rules = rules
        self.vocabulary = rules.vocabulary
        self.calls = dict(calls or {})
        self.names = dict(names or {})

    def with_name(self, name: str, call: str, type_: graph.Type) -> "Wording":
        """Return the wording with one more name."""
        return Wording(self.rules, {**self.calls, name: call}, {**self.names, name: type_})

    def with_names(self, calls: Calls) -> "Wording":
        """Return the wording with replacements for some names."""
        return Wording(self.rules, {**self.calls, **calls}, self.names)

    # Names and terms.

    def variable(self, name: str) -> str:
        """Return the phrase of a parameter."""
        if name in self.calls:
            return self.calls[name]
        if name in PREPOSITIONAL_NAMES:
            hexes = [other for other, type_ in self.names.items() if isinstance(type_, graph.Hex)]
            if ORDINAL.keys() <= set(hexes) and name in ORDINAL:
                return f"the {ORDINAL[name]} {words.with_space_nouns('hex', self.vocabulary)}"
            return f"the {self.prepositional_name(name, self.names.get(name, graph.Hex()), is_alone=len(hexes) < 2)}"
        if isinstance(self.names.get(name), graph.YesNo):
            return f"“{words.factor_name(name, self.vocabulary)}”"
        return f"the {words.factor_name(name, self.vocabulary)}" if len(name) > 1 else name

    def prepositional_name(self, name: str, type_: graph.Type, *, is_alone: bool = False) -> str:
        """Return the phrase of a name that is a preposition, by its type."""
        return words.with_space_nouns(
            prepositional_phrase(name, type_, is_alone=is_alone) or noun_of_type(self, type_), self.vocabulary
        )

    def term(self, name: str, arguments: tuple[str, ...]) -> str:
        """Return the phrase of a question with its arguments; a clause for a boolean question."""
        term = self.rules.terms[name]
        if term.reads:
            return fill_template(term.reads, term.parameters, arguments)
        if term.form == "flag":
            owner, _, flag = name.partition(".")
            return predicate_text(arguments[0], words.flag(owner, flag, self.vocabulary))
        noun = words.readable_name(name.replace(".", ", "))
        argument_text = words.list_text(arguments)
        if is_yes_or_no(term):
            return f"{noun} holds for {argument_text}" if argument_text else f"{noun} holds"
        return f"the {noun.removesuffix(' of')} of {argument_text}" if argument_text else f"the {noun}"

    def opposite_question(self, name: str, arguments: tuple[str, ...]) -> str:
        """Return the opposite clause of a boolean question."""
        term = self.rules.terms[name]
        if template := term.denied or negated_template(term.reads):
            return fill_template(template, term.parameters, arguments)
        return opposite_clause(self.term(name, arguments))

    # Values.

    def phrase(self, expr: graph.Expr) -> str:  # noqa: C901 - one case a node.
        """Return the phrase of an expression."""
        match expr:
            case graph.Num(value, measure):
                return words.amount(value, measure, self.vocabulary)
            case graph.Truth(value):
                return "yes" if value else "no"
            case graph.Member("side", name):
                return words.side(name, self.vocabulary)
            case graph.Member("counter", name):
                return words.counter(name, self.rules.counters)
            case graph.Member(enum, name):
                member_text = words.member(enum, name, self.vocabulary)
                members = self.vocabulary.enums[enum].members if enum in self.vocabulary.enums else ()
                return f"“{member_text}”" if are_clauses(word.reads or word.name for word in members) else member_text
            case graph.Spot("step", name):
                return OF_STEP[name]
            case graph.Place(_, name, _) | graph.Spot(_, name):
                return name
            case graph.Var(name):
                yes_no = isinstance(self.names.get(name), graph.YesNo)
                return f"whether {self.clause(expr)}" if yes_no else self.variable(name)
            case graph.Get():
                return self.field(expr)
            case graph.GameTrack(owner, name):
                card_phrase = ON_CARDS.get(name) if owner == "scenario" else None
                name_text = card_phrase or words.factor_name(name, self.vocabulary)
                return f"the {name_text}" if owner == "game" else possessive(f"the {owner}", name_text)
            case graph.Ask(term, arguments):
                question = self.term(term, tuple(self.phrase(a) for a in arguments))
                return f"whether {question}" if is_yes_or_no(self.rules.terms[term]) else question
            case graph.Cell(table, keys, _):
                return self.cell(table, tuple(self.phrase(key) for key in keys))
            case graph.Op():
                return self.operation(expr)
            case graph.Pieces() | graph.All():
                return members_phrase(self, expr)
            case graph.Fold():
                rounding = rounding_of(expr)
                return fold_phrase(self, expr) if rounding is None else self.operation(rounding)
            case graph.Search():
                return search_phrase(self, expr)
            case graph.SetOf(elements):
                return words.list_text([self.phrase(element) for element in elements]) or "nobody"
            case graph.New(record, fields):
                # Prepositional phrases follow the noun: "a step from A to B (one point; by cart)".
                noun = [words.article(words.factor_name(record, self.vocabulary))]
                prepositions = {
                    name for name, value in fields if name in PREPOSITIONAL_NAMES and not isinstance(value, graph.Truth)
                }
                noun += [self.field_phrase(name, value) for name, value in fields if name in prepositions]
                entries = "; ".join(
                    self.field_phrase(name, value) for name, value in fields if name not in prepositions
                )
                return f"{' '.join(noun)} ({entries})" if entries else " ".join(noun)
            case graph.Is() | graph.Has():
                return f"whether {self.clause(expr)}"

    def field_phrase(self, name: str, value: graph.Expr) -> str:
        """Return the phrase of a field of a new record, without its name where the value determines it."""
        if isinstance(value, graph.Member) and value.enum not in ("side", "kind"):
            return self.phrase(value)
        factor = words.factor_name(name, self.vocabulary)
        if isinstance(value, graph.Truth):
            predicate = predicate_text("it", factor, holds=value.value)
            return predicate.removeprefix("it ").removeprefix("is ")
        name_text = words.readable_name(name) if name in PREPOSITIONAL_NAMES else f"{factor}:"
        return f"{name_text} {self.phrase(value)}"

    def field(self, expr: graph.Get) -> str:
        """Return the phrase of a field: "the cart's speed", "the form of the order", "its side"."""
        name = words.factor_name(expr.name, self.vocabulary)
        base = self.phrase(expr.base)
        if expr.what == "record" and expr.owner not in self.vocabulary.records:
            crossed = words.with_space_nouns(CROSSED[expr.name], self.vocabulary)
            return f"its {crossed}" if base == "it" else f"the {crossed} at {base}"
        if expr.what in ("partner", "partners"):
            relation = self.vocabulary.relations[expr.owner]
            end = relation.left if expr.name == "left" else relation.right
            name = words.factor_name(end.name, self.vocabulary)
        elif expr.name in PREPOSITIONAL_NAMES:
            name = self.prepositional_name(expr.name, type_of(expr, self.names, self.rules))
        elif expr.what == "given":
            name = FIELD_NOUNS.get(expr.name, name)
        elif is_participial_amount(self, expr):
            return f"what {base} {agreeing_verb(base, 'has')} {name}"
        owner = type_of(expr.base, self.names, self.rules)
        if base == "it" or isinstance(owner, graph.Piece) or owner == graph.Enum("side"):
            return possessive(base, name)
        return f"the {name} of {base}"

    def cell(self, table: str, keys: tuple[str, ...]) -> str:
        """Return the phrase of a chart's cell."""
        reads = self.rules.tables[table].reads
        if "{" in reads:
            return fill_template(reads, self.rules.tables[table].keys, keys)
        return f"what {reads or f'the chart {words.readable_name(table)}'} says for {words.list_text(keys)}"

    def operation(self, expr: graph.Op) -> str:
        """Return the phrase of an operator."""
        match OPERATORS[expr.op].phrase:
            case Phrase(text):
                phrase = words.with_space_nouns(text, self.vocabulary)
                return phrase.format(*(self.operand(expr, part, index) for index, part in enumerate(expr.arguments)))
            case PhraseFunction(value):
                return value(self, expr)
            case Clause() | Comparison():
                return f"whether {self.clause(expr)}"

    def operand(self, parent: graph.Op, expr: graph.Expr, index: int) -> str:
        """Return the phrase of an operand, in brackets where precedence requires them."""
        text = self.phrase(expr)
        if (outer := binding_strength(parent)) is None:
            return text
        if isinstance(expr, graph.Fold):
            return f"({text})" if expr.op == "sum" else text
        if not isinstance(expr, graph.Op) or (inner := binding_strength(expr)) is None:
            return text
        loose = inner < outer or (inner == outer and index > 0 and not OPERATORS[parent.op].commutes)
        return f"({text})" if loose and outer > 1 else text

    def members(self, collection: graph.Expr) -> str:
        """Return the noun phrase of a collection."""
        return members_phrase(self, collection)

    def phrases(self, exprs: tuple[graph.Expr, ...]) -> list[str]:
        """Return the phrases of several expressions."""
        return [self.phrase(expr) for expr in exprs]

    # Booleans.

    def clause(self, expr: graph.Expr) -> str:
        """Return the clause of a condition."""
        return self.condition_phrase(expr, holds=True)

    def opposite_clause(self, expr: graph.Expr) -> str:
        """Return the opposite clause of a condition."""
        return self.condition_phrase(expr, holds=False)

    def condition_phrase(self, expr: graph.Expr, *, holds: bool) -> str:
        """Return the clause of a condition, or its opposite."""
        match expr:
            case graph.Op():
                return self.operator_clause(expr, holds=holds)
            case graph.Is(subject, _, negated):
                return self.predicate(self.phrase(subject), expr, holds=holds != negated)
            case graph.Has():
                return possession_clause(self, expr, holds=holds)
            case graph.Ask(term, arguments):
                return (self.term if holds else self.opposite_question)(term, tuple(self.phrases(arguments)))
            case graph.Fold("some" | "none" | "every"):
                return quantified_clause(self, expr, holds=holds)
            case graph.GameTrack("game", name):
                fact = words.factor_name(name, self.vocabulary)
                is_clause = fact.startswith("that ")
                return holding_phrase(fact, holds=holds) if is_clause else predicate_text("the game", fact, holds=holds)
            case graph.GameTrack(owner, name):
                return f"the {owner} {'says' if holds else 'does not say'} {words.factor_name(name, self.vocabulary)}"
            case graph.Truth(value):
                return "always" if value == holds else "never"
            case graph.Get(base, "record", _, "along"):
                return f"the line {'runs' if holds else 'does not run'} along {self.phrase(base)}"
            case graph.Get(base, "track" | "printed" | "record", _, name):
                return predicate_text(self.phrase(base), words.factor_name(name, self.vocabulary), holds=holds)
            case _:
                return holding_phrase(
                    self.variable(expr.name) if isinstance(expr, graph.Var) else self.phrase(expr), holds=holds
                )

    def operator_clause(self, expr: graph.Op, *, holds: bool) -> str:
        """Return the clause of an operator, or its opposite."""
        match OPERATORS[expr.op].phrase, expr.arguments:
            case Comparison(none=bool(holds_for_some)), (graph.Fold("count") as counted, graph.Num(value)) if (
                value == 0
            ):
                some = graph.Fold("some", counted.var, counted.source, counted.where, None, None)
                return quantified_clause(self, some, holds=holds == holds_for_some)
            case Comparison(yes, no), (graph.Var(name), other) if isinstance(self.names.get(name), graph.YesNo):
                same = not (yes if holds else no)
                return f"{self.clause(graph.Var(name))} just when {self.condition_phrase(other, holds=same)}"
            case Comparison(yes, no), (left, right) if self._is_condition(left) and self._is_condition(right):
                both = not (yes if holds else no)
                opening = "either both of these hold or neither" if both else "only one of these holds"
                return f"{opening}: {self.clause(left)}; {self.clause(right)}"
            case Comparison(yes, no), (left, right):
                subject, comparison = self.phrase(left), yes if holds else no
                amount = amount_clause(self, left, comparison, right)
                return (
                    amount
                    or f"{subject} {agreeing_verb(subject, 'is')} {comparison}{self.comparand_phrase(right, subject)}"
                )
            case Clause(yes, no), arguments:
                return (yes if holds else no).format(*self.phrases(arguments))
            case PhraseFunction(clause=clause), _ if clause is not None:
                return clause(self, expr, holds)
            case _:
                return holding_phrase(self.phrase(expr), holds=holds)

    def _is_condition(self, expr: graph.Expr) -> bool:
        """Return whether an expression is a condition, and not `yes` or `no`."""
        return not isinstance(expr, graph.Truth) and isinstance(type_of(expr, self.names, self.rules), graph.YesNo)

    def join_clauses(self, parts: tuple[graph.Expr, ...], link: str, *, holds: bool) -> str:
        """Return the clauses of conditions coordinated by `link`; an `or` inside an `and` begins with "either"."""
        clauses = [self.condition_phrase(part, holds=holds) for part in parts]
        mixed = {"and": "or", "or": "and"}[link] if holds else link
        inner = [isinstance(part, graph.Op) and part.op == mixed and holds for part in parts]
        if not any(inner):
            return joined_clauses([(self.subject(part), text) for part, text in zip(parts, clauses, strict=True)], link)
        clauses = [
            f"either {text}" if is_mixed and link == "and" else text
            for text, is_mixed in zip(clauses, inner, strict=True)
        ]
        return f", {link} ".join(clauses)

    def subject(self, expr: graph.Expr) -> str:
        """Return the subject of a condition; "" if it is not determined."""
        match expr:
            case graph.Op("not", (inner,)):
                return self.subject(inner)
            case graph.Is(subject) | graph.Has(subject) | graph.Ask(_, (subject, *_)):
                return self.phrase(subject)
            case graph.Op(op, (left, right)) if op in COMPARISONS:
                amount = amount_opening(self, left, literal=isinstance(right, graph.Num))
                return amount[0] if amount else self.phrase(left)
            case graph.Fold(_, _, graph.Get(base, "partners"), None):
                return self.phrase(base)
            case _:
                return ""

    def comparand_phrase(self, expr: graph.Expr, subject: str = "") -> str:
        """Return the phrase of the right side of a comparison: "red", not "the red side"."""
        if isinstance(expr, graph.Num):
            return words.amount_beside(expr.value, expr.measure, self.vocabulary, subject)
        if isinstance(expr, graph.Member) and expr.enum == "side":
            return words.member("side", expr.name, self.vocabulary)
        return self.phrase(expr)

    def membership(self, collection: graph.Expr) -> str:
        """Return the phrase of the right side of a membership test."""
        match collection:
            case graph.SetOf(elements):
                return words.list_text([self.comparand_phrase(element) for element in elements], "or")
            case graph.Op("span", (low, high)):
                return f"between {self.phrase(low)} and {self.phrase(high)}"
            case graph.Op("beyond"):
                return self.phrase(collection)
            case _:
                phrase = self.phrase(collection)
                is_single = (
                    isinstance(collection, graph.Ask) and phrase.startswith("the ") and not is_plural_phrase(phrase)
                )
                return f"{'in' if is_single else 'among'} {phrase}"

    def predicate(self, subject: str, expr: graph.Is, *, holds: bool) -> str:
        """Return the clause of an `is` test; participles are separated from other predicates."""
        predicates = [self.test_phrase(test) for test in expr.tests]
        participles = [word for word in predicates if word.startswith("has ")]
        if not participles or len(predicates) == len(participles) == 1:
            return predicate_text(subject, words.list_text(predicates, "or"), holds=holds)
        clauses = [predicate_text(subject, word, holds=holds) for word in participles]
        if rest := [word for word in predicates if word not in participles]:
            clauses.append(predicate_text(subject, words.list_text(rest, "or"), holds=holds))
        others = [each.removeprefix(f"{subject} ") for each in clauses[1:]]
        return words.list_text([clauses[0], *others], "or" if holds else "and")

    def tests_phrase(self, expr: graph.Is) -> str:
        """Return the tests of `is` as a phrase."""
        return words.list_text([self.test_phrase(test) for test in expr.tests], "or")

    def test_phrase(self, test: graph.Test) -> str:
        """Return one test of `is` as a phrase."""
        match test.what:
            case "kind":
                return words.article(words.kind(test.name, self.vocabulary))
            case "gone":
                return "out of the game"
            case "off":
                return "off the map"
            case "cell":
                cells = (cell for table in self.rules.tables.values() for cell in table.cells)
                has_value = any(name == test.name and type_ is not None for name, type_ in cells)
                return words.article(words.readable_name(test.name)) if has_value else words.readable_name(test.name)
            case "trait" | "feature" | "path" | "status" | "place":
                return words.flag(test.owner, test.name, self.vocabulary)


def binding_strength(expr: graph.Op) -> int | None:
    """Return the precedence of an operator's phrase; None if it takes no brackets."""
    phrase = OPERATORS[expr.op].phrase
    return phrase.precedence if isinstance(phrase, Phrase | PhraseFunction) else None


def is_yes_or_no(term: graph.Term) -> bool:
    """Return whether the answers of a question are booleans."""
    return isinstance(term.type, graph.YesNo)
