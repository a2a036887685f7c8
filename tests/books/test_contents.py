"""The contents of pages and their order: cases, rulings beside their rules, sentences, trees, changes."""

import itertools
import re
from dataclasses import replace

import pytest

from compiler.rulebook.booklet import AnswerDifference, Baseline, CardDifference, ChangeEvidence, QuestionDifference
from compiler.rulebook.changes import compare_books
from compiler.rulebook.charts import printed_chart
from compiler.rulebook.contents import gather_contents
from compiler.rulebook.drawings.counters import chart_face
from compiler.rulebook.drawings.diagrams import DRAWN_HEX, draw_position, map_centers
from compiler.rulebook.drawings.tints import LEAST_DISTANCE, PIGMENTS, Tint, side_tint, tint_distance, tint_of
from compiler.rulebook.evidence import unplayed_outcomes
from compiler.rulebook.exact_words import exact_words
from compiler.rulebook.headings import RuleEntry, RulingEntry, entries_of, headings_of
from compiler.rulebook.index import keywords, references
from compiler.rulebook.outline import draw_outline
from compiler.rulebook.paper.leaflet import print_leaflet, write_leaflet_text
from compiler.rulebook.paper.typeset import escape
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
from tests.toys.hares import hares


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


def test_cases_keep_their_numbers_and_exceptions_take_letters() -> None:
    given = numbers(fair())
    assert given["chart-price"] == "3.21"
    assert given["lane-price"] == "3.21a"
    assert given["pay-your-way"] == "3.1"
    assert given["one-hex"] == "3.1a"
    assert given["tall-pushes"] == "4.1"


def test_the_first_of_two_cases_with_one_number_keeps_it() -> None:
    book = fair()
    cases = {**book.cases, "fares": replace(book.cases["prices"], label="fares", title="Fares", origin=at(60))}
    rules = {**book.rules, "tall-pushes": replace(book.rules["tall-pushes"], case="fares")}
    contents = gather_contents(replace(book, cases=cases, rules=rules), (), None)
    assert contents.numbers["case", "prices"] == "3.2"
    assert contents.numbers["case", "fares"] not in ("", "3.2")


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
    contents = gather_contents(full, (), None)
    assert [title for title, _ in contents.section_groups] == ["Carts", "More Carts"]
    assert all(len(sections) <= 9 for _, sections in contents.section_groups)
    assert [title for title, _ in gather_contents(book, (), None).section_groups] == [""]
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


def test_a_ruling_is_placed_at_the_rule_it_is_about() -> None:
    printed_places = find_printed_places(fair())
    assert printed_places.rulings == {"light-loads": "lane-price", "asked-twice": "chart-price", "nothing-to-do": ""}


def test_a_rule_is_printed_with_its_prose_its_logic_and_its_source() -> None:
    text = words("cases/going.html")
    assert "3.21 Chart price The price of a hex stands in the chart." in text
    assert "Wheels do not cross hedges. In exact words" in text
    assert "The mover may not enter the goal from the start when the mover is wheeled" in text
    assert "Exception to 3.3 Hedges stop wheels. Sources: T.LANE" in text
    assert "T.CHART-PRICE" in text


def test_a_ruling_is_printed_with_question_answer_kind_and_impact() -> None:
    text = words("cases/going.html")
    number = re.search(r"Ruling ([\d.]+[a-z]* Q\d+) correction minor impact Q. Do light loads", text)
    assert number, "a ruling is cited by its number"
    assert "correction minor impact Q. Do light loads <pay>? A. They pay one point. Sources: Q.1 Q.2" in text
    assert "clarification no impact Q. Really? A. Yes." in text


def test_a_case_states_its_defaults() -> None:
    message = "What holds unless a rule says otherwise Unless a rule says otherwise, the mover may enter the goal"
    assert message in words("cases/going.html")


def test_an_example_shows_its_position_and_its_answer() -> None:
    text = words("cases/going.html")
    assert "Example K stops at the hedge" in text
    assert "K may not enter B from A. because of" in text
    assert "Hedge hexside A/B. Lane A–B–C." in text
    assert "K heavy cart, north (spent 2 movement point" in text
    page = site("fair")["cases/going.html"].decode()
    assert 'role="img" aria-label="Hexes A, B bog, C thicket and knoll, D; hexside A/B hedge;' in page


def test_examples_without_a_rule_are_printed_too() -> None:
    assert "Nobody knows why" in words("terms/cover.html")
    assert "No map at all" in words("examples.html")


def test_the_page_of_a_term_has_its_exception_tree() -> None:
    text = words("terms/price.html")
    assert re.search(r"Chart price.*unless.*Lane price.*unless.*Light ruled", text)
    assert "It is asked by" in text


def test_stages_are_on_the_page_of_their_term() -> None:
    text = words("terms/force.html")
    assert text.index("1. printed") < text.index("2. shaken")


def test_the_page_of_play_has_its_steps_as_sentences() -> None:
    text = words("play.html")
    assert "For each turn, from 1 to 8: Driving" in text
    assert "Choose a cart." in text
    assert "If the luck is 1" in text
    assert "For each cart: That cart is no longer dizzy." in text


def test_steps_for_the_computer_are_folded() -> None:
    page = write_book(hares())["play.html"].decode()
    assert page.count("Every step, as the computer takes it") >= 3
    visible_text = re.sub(r"<details.*?</details>", "", page, flags=re.DOTALL)
    assert "spent goes up" in page
    assert "spent goes up" not in visible_text


def test_a_counter_is_called_by_its_title() -> None:
    book = fair()
    name = next(iter(book.counters))
    titled = replace(book, counters={**book.counters, name: replace(book.counters[name], title="cart of hay-wains")})
    contents = gather_contents(titled, (), None)
    assert contents.titles["counter", name] == "Cart of hay-wains"
    assert chart_face(titled, titled.counters[name]).name == "cart of hay-wains"


def test_two_words_with_one_phrase_name_their_kinds() -> None:
    book = fair()
    flags = dict(book.vocabulary.flags)
    some = [key for key, flag in flags.items() if flag.owner in ("cart", "hex")]
    flags |= {
        key: replace(flags[key], reads="at sea") for key in (some[0], next(k for k in some if k[:3] != some[0][:3]))
    }
    contents = gather_contents(replace(book, vocabulary=replace(book.vocabulary, flags=flags)), (), None)
    glosses = [gloss for group in contents.glossary_groups for gloss in group.glosses]
    heads = [gloss.word for gloss in glosses if gloss.word.startswith("at sea")]
    assert sorted(heads) == ["at sea (cart)", "at sea (hex)"]


def test_both_readings_of_a_dispute_are_printed() -> None:
    text = words("disputes.html")
    assert "Hay Is hay wet? Wet hay followed here The later answer." in text
    assert "Dry hay not followed It would bring in “Dry price”." in text


def test_the_index_of_sources_lists_citing_rules() -> None:
    assert "Q.1" in words("sources.html")
    assert "Light loads" in words("sources.html")


def test_a_rule_without_prose_prints_its_logic() -> None:
    book = fair()
    without_prose = replace(book.rules["chart-price"], prose="")
    page = read_page(write_book(replace(book, rules={**book.rules, "chart-price": without_prose}))["cases/going.html"])
    page_text = re.sub(r"\s+", " ", page.text)
    assert all(part.text in page_text for top in exact_words(book, without_prose) for part in (top, *top.items))


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


def test_codes_are_printed_without_their_explanation() -> None:
    sorts = (
        graph.Word("R", "R sort"),
        graph.Word("QQ", "(Q) sort"),
        graph.Word("S", "S sort"),
        graph.Word("none", "bare"),
    )
    book = fair()
    known = replace(book.vocabulary, enums={**book.vocabulary.enums, "build": graph.Enumeration("build", sorts)})
    printed = (("build", graph.Member("build", "QQ")),)
    cart = replace(book.counters["heavy_cart"], printed=printed)
    book = replace(book, vocabulary=known, counters={**book.counters, "heavy_cart": cart})
    assert chart_face(book, cart).sign == "(Q)"
    assert "<td>(Q)</td>" in write_book(book)["counters.html"].decode()
    keyed = [row(name, value=1) for name in ("R", "QQ", "none")]
    chart = printed_chart(book, table("t", params(a=graph.Enum("build")), (("", amount(0, 9)),), keyed))
    assert [line.heads for line in chart.rows] == [("R",), ("(Q)",), ("bare",)]


@pytest.mark.parametrize(("name", "reads", "printed"), [
    ("gone_astray", "on its side", ("on its side", "on its side")),
    ("both_fall", "both of the carts fall over", ("both of the carts fall over", "both fall")),
    ("F", "fallen", ("F", "F")),
])  # fmt: skip
def test_a_cell_has_the_wording_of_its_word_unless_that_is_a_code_or_long(
    name: str, reads: str, printed: tuple[str, str]
) -> None:
    book = fair()
    luck = graph.Enumeration("luck", (graph.Word(name, reads), graph.Word("stands", "stands")))
    book = replace(book, vocabulary=replace(book.vocabulary, enums={**book.vocabulary.enums, "luck": luck}))
    cell, die = (("", graph.Enum("luck")),), amount(1, 2)
    members = [graph.Member("luck", each) for each in (name, "stands")]
    listed = printed_chart(book, table("t", params(a=die), cell, [row(1, value=members[0]), row(2, value=members[1])]))
    crossed = [row(a, b, value=members[a - 1]) for a in (1, 2) for b in (1, 2)]
    grid = printed_chart(book, table("t", params(a=die, b=die), cell, crossed))
    for chart, text in zip((listed, grid), printed, strict=True):
        assert [line.cells[0].text for line in chart.rows] == [text, "stands"]
        assert dict(chart.codes) == ({} if text == reads else {text: reads})


def test_wordings_that_share_a_noun_are_printed_whole() -> None:
    loads = (
        graph.Word("chain", "chain shot"),
        graph.Word("empty", "no shot"),
        graph.Word("hauled", "close-hauled"),
        graph.Word("first_rate", "a first rate"),
    )
    book = fair()
    known = replace(book.vocabulary, enums={**book.vocabulary.enums, "load": graph.Enumeration("load", loads)})
    keyed = [row(load.name, value=1) for load in loads]
    chart = printed_chart(
        replace(book, vocabulary=known), table("t", params(a=graph.Enum("load")), (("", amount(0, 9)),), keyed)
    )
    assert [line.heads for line in chart.rows] == [("chain",), ("no shot",), ("close-hauled",), ("first rate",)]


def test_parts_of_a_question_are_told_apart() -> None:
    book = fair()
    [rule] = [each for each in book.rules.values() if each.label == "chart-price"]
    more = {f"price-{place}": replace(rule, label=f"price-{place}", defeats=()) for place in range(12)}
    [name] = rule.terms
    term = replace(book.terms[name], rules=(*book.terms[name].rules, *more))
    book = replace(book, rules={**book.rules, **more}, terms={**book.terms, name: term})
    contents = gather_contents(book, unplayed_outcomes(book), None)
    parts = [part for section in contents.outline for heading in headings_of(section) for part in heading.parts]
    titles = [contents.titles["case", part.label] for part in parts if part.term == name]
    assert len(titles) > 1
    assert titles[1:] == [f"{titles[0]}, continued"] * (len(titles) - 1)


def test_a_word_shared_by_label_and_value_is_printed_once() -> None:
    book = fair()
    builds = graph.Enumeration("build", (graph.Word("light", "as a light cart"), graph.Word("heavy", "of oak")))
    book = replace(book, vocabulary=replace(book.vocabulary, enums={**book.vocabulary.enums, "build": builds}))
    position = book.examples[0].position
    for build, text in (("light", "goes as a light cart"), ("heavy", "goes as of oak")):
        cart = replace(position.pieces[0], printed=(("goes_as", graph.Member("build", build)),))
        [(_, legend), *_] = draw_position(book, replace(position, pieces=(cart,))).legend
        assert f"({text}, " in legend


def test_a_picture_names_notes_by_their_wording() -> None:
    book = fair()
    wording = {**book.vocabulary.wording, "goes_as": "build", "height": "level of the ground"}
    book = replace(book, vocabulary=replace(book.vocabulary, wording=wording))
    position = book.examples[0].position
    value = graph.Truth(value=True)
    cart = replace(position.pieces[0], tracks=(("goes_as", value),))
    drawing = draw_position(book, replace(position, pieces=(cart,), hex_tracks=((cart.at, "height", value),)))
    assert "(build " in drawing.legend[0][1]
    assert any(note.startswith(f"The level of the ground of {cart.at} is ") for note in drawing.notes)


def test_a_term_and_its_definition_are_one_entry_of_a_source() -> None:
    book = fair()
    cited = replace(term("value", "hay", amount(0, 9), (), reads="the hay"), rules=("hay",), cites=("Q.9",))
    hay = rule("hay", "hay", "is", num(1), prose="", cites=("Q.9",), origin=at(98))
    files = write_book(replace(book, terms={**book.terms, "hay": cited}, rules={**book.rules, "hay": hay}))
    page = files["sources.html"].decode()
    assert page.partition('id="Q.9"')[2].partition("</div>")[0].count("The hay") == 1


def test_the_sequence_has_the_title_of_its_game() -> None:
    book = fair()
    [layer] = book.layers
    named = replace(book, layers=(replace(layer, title="Carts & Co."),))
    assert gather_contents(named, (), None).titles["procedure", "sequence"] == "Carts & Co."


def test_a_cell_with_its_own_source_has_a_note() -> None:
    rows = (row(0, value=1), replace(row(1, value=2), cites=("Q.9",)))
    chart = printed_chart(fair(), table("t", params(a=amount(0, 1)), (("", amount(0, 9)),), rows))
    assert [line.cells[0].note for line in chart.rows] == ["", "a"]
    assert chart.notes == (("a", ("Q.9",)),)


def test_distant_rows_of_a_map_are_drawn_closer() -> None:
    position = fair().examples[0].position
    rows: dict[str, tuple[int, int, tuple[str, ...]]] = {
        "A": (0, 0, ()),
        "B": (1, 4, ()),
        "C": (0, 7, ()),
        "D": (0, 8, ()),
    }
    single_row_position = replace(position, board=replace(position.board, hexes=rows), pieces=())
    down = {name: y / DRAWN_HEX.radius / 1.5 for name, (_, y) in map_centers(single_row_position).items()}
    assert down == pytest.approx({"A": 0, "B": 2, "C": 5, "D": 6}), "a row stays odd or even"
    adjacent = {name: y / DRAWN_HEX.radius / 1.5 for name, (_, y) in map_centers(position).items()}
    assert adjacent == pytest.approx({"A": 0, "B": 0, "C": 0, "D": 1}), "adjacent rows keep their distance"


def test_a_word_that_ends_a_pigment_has_its_tint() -> None:
    assert tint_of("gray") == Tint(*PIGMENTS["dimgray"], "")
    assert tint_of("anything") not in {Tint(*pigment, "") for pigment in PIGMENTS.values()}


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
    assert "3.21 Chart price changed no impact Before The price of a hex stands in the chart." in text
    assert "Now Every hex costs more." in text
    assert "No price gone minor impact" in text
    assert "9 (was 1)" in text
    assert "One hex" not in text
    assert not [*broken_links(files)]


def test_a_booklet_words_what_is_new_once() -> None:
    new = fair()
    sentence = new.rules["closed-on-chart"].prose
    assert sentence
    rules = {label: one for label, one in new.rules.items() if label != "closed-on-chart"}
    terms = {
        name: replace(term, rules=tuple(r for r in term.rules if r != "closed-on-chart"))
        for name, term in new.terms.items()
    }
    against = Baseline(replace(new, rules=rules, terms=terms), "the carts")
    page = read_page(write_book(new, against=against)["changes.html"]).text
    contents = gather_contents(new, unplayed_outcomes(new), against)
    leaflet = write_leaflet_text(contents, "Carts", "Carts")["main"].decode()
    assert (page.count(sentence), leaflet.count(escape(sentence))) == (1, 1)
    assert page.count("Closed on chart") == leaflet.count("Closed on chart") == 2, "named by its impact as well"


def test_a_question_of_a_difference_is_printed_as_a_sentence() -> None:
    spots = (graph.Spot("piece", "K"), graph.Spot("hex", "A"), graph.Spot("hex", "B"))
    assert question_text(fair(), "may_enter", spots) == "Whether K may enter B from A"
    plan = graph.New("plan", (("carts", graph.SetOf(())), ("aim", graph.Spot("hex", "B"))))
    book = fair()
    term = replace(book.terms["cover"], reads="the cover of the plan", parameters=())
    book = replace(book, terms={**book.terms, "cover": term})
    assert question_text(book, "cover", (plan,)) == "The cover of the plan (aim: B)"


def test_a_term_named_of_its_argument_has_one_of() -> None:
    book = fair()
    rate = term("value", "rate_of", amount(0, 9), params(goal=graph.Hex()))
    book = replace(book, terms={**book.terms, "rate_of": rate})
    assert question_text(book, "rate_of", (graph.Spot("hex", "B"),)) == "The rate of B"


def test_changes_are_printed_without_labels() -> None:
    old = fair()
    answer_difference = AnswerDifference(
        ("hedges-stop-wheels",),
        ("old-hedges",),
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


def test_undecided_dependents_are_printed() -> None:
    answer_difference = AnswerDifference(
        ("hedges",), (), (), 1, "Whether K may enter B", "yes", "no", None, "carts", ("price",)
    )
    page = write_book(
        fair(), against=Baseline(fair(), "the old fair", (QuestionDifference("may_enter", 1, 2, (answer_difference,)),))
    )
    text = read_page(page["changes.html"]).text
    assert "1 more question may ask this one, and was not seen to change." in text


def test_a_booklet_without_changes_states_that_nothing_differs() -> None:
    text = read_page(write_book(fair(), against=Baseline(fair(), "the carts"))["changes.html"]).text
    assert "Nothing differs." in text


def test_a_booklet_of_equal_layers_names_them() -> None:
    against = Baseline(fair(), "the fair", equal_layers="`fair` and `carts` load the same layers")
    text = read_page(write_book(fair(), against=against)["changes.html"]).text
    assert "Nothing differs. No question is answered differently: fair and carts load the same layers." in text


def test_a_booklet_lists_scenarios_that_differ() -> None:
    against = Baseline(fair(), "the carts", cards=(CardDifference("A market (market)", ("turns: 5 instead of 6",)),))
    text = read_page(write_book(fair(), against=against)["changes.html"]).text
    assert "Nothing differs." not in text
    assert "A market (market) turns: 5 instead of 6 Nothing else differs." in " ".join(text.split())


def test_a_section_has_the_title_of_the_case_with_its_number() -> None:
    book = fair()
    named = {
        "fire": graph.Case("fire", "Fire", "7", "", replace(book.cases["going"].origin, line=9)),
        "aiming": graph.Case("aiming", "Aiming", "7.1", "", replace(book.cases["going"].origin, line=8)),
    }
    moved = {**book.rules, "lane-price": replace(book.rules["lane-price"], case="aiming")}
    book = replace(book, cases={**book.cases, **named}, rules=moved)
    section = draw_outline(book, find_printed_places(book))[1]
    assert (section.number, section.title) == ("7", "Fire")
    assert [(part.number, part.title) for part in section.parts] == [("7.1", "Aiming")]


def test_the_index_has_cross_references_and_headings_of_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(references, "FEW_PLACES", 0)
    book = fair()
    [layer] = book.layers
    document = graph.Document(
        "Q", "Questions", "", (("HAY", 1), ("MISC", 1)), (("HAY", "Held ground"), ("MISC", "Oddities"))
    )
    rules = {**book.rules, "held": replace(book.rules["held"], cites=("Q.HAY.01", "Q.MISC.01"))}
    see = (("fence", ("hedge", "wall")), ("hedge", ("pushing", "prices")), ("moat", ("water",)))
    changed = replace(book, rules=rules, documents=(document,), layers=(replace(layer, see=see),))
    found = {entry.word: entry for entry in gather_contents(changed, unplayed_outcomes(changed), None).keywords}
    assert found["fence"].cross_references == ("hedge",)
    assert found["fence"].places == ()
    assert ("rule", "hedges-stop-wheels") in found["hedge"].places
    assert found["hedge"].cross_references == ("pushing", "prices")
    assert ("chart", "prices") in found["prices"].places, "players look up a chart by its title"
    assert found["held ground"].places == (("rule", "held"),)
    assert "oddities" not in found, "what cites it has another subject"
    assert "moat" not in found


def test_a_frequent_word_lists_rules_it_heads_and_rulings_that_ask_about_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keywords, "MOST_PLACES", 4)
    book = fair()
    longer = {label: replace(rule, prose=f"{rule.prose} Beside a knoll.") for label, rule in book.rules.items()}
    asks = {label: replace(ruling, asks="") for label, ruling in book.rulings.items()}
    one = next(iter(asks))
    changed = replace(book, rules=longer, rulings={**asks, one: replace(asks[one], asks="What of a knoll?")})
    found = {entry.word: entry.places for entry in gather_contents(changed, unplayed_outcomes(changed), None).keywords}
    assert ("ruling", one) in found["knoll"]
    assert 1 < len(found["knoll"]) < len(longer)
    assert {place for place in found["hedge"] if place[0] == "rule"} == {
        ("rule", "hedges-stop-wheels"), ("rule", "lane-through-hedge"),
    }, "rules that are headed by it, not those that mention it"  # fmt: skip


def test_a_stage_has_a_suffix_with_its_name() -> None:
    book = fair()
    first = next(name for name, term in book.terms.items() if term.form != "flag")
    staged = replace(book, terms={**book.terms, f"{first}.by_night": replace(book.terms[first], rules=())})
    changed_rules = replace(gather_contents(book, unplayed_outcomes(book), None), book=staged)
    assert changed_rules.stage_suffix(f"{first}.by_night") == ", at the stage “by night”"
    assert changed_rules.stage_suffix(first) == ""


def test_a_layer_is_cited_on_the_title_page() -> None:
    book = fair()
    [layer] = book.layers
    files = write_book(replace(book, layers=(replace(layer, cites=("Q.9",)),)))
    assert 'href="sources.html#Q.9"' in files["index.html"].decode()
    assert "Title page" in read_page(files["sources.html"]).text
    assert not [*broken_links(files)]


def test_items_without_a_citation_are_listed() -> None:
    book = replace(fair(), documents=(graph.Document("Q", "Questions", "", (("HAY", 2),), (("HAY", "Fodder"),)),))
    page = read_page(write_book(book)["sources.html"])
    assert {"Q.HAY.01", "Q.HAY.02", "Q.1"} <= set(page.anchors)
    assert "Fodder" in page.text
    assert "not in this book" in page.text


def test_site_and_paper_print_equal_counts() -> None:
    book = fair()
    contents = gather_contents(book, unplayed_outcomes(book), None)
    assert re.fullmatch(r"\d+ rules, \d+ rulings?, \d+ charts?, \d+ examples", contents.counts_text)
    assert f"{contents.counts_text}." in write_book(book)["index.html"].decode()
    paper = write_book_text(contents, "The Fair", print_leaflet)["main"].decode()
    assert contents.counts_text in paper
    printed_count, example_count = paper.count("#example("), sum(map(len, contents.examples.values()))
    assert 0 < printed_count < example_count
    assert f", of which {example_count - printed_count} are only on the pages of the site]" in paper


def test_a_booklet_lists_undecided_changes_and_changed_tracks() -> None:
    changes = (
        ChangeEvidence("rule", "carts", "changed", "unknown", "it never applied in 3 positions tried"),
        ChangeEvidence("track", "track cart.load", "changed", "witness", ""),
    )
    page = read_page(write_book(fair(), against=Baseline(fair(), "the carts", accounts=changes))["changes.html"]).text
    assert "Nothing differs." not in page
    assert "of 1 change it is not decided" in page
    assert "it never applied in 3 positions tried" in page
    assert "The note “load” of carts: changed" in page


def test_reasons_are_resolved_to_printed_entries() -> None:
    book = fair()
    contents = gather_contents(book, unplayed_outcomes(book), None)
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


def test_the_impact_of_a_rule_is_major_from_two_of_ten_positions() -> None:
    old = fair()
    label = next(label for label, rule in old.rules.items() if not rule.ruling and rule.prose and rule.terms)
    base = without_rule(old, label)
    answer_difference = AnswerDifference((label,), (), (), 1, "", "", "", None, "", resting=())
    for seen, looked, impact in ((1, 1, "minor"), (9, 9, "minor"), (2, 10, "major"), (1, 10, "minor")):
        parted = (
            QuestionDifference(old.rules[label].terms[0], seen, looked, (replace(answer_difference, seen=seen),)),
        )
        booklet = compare_books(old, Baseline(base, "the base", parted))
        assert [each.impact for each in booklet.changes if each.thing == ("rule", label)] == [impact]


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


def test_a_title_with_one_option_names_it_and_the_game_once() -> None:
    book = fair()
    [layer] = book.layers
    option = replace(layer, name="snow", title="Roads and Wagons in Deep Snow and Ice in Fair")
    layers = (replace(layer, title="Fair"), option)
    snowy = replace(book, layers=layers, stack=f"{layer.name}+snow")
    assert short_title(snowy) == book_title(snowy) == "Fair, with Roads and Wagons in Deep Snow and Ice"
