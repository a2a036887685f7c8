"""The problems of packages that concern a stack: an error in the folder of one layer is no error of the others.

In: the problems of a search for packages, and a stack. Out: those that concern it, and one warning with the places of
the errors that do not, which names what is left out.
"""

from collections.abc import Iterable

from compiler.layered.layer_selection import layer_names_of
from compiler.report.diagnose import diagnose
from compiler.source.content import Texts
from compiler.source.files import MANIFEST
from compiler.source.finding import WARNING, Finding
from compiler.source.findings.files import BrokenElsewhere, DuplicateItem, MissingFile, TooLarge
from compiler.source.nodes import Scenario
from compiler.source.package import NO_FOLDER, Library
from compiler.source.span import NOWHERE, Span

# A search that ends at one of these limits has not seen the rest of its folder, which may belong to any layer.
UNSEARCHED = frozenset({"files", "folders"})
_skipped_files: dict[BrokenElsewhere, Texts] = {}


def own_problems(library: Library, problems: tuple[Finding, ...], stack: str) -> tuple[Finding, ...]:
    """Return the problems that concern a stack."""
    return tuple(each for each in concerned_problems(library, problems, stack, None) if each in problems)


def concerned_problems(
    library: Library, problems: tuple[Finding, ...], stack: str, card: Scenario | None
) -> tuple[Finding, ...]:
    """Return the problems that concern a stack, with a warning about errors that do not."""
    if not problems:
        return ()
    layers = layer_names_of(library, stack)
    folders = {name: _folder(layer.span.file) for name, layer in library.layers.items()}
    stack_folders = {folders[name] for name in layers} | ({_folder(card.span.file)} if card is not None else set())
    named = {"layer": layers, "scenario": {card.name.text} if card else set()}
    named["board"] = named["outline"] = {each.board.text for each in card.map} if card else set()

    def reaches(file: str) -> bool:
        return _reaches(file, stack_folders, folders.values())

    def is_concerned(problem: Finding) -> bool:
        # A folder that was named on purpose, and one that was not searched to its end, may hold what the stack needs.
        is_root = isinstance(problem, MissingFile) and (problem.reason == NO_FOLDER or "/" not in problem.path)
        if is_root or (isinstance(problem, TooLarge) and problem.unit in UNSEARCHED):
            return True
        if reaches(_file_of(problem)):
            return True
        if not isinstance(problem, DuplicateItem):
            return False
        # Both documents of one prefix are read, of other things the first: as if alone, if it is the stack's own.
        is_first_own = reaches(problem.first.file)
        if problem.category == "document":
            return is_first_own
        return problem.name in named[problem.category] and (problem.category == "layer" or not is_first_own)

    found = [each for each in problems if each.code.severity is WARNING or is_concerned(each)]
    spared = [each for each in problems if each not in found]
    if not spared:
        return tuple(found)
    (span, reason), *others = _first_errors(spared, library.texts)
    left_out = BrokenElsewhere(span, reason, tuple(others))
    _skipped_files[left_out] = library.texts
    return (*found, left_out)


def take_skipped_files() -> list[str]:
    """Return the files with errors that stacks have left out since the last call, as paths of the system."""
    names = {span.file: texts for each, texts in _skipped_files.items() for span in _places(each)}
    _skipped_files.clear()
    return [str(file.path) if (file := texts.file(name)) else name for name, texts in names.items()]


def hiding_problems(problems: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the problems that may hide a layer: of manifests, and of what was not searched."""
    return tuple(
        problem
        for problem in problems
        if _file_of(problem).rpartition("/")[2] == MANIFEST
        or isinstance(problem, MissingFile)
        or (isinstance(problem, TooLarge) and problem.unit in UNSEARCHED)
    )


def _reaches(file: str, stack_folders: set[str], layer_folders: Iterable[str]) -> bool:
    """Return whether a file is in a layer of a stack, or in a folder around one."""
    place = _folder(file)
    if any(f"{folder}/".startswith(f"{place}/") for folder in stack_folders):
        return True
    around = (folder for folder in layer_folders if f"{place}/".startswith(f"{folder}/"))
    return max(around, key=len, default="") in stack_folders


def _places(left_out: BrokenElsewhere) -> tuple[Span, ...]:
    return (left_out.span, *(span for span, _ in left_out.others))


def _first_errors(problems: Iterable[Finding], texts: Texts) -> list[tuple[Span, str]]:
    """Return the place and the sentence of the first problem in each file."""
    errors: dict[str, tuple[Span, str]] = {}
    for problem in problems:
        file = _file_of(problem)
        if file not in errors:
            span = Span(file, 1, 1, 1, 1) if _span_of(problem) is NOWHERE else _span_of(problem)
            errors[file] = span, diagnose((problem,), texts)[0].message
    return list(errors.values())


def _file_of(problem: Finding) -> str:
    """Return the name of the file that a problem is in; a file that cannot be read has no place in itself."""
    span = _span_of(problem)
    return problem.path if isinstance(problem, MissingFile) and span is NOWHERE else span.file


def _span_of(problem: Finding) -> Span:
    span = getattr(problem, "span", NOWHERE)
    return span if isinstance(span, Span) else NOWHERE


def _folder(file: str) -> str:
    return file.rpartition("/")[0]
