"""The edits that rename the symbol at a cursor, in every stack and card that has the layer of its declaration.

In: the index of a stack (workspace.py), a one-based position in a file, and a name. Out: locations by file, which the
server converts to edits; `UsageError`, with the reason, if the renaming is not allowed.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from compiler.compile import problems_of_stack
from compiler.index.occurrences import Occurrence
from compiler.index.semantic_index import SemanticIndex
from compiler.report.diagnose import diagnose
from compiler.source.files import reading_unsaved, split_lines
from compiler.source.finding import Finding
from compiler.source.grammar import parser_tables
from compiler.source.nodes import Scalar, Word
from compiler.source.package import Library
from compiler.source.span import Span
from compiler.source.yaml_reader import read_yaml
from compiler.stack_index import index_stack
from compiler.typed.name_uses import LOCAL
from rulewright.explain.views.paragraph_source import cut_paragraph
from rulewright.library.example_targets import (
    ExampleTarget,
    StackContent,
    all_targets,
    card_targets,
    examples_of,
    stack_content,
)
from rulewright.library.shipped_folders import rules_folder
from rulewright.library.stacks import PackageSet
from rulewright.serve.editor.symbols import CALLED, Location, sorted_places
from rulewright.serve.editor.workspace import DATA, EditorWorkspace, IndexedStack
from rulewright.system.errors import UsageError
from runtime.graph.grouping import group_by
from runtime.graph.walk import walk

IDENTIFIER = re.compile(r"[^\W\d]\w*")
QUOTED = re.compile(r"""[^\W\d][^'"{}\n]*(?<!\s)""")  # Places of a scale, which are quoted.
LABEL = re.compile(r"[^\W\d]\w*(?:-\w+)*")
# The kinds of symbols that data files do not mention.
NOT_IN_DATA = {LOCAL, "parameter", "stage", "event", "word", "end"}


def rename_places(
    workspace: EditorWorkspace, path: Path, line: int, column: int, new: str
) -> dict[Path, list[Location]]:
    """Return the places to rename by file; raises `UsageError`, with the reason, if the renaming is not allowed.

    All stacks and cards that contain the layer of the declaration are searched, and have to compile without new
    problems; those that mention neither name except in files of the stack at the cursor are what that stack is.
    """
    with workspace.index_of(path) as found:
        names = found.names_at(path, line, column) if found else ()
        if found is None or not names:
            raise UsageError("there is no name here")
        packages = found.packages
        old = cut_paragraph(packages.library.texts[names[0].span.file], names[0].span).strip("'")
        symbols = {name.symbol for name in names}
        home = _home_of(found, old, new, symbols)
        kind = _kind_of(names[0].symbol)
        targets = [ExampleTarget(found.stack)]
        if kind != LOCAL:
            targets = list(dict.fromkeys((*targets, *_targets_with(found, home, (old, new)))))
        indexed = {target: _indexed(packages, target) for target in targets}
        occurrences = _occurrences(index for index, _ in indexed.values())
        own_occurrences = [occurrence for occurrence in occurrences if occurrence.symbol in symbols]
        places = {location.span: location for location in sorted_places(found, own_occurrences)}
        in_data = list[Location]()
        if kind not in NOT_IN_DATA:
            in_data = list(_in_data(found, _data_files(packages.library, home), old, places))
        _require_one_symbol(in_data, occurrences, old, symbols)
        before = {target: _messages(packages, problems) for target, (_, problems) in indexed.items()}
        in_texts = {location.span for location in in_data if _is_in_text(location)}
    edits = _by_file((*places.values(), *(location for location in in_data if location.span not in in_texts)))
    message = _new_problem(workspace, edits, new, before)
    if message and in_texts:  # A text of several words may contain names, as the features of a hex do.
        edits = _by_file((*places.values(), *in_data))
        message = _new_problem(workspace, edits, new, before)
    if message:
        raise UsageError(message)
    return edits


def _home_of(found: IndexedStack, old: str, new: str, symbols: set[str]) -> str:
    """Return the layer that declares the symbols of a name; raise `UsageError` if they may not be renamed."""
    declared = list[Occurrence]()
    for symbol in symbols:
        declared += found.index.declarations(symbol)
    if not declared:
        raise UsageError(f"`{old}` is declared by no rules in reach, so it keeps its name")
    _allow(found, declared, old, new, symbols)
    return _layer_of(found.packages.library, declared[0].span.file)


def _require_one_symbol(
    in_data: Sequence[Location], occurrences: Iterable[Occurrence], old: str, symbols: set[str]
) -> None:
    """Raise `UsageError` if data files mention a name that other symbols have too."""
    others = _other_symbols(occurrences, old, symbols) if in_data else []
    if others:
        where = f"{in_data[0].span.file}:{in_data[0].span.line}"
        raise UsageError(f"`{old}` is also {others[0]}, and data files mention it, as {where}: rename it by hand")


def _by_file(places: Iterable[Location]) -> dict[Path, list[Location]]:
    return group_by(sorted(places, key=lambda each: each.span), lambda each: each.path)


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
        signs = "`-`" if pattern is LABEL else "`_`"
        raise UsageError(f"`{new}` is no name for this; write letters, digits and {signs}, as in `{sample}`")
    if new in parser_tables().fixed.values() and not all(_kind_of(each) in {LOCAL, "parameter"} for each in symbols):
        raise UsageError(f"`{new}` is a keyword of the language; choose another name")
    for symbol in symbols:
        new_symbol = f"{symbol[: len(symbol) - len(old)]}{new}"
        if not symbol.startswith(LOCAL) and found.index.declarations(new_symbol):
            raise UsageError(f"`{new}` is declared already")
    shipped = rules_folder().resolve()
    for each in declared:
        path = found.path_of(each.span.file)
        if path is not None and path.is_relative_to(shipped) and not (shipped.parent / "pyproject.toml").is_file():
            raise UsageError(f"`{old}` is declared in the rules that come with Rulewright: {each.span.file}")


def _kind_of(symbol: str) -> str:
    return symbol.partition(" ")[0]


def _layer_of(library: Library, file: str) -> str:
    """Return the layer of a file."""
    return next((name for name, files in library.files.items() if any(each.name == file for each in files)), "")


def _targets_with(found: IndexedStack, home: str, words: tuple[str, str]) -> Iterator[ExampleTarget]:
    """Yield the stacks that contain a layer, and the cards on them, whose own files mention one of two words.

    Those are files that neither `found` nor an earlier one has, the card, and files with an example of that stack.
    """
    packages, library = found.packages, found.packages.library
    known_layers, _ = stack_content(library, found.stack)

    mention = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)")

    def mentions(file: str) -> bool:
        return mention.search(library.texts[file]) is not None

    example_targets = set(_targets_of_examples(library, mentions))
    known_files = _files_of(library, known_layers)
    for target in dict.fromkeys((*all_targets(packages), *card_targets(packages))):
        if packages.missing_layers(target.stack):
            continue
        content = layers, _ = stack_content(library, target.stack)
        own_files = _files_of(library, layers)
        if target.scenario:
            own_files.add(library.scenarios.places[target.scenario][0].name)
        if home in layers and (
            (content, target.scenario) in example_targets or any(map(mentions, own_files - known_files))
        ):
            known_files |= own_files
            yield target


def _targets_of_examples(library: Library, mentions: Callable[[str], bool]) -> Iterator[tuple[StackContent, str]]:
    """Yield the content of the stack, and the card, of each example that names one, in the files with a mention."""
    for layer in library.layers:
        for example in examples_of(library, layer):
            if (example.under or example.upon) and mentions(example.span.file):
                under = example.under.text if example.under else layer
                yield stack_content(library, under), example.upon.text if example.upon else ""


def _files_of(library: Library, layers: Iterable[str]) -> set[str]:
    """Return the files of layers, with their manifests."""
    members = {file.name for layer in layers for file in library.files[layer]}
    return members | {library.layers[layer].span.file for layer in layers}


def _indexed(packages: PackageSet, target: ExampleTarget) -> tuple[SemanticIndex, tuple[Finding, ...]]:
    return index_stack(packages.library, target.stack, packages.library.scenarios.get(target.scenario))


def _occurrences(indices: Iterable[SemanticIndex]) -> list[Occurrence]:
    """Return the names of all files, each as it is typed in the stacks; most files are typed alike in all."""
    typed_files = {id(names): names for index in indices for names in index.files.values()}
    return [each for names in typed_files.values() for each in names]


def _other_symbols(occurrences: Iterable[Occurrence], old: str, symbols: set[str]) -> list[str]:
    """Return the other symbols of the same name."""
    others = set[str]()
    for occurrence in occurrences:
        if occurrence.declares and occurrence.symbol.endswith(old) and occurrence.symbol not in symbols:
            kind, _, name = occurrence.symbol.partition(" ")
            if kind not in NOT_IN_DATA and name.rpartition(".")[2] == old:
                others.add(f"{CALLED.get(kind, kind)} {name}")
    return sorted(others)


def _data_files(library: Library, home: str) -> Iterator[str]:
    """Yield the data files of the layers on a layer, with their manifests, and the cards of stacks that contain it."""
    for name, layer in library.layers.items():
        if home in stack_content(library, name)[0]:
            yield layer.span.file
            yield from (file.name for file in library.files.get(name, ()) if file.path.suffix == DATA)
    for name, (file, _) in library.scenarios.places.items():
        card = library.scenarios.get(name)  # None if it cannot be read.
        if card is not None and home in stack_content(library, card.uses.text)[0]:
            yield file.name


def _in_data(found: IndexedStack, files: Iterable[str], old: str, known: Mapping[Span, Location]) -> Iterator[Location]:
    """Yield the occurrences of a name in data files, outside of comments."""
    word = re.compile(rf"(?<![\w-]){re.escape(old)}(?![\w-])")
    known_places = {(span.file, span.line, span.column) for span in known}
    for name in dict.fromkeys(files):
        path, text = found.path_of(name), found.packages.library.texts[name]
        for number, line in enumerate(split_lines(text), 1):
            for each in word.finditer(line.partition(" #")[0]):
                match_span = Span(name, number, each.start() + 1, number, each.end() + 1)
                if path is not None and (name, match_span.line, match_span.column) not in known_places:
                    yield Location(path, match_span, text)


def _is_in_text(place: Location) -> bool:
    """Return whether a place in a data file is in a text of several words, which is prose in most cases."""
    values, _ = read_yaml(place.text, place.span.file)
    scalars = (each for each in walk(values) if isinstance(each, Scalar | Word))
    return any(" " in scalar.text.strip() and scalar.span.contains(place.span) for scalar in scalars)


def _messages(packages: PackageSet, problems: Iterable[Finding]) -> list[str]:
    """Return the messages of the problems of a stack."""
    return sorted(f"{each.code} {each.message}" for each in diagnose(problems, packages.texts()))


def _new_problem(
    workspace: EditorWorkspace,
    edits: Mapping[Path, list[Location]],
    new: str,
    before: Mapping[ExampleTarget, list[str]],
) -> str:
    """Return a message on a new problem that edits would cause in a stack, or in a card on it; "" if there is none."""
    after = {path.resolve(): replace_places(places, new) for path, places in edits.items()}
    with reading_unsaved({**workspace.buffers, **after}):
        packages = workspace.packages_in_reach()
        for target, old_messages in before.items():
            card = packages.library.scenarios.get(target.scenario)
            new_messages = _messages(packages, problems_of_stack(packages.library, target.stack, card))
            if added_messages := [
                message
                for message in new_messages
                if message not in old_messages and len(new_messages) > len(old_messages)
            ]:
                reason = added_messages[0].partition(" ")[2]
                return f"with that name `{target.name}` would not compile as before: {reason}"
    return ""


def replace_places(places: list[Location], new: str) -> str:
    """Return a text with the names at some places replaced."""
    lines = split_lines(places[0].text)
    for each in sorted(places, key=lambda each: each.span, reverse=True):
        line = lines[each.span.line - 1]
        start, end = each.span.column - 1, each.span.end_column - 1
        lines[each.span.line - 1] = f"{line[:start]}{name_spelling(each, new)}{line[end:]}"
    return "\n".join(lines)


def name_spelling(place: Location, new: str) -> str:
    """Format a name for a place, in quotes if the name there is quoted."""
    return f"'{new}'" if cut_paragraph(place.text, place.span).startswith("'") else new
