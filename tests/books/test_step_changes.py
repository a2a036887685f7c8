"""Steps that only one of two books has, listed by phase."""

from dataclasses import replace

from compiler.rulebook.booklet import Baseline, ListedChange
from compiler.rulebook.contents import Contents, gather_contents
from compiler.rulebook.evidence import unplayed_outcomes
from compiler.rulebook.markdown import write_wiki
from compiler.rulebook.paper.leaflet import write_leaflet_text
from compiler.rulebook.topics import Topic, topic_lines
from runtime.graph import nodes as graph
from tests.books.fair import HERE, fair
from tests.books.site import write_book
from tests.sample import sampled
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


def changed() -> Contents:
    return gather_contents(NOW, unplayed_outcomes(NOW), Baseline(BEFORE, "the old fair"))


def change() -> ListedChange:
    booklet = changed().booklet
    assert booklet
    [one] = (each for each in booklet.changes if each.thing == ("procedure", "sequence"))
    return one


def test_new_steps_are_listed_under_their_phase_and_condition() -> None:
    driving, resting = change().steps_now
    assert (driving.title, driving.phase, resting.title) == ("Driving", "driving", "Resting")
    [offered] = driving.inside
    assert offered.text == "Also, as often as wanted:"
    assert [called for _, called in offered.leads] == ["Rest", "Graze"]
    [when] = resting.inside
    assert when.text.startswith("If ")
    assert [step.leads for step in when.inside] == [(("resolution:mend", "Mend"),)]
    assert change().steps_before == ()


def test_each_phase_is_a_line_of_its_topic() -> None:
    lines = [text for text, _ in topic_lines(Topic("", "Sequence of play", (change(),)), NOW)]
    assert [line.partition(":")[0] for line in lines] == ["Driving", "Resting"]
    assert lines[0] == "Driving: also, as often as wanted: Rest; Graze."


@sampled(0)
def test_page_wiki_and_paper_list_new_steps_with_links() -> None:
    files = write_book(NOW, None, Baseline(BEFORE, "the old fair"))
    page = files["changes.html"].decode()
    listed = page[page.index('<ul class="apart">') :]
    assert listed.index("<strong>Driving</strong> <a") < listed.index("<li>Rest") < listed.index("Resting</strong>")
    assert 'href="play.html#resolution-mend">Mend</a>' in listed
    wiki = write_wiki(changed(), "The Fair")["wiki/Changes.md"].decode()
    assert "- **Driving** ([" in wiki
    assert "\n      - Graze\n- **Resting**\n" in wiki
    paper = write_leaflet_text(changed(), "The Fair", "The Fair")["main"].decode()
    assert "#list([*Driving* #num[" in paper
