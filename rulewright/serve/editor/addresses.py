"""The addresses of files as the editor spells them: its findings and links must name files as it does.

In: the addresses of open files and folders by their real paths. Out: the address of any file.
"""

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote


def spelled_address(addresses: Mapping[Path, str], path: Path) -> str:
    """Return the address of a file, from that of the open file or of a folder above; else that of its real path."""
    place = path.resolve()
    for above in (place, *place.parents):
        if above in addresses:
            below = place.relative_to(above).as_posix()
            return addresses[above] + (f"/{quote(below)}" if below != "." else "")
    return place.as_uri()
