"""Write how it is known whether an answer that was kept still holds.

Every change of a position has a number of its own (`$epoch`), which no other change has, in whatever branch of a game.
Kept are the numbers of the last change of: each set of fields that some answer reads anywhere (`version:` and their
names), each piece (`touched:piece`), each hex and what stands there (`touched:hex`). They lie among what changes in a
game, and so go back with it. An answer is of the latest of the changes that concern it, and holds as long as that is
the latest: which changes came before it in its branch, its number says.
"""

from collections.abc import Iterable, Mapping
from functools import reduce

from compiler.core import ir
from compiler.core.passes.footprint import ANYTHING, BY_KIND, OUTSIDE, PLACED, SHEET
from compiler.core.passes.rewriting import subexpressions
from compiler.core.representation import HEX, PIECE, Representation
from compiler.core.sharing import Footprint, Memo, ReadScope
from runtime.graph.layout import BELOW, Layout

NEXT = "(global.set $epoch (i64.add (global.get $epoch) (i64.const 1)))"

MOVED, CROSSED, TURNED, EVERYTHING = (PLACED,), (OUTSIDE,), (SHEET,), (ANYTHING,)


def version_of(footprint: Footprint) -> str:
    """Name the array of the last change of what is read anywhere; "" where nothing is."""
    fields = sorted({read.field for read in footprint if read.where is ReadScope.ANY})
    return f"version:{','.join(fields)}" if fields else ""


class AnswerValidity:
    """The fields that the kept answers of a module rest on, and what invalidates them."""

    def __init__(self, functions: Mapping[str, ir.Function]) -> None:
        """List the fields that answers which are kept read anywhere, and those read of a piece or in a hex."""
        kept = [
            node.footprint
            for each in functions.values()
            for node in subexpressions(each.body)
            if isinstance(node, Memo)
        ]
        self.anywhere = {name: frozenset(name[8:].split(",")) for name in map(version_of, kept) if name}
        of_arguments = {read.field for footprint in kept for read in footprint if read.where is not ReadScope.ANY}
        self.placed = {field.partition(":")[0] if field.startswith(BY_KIND) else field for field in of_arguments}
        self.written: dict[str, str] = {}

    def needed_arrays(self) -> dict[str, tuple[str, str]]:
        """List the arrays of the layout that are needed: by what they are indexed, and their elements."""
        found = dict.fromkeys(self.anywhere, ("", "i64"))
        return found | ({"touched:piece": ("piece", "i64"), "touched:hex": ("hex", "i64")} if self.placed else {})

    def latest_change(self, layout: Layout, footprint: Footprint) -> str:
        """Write the number of the last change of what an answer rests on."""
        versions = []
        if name := version_of(footprint):
            versions.append(f"(i64.load (i32.const {layout.arrays[name].base}))")
        for where, parameter in sorted({(read.where, read.parameter) for read in footprint}):
            here = f"(local.get ${parameter})"
            match where:
                case ReadScope.PIECE:
                    versions.append(last_change(layout, "piece", here))
                case ReadScope.HEX:
                    versions.append(last_change(layout, "hex", here))
                case ReadScope.HEX_OF:
                    versions.append(last_change(layout, "hex", hex_of(layout, here)))
                case ReadScope.ANY:
                    pass
        found = versions.pop() if versions else "(i64.const 1)"
        for each in versions:
            found = f"(call $later {each} {found})"
        return found

    def write_stale(
        self, layout: Layout, fields: Iterable[str], index: str = "", of: Representation | None = None
    ) -> str:
        """Write that fields have changed of a piece or in a hex (`index`), or of something else or anything."""
        changed = set(fields)
        stores = []
        for name, read in self.anywhere.items():
            store = f"(i64.store (i32.const {layout.arrays[name].base}) (global.get $epoch))"
            kinds = [kind for field, _, kind in (each.partition(":") for each in read) if field in changed and kind]
            if read & changed or ANYTHING in read | changed or (kinds and of != PIECE):
                stores.append(store)
            elif kinds:
                bits = (
                    f"(call $bit (i32.const {layout.arrays[f'kind:{kind}'].base}) (local.get $i))" for kind in kinds
                )
                stores.append(f"(if {reduce(lambda one, other: f'(i32.or {one} {other})', bits)} (then {store}))")
        concerns = ANYTHING in changed or bool(changed & self.placed)
        place = {PIECE: "piece", HEX: "hex"}.get(of, "all") if concerns and self.placed else ""
        if of not in (None, PIECE, HEX):
            place = ""
        if not stores and not place:
            return ""
        name = f"$wrote:{'+'.join(sorted(changed))}:{place}:{'at' if index else ''}"
        parameter = "(param $i i32)" if index else ""
        stores.append(f"(call $touch_{place}{' (local.get $i)' if place != 'all' else ''})" if place else "")
        self.written[name] = f"(func {name} {parameter} {NEXT} {' '.join(stores)})"
        return f"(call {name} {index})"

    def invalidation_functions(self, layout: Layout) -> list[str]:
        """Write the functions that `write_stale` calls."""
        if not self.placed:
            return list(self.written.values())
        of_piece, of_hex = layout.arrays["touched:piece"].base, layout.arrays["touched:hex"].base
        piece, here = "(local.get $i)", "(local.get $i)"
        hexes, first = layout.hexes + BELOW, of_hex - 8 * BELOW
        return [
            *self.written.values(),
            f"(func $touch_hex (param $i i32) (i64.store (i32.add (i32.const {of_hex}) (i32.shl {here} (i32.const 3)))"
            " (global.get $epoch)))",
            "(func $touch_piece (param $i i32)"
            f" (i64.store (i32.add (i32.const {of_piece}) (i32.shl {piece} (i32.const 3))) (global.get $epoch))"
            f" (call $touch_hex {hex_of(layout, piece)}))",
            f"(func $touch_all (call $fill_i64 (i32.const {of_piece}) (i32.const {layout.pieces}) (global.get $epoch))"
            f" (call $fill_i64 (i32.const {first}) (i32.const {hexes}) (global.get $epoch)))",
        ]


def last_change(layout: Layout, what: str, index: str) -> str:
    """Read the number of the last change of a piece or a hex."""
    base = layout.arrays[f"touched:{what}"].base
    return f"(i64.load (i32.add (i32.const {base}) (i32.shl {index} (i32.const 3))))"


def hex_of(layout: Layout, piece: str) -> str:
    """Read where a piece is, off the map too."""
    return f"(i32.load (i32.add (i32.const {layout.arrays['hex'].base}) (i32.shl {piece} (i32.const 2))))"
