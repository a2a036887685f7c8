"""Compute the changes from one stack to another, as a player would list them.

The input is the graph of the book, the one that it is compared with, and where their answers differ; the output is a
booklet: topics in the order of the book with their changes, each with the present and the former text and an impact,
and the differences in answers with a position each. Two nodes are equal if they differ in nothing but their origins.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import TypeVar

from compiler.rulebook import booklet
from compiler.rulebook.advisory_questions import common_advisory_questions
from compiler.rulebook.book_differences import printed_changes
from compiler.rulebook.book_order import merged_order, place_of_question, printed_order
from compiler.rulebook.chart_changes import chart_changes
from compiler.rulebook.drawings.counters import printed_text
from compiler.rulebook.drawings.diagrams import draw_position
from compiler.rulebook.exact_words import ExactSentence, exact_words
from compiler.rulebook.factor_changes import comparable_counters, factor_changes
from compiler.rulebook.headings import Heading
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.naming import offered_actions, titles_of_things
from compiler.rulebook.numbering import number_things
from compiler.rulebook.outline import draw_outline
from compiler.rulebook.printed_places import (
    find_printed_places,
    labels_behind_ruling,
    only_ruled,
    page_term,
    target_labels,
)
from compiler.rulebook.register import number_register
from compiler.rulebook.sentences import default_sentence, rule_sentence
from compiler.rulebook.step_changes import differing_steps, without_places
from compiler.rulebook.word_changes import word_change
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.procedure_pairs import procedures_by_keys_of
from runtime.graph.wording import Wording

# The kinds of changes that the booklet lists with the paragraph, chart or counter itself.
ON_PAGES = frozenset({"rule", "question", "cell", "chart", "counter", "factor", "procedure"})
# The impacts of rules without a changed answer in any position common to both, by the evidence on them.
OF_STATUS = {
    "witness": booklet.BESIDE,
    "only": booklet.BESIDE,
    "same": booklet.NO_IMPACT,
    "unknown": booklet.OPEN_IMPACT,
}
_QUESTIONS = "Questions and definitions"
# The topics behind the sections of the book, by the kind of thing.
_TOPICS = {
    "chart": "Charts", "factor": "What counters print", "counter": "Counters",
    "procedure": "Sequence of play and actions", "term": _QUESTIONS, "rule": _QUESTIONS, "ruling": "Rulings",
}  # fmt: skip
REPEALED = "No longer in force"
BROAD = 10  # A change is major if it shows in more than one of this many positions examined.
Node = TypeVar("Node", graph.Rule, graph.Ruling, graph.Term, graph.Counter, graph.Procedure)
_ComparedNode = graph.Rule | graph.Ruling | graph.Term | graph.Counter | graph.Procedure


def compare_books(book: graph.Graph, against: booklet.Baseline) -> booklet.Booklet:
    """Return all differences: rules, rulings, questions, charts, counters, procedures."""
    base = replace(against.graph, procedures=procedures_by_keys_of(book, against.graph))
    outline = draw_outline(book, find_printed_places(book))
    old_outline = draw_outline(base, find_printed_places(base))
    places = merged_order(printed_order(outline), printed_order(old_outline))
    titles = {**titles_of_things(base), **titles_of_things(book), booklet.SEQUENCE: "Sequence of play"}
    old_numbers = number_things(old_outline, number_register(base)) if old_outline else {}
    aside = common_advisory_questions(book, base)
    comparison = _Comparison(book, base, against)
    changes = []
    for change in sorted(comparison.changes(), key=lambda change: places.get(change.thing, (len(places), 0))):
        if not comparison.is_listed_elsewhere(change) and not comparison.is_advice(change, aside):
            number = old_numbers.get(change.thing, "") if change.how == "gone" else ""
            titled = replace(change, title=change.title or titles[change.thing], number=number)
            changes.append(comparison.with_impact(titled))
    other_accounts = [
        (account, word_change(book, base, account))
        for account in against.accounts
        if account.kind not in ON_PAGES and account.operation != "printed"
    ]
    return booklet.Booklet(
        _form(book, base),
        against,
        tuple(_topics(changes, outline, against.title)),
        tuple(_answers(book, base, against, aside, places)),
        tuple(other_accounts),
        tuple(printed_changes(base, book, titles)),
    )


def _topics(
    changes: Iterable[booklet.ListedChange], outline: tuple[Heading, ...], base_title: str
) -> Iterator[booklet.Topic]:
    """Group changes into topics: the sections of the book, then kinds of things, last what is no longer in force."""
    sections = {key: (section.label, section.title) for section in outline for key in printed_order((section,))}
    changes_by_topic: dict[tuple[str, str], list[booklet.ListedChange]] = defaultdict(list)
    for change in changes:
        outside = REPEALED if change.how == "gone" else _TOPICS[change.thing[0]]
        changes_by_topic[sections.get(change.thing, ("", outside))].append(change)
    topics = [(section.label, section.title) for section in outline]
    topics += [("", title) for title in dict.fromkeys((*_TOPICS.values(), REPEALED))]
    for case, title in topics:
        if topic_changes := changes_by_topic.get((case, title)):
            remark = "" if (case, title) != ("", REPEALED) else f"With the numbers that they have in {base_title}."
            yield booklet.Topic(case, title, remark, tuple(topic_changes))


def _answers(
    book: graph.Graph,
    base: graph.Graph,
    against: booklet.Baseline,
    aside: frozenset[str],
    places: Mapping[BookKey, tuple[int, int]],
) -> Iterator[tuple[booklet.QuestionDifference, tuple[booklet.DrawnDifference, ...]]]:
    """Yield the differences in answers with their drawings, in the order of the book, without advice."""
    for question in sorted(against.differences, key=lambda question: place_of_question(book, question.term, places)):
        if page_term(book if question.term in book.terms else base, question.term) in aside:
            continue
        drawn_differences = []
        for difference in question.answer_differences:
            follows = tuple(name for name in difference.follows if name not in aside)
            resting = tuple(name for name in difference.resting if name not in aside)
            speaks = base if difference.drawn_by == base.stack and base.stack != book.stack else book
            drawing = draw_position(speaks, difference.position) if difference.position else None
            shortened = replace(difference, follows=follows, resting=resting)
            drawn_differences.append(booklet.DrawnDifference(shortened, drawing))
        yield question, tuple(drawn_differences)


def _form(book: graph.Graph, base: graph.Graph) -> str:
    """Return whether this is another edition of one stack, a variant of its base, or another game."""
    layers, base_layers = {layer.name for layer in book.layers}, {layer.name for layer in base.layers}
    return "errata" if layers == base_layers else "variant" if base_layers < layers else "games"


class _Comparison:
    """The comparison of two books: their changes, and the impact of each."""

    def __init__(self, book: graph.Graph, base: graph.Graph, against: booklet.Baseline) -> None:
        self.books = (base, book)
        self.statuses = {account.label: account.status for account in against.accounts}
        self.weights: dict[str, str] = {}
        for question in against.differences:
            for difference in question.answer_differences:
                broad = difference.seen * BROAD > question.looked_at >= BROAD
                for label in difference.rules:
                    if broad or label not in self.weights:
                        self.weights[label] = booklet.MAJOR if broad else booklet.MINOR

    def changes(self) -> Iterator[booklet.ListedChange]:
        """Yield the changes of all things."""
        base, book = self.books
        yield from self._differences("rule", _printed_rules(book), _printed_rules(base), self._rule_text)
        yield from self._rulings()
        yield from self._differences("term", _terms_alone(book), _terms_alone(base), _sense)
        yield from chart_changes(book, base)
        yield from factor_changes(book, base)
        counters, old_counters = comparable_counters(book, base), comparable_counters(base, book)
        yield from self._differences("counter", counters, old_counters, _counter_text)
        yield from self._procedures()

    def _differences(
        self,
        kind: str,
        new_nodes: Mapping[str, Node],
        old_nodes: Mapping[str, Node],
        text_of: Callable[[graph.Graph, Node], str],
    ) -> Iterator[booklet.ListedChange]:
        """Compare nodes by name, in the order of the book, removed ones last; titles are set later."""
        base, book = self.books
        for name in sorted(new_nodes, key=lambda name: _written_at(new_nodes[name])):
            new = new_nodes[name]
            if name not in old_nodes:
                yield _listed("new", (kind, name), text_of(book, new), "")
            elif _without_origins(new) != _without_origins(old_nodes[name]):
                old = old_nodes[name]
                now, before = text_of(book, new), text_of(base, old)
                if now == before:
                    now, before = self._texts_of_equal_sentence(old, new, now)
                yield _listed("changed", (kind, name), now, before)
        for name in sorted(set(old_nodes) - set(new_nodes)):
            yield _listed("gone", (kind, name), "", text_of(base, old_nodes[name]))

    def _texts_of_equal_sentence(self, old: _ComparedNode, new: _ComparedNode, text: str) -> tuple[str, str]:
        """Return what differs between things with the same sentence: exact words, else sources, else only play."""
        old_exact, new_exact = (_exact_text(book, node) for book, node in zip(self.books, (old, new), strict=True))
        if old_exact != new_exact:
            return new_exact, old_exact
        if old.cites != new.cites:
            return _text_with_sources(text, new), _text_with_sources(text, old)
        return f"{text} It reads as before, and works otherwise.".strip(), ""

    def _rulings(self) -> Iterator[booklet.ListedChange]:
        """Yield the changes of rulings, without those that have another label in the other book."""
        base, book = self.books
        changes = [*self._differences("ruling", book.rulings, base.rulings, _ruling_text)]
        new_texts = {change.now for change in changes if change.how == "new"}
        old_texts = {change.before for change in changes if change.how == "gone"}
        renamed_texts = new_texts & old_texts
        yield from (change for change in changes if (change.now or change.before) not in renamed_texts)

    def _procedures(self) -> Iterator[booklet.ListedChange]:
        """Compare procedures by their sentences, and by their steps where these are equal."""
        base, book = self.books
        new_procedures, old_procedures = without_places(book.procedures), without_places(base.procedures)
        for change in self._differences("procedure", new_procedures, old_procedures, lambda _, new: new.prose):
            key = change.thing[1]
            removed_steps, added_steps = differing_steps(base, old_procedures.get(key), book, new_procedures.get(key))
            has_steps = bool(removed_steps or added_steps)
            yield replace(change, before=removed_steps, now=added_steps) if has_steps else change

    def _rule_text(self, book: graph.Graph, rule: graph.Rule) -> str:
        return rule.prose or rule_sentence(book, rule)

    def is_listed_elsewhere(self, change: booklet.ListedChange) -> bool:
        """Return whether a rule is listed with its ruling or with what it defines, or a question with its rules.

        A hook that only offers a reaction is listed with that reaction, whose name it has.
        """
        kind, label = change.thing
        other, book = reversed(self.books) if change.how == "gone" else self.books
        if kind == "procedure":
            hook = book.procedures[label]
            offered = offered_actions(hook) if hook.what == "hook" and not hook.prose else ()
            return change.how != "changed" and bool(offered) and other.procedures.keys().isdisjoint(offered)
        if kind == "term":
            return not (change.now or change.before) and bool(book.terms[label].rules)
        if kind != "rule":
            return False
        rule = book.rules[label]
        is_definition = change.how != "changed" and _only_defines(rule)
        return rule.ruling in book.rulings or (is_definition and not any(term in other.terms for term in rule.terms))

    def is_advice(self, change: booklet.ListedChange, aside: frozenset[str]) -> bool:
        """Return whether a change only concerns advice for computer players."""
        kind, name = change.thing
        book = self._home(change)
        terms = (name,) if kind == "term" else book.rules[name].terms if kind == "rule" else ()
        return bool(terms) and {page_term(book, term) for term in terms} <= aside

    def _home(self, change: booklet.ListedChange) -> graph.Graph:
        """Return the book that has a thing: the base only if the thing is gone."""
        return self.books[0] if change.how == "gone" else self.books[1]

    def with_impact(self, change: booklet.ListedChange) -> booklet.ListedChange:
        """Set sort and impact, and what a new rule was written against."""
        kind, label = change.thing
        if kind == "ruling":
            return self._judged_ruling(change, label)
        if kind == "rule":
            return self._judged_rule(change, label)
        if kind == "procedure" and change.now != change.before and self._same_steps(label):
            return replace(change, sort="clarification", impact=booklet.NO_IMPACT)
        if kind in {"term", "procedure"}:
            return replace(change, sort="addition" if change.how == "new" else "correction", impact=booklet.MINOR)
        return change

    def _judged_ruling(self, change: booklet.ListedChange, label: str) -> booklet.ListedChange:
        book = self._home(change)
        ruling = book.rulings[label]
        sort = "correction" if change.how == "gone" else ruling.kind or "clarification"
        judged = replace(change, sort=sort, impact=self._ruling_impact(ruling))
        return self._quoting(judged, labels_behind_ruling(book, ruling))

    def _judged_rule(self, change: booklet.ListedChange, label: str) -> booklet.ListedChange:
        base, book = self.books
        if change.how == "new":
            judged = self._quoting(replace(change, impact=self._impact(label)), target_labels(book.rules[label]))
            return replace(judged, sort="correction" if judged.touches else "addition")
        if change.how == "changed" and _logic(book.rules[label]) == _logic(base.rules[label]):
            return replace(change, sort="clarification", impact=booklet.NO_IMPACT)
        return replace(change, sort="correction", impact=self._impact(label))

    def _impact(self, label: str) -> str:
        """Return the impact of a rule by the answers that change, else by the evidence on it."""
        return self.weights.get(label) or OF_STATUS.get(self.statuses.get(label, ""), booklet.MINOR)

    def _ruling_impact(self, ruling: graph.Ruling) -> str:
        """Return the impact of a ruling: the one that it states, or that of its rules if greater here."""
        rule_impacts = (self._impact(label) for label in ruling.rules if label in self.statuses)
        return min((ruling.impact or booklet.NO_IMPACT, *rule_impacts), key=booklet.IMPACTS.index)

    def _quoting(self, change: booklet.ListedChange, labels: Iterable[str]) -> booklet.ListedChange:
        """Set the rules of the base that a change is written against, and quote the first two of them."""
        base = self.books[0]
        touched = tuple(dict.fromkeys(label for label in labels if label in base.rules))
        quotes = tuple(self._rule_text(base, base.rules[label]) for label in touched[:2])
        return replace(change, touches=touched, before=change.before or quotes)

    def _same_steps(self, key: str) -> bool:
        base, book = self.books
        is_in_both = key in base.procedures and key in book.procedures
        return is_in_both and _without_origins(base.procedures[key].body) == _without_origins(book.procedures[key].body)


def _listed(how: str, thing: BookKey, now: str, before: str) -> booklet.ListedChange:
    return booklet.ListedChange(how, thing, "", (now,) if now else (), (before,) if before else ())


def _written_at(node: _ComparedNode) -> tuple[str, str, int]:
    return node.origin.layer, node.origin.file, node.origin.line


def _printed_rules(book: graph.Graph) -> dict[str, graph.Rule]:
    return {label: rule for label, rule in book.rules.items() if not only_ruled(rule)}


def _terms_alone(book: graph.Graph) -> dict[str, graph.Term]:
    """Return the questions without their rules, which are compared separately."""
    return {name: replace(term, rules=()) for name, term in book.terms.items()}


def _ruling_text(_: graph.Graph, ruling: graph.Ruling) -> str:
    return f"{ruling.asks} {ruling.answers}"


def _exact_text(book: graph.Graph, node: _ComparedNode) -> str:
    """Return the generated sentences of a rule, or of the rules of a ruling, in one line."""
    rules = list[graph.Rule]()
    if isinstance(node, graph.Ruling):
        rules = [book.rules[label] for label in node.rules if label in book.rules]
    elif isinstance(node, graph.Rule) and node.prose:
        rules = [node]
    return " ".join(_one_line_text(sentence) for rule in rules for sentence in exact_words(book, rule))


def _one_line_text(sentence: ExactSentence) -> str:
    """Return a generated sentence with its items in one line."""
    items = "; ".join(map(_one_line_text, sentence.items))
    return f"{sentence.text} {items}".strip()


def _text_with_sources(text: str, node: _ComparedNode) -> str:
    """Return a text with its sources."""
    return f"{text} Sources: {', '.join(node.cites) or 'none'}.".strip()


def _only_defines(rule: graph.Rule) -> bool:
    return not rule.prose and not rule.ruling and len(rule.terms) == 1


def _sense(book: graph.Graph, term: graph.Term) -> str:
    """Return the default of a question in words, or its meaning."""
    rules = (rule for rule in book.rules.values() if rule.terms == (term.name,) and _only_defines(rule))
    return default_sentence(book, term) or " ".join(rule_sentence(book, rule) for rule in rules)


def _counter_text(book: graph.Graph, counter: graph.Counter) -> str:
    """Return what is printed on both sides of a counter."""
    text = printed_text(Wording(book), counter.kind, counter.id, counter.printed, counter.traits)
    return f"{text}; on the back {words.counter(counter.back, book.counters)}" if counter.back else text


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
