"""The reference says what the grammar and the shipped rules say."""

import json
import subprocess
import sys

from docs.reference.productions import missing_examples
from docs.reference.write import HERE, main, toy

PAGES = "import json; from docs.reference.write import pages; print(json.dumps(pages()))"


def test_up_to_date(reset: bool) -> None:
    if reset:
        main()
    # A process of its own: which stacks were compiled before, and in which order, has shown in the pages.
    wanted = json.loads(subprocess.run([sys.executable, "-c", PAGES], check=True, capture_output=True).stdout)
    there = {file.name: file.read_text(encoding="utf-8") for file in HERE.glob("*.md")}
    old = sorted(name for name in wanted.keys() | there.keys() if wanted.get(name) != there.get(name))
    assert old == [], "run `python3 -m docs.reference.write`"


def test_every_production_has_an_example() -> None:
    assert missing_examples(toy()) == []
