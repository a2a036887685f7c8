"""Assign stable printed numbers to the paragraphs of a layer, and write them to its `numbers.yaml`.

In: the available packages and the name of a layer. Out: the text of its register. Existing numbers are preserved;
a new paragraph is assigned a number that no layer of the same game has assigned, loaded or not; the number of a removed
or moved one is retired. A game also numbers the layers it extends: what several games share has different numbers in
each.
"""

from collections.abc import Iterator
from pathlib import Path

from compiler.rulebook.numbering import number_things
from compiler.rulebook.outline import draw_outline
from compiler.rulebook.printed_places import find_printed_places
from compiler.rulebook.register import LawKey, Register, number_register
from compiler.source import nodes as source
from compiler.source.numbering import register_key
from compiler.source.package import Library, load_layer
from rulewright.library.stacks import PackageSet
from rulewright.system.errors import UsageError
from rulewright.system.regular_files import read_text_file
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass

FILE = "numbers.yaml"
HEAD = (
    "# Numbers of the printed book, each given once. `rulewright number` writes this file and never changes a number.\n"
)
SECTIONS = {"case": "cases", "rule": "rules", "ruling": "rulings"}


@frozen_dataclass
class RegisterUpdate:
    """The register of a layer before and after, the number of new entries, and the retired numbers."""

    layer: str
    path: Path
    old_text: str
    new_text: str
    new_count: int
    retired: tuple[str, ...]


def numbered_layers(library: Library) -> tuple[str, ...]:
    """Return the layers with registers: games and the layers above them, lowest first."""
    return tuple(
        sorted(
            (name for name in library.layers if games_of(library, name)),
            key=lambda name: (len(_closure(library, name)), name),
        )
    )


def number_layer(package_set: PackageSet, name: str) -> RegisterUpdate:
    """Number the paragraphs of a layer."""
    library = package_set.library
    if not games_of(library, name):
        raise UsageError(f"{name} is no game by itself; the base layers that stand on it number its rules")
    path = folder_of(library, name) / FILE
    entries = list(read_register(library, name))
    registered_numbers = {(kind, label): number for kind, label, number in entries if kind != "retired"}
    retired = {number: label for kind, label, number in entries if kind == "retired"}
    numbers = dict(_assigned_numbers(package_set, name, registered_numbers, frozenset(retired)))
    retired |= {number: label for (_, label), number in registered_numbers.items() if number not in numbers.values()}
    before = read_text_file(path) if path.exists() else ""
    new = sum(registered_numbers.get(key) != number for key, number in numbers.items())
    newly_retired = tuple(number for number in registered_numbers.values() if number in retired)
    return RegisterUpdate(
        name, path, before, _written(numbers, retired) if numbers or retired else "", new, newly_retired
    )


def _assigned_numbers(
    package_set: PackageSet,
    name: str,
    registered_numbers: dict[LawKey, str],
    retired: frozenset[str],
) -> Iterator[tuple[LawKey, str]]:
    """Yield the numbers of a layer: those of its own stack, then of the other readings of its disputes."""
    library = package_set.library
    other_numbers = _numbers_of_others(library, name)
    found: dict[LawKey, str] = {}
    first = package_set.compiled(name).rules
    readings = _readings(first, {name} if games_of(library, name) != {name} else _closure(library, name))
    for stack in (first, *(package_set.compiled(f"{name}+{reading}").rules for reading in readings)):
        lower_numbers = _lower_numbers(stack, name)
        known = {**registered_numbers, **found, **lower_numbers}
        used = {*known.values(), *retired, *other_numbers, *number_register(stack).assigned_numbers}
        register = Register(known, frozenset(used))
        numbers = number_things(draw_outline(stack, find_printed_places(stack), register), register)
        for key, number in numbers.items():
            if key not in lower_numbers and key not in found:
                found[key] = number
                yield key, number


def _numbers_of_others(library: Library, name: str) -> set[str]:
    """Return the numbers that other layers of the same games have given."""
    games, numbers = games_of(library, name), set[str]()
    for other in numbered_layers(library):
        if other != name and games_of(library, other) & games:
            numbers.update(number for _, _, number in read_register(library, other))
            numbers.update(_cases(library, other))
    return numbers


def _lower_numbers(stack: graph.Graph, name: str) -> dict[LawKey, str]:
    """Return the numbers in the registers of the other layers of a stack."""
    numbers = dict[LawKey, str]()
    for layer in stack.layers:
        for kind, label, number in layer.numbers if layer.name != name else ():
            if kind != "retired":
                numbers[kind, label] = number
    return numbers


def _readings(stack: graph.Graph, layers: set[str]) -> list[str]:
    """Return the readings that a stack does not choose in the disputes of some layers."""
    readings = list[str]()
    for label, dispute in sorted(stack.disputes.items()):
        if dispute.origin.layer in layers:
            readings += [f"{label}={reading.label}" for reading in dispute.readings if not reading.chosen]
    return readings


def read_register(library: Library, name: str) -> Iterator[tuple[str, str, str]]:
    """Yield the entries of the register of a layer: "case", "rule", "ruling" or "retired"; the label; the number."""
    layer, _ = load_layer(library, name)
    for book in layer.books:
        yield from ((kind, label.text, number) for kind, label, number in book.numbers)


def _cases(library: Library, name: str) -> Iterator[str]:
    """Yield the explicit numbers of cases of a layer."""
    layer, _ = load_layer(library, name)
    for law in source.nested_laws(layer.statements()):
        if isinstance(law, source.Case) and law.number:
            yield law.number


def _closure(library: Library, name: str) -> set[str]:
    if name not in library.layers:
        return set()
    return {name}.union(*(_closure(library, word.text) for word in library.layers[name].on))


def games_of(library: Library, name: str) -> set[str]:
    """Return the games that contain a layer: base layers that no base layer extends, or with a register."""
    bases = {each for each, layer in library.layers.items() if layer.kind.text == "base"}
    shared = {below for base in bases for below in _closure(library, base) - {base}}
    return {each for each in _closure(library, name) & bases if each not in shared or any(read_register(library, each))}


def folder_of(library: Library, name: str) -> Path:
    """Return the folder of a layer."""
    manifest = library.texts.file(library.layers[name].span.file)
    return Path(manifest.path if manifest else library.layers[name].span.file).parent


def _written(numbers: dict[LawKey, str], retired: dict[str, str]) -> str:
    lines = [HEAD, "numbers:\n"]
    for kind, section in SECTIONS.items():
        entries = [(number, label) for (sort, label), number in numbers.items() if sort == kind]
        if entries:
            lines.append(f"  {section}:\n")
            lines += [f'    {label}: "{number}"\n' for number, label in sorted(entries, key=_rank)]
    if retired:
        lines.append("  retired:\n")
        lines += [f'    "{number}": {label}\n' for number, label in sorted(retired.items(), key=_rank)]
    return "".join(lines)


def _rank(item: tuple[str, str]) -> tuple[object, ...]:
    number, label = item
    return register_key(number), label
