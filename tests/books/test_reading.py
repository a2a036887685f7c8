"""The prose of the shipped books can be read rule by rule, without the rule before."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest

import runtime
from compiler.rulebook.contents import example_anchor
from compiler.rulebook.exact_words import ExactSentence
from compiler.rulebook.examples import _order_text
from compiler.rulebook.headings import RuleEntry, entries_of, headings_of
from compiler.rulebook.index.glossary import group_glosses
from compiler.rulebook.index.index_rows import list_index_rows
from compiler.rulebook.index.stems import stems
from compiler.rulebook.openings import headings_of_things
from compiler.rulebook.paper.print_colors import with_print_colors
from compiler.rulebook.sentences import heading_words
from rulewright.book_evidence import unplayed_examples
from rulewright.library.stacks import load_stack
from runtime.graph import nodes as graph
from runtime.graph.wording import Wording
from tests.books.gathered import contents_of
from tests.sample import LONG, sampled

# A sentence that starts with one of these refers to the rule before, or looks like a question.
POINTING = {"who", "whom", "such", "this", "these", "they", "it", "he", "them", "also", "otherwise"}
GOING_ON = {"and", "but", "or", "so", "then"}
DANGLING = re.compile(
    r"(?:may|must|can|do|does|is|are|has|have|did|will) (?:it|they|he|these|those|such)\b(?! cost)", re.IGNORECASE
)
# Words that no title ends with.
UNENDING = {"a", "an", "and", "as", "by", "does", "for", "from", "is", "of", "or", "that", "the", "to", "which", "with"}
# Persons are referred to as he, units as it.
HE = re.compile(r"\b(?:he|him|his|himself)\b", re.IGNORECASE)
PERSONS = re.compile(r"\b(?:players?|command(?:er|ing)|leaders?)\b", re.IGNORECASE)
BACK = re.compile(r"\bsuch (?!as\b)|\bthe (?:latter|former)\b")
REPEATED = re.compile(r"\b(?!that\b)([a-z]+) \1\b")
# Beside a unit is in its hex, or in the next one; prose says which.
BESIDE = re.compile(
    r"\bbeside (?:which|whom|(?:(?:an?|the|its|their) )?(?:[a-z-]+ )?"
    r"(?:units?|friends?|enem(?:y|ies)|cavalry|infantry|vehicles?|company))\b",
    re.IGNORECASE,
)
FEW, RIDDLES = 1, 0.005  # The titles of examples that may be riddles, and the share of a large book.
MOST = 40  # The limit of words in a sentence.
# Each shipped layer is in one of these stacks.
FIRST = ("panzer_leader", "panzerblitz", "long_frost+frost_chits+frost_pressure")
LATER = (
    "panzer_grenadier", "panssari_salama", "low_tide", "two_clans", "pl1940", "long_frost+frost_short_days",
    "panzer_leader+emplacing+opportunity_fire+quick_time", "panzer_leader+field_of_fire",
    "panzer_leader+functional_mobility+opportunity_fire", "panzer_leader+naval_support+opportunity_fire",
    "panzer_leader+panzerblitz_assault+opportunity_fire", "panzer_leader+smoke_shells",
    "pl1940+functional_mobility", "pl1940+panzerblitz_assault", "panssari_salama+panzerbitz_concealed",
    "panzerblitz+panzerbitz_headroom", "panzerblitz+panzerbitz_heavy+panzerbitz_registration",
    "panzerblitz+panzerbitz_horseshoes", "panzerblitz+panzerbitz_thunder", "panzerblitz+pb_assault",
    "panzerblitz+pb_emplacing+pb_indirect_fire+panzerbitz_concealed", "panzerblitz+pb_experimental_fire",
    "panzerblitz+pb_intensive_fire", "panzerblitz+pb_mounted_guns",
    "panzer_leader_corrections", "panzerblitz_corrections", "panzerblitz_situation_8",
    "panzer_grenadier+pg_many_players+pg_overrun+pg_preplotted+pg_smoke",
    "panzer_grenadier+pg_mire+pg_random_events+pg_recon_by_fire+pg_ruins+pg_strategic_movement+pg_tank_riders"
    "+pg_variable_night",
)  # fmt: skip
DRAWN = ("panzer_grenadier", "panssari_salama", "low_tide", "pl1940")  # The stacks of `LATER` whose maps have hexes.
STACKS = [*FIRST, *(pytest.param(each, marks=LONG) for each in LATER)]


@pytest.mark.long
def test_each_shipped_layer_is_read() -> None:
    """A new option must be added to one of the lists."""
    books = [load_stack(each, []).graph for each in (*FIRST, *LATER)]
    read = {layer.name for book in books if book for layer in book.layers}
    rules = Path(runtime.__file__).parents[1] / "rules"
    places = (
        place for kind in ("games", "options", "situations", "variants") for place in rules.glob(f"{kind}/*/layer.yaml")
    )
    assert {place.parent.name for place in places} <= read


@pytest.mark.parametrize("stack", [*FIRST, "pl1940", *(pytest.param(each, marks=LONG) for each in LATER)])
def test_no_two_rulings_have_one_question(stack: str) -> None:
    book = load_stack(stack, []).graph
    assert book
    labels: dict[str, list[str]] = {}
    for label, ruling in book.rulings.items():
        labels.setdefault(ruling.asks, []).append(label)
    assert [group for group in labels.values() if len(group) > 1] == []


@pytest.mark.parametrize("stack", STACKS)
def test_no_two_places_have_one_heading(stack: str) -> None:
    """A reader who looks up a heading finds one place; a rule and the ruling that it carries out are one."""
    contents = contents_of(stack)
    places: dict[str, set[tuple[str, str]]] = {}
    for section in contents.outline:
        for heading in headings_of(section):
            places.setdefault(contents.titles["case", heading.label].lower(), set()).add(("case", heading.label))
        for entry in entries_of(section):
            kind, label = ("rule", entry.label) if isinstance(entry, RuleEntry) else ("ruling", entry.ruling)
            places.setdefault(contents.titles[kind, label].lower(), set()).add(("text", label))
    assert not {title: found for title, found in places.items() if len(found) > 1}


@pytest.mark.parametrize("stack", ["pl1940", *STACKS])
def test_no_two_examples_of_a_book_have_one_anchor(stack: str) -> None:
    """A game and its variant may have a file and an example of the same name; links and live answers are by anchor."""
    examples = {(each.example.origin, each.example.title) for each in unplayed_examples(load_stack(stack, []))}
    anchors = Counter(example_anchor(title, origin) for origin, title in examples)
    assert anchors
    assert not [anchor for anchor, count in anchors.items() if count > 1]


@pytest.mark.parametrize("stack", STACKS)
def test_no_heading_is_made_of_a_label(stack: str) -> None:
    """A label is short for those who write rules; `headings` has what a reader looks up."""
    contents = contents_of(stack)
    headed = headings_of_things(contents.book)
    labels = [label for kind, label in contents.numbers if kind in ("rule", "ruling") and label not in headed]
    assert [label for label in labels if contents.titles.get(("rule", label)) == heading_words(label)] == []


def stems_within(thing: object) -> set[str]:
    """Return the stems of all texts of a printed example but its title."""
    if isinstance(thing, str):
        return {*stems(thing)}
    if isinstance(thing, tuple | frozenset):
        return set().union(*map(stems_within, thing))
    names = [each.name for each in fields(thing) if each.name not in ("title", "origin")] if is_dataclass(thing) else ()
    return set().union(*(stems_within(getattr(thing, name)) for name in names))


@sampled(0)
@pytest.mark.parametrize("stack", STACKS)
def test_titles_of_examples_have_words_of_what_they_show(stack: str) -> None:
    """A title without a word of its example, nor of the rule or question above it, is a riddle in a list."""
    contents = contents_of(stack)
    texts: dict[str, set[str]] = {}
    for row in list_index_rows(contents):
        texts.setdefault(row.address, set()).update(*map(stems, (row.title, row.words, row.headings)))
    homes = {key: texts.get(contents.links.link_to(key) or "", set()) for key in contents.examples if key[0]}
    # What counters print is shown by their faces.
    examples = [
        (homes.get(key, set()), each)
        for key, group in contents.examples.items()
        for each in group
        if not each.title.startswith("Printed on")
    ]
    riddles = [each.title for above, each in examples if not {*stems(each.title)} & (above | stems_within(each))]
    assert len(riddles) <= max(FEW, len(examples) * RIDDLES), riddles


@pytest.mark.parametrize("stack", STACKS)
def test_no_exact_sentence_repeats_a_word(stack: str) -> None:
    """A phrase that is put into a template brings its own noun: "in the number of turns turns"."""
    sentences = [rule.logic for rule in contents_of(stack).rules.values()]
    assert not [text for text in sentences if REPEATED.search(text) or "it is not so that" in text]


@pytest.mark.parametrize("stack", STACKS)
def test_no_question_or_step_starts_with_a_conjunction(stack: str) -> None:
    book = load_stack(stack, []).graph
    assert book
    texts = {label: ruling.asks for label, ruling in book.rulings.items()}
    texts |= {key: procedure.prose for key, procedure in book.procedures.items() if procedure.prose}
    assert not {label: text for label, text in texts.items() if text.split(maxsplit=1)[0].lower() in GOING_ON}


@pytest.mark.parametrize("stack", STACKS)
def test_no_question_starts_with_a_pronoun_of_another(stack: str) -> None:
    """A question names its subject before a pronoun."""
    book = load_stack(stack, []).graph
    assert book
    assert not {label: ruling.asks for label, ruling in book.rulings.items() if DANGLING.match(ruling.asks)}


@pytest.mark.parametrize("stack", STACKS)
def test_no_rule_refers_to_the_rule_before(stack: str) -> None:
    rules = load_stack(stack, []).graph
    assert rules
    # A rule that implements a ruling continues its answer.
    texts = {label: rule.prose for label, rule in rules.rules.items() if rule.prose and not rule.ruling}
    assert texts
    found = {
        label: text
        for label, text in texts.items()
        if text.split(maxsplit=1)[0].lower() in POINTING or BACK.search(text)
    }
    assert not found


@pytest.mark.parametrize("stack", STACKS)
def test_no_two_questions_of_the_same_things_have_one_phrase(stack: str) -> None:
    """A rule that answers one of them by the other would read as a tautology."""
    book = load_stack(stack, []).graph
    assert book
    names_by_phrase: dict[tuple[object, ...], set[str]] = {}
    for term in book.terms.values():
        sorts = {each.name: type(each.type) for each in term.parameters}
        slots = re.findall(r"\{(\w+)\}", term.reads)
        if term.reads:
            # The stages of a question have its phrase, and are named beside it.
            key = (re.sub(r"\{\w+\}", "{}", term.reads), *(sorts.get(slot) for slot in slots))
            names_by_phrase.setdefault(key, set()).add(term.name.partition(".")[0])
    repeated_names = [names for names in names_by_phrase.values() if len(names) > 1]
    assert not repeated_names


@pytest.mark.parametrize("stack", STACKS)
def test_no_printed_sentence_is_long(stack: str) -> None:
    long = {
        label: sentence
        for label, text in printed(stack).items()
        for sentence in re.split(r"(?<=[.!?:;])[”\")]*\s+", text)
        if len(sentence.split()) > MOST
    }
    assert not long


@pytest.mark.parametrize("stack", STACKS)
def test_units_are_not_referred_to_as_he(stack: str) -> None:
    assert not {label: text for label, text in printed(stack).items() if HE.search(text) and not PERSONS.search(text)}


@pytest.mark.parametrize("stack", STACKS)
def test_the_place_of_a_unit_is_its_hex_or_the_next(stack: str) -> None:
    assert not {label: text for label, text in printed(stack).items() if BESIDE.search(text)}


@pytest.mark.parametrize("stack", STACKS)
def test_no_title_of_a_chart_ends_with_a_function_word(stack: str) -> None:
    contents = contents_of(stack)
    titles = [contents.titles["chart", chart.name] for chart in contents.charts]
    assert not [title for title in titles if title.rpartition(" ")[2].lower() in UNENDING]


@pytest.mark.parametrize("stack", STACKS)
def test_keys_of_charts_have_names(stack: str) -> None:
    """The wording of a type ("a number") stands where the author of a chart named no key."""
    heads = {chart.name: (chart.down, chart.across, *chart.heads) for chart in contents_of(stack).charts}
    assert not {name: each for name, each in heads.items() if any(head.startswith(("a ", "an ")) for head in each)}


def printed(stack: str) -> dict[str, str]:
    """Return all prose that the book of a stack prints, by entry; the exact words for a rule without prose."""
    contents = contents_of(stack)
    rules = contents.book
    texts = {f"rule {label}": rule.prose or _listed(rule.exact) for label, rule in contents.rules.items()}
    texts |= {f"ruling {label}": f"{each.asks} {each.answers}" for label, each in rules.rulings.items()}
    texts |= {f"case {label}": " ".join((each.rule, *each.procedure)) for label, each in contents.openings.items()}
    texts |= {f"procedure {key}": each.prose for key, each in rules.procedures.items()}
    texts |= {f"precondition {each.label}": each.prose for each in rules.preconditions}
    for label, dispute in rules.disputes.items():
        texts[f"dispute {label}"] = " ".join((dispute.question, *(each.reason for each in dispute.readings)))
    return texts


def _listed(sentences: Iterable[ExactSentence]) -> str:
    """Join sentences and list items; each is read by itself."""
    return " ".join(f"{one.text}. {_listed(one.items)}" for one in sentences)


@pytest.mark.parametrize("stack", ["panzer_leader", "panzerblitz", *(pytest.param(each, marks=LONG) for each in DRAWN)])
def test_every_drawing_is_well_formed_xml(stack: str) -> None:
    """Browsers accept drawings that other programs refuse."""
    printed = contents_of(stack).examples
    drawn = [example.drawing.svg for examples in printed.values() for example in examples if example.drawing.svg]
    assert drawn
    for svg in drawn:
        ElementTree.fromstring(with_print_colors(svg))


@pytest.mark.parametrize("stack", ["panzerblitz", "two_clans", "panzer_grenadier"])
def test_no_definition_is_long(stack: str) -> None:
    contents = contents_of(stack)
    senses = (each.sense for group in group_glosses(contents.book, contents.mentions) for each in group.glosses)
    clauses = (clause for sense in senses for clause in re.split(r"(?<=[.!?:;])\s+", sense))
    assert not [clause for clause in clauses if len(clause.split()) > MOST]


def test_many_stations_are_listed_in_one_clause_for_each_side() -> None:
    book = load_stack("two_clans").graph
    assert book
    sides = [member.name for member in book.vocabulary.enums["side"].members]
    stations = tuple(graph.Station("offer", f"thing_{number}", side) for side in ("", *sides) for number in range(8))
    sentence = _order_text(Wording(book), stations)
    clauses = sentence.split("; ")
    assert len(clauses) == 2 * (1 + len(sides)), sentence
    assert max(len(clause.split()) for clause in clauses) <= MOST
