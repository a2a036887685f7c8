"""Near names: which edit distances count as near, and for which unknown names no search is made."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compiler.compile import problems_of_stack
from compiler.report.diagnose import diagnose
from compiler.source import suggestions
from compiler.source.suggestions import WRONG_LETTERS, begin_report, edit_distance, nearest_names
from tests.analysis.planted import library_of

# On a busy machine the duration of a case is no measure of its cost.
BUSY = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

WORD = st.text("abz_é", min_size=1, max_size=9)


def letter_distance(a: str, b: str) -> int:
    """Return the edit distance with transpositions, by the full table over all pairs of prefixes."""
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
def test_the_edit_distance_is_exact_up_to_its_limit(a: str, b: str, limit: int) -> None:
    found = edit_distance(a, b, limit)
    assert found == letter_distance(a, b) if letter_distance(a, b) <= limit else found > limit


@BUSY
@given(WORD, WORD)
def test_a_name_is_near_if_few_letters_differ(word: str, name: str) -> None:
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
def test_names_lost_to_a_syntax_error_are_compared_with_no_other(
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
