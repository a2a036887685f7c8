"""Compute the changes from one stack to another, as a player would list them.

The input is the graph of the book, the one that it is compared with, and where their answers differ; the output is a
booklet: additions, corrections and clarifications, each with the present and the former text and an impact, and the
differences in answers with a position each. Two nodes are equal if they differ in nothing but their origins.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import TypeVar

from compiler.rulebook import booklet
from compiler.rulebook.advisory_questions import common_advisory_questions
from compiler.rulebook.book_differences import printed_changes
from compiler.rulebook.book_order import merged_order, place_of_question, printed_order
from compiler.rulebook.charts import cell_titles, printed_chart
from compiler.rulebook.drawings.counters import printed_value
from compiler.rulebook.drawings.diagrams import draw_position
from compiler.rulebook.exact_words import ExactSentence, exact_words
from compiler.rulebook.factor_changes import comparable_counters, factor_changes
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.naming import offered_actions, titles_of_things
from compiler.rulebook.numbering import number_things
from compiler.rulebook.outline import draw_outline
from compiler.rulebook.printed_places import find_printed_places, only_ruled, page_term, target_labels
from compiler.rulebook.register import number_register
from compiler.rulebook.sentences import default_sentence, rule_sentence
from compiler.rulebook.source_order import written_rank
from compiler.rulebook.step_changes import differing_steps, step_sentences, without_places
from compiler.rulebook.word_changes import word_change
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.procedure_pairs import procedures_by_keys_of

# Kinds of changes that the booklet lists with the paragraph, chart or counter itself.
ON_PAGES = frozenset({"rule", "question", "cell", "chart", "counter", "factor", "procedure"})
# The impacts of rules without a changed answer in any position common to both, by the evidence on them.
OF_STATUS = {
    "witness": booklet.BESIDE,
    "only": booklet.BESIDE,
    "same": booklet.NO_IMPACT,
    "unknown": booklet.OPEN_IMPACT,
}
# What has no place among rules and rulings stands behind them, in this order; a sort of things keeps its own.
SORTED = {"chart": 1, "cell": 2, "counter": 3, "procedure": 4, "term": 5}
BROAD = 10  # A change is major if it shows in more than one of this many positions examined.


def compare_books(book: graph.Graph, against: booklet.Baseline) -> booklet.Booklet:
    """Return all differences: rules, rulings, questions, charts cell by cell, counters, procedures."""
    base = replace(against.graph, procedures=procedures_by_keys_of(book, against.graph))
    judge = _ChangeClassifier(book, base, against)
    found = [
        *_differences("rule", _compared_rules(book), _compared_rules(base), judge.rule_sentence, judge.exact_rule),
        *_differences(
            "ruling", book.rulings, base.rulings, lambda _, one: f"{one.asks} {one.answers}", judge.exact_ruling
        ),
        *_differences(
            "term",
            _terms_without_rules(book),
            _terms_without_rules(base),
            lambda which, term: _sense((base, book)[which], term),
        ),
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
    aside = common_advisory_questions(book, base)
    named = {**titles_of_things(base), **titles_of_things(book), booklet.SEQUENCE: "Sequence of play"}
    outline = draw_outline(base, find_printed_places(base))
    numbers = number_things(outline, number_register(base)) if any(change.how == "gone" for change in found) else {}
    places = merged_order(printed_order(draw_outline(book, find_printed_places(book))), printed_order(outline))
    found.sort(key=lambda change: (SORTED.get(change.thing[0], 0), places.get(change.thing, (len(places), 0))))
    changes = [
        judge.with_impact(replace(change, title=change.title or named[change.thing], number=_number(change, numbers)))
        for change in found
        if not judge.is_listed_elsewhere(change) and not judge.is_advice(change, aside)
    ]
    answers = tuple(
        (
            parted,
            tuple(
                _draw_difference(book, base, _without_advisory(difference, aside))
                for difference in parted.answer_differences
            ),
        )
        for parted in against.differences
        if page_term(book if parted.term in book.terms else base, parted.term) not in aside
    )
    answers = tuple(sorted(answers, key=lambda each: place_of_question(book, each[0].term, places)))
    word_accounts = (each for each in against.accounts if each.kind not in ON_PAGES and each.operation != "printed")
    return booklet.Booklet(
        _form(book, base),
        against,
        tuple(changes),
        answers,
        tuple((each, word_change(book, base, each)) for each in word_accounts),
        tuple(printed_changes(base, book, named)),
    )


def _without_advisory(difference: booklet.AnswerDifference, aside: frozenset[str]) -> booklet.AnswerDifference:
    follows, resting = (
        tuple(name for name in names if name not in aside) for names in (difference.follows, difference.resting)
    )
    return replace(difference, follows=follows, resting=resting)


def _number(change: booklet.ListedChange, numbers: dict[BookKey, str]) -> str:
    return numbers.get(change.thing, "") if change.how == "gone" else ""


def _form(book: graph.Graph, base: graph.Graph) -> str:
    """Return whether this is another edition of one stack, a variant of its base, or another game."""
    layers, base_layers = ({layer.name for layer in each.layers} for each in (book, base))
    return "errata" if layers == base_layers else "variant" if base_layers < layers else "games"


def _draw_difference(
    book: graph.Graph, base: graph.Graph, difference: booklet.AnswerDifference
) -> booklet.DrawnDifference:
    speaks = base if difference.drawn_by == base.stack and base.stack != book.stack else book
    return booklet.DrawnDifference(
        difference, draw_position(speaks, difference.position) if difference.position else None
    )


class _ChangeClassifier:
    """Classifies changes and determines their impact."""

    def __init__(self, book: graph.Graph, base: graph.Graph, against: booklet.Baseline) -> None:
        self.books = (base, book)
        self.statuses = {each.label: each.status for each in against.accounts}
        self.weights: dict[str, str] = {}
        for parted in against.differences:
            for difference in parted.answer_differences:
                broad = difference.seen * BROAD > parted.looked_at >= BROAD
                for label in (*difference.rules, *difference.against):
                    if broad or label not in self.weights:
                        self.weights[label] = "major" if broad else "minor"

    def rule_sentence(self, which: int, rule: graph.Rule) -> str:
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

    def is_listed_elsewhere(self, change: booklet.ListedChange) -> bool:
        """Return whether a rule is listed with its ruling or with what it defines, or a question with its rules.

        A hook that only offers a reaction is listed with that reaction, whose name it has.
        """
        kind, label = change.thing
        book = self.books[0] if change.how == "gone" else self.books[1]
        if kind == "procedure":
            hook = book.procedures[label]
            other = self.books[1] if change.how == "gone" else self.books[0]
            offered = offered_actions(hook) if hook.what == "hook" and not hook.prose else ()
            return change.how != "changed" and bool(offered) and other.procedures.keys().isdisjoint(offered)
        if kind != "rule":
            return kind == "term" and not (change.now or change.before) and bool(book.terms[label].rules)
        rule = book.rules[label]
        return rule.ruling in book.rulings or self._is_described_with_term(change, rule)

    def is_advice(self, change: booklet.ListedChange, aside: frozenset[str]) -> bool:
        """Return whether a change only concerns advice for computer players."""
        kind, name = change.thing
        book = self.books[0] if change.how == "gone" else self.books[1]
        terms = (name,) if kind == "term" else book.rules[name].terms if kind == "rule" else ()
        return bool(terms) and {page_term(book, term) for term in terms} <= aside

    def _is_described_with_term(self, change: booklet.ListedChange, rule: graph.Rule) -> bool:
        """Return whether a rule is all there is to a question that only one of the books has."""
        other = self.books[1] if change.how == "gone" else self.books[0]
        return change.how != "changed" and _only_defines(rule) and not any(term in other.terms for term in rule.terms)

    def with_impact(self, change: booklet.ListedChange) -> booklet.ListedChange:
        """Set sort and impact, and what a new rule was written against."""
        kind, label = change.thing
        if kind == "ruling":
            book = self.books[0] if change.how == "gone" else self.books[1]
            ruling = book.rulings[label]
            sort = "correction" if change.how == "gone" else ruling.kind or "clarification"
            touched = self._touched((*ruling.clarifies, *self._defeated_labels(book, ruling)))
            return self._quoting(replace(change, sort=sort, impact=self._ruling_impact(ruling)), touched)
        if kind == "rule":
            return self._judged_rule(change, label)
        if change.how == "new":
            return replace(change, sort="addition", impact="minor")
        if kind == "procedure" and change.now != change.before and self._same_steps(label):
            return replace(change, sort="clarification", impact="none")
        return replace(change, sort="correction", impact="minor")

    def _judged_rule(self, change: booklet.ListedChange, label: str) -> booklet.ListedChange:
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
        return OF_STATUS.get(self.statuses.get(label, ""), booklet.MINOR)

    def _ruling_impact(self, ruling: graph.Ruling) -> str:
        """Return the impact of a ruling: the one that it states, or that of its rules if greater here."""
        rule_impacts = (
            self.weights.get(label) or self._unweighed(label) for label in ruling.rules if label in self.statuses
        )
        return min((ruling.impact or booklet.NO_IMPACT, *rule_impacts), key=booklet.IMPACTS.index)

    def _defeated_labels(self, book: graph.Graph, ruling: graph.Ruling) -> tuple[str, ...]:
        return tuple(
            label
            for rule_label in ruling.rules
            if rule_label in book.rules
            for label in target_labels(book.rules[rule_label])
        )

    def _touched(self, labels: tuple[str, ...]) -> tuple[str, ...]:
        """Return the labels that are rules of the base."""
        return tuple(dict.fromkeys(label for label in labels if label in self.books[0].rules))

    def _quoting(self, change: booklet.ListedChange, touched: tuple[str, ...]) -> booklet.ListedChange:
        base = self.books[0]
        rules = [base.rules[label] for label in touched[:2]]
        quotes = [self.rule_sentence(0, rule) for rule in rules]
        exact = () if change.before else tuple(part for rule in rules for part in self.exact_rule(0, rule))
        return replace(
            change, touches=touched, before=change.before or " ".join(quotes),
            exact_before=change.exact_before or exact,
        )  # fmt: skip

    def _same_steps(self, key: str) -> bool:
        base, book = self.books
        is_in_both = key in base.procedures and key in book.procedures
        return is_in_both and _without_origins(base.procedures[key].body) == _without_origins(book.procedures[key].body)


Node = TypeVar("Node", graph.Rule, graph.Ruling, graph.Term, graph.Counter, graph.Procedure)


def _differences(
    kind: str,
    new_nodes: Mapping[str, Node],
    old_nodes: Mapping[str, Node],
    say: Callable[[int, Node], str],
    exactly: Callable[[int, Node], tuple[ExactSentence, ...]] = lambda _, __: (),
) -> Iterator[booklet.ListedChange]:
    """Compare nodes by name, in the order of the book, removed ones last; titles are set later."""
    for name in sorted(
        new_nodes,
        key=lambda name: (new_nodes[name].origin.layer, new_nodes[name].origin.file, new_nodes[name].origin.line),
    ):
        new = say(1, new_nodes[name])
        if name not in old_nodes:
            yield booklet.ListedChange("new", "", "", (kind, name), "", new, "", exact_now=exactly(1, new_nodes[name]))
        elif _without_origins(new_nodes[name]) != _without_origins(old_nodes[name]):
            old = say(0, old_nodes[name])
            exact_old, exact_new = exactly(0, old_nodes[name]), exactly(1, new_nodes[name])
            if old == new and exact_old != exact_new:
                old, new = (" ".join(map(_one_line_text, exact)) for exact in (exact_old, exact_new))
                exact_old = exact_new = ()
            elif old == new and old_nodes[name].cites != new_nodes[name].cites:
                old, new = (
                    _text_with_sources(text, node) for text, node in ((old, old_nodes[name]), (new, new_nodes[name]))
                )
            elif old == new:
                old, new = "", f"{new} It reads as before, and works otherwise.".strip()
            yield booklet.ListedChange(
                "changed", "", "", (kind, name), "", new, old, exact_now=exact_new, exact_before=exact_old
            )
    for name in sorted(set(old_nodes) - set(new_nodes)):
        exact = exactly(0, old_nodes[name])
        yield booklet.ListedChange("gone", "", "", (kind, name), "", "", say(0, old_nodes[name]), exact_before=exact)


def _one_line_text(sentence: ExactSentence) -> str:
    """Return a generated sentence with its items in one line."""
    items = "; ".join(map(_one_line_text, sentence.items))
    return f"{sentence.text} {items}".strip()


def _procedures(book: graph.Graph, base: graph.Graph) -> Iterator[booklet.ListedChange]:
    """Compare procedures by their sentences, and by their steps where these are equal."""
    new_procedures, old_procedures = without_places(book.procedures), without_places(base.procedures)
    for change in _differences("procedure", new_procedures, old_procedures, lambda _, one: one.prose):
        old, new = old_procedures.get(change.thing[1]), new_procedures.get(change.thing[1])
        removed_steps, added_steps = differing_steps(base, old, book, new)
        is_described = any(each.prose or each.what == "sequence" for each in (old, new) if each)
        is_described &= change.how != "changed" or bool(removed_steps or added_steps or change.before)
        said_before, said_now = (" ".join(step_sentences(each)) for each in (removed_steps, added_steps))
        yield replace(
            change, before=said_before or change.before, now=said_now or change.now, noted=not is_described,
            steps_before=removed_steps, steps_now=added_steps,
        )  # fmt: skip


def _text_with_sources(
    text: str, node: graph.Rule | graph.Ruling | graph.Term | graph.Counter | graph.Procedure
) -> str:
    """Return a text with its sources."""
    return f"{text} Sources: {', '.join(node.cites) or 'none'}.".strip()


def _compared_rules(book: graph.Graph) -> dict[str, graph.Rule]:
    """Return the rules in printed order, without those that only represent their ruling, which is compared itself."""
    rules = {label: rule for label, rule in book.rules.items() if not only_ruled(rule)}
    return dict(sorted(rules.items(), key=lambda item: (*written_rank(book, item[1]), item[0])))


def _only_defines(rule: graph.Rule) -> bool:
    return not rule.prose and not rule.ruling and len(rule.terms) == 1


def _sense(book: graph.Graph, term: graph.Term) -> str:
    """Return the default of a question in words, or its meaning."""
    rules = (rule for rule in book.rules.values() if rule.terms == (term.name,) and _only_defines(rule))
    return default_sentence(book, term) or " ".join(rule_sentence(book, rule) for rule in rules)


def _terms_without_rules(book: graph.Graph) -> dict[str, graph.Term]:
    """Return terms without their rules, which are compared separately."""
    return {name: replace(term, rules=()) for name, term in book.terms.items()}


def _charts(book: graph.Graph, base: graph.Graph) -> Iterator[booklet.ListedChange]:
    """Compare charts cell by cell; a chart that only one book has is one change."""
    for name in sorted({*book.tables, *base.tables}):
        if name not in base.tables or name not in book.tables:
            source_book, operation = (book, "new") if name in book.tables else (base, "gone")
            title = printed_chart(source_book, source_book.tables[name]).title
            yield booklet.ListedChange(
                operation, "", "", ("chart", name), title, *(("a new chart", "") if operation == "new" else ("", title))
            )
            continue
        new_title, old_title = (printed_chart(each, each.tables[name]).title for each in (book, base))
        if new_title != old_title:
            now, before = (f"The chart is titled “{title}”." for title in (new_title, old_title))
            yield booklet.ListedChange("changed", "", "", ("chart", name), new_title, now, before)
        new_cells, old_cells = (_cells(each, each.tables[name]) for each in (book, base))
        for cell in (*new_cells, *(cell for cell in old_cells if cell not in new_cells)):
            (new_head, new), (old_head, old) = new_cells.get(cell, ("", "")), old_cells.get(cell, ("", ""))
            if new != old:
                operation = "new" if cell not in old_cells else "gone" if cell not in new_cells else "changed"
                yield booklet.ListedChange(operation, "", "", ("cell", cell), new_head or old_head, new, old)


def _cells(book: graph.Graph, table: graph.Table) -> dict[str, tuple[str, str]]:
    """Return for each cell, by its name, its printed title and content."""
    chart = printed_chart(book, table)
    called = cell_titles(chart)
    cells = (cell for row in chart.rows for cell in row.cells if cell.kind != "empty")
    return {cell.name: (called[cell.name], cell.text) for cell in cells}


def _counter(book: graph.Graph, counter: graph.Counter) -> str:
    """Return what is printed on a counter: numbers, words as they are printed, and traits."""
    printed = [
        f"{words.factor_name(name, book.vocabulary)} {printed_value(book, value)}" for name, value in counter.printed
    ]
    printed += [f"on the back {words.counter(counter.back, book.counters)}"] if counter.back else []
    return ", ".join([*printed, *(words.flag(counter.kind, trait, book.vocabulary) for trait in counter.traits)])


def _logic(rule: graph.Rule) -> object:
    """Return what decides in play: not the prose, the sources or the case of a rule."""
    return _without_origins((rule.terms, rule.verb, rule.value, rule.names, rule.guard, tuple(sorted(rule.defeats))))


def _without_origins(node: object) -> object:
    """Remove origins, so that nodes can be compared."""
    if isinstance(node, tuple):
        return tuple(_without_origins(part) for part in node)
    if is_dataclass(node) and not isinstance(node, type):
        parts = tuple(_without_origins(getattr(node, field.name)) for field in fields(node) if field.name != "origin")
        return (type(node).__name__, *parts)
    return node
