"""Reading of grids from the elements of a build file."""

import re
from math import isfinite

from rulewright.importing.notes import Notes
from rulewright.vassal.grids import LARGEST, SMALLEST, Grid, HexGrid, Numbering, Pixel, RegionGrid, SquareGrid
from rulewright.vassal.pieces import whole_number
from rulewright.vassal.xml_tree import Element

MOST_REGIONS = 5_000
# The defaults of VASSAL for missing attributes: width and height of a hex, and of a square.
HEX, SQUARE = ("55.42562584220407", "64.0"), ("48.0", "48.0")
_DIGITS = re.compile(r"-?\d{1,4}")


def read_grid(parent: Element, size: Pixel, notes: Notes) -> Grid | None:
    """Read the grid of a board, of a zone, or the one that zones share; None if there is none."""
    for element in parent.children_named("HexGrid", "SquareGrid", "RegionGrid"):
        if element.tag == "RegionGrid":
            return _regions(element, notes)
        usual = HEX if element.tag == "HexGrid" else SQUARE
        width, height = _length(element.get("dx", usual[0])), _length(element.get("dy", usual[1]))
        if not (SMALLEST <= width <= LARGEST and SMALLEST <= height <= LARGEST):
            notes.add_invalid(
                element.span, element.tag, f"has cells of {element.get('dx')} by {element.get('dy')} pixels"
            )
            return None
        origin = (
            whole_number(element.get("x0", "0")),
            whole_number(element.get("y0", "32" if element.tag == "HexGrid" else "0")),
        )
        numbering = _numbering(element)
        if element.tag == "HexGrid":
            return HexGrid(width, height, origin, element.is_true("sideways"), numbering, size)
        return SquareGrid(width, height, origin, numbering, size)
    return None


def _regions(element: Element, notes: Notes) -> RegionGrid:
    regions = [
        (each.get("name"), (whole_number(each.get("originx")), whole_number(each.get("originy"))))
        for each in element.children_named("Region")
    ]
    if len(regions) > MOST_REGIONS:
        notes.add_omission(
            element.span, "regions", f"has {len(regions):,} regions; those after {MOST_REGIONS:,} are left out"
        )
    return RegionGrid(tuple(regions[:MOST_REGIONS]))


def _numbering(grid: Element) -> Numbering | None:
    """Read the numbering of cells, with the defaults of VASSAL for missing attributes."""
    found = next(grid.children_named("HexGridNumbering", "SquareGridNumbering"), None)
    if found is None:
        return None
    return Numbering(
        found.get("hType", "N"), found.get("vType", "N"), max(0, _integer_of(found, "hLeading")),
        max(0, _integer_of(found, "vLeading")), _integer_of(found, "hOff"), _integer_of(found, "vOff"),
        found.is_true("hDescend"), found.is_true("vDescend"), found.get("first", "H"), found.get("sep"),
        found.is_true("stagger", default=True), found.get("locationFormat") or "$gridLocation$",
    )  # fmt: skip


def _integer_of(element: Element, name: str) -> int:
    text = element.get(name)
    return max(-9999, min(9999, int(text))) if _DIGITS.fullmatch(text) else 0


def _length(text: str) -> float:
    """Parse a length; 0 if it is no finite number."""
    try:
        found = float(text)
    except ValueError:
        return 0.0
    return found if isfinite(found) else 0.0
