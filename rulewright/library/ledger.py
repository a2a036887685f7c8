"""The catalog of clauses by which the coverage of rules is measured: a ledger, or the registered items of sources.

A ledger is a folder of YAML files, each a list of items; an item has at least an `id`, such as
`T.ROAD.04`, and `executable: false` if it is only printed as a note.
"""

from collections.abc import Iterable
from pathlib import Path

from compiler.layered.citations import known_items
from compiler.source.files import PackageFile, read_text
from compiler.source.finding import Finding
from compiler.source.findings.files import TooLarge
from compiler.source.findings.yaml_documents import BadShape, MissingKey
from compiler.source.nodes import Scalar, Value, ValueList, ValueMap
from compiler.source.yaml_reader import read_yaml
from rulewright.library.stacks import PackageSet
from rulewright.system.errors import UsageError
from runtime.graph.walk import walk
from runtime.mutation.source_coverage import SourceItem

NO_WORDS = {"false", "no"}
# A large family of games has some thousand clauses in a dozen files.
MOST_ITEMS = 20_000


def read_ledger(folder: Path) -> tuple[tuple[SourceItem, ...], tuple[Finding, ...]]:
    """Read the items of all files of a folder, in the order of file names."""
    if not folder.is_dir():
        raise UsageError(f"there is no folder `{folder}`")
    items: dict[str, SourceItem] = {}
    problems: list[Finding] = []
    for file in sorted(folder.glob("*.yaml")):
        found = PackageFile(file, file.as_posix())
        text, read_problems = read_text(found)
        documents, yaml_problems = read_yaml(text, found.name)
        problems += (*read_problems, *yaml_problems)
        for document in documents:
            if not isinstance(document, ValueList):
                problems.append(BadShape(document.span, "a list of items", "something else"))
                continue
            for entry in document.items:
                if (item := _item(entry)) is None:
                    problems.append(MissingKey(entry.span, "id", "item"))
                else:
                    items[item.id] = item
        if len(items) > MOST_ITEMS or len(problems) > MOST_ITEMS:
            problems.append(TooLarge(found.span, "items", MOST_ITEMS))
            break
    if not items and not problems:
        raise UsageError(f"`{folder}` holds no ledger: no `*.yaml` file with items")
    return tuple(items.values()), tuple(problems)


def registered_items(package_set: PackageSet, stacks: Iterable[str]) -> tuple[SourceItem, ...]:
    """Return all registered items of the documents that rules and procedures of these stacks cite."""
    cited: set[str] = set()
    for name in dict.fromkeys(stacks):
        rules = package_set.compiled(name).graph
        if rules is not None:
            for rule in rules.rules.values():
                cited.update(rule.cites)
            for procedure in rules.procedures.values():
                cited.update(procedure.cites)
    registered: list[str] = []
    for document in package_set.library.documents:
        items = [*known_items((document,))]
        if not cited.isdisjoint(items):
            registered += items
    return tuple(SourceItem(item, executable=True) for item in registered)


def items_on_cards(package_set: PackageSet, stacks: Iterable[str]) -> frozenset[str]:
    """Return the items that situation cards of these stacks, or boards, cite."""
    names, library = frozenset(stacks), package_set.library
    cards = [card for card in library.scenarios.readable() if card.uses.text in names]
    nodes = walk((tuple(cards), tuple(library.boards.readable())))
    return frozenset(word.text for node in nodes for word in getattr(node, "cites", ()))


def _item(entry: Value) -> SourceItem | None:
    """Read one item; None for a remark, which has no id."""
    if not isinstance(entry, ValueMap):
        return None
    fields = {word.text: value.text for word, value in entry.entries if isinstance(value, Scalar)}
    return SourceItem(fields["id"], fields.get("executable", "yes").lower() not in NO_WORDS) if "id" in fields else None
