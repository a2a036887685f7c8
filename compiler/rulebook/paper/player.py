"""The player's edition: what one reads before the game and looks up in it.

In: the contents of a book. Out: text for typst. It has the rules in sentences, the rulings, the charts and an
index; examples, the exact wording of the logic, procedures step by step and sources are in the umpire's edition.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby

from compiler.rulebook.contents import Contents, rules_under
from compiler.rulebook.index.mentions import Thing
from compiler.rulebook.outline import Card, Entry, Heading, headings_of
from compiler.rulebook.paper.paper import TURN, Press
from compiler.rulebook.paper.typeset import LOOK, key, quoted, text
from compiler.rulebook.running import sentence_chains
from compiler.rulebook.titles import short_title

LEFT_OUT = "Examples, exact wording and sources are in the umpire's edition."


class PlayersPress(Press):
    """Writes the rules in sentences.

    `following` lists for each rule those in which its sentence goes on under the same heading; they are `joined` to it.
    """

    def __init__(self, contents: Contents) -> None:
        """Find the sentences that run over several rules."""
        super().__init__(contents)
        self.following: dict[str, list[str]] = {label: [] for label in contents.rules}
        self.joined: set[str] = set()
        headings = [heading for top in contents.outline for heading in headings_of(top)]
        under = {entry.label: heading.label for heading in headings for entry in standing_in(heading)}
        for chain in sentence_chains(contents.book):
            here = [rule.label for rule in chain if rule.label in under]
            for _, together in groupby(here, under.__getitem__):
                first, *others = together
                self.following[first] = others
                self.joined |= set(others)

    def placed(self, thing: Thing) -> bool:
        """Tell whether a thing is printed: a rule without a sentence is not."""
        return super().placed(thing) and (thing[0] != "rule" or bool(self.contents.rules[thing[1]].prose))

    def section(self, heading: Heading, depth: int = 1) -> Iterator[str]:
        """Print a section, unless nothing under it is printed."""
        if self._holds(heading.entries, heading.parts):
            yield from super().section(heading, depth)

    def general(self, heading: Heading) -> Iterator[str]:  # noqa: ARG002 - as the press asks it
        """Leave out what holds unless a rule speaks."""
        yield from ()

    def rule(self, label: str, number: str, indent: int) -> str:
        """Print the sentence of a rule; what runs on in the next rules stands in it, behind their own numbers."""
        rule = self.contents.rules[label]
        if not rule.prose or label in self.joined:
            return ""
        before = f"#text(fill: soft)[{text(rule.running.before)}] " if rule.running.before else ""
        parts = [(label, number), *((each, self.contents.numbers["rule", each]) for each in self.following[label])]
        said = [
            f"#num[{text(at)}] #metadata({quoted(each)})#label({quoted(key(('rule', each)))})"
            f"{before if each == label else ''}{text(self.contents.rules[each].running.own)}"
            for each, at in parts
        ]
        bar = "true" if any(self.contents.rules[each].change for each, _ in parts) else "false"
        return f"#short({indent}, {bar}, [{' '.join(said)}])"

    def ruling(self, label: str) -> str:
        """Print a ruling as question and answer."""
        ruling = self.contents.book.rulings[label]
        number = self.contents.numbers.get(("ruling", label), "Q")
        return (
            f"#answered({quoted(key(('ruling', label)))}, [{text(number)}], [{text(ruling.asks)}], "
            f"[{text(ruling.answers)}])"
        )

    def examples(self, home: Thing) -> Iterator[str]:  # noqa: ARG002 - as the press asks it
        """Leave the examples out."""
        yield from ()

    def _holds(self, entries: Iterable[Entry | Card], parts: Iterable[Heading]) -> bool:
        """Tell whether anything under a heading is printed."""
        return any(
            isinstance(entry, Card) or self.placed(("rule", entry.label)) or self._holds(entry.under, ())
            for entry in entries
        ) or any(self._holds(part.entries, part.parts) for part in parts)

    def subjects(self) -> Iterator[str]:
        """Print the index of subjects."""
        yield "= Index"
        yield from (self.found(entry.word, entry.places, 7.5, entry.see) for entry in self.contents.keywords)


def standing_in(heading: Heading) -> Iterator[Entry]:
    """Walk the rules that stand right under a heading, with the exceptions to them."""
    for entry in heading.entries:
        if isinstance(entry, Entry):
            yield entry
        yield from rules_under(entry.under if isinstance(entry, Entry) else (entry,))


def write_player_text(contents: Contents, title: str) -> dict[str, bytes]:
    """Write the sources of the player's edition."""
    press = PlayersPress(contents)
    turn = list(press.play(TURN))
    parts = [
        '#import "look.typ": *',
        f"#show: look.with({quoted(title)}, {quoted(short_title(contents.book))}, [{text(LEFT_OUT)}], "
        "kicker: [Rules of play])",
        "#outline(depth: 1, title: none)",
        *([f"= {' '.join(filter(None, (contents.play, 'Sequence of play')))}", *turn] if turn else []),
        *(line for section in contents.outline for line in press.section(section)),
        *(["= Charts", *map(press.chart, contents.charts)] if contents.charts else []),
        "#set page(columns: 3)",
        *press.subjects(),
    ]
    return {"main": "\n\n".join(parts).encode(), "look.typ": LOOK.read_bytes(), **press.pictures}
