"""The booklet of changes on paper: what the page of changes says, in columns.

In: the booklet of a book, if it is held against another. Out: text for typst.
"""

from collections.abc import Iterator

from compiler.rulebook.changes import SORTS, Change, Seen
from compiler.rulebook.paper.paper import Press
from compiler.rulebook.paper.typeset import text

FORMS = {"errata": "Errata", "variant": "What changes", "games": "List of differences"}


def leaflet(press: Press) -> Iterator[str]:
    """Print the changes by sort, then the positions in which answers part."""
    booklet = press.contents.booklet
    if booklet is None:
        return
    yield f"= {FORMS[booklet.form]}"
    yield text(f"Held against {booklet.against.title}: only what differs.")
    for sort in SORTS:
        mine = booklet.of_sort(sort)
        if mine:
            yield f"== {sort.capitalize()}s ({len(mine)})"
            yield from (_change(press, change) for change in mine)
    if booklet.answers:
        yield "== Where answers part"
    for parted, ways in booklet.answers:
        title = press.contents.titles.get(("term", parted.term), parted.term)
        yield f"#heading(level: 3, outlined: false)[{text(title)}]"
        yield from (_parting(press, seen) for seen in ways)


def _change(press: Press, change: Change) -> str:
    """Print a change behind a bar, what was beside what is."""
    name = press.name(change.thing) if press.placed(change.thing) else f"*{text(change.title)}*"
    impact = "no" if change.impact == "none" else change.impact
    said = [f"{name} #text(7pt, fill: soft)[{change.how}, {impact} impact]"]
    if change.before:
        said.append(f"#text(fill: soft)[_Before:_ {text(change.before)}]")
    if change.now:
        said.append(f"_Now:_ {text(change.now)}" if change.before else text(change.now))
    return f"#block(stroke: (left: 2pt + red), inset: (left: 5pt), width: 100%)[{' #linebreak() '.join(said)}]"


def _parting(press: Press, seen: Seen) -> str:
    """Print one way in which answers part, with its position."""
    way = seen.parting
    svg = press.picture(seen.drawing.svg) if seen.drawing and seen.drawing.svg else "none"
    lines = [
        f"#because[{text(way.question)}]",
        f'#answer[{text(way.now)} #text(weight: "regular", fill: soft)[instead of {text(way.before)}]]',
        f"#because[{press.labels(way.rules) or text('what is printed')}]",
    ]
    return f"#example([], {svg}, [{' '.join(lines)}])"
