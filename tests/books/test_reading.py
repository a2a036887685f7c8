"""The prose of the shipped books can be read rule by rule, without the rule before."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest

import runtime
from compiler.rulebook.contents import example_anchor
from compiler.rulebook.exact_words import ExactSentence
from compiler.rulebook.headings import RuleEntry, entries_of, headings_of
from compiler.rulebook.index.stems import stems
from compiler.rulebook.openings import headings_of_things
from compiler.rulebook.paper.print_colors import with_print_colors
from compiler.rulebook.sentences import heading_words
from rulewright.book.book_evidence import unplayed_examples
from rulewright.library.stacks import load_stack
from tests.books.gathered import contents_of
from tests.sample import LONG

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
