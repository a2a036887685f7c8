"""The errata of a book by date, the newest first, with what each changes for players.

The input is the contents; the output is groups of errata, each with a date. An erratum is a ruling that corrects or
adds, or a clarification that changes play (impact minor or major), and a rule of a layer of rulings that defeats
others, such as a correction of a card. It has its own date (`dates` of a layer), or the latest of the documents that it
cites.
"""

from collections import defaultdict
from collections.abc import Iterator

from compiler.rulebook.contents import Contents, rules_behind_ruling
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.printed_places import target_labels
from compiler.source.numbering import number_key
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass

MONTHS = "January February March April May June July August September October November December".split()


@frozen_dataclass
class Erratum:
    """An answer or a correction, and what it changes.

    `before` are the rules that it overrules, with their sentences, and `stands` the rules that express its answer;
    `asks` is "" for a rule that corrects without a question.
    """

    thing: BookKey
    date: str
    kind: str
    impact: str
    asks: str
    now: str
    before: tuple[tuple[BookKey, str], ...]
    stands: tuple[tuple[BookKey, str], ...]
    cites: tuple[str, ...]


@frozen_dataclass
class Errata:
    """The errata of a book by date, and how many answers change nothing for players.

    `undated` are those left out for the want of a date, where only later ones are wanted.
    """

    groups: tuple[tuple[str, tuple[Erratum, ...]], ...]
    without: int
    undated: int


def gather_errata(contents: Contents, since: str = "") -> Errata:
    """Collect the errata from a date on ("" for all), those of one date in the order of their numbers.

    Those without a date come last, and only if all are wanted.
    """
    dates: dict[str, list[Erratum]] = defaultdict(list)
    for erratum in (*_rulings(contents), *_corrections(contents)):
        dates[erratum.date].append(erratum)
    for each in dates.values():
        each.sort(key=lambda one: (number_key(contents.numbers.get(one.thing, "")), one.thing))
    groups = tuple((date, tuple(dates[date])) for date in sorted(dates, reverse=True))
    counted = sum(entry.thing[0] == "ruling" for _, group in groups for entry in group)
    without = len(contents.book.rulings) - counted
    if not since:
        return Errata(groups, without, 0)
    # A date may be a year or a month, of which any day is meant.
    later = (group for group in groups if group[0][: len(since)] >= since[: len(group[0])] != "")
    return Errata(tuple(later), without, len(dates.get("", ())))


def written_date(date: str) -> str:
    """Format a date: 5 April 2013, June 2014, 1976."""
    if not date:
        return "Without a date"
    year, *rest = date.split("-")
    month = MONTHS[int(rest[0]) - 1] if rest and 1 <= int(rest[0]) <= len(MONTHS) else ""
    day = str(int(rest[1])) if len(rest) > 1 else ""
    return " ".join(part for part in (day, month, year) if part)


def _rulings(contents: Contents) -> Iterator[Erratum]:
    book = contents.book
    for label, ruling in book.rulings.items():
        if ruling.kind in ("correction", "addition") or ruling.impact in ("minor", "major"):
            overruled = {
                other
                for rule_label in ruling.rules
                if rule_label in book.rules
                for other in book.rules[rule_label].defeats
            }
            named = rules_behind_ruling(contents, ruling)
            yield Erratum(
                ("ruling", label),
                _date(book, label, ruling.cites),
                ruling.kind or "clarification",
                ruling.impact or "none",
                ruling.asks,
                ruling.answers,
                _quoted_rules(contents, tuple(key for key in named if key[1] in overruled)),
                _quoted_rules(contents, tuple(key for key in named if key[1] not in overruled)),
                ruling.cites,
            )


def _corrections(contents: Contents) -> Iterator[Erratum]:
    """Return the rules of layers of rulings that defeat rules of other layers and belong to no ruling."""
    book = contents.book
    corrected = {layer.name for layer in book.layers if layer.kind == "rulings"}
    for label, rule in book.rules.items():
        against = [other for other in target_labels(rule) if other in book.rules]
        if rule.origin.layer in corrected and rule.prose and not rule.ruling and against:
            before = _quoted_rules(contents, tuple(("rule", other) for other in against))
            date = _date(book, label, rule.cites)
            yield Erratum(("rule", label), date, "correction", "", "", rule.prose, before, (), rule.cites)


def _quoted_rules(contents: Contents, keys: tuple[BookKey, ...]) -> tuple[tuple[BookKey, str], ...]:
    return tuple((key, contents.rules[key[1]].prose or contents.rules[key[1]].logic) for key in keys)


def _date(book: graph.Graph, label: str, cites: tuple[str, ...]) -> str:
    dates = {key: date for layer in book.layers for key, date in layer.dates}
    if label in dates:
        return dates[label]
    prefixes = {item.partition(".")[0] for item in cites}
    return max((document.date for document in book.documents if document.prefix in prefixes), default="")
