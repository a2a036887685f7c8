"""Tasks of two users in a real browser: two turns of a club player, and a designer who writes no rule."""

from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="THE PAGE IS NOT TRIED: starlette is not installed")

from compiler.analysis.budgets import MOST_PROOF_STEPS
from rulewright.checks.checking import check_stack
from rulewright.serve.workbench import position_view as views
from rulewright.serve.workbench.click_actions import ending_options
from rulewright.serve.workbench.positions import piece_number, position_at
from tests.books.browser import Tab, axe, chromium
from tests.workbench.served import Served, click, look_at, page, press, until
from tests.workbench.test_browser import choose

pytestmark = pytest.mark.skipif(not chromium(), reason="NOT LOOKED AT IN A BROWSER: there is no Chromium here")
CARD = "bridge_at_millbrook"
MOST = 30


def begin_game(served_page: Served, browser: Tab, seed: str) -> str:
    with served_page.sessions.lock:
        name = served_page.sessions.begin(CARD, None, "german=human,allied=greedy", seed).name
    look_at(browser, f"{served_page.link}#/play/game.{name}")
    until(browser, "document.querySelector('[data-waiting].lit') !== null")
    return name


def press_button(browser: Tab, label: str) -> None:
    found = (
        f"[...document.querySelectorAll('.actions button, dialog[open] button')].find(e => e.textContent === {label!r})"
    )
    until(browser, f"{found} !== undefined")
    browser.ask(f"{found}.click()")


def come_to(served_page: Served, name: str, wanted: str) -> tuple[str, str]:
    """End offers until a counter can throw dice at a target, or move.

    Return the counter and the selector of the target.
    """
    for _ in range(MOST):
        with served_page.sessions.lock:
            session = served_page.sessions.find(name)
            while session.let_others_play():
                pass
            position = position_at(served_page.sessions, f"game.{name}", changes=())
            for piece in views.position_data(position)["lit"]["pieces"]:
                for action in views.click_data(position, piece, "")["ways"]:
                    if position.visible.state.hex[piece_number(position.visible.state, piece)] < 0:
                        continue
                    kind = "piece" if action["piece"] else "space"
                    if action[kind] and action["odds" if wanted == "dice" else "tag"]:
                        return piece, f'[data-{kind}="{action[kind]}"]'
            # Offers are ended one by one; the set-up cannot be ended.
            if last := [*ending_options(position.decision())]:
                session.take(session.version, last[-1:])
            else:
                session.finish_phase(session.version)
    raise AssertionError(f"nobody ever has a {wanted}")


@pytest.mark.long
@pytest.mark.parametrize("turn", [1, 2])
def test_a_turn_of_a_club_player(turn: int, served_page: Served, browser: Tab) -> None:
    name = begin_game(served_page, browser, f"7{turn}")
    if turn > 1:
        with served_page.sessions.lock:
            session = served_page.sessions.find(name)
            while session.playthrough.state.turn < turn:
                while session.let_others_play():
                    pass
                session.finish_phase(session.version)
    before, undo = 0, "[...document.querySelectorAll('.actions button')].find(e => e.textContent === 'Undo')"
    for wanted in ("dice", "move"):
        piece, end = come_to(served_page, name, wanted)
        look_at(browser, f"{served_page.link}#/play/game.{name}?s=piece%3A{piece}")
        until(browser, f"document.querySelector('[data-piece=\"{piece}\"].chosen') !== null")
        # A click on the counter's own place, as a target, selects the next counter there while the search runs.
        until(browser, "!document.querySelector('.prompt').textContent.startsWith('Searching')")
        before = browser.ask("document.querySelectorAll('.log li').length")
        click(browser, end)
        until(browser, "document.querySelector('dialog[open] h2') !== null"
                       f" || document.querySelectorAll('.log li').length > {before}")  # fmt: skip
        if browser.ask("document.querySelector('dialog[open] h2')?.textContent === 'Choose one action'"):
            browser.ask("document.querySelector('dialog[open] .column button').click()")
        if wanted == "dice":
            until(browser, "document.querySelector('dialog[open] .block') !== null")
            press_button(browser, "Throw the dice")
        until(browser, f"document.querySelectorAll('.log li').length > {before}")
        until(browser, "[...document.querySelectorAll('.actions button')].some(e => e.textContent === 'Undo')")
        # A choice that threw a die cannot be undone; a move can.
        assert browser.ask(f"{undo}.disabled") == (wanted == "dice")
    browser.ask(f"{undo}.click()")
    until(browser, f"document.querySelectorAll('.log li').length === {before}")
    # Each line of the log links to its moment, and that to the Table.
    browser.ask("document.querySelector('.log a').click()")
    until(browser, "[...document.querySelectorAll('.actions a')].some(e => e.textContent === 'Open on the Table')")
    browser.ask("[...document.querySelectorAll('.actions a')].find(e => e.textContent === 'Open on the Table').click()")
    until(browser, f"location.hash.startsWith('#/table/game.{name}.')")
    until(browser, "document.querySelector('#turn') !== null")


@pytest.mark.long
def test_a_designer_changes_a_cell_adds_an_exception_and_tests_them(browser: Tab, tmp_path: Path) -> None:
    with page() as served_page:
        served_page.sessions.save_folder = tmp_path
        browser.call("Page.navigate", url="about:blank")
        browser.call("Page.navigate", url=f"{served_page.link}#/change/panzer_leader?s=wet_ground:variant")
        choose(browser, "#kind", "cell")
        choose(browser, "[name=chart]", "tec")
        click(browser, 'button[aria-label="woods, foot: 1 MP"]')
        until(browser, "document.activeElement.name === 'now'")
        browser.call("Input.insertText", text="5 MP")
        say_why(browser, "The woods are wet.")
        until(browser, "document.querySelector('.code')?.textContent.includes('by 5 MP')")
        choose(browser, "#kind", "forbid")
        choose(browser, "[name=what]", "may_enter")
        choose(browser, "[name=when]", "to is woods")
        until(browser, "document.querySelectorAll('.several li').length === 1")
        choose(browser, "[name=when]", "mover is vehicular")
        until(browser, "document.querySelectorAll('.several li').length === 2")
        say_why(browser, "No vehicle gets into the woods.")
        until(browser, "document.querySelector('.code')?.textContent.includes('forbidden by forbid-enter')")
        if script := axe():
            assert browser.faults(script) == []
        click(browser, "#compare")
        until(browser, "document.querySelector('.differences h2') !== null")
        assert "may_enter" in browser.ask("document.querySelector('.differences').textContent")
        assert browser.ask("document.querySelector('.differences a[href*=witnesses]') !== null")
        click(browser, "#save")
        until(browser, "document.querySelector('.answer a[href^=\"#/lab\"]') !== null")
        click(browser, '.answer a[href^="#/lab"]')
        until(browser, "document.querySelector('#lab-second')?.value === 'panzer_leader+wet_ground'")
        browser.ask("document.querySelector('#lab-games').value = 2; 0")
        browser.ask("document.querySelector('.lab form .primary').click()")
        until(browser, "document.querySelector('.lab .verdict') !== null")
    assert "when to is woods and mover is vehicular" in (tmp_path / "wet_ground" / "changes.rules").read_text()


@pytest.mark.long
def test_a_designer_declares_a_status_and_compares_it(browser: Tab, tmp_path: Path) -> None:
    """The status is written, compiled, compared, saved and checked by forms alone."""
    with page() as served_page:
        served_page.sessions.save_folder = tmp_path
        browser.call("Page.navigate", url="about:blank")
        browser.call("Page.navigate", url=f"{served_page.link}#/change/panzerblitz?s=shaken_crews:optional")
        choose(browser, "#kind", "status")
        until(browser, "document.querySelector('[name=name]') !== null")
        browser.ask("document.querySelector('[name=name]').focus(); 0")
        browser.call("Input.insertText", text="rattled")
        choose(browser, "[name=of]", "unit")
        browser.ask("document.querySelector('[name=marker]').focus(); 0")
        browser.call("Input.insertText", text="R")
        choose(browser, "[name=until]", "own_turn")
        choose(browser, "[name=after]", "unloaded")
        choose(browser, "[name=forbids]", "may_move")
        assert browser.ask("document.querySelector('[name=name]').value") == "rattled"
        say_why(browser, "Who has just got off does not move on.")
        until(browser, "document.querySelector('.code')?.textContent.includes('rattled')")
        assert browser.ask("document.querySelectorAll('.findings li').length") == 0
        click(browser, "#compare")
        until(browser, "document.querySelector('.differences h2') !== null")
        assert "may_move" in browser.ask("document.querySelector('.differences').textContent")
        click(browser, "#save")
        until(browser, "document.querySelector('.answer a[href^=\"#/lab\"]') !== null")
        # Neither a reload nor the navigation adds what is saved for a second time.
        saved = "#/change/panzerblitz?s=shaken_crews%3Aoptional"
        assert browser.ask("location.hash") == saved
        assert browser.ask("document.querySelector('.pending')") is None
        browser.ask("location.hash = '#/situations'; 0")
        until(browser, f"document.querySelector('#views a[href^=\"#/change\"]')?.getAttribute('href') === {saved!r}")
    written = (tmp_path / "shaken_crews" / "changes.rules").read_text()
    assert 'status unit: rattled marker "R" until end of own_turn' in written
    assert not check_stack("panzerblitz+shaken_crews", [tmp_path / "shaken_crews"], MOST_PROOF_STEPS).diagnostics


def say_why(browser: Tab, text: str) -> None:
    """Type the reason of a change, and add it."""
    browser.ask("document.querySelector('[name=why]').focus(); 0")
    browser.call("Input.insertText", text=text)
    browser.ask("document.querySelector('form .primary').focus(); 0")
    press(browser, "Enter")


VIEWS = ["table/card.first_snow", "situations", "lab", "change/two_clans", "book"]


@pytest.mark.skipif(not axe(), reason="ACCESSIBILITY NOT CHECKED: axe-core-python is not installed")
@pytest.mark.long
@pytest.mark.parametrize(("wide", "night"), [(1280, False), (1280, True), (390, False), (390, True)])
def test_axe_reports_no_problem_in_any_view(served_page: Served, browser: Tab, wide: int, night: bool) -> None:
    browser.look(wide=wide, night=night)
    for view in VIEWS:
        browser.call("Page.navigate", url="about:blank")
        browser.call("Page.navigate", url=f"{served_page.link}#/{view}")
        until(browser, "document.querySelector('#main h1')?.textContent.length > 0")
        until(browser, "!/Loading|Running the proofs/.test(document.querySelector('#main').textContent)")
        assert browser.faults(axe()) == [], view
        assert browser.ask("document.documentElement.scrollWidth") <= wide, view
