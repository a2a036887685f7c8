"""Ten hostile packages in reach of the page, in a real browser: their texts never become markup, and all views work."""

from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="THE PAGE IS NOT TRIED: starlette is not installed")

from tests.books.browser import Tab, chromium
from tests.sample import LONG, sampled
from tests.workbench.client import Client
from tests.workbench.hostile_packages import PACKAGES, never_done, plant
from tests.workbench.served import page, until

pytestmark = pytest.mark.usefixtures("forked_jobs")

in_browser = pytest.mark.skipif(not chromium(), reason="NOT LOOKED AT IN A BROWSER: there is no Chromium here")
SETTLED = (
    "document.querySelector('#main h1')?.textContent.length > 0"
    " && !/Loading|Running the proofs|Writing and testing/.test(document.querySelector('#main').textContent)"
)
# Elements and attributes that no view creates, so they can only come from a text.
GROWN = "#main img[src=x], #main script, #main b b, [onerror], [onload], [onmouseover], a[href^='javascript']"


def views(name: str) -> list[str]:
    """List the addresses that show a package: its card, forms and book, and the lists of all."""
    return ["situations", f"table/card.first_{name}", f"change/{name}?s=own:variant",
            f"lab?s=first_{name},{name},{name}", "book"]  # fmt: skip


def test_each_hostile_package_is_shown_or_refused(tmp_path: Path) -> None:
    client = Client(plant(tmp_path))
    sound = {each["name"] for each in client.read("cards")["cards"]}
    assert "first_snow" in sound
    for name in PACKAGES:
        answer = client.get("view", position=f"card.first_{name}")
        assert answer.status in {200, 400}, (name, answer.body)
        assert answer.status == 400 or f"first_{name}" in sound


def test_a_choice_that_breaks_the_rules_is_reported_and_undone(tmp_path: Path) -> None:
    """The game continues before the choice, also after a restart; other requests are answered."""
    planted = plant(tmp_path, {"never_done": never_done})
    client = Client(planted)
    game = client.write("begin", card="first_never_done", rules="", players="human", seed="3")["game"]
    here = f"game.{game}"
    for _ in range(2):  # Both sides set up.
        client.write("finish", game=game, version=client.read("view", position=here)["version"])
    for _ in range(2):
        answer = client.post("finish", game=game, version=client.read("view", position=here)["version"])
        assert answer.status == 400
        assert "the rules of this game cannot go on here" in answer.data["error"]
    before = client.read("view", position=here)
    client.sessions.close()
    second_view = Client(planted).read("view", position=here)
    assert (second_view["version"].partition(".")[0], second_view["pieces"]) == (
        before["version"].partition(".")[0],
        before["pieces"],
    )


@sampled(0)
@in_browser
@pytest.mark.parametrize(
    "name", [each if each == "escaped_titles" else pytest.param(each, marks=LONG) for each in PACKAGES]
)
@pytest.mark.parametrize("wide", [1280, pytest.param(390, marks=LONG)])
def test_no_text_becomes_markup_in_any_view(name: str, wide: int, browser: Tab, tmp_path: Path) -> None:
    planted = plant(tmp_path)
    browser.look(wide=wide)
    with page() as served_page:
        served_page.sessions.packages = planted
        served_page.sessions.save_folder = tmp_path
        for view in views(name):
            browser.call("Page.navigate", url="about:blank")
            browser.call("Page.navigate", url=f"{served_page.link}#/{view}")
            until(browser, SETTLED)
            assert browser.ask("window.harmed") is None, view
            assert browser.ask(f"[...document.querySelectorAll({GROWN!r})].map(e => e.outerHTML)") == [], view
            assert browser.ask("document.documentElement.scrollWidth") <= wide, view
