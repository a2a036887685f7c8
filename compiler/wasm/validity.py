"""Emit the validation of memoized answers.

Each change of a position has a unique number (`$epoch`), across all branches of a game. The module stores the number of
the last change of each set of fields that some answer reads anywhere (`version:` with their names), of each piece
(`touched:piece`), and of each hex and its contents (`touched:hex`). These numbers are part of the state, so undoing a
change restores them. An answer is stamped with the latest of the changes that concern it, and is valid as long as that
is still the latest: the number determines which changes precede it in its branch.
"""

from collections.abc import Iterable, Mapping

from compiler.core.passes.footprint import ANYTHING, OUTSIDE, PLACED, SHEET
from compiler.core.representation import HEX, PIECE, Representation
from compiler.core.sharing import Footprint, ReadScope
from runtime.graph.layout import BELOW, Layout

NEXT = "(global.set $epoch (i64.add (global.get $epoch) (i64.const 1)))"

MOVED, CROSSED, CHANGED_BY_SHEET, EVERYTHING = (PLACED,), (OUTSIDE,), (SHEET,), (ANYTHING,)


def version_of(footprint: Footprint) -> str:
    """Return the array of the last change of the fields that a footprint reads anywhere; "" if it reads none so."""
    fields = sorted({read.field for read in footprint if read.scope is ReadScope.ANY})
    return f"version:{','.join(fields)}" if fields else ""


class AnswerValidity:
    """The fields that the memoized answers of a module depend on, and the code that invalidates them."""

    def __init__(self, memoized: Iterable[Footprint], read_by_endings: Footprint) -> None:
        """Collect the fields that memoized answers read anywhere, and those read of a piece or in a hex."""
        self.read_by_endings = read_by_endings
        footprints = {*memoized, read_by_endings}
        self.fields_by_version = {
            name: frozenset(name[8:].split(",")) for name in sorted(map(version_of, footprints)) if name
        }
        self.located_fields = {
            read.field for footprint in footprints for read in footprint if read.scope is not ReadScope.ANY
        }
        self.written: dict[str, str] = {}
        self._names: dict[tuple[frozenset[str], bool, Representation | None], str] = {}

    def needed_arrays(self) -> dict[str, tuple[str, str]]:
        """Return the arrays of the layout that are needed, each with the type of its index and of its elements."""
        found = dict.fromkeys(self.fields_by_version, ("", "i64"))
        return found | (
            {"touched:piece": ("piece", "i64"), "touched:hex": ("hex", "i64")} if self.located_fields else {}
        )

    def latest_change(self, layout: Layout, footprint: Footprint, arguments: Mapping[str, str]) -> str:
        """Emit the number of the latest change that concerns a footprint, given the text of arguments by name."""
        versions = []
        if name := version_of(footprint):
            versions.append(f"(i64.load (i32.const {layout.arrays[name].base}))")
        for scope, parameter in sorted({(read.scope, read.parameter) for read in footprint}):
            argument = arguments.get(parameter, "")
            match scope:
                case ReadScope.PIECE:
                    versions.append(_last_change(layout, "piece", argument))
                case ReadScope.HEX:
                    versions.append(_last_change(layout, "hex", argument))
                case ReadScope.HEX_OF:
                    versions.append(_last_change(layout, "hex", hex_of(layout, argument)))
                case ReadScope.ANY:
                    pass
        found = versions.pop() if versions else "(i64.const 1)"
        for version in versions:
            found = f"(call $later {version} {found})"
        return found

    def write_stale(
        self, layout: Layout, fields: Iterable[str], index: str = "", representation: Representation | None = None
    ) -> str:
        """Emit the invalidation of fields of a piece or in a hex (`index`), or of anything else."""
        changed, is_located = frozenset(fields), bool(index)
        key = changed, is_located, representation
        if key not in self._names:
            self._names[key] = self._write_function(layout, changed, representation, is_located=is_located)
        name = self._names[key]
        return f"(call {name} {index})" if name else ""

    def _write_function(
        self, layout: Layout, changed: frozenset[str], representation: Representation | None, *, is_located: bool
    ) -> str:
        """Write the function that invalidates fields and return its name; "" if nothing that is memoized reads them."""
        stores = [
            f"(i64.store (i32.const {layout.arrays[version].base}) (global.get $epoch))"
            for version, read in self.fields_by_version.items()
            if read & changed or ANYTHING in read | changed
        ]
        place = ""
        if self.located_fields and (ANYTHING in changed or changed & self.located_fields):
            places: dict[Representation | None, str] = {None: "all", PIECE: "piece", HEX: "hex"}
            place = places.get(representation, "")
        if not stores and not place:
            return ""
        name = f"$wrote:{'+'.join(sorted(changed))}:{place}:{'at' if is_located else ''}"
        parameter = "(param $i i32)" if is_located else ""
        stores.append(f"(call $touch_{place}{' (local.get $i)' if place != 'all' else ''})" if place else "")
        self.written[name] = f"(func {name} {parameter} {NEXT} {' '.join(stores)})"
        return name

    def invalidation_functions(self, layout: Layout) -> list[str]:
        """Return the functions that `write_stale` calls."""
        if not self.located_fields:
            return list(self.written.values())
        of_piece, of_hex = layout.arrays["touched:piece"].base, layout.arrays["touched:hex"].base
        piece, hex_index = "(local.get $i)", "(local.get $i)"
        hexes, first = layout.hexes + BELOW, of_hex - 8 * BELOW
        return [
            *self.written.values(),
            "(func $touch_hex (param $i i32) (i64.store (i32.add (i32.const "
            f"{of_hex}) (i32.shl {hex_index} (i32.const 3)))"
            " (global.get $epoch)))",
            "(func $touch_piece (param $i i32)"
            f" (i64.store (i32.add (i32.const {of_piece}) (i32.shl {piece} (i32.const 3))) (global.get $epoch))"
            f" (call $touch_hex {hex_of(layout, piece)}))",
            f"(func $touch_all (call $fill_i64 (i32.const {of_piece}) (i32.const {layout.pieces}) (global.get $epoch))"
            f" (call $fill_i64 (i32.const {first}) (i32.const {hexes}) (global.get $epoch)))",
        ]


def _last_change(layout: Layout, kind: str, index: str) -> str:
    """Emit a read of the number of the last change of a piece or a hex."""
    base = layout.arrays[f"touched:{kind}"].base
    return f"(i64.load (i32.add (i32.const {base}) (i32.shl {index} (i32.const 3))))"


def hex_of(layout: Layout, piece: str) -> str:
    """Emit a read of the hex of a piece, which may be off the map."""
    return f"(i32.load (i32.add (i32.const {layout.arrays['hex'].base}) (i32.shl {piece} (i32.const 2))))"
