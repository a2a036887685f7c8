"""The compiler and the runtime contain no word of a game: such words occur only in rules/.

The words are taken from the declarations in rules/, so a new game is covered without a change here; a fixed list covers
words of prose. A word counts wherever it occurs whole: as a name, a part of a snake_case or CamelCase name, in a
string, a comment, a grammar or a template.

Statuses and members of enumerations are adjectives and verbs that any English text may need (`spent`, `moving`); of
these a single word counts only if it is a quoted value.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sample import sampled
from tests.tidy.check import check, plant, texts

ENGINE = ("compiler", "runtime")
TEXT = ".css .html .j2 .json .lark .py .txt .typ .yaml"

PLAIN = set(
    """
    aerosan airborne allied ambush armored artillery battalion bazooka cavalry dispersal dispersed german gully
    halftrack hilltop howitzer infantry jeep minefield mortar motorized overrun panzer panzerblitz platoon rifle russian
    sherman soviet spotter swamp tank tiger town truck turret wagon woods wreck
    """.split()
)

# Words that a game declares and that are first words of English or of engines. The list is short: a word is added when
# the engine needs it in its plain sense, and a review must then detect its game sense.
ORDINARY = set(
    """
    block chosen clear done fired first gray green half idle inside listed lost major north south stream terrain top
    second third under unit
    """.split()
)

DECLARATION = re.compile(
    r"(?:extend\s+)?(?P<what>side|enum|kind|trait|feature|path|status|place)\s+(?:(?P<owner>\w+):)?(?P<items>.*)"
)


def declared_words(rules: str) -> Iterator[tuple[str, str]]:
    """Yield the declarations of a .rules text: the kind of each, and its name."""
    without_strings = re.sub(r'"[^"]*"|#.*', "", rules)
    # One declaration a line: lists continue after commas and colons.
    joined = re.sub(r"\s*([,:])\s*", r"\1", without_strings)
    for statement in re.split(r"\n|\s{3,}", joined):
        if found := DECLARATION.match(statement.strip()):
            items = found["items"].split(",")
            # A value that a kind prints (`has range: 0..30`) may be a measure of any game; the name of the kind is not.
            names = items[:1] if found["what"] == "kind" else items
            yield from ((found["what"], name[0].lower()) for item in names if (name := re.match(r"\w+", item)))


def game_words(root: Path) -> tuple[set[str], set[str]]:
    """Return the words that the engine must not name, and those that must not be values, without the ordinary words."""
    declared = {each for _, text in texts(root, "rules", suffixes=".rules") for each in declared_words(text)}
    qualities = {word for what, word in declared if what in {"status", "enum"} and "_" not in word}
    declared_names = {word for what, word in declared if what not in {"status", "enum"} or "_" in word}
    # Words of two letters are results or classes on a chart, and common names of loop variables.
    return {word for word in declared_names | PLAIN if len(word) > 2} - ORDINARY, {
        w for w in qualities if len(w) > 2
    } - ORDINARY


def named(line: str) -> Iterator[str]:
    """Yield the names of a line, their parts, and the singular of each."""
    for name in re.findall(r"[A-Za-z]\w*", line):
        for word in {name, *re.findall("[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}:
            yield from {word.lower(), word.lower().removesuffix("s")}


def leaks(root: Path) -> Iterator[str]:
    """Find game words in the engine."""
    words, values = game_words(root)
    for path, text in texts(root, *ENGINE, suffixes=TEXT):
        for number, line in enumerate(text.splitlines(), 1):
            quoted = {word for _, word in re.findall(r"""(["'`])(\w+)\1""", line)}
            for word in sorted(words.intersection(named(line)) | values & quoted):
                yield f"{path}:{number}: `{word}` is a word of some game; the language lacks a construct here"


@sampled(0)
def test_the_engine_has_no_game_word() -> None:
    check(leaks)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("compiler/typed/units.py", "truck_cost = 1"),
        ("compiler/typed/units.py", "# Slower in the woods."),
        ("compiler/source/grammar.lark", 'terrain: "Town"'),
        ("compiler/rulebook/templates/chart.html", "<td>Panzer</td>"),
        ("runtime/state/position.py", "class MinefieldCrossing: ..."),
        ("runtime/state/position.py", "if status == 'stunned': ..."),
        ("runtime/state/position.py", "for ogre in pieces: ..."),
        ("runtime/state/position.py", "OGRES = 3"),
        ("runtime/state/position.py", "case 'deep_mire': ..."),
        ("runtime/state/position.py", "'elvish'"),
    ],
)
def test_a_leak_is_found(tmp_path: Path, path: str, text: str) -> None:
    rules = """
        kind ogre has reach: 0..3 hexes
        status ogre: stunned marker "S" until end of turn,
            asleep
        feature hex: clear, deep_mire   # and no dragons
        side elvish, dwarvish
        rule short "place dragons: a side matter"
    """
    assert len([*leaks(plant(tmp_path, {"rules/a.rules": rules, path: text}))]) == 1


@pytest.mark.parametrize(
    "text", ["clear = {}.clear", "reach, dragons = 1, 2", "# The wooden downtown.", "S", "stunned = 1"]
)
def test_other_words_pass(tmp_path: Path, text: str) -> None:
    rules = 'kind ogre has reach: 0..3\nfeature hex: clear  # and no dragons\nstatus ogre: stunned marker "S"'
    assert not [*leaks(plant(tmp_path, {"rules/a.rules": rules, "runtime/a.py": text}))]
