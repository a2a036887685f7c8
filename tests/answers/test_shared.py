"""Questions asked twice are asked once, and no others are mistaken for them."""

from runtime.answer.tidy_text import shared


def test_a_question_whose_name_ends_like_another_stays_itself() -> None:
    """`places_beside(s, unit)` holds the text of `beside(s, unit)`, which is asked twice, but does not ask it."""
    lines = ["if beside(s, unit) > places_beside(s, unit):", "    return beside(s, unit)"]
    assert shared(lines, {"beside(s, unit)": "the_beside"}) == [
        "the_beside = beside(s, unit)",
        "if the_beside > places_beside(s, unit):",
        "    return the_beside",
    ]
