"""The page without a mouse: redrawn parts preserve the focus, and a turn can be played with keys alone."""

import pytest

pytest.importorskip("starlette", reason="THE PAGE IS NOT TRIED: starlette is not installed")

from tests.books.browser import Tab, chromium
from tests.workbench.served import Served, look_at, press, until

pytestmark = [
    pytest.mark.skipif(not chromium(), reason="NOT LOOKED AT IN A BROWSER: there is no Chromium here"),
    pytest.mark.long,
]
FOCUS = "(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent)"


def focus(browser: Tab, selector: str) -> None:
    until(browser, f"document.querySelector({selector!r}) !== null")
    browser.ask(f"document.querySelector({selector!r}).focus(); 0")


def test_a_turn_is_played_by_keys_alone(served_page: Served, browser: Tab) -> None:
    with served_page.sessions.lock:
        name = served_page.sessions.begin("first_snow", None, "human", "9").name
    look_at(browser, f"{served_page.link}#/play/game.{name}")
    focus(browser, '.map [tabindex="0"]')
    assert "Arrow keys move" in browser.ask("document.querySelector('.map svg').getAttribute('aria-label')")
    press(browser, "n")
    until(browser, f"{FOCUS} === 'B5: open terrain: panzer army 2, the Column, highlighted'")
    press(browser, "Enter")
    until(browser, f"{FOCUS} === 'B5: open terrain: panzer army 2, the Column, selected'")
    press(browser, "n")
    until(browser, f"{FOCUS}.endsWith(', highlighted')")
    press(browser, "ArrowRight")
    press(browser, "p")
    goal = until(browser, f"{FOCUS}.endsWith(', highlighted') && {FOCUS}").partition(":")[0]
    press(browser, "Enter")
    until(browser, f"document.querySelector('.log')?.textContent.includes('B5 to {goal}')")
    assert browser.ask(FOCUS).startswith(f"{goal}:")
    press(browser, "u")
    until(browser, "document.querySelector('.log') === null")
    focus(browser, ".actions .end")
    press(browser, "Enter")
    until(browser, "document.querySelector('.phases .now').textContent !== 'Movement'")
    until(browser, f"{FOCUS}.startsWith('End the ')")
    press(browser, "Escape")
    until(browser, "document.querySelector('.selection .hint') !== null")


def test_a_redrawn_form_preserves_the_focus(served_page: Served, browser: Tab) -> None:
    browser.call("Page.navigate", url="about:blank")
    browser.call("Page.navigate", url=f"{served_page.link}#/change/two_clans")
    focus(browser, "#kind")
    browser.ask("document.querySelector('#kind').value = 'forbid'; "
                "document.querySelector('#kind').dispatchEvent(new Event('change')); 0")  # fmt: skip
    focus(browser, "[name=what]")
    browser.ask("document.querySelector('[name=what]').value = 'may_march'; "
                "document.querySelector('[name=what]').dispatchEvent(new Event('change')); 0")  # fmt: skip
    until(browser, "document.querySelectorAll('[name=when] option').length > 3")
    assert browser.ask("document.activeElement.name") == "what"


# The places that arrow keys lead to from the first one, directly or by way of others.
REACHED = """(() => {
  const place = (name) => document.querySelector(`[data-space="${CSS.escape(name)}"]`);
  const first = document.querySelector("[data-space]").dataset.space;
  const found = new Set([first]);
  for (const name of found) {
    for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) {
      place(name).focus();
      place(name).dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      found.add(document.activeElement.dataset.space);
    }
  }
  return [...document.querySelectorAll("[data-space]")].map((e) => e.dataset.space).filter((e) => !found.has(e));
})()"""


@pytest.mark.parametrize("card", ["first_snow", "bridge_at_millbrook", "before_winter", "hazel_ford"])
def test_arrow_keys_reach_every_place(card: str, served_page: Served, browser: Tab) -> None:
    look_at(browser, f"{served_page.link}#/table/card.{card}")
    assert browser.ask(REACHED) == []
