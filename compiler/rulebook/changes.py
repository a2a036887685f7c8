"""Compute the changes from one stack to another, as a player would list them.

The input is the graph of the book, the one that it is compared with, and where their answers differ; the output is a
booklet: additions, corrections and clarifications, each with the present and the former text and an impact, and the
differences in answers with a position each. Two nodes are equal if they differ in nothing but their origins.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import TypeVar

from compiler.rulebook.advisory_questions import advising_in_both
from compiler.rulebook.book_order import order_of_both, place_of_question, printed_order
from compiler.rulebook.booklet import (
    BESIDE,
    IMPACTS,
    MINOR,
    NONE,
    OPEN,
    SEQUENCE,
    AnswerDifference,
    Baseline,
    Booklet,
    Change,
    DrawnDifference,
)
from compiler.rulebook.charts import cell_titles, draw_chart
from compiler.rulebook.drawings.counters import printed_value
from compiler.rulebook.drawings.diagrams import draw_position
from compiler.rulebook.exact_words import ExactSentence, exact_words
from compiler.rulebook.factor_changes import comparable_counters, factor_changes
from compiler.rulebook.homes import chain_of, find_homes, only_ruled, target_labels
from compiler.rulebook.index.mentions import Thing
from compiler.rulebook.naming import titles_of_things
from compiler.rulebook.numbering import number_things
from compiler.rulebook.outline import draw_outline
from compiler.rulebook.register import register_of
from compiler.rulebook.sentences import default_sentence, rule_sentence
from compiler.rulebook.source_order import written_rank
from compiler.rulebook.step_changes import step_sentences, steps_apart, without_places
from compiler.rulebook.word_changes import word_change
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.procedure_pairs import keyed_as

# Kinds of changes that the booklet lists with the paragraph, chart or counter itself.
ON_PAGES = frozenset({"rule", "question", "cell", "chart", "counter", "factor", "procedure"})
# The impacts of rules without a changed answer in any position common to both, by the evidence on them.
OF_STATUS = {"witness": BESIDE, "only": BESIDE, "same": NONE, "unknown": OPEN}
# What has no place among rules and rulings stands behind them, in this order; a sort of things keeps its own.
SORTED = {"chart": 1, "cell": 2, "counter": 3, "procedure": 4, "term": 5}
BROAD = 10  # A change is major if it shows in more than one of this many positions examined.


def compare(book: graph.Graph, against: Baseline) -> Booklet:
    """Return all differences: rules, rulings, questions, charts cell by cell, counters, procedures."""
    base = replace(against.graph, procedures=keyed_as(book, against.graph))
    judge = _Judge(book, base, against)
    found = [
        *_differences("rule", _speaking(book), _speaking(base), judge.say_rule, judge.exact_rule),
        *_differences(
            "ruling", book.rulings, base.rulings, lambda _, one: f"{one.asks} {one.answers}", judge.exact_ruling
        ),
        *_differences("term", _bare(book), _bare(base), lambda which, term: _sense((base, book)[which], term)),
        *_charts(book, base),
        *factor_changes(book, base),
        *_differences(
            "counter",
            comparable_counters(book, base),
            comparable_counters(base, book),
            lambda which, one: _counter((base, book)[which], one),
        ),
        *_procedures(book, base),
    ]
    aside = advising_in_both(book, base)
    named = {**titles_of_things(base), **titles_of_things(book), SEQUENCE: "Sequence of play"}
    outline = draw_outline(base, find_homes(base))
    numbers = number_things(outline, register_of(base)) if any(change.how == "gone" for change in found) else {}
    places = order_of_both(printed_order(draw_outline(book, find_homes(book))), printed_order(outline))
    found.sort(key=lambda change: (SORTED.get(change.thing[0], 0), places.get(change.thing, (len(places), 0))))
    kept = [
        judge.judged(replace(change, title=change.title or named[change.thing], number=_number(change, numbers)))
        for change in found
        if not judge.is_listed_elsewhere(change) and not judge.advises(change, aside)
    ]
    answers = tuple(
        (parted, tuple(_seen(book, base, _without(way, aside)) for way in parted.ways))
        for parted in against.differences
        if chain_of(book if parted.term in book.terms else base, parted.term) not in aside
    )
    answers = tuple(sorted(answers, key=lambda each: place_of_question(book, each[0].term, places)))
    told = (each for each in against.accounts if each.kind not in ON_PAGES and each.how != "printed")
    return Booklet(
        _form(book, base), against, tuple(kept), answers, tuple((each, word_change(book, base, each)) for each in told)
    )


def _without(way: AnswerDifference, aside: frozenset[str]) -> AnswerDifference:
    follows, resting = (tuple(name for name in names if name not in aside) for names in (way.follows, way.resting))
    return replace(way, follows=follows, resting=resting)


def _number(change: Change, numbers: dict[Thing, str]) -> str:
    return numbers.get(change.thing, "") if change.how == "gone" else ""


def _form(book: graph.Graph, base: graph.Graph) -> str:
    """Return whether this is another edition of one stack, a variant of its base, or another game."""
    mine, other = ({layer.name for layer in each.layers} for each in (book, base))
    return "errata" if mine == other else "variant" if other < mine else "games"


def _seen(book: graph.Graph, base: graph.Graph, way: AnswerDifference) -> DrawnDifference:
    speaks = base if way.drawn_by == base.stack and base.stack != book.stack else book
    return DrawnDifference(way, draw_position(speaks, way.position) if way.position else None)


class _Judge:
    """Classifies changes and determines their impact."""

    def __init__(self, book: graph.Graph, base: graph.Graph, against: Baseline) -> None:
        self.books = (base, book)
        self.statuses = {each.label: each.status for each in against.accounts}
        self.weights: dict[str, str] = {}
        for parted in against.differences:
            for way in parted.ways:
                broad = way.seen * BROAD > parted.looked_at >= BROAD
                for label in (*way.rules, *way.against):
                    if broad or label not in self.weights:
                        self.weights[label] = "major" if broad else "minor"

    def say_rule(self, which: int, rule: graph.Rule) -> str:
        """Return a rule in the sentence of its own book, or as generated from its logic."""
        return rule.prose or rule_sentence(self.books[which], rule)

    def exact_rule(self, which: int, rule: graph.Rule) -> tuple[ExactSentence, ...]:
        """Return the generated sentences of a rule that has an author's sentence."""
        return exact_words(self.books[which], rule) if rule.prose else ()

    def exact_ruling(self, which: int, ruling: graph.Ruling) -> tuple[ExactSentence, ...]:
        """Return the generated sentences of the rules of a ruling."""
        book = self.books[which]
        laws = (book.rules[label] for label in ruling.rules if label in book.rules)
        return tuple(sentence for law in laws for sentence in exact_words(book, law))

    def is_listed_elsewhere(self, change: Change) -> bool:
        """Return whether a rule is listed with its ruling or with what it defines, or a question with its rules."""
        what, label = change.thing
        book = self.books[0] if change.how == "gone" else self.books[1]
        if what != "rule":
            return what == "term" and not (change.now or change.before) and bool(book.terms[label].rules)
        rule = book.rules[label]
        return rule.ruling in book.rulings or self._told_with_its_term(change, rule)

    def advises(self, change: Change, aside: frozenset[str]) -> bool:
        """Return whether a change only concerns advice for computer players."""
        what, name = change.thing
        book = self.books[0] if change.how == "gone" else self.books[1]
        terms = (name,) if what == "term" else book.rules[name].terms if what == "rule" else ()
        return bool(terms) and {chain_of(book, term) for term in terms} <= aside

    def _told_with_its_term(self, change: Change, rule: graph.Rule) -> bool:
        """Return whether a rule is all there is to a question that only one of the books has."""
        other = self.books[1] if change.how == "gone" else self.books[0]
        return change.how != "changed" and _only_defines(rule) and not any(term in other.terms for term in rule.terms)

    def judged(self, change: Change) -> Change:
        """Set sort and impact, and what a new rule was written against."""
        what, label = change.thing
        if what == "ruling":
            book = self.books[0] if change.how == "gone" else self.books[1]
            ruling = book.rulings[label]
            sort = "correction" if change.how == "gone" else ruling.kind or "clarification"
            touched = self._touched((*ruling.clarifies, *self._aims(book, ruling)))
            return self._quoting(replace(change, sort=sort, impact=self._of_ruling(ruling)), touched)
        if what == "rule":
            return self._judged_rule(change, label)
        if change.how == "new":
            return replace(change, sort="addition", impact="minor")
        if what == "procedure" and change.now != change.before and self._same_steps(label):
            return replace(change, sort="clarification", impact="none")
        return replace(change, sort="correction", impact="minor")

    def _judged_rule(self, change: Change, label: str) -> Change:
        base, book = self.books
        impact = self.weights.get(label) or self._unweighed(label)
        if change.how == "new":
            touched = self._touched(target_labels(book.rules[label]))
            sort = "correction" if touched else "addition"
            return self._quoting(replace(change, sort=sort, impact=impact), touched)
        if change.how == "changed" and _logic(book.rules[label]) == _logic(base.rules[label]):
            return replace(change, sort="clarification", impact="none")
        return replace(change, sort="correction", impact=impact)

    def _unweighed(self, label: str) -> str:
        """Return the impact of a rule without a changed answer in any position common to both."""
        return OF_STATUS.get(self.statuses.get(label, ""), MINOR)

    def _of_ruling(self, ruling: graph.Ruling) -> str:
        """Return the impact of a ruling: the one that it states, or that of its rules if greater here."""
        own = (self.weights.get(label) or self._unweighed(label) for label in ruling.rules if label in self.statuses)
        return min((ruling.impact or NONE, *own), key=IMPACTS.index)

    def _aims(self, book: graph.Graph, ruling: graph.Ruling) -> tuple[str, ...]:
        return tuple(label for own in ruling.rules if own in book.rules for label in target_labels(book.rules[own]))

    def _touched(self, labels: tuple[str, ...]) -> tuple[str, ...]:
        """Return the labels that are rules of the base."""
        return tuple(dict.fromkeys(label for label in labels if label in self.books[0].rules))

    def _quoting(self, change: Change, touched: tuple[str, ...]) -> Change:
        base = self.books[0]
        rules = [base.rules[label] for label in touched[:2]]
        quotes = [self.say_rule(0, rule) for rule in rules]
        exact = () if change.before else tuple(part for rule in rules for part in self.exact_rule(0, rule))
        return replace(
            change, touches=touched, before=change.before or " ".join(quotes),
            exact_before=change.exact_before or exact,
        )  # fmt: skip

    def _same_steps(self, key: str) -> bool:
        base, book = self.books
        both = key in base.procedures and key in book.procedures
        return both and _bones(base.procedures[key].body) == _bones(book.procedures[key].body)


Node = TypeVar("Node", graph.Rule, graph.Ruling, graph.Term, graph.Counter, graph.Procedure)


def _differences(
    what: str,
    now: Mapping[str, Node],
    before: Mapping[str, Node],
    say: Callable[[int, Node], str],
    exactly: Callable[[int, Node], tuple[ExactSentence, ...]] = lambda _, __: (),
) -> Iterator[Change]:
    """Compare nodes by name, in the order of the book, removed ones last; titles are set later."""
    for name in sorted(now, key=lambda name: (now[name].origin.layer, now[name].origin.file, now[name].origin.line)):
        new = say(1, now[name])
        if name not in before:
            yield Change("new", "", "", (what, name), "", new, "", exact_now=exactly(1, now[name]))
        elif _bones(now[name]) != _bones(before[name]):
            old = say(0, before[name])
            exact_old, exact_new = exactly(0, before[name]), exactly(1, now[name])
            if old == new and exact_old != exact_new:
                old, new = (" ".join(map(_in_a_row, exact)) for exact in (exact_old, exact_new))
                exact_old = exact_new = ()
            elif old == new and before[name].cites != now[name].cites:
                old, new = (_sourced(text, one) for text, one in ((old, before[name]), (new, now[name])))
            elif old == new:
                old, new = "", f"{new} It reads as before, and works otherwise.".strip()
            yield Change("changed", "", "", (what, name), "", new, old, exact_now=exact_new, exact_before=exact_old)
    for name in sorted(set(before) - set(now)):
        exact = exactly(0, before[name])
        yield Change("gone", "", "", (what, name), "", "", say(0, before[name]), exact_before=exact)


def _in_a_row(sentence: ExactSentence) -> str:
    """Return a generated sentence with its items in one line."""
    items = "; ".join(map(_in_a_row, sentence.items))
    return f"{sentence.text} {items}".strip()


def _procedures(book: graph.Graph, base: graph.Graph) -> Iterator[Change]:
    """Compare procedures by their sentences, and by their steps where these are equal."""
    now, before = without_places(book.procedures), without_places(base.procedures)
    for change in _differences("procedure", now, before, lambda _, one: one.prose):
        old, new = before.get(change.thing[1]), now.get(change.thing[1])
        was, is_ = steps_apart(base, old, book, new)
        told = any(each.prose or each.what == "sequence" for each in (old, new) if each)
        told &= change.how != "changed" or bool(was or is_ or change.before)
        said_before, said_now = (" ".join(step_sentences(each)) for each in (was, is_))
        yield replace(
            change, before=said_before or change.before, now=said_now or change.now, noted=not told,
            steps_before=was, steps_now=is_,
        )  # fmt: skip


def _sourced(said: str, one: graph.Rule | graph.Ruling | graph.Term | graph.Counter | graph.Procedure) -> str:
    """Return a text with its sources."""
    return f"{said} Sources: {', '.join(one.cites) or 'none'}.".strip()


def _speaking(book: graph.Graph) -> dict[str, graph.Rule]:
    """Return the rules in printed order, without those that only represent their ruling, which is compared itself."""
    mine = {label: rule for label, rule in book.rules.items() if not only_ruled(rule)}
    return dict(sorted(mine.items(), key=lambda item: (*written_rank(book, item[1]), item[0])))


def _only_defines(rule: graph.Rule) -> bool:
    return not rule.prose and not rule.ruling and len(rule.terms) == 1


def _sense(book: graph.Graph, term: graph.Term) -> str:
    """Return the default of a question in words, or its meaning."""
    own = (rule for rule in book.rules.values() if rule.terms == (term.name,) and _only_defines(rule))
    return default_sentence(book, term) or " ".join(rule_sentence(book, rule) for rule in own)


def _bare(book: graph.Graph) -> dict[str, graph.Term]:
    """Return terms without their rules, which are compared separately."""
    return {name: replace(term, rules=()) for name, term in book.terms.items()}


def _charts(book: graph.Graph, base: graph.Graph) -> Iterator[Change]:
    """Compare charts cell by cell; a chart that only one book has is one change."""
    for name in sorted({*book.tables, *base.tables}):
        if name not in base.tables or name not in book.tables:
            here, how = (book, "new") if name in book.tables else (base, "gone")
            title = draw_chart(here, here.tables[name]).title
            yield Change(how, "", "", ("chart", name), title, *(("a new chart", "") if how == "new" else ("", title)))
            continue
        now, before = (_cells(each, each.tables[name]) for each in (book, base))
        for cell in (*now, *(cell for cell in before if cell not in now)):
            (called, new), (was, old) = now.get(cell, ("", "")), before.get(cell, ("", ""))
            if new != old:
                how = "new" if cell not in before else "gone" if cell not in now else "changed"
                yield Change(how, "", "", ("cell", cell), called or was, new, old)


def _cells(book: graph.Graph, table: graph.Table) -> dict[str, tuple[str, str]]:
    """Return for each cell, by its name, its printed title and content."""
    chart = draw_chart(book, table)
    called = cell_titles(chart)
    cells = (cell for row in chart.rows for cell in row.cells if cell.kind != "empty")
    return {cell.name: (called[cell.name], cell.text) for cell in cells}


def _counter(book: graph.Graph, counter: graph.Counter) -> str:
    """Return what is printed on a counter: numbers, words as they are printed, and traits."""
    printed = [f"{words.readable_name(name)} {printed_value(book, value)}" for name, value in counter.printed]
    printed += [f"on the back {words.counter(counter.back, book.counters)}"] if counter.back else []
    return ", ".join([*printed, *(words.flag(counter.kind, trait, book.vocabulary) for trait in counter.traits)])


def _logic(rule: graph.Rule) -> object:
    """Return what decides in play: not the prose, the sources or the case of a rule."""
    return _bones((rule.terms, rule.verb, rule.value, rule.names, rule.guard, tuple(sorted(rule.defeats))))


def _bones(node: object) -> object:
    """Remove origins, so that nodes can be compared."""
    if isinstance(node, tuple):
        return tuple(_bones(part) for part in node)
    if is_dataclass(node) and not isinstance(node, type):
        inside = tuple(_bones(getattr(node, field.name)) for field in fields(node) if field.name != "origin")
        return (type(node).__name__, *inside)
    return node
