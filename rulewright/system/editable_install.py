"""Install the clone into its environment in editable mode, like `pip install --editable .` without a build tool.

pip would have to download setuptools to determine the paths of four folders, which fails without a network and is slow.
This module writes the files instead: a path file with the clone, the command `rulewright`, and the metadata by which
pip lists and removes it. Paths are relative where possible, so that the clone may be moved. This module uses the
standard library only, since it runs before any package is installed.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from rulewright import __version__

NAME = "rulewright"
# The version of the written files: an older environment is updated.
EDITION = "rulewright installed, edition 1"

# The link through which it was started is followed to the environment; `-P` keeps a folder `rulewright` in the working
# directory from being taken for this package.
SHELL = """\
#!/bin/sh
file=$0
while [ -L "$file" ]; do
  link=$(readlink "$file")
  case $link in
    /*) file=$link ;;
    *) file=$(dirname "$file")/$link ;;
  esac
done
exec "$(cd "$(dirname "$file")" && pwd)/python" -P -m rulewright "$@"
"""
WINDOWS = '@"%~dp0python.exe" -P -m rulewright %*\r\n'


def command_in(environment: Path) -> Path:
    """Return the path of the command in an environment."""
    return environment / ("Scripts/rulewright.cmd" if os.name == "nt" else "bin/rulewright")


def activation_of(environment: Path) -> str:
    """Return the shell command that activates an environment."""
    if os.name == "nt":
        return str(environment / "Scripts" / "activate")
    return f". {environment / 'bin' / 'activate'}"


def install_editable(root: Path, environment: Path, project: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
    """Write the command, the path file and the metadata; `project` has `dependencies` and `optional-dependencies`."""
    command = command_in(environment)
    command.write_text(WINDOWS if os.name == "nt" else SHELL, encoding="utf-8", newline="")
    command.chmod(0o755)
    for packages in (*environment.glob("lib/python3*/site-packages"), *environment.glob("Lib/site-packages")):
        described = packages / f"{NAME}-{__version__}.dist-info"
        for older in packages.glob(f"{NAME}-*.dist-info"):
            for file in older.iterdir() if older != described else ():
                file.unlink()
        described.mkdir(exist_ok=True)
        files = {
            "rulewright-clone.pth": os.path.relpath(root, packages) + "\n",
            f"{described.name}/METADATA": _metadata(project),
            f"{described.name}/INSTALLER": "rulewright\n",
            f"{described.name}/direct_url.json": f'{{"dir_info": {{"editable": true}}, "url": "{root.as_uri()}"}}\n',
        }
        for name, text in files.items():
            (packages / name).write_text(text, encoding="utf-8", newline="\n")
        listed = [*files, f"{described.name}/RECORD", Path(os.path.relpath(command, packages)).as_posix()]
        (described / "RECORD").write_text("".join(f"{name},,\n" for name in listed), encoding="utf-8", newline="\n")


def _metadata(project: Mapping[str, Mapping[str, Sequence[str]]]) -> str:
    lines = ["Metadata-Version: 2.1", f"Name: {NAME}", f"Version: {__version__}"]
    lines += [f"Requires-Dist: {each}" for each in project["dependencies"]]
    for extra, needed in project["optional-dependencies"].items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f'Requires-Dist: {each}; extra == "{extra}"' for each in needed]
    return "\n".join(lines) + "\n"
