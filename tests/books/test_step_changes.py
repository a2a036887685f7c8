"""Steps that only one of two books has, a sentence each."""

from dataclasses import replace

from compiler.rulebook.booklet import Baseline, ListedChange
from compiler.rulebook.changes import compare_books
from runtime.graph import nodes as graph
from tests.books.fair import HERE, fair
from tests.toys.build import ask

MAY_ACT = graph.Truth(value=True)
BROKEN = graph.Branch(ask("may_enter"), (graph.Do("mend", ()),), ())


def played(*driving: graph.Step, resting: tuple[graph.Step, ...] = ()) -> graph.Graph:
    """Return the game with two phases; the first has a case."""
    body = (graph.Phase("driving", "Driving", driving), graph.Phase("resting", "Resting", resting))
    book = fair()
    one = replace(book.procedures["action:drive"], what="sequence", name="carts", parameters=(), body=body, prose="")
    mend = replace(one, what="resolution", name="mend", body=(graph.Roll("luck", "die", 1, 6),), prose="Mend it.")
    [layer] = book.layers
    return replace(
        book, procedures={**book.procedures, "sequence": replace(one, origin=HERE), "resolution:mend": mend},
        layers=(replace(layer, phases=(("driving", ("going",)),)),),
    )  # fmt: skip


def offer(*names: str) -> graph.Offer:
    return graph.Offer(tuple((name, ()) for name in names), None, MAY_ACT)


BEFORE = played(offer("drive"))
NOW = played(offer("drive", "rest", "graze"), resting=(BROKEN,))


def sequence_changes(now: graph.Graph, before: graph.Graph) -> ListedChange:
    """Return the change of the sequence of play."""
    [change] = (
        each
        for each in compare_books(now, Baseline(before, "the old fair")).changes
        if each.thing == ("procedure", "sequence")
    )
    return change


def test_new_steps_are_listed_with_their_phase_and_condition() -> None:
    change = sequence_changes(NOW, BEFORE)
    driving, resting = change.now
    assert driving == "Driving: any of these, as often as wanted, also: Rest; Graze."
    assert resting.startswith("Resting: if ")
    assert resting.endswith(": Mend.")
    assert change.before == ()


def test_an_offer_is_compared_with_the_most_similar_one() -> None:
    old = played(offer("drive", "rest"), offer("graze"))
    new = played(offer("drive", "rest"), offer("graze", "mend"))
    [line] = sequence_changes(new, old).now
    assert line.endswith(", also: Mend.")


def test_equal_steps_are_one_line() -> None:
    roll = graph.Roll("luck", "die", 1, 6)
    old, twice = played(offer("drive")), played(offer("drive"), roll, offer("drive"), roll)
    assert len(sequence_changes(twice, old).now) < 3
