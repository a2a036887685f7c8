"""Unit function charts on paper: the counters of each side and kind with their printed values.

In: the contents of a book, and what stores a picture and formats its inclusion at a scale. Out: text for typst.
"""

from collections.abc import Callable, Iterator

from compiler.rulebook.contents import Contents
from compiler.rulebook.drawings.counters import chart_face, counter_picture, printed_value
from compiler.rulebook.paper.chart_text import chart_heading
from compiler.rulebook.paper.typeset import escape, quote
from compiler.rulebook.sentences import counter_sheet_title, with_capital
from compiler.rulebook.source_order import counter_sheets
from runtime.graph import words


def unit_charts(contents: Contents, picture: Callable[[str, float], str]) -> Iterator[str]:
    """Format unit function charts: for each counter its face, its factors, and below them its traits."""
    book = contents.book
    for (owner, kind), counters in counter_sheets(book):
        title = words.sentence(counter_sheet_title(book, owner, kind)).removesuffix(".")
        names = list(dict.fromkeys(name for counter in counters for name, _ in counter.printed))
        lines = []
        for counter in counters:
            traits = ", ".join(words.flag(kind, trait, book.vocabulary) for trait in counter.traits)
            values = (printed_value(book, dict(counter.printed).get(name)) for name in names)
            face = picture(counter_picture(chart_face(book, counter)), 0.4)
            name = escape(with_capital(words.counter(counter.id, book.counters)))
            lines.append(
                f"({face}, [{name}], [{escape(traits)}], {''.join(f'[{escape(value)}], ' for value in values)})"
            )
        heads = "".join(f"{quote(words.factor_name(name, book.vocabulary))}, " for name in names)
        yield f"#unit_chart([{chart_heading(title)}], ({heads}), {', '.join(lines)})"
