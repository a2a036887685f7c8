"""Names that are near: which are, and that looking for them takes no longer than the rest of a report."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compiler.compile import problems_of_stack
from compiler.report.diagnose import diagnose
from compiler.source import suggestions
from compiler.source.suggestions import WRONG_LETTERS, begin_report, edit_distance, nearest_names
from tests.analysis.planted import library_of

# On a busy machine the time that a case takes says nothing about it.
BUSY = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

WORD = st.text("abz_é", min_size=1, max_size=9)


def letter_distance(a: str, b: str) -> int:
    """Count single-letter slips, each pair of beginnings by itself."""
    table = {(0, j): j for j in range(len(b) + 1)} | {(i, 0): i for i in range(len(a) + 1)}
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            costs = [table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + (a[i - 1] != b[j - 1])]
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                costs.append(table[i - 2, j - 2] + 1)
            table[i, j] = min(costs)
    return table[len(a), len(b)]


@BUSY
@given(WORD, WORD, st.integers(0, 9))
def test_slips_are_counted_as_far_as_the_limit(a: str, b: str, limit: int) -> None:
    found = edit_distance(a, b, limit)
    assert found == letter_distance(a, b) if letter_distance(a, b) <= limit else found > limit


@BUSY
@given(WORD, WORD)
def test_a_name_is_near_where_few_letters_are_wrong(word: str, name: str) -> None:
    begin_report()
    few = max(len(word), len(name), 3) // WRONG_LETTERS
    has_same_words = sorted(word.split("_")) == sorted(name.split("_"))
    assert bool(nearest_names(word, [name])) == (
        word != name and (has_same_words or letter_distance(word, name) <= min(few, len(word) - 1))
    )


MANY = "".join(f'rule name-of-rule-{number} [house] "So."  may_go forbidden\n' for number in range(300))
USED = "".join(f"exception to lost-name-of-rule-{number} " for number in range(20))
LAYER = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"
SHARED = "side north, south\nkind cart\nverdict may_go(c: cart) default allowed\n"


@pytest.mark.parametrize("slip", ["", ") "])
def test_names_that_a_slip_swallowed_are_compared_with_none(
    slip: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = "".join(f'rule lost-name-of-rule-{number} [house] "So."  may_go {slip}forbidden\n' for number in range(20))
    using = f'rule using [house] "So."  may_go forbidden {USED}\n'
    files = {"planted/layer.yaml": LAYER, "planted/shared.rules": SHARED + MANY + lost + using}
    library = library_of(files, tmp_path)
    compared: list[str] = []
    rank = suggestions._rank

    def counted(word: str, name: str) -> int | None:
        compared.append(word)
        return rank(word, name)

    monkeypatch.setattr(suggestions, "_rank", counted)
    found = diagnose(problems_of_stack(library, "planted"), library.texts)
    assert {each.code for each in found} == ({"R0101"} if slip else set())
    assert [word for word in compared if word.startswith("lost")] == []
