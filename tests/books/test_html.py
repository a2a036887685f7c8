"""Every page is standard HTML: by html5lib, and by the Nu Html Checker.

The checker is Java and must be installed: `vnu` on the path, or the vnu.jar that RULEWRIGHT_VNU names.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.books.site import GAMES, site
from tests.sample import sampled

html5lib = pytest.importorskip("html5lib", reason="PAGES NOT VALIDATED: html5lib is not installed")


@sampled(1)
@pytest.mark.parametrize("name", sorted(GAMES))
def test_pages_have_no_parse_error(name: str) -> None:
    wrong = {}
    for path, text in site(name).items():
        if path.endswith(".html"):
            parser = html5lib.HTMLParser(strict=False)
            parser.parse(text.decode())
            faults = [f"{place}: {code}" for place, code, _ in parser.errors]
            if faults:
                wrong[path] = faults[:5]
    assert not wrong


def checker() -> list[str]:
    """Return the command of the Nu Html Checker; empty if it is not installed."""
    jar = os.environ.get("RULEWRIGHT_VNU", "")
    if jar and Path(jar).is_file() and shutil.which("java"):
        return ["java", "-Xmx1g", "-jar", jar]
    found = shutil.which("vnu")
    return [found] if found else []


@pytest.mark.skipif(
    not checker(), reason="PAGES NOT CHECKED: no Nu Html Checker, neither vnu nor RULEWRIGHT_VNU=vnu.jar"
)
def test_the_checker_reports_nothing(tmp_path: Path) -> None:
    named = os.environ.get("RULEWRIGHT_BOOK")
    for name in () if named else sorted(GAMES):
        for path, text in site(name).items():
            place = tmp_path / name / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text)
    looked = sorted(Path(named or tmp_path).rglob("*.html"))
    assert looked
    run = subprocess.run(
        [*checker(), "--format", "json", "--stdout", *map(str, looked)], capture_output=True, text=True, check=False
    )
    data = json.loads(run.stdout)["messages"]
    assert not [f"{Path(one['url']).name}:{one.get('lastLine')}: {one['message']}" for one in data][:20]
