"""Made-up rule sets of any size: so many terms, each with so many rules, all compiling and free of findings."""

from pathlib import Path

# Room for a hundred and eighty exceptions to one rule, no two alike.
GROUNDS, DICE = 12, 15

MANIFEST = """layer: corpus
title: A made-up rule set
kind: base
playable: yes
cites: house
"""


def write_corpus(folder: Path, terms: int, rules: int) -> Path:
    """Write a package with so many terms of so many rules each."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "layer.yaml").write_text(MANIFEST, encoding="utf-8")
    grounds = ", ".join(f"g{number}" for number in range(GROUNDS))
    words = [f"enum ground: {grounds}", f"domain die = 1..{DICE}"]
    (folder / "words.rules").write_text("\n".join(words) + "\n", encoding="utf-8")
    # Files of a size that people write.
    for number in range(terms):
        (folder / f"part{number}.rules").write_text(part(number, rules), encoding="utf-8")
    return folder


def part(number: int, rules: int) -> str:
    """Write one term: what holds as a rule, and exceptions for single grounds and dice."""
    name = f"cost{number}"
    lines = [
        f"value {name}(g: ground, d: die): 0..999",
        f'rule {name}-base [house] "As a rule."\n  {name} is {number % 7}',
    ]
    for place in range(rules - 1):
        ground, die = place % GROUNDS, place // GROUNDS % DICE + 1
        lines.append(
            f'rule {name}-{place} [house] "On ground {ground} with a {die}."\n'
            f"  {name} is {place}\n  exception to {name}-base\n  when g = g{ground} and d = {die}"
        )
    return "\n\n".join(lines) + "\n"
