"""Write the book of a stack into a folder."""

from pathlib import Path
from typing import Any

from compiler.rulebook.book import count_anchors, count_pages, write_book
from runtime.graph import nodes as graph


def write_site(rules: graph.Graph, against: graph.Graph | None, out: Path) -> dict[str, Any]:
    """Write every page; also give the data that `reference --format json` prints."""
    files = write_book(rules, against)
    for name, content in files.items():
        place = out / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    return {"files": sorted(files), "pages": count_pages(files), "anchors": count_anchors(files)}
