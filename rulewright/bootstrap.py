"""Bring the packages a command needs, then go on under the Python that has them.

A fresh clone, Python 3.11 and git are all a user has to have. `enter_environment` returns at once where
everything is installed already. Elsewhere it makes `.venv` inside the clone, installs what
pyproject.toml names, and starts the same command again in there; the next call finds the stamp
in `.venv` and skips all of that.

The dependencies are installed by pip; rulewright itself is installed editable, without a build tool
(editable_install.py): the code that runs is the clone's, and an edit needs no second install. Standard library only,
for obvious reasons.
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
import time
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import metadata, util
from pathlib import Path
from typing import Any, NoReturn

from rulewright.editable_install import EDITION, activation_of, command_in, install

ROOT = Path(__file__).resolve().parent.parent
PYPROJECT = ROOT / "pyproject.toml"
ENVIRONMENT = ROOT / ".venv"
PYTHON = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
# First line: the Python the packages were installed for. Then the requirements that are met.
STAMP = ENVIRONMENT / "rulewright.stamp"
PLACE = "in "
# Seconds after which an extra that could not be had is tried again.
PATIENCE = 3600

REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)(?P<relation>>=|==)(?P<version>[\d.]+)")


class SetupError(Exception):
    """The environment could not be made; the message says what to do about it."""


def enter_environment(module: str, *extras: str, optional: str = "") -> None:
    """Return when the packages are importable here; else run `module` again where they are.

    An `optional` extra is installed too, if that is possible; without it the module goes on.
    """
    global started  # noqa: PLW0603 -- a process is started once
    started = module
    if not PYPROJECT.is_file():
        return  # Installed from a wheel: pip has seen to it.
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
        run_again(python, module)
    keep_bytecode()


def keep_bytecode() -> None:
    """Have Python keep the bytecode of modules inside `.venv` where it is told not to write any beside them.

    Images of containers set PYTHONDONTWRITEBYTECODE, so that no files appear among the sources. Without any bytecode
    each start of `check` compiles 600 modules, which takes 0.8 s where reading them takes 0.2.
    """
    if sys.dont_write_bytecode and sys.pycache_prefix is None and _is_inside():
        sys.pycache_prefix, sys.dont_write_bytecode = str(ENVIRONMENT / "bytecode"), False


def _is_inside() -> bool:
    """Return whether this Python is that of `.venv`."""
    return Path(sys.prefix).resolve() == ENVIRONMENT.resolve()


# The module whose command line this process is; "" where rulewright is only imported.
started = ""


def require_extra(extra: str) -> None:
    """See to it that an extra is there, if this process is the command line of a clone: it is started again with it."""
    if started == "rulewright":
        enter_environment(started, extra)


def try_extra(extra: str) -> None:
    """See to it that an extra is there if that is possible; the process goes on without it.

    Where it could not be had within the last hour, as without a network, nobody waits for that again.
    """
    if started == "rulewright" and not failed_lately(extra):
        enter_environment(started, optional=extra)


def _environment_for(extras: Sequence[str], wished: str) -> Path | None:
    promised = [line for line in stamp_lines() if line not in read_project()["optional-dependencies"][wished]]
    try:
        return find_interpreter(*extras, wished)
    except SetupError as error:
        write_message(f"{error}\n  goes on without: what needs these packages is left out, and tried again in an hour")
        with suppress(OSError):
            _failure_of(wished).touch()
            if promised and not STAMP.exists():  # All but what was wished for is there as before.
                STAMP.write_text("\n".join(promised) + "\n", encoding="utf-8")
        return None


def failed_lately(extra: str) -> bool:
    """Return whether an extra could not be had within the last hour."""
    with suppress(OSError):
        return 0 <= time.time() - _failure_of(extra).stat().st_mtime < PATIENCE
    return False


def _failure_of(extra: str) -> Path:
    """Return the file that is written when an extra could not be had."""
    return ENVIRONMENT / f"{extra}.failed"


def find_interpreter(*extras: str) -> Path:
    """Find or make a Python that has everything rulewright and these extras need."""
    wanted = read_requirements(extras)
    inside = _is_inside()
    if not any(map(is_missing, wanted)):
        if inside and not is_installed():
            with suppress(OSError, SetupError):  # What runs needs nothing of this.
                install_package([])
        return Path(sys.executable)
    try:
        if inside:
            STAMP.unlink(missing_ok=True)  # It promised what is not there.
        if not is_up_to_date(wanted):
            with one_at_a_time():
                if not is_up_to_date(wanted):
                    build_environment(wanted)
    except OSError as error:
        raise SetupError(f"cannot set up {ENVIRONMENT}: {error}") from error
    importlib.invalidate_caches()
    if inside and any(map(is_missing, wanted)):
        raise SetupError(f"{ENVIRONMENT} is damaged; delete that folder and run the same command again")
    return PYTHON


def read_requirements(extras: Sequence[str]) -> list[str]:
    """Read the dependencies from pyproject.toml, with those of the given extras."""
    read = read_project()
    optional = [line for extra in extras for line in read["optional-dependencies"][extra]]
    return [*read["dependencies"], *optional]


def read_project() -> dict[str, Any]:
    """Read what pyproject.toml says of the project."""
    read: dict[str, Any] = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    return read


def is_missing(requirement: str) -> bool:
    """Return whether this Python lacks the package, or has an unwanted version of it."""
    wanted = REQUIREMENT.fullmatch(requirement)
    assert wanted, f"pyproject.toml: write `{requirement}` as name>=version or name==version"
    try:
        found = parse_release(metadata.version(wanted["name"]))
    except metadata.PackageNotFoundError:
        return True
    asked = parse_release(wanted["version"])
    return found != asked if wanted["relation"] == "==" else found < asked


def parse_release(version: str) -> tuple[int, ...]:
    """Turn `2.4.1rc1` into (2, 4, 1): enough to compare with a lower bound."""
    return tuple(int(number) for number in re.findall(r"\d+", version)[:3])


def is_up_to_date(wanted: Sequence[str]) -> bool:
    """Return whether `.venv` already holds all that is wanted, without starting its Python."""
    return PYTHON.exists() and is_installed() and {python_home(), *wanted} <= {*stamp_lines()}


def is_installed() -> bool:
    """Return whether rulewright itself is installed in `.venv`, and was since the clone lies where it does."""
    return {EDITION, place_line()} <= {*stamp_lines()}


def place_line() -> str:
    """Write for the stamp where `.venv` lies: what puts it on the path names it in full."""
    return f"{PLACE}{ENVIRONMENT}"


def install_package(wanted: Sequence[str]) -> None:
    """Install rulewright itself into `.venv`, and stamp it with what was wanted."""
    if any(line.startswith(PLACE) and line != place_line() for line in stamp_lines()):
        write_message(f"the clone has moved: {ENVIRONMENT} is adapted")
        run_step(
            [sys.executable, "-m", "venv", "--without-pip", str(ENVIRONMENT)], "the environment could not be adapted"
        )
    install(ROOT, ENVIRONMENT, read_project())
    # Earlier calls may have wanted other extras; they are still installed.
    kept = {line for line in stamp_lines()[1:] if not line.startswith(PLACE)}
    promised = sorted({*kept, EDITION, place_line(), *wanted})
    STAMP.write_text("\n".join([python_home(), *promised]) + "\n", encoding="utf-8")


def stamp_lines() -> list[str]:
    """Read the stamp; an environment without one promises nothing."""
    return STAMP.read_text(encoding="utf-8").splitlines() if STAMP.is_file() else []


def python_home() -> str:
    """Name the Python behind `.venv`: when the system's moves on to 3.14, its packages stay behind."""
    return os.path.realpath(PYTHON)


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Wait while another call sets up the same clone. The system frees the lock of a dead process."""
    with ENVIRONMENT.with_suffix(".lock").open("w") as lock:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415 -- on Windows only

            while True:
                with suppress(OSError):  # It gives up after ten seconds; pip may take longer.
                    msvcrt.locking(lock.fileno(), msvcrt.LK_LOCK, 1)
                    break
        else:
            import fcntl  # noqa: PLC0415 -- not on Windows

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def build_environment(wanted: Sequence[str]) -> None:
    """Make `.venv` unless it is there, install into it, and stamp it last."""
    first, new = not command_in(ENVIRONMENT).exists(), [each for each in wanted if each not in stamp_lines()]
    if _is_inside():  # What is there can be looked up.
        new = [each for each in wanted if is_missing(each)]
    write_message(f"setting up, once: installing {', '.join(map(package_name, new or wanted))} into {ENVIRONMENT}")
    if not is_usable_python(PYTHON):
        venv = ["venv", "--clear"] if util.find_spec("ensurepip") else ["venv", "--clear", "--without-pip"]
        run_step([sys.executable, "-m", *venv, str(ENVIRONMENT)], "the virtual environment could not be made")
    fetch = ["install", "--quiet", "--disable-pip-version-check", "--no-input", *wanted]
    run_step(
        [*pip_command(), *fetch],
        "the packages could not be installed; check the network, then run the same command again",
    )
    install_package(wanted)
    if first:
        write_message(
            f"set up; from now on this is also started by {command_in(ENVIRONMENT)}\n"
            f"  to type only `rulewright` in this terminal: {activation_of(ENVIRONMENT)}"
        )


def pip_command() -> list[str]:
    """Choose a pip for `.venv`: its own, else this Python's pointed at it (Debian splits the two)."""
    if is_usable_python(PYTHON, "-m", "pip", "--version"):
        return [str(PYTHON), "-m", "pip"]
    if util.find_spec("pip"):
        return [sys.executable, "-m", "pip", "--python", str(PYTHON)]
    raise SetupError(
        f"{sys.executable} comes without pip and venv; install them, then run the same command again\n"
        "  Debian, Ubuntu: sudo apt install python3-venv    Fedora: sudo dnf install python3-pip"
    )


def is_usable_python(python: Path, *arguments: str) -> bool:
    """Return whether `python` is recent enough and runs with these arguments."""
    question = arguments or ("-c", "import sys; sys.exit(sys.version_info < (3, 11))")
    try:
        return subprocess.run([python, *question], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def run_step(command: Sequence[str], complaint: str) -> None:
    """Run one step quietly; when it fails, repeat what it said last."""
    # A user's `pip install --user` habit must not reach into .venv.
    environment = {**os.environ, "PIP_USER": "0"}
    step = subprocess.run(command, capture_output=True, text=True, errors="replace", env=environment, check=False)
    if step.returncode:
        said = [line for line in (step.stdout + step.stderr).splitlines() if line.strip()]
        errors = [line for line in said if line.startswith("ERROR")]
        warnings = [line for line in said if line.startswith("WARNING")]
        raise SetupError("\n  ".join([complaint, *(warnings[-1:] + errors or said)[-6:]]))


def run_again(python: Path, module: str) -> NoReturn:
    """Start the same command under the other Python and end with its exit code."""
    command = [str(python), "-m", module, *sys.argv[1:]]
    sys.stdout.flush()
    if os.name != "nt":
        os.execv(python, command)
    # On Windows exec returns to the shell at once and the two would share the keyboard.
    with suppress(KeyboardInterrupt):
        sys.exit(subprocess.run(command, check=False).returncode)
    sys.exit(130)


def command_for(extra: str) -> str:
    """Return what installs an extra for the Python that runs."""
    python = shlex.quote(sys.executable)
    if PYPROJECT.is_file():
        if _is_inside():
            return f"{python} -m rulewright.bootstrap {extra}"
        needed = read_project()["optional-dependencies"][extra]
    else:
        marked = (each.partition(";") for each in metadata.requires("rulewright") or ())
        needed = [line.strip() for line, _, mark in marked if re.search(rf"""extra == ['"]{extra}['"]""", mark)]
    return f"{python} -m pip install {' '.join(map(shlex.quote, needed))}"


def package_name(requirement: str) -> str:
    """Cut `lark>=1.2` down to `lark`."""
    return re.split("[>=]", requirement)[0]


def write_message(text: str) -> None:
    """Write a message to stderr, apart from the output of the command itself."""
    told = f"rulewright: {text}"
    if sys.stderr.isatty():  # Between words: a terminal would break a path or a command anywhere.
        wide = max(40, shutil.get_terminal_size().columns)
        told = "\n".join(
            textwrap.fill(line, wide, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
            for line in told.split("\n")
        )
    sys.stderr.write(f"{told}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    # `python3 -m rulewright.bootstrap test`: set up, and name the Python to use; for .ci/run.
    try:
        sys.stdout.write(f"{find_interpreter(*sys.argv[1:])}\n")
    except SetupError as failure:
        write_message(str(failure))
        sys.exit(2)
