"""The page in a real browser: mouse and keyboard, light and dark scheme, desktop and phone."""

from pathlib import Path

import pytest

from tests.sample import sampled

pytest.importorskip("starlette", reason="THE PAGE IS NOT TRIED: starlette is not installed")

from tests.books.browser import Tab, axe, chromium
from tests.workbench.served import Served, click, look_at, page, press, until

pytestmark = [
    pytest.mark.usefixtures("forked_jobs"),
    pytest.mark.skipif(not chromium(), reason="NOT LOOKED AT IN A BROWSER: there is no Chromium here"),
]
needs_axe = pytest.mark.skipif(not axe(), reason="ACCESSIBILITY NOT CHECKED: axe-core-python is not installed")

CARD = "first_snow"


def begin_game(served_page: Served, seed: str, players: str = "human,greedy") -> str:
    with served_page.sessions.lock:
        return f"{served_page.link}#/play/game.{served_page.sessions.begin(CARD, None, players, seed).name}"


def prompt(browser: Tab) -> str:
    return str(browser.ask("document.querySelector('.prompt').textContent"))


@sampled(0)
def test_two_clicks_move_a_counter_and_a_refused_click_has_a_reason(served_page: Served, browser: Tab) -> None:
    look_at(browser, begin_game(served_page, "31"))
    assert "Click a highlighted counter" in prompt(browser)
    click(browser, '[data-piece="foot-1.1"]')
    until(browser, "document.querySelectorAll('.overlay .lit').length > 5")
    click(browser, '[data-space="K11"]')
    until(browser, "document.querySelector('.why') !== null")
    assert "K11" in browser.ask("document.querySelector('.why').textContent")
    click(browser, '[data-space="B4"]')
    until(browser, "document.querySelector('.log') && document.querySelector('.log').textContent.includes('B4')")
    browser.ask("document.querySelector('#notice').replaceChildren(); 0")
    if script := axe():
        assert browser.faults(script) == []


@pytest.mark.long
def test_a_counter_is_moved_by_keyboard(served_page: Served, browser: Tab) -> None:
    look_at(browser, begin_game(served_page, "32"))
    browser.ask("document.querySelector('[data-space=\"C6\"]').focus(); 0")
    press(browser, "Enter")
    until(browser, "document.querySelectorAll('.overlay .lit').length > 5")
    press(browser, "ArrowLeft")
    assert browser.ask("document.activeElement.dataset.space") == "C5"
    assert "highlighted" in browser.ask("document.activeElement.getAttribute('aria-label')")
    press(browser, "Enter")
    until(browser, "document.querySelector('.log') && document.querySelector('.log').textContent.includes('C5')")
    press(browser, "u")
    until(browser, "!document.querySelector('.log') || !document.querySelector('.log').textContent.includes('C5')")


@pytest.mark.long
def test_a_drag_on_the_table_changes_the_link(served_page: Served, browser: Tab) -> None:
    look_at(browser, f"{served_page.link}#/table/card.{CARD}")
    ends = [
        browser.ask(
            f"(r => [r.x + r.width / 2, r.y + r.height / 2])(document.querySelector({each!r}).getBoundingClientRect())"
        )
        for each in ('[data-piece="foot-1.1"]', '[data-space="I2"]')
    ]
    browser.call(
        "Input.dispatchMouseEvent", type="mousePressed", x=ends[0][0], y=ends[0][1], button="left", clickCount=1
    )
    for part in (0.3, 0.7, 1.0):
        x, y = (a + (b - a) * part for a, b in zip(*ends, strict=True))
        browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y, button="left", buttons=1)
    browser.call("Input.dispatchMouseEvent", type="mouseReleased", x=ends[1][0], y=ends[1][1], button="left")
    until(browser, "decodeURIComponent(location.hash).includes('move,foot-1.1,I2')")
    link = browser.ask("location.href")
    look_at(browser, link)
    click(browser, '[data-piece="foot-1.1"]')
    until(browser, "document.querySelector('.selection .facts')?.textContent.startsWith('I2')")


@pytest.mark.long
def test_a_game_survives_a_restart_of_the_server(browser: Tab) -> None:
    with page() as first:
        link = begin_game(first, "33")
        port = int(first.link.split(":")[2].split("/")[0])
        look_at(browser, link)
        click(browser, '[data-piece="foot-1.1"]')
        until(browser, "document.querySelectorAll('.overlay .lit').length > 5")
        click(browser, '[data-space="B4"]')
        until(browser, "document.querySelector('.log') !== null")
    browser.ask("document.querySelector('[data-piece]') !== null")
    click(browser, '[data-piece="foot-1.2"]')
    until(browser, "document.querySelector('#notice').textContent.includes('stored in files')")
    with page(port):
        look_at(browser, link)
        assert "B4" in browser.ask("document.querySelector('.log').textContent")


@needs_axe
@pytest.mark.long
@pytest.mark.parametrize(("wide", "night"), [(1280, False), (1280, True), (390, True), (390, False)])
def test_axe_reports_no_problem_and_pages_fit_the_screen(
    served_page: Served, browser: Tab, wide: int, night: bool
) -> None:
    browser.look(wide=wide, night=night)
    for where in (
        f"table/card.{CARD}?s=piece%3Afoot-1.1",
        begin_game(served_page, f"4{wide}{int(night)}").rpartition("#/")[2],
    ):
        look_at(browser, f"{served_page.link}#/{where}")
        assert browser.faults(axe()) == []
        assert browser.ask("document.documentElement.scrollWidth") <= wide
    for view, part in (("situations", ".cards article"), ("book", "#book-stack-game"), ("change/two_clans", "#kind")):
        browser.call("Page.navigate", url=f"{served_page.link}#/{view}")
        until(browser, f"document.querySelector('{part}') !== null")
        assert browser.faults(axe()) == []
        assert browser.ask("document.documentElement.scrollWidth") <= wide
        controls = "[...document.querySelectorAll('main :is(select, input, button)')]"
        assert browser.ask(f"Math.max(...{controls}.map(e => e.getBoundingClientRect().right))") <= wide, view


@pytest.mark.long
def test_the_policy_refuses_markup_and_foreign_scripts(served_page: Served, browser: Tab) -> None:
    look_at(browser, f"{served_page.link}#/table/card.{CARD}")
    tried = "(() => { try { document.body.innerHTML = '<b>x</b>'; return 'done'; } catch (e) { return e.name; } })()"
    assert browser.ask(tried) == "TypeError"
    script = """new Promise(done => {
        const made = document.createElement('script');
        made.onerror = () => done('refused');
        made.onload = () => done('run');
        try { made.src = 'data:text/javascript,1'; document.head.append(made); } catch { done('refused'); }
    })"""
    assert browser.ask(script) == "refused"


@sampled(0)
def test_a_cell_is_changed_an_exception_added_and_saved_without_typing_a_rule(browser: Tab, tmp_path: Path) -> None:
    with page() as served_page:
        served_page.sessions.save_folder = tmp_path
        browser.call("Page.navigate", url="about:blank")
        browser.call("Page.navigate", url=f"{served_page.link}#/change/two_clans?s=muddy:variant")
        choose(browser, "#kind", "cell")
        choose(browser, "[name=chart]", "orders_of")
        click(browser, 'button[aria-label^="drive:"]')
        until(browser, "document.activeElement.name === 'now' && document.activeElement.value === '4 orders'")
        browser.call("Input.insertText", text="5")
        browser.ask("document.querySelector('[name=why]').focus(); 0")
        browser.call("Input.insertText", text='More & more of "it"')
        browser.ask("document.querySelector('form .primary').focus(); 0")
        press(browser, "Enter")
        until(browser, "document.querySelector('.code')?.textContent.includes('by 5 orders')")
        assert browser.ask("document.querySelector('.written b')") is None
        click(browser, "#save")
        until(browser, "document.querySelector('.answer a[href*=\"two_clans%2Bmuddy\"]') !== null")
        if script := axe():
            assert browser.faults(script) == []
        click(browser, ".answer li button")
        until(browser, "document.querySelector('.rules')?.textContent.includes('Muddy')")
    assert "drive] = 4 orders by 5 orders" in (tmp_path / "muddy" / "changes.rules").read_text()


def choose(browser: Tab, field: str, value: str) -> None:
    """Select a value of a list."""
    until(browser, f"[...(document.querySelector({field!r})?.options ?? [])].some(each => each.value === {value!r})")
    browser.ask(
        f"(f => {{ f.value = {value!r}; f.dispatchEvent(new Event('change')); return 0; }})"
        f"(document.querySelector({field!r}))"
    )
