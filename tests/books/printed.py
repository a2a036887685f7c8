"""Links, outline and page references of a PDF.

The objects are parsed from the bytes that typst writes; words and their places come from pdftotext of poppler.
"""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

OBJECT = re.compile(rb"\n(\d+) 0 obj\s(.*?)endobj", re.DOTALL)
DEST = re.compile(rb"/Dest\s*(\((?:[^()\\]|\\.)*\)|\d+ 0 R)")
OUTLINED = re.compile(rb"/Title\s*[(<]")
NAMED = re.compile(rb"\(((?:[^()\\]|\\.)*)\)\s*(\d+) 0 R")
PAGE = re.compile(r'<page[^>]*height="([\d.]+)">(.*?)</page>', re.DOTALL)
WORD = re.compile(r'xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*?)</word>')


A4_WIDE, A4_HIGH = 595.0, 842.0
FOOT = 51  # In points, below the text of a page.


class Link(NamedTuple):
    """A link: its page, its rectangle, and its target page, 0 if the target does not exist. Pages count from 1."""

    page: int
    place: tuple[float, ...]
    to: int


class Print:
    """The objects of a PDF."""

    def __init__(self, content: bytes) -> None:
        """Parse the objects and order the pages."""
        self.objects = {int(number): body for number, body in OBJECT.findall(content)}
        leaves = {number for number, body in self.objects.items() if re.search(rb"/Type\s*/Page\b", body)}
        trees = (body for body in self.objects.values() if re.search(rb"/Type\s*/Pages\b", body))
        kids = [int(kid) for tree in trees for kid in references(tree, rb"Kids")]
        self.pages = [kid for kid in kids if kid in leaves]
        self.names = {
            name: int(number)
            for body in self.objects.values()
            if b"/Dests" in body
            for name, number in NAMED.findall(body)
        }

    def leads_to(self, body: bytes) -> int:
        """Return the page that an object links to, 0 if there is none."""
        found = DEST.search(body)
        if found is None:
            return 0
        address = found[1]
        number = self.names.get(address[1:-1], -1) if address.startswith(b"(") else int(address.split()[0])
        page = re.search(rb"(\d+) 0 R", self.objects.get(number, b""))
        return self.pages.index(int(page[1])) + 1 if page and int(page[1]) in self.pages else 0

    def links(self) -> Iterator[Link]:
        """List the links of all pages."""
        for at, number in enumerate(self.pages, 1):
            for each in references(self.objects[number], rb"Annots"):
                body = self.objects[int(each)]
                place = re.search(rb"/Rect\s*\[(.*?)\]", body)
                if re.search(rb"/Subtype\s*/Link", body) and place:
                    yield Link(at, tuple(map(float, place[1].split())), self.leads_to(body))

    def outline(self) -> list[int]:
        """List the target pages of the outline."""
        return [self.leads_to(body) for body in self.objects.values() if b"/Parent" in body and OUTLINED.search(body)]


def references(body: bytes, name: bytes) -> list[bytes]:
    """List the objects that an entry of an object refers to."""
    found = re.search(rb"/" + name + rb"\s*\[(.*?)\]", body, re.DOTALL)
    return re.findall(rb"(\d+) 0 R", found[1]) if found else []


def wrong_numbers(place: Path) -> list[tuple[str, Link]]:
    """List links whose printed page number is not the number of their target page."""
    pages = words_of(place)
    wrong: list[tuple[str, Link]] = []
    for link in Print(place.read_bytes()).links():
        left, below, right, above = link.place
        inside = (word for x, y, word in pages[link.page - 1] if left - 1 < x < right + 1 and below - 1 < y < above + 1)
        message = " ".join(inside)
        number = re.search(r"\(p\. (\d+)\)", message) or re.fullmatch(r"(\d+)[,.;]?", message)
        if number and int(number[1]) != link.to:
            wrong.append((message, link))
    return wrong


def lines_of(place: Path) -> list[list[str]]:
    """Read the lines of each page in typesetting order, with the running head first."""
    program = shutil.which("pdftotext")
    assert program
    output = subprocess.run([program, "-raw", str(place), "-"], capture_output=True, text=True, check=True).stdout
    return [page.replace("\u2060", "").splitlines() for page in output.split("\f")[:-1]]


def words_of(place: Path) -> list[list[tuple[float, float, str]]]:
    """Return the words of each page with their centers, in the coordinates of the links."""
    program = shutil.which("pdftotext")
    assert program
    output = subprocess.run([program, "-bbox", str(place), "-"], capture_output=True, text=True, check=True).stdout
    return [
        [
            ((float(x) + float(x2)) / 2, float(height) - (float(y) + float(y2)) / 2, word)
            for x, y, x2, y2, word in WORD.findall(body)
        ]
        for height, body in PAGE.findall(output)
    ]


def blank_columns(place: Path, share: float) -> list[tuple[int, str, float]]:
    """List columns with a blank part at the bottom larger than a share of the page, except on the last page."""
    found: list[tuple[int, str, float]] = []
    for number, page in enumerate(words_of(place)[:-1], 1):
        for half in ("left", "right"):
            heights = (y for x, y, _ in page if (x < A4_WIDE / 2) == (half == "left"))
            blank = (min(heights, default=A4_HIGH) - FOOT) / A4_HIGH
            if blank > share:
                found.append((number, half, round(blank, 2)))
    return found
