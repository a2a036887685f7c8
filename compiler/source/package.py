"""Find the layers, boards and cards below some folders, and read a layer on demand.

The input is roots; the output is a library with the manifest of each layer, each source document, and the location of
each board and scenario. A folder with a `layer.yaml` is a layer with its own `*.rules` and `*.yaml` files and those of
its subfolders, except for folders that are layers themselves. Boards and cards may be anywhere. Names are unique and
nothing outside the roots is read. Reports duplicate names, rules that belong to no layer, and all problems of files.

Only manifests and registries are read at once: a stack needs a few layers of many.
"""

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TypeVar

from compiler.query.database import Database
from compiler.source import nodes as source
from compiler.source.content import Texts
from compiler.source.documents import Node, read_documents
from compiler.source.files import MANIFEST, PackageFile, outermost_folders, read_text, walk_files
from compiler.source.finding import Finding
from compiler.source.findings.files import DuplicateItem, ForeignFile, MissingFile
from compiler.source.findings.yaml_documents import BadShape
from compiler.source.heads import DOCUMENT_KINDS, Head
from compiler.source.lazy_table import LazyTable
from compiler.source.span import NOWHERE, Span
from runtime.graph.frozen_dataclass import frozen_dataclass

NO_FOLDER = "no such folder"
SUFFIXES = (".rules", ".yaml")  # of the files of packages
# Kinds of YAML documents that are read on demand, by name, and all kinds that do not make up a layer: they are found
# in any folder.
_LOADED_BY_NAME = ("board", "outline", "scenario")
_OUTSIDE_LAYERS = (*_LOADED_BY_NAME, "position", "sources")


@frozen_dataclass
class Library:
    """A library: layers by name, citable documents, boards and cards, texts by file name."""

    layers: Mapping[str, source.Layer]
    documents: tuple[source.Document, ...]
    boards: LazyTable[source.Board]
    outlines: LazyTable[source.Outline]
    scenarios: LazyTable[source.Scenario]
    texts: Texts
    files: Mapping[str, tuple[PackageFile, ...]]
    # Layers read so far: stacks have most of their layers in common.
    read: "dict[str, tuple[LayerSource, tuple[Finding, ...]]]" = field(default_factory=dict, compare=False, repr=False)
    database: Database = field(default_factory=Database, compare=False, repr=False)


@frozen_dataclass
class LayerSource:
    """A layer as read: its manifest and the content of its files."""

    layer: source.Layer
    files: tuple[source.RulesFile, ...]
    tables: tuple[source.Table, ...]
    charts: tuple[source.PieceChart, ...]
    table_patches: tuple[source.TablePatch, ...]
    piece_patches: tuple[source.PiecePatch, ...]
    card_patches: tuple[source.CardPatch, ...]
    books: tuple[source.Book, ...]

    def statements(self) -> Iterator[source.Statement]:
        """Yield the statements of all rules files."""
        return chain.from_iterable(file.statements for file in self.files)


@dataclass(slots=True)
class _Search:
    """The state of a search for packages: what has been found so far."""

    texts: Texts
    problems: list[Finding] = field(default_factory=list)
    layers: dict[str, source.Layer] = field(default_factory=dict)
    files: dict[str, tuple[PackageFile, ...]] = field(default_factory=dict)
    documents: list[source.Document] = field(default_factory=list)
    files_by_name: dict[str, dict[str, tuple[PackageFile, Span]]] = field(
        default_factory=lambda: {kind: {} for kind in _LOADED_BY_NAME}
    )


def discover_layers(roots: Iterable[Path], database: Database | None = None) -> tuple[Library, tuple[Finding, ...]]:
    """Search the roots in order, one below another as part of that; of two layers with one name the first is used.

    `database` contains memos of earlier libraries, which are valid where their files are unchanged.
    """
    database = Database() if database is None else database
    search = _Search(Texts(database))
    root_names: set[str] = set()
    for place in outermost_folders(roots):
        if not place.is_dir():
            search.problems.append(MissingFile(NOWHERE, str(place), NO_FOLDER))
            continue
        name = place.name if place.name not in root_names else str(place)
        root_names.add(name)
        _scan_root(place, name, search)
    library = Library(
        search.layers,
        tuple(search.documents),
        LazyTable(source.Board, search.files_by_name["board"], search.texts),
        LazyTable(source.Outline, search.files_by_name["outline"], search.texts),
        LazyTable(source.Scenario, search.files_by_name["scenario"], search.texts),
        search.texts,
        search.files,
        database=database,
    )
    return library, tuple(search.problems)


def _scan_root(root: Path, root_name: str, search: _Search) -> None:
    """Classify the files below one root into layers and what belongs to none."""
    found = list(walk_files(root, root_name, search.problems))
    manifests = {_folder(file.name): file for file in found if file.path.name == MANIFEST}
    layer_folders = manifests.keys()
    members: dict[str, list[PackageFile]] = {layer_folder: [] for layer_folder in layer_folders}
    foreign: list[Head] = []
    for file in found:
        if file.path.suffix not in SUFFIXES:
            continue
        search.texts.add(file)
        layer_folder = _innermost_layer(file.name, layer_folders)
        heads = search.texts.content(file).heads if layer_folder is None and file.path.suffix == ".yaml" else ()
        if heads and not any(kind in DOCUMENT_KINDS for kind, _, _ in heads):
            foreign.append(heads[0])
            continue
        if file.path.name != MANIFEST and _belongs_to_layer(file, search):
            if layer_folder is None:
                manifest_path = f"{_folder(file.name)}/{MANIFEST}"
                problem = MissingFile(
                    file.span, manifest_path, "without it the rules in this folder belong to no layer"
                )
                search.problems.append(problem)
            else:
                members[layer_folder].append(file)
    if foreign:
        (key, _, span), *others = foreign
        search.problems.append(ForeignFile(span, key, tuple(other for _, _, other in others)))
    for layer_folder in sorted(layer_folders):
        _read_manifest(manifests[layer_folder], tuple(members[layer_folder]), search)


def _belongs_to_layer(file: PackageFile, search: _Search) -> bool:
    """Return whether a file belongs to the enclosing layer; record the boards and cards in it."""
    if file.path.suffix == ".rules":
        return True
    content = search.texts.content(file)
    content_problems, heads = content.problems, content.heads
    for kind, name, span in heads:
        if kind in _LOADED_BY_NAME:
            places = search.files_by_name[kind]
            if name in places:
                search.problems.append(DuplicateItem(span, kind, name, places[name][1]))
            else:
                places[name] = (file, span)
    if any(kind == "sources" for kind, _, _ in heads):
        nodes, found = content.documents
        for each in (each for node in nodes if isinstance(node, source.Sources) for each in node.documents):
            prefix = each.prefix
            first = next((other.prefix for other in search.documents if other.prefix.text == prefix.text), None)
            if first is not None:
                search.problems.append(DuplicateItem(prefix.span, "document", prefix.text, first.span))
            search.documents.append(each)
        content_problems = (*content_problems, *found)
    search.problems += content_problems
    return not content_problems and any(kind not in _OUTSIDE_LAYERS for kind, _, _ in heads)


def _read_manifest(manifest: PackageFile, members: tuple[PackageFile, ...], search: _Search) -> None:
    """Read a manifest and record the layer with its files."""
    content = search.texts.content(manifest)
    unread, (nodes, document_problems) = content.problems, content.documents
    search.problems += (*unread, *document_problems)
    layers = [node for node in nodes if isinstance(node, source.Layer)]
    for node in nodes:
        if not isinstance(node, source.Layer) or node is not layers[0]:
            search.problems.append(BadShape(node.span, "the only document of its file", "one of several"))
    if not layers:
        if not (unread or document_problems):
            search.problems.append(BadShape(manifest.span, "a manifest that begins with `layer:`", "another document"))
        return
    name = layers[0].name
    if name.text in search.layers:
        first = search.layers[name.text].name.span
        search.problems.append(DuplicateItem(name.span, "layer", name.text, first))
    else:
        search.layers[name.text] = layers[0]
        search.files[name.text] = members


def _folder(name: str) -> str:
    return name.rpartition("/")[0]


def _innermost_layer(name: str, layer_folders: Set[str]) -> str | None:
    """Return the innermost layer that contains a file; None if there is none."""
    while name := _folder(name):
        if name in layer_folders:
            return name
    return None


# ---------------------------------------------------------------- reading what was found


def load_layer(library: Library, name: str) -> tuple[LayerSource, tuple[Finding, ...]]:
    """Read the files of one layer of the library, once."""
    if name not in library.read:
        library.read[name] = _read_layer(library, name)
    return library.read[name]


def _read_layer(library: Library, name: str) -> tuple[LayerSource, tuple[Finding, ...]]:
    found: list[Finding] = []
    rules: list[source.RulesFile] = []
    nodes: list[Node] = []
    for file in library.files[name]:
        content = library.texts.content(file)
        found += content.problems
        if content.problems:
            continue
        if file.path.suffix == ".rules":
            parsed, file_problems = content.rules(name)
            rules.append(parsed)
        else:
            read, file_problems = content.documents
            nodes += read
        found += file_problems
    for node in nodes:
        if isinstance(node, source.Layer):
            found.append(BadShape(node.span, f"a manifest in `{MANIFEST}`", "one in another file"))
    layer = LayerSource(
        library.layers[name],
        tuple(rules),
        tuple(node for node in nodes if isinstance(node, source.Table)),
        tuple(node for node in nodes if isinstance(node, source.PieceChart)),
        tuple(node for node in nodes if isinstance(node, source.TablePatch)),
        tuple(node for node in nodes if isinstance(node, source.PiecePatch)),
        tuple(node for node in nodes if isinstance(node, source.CardPatch)),
        tuple(node for node in nodes if isinstance(node, source.Book)),
    )
    return layer, tuple(found)


T = TypeVar("T", bound=source.Board | source.Scenario | source.Position)


def read_document(path: Path, kind: type[T]) -> tuple[T | None, tuple[Finding, ...]]:
    """Read the only document of one kind in a file at any path, which may hold documents of other kinds as well."""
    file = PackageFile(path, path.as_posix())
    text, unread = read_text(file)
    if unread:
        return None, unread
    nodes, document_problems = read_documents(text, file.name)
    found = [each for each in nodes if isinstance(each, kind)]
    kind_name = kind.__name__.lower()
    if not found and not document_problems:
        document_problems = (BadShape(file.span, f"a document that begins with `{kind_name}:`", "none"),)
    # Which of several is meant cannot be known: the commands that read a file this way take its name alone.
    more = (BadShape(each.span, f"one `{kind_name}:` in the file", "two") for each in found[1:])
    return next(iter(found), None), (*document_problems, *more)
