"""Verbalization of expressions in English.

In: an expression, and the wording of its names. Out: a phrase ("the speed of the cart"), a clause ("the cart is old"),
or its opposite. Questions are worded as declared. Independent of positions.
"""

from collections.abc import Mapping, Sequence

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.english import (
    holding_phrase,
    joined_clauses,
    negated_template,
    opposite_clause,
    predicate_text,
)
from runtime.graph.expressions import EXPRESSIONS
from runtime.graph.operators import OPERATORS, Phrase, PhraseFunction
from runtime.graph.phrases import PREDECLARED_CLAUSES, PREPOSITIONAL_NAMES, prepositional_phrase
from runtime.graph.predeclared_types import COLLECTIVES
from runtime.graph.question_templates import choose_parts, fill_template
from runtime.graph.set_phrases import members_phrase, noun_of_type, subject_phrase
from runtime.graph.type_of import type_of

Calls = Mapping[str, str]
# The slots of the clause of a field.
IT, VALUE = graph.Parameter("it", graph.Nothing()), graph.Parameter("value", graph.Nothing())


class Wording:
    """The wording of expressions of one graph in its vocabulary. `calls` maps names to replacement phrases."""

    def __init__(
        self, rules: graph.Graph, calls: Calls | None = None, names: Mapping[str, graph.Type] | None = None
    ) -> None:
        """Store the graph, and the types of names by which members of sets are worded."""
        self.rules = rules
        self.vocabulary: graph.Vocabulary = rules.vocabulary
        self.calls = dict(calls or {})
        self.names = dict(names or {})

    def with_name(self, name: str, call: str, type_: graph.Type) -> "Wording":
        """Return the wording with one more name."""
        return Wording(self.rules, {**self.calls, name: call}, {**self.names, name: type_})

    def with_names(self, calls: Calls) -> "Wording":
        """Return the wording with replacements for some names."""
        return Wording(self.rules, {**self.calls, **calls}, self.names)

    # Names and terms.

    def with_number(self, text: str, part: graph.Get | graph.GameTrack) -> str:
        """Return the phrase of a field or track in its number."""
        keys = (f"{part.owner}.{part.name}", part.name)
        by_type = None if part.name in COLLECTIVES else self.type_of(part)
        return words.with_number(text, self.vocabulary, *keys, by_type=by_type)

    def variable(self, name: str) -> str:
        """Return the phrase of a parameter."""
        if name in self.calls:
            return self.calls[name]
        if name in PREPOSITIONAL_NAMES and name not in self.vocabulary.wording:
            hexes = [other for other, type_ in self.names.items() if isinstance(type_, graph.Hex)]
            type_ = self.names.get(name, graph.Hex())
            return words.definite(self.prepositional_name(name, type_, is_alone=len(hexes) < 2))
        if isinstance(self.names.get(name), graph.YesNo):
            return f"“{words.factor_name(name, self.vocabulary)}”"
        text = words.definite(words.factor_name(name, self.vocabulary)) if len(name) > 1 else name
        keys = () if name in self.rules.terms else (name,)  # A question of that name has the number of its own phrase.
        return words.with_number(text, self.vocabulary, *keys, by_type=self.names.get(name))

    def prepositional_name(self, name: str, type_: graph.Type, *, is_alone: bool = False) -> str:
        """Return the phrase of a name that is a preposition, by its type."""
        return words.with_space_nouns(
            prepositional_phrase(name, type_, is_alone=is_alone) or noun_of_type(self, type_), self.vocabulary
        )

    def term(self, name: str, arguments: tuple[str, ...]) -> str:
        """Return the phrase of a question with its arguments; a clause for a boolean question."""
        term = self.rules.terms[name]
        if template := self._template_of(term, arguments, holds=True):
            text = fill_template(template, term.parameters, arguments)
            return words.with_number(text, self.vocabulary, name, by_type=term.type)
        if term.form == "flag":
            owner, _, flag = name.partition(".")
            return predicate_text(arguments[0], words.flag(owner, flag, self.vocabulary))
        noun = words.readable_name(name.replace(".", ", "))
        argument_text = words.list_text(arguments)
        if isinstance(term.type, graph.YesNo):
            return f"{noun} holds for {argument_text}" if argument_text else f"{noun} holds"
        return f"the {noun.removesuffix(' of')} of {argument_text}" if argument_text else f"the {noun}"

    def _template_of(self, term: graph.Term, arguments: tuple[str, ...], *, holds: bool) -> str:
        """Return the template of a question: the declared clause of a condition, or as it reads."""
        if isinstance(term.type, graph.YesNo) and (template := self.clause_template(term.name, holds=holds)):
            return choose_parts(template, self._said_names(term.parameters, arguments))
        return term.reads if holds else term.denied or negated_template(term.reads)

    def stated(self, expr: graph.Expr, value: str, *, holds: bool) -> str:
        """Return the clause by which a declaration states a value of a question or field; "" if it has none."""
        parameters: tuple[graph.Parameter, ...] = (IT,)
        match expr:
            case graph.Ask(key, arguments):
                parameters = self.rules.terms[key].parameters
            case graph.Get(base, _, owner, name):
                key, arguments = f"{owner}.{name}", (base,)
            case graph.GameTrack(owner, name):
                key, arguments, parameters = f"{owner}.{name}", (), ()
            case graph.Var(key) if key not in self.rules.terms:
                arguments, parameters = (), ()
            case graph.Op("related", (graph.Member(name=key), *arguments)):
                parameters = (self.vocabulary.relations[key].left, self.vocabulary.relations[key].right)
            case graph.Is(graph.Cell(table, arguments), (graph.Test("cell", name=kind),)):
                key, parameters = f"{table}.{kind}", self.rules.tables[table].keys
            case _:
                return ""
        if not (template := self.clause_template(key, holds=holds)):
            return ""
        texts = tuple(self.phrases(tuple(arguments)))
        template = choose_parts(template, self._said_names(parameters, texts))
        return fill_template(template, (*parameters, VALUE), (*texts, value))

    def _said_names(self, parameters: tuple[graph.Parameter, ...], texts: tuple[str, ...]) -> set[str]:
        """Return the parameters of which a sentence says anything: a thing by its name, or more than their noun."""
        pairs = zip(parameters, texts, strict=False)
        return {part.name for part, text in pairs if text != self.variable(part.name) or not words.has_article(text)}

    def clause_template(self, key: str, *, holds: bool) -> str:
        """Return the declared clause of a question, field or record, or its opposite; "" if it has none."""
        says = self.vocabulary.wording.get(f"says {key}") or PREDECLARED_CLAUSES.get(key, "")
        return says if holds else self.vocabulary.wording.get(f"denies {key}") or negated_template(says)

    def opposite_question(self, name: str, arguments: tuple[str, ...]) -> str:
        """Return the opposite clause of a boolean question."""
        term = self.rules.terms[name]
        if template := self._template_of(term, arguments, holds=False):
            return fill_template(template, term.parameters, arguments)
        return opposite_clause(self.term(name, arguments))

    # Values.

    def phrase(self, expr: graph.Expr) -> str:
        """Return the phrase of an expression."""
        found: str = EXPRESSIONS[expr.__class__].phrase(self, expr)
        return found

    def type_of(self, expr: graph.Expr) -> graph.Type:
        """Return the type of an expression, by the types of the names."""
        return type_of(expr, self.names, self.rules)

    def operand(self, parent: graph.Op, expr: graph.Expr, index: int) -> str:
        """Return the phrase of an operand, in brackets where precedence requires them."""
        text = self.phrase(expr)
        if (outer := _binding_strength(parent)) is None:
            return text
        if isinstance(expr, graph.Fold):
            return f"({text})" if expr.op == "sum" else text
        if not isinstance(expr, graph.Op) or (inner := _binding_strength(expr)) is None:
            return text
        loose = inner < outer or (inner == outer and index > 0 and not OPERATORS[parent.op].commutes)
        return f"({text})" if loose and outer > 1 else text

    def members(self, collection: graph.Expr) -> str:
        """Return the noun phrase of a collection."""
        return members_phrase(self, collection)

    def phrases(self, exprs: Sequence[graph.Expr]) -> list[str]:
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
        clause = EXPRESSIONS[expr.__class__].clause
        return holding_phrase(self.phrase(expr), holds=holds) if clause is None else clause(self, expr, holds)

    def join_clauses(self, parts: tuple[graph.Expr, ...], link: str, *, holds: bool) -> str:
        """Return the clauses of conditions coordinated by `link`; an `or` inside an `and` begins with "either"."""
        clauses = [self.condition_phrase(part, holds=holds) for part in parts]
        mixed = {"and": "or", "or": "and"}[link]
        inner = [holds and isinstance(part, graph.Op) and part.op == mixed for part in parts]
        if not any(inner):
            subjects = [subject_phrase(self, part, clause) for part, clause in zip(parts, clauses, strict=True)]
            return joined_clauses([*zip(subjects, clauses, strict=True)], link)
        clauses = [
            f"either {text}" if is_mixed and link == "and" else text
            for text, is_mixed in zip(clauses, inner, strict=True)
        ]
        return f", {link} ".join(clauses)

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
                is_single = isinstance(collection, graph.Ask) and not isinstance(phrase, words.PluralPhrase)
                return f"{'in' if is_single else 'among'} {phrase}"


def _binding_strength(expr: graph.Op) -> int | None:
    """Return the precedence of an operator's phrase; None if it takes no brackets."""
    phrase = OPERATORS[expr.op].phrase
    return phrase.precedence if isinstance(phrase, Phrase | PhraseFunction) else None
