"""Examples, terms and charts are answered in a real browser, from files, also for positions changed in it."""

import json
from pathlib import Path
from typing import Any

import pytest

from compiler.rulebook.contents import example_anchor
from compiler.rulebook.live.module import LiveQuestion
from rulewright.book.live.cases import repeatable_case
from rulewright.serve.cli.app import run
from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.answer_errors import Unanswered
from runtime.state import change
from runtime.state.position import State
from tests.books.browser import Tab, axe, chromium
from tests.books.live import Printed, live_book
from tests.sample import sampled

pytestmark = pytest.mark.skipif(not chromium(), reason="NOT LOOKED AT IN A BROWSER: there is no Chromium here")
STACK = "panzer_grenadier"
PAGE = "cases/fire.html"
OPENED = "document.querySelector('.panel')"


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("live")
    assert run(["reference", STACK, "--out", str(out)]) == 0
    return out


@pytest.fixture
def page(opened: Tab) -> Tab:
    return opened


def press(page: Tab, place: str) -> None:
    """Press the button of an element, and wait until its panel is open."""
    page.ask(
        f"(async () => {{ const place = document.querySelector({place!r}); if (place.open === false) place.open = true;"
        " place.querySelector('button.again').click();"
        " while (!place.querySelector('.panel, [role=alert]')) await new Promise(go => setTimeout(go, 20)); })()"
    )


def plain(value: Any) -> Any:
    """Convert a value to the form in which the page returns it."""
    return list(value) if isinstance(value, (tuple, range)) else value


def named(printed: Printed, shown_value: Any, wanted: Any) -> Any:
    """Convert the number of a member of an enumeration to its name."""
    return (
        printed.book.layout.enum_members[shown_value]
        if isinstance(wanted, str) and shown_value is not None
        else shown_value
    )


def values(printed: Printed, state: State, questions: tuple[LiveQuestion, ...]) -> list[Any]:
    """Ask an interpreter the questions of the page; a question without an answer gives None."""
    found = []
    for each in questions:
        question = printed.book.patterns[each.question].question
        names = {
            part.name: printed.book.layout.enum_members[value] if isinstance(part.type, graph.Enum) else value
            for part, value in zip(question.parameters, each.arguments, strict=True)
        }
        try:
            value = Interpreter(printed.rules).evaluate(state, question.expr, names)
        except Unanswered:
            value = None
        found.append(value if isinstance(value, (bool, int, list)) else plain(value))
    return found


@sampled(0)
def test_a_moved_piece_has_the_answers_of_the_interpreter(book: Path, page: Tab) -> None:
    printed = live_book(STACK)
    page.look()
    page.open((book / PAGE).as_uri())
    press(page, "[data-live]")
    compared = 0
    anchors = set(page.ask("Object.keys(LIVE.page.places)"))
    for one in printed.played:
        example = one.example
        title = words.sentence(example.title).removesuffix(".")
        anchor = example_anchor(title, example.origin)
        for number, case in enumerate(printed.book.cases.get((example.origin, example.title), ())):
            if anchor not in anchors:
                continue
            repeated_case = repeatable_case(printed.rules, example, case.row)
            assert repeated_case is not None
            moves = [
                (piece, there) for piece, h in enumerate(case.piece_hexes) if h >= 0 for there in range(len(case.hexes))
            ]
            found = page.ask(
                f"(() => {{ const place = LIVE.page.places[{anchor!r}]; const one = place.cases[{number}];"
                f" return {json.dumps(moves)}.map(([piece, there]) => {{ LIVE.memory.load(one.image, one.more);"
                " LIVE.memory.place(one.at.map((stood, each) => each === piece ? there : stood), [piece]);"
                " return one.asked.map(([own, given]) => {"
                " const {value, trap} = LIVE.memory.ask(own, LIVE.page.patterns[own], given);"
                " return trap ? null : value; }); }); })()"
            )
            for (piece, there), expected in zip(moves, found, strict=True):
                state = repeated_case.state.copy()
                change.move(state, piece, there)
                wanted = values(printed, state, case.questions)
                assert [named(printed, *pair) for pair in zip(expected, wanted, strict=True)] == wanted, (
                    title,
                    piece,
                    there,
                )
                compared += len(expected)
    assert compared > 50


def test_a_dragged_counter_changes_the_answers(book: Path, page: Tab) -> None:
    page.look()
    page.open((book / "cases" / "sight.html").as_uri())
    press(page, "[data-live=example-panzer_grenadier-sight-terrain-that-limits-sight-and-spotting-in-it]")
    tags = "[...document.querySelectorAll('.panel li')].map(line => line.innerText.replace(/\\s+/g, ' ').trim())"
    tag = "[...document.querySelectorAll('.panel li .tag')].map(tag => tag.textContent)"
    assert set(page.ask(tag)) == {"as printed"}
    begin, end = page.ask(
        f"(() => {{ {OPENED}.querySelector('svg').scrollIntoView({{block: 'center'}});"
        " const middle = node => { const box = node.getBoundingClientRect();"
        " return [box.x + box.width / 2, box.y + box.height / 2]; };"
        f" const spaces = [...{OPENED}.querySelectorAll('svg text.where')];"
        " const [x, y] = middle(spaces.find(each => each.textContent === 'D'));"
        f" return [middle({OPENED}.querySelector('.movable rect')), [x, y + 30]]; }})()"
    )
    for kind, (x, y) in (("mousePressed", begin), ("mouseMoved", end), ("mouseReleased", end)):
        page.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)
    [changed] = [line for line in page.ask(tags) if "changed" in line]
    assert changed.startswith("R can spot what is in E. changed")
    assert page.ask(f"{OPENED}.querySelector('.places select').selectedOptions[0].text") == "D"
    page.ask(f"{OPENED}.querySelector('button.again').click()")
    assert set(page.ask(tag)) == {"as printed"}


def test_charts_and_terms_are_answered(book: Path, page: Tab) -> None:
    page.look(wide=390)
    page.open((book / "charts.html").as_uri())
    press(page, "[data-chart=fire_results]")
    table_text = page.ask(f"{OPENED}.querySelector('table').innerText")
    assert "(+1)" in table_text
    wide = f"{OPENED}.querySelector('.scroll').hasAttribute('data-wide')"
    assert not page.ask(wide)
    page.look(wide=240)
    assert page.ask(f"new Promise(go => requestAnimationFrame(() => go({wide})))")
    assert page.ask(f"{OPENED}.querySelector('caption').getBoundingClientRect().right <= innerWidth")
    page.look(wide=390)
    assert page.ask(f"{OPENED}.querySelector('.result').textContent").startswith("The column is")
    assert page.ask("document.documentElement.scrollWidth") <= 390
    page.open((book / "terms" / "may_enter.html").as_uri())
    press(page, "[data-live]")
    assert page.ask(f"{OPENED}.querySelectorAll('.told li').length") > 0
    assert page.ask("document.documentElement.scrollWidth") <= 390


@sampled(0)
@pytest.mark.skipif(not axe(), reason="ACCESSIBILITY NOT CHECKED: axe-core-python is not installed")
def test_the_panel_is_accessible_and_not_printed(book: Path, page: Tab) -> None:
    page.look(wide=390, night=True)
    page.open((book / PAGE).as_uri())
    press(page, "[data-live]")
    assert page.faults(axe()) == []
    page.call("Emulation.setEmulatedMedia", media="print", features=[])
    assert page.ask(f"getComputedStyle({OPENED}).display") == "none"
    page.call("Emulation.setEmulatedMedia", media="")
