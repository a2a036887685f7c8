"""Install the packages that a command requires, and continue under the Python that has them.

The only requirements are a clone, Python 3.11 and git. `enter_environment` returns at once if everything is installed.
Otherwise it creates `.venv` inside the clone, installs the dependencies in pyproject.toml, and restarts the command
there; the next call finds the stamp in `.venv` and skips these steps.

The dependencies are installed by pip; rulewright itself is installed in editable mode, without a build tool
(editable_install.py), so that an edit requires no reinstallation. This module uses the standard library only, since it
runs before the dependencies are installed.
"""

from __future__ import annotations

import importlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import metadata, util
from pathlib import Path
from typing import Any, NoReturn

from rulewright.system.editable_install import EDITION, activation_of, command_in, install_editable

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT = ROOT / "pyproject.toml"
ENVIRONMENT = ROOT / ".venv"
PYTHON = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
# First line: the Python that the packages were installed for. Then the installed requirements.
STAMP = ENVIRONMENT / "rulewright.stamp"
STAMPED_PATH = "in "
# How pip finds a package without installing it, in ten seconds at most.
QUICKLY = ("--dry-run", "--no-deps", "--retries", "1", "--timeout", "4")
ADVICE = "check the network, then run the same command again"

REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)(?P<relation>>=|==)(?P<version>[\d.]+)")


class SetupError(Exception):
    """The environment could not be created; the message states what the user can do."""


def enter_environment(module: str, *extras: str, optional: str = "") -> None:
    """Return if the packages are importable; otherwise restart `module` in an environment that has them.

    An `optional` extra is installed too, if possible; the module continues without it.
    """
    global started  # noqa: PLW0603 -- a process is started once
    started = module
    if not PYPROJECT.is_file():
        return  # Installed from a wheel: pip has installed the dependencies.
    try:
        python = find_interpreter(*extras)
        if optional:
            python = _environment_for(extras, optional) or python
    except SetupError as error:
        write_message(str(error))
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    if python != Path(sys.executable):
        _restart_under(python, module)
    keep_bytecode()


def keep_bytecode() -> None:
    """Store bytecode inside `.venv` if Python is configured not to write it beside the modules.

    Container images set PYTHONDONTWRITEBYTECODE, so that no files appear among the sources. Without bytecode, each
    start of `check` compiles 600 modules, which takes 0.8 s instead of 0.2 s.
    """
    if sys.dont_write_bytecode and sys.pycache_prefix is None and _is_inside():
        sys.pycache_prefix, sys.dont_write_bytecode = str(ENVIRONMENT / "bytecode"), False


def _is_inside() -> bool:
    """Return whether this Python is that of `.venv`."""
    return Path(sys.prefix).resolve() == ENVIRONMENT.resolve()


# The module whose command line this process is; "" if rulewright is only imported.
started = ""


def require_extra(extra: str) -> None:
    """Install an extra if this process is the command line of a clone, which is restarted with it."""
    if started == "rulewright":
        enter_environment(started, extra)


def _environment_for(extras: Sequence[str], extra: str) -> Path | None:
    stamped_requirements = [
        line for line in _stamp_lines() if line not in read_project()["optional-dependencies"][extra]
    ]
    try:
        return find_interpreter(*extras, extra)
    except SetupError as error:
        write_message(f"{error}\n  goes on without: what needs these packages is left out")
        with suppress(OSError):
            if stamped_requirements and not STAMP.exists():  # The required packages are still installed.
                STAMP.write_text("\n".join(stamped_requirements) + "\n", encoding="utf-8")
        return None


def find_interpreter(*extras: str) -> Path:
    """Return a Python with the dependencies of rulewright and some extras, creating an environment if necessary."""
    requirements = _read_requirements(extras)
    is_inside = _is_inside()
    if not any(map(_is_missing, requirements)):
        if is_inside and not is_installed():
            with suppress(OSError, SetupError):  # The running process does not require it.
                install_package([])
        return Path(sys.executable)
    try:
        if is_inside:
            STAMP.unlink(missing_ok=True)  # The environment lacks a package that the stamp lists.
        if not _is_up_to_date(requirements):
            with _lock_setup():
                if not _is_up_to_date(requirements):
                    build_environment(requirements)
    except OSError as error:
        raise SetupError(f"cannot set up {ENVIRONMENT}: {error}") from error
    importlib.invalidate_caches()
    if is_inside and any(map(_is_missing, requirements)):
        raise SetupError(f"{ENVIRONMENT} is damaged; delete that folder and run the same command again")
    return PYTHON


def _read_requirements(extras: Sequence[str]) -> list[str]:
    """Return the dependencies in pyproject.toml, with those of some extras."""
    read = read_project()
    optional = [line for extra in extras for line in read["optional-dependencies"][extra]]
    return [*read["dependencies"], *optional]


def read_project() -> dict[str, Any]:
    """Return the `project` table of pyproject.toml."""
    read: dict[str, Any] = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    return read


def _is_missing(requirement: str) -> bool:
    """Return whether this Python lacks a package, or has an unsuitable version of it."""
    requirement_match = REQUIREMENT.fullmatch(requirement)
    assert requirement_match, f"pyproject.toml: write `{requirement}` as name>=version or name==version"
    try:
        found = _parse_release(metadata.version(requirement_match["name"]))
    except metadata.PackageNotFoundError:
        return True
    required_release = _parse_release(requirement_match["version"])
    return found != required_release if requirement_match["relation"] == "==" else found < required_release


def _parse_release(version: str) -> tuple[int, ...]:
    """Parse `2.4.1rc1` to (2, 4, 1), which is sufficient for a comparison with a lower bound."""
    return tuple(int(number) for number in re.findall(r"\d+", version)[:3])


def _is_up_to_date(requirements: Sequence[str]) -> bool:
    """Return whether `.venv` has all requirements, by its stamp, without starting its Python."""
    return PYTHON.exists() and is_installed() and {python_home(), *requirements} <= {*_stamp_lines()}


def is_installed() -> bool:
    """Return whether rulewright itself is installed in `.venv`, at the current path of the clone."""
    return {EDITION, place_line()} <= {*_stamp_lines()}


def place_line() -> str:
    """Return the line of the stamp with the real path of `.venv`, which two clones may share by a link."""
    return f"{STAMPED_PATH}{os.path.realpath(ENVIRONMENT)}"


def install_package(requirements: Sequence[str]) -> None:
    """Install rulewright itself into `.venv`, and write the stamp with the requirements."""
    if any(line.startswith(STAMPED_PATH) and line != place_line() for line in _stamp_lines()):
        write_message(f"the clone has moved: {ENVIRONMENT} is adapted")
        run_step(
            [sys.executable, "-m", "venv", "--without-pip", str(ENVIRONMENT)], "the environment could not be adapted"
        )
    install_editable(ROOT, ENVIRONMENT, read_project())
    # Extras that earlier calls required are still installed.
    earlier_requirements = {line for line in _stamp_lines()[1:] if not line.startswith(STAMPED_PATH)}
    stamped_requirements = sorted({*earlier_requirements, EDITION, place_line(), *requirements})
    STAMP.write_text("\n".join([python_home(), *stamped_requirements]) + "\n", encoding="utf-8")


def _stamp_lines() -> list[str]:
    """Return the lines of the stamp; empty if there is none."""
    return STAMP.read_text(encoding="utf-8").splitlines() if STAMP.is_file() else []


def python_home() -> str:
    """Return the real path of the Python of `.venv`: its packages are not available to another version."""
    return os.path.realpath(PYTHON)


@contextmanager
def _lock_setup() -> Iterator[None]:
    """Exclude other set-ups of the same clone by a lock. The system releases the lock of a dead process."""
    with ENVIRONMENT.with_suffix(".lock").open("w") as lock:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415 -- on Windows only

            while True:
                with suppress(OSError):  # It times out after ten seconds; pip may take longer.
                    msvcrt.locking(lock.fileno(), msvcrt.LK_LOCK, 1)
                    break
        else:
            import fcntl  # noqa: PLC0415 -- not on Windows

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def build_environment(requirements: Sequence[str]) -> None:
    """Create `.venv` unless it exists, install into it, and write the stamp last."""
    first, new = (
        not command_in(ENVIRONMENT).exists(),
        [requirement for requirement in requirements if requirement not in _stamp_lines()],
    )
    if _is_inside():  # Installed packages can be looked up.
        new = [requirement for requirement in requirements if _is_missing(requirement)]
    write_message(
        f"setting up, once: installing {', '.join(map(_package_name, new or requirements))} into {ENVIRONMENT}"
    )
    if not _is_usable_python():
        venv = ["venv", "--clear"] if util.find_spec("ensurepip") else ["venv", "--clear", "--without-pip"]
        run_step([sys.executable, "-m", *venv, str(ENVIRONMENT)], "the virtual environment could not be made")
    fetch = [*_pip_command(), "install", "--quiet", "--disable-pip-version-check", "--no-input"]
    for package in [*new, *requirements][:1]:  # Without a network pip tries each package for a minute.
        run_step([*fetch, *QUICKLY, package], f"`{_package_name(package)}` could not be reached; {ADVICE}")
    run_step([*fetch, *requirements], f"the packages could not be installed; {ADVICE}")
    install_package(requirements)
    if first:
        write_message(
            f"set up; from now on this is also started by {command_in(ENVIRONMENT)}\n"
            f"  to type only `rulewright` in this terminal: {activation_of(ENVIRONMENT)}"
        )


def _pip_command() -> list[str]:
    """Return the pip command for `.venv`: its own, otherwise that of this Python (Debian packages pip separately)."""
    if _is_usable_python("-m", "pip", "--version"):
        return [str(PYTHON), "-m", "pip"]
    if util.find_spec("pip"):
        return [sys.executable, "-m", "pip", "--python", str(PYTHON)]
    raise SetupError(
        f"{sys.executable} comes without pip and venv; install them, then run the same command again\n"
        "  Debian, Ubuntu: sudo apt install python3-venv    Fedora: sudo dnf install python3-pip"
    )


def _is_usable_python(*arguments: str) -> bool:
    """Return whether the Python of the environment is recent enough and runs with these arguments."""
    question = arguments or ("-c", "import sys; sys.exit(sys.version_info < (3, 11))")
    try:
        return subprocess.run([PYTHON, *question], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def run_step(command: Sequence[str], complaint: str) -> None:
    """Run a command without output; `SetupError` with its last output if it fails."""
    # A user's configuration of `pip install --user` must not affect .venv.
    environment = {**os.environ, "PIP_USER": "0"}
    step = subprocess.run(command, capture_output=True, text=True, errors="replace", env=environment, check=False)
    if step.returncode:
        output_lines = [line for line in (step.stdout + step.stderr).splitlines() if line.strip()]
        errors = [line for line in output_lines if line.startswith("ERROR")]
        warnings = [line for line in output_lines if line.startswith("WARNING")]
        raise SetupError("\n  ".join([complaint, *(warnings[-1:] + errors or output_lines)[-6:]]))


def _restart_under(python: Path, module: str) -> NoReturn:
    """Restart the command under another Python, and exit with its exit code."""
    command = [str(python), "-m", module, *sys.argv[1:]]
    sys.stdout.flush()
    if os.name != "nt":
        os.execv(python, command)
    # On Windows, exec returns to the shell at once, and both processes would read the keyboard.
    with suppress(KeyboardInterrupt):
        sys.exit(subprocess.run(command, check=False).returncode)
    sys.exit(130)


def command_for(extra: str) -> str:
    """Return the command that installs an extra for the running Python."""
    python = shlex.quote(sys.executable)
    if PYPROJECT.is_file():
        if _is_inside():
            return f"{python} -m rulewright.bootstrap {extra}"
        needed = read_project()["optional-dependencies"][extra]
    else:
        marked = (each.partition(";") for each in metadata.requires("rulewright") or ())
        needed = [line.strip() for line, _, mark in marked if re.search(rf"""extra == ['"]{extra}['"]""", mark)]
    return f"{python} -m pip install {' '.join(map(shlex.quote, needed))}"


def _package_name(requirement: str) -> str:
    """Return the package of a requirement: `lark` of `lark>=1.2`."""
    return re.split("[>=]", requirement)[0]


def write_message(text: str) -> None:
    """Write a message to stderr, separate from the output of the command."""
    message = f"rulewright: {text}"
    if sys.stderr.isatty():  # Wrapped between words, as a terminal would break paths and commands.
        wide = max(40, shutil.get_terminal_size().columns)
        message = "\n".join(
            textwrap.fill(line, wide, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
            for line in message.split("\n")
        )
    sys.stderr.write(f"{message}\n")
    sys.stderr.flush()
