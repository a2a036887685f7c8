"""The symbol at a cursor: its meaning, its declarations and uses, and the edits that rename it.

In: the index of a stack (workspace.py) and a one-based position in a file. Out: locations and texts, which the
server converts to those of the protocol.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from compiler.compile import problems_of_stack
from compiler.index.occurrences import Occurrence
from compiler.index.semantic_index import SemanticIndex
from compiler.indexing import semantic_index
from compiler.layered.layer_selection import layers_below
from compiler.report.diagnose import diagnose
from compiler.source.files import lines_of, reading_unsaved
from compiler.source.span import Span
from compiler.typed.environment import type_text
from compiler.typed.name_uses import LOCAL
from rulewright.editor.workspace import DATA, EditorWorkspace, IndexedStack
from rulewright.errors import UsageError
from rulewright.library.shipped_folders import rules_folder
from rulewright.views.pages import as_text, explain_page
from rulewright.views.paragraph_source import cut_paragraph

IDENTIFIER = re.compile(r"[^\W\d]\w*")
QUOTED = re.compile(r"""[^\W\d][^'"{}\n]*(?<!\s)""")  # Places of a scale, which are quoted.
LABEL = re.compile(r"[^\W\d]\w*(?:-\w+)*")
# The first words of the keys of symbols by the first key of a page of `explain` (views/name_pages.py, views/pages.py),
# if they differ.
PAGES = {
    "question": "term",
    "rule": "label",
    "ruling": "label",
    "dispute": "label",
    "case": "label",
    "kind": "type",
    "enumeration": "type",
    "scale": "type",
    "measure": "type",
    "domain": "type",
    "record": "type",
    "counter": "member",
}
LONGEST_DECLARATION = 12  # lines
# The kinds of symbols that data files do not mention.
NOT_IN_DATA = {LOCAL, "parameter", "stage", "event", "word", "end"}
# The printed kinds of symbols, if they differ from those in keys.
CALLED = {"label": "paragraph", "printed": "printed on the counters", "given": "of every map and piece", LOCAL: "name"}


@dataclass(frozen=True, slots=True)
class Location:
    """A span of a file, with the file's text."""

    path: Path
    span: Span
    text: str


def names_at(found: IndexedStack, path: Path, line: int, column: int) -> tuple[Occurrence, ...]:
    """Return the occurrences at a position; between two names, those of the name that ends there."""
    name = found.files.get(path.resolve())
    return found.index.occurrences_at(name, line, column) if name else ()


def meaning_of(workspace: EditorWorkspace, found: IndexedStack, path: Path, name: Occurrence) -> str:
    """Return the meaning of a name: its kind, its type, and its page of `explain` or its declaration.

    "" for a parameter without a declaration in the index.
    """
    kind, _, called = name.symbol.partition(" ")
    head = _headline(found, name, kind, called)
    declared = next(iter(found.index.declarations(name.symbol)), None)
    if declared is None and kind == "parameter":
        return ""
    declaration = "" if declared is None or kind == LOCAL else _declaration(found, declared)
    stack = workspace.stack_of(path)
    if kind != LOCAL and stack is not None and stack.graph is not None:
        try:
            page = explain_page(stack, called.rpartition(".")[2])
        except UsageError:
            page = {}
        for each in (page, *page.get("also", ())):
            begins = next(iter(each), "")
            if PAGES.get(begins, begins) == kind:
                # A `define` is a question with its rule, and has the page of the question.
                paragraph = each["paragraph"] or (page["paragraph"] if "rule" in page else declaration)
                return as_text({**each, "paragraph": paragraph, "also": []})
    return f"{head}\n\n{declaration}".rstrip()


def _headline(found: IndexedStack, name: Occurrence, kind: str, called: str) -> str:
    """Return a line that describes a name; for a local name, with its paragraph."""
    type_ = name.type or next((each.type for each in found.index.occurrences_of(name.symbol) if each.type), None)
    ending = f": {type_text(type_)}" if type_ else ""
    if kind != LOCAL:
        return f"{CALLED.get(kind, kind)} {called}{ending}"
    declared = next(iter(found.index.declarations(name.symbol)), None)
    if declared is None:
        return f"name{ending}"
    text = found.packages.library.texts[declared.span.file]
    return f"{cut_paragraph(text, declared.span)}{ending}, from line {declared.span.line}"


def _declaration(found: IndexedStack, declared: Occurrence) -> str:
    """Return the line that declares a name, with the comments above it."""
    lines = lines_of(found.packages.library.texts[declared.span.file])
    first = last = declared.span.line - 1
    while first > 0 and lines[first - 1].lstrip().startswith("#") and last - first < LONGEST_DECLARATION:
        first -= 1
    excerpt = "\n".join(line.strip() for line in lines[first : last + 1])
    return f"{excerpt}\n{declared.span.file}:{declared.span.line}"


def declarations_at(found: IndexedStack, names: tuple[Occurrence, ...]) -> list[Location]:
    """Return the declarations of some names."""
    places = (each for name in names for each in found.index.declarations(name.symbol))
    return _located(found, places)


def uses_at(found: IndexedStack, names: tuple[Occurrence, ...], *, declarations: bool = True) -> list[Location]:
    """Return the uses of some names in the stack, with declarations unless excluded."""
    places = (each for name in names for each in found.index.occurrences_of(name.symbol))
    return _located(found, (each for each in places if declarations or not each.declares))


def _located(found: IndexedStack, places: Iterator[Occurrence]) -> list[Location]:
    located = {}
    for each in places:
        path = found.path_of(each.span.file)
        if path is not None:
            located[each.span] = Location(path, each.span, found.packages.library.texts[each.span.file])
    return [located[span] for span in sorted(located)]


# ------------------------------------------------------------ renaming


def rename_places(
    workspace: EditorWorkspace, path: Path, line: int, column: int, new: str
) -> dict[Path, list[Location]]:
    """Return the places to rename by file; raises `UsageError`, with the reason, if the renaming is not allowed.

    All stacks that contain the layer of the declaration are searched, and have to compile without new problems.
    """
    with workspace.index_of(path) as found:
        names = names_at(found, path, line, column) if found else ()
        if found is None or not names:
            raise UsageError("there is no name here")
        old = cut_paragraph(found.packages.library.texts[names[0].span.file], names[0].span).strip("'")
        symbols = {each.symbol for each in names}
        declared = [each for symbol in symbols for each in found.index.declarations(symbol)]
        if not declared:
            raise UsageError(f"`{old}` is declared by no rules in reach, so it keeps its name")
        _allow(found, declared, old, new, symbols)
        stacks = _stacks_on(found, declared[0].span.file)
        indices = {each: semantic_index(found.packages.library, each) for each in stacks}
        places = {
            location.span: location
            for name, index in indices.items()
            for location in _located(IndexedStack(found.packages, name, index, {}),
                                     iter(each for symbol in symbols for each in index.occurrences_of(symbol)))
        }  # fmt: skip
        in_data = [] if names[0].symbol.startswith(LOCAL) else list(_in_data(found, stacks, old, places))
        if in_data and (others := _other_symbols(indices, old, symbols)):
            raise UsageError(f"`{old}` is also {others[0]}, and data files mention it: rename it by hand")
        before = {each: _messages(found, each) for each in stacks}
    edits: dict[Path, list[Location]] = {}
    for each in sorted([*places.values(), *in_data], key=lambda each: each.span):
        edits.setdefault(each.path, []).append(each)
    _compiles_as_before(workspace, edits, new, before)
    return edits


def _allow(found: IndexedStack, declared: list[Occurrence], old: str, new: str, symbols: set[str]) -> None:
    """Raise `UsageError` for an invalid or used name, and for a symbol that other packages declare."""
    pattern, sample = (
        (LABEL, "fords-slow") if any(each.startswith("label ") for each in symbols) else (IDENTIFIER, "ford")
    )
    if all(each.startswith("place of scale ") for each in symbols):
        pattern, sample = QUOTED, "a ford"
    if any(each.startswith("term ") for each in symbols):
        pattern, sample = IDENTIFIER, "ford"  # A `define` is a question, whose name takes no hyphens.
    if not pattern.fullmatch(new):
        raise UsageError(f"`{new}` is no name for this; write letters, digits and `_`, as in `{sample}`")
    for symbol in symbols:
        new_symbol = f"{symbol[: len(symbol) - len(old)]}{new}"
        if not symbol.startswith(LOCAL) and found.index.declarations(new_symbol):
            raise UsageError(f"`{new}` is declared already")
    shipped = rules_folder().resolve()
    for each in declared:
        path = found.path_of(each.span.file)
        if path is not None and path.is_relative_to(shipped) and not (shipped.parent / "pyproject.toml").is_file():
            raise UsageError(f"`{old}` is declared in the rules that come with Rulewright: {each.span.file}")


def _stacks_on(found: IndexedStack, file: str) -> list[str]:
    """Return the layer of a file and those above it, each as a stack, and the current stack."""
    library = found.packages.library
    home = next((name for name, files in library.files.items() if any(each.name == file for each in files)), "")
    above = [name for name, below in layers_below(library.layers, library.layers).items() if home in below]
    return list(dict.fromkeys((found.stack, *([home] if home else []), *above)))


def _other_symbols(indices: Mapping[str, SemanticIndex], old: str, symbols: set[str]) -> list[str]:
    """Return the other symbols of the same name."""
    return sorted(
        {
            f"{CALLED.get(kind, kind)} {name}"
            for index in indices.values()
            for symbol in index.symbols()
            for kind, _, name in [symbol.partition(" ")]
            if symbol not in symbols and kind not in NOT_IN_DATA and name.rpartition(".")[2] == old
        }
    )


def _in_data(found: IndexedStack, stacks: list[str], old: str, known: Mapping[Span, Location]) -> Iterator[Location]:
    """Yield the occurrences of a name in the data files of some layers, outside of comments."""
    library = found.packages.library
    word = re.compile(rf"(?<![\w-]){re.escape(old)}(?![\w-])")
    known_places = {(span.file, span.line, span.column) for span in known}
    for stack in stacks:
        manifest = library.layers.get(stack)
        names = [file.name for file in library.files.get(stack, ()) if file.path.suffix == DATA]
        for name in dict.fromkeys((*([manifest.span.file] if manifest else ()), *names)):
            path, text = found.path_of(name), library.texts[name]
            for number, line in enumerate(lines_of(text), 1):
                for each in word.finditer(line.partition(" #")[0]):
                    match_span = Span(name, number, each.start() + 1, number, each.end() + 1)
                    if path is not None and (name, match_span.line, match_span.column) not in known_places:
                        yield Location(path, match_span, text)


def _messages(found: IndexedStack, stack: str) -> list[str]:
    """Return the messages of compiling a stack."""
    library = found.packages.library
    problems = problems_of_stack(library, stack)
    return sorted(f"{each.code} {each.message}" for each in diagnose(problems, found.packages.texts()))


def _compiles_as_before(
    workspace: EditorWorkspace, edits: Mapping[Path, list[Location]], new: str, before: Mapping[str, list[str]]
) -> None:
    """Raise `UsageError` if edits would cause a new problem in a stack."""
    after = {path.resolve(): replace_places(places, new) for path, places in edits.items()}
    with reading_unsaved({**workspace.buffers, **after}):
        packages = workspace.packages_in_reach()
        for stack, old_messages in before.items():
            new_messages = _messages(IndexedStack(packages, stack, SemanticIndex({}), {}), stack)
            if added_messages := [
                each for each in new_messages if each not in old_messages and len(new_messages) > len(old_messages)
            ]:
                raise UsageError(
                    f"with that name `{stack}` would not compile as before: {added_messages[0].partition(' ')[2]}"
                )


def replace_places(places: list[Location], new: str) -> str:
    """Return a text with the names at some places replaced."""
    lines = lines_of(places[0].text)
    for each in sorted(places, key=lambda each: each.span, reverse=True):
        line = lines[each.span.line - 1]
        start, end = each.span.column - 1, each.span.end_column - 1
        lines[each.span.line - 1] = f"{line[:start]}{name_spelling(each, new)}{line[end:]}"
    return "\n".join(lines)


def name_spelling(place: Location, new: str) -> str:
    """Format a name for a place, in quotes if the name there is quoted."""
    return f"'{new}'" if cut_paragraph(place.text, place.span).startswith("'") else new
