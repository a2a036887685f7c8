"""What packages hold, as it is written: layers, situation cards and boards, for lists, completion and previews.

In: the folders of packages. Out: documents as plain data. Nothing is typed, compiled, proved or played: a card whose
conditions are wrong is listed like any other, and `check` says what is wrong with it. This module imports no parser of
rules, so that reading all shipped files takes a tenth of a second.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from compiler.source.files import PackageFile, read_text, walk_files
from compiler.source.heads import document_heads
from compiler.source.nodes import ValueMap
from compiler.source.shape import kind_of, plain_data
from compiler.source.yaml_reader import TRUTHS, read_yaml
from rulewright.library.shipped_folders import package_roots
from rulewright.system.errors import UsageError, suggestion_text
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.records.packages import CardRowRecord

KINDS = ("layer", "scenario", "board", "outline")
# A row of the map with this word alone separates two maps.
APART = "apart"
# What plain data of another shape than that of its kind raises.
MISSHAPEN = (AttributeError, IndexError, KeyError, TypeError, ValueError)

# A document as nested lists and mappings; each scalar is the text that was written.
Document = Mapping[str, Any]


@frozen_dataclass
class PackageIndex:
    """The file of each layer, card, board and outline, by kind and name; of several with one name the first."""

    files: Mapping[str, Mapping[str, PackageFile]]
    _documents: dict[str, dict[tuple[str, str], Document]] = field(default_factory=dict)

    def document(self, kind: str, name: str) -> Document | None:
        """Return a document; None if there is none, or if its file is no YAML."""
        file = self.files[kind].get(name)
        return None if file is None else self._read(file).get((kind, name))

    def _read(self, file: PackageFile) -> Mapping[tuple[str, str], Document]:
        """Return the documents of a file by kind and name; the file is read once."""
        if file.name not in self._documents:
            values, _ = read_yaml(read_text(file)[0], file.name, TRUTHS)
            documents = [(kind_of(value) or "", plain_data(value)) for value in values if isinstance(value, ValueMap)]
            self._documents[file.name] = {(kind, str(document.get(kind))): document for kind, document in documents}
        return self._documents[file.name]

    def require_layers(self, names: Sequence[str]) -> None:
        """Raise `UsageError` for a layer that is not here."""
        for name in names:
            if name not in self.files["layer"]:
                raise UsageError(f"there is no layer `{name}`; {suggestion_text(name, sorted(self.files['layer']))}")

    def with_card(self, path: Path) -> tuple["PackageIndex", str]:
        """Return the list with the card of a file, and its name; "" if the file holds none."""
        file = PackageFile(path, path.as_posix())
        heads = document_heads(read_text(file)[0], file.name)
        name = next((name for kind, name, _ in heads if kind == "scenario"), "")
        cards = {**self.files["scenario"], **({name: file} if name else {})}
        return PackageIndex({**self.files, "scenario": cards}), name

    def layers(self) -> dict[str, Document]:
        """Return the manifests of all layers that can be read, by name."""
        manifests = {name: self.document("layer", name) for name in self.files["layer"]}
        return {name: manifest for name, manifest in manifests.items() if manifest is not None}

    def card_rows(self) -> list[CardRowRecord]:
        """Return what lists say of each card, by name; of a card with another shape its name and its first error."""
        return [self._card_row(name) for name in sorted(self.files["scenario"])]

    def _card_row(self, name: str) -> CardRowRecord:
        try:
            return self._card_content(name)
        except MISSHAPEN:
            return {
                "name": name, "title": "", "stack": "", "sides": [], "turns": 0, "units": 0, "waits_for": [],
                "broken": True, "error": self.first_error(name),
            }  # fmt: skip

    def _card_content(self, name: str) -> CardRowRecord:
        """Return the row of a card; raises one of `MISSHAPEN` for a card with another shape."""
        card = self.document("scenario", name)
        if card is None:
            raise KeyError(name)
        return {
            "name": name,
            "title": card.get("title", name),
            "stack": str(card["uses"]),
            "sides": words(card["order"]),
            "turns": int(card["turns"]),
            "units": sum(_count_units(force) for force in card["forces"]),
            "waits_for": [board for board in boards_of(card) if board not in self.files["board"]],
            "broken": False,
            "error": "",
        }

    def first_error(self, name: str) -> str:
        """Return the place and the first error of the file of a card, in a line; this imports the parser of rules."""
        from compiler.report.diagnose import diagnose  # noqa: PLC0415 -- takes as long to load as all cards to read
        from compiler.report.render.line import diagnostic_line  # noqa: PLC0415 -- as above
        from compiler.source.documents import read_documents  # noqa: PLC0415 -- as above

        file = self.files["scenario"][name]
        text, unread = read_text(file)
        found = diagnose(unread or read_documents(text, file.name)[1], {file.name: text})
        return diagnostic_line(found[0]) if found else f"{file.name}: it cannot be read"


def list_packages(packages: Sequence[Path]) -> PackageIndex:
    """Find the documents below the shipped rules and the folders of packages, by the first key of each."""
    files: dict[str, dict[str, PackageFile]] = {kind: {} for kind in KINDS}
    for root in package_roots(packages):
        for file in walk_files(root, root.name, []):
            if file.path.suffix != ".yaml":
                continue
            for kind, name, _ in document_heads(read_text(file)[0], file.name):
                if kind in files:
                    files[kind].setdefault(name, file)
    return PackageIndex(files)


def boards_of(card: Document) -> list[str]:
    """Return the names of the boards of a card, west to east and north to south, each once."""
    return list(dict.fromkeys(name for row in map_rows(card) for name, _ in row))


def map_rows(card: Document) -> list[list[tuple[str, bool]]]:
    """Return the rows of boards of a card, each board with whether it is turned by half."""
    rows = [[_placement(board) for board in _items(row)] for row in _items(card["map"])]
    return [row for row in rows if row != [(APART, False)]]


def _placement(board: Any) -> tuple[str, bool]:
    """Read `far_shore turned` or `{board: far_shore, turned: yes}`."""
    if isinstance(board, dict):
        return board["board"], board.get("turned") == "yes"
    name, *remarks = board.split()
    return name, bool(remarks)


def words(value: Any) -> list[str]:
    """Return a text of several words, or a list of such texts, as words."""
    return [word for text in _items(value) for word in text.split()]


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _count_units(force: Document) -> int:
    return sum(int(count) for count in force.get("units", {}).values()) + len(force.get("placed", ()))


# Declarations of what boards may have, in a text without its quoted titles; a list may go on in the next line.
DECLARED_FEATURES = re.compile(
    r"\bfeature\s+(?P<owner>hex|space|hexside|connection)\s*:\s*(?P<features>\w+(?:\s+marker)?(?:\s*,\s*\w+(?:\s+marker)?)*)"
    r"|^path\s+(?P<paths>\w+(?:\s*,\s*\w+)*)",
    re.MULTILINE,
)
OWNERS = {"space": "hex", "connection": "hexside"}


def declared_features(listed: "PackageIndex", stack: str) -> dict[str, list[str]]:
    """Return what the layers of a stack declare for hexes, for hexsides, and as paths, in the order of declaration."""
    features: dict[str, list[str]] = {"hex": [], "hexside": [], "path": []}
    for layer in reversed(list(_layers_below(listed.layers(), stack))):
        folder = listed.files["layer"][layer].path.parent
        for file in sorted(folder.rglob("*.rules")):
            text = re.sub(r'"[^"\n]*"', "", _without_comments(file.read_text(encoding="utf-8")))
            for declared in DECLARED_FEATURES.finditer(text):
                owner = declared["owner"] or "path"
                names = re.findall(r"\w+", re.sub(r"\s+marker\b", "", declared["features"] or declared["paths"]))
                known = features[OWNERS.get(owner, owner)]
                known += [name for name in names if name not in known]
    return features


def _without_comments(text: str) -> str:
    """Return a text without its comments; a `#` in quotes begins none."""
    return re.sub(r'("[^"\n]*")|#[^\n]*', lambda part: part[1] or "", text)


def _layers_below(layers: Mapping[str, Document], stack: str) -> Iterator[str]:
    """Yield the known layers of a stack, and those below them, each once."""
    pending, seen = stack.split("+"), set[str]()
    while pending:
        name = pending.pop()
        if name in layers and name not in seen:
            seen.add(name)
            yield name
            pending += words(layers[name].get("on", []))
