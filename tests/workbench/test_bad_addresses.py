"""Damaged addresses, values out of range, and folders without write access.

A message is shown, and views keep working.
"""

from pathlib import Path

import pytest

from tests.sample import sampled

pytest.importorskip("starlette", reason="THE PAGE IS NOT TRIED: starlette is not installed")

from tests.books.browser import Tab, chromium
from tests.workbench.client import Client
from tests.workbench.served import Served, look_at, until

in_browser = pytest.mark.skipif(not chromium(), reason="NOT LOOKED AT IN A BROWSER: there is no Chromium here")
MAIN = "(document.getElementById('main')?.textContent ?? '')"


@sampled(1)
@in_browser
@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("table/%E0%A4%A", "The address of this page is damaged."),
        ("change/two_clans?c=damaged", "The address of this page contains a damaged change."),
        ("change/two_clans?c=%7B%22kind%22%3A1%7D", "The address of this page contains a damaged change."),
        ("table/card.first_snow?c=damaged", "`damaged` is not a change of a position"),
    ],
)
def test_a_damaged_address_has_a_message(served_page: Served, browser: Tab, address: str, sentence: str) -> None:
    browser.call("Page.navigate", url="about:blank")
    browser.call("Page.navigate", url=f"{served_page.link}#/{address}")
    until(browser, f"{MAIN}.includes({sentence!r})")
    # No link of the navigation has the damaged address.
    assert browser.ask("[...document.querySelectorAll('#views a')].every(e => e.hash !== location.hash)")


@in_browser
def test_a_turn_out_of_range_changes_nothing(served_page: Served, browser: Tab) -> None:
    look_at(browser, f"{served_page.link}#/table/card.first_snow")
    for turn, changes in (("0", ""), ("", ""), ("3", "?c=turn%2C3")):
        browser.ask(
            f"(e => {{ e.value = '{turn}'; e.dispatchEvent(new Event('change')); }})(document.getElementById('turn'))"
        )
        until(browser, f"location.hash === '#/table/card.first_snow{changes}'")
        assert browser.ask("document.querySelector('.map svg') !== null")


@pytest.mark.parametrize("name", ["cards", "book_stacks"])
def test_views_work_without_a_writable_folder_and_report_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("no folder")
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(blocked))
    client = Client()
    assert str(blocked) in client.read(name)["unusable"]
    answer = client.post("begin", card="before_the_tide", rules="", players="", seed="1")
    assert answer.status == 400
    assert "the game cannot be saved" in answer.data["error"]
