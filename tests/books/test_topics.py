"""The page of changes by topic, which players read before a game."""

from dataclasses import replace

from compiler.rulebook.booklet import Baseline, ListedChange
from compiler.rulebook.changes import compare_books
from compiler.rulebook.contents import gather_contents
from compiler.rulebook.evidence import unplayed_outcomes
from compiler.rulebook.headings import RuleEntry, entries_of
from compiler.rulebook.topics import REPEALED, Topic, group_by_topic, topic_lines
from tests.books.fair import fair
from tests.books.site import write_book
from tests.toys.hares import hares


def change(how: str, kind: str, label: str, impact: str = "minor") -> ListedChange:
    return ListedChange(
        how, "addition", impact, (kind, label), "Title", "It is so. More of it.", "It was so. And more."
    )


def test_changes_are_grouped_by_section_with_removed_ones_last() -> None:
    book = fair()
    outline = gather_contents(book, unplayed_outcomes(book), None).outline
    section, label = next(
        (section, entry.label) for section in outline for entry in entries_of(section) if isinstance(entry, RuleEntry)
    )
    silent = ListedChange(
        "new", "addition", "minor", ("procedure", "hook:moved#1"), "Moved", "It is so.", "", noted=True
    )
    changes = (
        silent,
        change("gone", "rule", "was-here"),
        change("new", "counter", "cart"),
        change("new", "rule", label),
    )
    found = group_by_topic((*changes, change("changed", "rule", label, "none"), change("new", "term", "pace")), outline)
    assert [topic.title for topic in found] == [section.title, "Counters", REPEALED]
    assert found[0].case == section.label
    assert [len(topic.changes) for topic in found] == [1, 1, 1]


def test_cells_are_listed_by_column() -> None:
    new, changed, gone = (
        ListedChange(how, "", "", ("cell", f"t[{row}]"), f"Prices: {row}, cart", now, before)
        for how, row, now, before in (("new", "mud", "2", ""), ("changed", "sand", "3", "1"), ("gone", "sea", "", "9"))
    )
    other = ListedChange("new", "", "", ("cell", "t[x]"), "Prices: mud, walker", "1", "")
    lines = [text for text, _ in topic_lines(Topic("", "Charts", (new, other, changed, gone)), fair())]
    assert lines == ["Prices, cart: mud 2; sand 3 (was 1).", "Prices, walker: mud 1.", "Prices, cart: sea 9."]


def test_a_hook_with_another_number_is_no_change() -> None:
    book = hares()
    key, hook = next((key, each) for key, each in book.procedures.items() if each.what == "hook")
    moved = {f"{name}9" if each.what == "hook" else name: each for name, each in book.procedures.items()}
    added = replace(hook, prose="Another one.", body=hook.body[:1] * 3, origin=replace(hook.origin, layer="other"))
    changes = compare_books(replace(book, procedures={**moved, key: added}), Baseline(book, "the hares")).changes
    assert [(change.how, change.thing) for change in changes] == [("new", ("procedure", key))]


def test_a_new_question_is_listed_with_its_rules() -> None:
    book = fair()
    [term] = (each for each in book.terms.values() if each.name == "may_enter")
    less = replace(
        book,
        terms={name: each for name, each in book.terms.items() if name != term.name},
        rules={label: rule for label, rule in book.rules.items() if term.name not in rule.terms},
    )
    page = write_book(book, against=Baseline(less, "the fair"))["changes.html"].decode()
    question = page.partition("Unless a rule says otherwise, ")[2]
    assert all(f"#{label}" in question.partition("</p></li>")[0] for label in term.rules), question[:2000]


def test_a_removed_rule_keeps_its_number() -> None:
    book = fair()
    contents = gather_contents(book, unplayed_outcomes(book), None)
    label = next(label for label in book.rules if ("rule", label) in contents.numbers)
    terms = {
        name: replace(term, rules=tuple(each for each in term.rules if each != label))
        for name, term in book.terms.items()
    }
    less = replace(book, rules={each: rule for each, rule in book.rules.items() if each != label}, terms=terms)
    [gone] = (each for each in compare_books(less, Baseline(book, "the fair")).changes if each.thing == ("rule", label))
    assert (gone.how, gone.number) == ("gone", contents.numbers["rule", label])
