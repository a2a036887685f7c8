"""The grammar of printed sentences, tested on words."""

from dataclasses import replace

import pytest

from runtime.graph.english import is_participle, joined_clauses, negated_template, opposite_clause, possessive
from runtime.graph.words import PluralPhrase, amount_beside, definite, list_text, measure_after_number, plural, singular
from tests.books.fair import fair


@pytest.mark.parametrize(
    ("link", "clauses", "message"),
    [
        ("and", "it: is old; it: has no wheels", "it is old and has no wheels"),
        ("and", "it: is old; it: is big; it: rolls", "it is old, is big and rolls"),
        ("and", "B: is a bog; there: lie carts; B: is wet", "B is a bog and there lie carts and B is wet"),
        ("and", "B: is a bog or a mire; B: is wet; B: is far", "B is a bog or a mire and is wet and is far"),
        ("or", "B: is a bog; B: has no road; K: is old", "B is a bog or has no road or K is old"),
        ("or", "B: is a bog, has rocks or is wet; B: has no road", "B is a bog, has rocks, is wet or has no road"),
        ("or", "B: is a bog or a mire; B: has no road", "B is a bog or a mire or has no road"),
        # A clause about a pair is not joined to one about its first member.
        ("and", "B: is a bog; B: and C are joined", "B is a bog and B and C are joined"),
    ],
)
def test_clauses_with_one_subject_are_joined(link: str, clauses: str, message: str) -> None:
    parts = [clause.split(": ") for clause in clauses.split("; ")]
    assert joined_clauses([(subject, f"{subject} {rest}") for subject, rest in parts], link) == message


def test_a_negation_is_put_after_the_auxiliary() -> None:
    assert negated_template("{cart} has just tipped over") == "{cart} has not just tipped over"
    assert negated_template("{cart} has a wheel") == "{cart} does not have a wheel"


def test_the_verb_of_the_whole_clause_is_negated() -> None:
    clause = "carts of the West that are not loaded are within 1 hex of A"
    assert opposite_clause(clause) == "carts of the West that are not loaded are not within 1 hex of A"
    assert negated_template("{cart} and {other} belong to one side") == "{cart} and {other} do not belong to one side"


def test_the_first_noun_of_a_phrase_has_the_plural() -> None:
    assert [plural(noun) for noun in ("hex passed over", "turn of arrival", "cart")] == [
        "hexes passed over",
        "turns of arrival",
        "carts",
    ]


def test_a_phrase_has_the_number_of_its_noun() -> None:
    loads = PluralPhrase("loads")
    phrases = (loads, definite(loads), possessive("the cart", loads), list_text(["the cart", "the ox"]))
    assert all(isinstance(phrase, PluralPhrase) for phrase in phrases)
    assert not isinstance(possessive("the wheels", "rim"), PluralPhrase)


def test_words_in_ed_and_irregular_participles_are_participles() -> None:
    names = ("spent", "carried", "hauled", "speed", "loads", "loads carried")
    assert [name for name in names if is_participle(name)] == ["spent", "carried", "hauled"]


def test_only_compounds_of_man_and_child_have_their_plurals() -> None:
    assert [plural(noun) for noun in ("Trueman", "rifleman", "man", "grandchild", "foot-woman")] == [
        "Truemans",
        "riflemen",
        "men",
        "grandchildren",
        "foot-women",
    ]


@pytest.mark.parametrize(
    ("measure", "value", "message"),
    [
        ("pieces of gold", 2, "pieces of gold"),
        ("pieces of gold", 1, "piece of gold"),
        ("hexes", 1, "hex"),
        ("supplies", 1, "supply"),
        ("supplies", 3, "supplies"),
        ("points of the truce", 0, "points of the truce"),
        ("on the die", 1, "on the die"),
        ("gold", 3, "gold"),
        ("men", 3, "men"),
        ("men", 1, "man"),
        ("specimens", 1, "specimen"),
    ],
)
def test_a_measure_agrees_with_its_number(measure: str, value: int, message: str) -> None:
    assert measure_after_number(measure, value) == message


def test_some_nouns_in_o_have_a_plural_in_oes() -> None:
    assert [plural(noun) for noun in ("torpedo", "old cargo", "piano")] == ["torpedoes", "old cargoes", "pianos"]
    assert [singular(noun) for noun in ("torpedoes", "cargoes", "pianos")] == ["torpedo", "cargo", "piano"]


def test_some_nouns_do_not_change_in_the_plural() -> None:
    assert plural("Rifle corps") == "Rifle corps"
    assert [plural(noun) for noun in ("fine gold", "cattle", "people", "specimen", "women")] == [
        "fine gold",
        "cattle",
        "people",
        "specimens",
        "women",
    ]


@pytest.mark.parametrize(
    ("subject", "amount"),
    [
        ("the die", "3"),
        ("the die modifier against the target", "3"),
        ("the cover of the hex", "3"),
        ("", "3 on the die"),
    ],
)
def test_a_measure_is_not_repeated_beside_what_names_it(subject: str, amount: str) -> None:
    vocabulary = replace(fair().vocabulary, measures={"pips": "on the die", "carts": "carts"})
    assert amount_beside(3, "pips", vocabulary, subject) == amount
    assert amount_beside(3, "carts", vocabulary, "the carts") == "3 carts"
