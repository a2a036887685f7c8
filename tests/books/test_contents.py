"""The contents of pages and their order: cases, rulings beside their rules, sentences, trees, changes."""

import itertools
import re
from dataclasses import replace

import pytest

from compiler.rulebook.booklet import AnswerDifference, Baseline, CardDifference, ChangeEvidence, QuestionDifference
from compiler.rulebook.changes import compare_books
from compiler.rulebook.charts import printed_chart
from compiler.rulebook.contents import Contents
from compiler.rulebook.drawings.tints import LEAST_DISTANCE, side_tint, tint_distance, tint_of
from compiler.rulebook.evidence import unplayed_outcomes
from compiler.rulebook.headings import RuleEntry, RulingEntry, entries_of, headings_of
from compiler.rulebook.index import keywords
from compiler.rulebook.outline import draw_outline
from compiler.rulebook.paper.typst_writer import write_book_text
from compiler.rulebook.printed_places import find_printed_places
from compiler.rulebook.sentences import question_text
from compiler.rulebook.titles import book_title, short_title
from compiler.source.numbering import register_key
from rulewright.library.stacks import open_packages
from runtime.graph import nodes as graph
from tests.books.fair import at, crowded, fair
from tests.books.gathered import contents_of
from tests.books.site import broken_links, read_page, site, write_book
from tests.toys.build import amount, ask, num, params, row, rule, table, term


def words(path: str) -> str:
    """Read a page of the game as running text."""
    return re.sub(r"\s+", " ", read_page(site("fair")[path]).text)


def numbers(book: graph.Graph) -> dict[str, str]:
    outline = draw_outline(book, find_printed_places(book))
    return {
        entry.label: entry.number
        for section in outline
        for entry in entries_of(section)
        if isinstance(entry, RuleEntry)
    }


def printed_in(book: graph.Graph, heading: str) -> list[str]:
    """List the rules and rulings under a case and its parts."""
    for section in draw_outline(book, find_printed_places(book)):
        for one in headings_of(section):
            if one.label == heading:
                return [each.label if isinstance(each, RuleEntry) else each.ruling for each in entries_of(one)]
    return []


def test_rulings_without_a_rule_are_placed_by_their_question_or_source() -> None:
    book = fair()
    dear = graph.Ruling("is-hay-dear", "clarification", "none", "Dear?", "No.", (), ("hay-is",), (), at(95))
    wet = graph.Ruling("is-hay-wet", "clarification", "none", "Wet?", "No.", (), (), ("Q.HAY.02",), at(95))
    terms = {**book.terms, "hay": term("value", "hay", amount(0, 9), (), rules=("hay-is",))}
    rules = {
        **book.rules,
        "hay-is": rule("hay-is", "hay", "is", num(1), prose="", origin=at(96)),
        "tall-pushes": replace(book.rules["tall-pushes"], guard=graph.Op("=", (ask("hay"), num(1)))),
        "chart-price": replace(book.rules["chart-price"], cites=("Q.HAY.01",)),
    }
    book = replace(book, terms=terms, rules=rules, rulings={**book.rulings, dear.label: dear, wet.label: wet})
    assert "is-hay-dear" in printed_in(book, "pushing")
    assert "is-hay-wet" in printed_in(book, "prices")
    assert "nothing-to-do" in printed_in(book, "further-rules")  # It cites no document and clarifies no rule.
    assert {"is-hay-dear", "is-hay-wet"} & {*printed_in(book, "further-rules")} == set()


def test_a_rule_without_a_case_goes_where_its_question_is_asked() -> None:
    book = fair()
    terms = {**book.terms, "hay": term("value", "hay", amount(0, 9), (), rules=("hay-is",))}
    rules = {
        **book.rules,
        "hay-is": rule("hay-is", "hay", "is", num(1), prose="Hay is dear.", origin=at(96)),
        "tall-pushes": replace(book.rules["tall-pushes"], guard=graph.Op("=", (ask("hay"), num(1)))),
    }
    book = replace(book, terms=terms, rules=rules)
    assert book.rules["hay-is"].origin.layer == book.layers[0].name
    assert "hay-is" in printed_in(book, "pushing")
    assert "hay-is" not in printed_in(book, "further-rules")


def test_sections_are_grouped_by_layer() -> None:
    book = fair()
    [layer] = book.layers
    layers = (layer, graph.Layer("more", "optional", "More Carts", ("carts",), ()))
    many = {f"case-{n}": graph.Case(f"case-{n}", f"Case {n}", "", "", replace(at(n), layer="more")) for n in range(8)}
    rules = {
        f"more-{n}": rule(f"more-{n}", "price", "is", num(1), case=f"case-{n}", origin=at(300 + n)) for n in range(8)
    }
    full = replace(book, layers=layers, cases={**book.cases, **many}, rules={**book.rules, **rules})
    contents = Contents(full, (), None)
    assert [title for title, _ in contents.section_groups] == ["Carts", "More Carts"]
    assert all(len(sections) <= 9 for _, sections in contents.section_groups)
    assert [title for title, _ in Contents(book, (), None).section_groups] == [""]
    assert contents.play_number == "1"


def test_no_number_is_given_twice() -> None:
    for book in (fair(), crowded()):
        given = numbers(book)
        assert len(set(given.values())) == len(given)


def test_every_rule_and_ruling_has_one_place() -> None:
    book = fair()
    printed_places = find_printed_places(book)
    placed = [entry for section in draw_outline(book, printed_places) for entry in entries_of(section)]
    rules = [entry.label for entry in placed if isinstance(entry, RuleEntry)]
    rulings = [entry.ruling for entry in placed if isinstance(entry, RulingEntry)]
    assert sorted(rulings) == sorted(book.rulings)
    assert sorted(rules) == sorted(
        set(book.rules) - {"only-asked"} - {one for one in book.rules if printed_places.only_defines(book.rules[one])}
    )


def test_a_chart_of_two_enumerated_keys_is_a_grid() -> None:
    book = fair()
    assert not printed_chart(book, book.tables["prices"]).grid
    crossing = table(
        "t",
        params(a=amount(0, 1), b=amount(0, 1)),
        (("", amount(0, 9)),),
        [row(a, b, value=a) for a in (0, 1) for b in (0, 1)],
    )
    chart = printed_chart(book, crossing)
    assert chart.grid
    assert chart.heads == ("0", "1")
    assert [[cell.text for cell in line.cells] for line in chart.rows] == [["0", "0"], ["1", "1"]]


def test_a_range_to_the_end_of_its_domain_is_or_more() -> None:
    ranged = [replace(row(low, value=low), keys=((graph.Match(low, high),),)) for low, high in ((0, 6), (7, 160))]
    chart = printed_chart(fair(), table("t", params(a=amount(0, 160)), (("", amount(0, 9)),), tuple(ranged)))
    assert [line.heads for line in chart.rows] == [("0 to 6",), ("7 or more",)]


def test_a_term_and_its_definition_are_one_entry_of_a_source() -> None:
    book = fair()
    cited = replace(term("value", "hay", amount(0, 9), (), reads="the hay"), rules=("hay",), cites=("Q.9",))
    hay = rule("hay", "hay", "is", num(1), prose="", cites=("Q.9",), origin=at(98))
    files = write_book(replace(book, terms={**book.terms, "hay": cited}, rules={**book.rules, "hay": hay}))
    page = files["sources.html"].decode()
    assert page.partition('id="Q.9"')[2].partition("</div>")[0].count("The hay") == 1


def test_a_cell_with_its_own_source_has_a_note() -> None:
    rows = (row(0, value=1), replace(row(1, value=2), cites=("Q.9",)))
    chart = printed_chart(fair(), table("t", params(a=amount(0, 1)), (("", amount(0, 9)),), rows))
    assert [line.cells[0].note for line in chart.rows] == ["", "a"]
    assert chart.notes == (("a", ("Q.9",)),)


def test_a_booklet_lists_only_changes() -> None:
    old = fair()
    slower = replace(old.rules["chart-price"], prose="Every hex costs more.")
    free = replace(old.rules["lane-price"], defeats=("chart-price",), relations=())
    rules = {label: one for label, one in old.rules.items() if label != "no-price"}
    rules |= {"chart-price": slower, "lane-price": free}
    prices = old.tables["prices"]
    dearer = replace(prices, rows=(replace(prices.rows[0], value=num(9, "MP")), *prices.rows[1:]))
    terms = {
        name: replace(term, rules=tuple(r for r in term.rules if r != "no-price")) for name, term in old.terms.items()
    }
    dear = replace(old, rules=rules, terms=terms, tables={**old.tables, "prices": dearer}, stack="carts+dear")
    files = write_book(dear, against=Baseline(old, "the carts"))
    text = re.sub(r"\s+", " ", read_page(files["changes.html"]).text)
    assert "3.21 Chart price changed clarification no impact Before: The price of a hex stands in the chart." in text
    assert "Now: Every hex costs more." in text
    assert "No price gone minor impact" in text
    assert "9 (was 1)" in text
    assert "One hex" not in text
    assert not [*broken_links(files)]


def test_a_question_of_a_difference_is_printed_as_a_sentence() -> None:
    spots = (graph.Spot("piece", "K"), graph.Spot("hex", "A"), graph.Spot("hex", "B"))
    assert question_text(fair(), "may_enter", spots) == "Whether K may enter B from A"
    plan = graph.New("plan", (("carts", graph.SetOf(())), ("aim", graph.Spot("hex", "B"))))
    book = fair()
    term = replace(book.terms["cover"], reads="the cover of the plan", parameters=())
    book = replace(book, terms={**book.terms, "cover": term})
    assert question_text(book, "cover", (plan,)) == "The cover of the plan (aim: B)"


def test_changes_are_printed_without_labels() -> None:
    old = fair()
    answer_difference = AnswerDifference(
        ("hedges-stop-wheels", "old-hedges"),
        (),
        1,
        "Whether K may enter B",
        "yes",
        "no",
        None,
        "carts",
        resting=(),
    )
    parted = QuestionDifference("may_enter", 1, 2, (answer_difference,))
    page = write_book(old, against=Baseline(old, "the old fair", (parted,)))["changes.html"]
    text = read_page(page).text
    assert "Whether K may enter B:" in text
    assert "“Old hedges”" in text
    assert "old-hedges" not in text


def test_a_booklet_without_changes_states_that_nothing_differs() -> None:
    text = read_page(write_book(fair(), against=Baseline(fair(), "the carts"))["changes.html"]).text
    assert "Nothing differs." in text


def test_a_booklet_lists_scenarios_that_differ() -> None:
    against = Baseline(fair(), "the carts", cards=(CardDifference("A market (market)", ("turns: 5 instead of 6",)),))
    text = read_page(write_book(fair(), against=against)["changes.html"]).text
    assert "Nothing differs." not in text
    assert "Nothing else differs. Situations 1 A market (market) turns: 5 instead of 6" in " ".join(text.split())


def test_the_index_has_cross_references_and_titles_of_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keywords, "FEW_PLACES", 0)
    book = fair()
    [layer] = book.layers
    see = (("fence", ("hedge", "wall")), ("hedge", ("pushing", "prices")), ("moat", ("water",)))
    changed = replace(book, layers=(replace(layer, see=see),))
    found = {entry.word: entry for entry in Contents(changed, unplayed_outcomes(changed), None).keywords}
    assert found["fence"].cross_references == ("hedge",)
    assert found["fence"].places == ()
    assert ("rule", "hedges-stop-wheels") in found["hedge"].places
    assert ("chart", "prices") in found["prices"].places, "players look up a chart by its title"
    assert "moat" not in found


def test_items_without_a_citation_are_listed() -> None:
    book = replace(fair(), documents=(graph.Document("Q", "Questions", "", (("HAY", 2),), (("HAY", "Fodder"),)),))
    page = read_page(write_book(book)["sources.html"])
    assert {"Q.HAY.01", "Q.HAY.02", "Q.1"} <= set(page.anchors)
    assert "Fodder" in page.text
    assert "not in this book" in page.text


def test_site_and_paper_print_equal_counts() -> None:
    book = fair()
    contents = Contents(book, unplayed_outcomes(book), None)
    assert re.fullmatch(r"\d+ rules, \d+ rulings?, \d+ charts?, \d+ examples", contents.counts_text)
    assert f"{contents.counts_text}." in write_book(book)["index.html"].decode()
    paper = write_book_text(contents, "The Fair")["main"].decode()
    assert contents.counts_text in paper
    printed_count, example_count = paper.count("#example("), sum(map(len, contents.examples.values()))
    assert 0 < printed_count < example_count
    assert f", of which {example_count - printed_count} are only on the pages of the site.]" in paper


def test_reasons_are_resolved_to_printed_entries() -> None:
    book = fair()
    contents = Contents(book, unplayed_outcomes(book), None)
    [counter, *_] = book.counters
    reasons = ["chart-price", "light-loads", "outcomes[poor, 6]", f"counter {counter}"]
    assert [contents.thing_of_reason(label)[0] for label in reasons] == ["rule", "ruling", "cell", "counter"]
    assert all(contents.thing_of_reason(label) in contents.titles for label in reasons)
    assert contents.thing_of_reason("nothing here") == ("rule", "nothing here")


def without_rule(book: graph.Graph, label: str) -> graph.Graph:
    """Return the game without a rule, also in the terms it defines."""
    terms = {
        name: replace(term, rules=tuple(each for each in term.rules if each != label))
        for name, term in book.terms.items()
    }
    return replace(book, rules={name: rule for name, rule in book.rules.items() if name != label}, terms=terms)


def test_the_impact_of_a_change_follows_from_its_report() -> None:
    old = fair()
    label = next(label for label, rule in old.rules.items() if not rule.ruling and rule.prose and rule.terms)
    wider = {
        **old.vocabulary.enums,
        "side": replace(old.vocabulary.enums["side"], members=old.vocabulary.enums["side"].members[:1]),
    }
    base = replace(without_rule(old, label), vocabulary=replace(old.vocabulary, enums=wider))
    statuses = [("witness", "beside"), ("only", "beside"), ("same", "none"), ("unknown", "open")]
    for status, impact in statuses:
        changes = (
            ChangeEvidence("rule", label, "new", status, ""),
            ChangeEvidence("enum", "enum side", "changed", "same", ""),
        )
        booklet = compare_books(old, Baseline(base, "the base", accounts=changes))
        assert [each.impact for each in booklet.changes if each.thing == ("rule", label)] == [impact]
        [(_, sentence)] = booklet.words
        assert sentence.startswith("Side: now also ")


def test_sides_of_a_game_have_distinct_tints() -> None:
    """The first side of a shipped game keeps the tint of its name; the others are at least `LEAST_DISTANCE` apart."""
    packages = open_packages(())
    for name in ("two_clans", "panzer_leader", "long_frost", "panzer_grenadier", "low_tide"):
        stack = packages.compiled(name).graph
        assert stack is not None
        sides = [member.name for member in stack.vocabulary.enums["side"].members]
        tints = [side_tint(side, stack.vocabulary) for side in sides]
        assert len({(tint.hue, tint.saturation) for tint in tints}) == len(sides)
        assert tints[0] == tint_of(sides[0])
        for one, other in itertools.combinations(tints, 2):
            assert tint_distance(one, other) >= LEAST_DISTANCE, name


@pytest.mark.parametrize("stack", ["panzerblitz", "panzer_leader"])
def test_rulings_beside_a_rule_are_in_the_order_of_their_numbers(stack: str) -> None:
    contents = contents_of(stack)
    entries = (entry for section in contents.outline for entry in entries_of(section) if isinstance(entry, RuleEntry))
    beside = [
        [contents.numbers["ruling", each.ruling] for each in run if isinstance(each, RulingEntry)]
        for entry in entries
        for is_ruling, run in itertools.groupby(entry.under, lambda each: isinstance(each, RulingEntry))
        if is_ruling
    ]
    assert any(len(numbers) > 3 for numbers in beside)
    assert all(numbers == sorted(numbers, key=register_key) for numbers in beside)


def test_a_title_with_options_leaves_out_what_describes_the_game_alone() -> None:
    book = fair()
    [layer] = book.layers
    layers = (replace(layer, title="Fair, a small game of carts"),)
    assert book_title(replace(book, layers=layers)) == "Fair, a small game of carts"
    snowy = replace(book, layers=layers, stack=f"{layer.name}+snow")
    assert book_title(snowy) == "Fair, with Snow"
    full = replace(snowy, stack=f"{layer.name}+snow+rain_and_hail+long_summers+short_winters")
    assert short_title(full) == "Fair with 4 options"
