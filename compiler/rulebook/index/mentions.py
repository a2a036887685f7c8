"""Compute mentions of things, for the index at the back of the book.

The input is a graph; the output is for each term, chart and declared word the rules that read it, and for each source
item the places that cite it.
"""

from collections.abc import Iterator

from compiler.rulebook.added_factors import counter_cites
from compiler.rulebook.source_order import written_rank
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.step_symbols import symbols_of_node
from runtime.graph.walk import walk

BookKey = tuple[str, str]  # the kind and the name of a thing: ("rule", "slow-ground")

# The sorts of things, by the namespace of a symbol (runtime/graph/expressions).
SORTS = {
    "term": "term", "chart": "chart", "member": "member", "kind": "kind", "pieces": "kind", "occupants": "kind",
    "trait": "flag", "feature": "flag", "path": "flag", "place": "flag", "status": "flag", "track": "track",
    "printed": "factor", "record": "record",
}  # fmt: skip


@frozen_dataclass
class Mentions:
    """The mentions in both directions: what a rule or procedure reads, and what reads a thing.

    `things_read` is by reader, `readers` by the thing read, `cited` by the item of a source.
    """

    things_read: dict[BookKey, tuple[BookKey, ...]]
    readers: dict[BookKey, tuple[BookKey, ...]]
    cited: dict[str, tuple[BookKey, ...]]


def gather_mentions(book: graph.Graph) -> Mentions:
    """Traverse all rules and procedures once."""
    rules = _printed_rules(book)
    nodes: list[tuple[BookKey, object]] = [
        (("rule", label), (book.rules[label].guard, book.rules[label].value, book.rules[label].names))
        for label in rules
    ]
    nodes += [(("term", name), term.otherwise) for name, term in sorted(book.terms.items())]
    nodes += [(("procedure", key), procedure.body) for key, procedure in sorted(book.procedures.items())]
    things_read: dict[BookKey, tuple[BookKey, ...]] = {}
    readers: dict[BookKey, list[BookKey]] = {}
    for reader, node in nodes:
        things_read[reader] = tuple(dict.fromkeys(_things_in(node)))
        for mentioned_key in things_read[reader]:
            readers.setdefault(mentioned_key, []).append(reader)
    return Mentions(
        things_read,
        {mentioned_key: tuple(readers_of_thing) for mentioned_key, readers_of_thing in readers.items()},
        citations_by_item(book),
    )


def _printed_rules(book: graph.Graph) -> list[str]:
    return sorted(book.rules, key=lambda label: (*written_rank(book, book.rules[label]), label))


def _things_in(node: object) -> Iterator[BookKey]:
    """Return the declared things that an expression or step reads."""
    for part in walk(node):
        match part:
            case graph.Do(resolution=resolution):
                yield "procedure", f"resolution:{resolution}"
            case graph.Offer(actions=actions):
                yield from (("procedure", f"action:{name}") for name, _ in actions)
            case _:
                for namespace, owner, name in symbols_of_node(part):
                    # Neither a field of a record nor a place of pieces of any kind has an entry.
                    has_entry = not owner if namespace == "record" else owner or namespace != "place"
                    if namespace in SORTS and name and has_entry:
                        yield SORTS[namespace], f"{owner}.{name}" if owner else name


def citations_by_item(book: graph.Graph) -> dict[str, tuple[BookKey, ...]]:
    """Return for each item of a source what cites it, in the order of print."""
    cited: dict[str, dict[BookKey, None]] = {}

    def add_citations(citing_key: BookKey, *lists: tuple[str, ...]) -> None:
        for cites in lists:
            for item in cites:
                cited.setdefault(item, {})[citing_key] = None

    for label in _printed_rules(book):
        add_citations(("rule", label), book.rules[label].cites)
    for label, ruling in sorted(book.rulings.items()):
        add_citations(("ruling", label), ruling.cites)
    for label, dispute in sorted(book.disputes.items()):
        add_citations(("dispute", label), dispute.cites, *(reading.cites for reading in dispute.readings))
    for name, term in sorted(book.terms.items()):
        add_citations(("term", name), term.cites)
    for name, table in sorted(book.tables.items()):
        add_citations(("chart", name), table.cites, *(row.cites for row in table.rows))
    for name, counter in sorted(book.counters.items()):
        add_citations(("counter", name), counter_cites(counter))
    for key, procedure in sorted(book.procedures.items()):
        parts = walk((procedure.body, procedure.account))
        inner_cites = (part.cites for part in parts if isinstance(part, graph.Cited | graph.Account))
        add_citations(("procedure", key), procedure.cites, *inner_cites)
    add_citations(("page", "index"), *(layer.cites for layer in book.layers))
    if book.scenario is not None:
        add_citations(("page", "index"), book.scenario.cites, *(force.cites for force in book.scenario.forces))
    return {item: tuple(keys) for item, keys in cited.items()}
