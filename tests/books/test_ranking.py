"""The ranking of search results that the site and `explain` share, on the small game and on a shipped one."""

from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from compiler.rulebook.contents import Contents, example_anchor
from compiler.rulebook.evidence import unplayed_outcomes
from compiler.rulebook.index.index_row import IndexRow
from compiler.rulebook.index.index_rows import list_index_rows, other_words
from compiler.rulebook.index.ranking import SearchIndex
from compiler.rulebook.index.stems import stems
from tests.books.fair import fair
from tests.books.gathered import contents_of
from tests.sample import sampled

# Queries of players of Panzer Leader, and the label of the answer, which must be among the best three places.
SHORT = {
    "stacking limit": "four-a-hex",
    "how many units may stack": "four-a-hex",
    "TEC": "tec",
    "combat results table": "crt",
    "sequence of play": "sequence",
    "overrun while entering the board": "overrun-on-arrival",
    "armored cars hard target": "armor-is-hard",
    "staying in a stream": "streams-are-waded",
    "units outside a destroyed fort": "buried-with-the-fort",
    "wrecks and block on a bridge": "four-a-hex",
    "can tanks carry infantry": "allied-riders",
    "dispersed twice": "shaken-twice",
    "on top of enemy fort": "knock-on-the-door",
    "overrun a full stack": "overruns-may-crowd",
    "do vehicles move before infantry": "vehicles-first",
    "partial hexes map edge": "whole-price-for-half-hexes",
    "minimum one hex move": "one-hex-minimum",
    "split attack factors": "no-split-factors",
    "cancel indirect fire and move": "fire-or-march",
    "two units land on the same beach": "landing-on-friends",
    "can passengers spot": "riders-do-not-spot",
    "hilltop to hilltop fire": "top-to-top",
    "road rate and overrun": "attack-off-road",
    "slope to slope line of sight": "crest-between-slopes",
    "flail tank mines": "flails-stop-too",
    "panzer 4": "pz4",
    "Mark 3": "pz3",
}

# Queries for one value, and the label of the counter or the line of a chart that has it.
VALUES = {
    "movement factor of a panther": "panther",
    "range of the 88": "pak88",
    "what does a puma defend with": "puma",
    "attack strength of a churchill": "churchill",
    "movement cost slope": "tec-slope-foot",
    "truck movement cost woods": "tec-woods-foot",
    "die 5 at 3-1": "crt-5-1-4",
}


@pytest.fixture(scope="module")
def leader() -> SearchIndex:
    return _index("panzer_leader")


def _index(stack: str) -> SearchIndex:
    contents = contents_of(stack)
    return SearchIndex(tuple(list_index_rows(contents)), other_words(contents))


def labels(index: SearchIndex, query: str) -> list[str]:
    """Return the labels of the best three results as the page shows them: each head, and three rows below it."""
    texts = [(place.head, *[row for row in place.rows if row is not place.head][:3]) for place in index.find(query)[:3]]
    return [row.address.partition("#")[2] for rows_ in texts for row in rows_]


@sampled(0)
def test_queries_of_players_find_the_answer(leader: SearchIndex) -> None:
    missed = [query for query, label in (SHORT | VALUES).items() if label not in labels(leader, query)]
    assert not missed


QUESTIONS = yaml.safe_load((Path(__file__).parent / "questions.yaml").read_text(encoding="utf-8"))
USUAL = ("panzer_leader", "panzerblitz", "long_frost", "two_clans", "low_tide")


@sampled(0)
@pytest.mark.parametrize(
    ("stacks", "every", "share"),
    [(USUAL, 9, 0.95), pytest.param(tuple(QUESTIONS), 1, 0.96, marks=pytest.mark.long)],
)
def test_a_share_of_the_questions_finds_its_answer(
    stacks: tuple[str, ...], every: int, share: float, leader: SearchIndex
) -> None:
    books = {stack: leader if stack == "panzer_leader" else _index(stack) for stack in stacks}
    questions = [(books[stack], query, wanted) for stack in stacks for query, wanted in QUESTIONS[stack].items()][
        ::every
    ]
    missed = [query for index, query, wanted in questions if not {*wanted} & {*labels(index, query)}]
    assert len(missed) <= (1 - share) * len(questions), missed


def test_rows_of_a_section_stand_in_the_order_of_their_scores() -> None:
    """A rule that has a word in passing does not precede the third ruling about it, since few rows are shown."""
    sides = ("uphill", "downhill", "home")
    rows = (
        IndexRow("Rule", "Charges", "1", "p#charges", "Men charge.", section="fights"),
        *(IndexRow("Ruling", f"Charges {each}", "", f"p#{each}", "They do.", beside="p#charges") for each in sides),
        IndexRow("Rule", "Walking", "2", "p#walking", "A long walk before a charge tires the men.", section="fights"),
    )
    [place] = SearchIndex(rows, ()).find("charges")
    assert place.rows[-1].title == "Walking"
    assert len(place.rows) == len(rows)


def test_an_example_is_found_by_its_title_as_a_part_of_its_rule(leader: SearchIndex) -> None:
    contents = contents_of("panzer_leader")
    anchors = {example_anchor(each.title, each.origin) for group in contents.examples.values() for each in group}
    assert not anchors & {row.address.partition("#")[2] for row in leader.rows}
    rules = {label: each for (kind, label), each in contents.examples.items() if kind == "rule" and len(each) == 1}
    titles = {label: example.title for label, (example,) in sorted(rules.items())}
    found = [label in labels(leader, title) for label, title in [*titles.items()][::10]]
    assert sum(found) >= 0.7 * len(found)


def test_a_ruling_and_the_rule_that_carries_it_out_are_one_hit(leader: SearchIndex) -> None:
    first, *_ = leader.find("when shells may scatter")
    assert first.head.address.endswith("#watchers-lost")
    assert first.head.words.startswith("When may the shells miss?")
    assert [row.title for row in first.rows].count("When shells may scatter") == 1
    assert leader.unknown_words(f"{first.head.number} Q1") == []


def test_words_that_the_book_lacks_are_reported(leader: SearchIndex) -> None:
    assert leader.unknown_words("the flux of a bridge") == ["flux"]
    assert leader.find("flux zyx") == []
    assert leader.unknown_words("What's there if he's gone and I can't or don’t stay, wheres the fort?") == []


@pytest.mark.parametrize(
    ("word", "read"),
    [
        ("night", ""),
        ("nite", ""),
        ("north", ""),
        ("post", ""),
        ("stackng", "stack"),
        ("oportunity", "opportunity"),
        ("armor".replace("or", "our"), "armor"),
    ],
)
def test_only_misspelled_words_are_substituted(word: str, read: str, leader: SearchIndex) -> None:
    assert leader.substituted_words(word) == ({word: (read,)} if read else {})
    assert leader.unknown_words(word) == ([] if read else [word])


def test_a_ruling_that_does_not_exist_is_unknown(leader: SearchIndex) -> None:
    """The query still finds the rule, which could be mistaken for the answer."""
    assert leader.unknown_words("8.37 Q1") == []
    assert leader.unknown_words("8.37 Q9") == ["8.37 q9"]
    assert leader.unknown_words("see 8.37 Q9 on engineers") == ["8.37 q9"]
    assert leader.find("8.37 Q9")[0].head == leader.find("8.37")[0].head


def test_synonyms_and_misspellings_find_the_rule() -> None:
    book = fair()
    contents = Contents(book, unplayed_outcomes(book), None)
    index = SearchIndex(tuple(list_index_rows(contents)), (("fence", "hedge"),))
    for query in ("fences", "wheels hedgs", "hedg", "fnece", "hegdes", "fencse stop"):
        assert "hedges-stop-wheels" in labels(index, query)


def test_rules_of_one_section_are_one_result() -> None:
    rain, hail, wind = (_row(title, "weather") for title in ("Rain", "Hail", "Wind"))
    index = SearchIndex((replace(rain, section="skies"), replace(hail, section="skies"), wind), ())
    together, separate_hits = index.find("weather")
    assert [row.title for row in together.rows] == ["Rain", "Hail"]
    assert separate_hits.head.title == "Wind"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("engineer", "engineers"),
        ("T-34", "t34"),
        ("88", "88s"),
        ("T-34", "T-34s"),
        ("entry", "enters"),
        ("dispersal", "dispersed"),
        ("shot", "shooting"),
        ("HMG", "HMGs"),
    ],
)
def test_forms_of_a_word_have_one_stem(one: str, other: str) -> None:
    assert stems(one) == stems(other)


def _row(title: str, words: str = "") -> IndexRow:
    return IndexRow("Rule", title, "", f"a.html#{title}", words)
