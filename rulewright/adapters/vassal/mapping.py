"""The mapping from boards, spaces, counters, sides and faces of a module to names in our files.

An import writes its complete mapping; the user may edit it and pass it to the next import. The name `-` omits a thing.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from compiler.source.files import PackageFile
from compiler.source.nodes import Scalar, ValueMap
from compiler.source.span import Span
from rulewright.adapters.vassal.board_conversion import yaml_text
from rulewright.exchange.notes import Notes
from rulewright.exchange.tree_reader import SkipPart, find_entry, listed_words, map_at, read_documents, text_at

OMITTED = "-"
BACK = "back"
VASSAL = "vassal"
TABLES = ("sides", "boards", "factors", "traits", "tracks", "faces", "counters")
# What names of ours consist of; a space may begin with a digit, and positions may have the rules of several layers.
IDENTIFIER, SPACE_NAME, STACK_NAME = r"[A-Za-z_]\w*", r"\w+", r"[a-z]\w*(\+[a-z][\w=-]*)*"
MAPPING_KEYS = {"mapping", "module", "stack", "write", "kind", "side_of", "spaces", *TABLES}


@dataclass(slots=True)
class NameMapping:
    """Our names by names of the module: `tables` by subject, `spaces` by converted board.

    `write` states whether an import writes the layer `stack` with the counters; `side_of` are the properties that hold
    the side of a counter.
    """

    module: str = ""
    stack: str = ""
    write: bool = True
    kind: str = "unit"
    side_of: tuple[str, ...] = ()
    tables: dict[str, dict[str, str]] = field(default_factory=lambda: {name: {} for name in TABLES})
    spaces: dict[str, dict[str, str]] = field(default_factory=dict)

    def __getitem__(self, table: str) -> dict[str, str]:
        return self.tables[table]


def read_mapping(path: Path, notes: Notes) -> NameMapping | None:
    """Read a mapping; None, with notes, if it is invalid."""
    documents = read_documents(PackageFile(path, path.name), notes)
    if not documents:
        return None
    tree, before = documents[0], len(notes.entries)
    for word, _ in tree.entries:
        if word.text not in MAPPING_KEYS:
            notes.add_invalid(word.span, word.text, f"a mapping of VASSAL has {', '.join(sorted(MAPPING_KEYS))}")
    try:
        if text_at(tree, "mapping", notes) != VASSAL:
            notes.add_invalid(tree.span, "mapping", f"`{VASSAL}` should stand here")
        mapping = NameMapping(
            text_at(tree, "module", notes, ""),
            text_at(tree, "stack", notes, ""),
            text_at(tree, "write", notes, "yes") not in {"no", "false"},
            text_at(tree, "kind", notes, "unit"),
            tuple(text for text, _ in listed_words(find_entry(tree, "side_of"))),
        )
        stack = r"[a-z]\w*" if mapping.write else STACK_NAME
        for key, pattern, name in (("stack", stack, mapping.stack), ("kind", IDENTIFIER, mapping.kind)):
            if name and not _is_name(name, pattern):
                notes.add_invalid(_span_of(tree, key), key, _no_name(name))
        for name in TABLES:
            mapping.tables[name] = _table(tree, name, notes)
        for board, spaces in map_at(tree, "spaces", notes):
            if isinstance(spaces, ValueMap):
                mapping.spaces[board.text] = _words(spaces, notes, SPACE_NAME)
    except SkipPart:
        return None
    return mapping if len(notes.entries) == before else None


def write_mapping(mapping: NameMapping, titles: Mapping[str, str]) -> str:
    """Format a mapping; `titles` are the names of slots in the module, by number."""
    lines = [
        "# What the names of a module of VASSAL are called here. Change what you like, and import again with",
        "# --mapping; `-` leaves a thing out. A face may become the `back` of its counter, or a status.",
        f"mapping: {VASSAL}",
        f"module: {yaml_text(mapping.module)}",
        f"stack: {mapping.stack}",
        f"write: {'yes' if mapping.write else 'no'}  # whether the layer of this name is written; no: it is there",
        f"kind: {mapping.kind}",
        f"side_of: [{', '.join(map(yaml_text, mapping.side_of))}]  # properties that say whose a counter is",
    ]
    for name in TABLES:
        lines.append(f"{name}:" if mapping[name] else f"{name}: {{}}")
        for key, value in mapping[name].items():
            comment = f"  # {_remark(titles[key])}" if name == "counters" and key in titles else ""
            lines.append(f"  {_key(key)}: {value}{comment}" if value != OMITTED else f'  {_key(key)}: "-"{comment}')
    lines.append("spaces:" if mapping.spaces else "spaces: {}")
    for board, spaces in mapping.spaces.items():
        lines.append(f"  {board}:")
        lines += [
            f"    {_key(key)}: {value}" if value != OMITTED else f'    {_key(key)}: "-"'
            for key, value in spaces.items()
        ]
    return "\n".join([*lines, ""])


def _table(tree: ValueMap, name: str, notes: Notes) -> dict[str, str]:
    """Read one table of names."""
    map_at(tree, name, notes)
    section = find_entry(tree, name)
    return _words(section, notes, IDENTIFIER) if isinstance(section, ValueMap) else {}


def _words(tree: ValueMap, notes: Notes, pattern: str) -> dict[str, str]:
    """Read names, which become names in rules and of files."""
    names: dict[str, str] = {}
    for word, value in tree.entries:
        if not isinstance(value, Scalar) or not value.text:
            notes.add_invalid(value.span, word.text, "a name should stand here")
        elif value.text != OMITTED and not _is_name(value.text, pattern):
            notes.add_invalid(value.span, word.text, _no_name(value.text))
        else:
            names[word.text] = value.text
    return names


def _is_name(text: str, pattern: str) -> bool:
    return re.fullmatch(pattern, text, re.ASCII) is not None


def _no_name(text: str) -> str:
    return f"`{text[:40]}` is no name; names here consist of letters from a to z, digits and `_`"


def _span_of(tree: ValueMap, key: str) -> Span:
    """Return the place of a value; of the whole mapping if it is missing."""
    entry = find_entry(tree, key)
    return entry.span if entry is not None else tree.span


def _key(module_name: str) -> str:
    """Format a name of the module as a quoted key that is read back unchanged."""
    plain = module_name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ").replace("\t", " ")
    return '"' + "".join(sign for sign in plain if sign.isprintable()) + '"'


def _remark(text: str) -> str:
    return "".join(sign for sign in text if sign.isprintable())[:80]
