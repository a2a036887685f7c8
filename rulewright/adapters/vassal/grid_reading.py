"""The grids of boards and zones in the build file of a module: hexes and regions."""

import re
from math import isfinite

from rulewright.adapters.vassal.grids import (
    LARGEST_CELL,
    SMALLEST_CELL,
    CellNumbering,
    Grid,
    HexGrid,
    PixelPoint,
    RegionGrid,
)
from rulewright.adapters.vassal.piece_traits import whole_number
from rulewright.adapters.vassal.xml_tree import Element
from rulewright.exchange.notes import Notes

MOST_REGIONS = 5_000
# The defaults of VASSAL for missing attributes: width and height of a hex.
HEX_SIZE = (("dx", "55.42562584220407"), ("dy", "64.0"))
_DIGITS = re.compile(r"-?\d{1,4}")


def read_grid(parent: Element, size: PixelPoint, notes: Notes) -> Grid | None:
    """Read the grid of a board, of a zone, or the one that zones share; None if there is none.

    Squares with numbers are noted as left out; others only align counters.
    """
    for element in parent.children_named("HexGrid", "SquareGrid", "RegionGrid"):
        if element.tag == "RegionGrid":
            return _regions(element, notes)
        if element.tag == "SquareGrid":
            if next(element.children_named("SquareGridNumbering"), None) is not None:
                notes.add_omission(element.span, element.tag, "a grid of squares: left out")
            return None
        width, height = (_length(element.get(name, usual)) for name, usual in HEX_SIZE)
        if not (SMALLEST_CELL <= width <= LARGEST_CELL and SMALLEST_CELL <= height <= LARGEST_CELL):
            notes.add_invalid(
                element.span, element.tag, f"has cells of {element.get('dx')} by {element.get('dy')} pixels"
            )
            return None
        origin = whole_number(element.get("x0", "0")), whole_number(element.get("y0", "32"))
        return HexGrid(width, height, origin, element.is_true("sideways"), _numbering(element), size)
    return None


def _regions(element: Element, notes: Notes) -> RegionGrid:
    regions = [
        (region.get("name"), (whole_number(region.get("originx")), whole_number(region.get("originy"))))
        for region in element.children_named("Region")
    ]
    if len(regions) > MOST_REGIONS:
        notes.add_omission(
            element.span, "regions", f"has {len(regions):,} regions; those after {MOST_REGIONS:,} are left out"
        )
    return RegionGrid(tuple(regions[:MOST_REGIONS]))


def _numbering(grid: Element) -> CellNumbering | None:
    """Read the numbering of cells, with the defaults of VASSAL for missing attributes."""
    numbering = next(grid.children_named("HexGridNumbering"), None)
    if numbering is None:
        return None
    return CellNumbering(
        numbering.get("hType", "N"),
        numbering.get("vType", "N"),
        max(0, _integer_of(numbering, "hLeading", 1)),
        max(0, _integer_of(numbering, "vLeading", 1)),
        _integer_of(numbering, "hOff", 1),
        _integer_of(numbering, "vOff", 1),
        numbering.is_true("hDescend"),
        numbering.is_true("vDescend"),
        numbering.get("first", "H"),
        numbering.get("sep"),
        numbering.is_true("stagger", default=True),
        numbering.get("locationFormat") or "$gridLocation$",
    )


def _integer_of(element: Element, name: str, default: int = 0) -> int:
    """Parse an attribute; `default` is VASSAL's own, which a module need not repeat."""
    text = element.get(name, str(default))
    return max(-9999, min(9999, int(text))) if _DIGITS.fullmatch(text) else 0


def _length(text: str) -> float:
    """Parse a length; 0 if it is no finite number."""
    try:
        number = float(text)
    except ValueError:
        return 0.0
    return number if isfinite(number) else 0.0
