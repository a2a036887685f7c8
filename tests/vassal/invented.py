"""Builders of small VASSAL modules; they contain no part of a published module."""

import struct
import zipfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from rulewright.adapters.vassal.saved_game import BEGIN, END, write_commands
from rulewright.adapters.vassal.sequences import join_list, join_nested
from rulewright.exchange import ImportReport, import_package

MODULE = "VASSAL.build.module"
GRIDS = f"{MODULE}.map.boardPicker.board"


def import_vassal_module(source: Path, saves: Sequence[Path], out: Path, mapping: Path | None = None) -> ImportReport:
    """Import a module with saves."""
    return import_package(source, out, mapping, saves)


def tag(kind: str, inner: str = "", /, **attributes: object) -> str:
    """Return an XML element."""
    message = "".join(f" {key}={quoteattr(str(value))}" for key, value in attributes.items())
    return f"<{kind}{message}>{inner}</{kind}>"


def hex_grid(numbering: str = "", **changed: object) -> str:
    """Return a grid of hexes, 60 pixels wide and 40 high, sides at the top; the center of the first is at 30, 19."""
    given = {"dx": 60.0, "dy": 40.0, "x0": 30, "y0": 19, "sideways": "false"}
    return tag(f"{GRIDS}.HexGrid", numbering, **{**given, **changed})


def numbers(**changed: object) -> str:
    """Return a numbering of four digits, the column first, both from 1."""
    given = {"first": "H", "sep": "", "hType": "N", "vType": "N", "hLeading": 1, "vLeading": 1, "hOff": 1, "vOff": 1}
    kind = changed.pop("of", "Hex")
    return tag(f"{GRIDS}.mapgrid.{kind}GridNumbering", **{**given, "stagger": "false", **changed})


def zone(name: str, corners: str, grid: str = "", *, shares: bool = False) -> str:
    """Return a zone with a grid of its own, or with that of the board."""
    return tag(f"{GRIDS}.mapgrid.Zone", grid, name=name, path=corners, useParentGrid=str(shares).lower())


def zoned(*parts: str) -> str:
    """Return a grid with zones."""
    return tag(f"{GRIDS}.ZonedGrid", "".join(parts))


def regions(**places: tuple[int, int]) -> str:
    """Return a grid of named points."""
    each = [tag(f"{GRIDS}.Region", name=name, originx=x, originy=y) for name, (x, y) in places.items()]
    return tag(f"{GRIDS}.RegionGrid", "".join(each))


def board(name: str, grid: str, image: str = "", width: int = 330) -> str:
    """Return a board; without a picture it is 200 pixels high."""
    size = {"image": image} if image else {"width": width, "height": 200}
    return tag(f"{MODULE}.map.boardPicker.Board", grid, name=name, **size)


def window(name: str, boards: Iterable[str], *more: str, setup: str = "", margin: int = 0) -> str:
    """Return a map with boards."""
    setup_tag = tag("setup", escape(setup)) if setup else ""
    picker = tag(f"{MODULE}.map.BoardPicker", setup_tag + "".join(boards))
    return tag(f"{MODULE}.Map", picker + "".join(more), mapName=name, edgeWidth=margin, edgeHeight=margin)


def layer(*levels: str, name: str = "", always: bool = True, level: int = 1) -> tuple[str, str]:
    """Return a layer of pictures and its state."""
    images = join_list([f"{each or 'x'}.png" for each in levels], ",")
    messages = ["emb2", "", "128", "A", "", "128", "", "", "128", "", "", "", "1", "false", "0", "0", images,
            join_list(levels, ","), "true", name, "", "", "false", "", "1", "1", str(always).lower()]  # fmt: skip
    return join_list(messages, ";"), str(level)


def marker(name: str, value: object) -> tuple[str, str]:
    """Return a fixed property of a counter."""
    return f"mark;{name}", str(value)


def counted(name: str, value: int, most: int = 9) -> tuple[str, str]:
    """Return a property that players count up and down."""
    return join_list(["PROP", name, f"true,0,{most},false", ":"], ";"), str(value)


def prototype(name: str) -> tuple[str, str]:
    """Return a use of a prototype."""
    return f"prototype;{name}", ""


def piece(
    name: str,
    *traits: tuple[str, str],
    gpid: str = "",
    place: tuple[str, int, int] = ("null", 0, 0),
    number: str = "null",
) -> str:
    """Return the command that adds a piece."""
    every = [
        *traits,
        (join_list(["piece", "", "", f"{name}.png", name], ";"), f"{place[0]};{place[1]};{place[2]};{gpid};0"),
    ]
    return "+/" + join_list((number, join_nested([a for a, _ in every]), join_nested([b for _, b in every])), "/")


def slot(name: str, *traits: tuple[str, str], gpid: str, card: bool = False) -> str:
    """Return a counter in a palette, a stack or a deck."""
    kind = "CardSlot" if card else "PieceSlot"
    return tag(f"VASSAL.build.widget.{kind}", escape(piece(name, *traits, gpid=gpid)), entryName=name, gpid=gpid)


def palette(*slots: str, name: str = "Counters") -> str:
    """Return a window of counters."""
    panel = tag("VASSAL.build.widget.ListWidget", "".join(slots), entryName=name)
    return tag(f"{MODULE}.PieceWindow", panel, name="Counters")


def stack_at(name: str, *slots: str, board: str = "", x: int = 0, y: int = 0, location: str = "") -> str:
    """Return counters that are on a map from the start."""
    by = {"useGridLocation": "true", "location": location} if location else {"useGridLocation": "false"}
    return tag(f"{MODULE}.map.SetupStack", "".join(slots), name=name, owningBoard=board, x=x, y=y, **by)


def deck(name: str, *slots: str, x: int = 0, y: int = 0) -> str:
    """Return a deck of cards."""
    return tag(f"{MODULE}.map.DrawPile", "".join(slots), name=name, x=x, y=y, owningBoard="")


def prototypes(**definitions: str) -> str:
    """Return the element of prototypes with these definitions."""
    each = [tag(f"{MODULE}.PrototypeDefinition", escape(text), name=name) for name, text in definitions.items()]
    return tag(f"{MODULE}.PrototypesContainer", "".join(each))


def roster(*sides: str) -> str:
    """Return the sides that players take."""
    return tag(f"{MODULE}.PlayerRoster", "".join(tag("entry", escape(side)) for side in sides))


def predefined(name: str, file: str) -> str:
    """Return a set-up whose save is in the module."""
    return tag(f"{MODULE}.PredefinedSetup", name=name, file=file, useFile="true")


def build_file(*parts: str, name: str = "Brook", root: str = "VASSAL.build.GameModule") -> str:
    """Return a build file; VASSAL needs the command encoder in it to create pieces."""
    inside = tag(f"{MODULE}.BasicCommandEncoder") + "\n".join(parts)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tag(
        root, f"\n{inside}\n", name=name, version="1.0", VassalVersion="3.7.0"
    )


def png(wide: int, high: int) -> bytes:
    """Return a picture of one color."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress(b"".join(b"\0" + b"\x7f" * wide for _ in range(high)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", wide, high, 8, 0, 0, 0, 0)) + chunk(
        b"IDAT", rows
    ) + chunk(b"IEND", b"")  # fmt: skip


def save(*commands: str) -> bytes:
    """Return a saved game."""
    return write_commands([BEGIN, *commands, END], {})


def stack(number: str, place: tuple[str, int, int], *members: str) -> str:
    """Return the command that stacks pieces."""
    state = join_list([place[0], str(place[1]), str(place[2]), *members, "@@1"], ";")
    return "+/" + join_list((number, "stack", state), "/")


def deck_of(number: str, name: str, place: tuple[str, int, int], *members: str) -> str:
    """Return the command that adds a deck."""
    messages = ["deck", "true", "0,0,0", "40", "40", "Always", "Never", "false", "false", "false", "", "", "", name]
    state = join_list([place[0], str(place[1]), str(place[2]), "true", join_list(members, ",")], ";")
    return "+/" + join_list((number, join_list(messages, ";"), state), "/")


@dataclass(slots=True)
class Packed:
    """The files of a module."""

    build: str
    members: dict[str, bytes] = field(default_factory=dict)

    def write(self, path: Path, more: Mapping[str, bytes] | None = None) -> Path:
        """Write the module as an archive."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as zipped:
            for name, content in {"buildFile.xml": self.build.encode(), **self.members, **(more or {})}.items():
                zipped.writestr(name, content)
        return path


RIFLE = (prototype("Unit"), marker("Side", "Red"), marker("Attack", 3), layer("", "worn", name="Steps"))
GUN = (prototype("Unit"), marker("Side", "Blue"), marker("Attack", 6), counted("Shells", 4))
UNIT = piece("", marker("Move", 4), layer("dug in", name="Works", always=False, level=-1))


def brook() -> Packed:
    """Return a module with two sides, a hex map, a zone of boxes, a deck, prototypes, layers and properties.

    The map has 5 columns of 5 and 4 hexes, 0101 at 30, 19; the boxes are below it.
    """
    grid = tag(
        f"{GRIDS}.ZonedGrid",
        hex_grid(numbers())
        + zone("Field", "0,0;330,0;330,200;0,200", shares=True)
        + zone("Turn 1", "0,200;100,200;100,260;0,260")
        + zone("Turn 2", "100,200;200,200;200,260;100,260"),
    )
    start = [
        stack_at("North", slot("Rifle", *RIFLE, gpid="1"), slot("Rifle", *RIFLE, gpid="2"), board="Brook", x=30, y=19),
        stack_at("South", slot("Gun", *GUN, gpid="3"), board="Brook", location="0302"),
        stack_at("Time", slot("Turn", gpid="4"), board="Brook", x=50, y=230),
        deck("Events", slot("Rain", gpid="5", card=True), slot("Fog", gpid="6", card=True), x=300, y=230),
    ]
    build = build_file(
        roster("Red", "Blue"),
        prototypes(Unit=UNIT),
        palette(slot("Truck", prototype("Unit"), marker("Side", "Red"), gpid="7")),
        window("Main", [board("Brook", grid, image="brook.png")], *start, margin=10),
    )
    return Packed(build, {"images/brook.png": png(330, 260)})
