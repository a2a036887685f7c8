"""Declarations as records, all of whose fields have to be given.

A declaration of the language is one `DeclarationRecord` in the file of its family: `value_types.py`,
`kinds_and_flags.py`, `tracks_and_records.py`, `questions.py`. No field has a default: a forgotten one is an error of
the type checker. All consumers read the record: `compiler/typed/declare.py` binds, the semantic index and with it
navigation, hover and rename follow `names`, messages quote `forms`, the outline of a file shows `outline`.

What follows from the grammar is no field: the keyword, whether it begins a paragraph, and the layout.
"""

from collections.abc import Callable, Iterable, Mapping
from enum import IntEnum
from typing import Generic, Literal, TypeVar

from compiler.source import nodes as source
from compiler.source.span import Node
from compiler.typed.environment import UNKNOWN_TYPE, Environment, resolve_type
from compiler.typed.findings.declared_twice import DuplicateName
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.words import readable_name

N = TypeVar("N", bound=Node)
# The symbol of an editor for a paragraph.
OutlineSymbol = Literal["function", "enum", "class", "struct", "key", "namespace", "event"]


class Wave(IntEnum):
    """The waves in which declarations are bound; each sees the names of the earlier ones, in any order of the text."""

    TYPE_NAMES = 0
    EXTENSIONS = 1
    FLAGS_AND_RANGES = 2
    TYPED_NOTES = 3
    ADDED_FACTORS = 4
    PROCEDURES = 5
    QUESTIONS = 6
    STAGES = 7  # They may be of a question of any layer: bound in the whole stack, not layer by layer.


@frozen_dataclass
class DeclarationRecord(Generic[N]):
    """One declaration of the language.

    `forms` are its notations as messages show them, each with its keyword first; what can be extended has one that
    begins with `extend`. `binds` enters the node into the environment, in one wave or in several.

    `names` are the fields that are names, the declared name first, each with what it does and the namespace of the
    symbols, where `{owner}` is the text of another field. It "declares" or "uses" a name, several names or items with
    names; "binds" parameters in the fields that are not listed; or is the question that those "speak_on", so that they
    may use its parameters. The name of a node that `extends` is used.
    `outline` is the symbol in the outline of a file; None for a list of words and what else it leaves out.
    """

    node: type[N]
    forms: tuple[str, ...]
    binds: Mapping[Wave, Callable[[Environment, N], None]]
    names: Mapping[str, str]
    outline: OutlineSymbol | None


def display_name(item: source.Item) -> str:
    """Return the printed form of a declared word: its `reads`, or its name with spaces."""
    return item.reads if item.reads is not None else readable_name(item.name.text)


def resolve_parameters(env: Environment, written: Iterable[source.Parameter]) -> tuple[graph.Parameter, ...]:
    """Resolve a list of typed names; one of unknown type is included, so that only its type is reported."""
    parts = tuple(written)
    first: dict[str, source.Word] = {}
    for part in parts:
        if first.setdefault(part.name.text, part.name) is not part.name:
            place = first[part.name.text].span
            env.problems.append(DuplicateName(part.name.span, place, "name", part.name.text))
    return tuple(graph.Parameter(part.name.text, resolve_type(env, part.type) or UNKNOWN_TYPE) for part in parts)
