"""Every page is HTML as the standard has it, by a parser that forgives nothing."""

import pytest

from tests.books.site import GAMES, site

html5lib = pytest.importorskip("html5lib", reason="PAGES NOT VALIDATED: html5lib is not installed")


@pytest.mark.parametrize("name", sorted(GAMES))
def test_pages_parse_strictly(name: str) -> None:
    wrong = {}
    for path, text in site(name).items():
        if path.endswith(".html"):
            parser = html5lib.HTMLParser(strict=False)
            parser.parse(text.decode())
            faults = [f"{place}: {code}" for place, code, _ in parser.errors]
            if faults:
                wrong[path] = faults[:5]
    assert not wrong
