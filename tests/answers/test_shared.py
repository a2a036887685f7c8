"""Questions asked twice are asked once, and no others are mistaken for them."""

from runtime.answer.looked_up_once import before_passes, shared


def test_a_question_whose_name_ends_like_another_stays_itself() -> None:
    """`places_beside(s, unit)` holds the text of `beside(s, unit)`, which is asked twice, but does not ask it."""
    lines = ["if beside(s, unit) > places_beside(s, unit):", "    return beside(s, unit)"]
    assert shared(lines, {"beside(s, unit)": "the_beside"}) == [
        "the_beside = beside(s, unit)",
        "if the_beside > places_beside(s, unit):",
        "    return the_beside",
    ]


def test_what_is_the_same_for_all_is_looked_up_before_a_pass() -> None:
    lines = [
        "# somebody-fired: of those who are here",
        "if any(f in s.marks['unit.fired'] for f in s.tracks['unit.crew'].get(h, ())):",
        "    return s.marks['unit.fired']",
        "return s.marks['unit.spent']",
    ]
    assert before_passes(lines) == [
        "# somebody-fired: of those who are here",
        "unit_fired = s.marks['unit.fired']",
        "if any(f in unit_fired for f in s.tracks['unit.crew'].get(h, ())):",
        "    return unit_fired",
        "return s.marks['unit.spent']",
    ]
