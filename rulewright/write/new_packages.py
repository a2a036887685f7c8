"""Generate the initial files of a game, of a variant of a stack, or of a ruling.

In: a name, and where to write. Out: the written files, from the templates in scaffold/. Nothing is compiled: names are
looked up among the documents as they are written, and a variant changes nothing until its author does. Folders are
written atomically.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template

from compiler.layered.stack_request import parse_request
from compiler.source.files import MANIFEST
from rulewright.library.package_index import PackageIndex, list_packages
from rulewright.library.stack_names import missing_stack_error, named_stack
from rulewright.system.atomic_files import save_folder, save_inside
from rulewright.system.errors import UsageError
from rulewright.system.regular_files import read_text_file
from runtime.graph.frozen_dataclass import frozen_dataclass

SCAFFOLD = Path(__file__).parent / "scaffold"
SNAKE_CASE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
LABEL = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
# The head of a rule or a ruling, as the formatter writes it.
RULE_HEAD = re.compile(r"^\s*(rule|ruling) ([a-z][a-z0-9-]*) \[", re.MULTILINE)

Values = dict[str, str]


@frozen_dataclass
class WrittenFolder:
    """A folder with the names of the written files."""

    folder: Path
    files: tuple[str, ...]


def new_game(name: str, place: Path, packages: Sequence[Path] = ()) -> WrittenFolder:
    """Write a complete small game that can be checked, played and printed."""
    return _put(place / name, _filled("game", _values(name, list_packages(packages))))


def new_variant(name: str, on: str, place: Path, packages: Sequence[Path]) -> WrittenFolder:
    """Write a variant of a stack without changes, with the forms of changes in comments."""
    stack, folders = named_stack(on)
    listed = list_packages((*packages, *folders))
    request = parse_request(stack)
    if not request.layers:
        raise missing_stack_error(on)
    listed.require_layers(request.layers)
    values = _values(name, listed)
    values["on"] = ", ".join(request.layers)
    values["apart"] = f"\nnot with: [{', '.join(request.excluded_names)}]" if request.excluded_names else ""
    return _put(place / name, _filled("variant", values))


def new_ruling(label: str, folder: Path) -> WrittenFolder:
    """Add the template of a ruling to the layer in a folder; it clarifies the first rule of the layer."""
    if not LABEL.fullmatch(label):
        raise UsageError(f"`{label}` is no label: write it like `one-hex-minimum`")
    if not (folder / MANIFEST).is_file():
        raise UsageError(f"a ruling goes into the folder of a layer: `--dir DIR`; `{folder}` has no {MANIFEST}")
    texts = [read_text_file(file) for file in sorted(folder.rglob("*.rules")) if not file.is_dir()]
    heads = [head for text in texts for head in RULE_HEAD.findall(text)]
    if label in {name for _, name in heads}:
        raise UsageError(f"the label `{label}` is taken")
    target = next((name for kind, name in heads if kind == "rule"), "")
    if not target:
        raise UsageError(f"`{folder}` has no rules that a ruling could clarify")
    (text,) = _filled("ruling", {"label": label, "target": target}).values()
    file = folder / "rulings.rules"
    before = read_text_file(file) if file.is_file() else ""
    save_inside(folder, file.name, before + (text if before else text.lstrip("\n")))
    return WrittenFolder(folder, (file.name,))


def _values(name: str, listed: PackageIndex) -> Values:
    """Return the variables of the templates; `UsageError` for an invalid or used name."""
    if not SNAKE_CASE.fullmatch(name):
        raise UsageError(f"`{name}` is no name: write it like `deep_snow`")
    if name in listed.files["layer"]:
        raise UsageError(f"there is a layer `{name}` already")
    prefix = "".join(part[0] for part in name.split("_")).upper() if "_" in name else name[:4].upper()
    return {
        "name": name,
        "dash": name.replace("_", "-"),
        "title": name.replace("_", " ").title(),
        "prefix": f"{prefix}V" if len(prefix) < 2 else prefix,
    }


def _filled(template: str, values: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of the files of a template with its variables substituted, by their names."""
    files = sorted((SCAFFOLD / template).iterdir())
    return {file.name: Template(file.read_text(encoding="utf-8")).substitute(values) for file in files}


def _put(folder: Path, files: Mapping[str, str]) -> WrittenFolder:
    """Write a new folder atomically; `UsageError` if it exists."""
    if folder.exists():
        raise UsageError(f"`{folder}` is there already")
    save_folder(folder, {name: text.encode() for name, text in files.items()})
    return WrittenFolder(folder, tuple(sorted(files)))
