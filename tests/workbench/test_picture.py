"""The picture of the page in the README shows the current page; `--reset` takes it again."""

import base64
from pathlib import Path
from time import sleep

import pytest

pytest.importorskip("starlette", reason="THE PICTURE IS NOT TAKEN: starlette is not installed")

from tests.books.browser import Tab, chromium
from tests.workbench.served import Served, click, look_at, until

pytestmark = pytest.mark.skipif(not chromium(), reason="THE PICTURE IS NOT TAKEN: there is no Chromium here")

ROOT = Path(__file__).resolve().parents[2]
PICTURE = ROOT / "docs" / "pictures" / "page.png"
# The share of the pixels that may differ: other fonts place letters slightly differently.
APART = 0.03
DIFFERING = """(async () => {
  const read = async text => {
    const image = new Image(); image.src = 'data:image/png;base64,' + text; await image.decode();
    const canvas = document.createElement('canvas'); canvas.width = image.width; canvas.height = image.height;
    const pen = canvas.getContext('2d'); pen.drawImage(image, 0, 0);
    return pen.getImageData(0, 0, image.width, image.height).data;
  };
  const [one, other] = [await read('%s'), await read('%s')];
  if (one.length !== other.length) return 1;
  let apart = 0;
  for (let at = 0; at < one.length; at += 4)
    apart += [0, 1, 2].some(part => Math.abs(one[at + part] - other[at + part]) > 32);
  return 4 * apart / one.length;
})()"""


def capture(browser: Tab) -> str:
    return str(browser.call("Page.captureScreenshot", format="png")["data"])


def test_the_picture_of_the_readme_shows_the_page(served_page: Served, browser: Tab, *, reset: bool) -> None:
    browser.look()
    look_at(browser, f"{served_page.link}#/table/card.first_snow")
    click(browser, '[data-piece="panzers-1.1"]')
    until(browser, "document.querySelectorAll('.overlay .lit').length > 5")
    click(browser, '[data-space="K11"]')
    until(browser, "document.querySelector('.why') !== null")
    picture, before = capture(browser), ""
    while picture != before:  # The page scrolls to an added element.
        before = picture
        sleep(0.3)
        picture = capture(browser)
    if reset:
        PICTURE.write_bytes(base64.b64decode(picture))
    browser.open("about:blank")
    assert browser.ask(DIFFERING % (base64.b64encode(PICTURE.read_bytes()).decode(), picture)) <= APART
    assert "docs/pictures/page.png" in (ROOT / "README.md").read_text(encoding="utf-8")
