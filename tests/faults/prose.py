"""Faults in prose: numbers, words that change the sense, cited items, and the rules that rulings clarify."""

import re
from collections.abc import Iterator, Mapping

from tests.faults.declarations import LAWS, PROCEDURES, Declaration
from tests.faults.fault import Places

TEXT = re.compile(r'"[^"\n]*(?:\n[^"\n]*)?"')
SPOKEN = re.compile(
    r"^\s*(?:reads|denied)\b|\b(?:reads|denied|numbered|expecting|tells|previews|results|chances|default) $"
)
CITES = re.compile(r"(?<=\[)[A-Z][\w.,\s-]*(?=\])")
ITEM = re.compile(r"\b([A-Z0-9]+)\.([A-Z0-9][A-Z0-9-]*)\.(\d\d)\b")

Place = tuple[int, int, str]

NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
TURNS = {
    "before": "after", "after": "before", "more": "less", "less": "more", "first": "last", "last": "first",
    "always": "never", "never": "always", "all": "none", "adds": "subtracts", "enters": "leaves", "inside": "outside",
}  # fmt: skip
PARTIES = {
    "own": "enemy", "enemy": "friendly", "friendly": "enemy", "friend": "enemy", "attacker": "defender",
    "defender": "attacker", "attackers": "defenders", "defenders": "attackers", "enemies": "friends",
    "friends": "enemies",
}  # fmt: skip
THINGS = (
    ("infantry", "vehicles"), ("trucks", "wagons"), ("truck", "wagon"), ("woods", "town"), ("town", "woods"),
    ("mines", "blocks"), ("block", "fort"), ("fort", "block"), ("road", "stream"), ("stream", "road"),
    ("tanks", "guns"), ("guns", "tanks"), ("slope", "swamp"), ("vehicles", "infantry"), ("hex", "hexside"),
    ("overrun", "close assault"), ("engineers", "gunners"), ("movement", "combat"), ("bridge", "ford"),
)  # fmt: skip


def _prose(where: Declaration) -> Iterator[tuple[int, str]]:
    """Yield the sentences of a declaration, except questions and phrases: the start in the file, and the text."""
    if where.word not in {*LAWS, *PROCEDURES}:
        return
    for found in TEXT.finditer(where.text):
        before = where.text[: found.start()].rsplit("\n", 1)[-1]
        if not SPOKEN.search(before) and not before.rstrip().endswith("asks"):
            yield where.start + found.start(), found[0]
        if where.word in PROCEDURES:
            return


def _swapped(pattern: str, by: Mapping[str, str]) -> Places:
    """Return a function that yields the places of matching words in sentences, with their replacement."""
    words = re.compile(pattern)

    def places(where: Declaration, _: str) -> Iterator[Place]:
        for start, text in _prose(where):
            for found in words.finditer(text):
                now = by[found[0].lower()]
                yield start + found.start(), start + found.end(), now.capitalize() if found[0][0].isupper() else now

    return places


def _words(by: Mapping[str, str]) -> Places:
    return _swapped(rf"\b(?i:{'|'.join(sorted(by, key=len, reverse=True))})\b", by)


number = _words({one: other for at, one in enumerate(NUMBERS) for other in [NUMBERS[(at + 1) % len(NUMBERS)]]})
may = _swapped(r"\bmay not\b|\bmay\b(?! not)|\bcannot\b", {"may not": "may", "may": "may not", "cannot": "can"})
only = _words({"only": "also"})
turn = _words(TURNS)
party = _words(PARTIES)
thing = _words(dict(THINGS))


def does(where: Declaration, _: str) -> Iterator[Place]:
    """Yield the places of negated verbs, with the text that affirms them."""
    for start, text in _prose(where):
        for found in re.finditer(r"\b(does not|do not|is not|are not) (\w+)", text):
            word = found[2] + ("es" if found[2].endswith(("s", "sh", "ch", "x", "o")) else "s")
            now = {"does not": word, "do not": found[2], "is not": f"is {found[2]}", "are not": f"are {found[2]}"}
            yield start + found.start(), start + found.end(), now[found[1]]


def answer(where: Declaration, _: str) -> Iterator[Place]:
    """Yield the place of the answer of a ruling, with the opposite answer."""
    if where.word == "ruling" and (found := re.search(r'answers +"(Yes|No)\b', where.text)):
        start = where.start + found.start(1)
        yield start, where.start + found.end(1), "No" if found[1] == "Yes" else "Yes"


def _cited(where: Declaration) -> Iterator[re.Match[str]]:
    head = where.text.split("\n  ")[0] if where.word in PROCEDURES else where.text
    if where.word in {*LAWS, *PROCEDURES} and (cites := CITES.search(head)):
        yield from ITEM.finditer(where.text, cites.start(), cites.end())


def item(where: Declaration, _: str) -> Iterator[Place]:
    """Yield the places of numbers of cited items, with the previous number, or the next after 1."""
    for found in _cited(where):
        count = int(found[3])
        now = f"{count - 1:02}" if count > 1 else f"{count + 1:02}"
        yield where.start + found.start(3), where.start + found.end(3), now


def section(where: Declaration, text: str) -> Iterator[Place]:
    """Yield the places of sections of cited items, with another section that the file cites."""
    others = sorted({(each[1], each[2]) for each in ITEM.finditer(text)})
    for found in _cited(where):
        near = [name for prefix, name in others if prefix == found[1] and name != found[2]]
        if near:
            now = near[found.start() % len(near)]
            yield where.start + found.start(2), where.start + found.end(3), f"{now}.01"


def clarifies(where: Declaration, text: str) -> Iterator[Place]:
    """Yield the place of the rule that a ruling clarifies, with one that another ruling of the file clarifies."""
    if where.word == "ruling" and (found := re.search(r"\bclarifies ([\w-]+)$", where.text, re.MULTILINE)):
        others = sorted(set(re.findall(r"\bclarifies ([\w-]+)$", text, re.MULTILINE)) - {found[1]})
        if others:
            yield where.start + found.start(1), where.start + found.end(1), others[found.start() % len(others)]


# Kinds that only readers notice: no proof and no example depends on these texts.
READ = (
    "text number", "text may", "text only", "text does not", "text turned", "text party", "text thing", "text answer",
    "text item", "text section",
)  # fmt: skip
KINDS: Mapping[str, Places] = {
    "text number": number, "text may": may, "text only": only, "text does not": does, "text turned": turn,
    "text party": party, "text thing": thing, "text answer": answer, "text item": item, "text section": section,
    "text clarifies": clarifies,
}  # fmt: skip
