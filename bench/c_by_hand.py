"""Programs in C (in_c/) that do by hand what rules do: compiled with gcc where there is one.

A program times itself, so that neither its start nor the map that it reads counts.
"""

import shutil
import subprocess
from pathlib import Path

SOURCES = Path(__file__).parent / "in_c"
COMPILER = "gcc"
FLAGS = ("-O3", "-march=native", "-std=c11", "-Wall", "-Wextra", "-Werror")
ABSENT = "gcc is absent"


def compiled_program(name: str, folder: Path) -> Path | None:
    """Compile a program into a folder; None without a compiler."""
    compiler = shutil.which(COMPILER)
    if compiler is None:
        return None
    program = folder / name
    subprocess.run([compiler, *FLAGS, "-o", str(program), str(SOURCES / f"{name}.c")], check=True)
    return program


def output_of(program: Path, *arguments: str, text: str = "") -> list[str]:
    """Run a program on a text; return its lines."""
    run = subprocess.run([str(program), *arguments], input=text, capture_output=True, text=True, check=True)
    return run.stdout.splitlines()
