"""The STACK argument of a command: its name, and the folders that it mentions.

In: `game+option+dispute=reading`, where a part may be the folder of a layer. Out: the name of the stack, and the
folders. Nothing is read but the name in the manifest of a folder.
"""

import os
import re
from pathlib import Path

from compiler.layered.stack_request import canonical_request
from compiler.source.files import MANIFEST, PackageFile, read_text
from rulewright.system.errors import UsageError
from rulewright.system.shell_words import shell_word

# The longest path and file name on the supported platforms.
LONGEST_PATH, LONGEST_NAME = 4_000, 200


def missing_stack_error(text: str) -> UsageError:
    """Return the error for a text that contains no layer."""
    return UsageError(f"`{text}` is no stack: write game+option+dispute=reading")


def named_stack(text: str) -> tuple[str, list[Path]]:
    """Replace folders in STACK by the names of their layers; return the name and the folders."""
    if len(text) <= LONGEST_PATH and _is_path(text) and Path(text).is_dir():
        return _layer_of(Path(text)), [Path(text)]
    parts, folders = [], []
    for part in text.split("+"):
        if "=" not in part and _is_path(part):
            parts.append(_layer_of(Path(part)))
            folders.append(Path(part))
        else:
            text_of_part = part.encode(
                "utf-8", "replace"
            ).decode()  # A command line may contain bytes that are no text.
            parts.extend(canonical_request(text_of_part))
    if not all(part.strip() for part in parts):
        raise missing_stack_error(text)
    return "+".join(parts), folders


def _is_path(part: str) -> bool:
    """Return whether a part is a folder: it has a slash, or it is the folder of a layer in the current directory."""
    named = part.startswith(".") or "/" in part or os.sep in part
    return named or (len(part) <= LONGEST_NAME and (Path(part) / MANIFEST).is_file())


def _layer_of(folder: Path) -> str:
    """Return the name of the layer in a folder, even if its manifest is malformed."""
    if folder.is_file():
        raise UsageError(
            f"`{folder}` is a file: name rules, or the folder of a layer; commands that take a position take it as "
            f"`--position {shell_word(folder)}`"
        )
    if not folder.is_dir():
        raise UsageError(f"there is no folder `{folder}`")
    if (folder / MANIFEST).is_file():
        text, _ = read_text(PackageFile(folder / MANIFEST, MANIFEST))
        name = re.search(r"^\s*layer\s*:\s*[\"']?([\w-]+)", text, re.MULTILINE)
        return name[1] if name else folder.resolve().name
    layer_names = [manifest.parent.name for manifest in sorted(folder.glob(f"*/{MANIFEST}"))]
    if layer_names:
        raise UsageError(
            f"`{folder}` is no layer but holds some; "
            f"write `--path {shell_word(folder)}` and one of: {', '.join(layer_names)}"
        )
    raise UsageError(f"`{folder}` is no layer: it has no {MANIFEST}")
