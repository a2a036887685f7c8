"""The page on how often options are used: it is what was recorded, has every option, and says why one is not used."""

from tests.lab.page import PAGE, REASONS, SILENT, not_taken, page, reason_key, silent
from tests.lab.survey import options, pairs, recorded

FOUND = recorded()


def test_the_page_is_what_was_recorded() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(FOUND), "python3 -m tests.lab survey writes it"


def test_every_option_was_played() -> None:
    wanted = {option.name.text for option in options()}
    assert {each.option for each in FOUND} == wanted, "python3 -m tests.lab survey --option NAME plays one"
    assert {(each.situation, each.option) for each in FOUND} <= set(pairs())


def test_what_nobody_took_has_a_reason_and_nothing_else_has() -> None:
    wanted = {reason_key(option, name) for option, name, _, reason in not_taken(FOUND) if not reason}
    assert wanted == REASONS.keys()
    assert sorted(SILENT) == silent(FOUND)
