"""Setup of a fresh clone and its packages; `.ci/run` tests the installation itself."""

import ast
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

import rulewright
from rulewright.system import environment as setup
from rulewright.system.editable_install import EDITION

CLONE = Path(setup.__file__).parents[2]


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make an empty clone that requires a package which does not exist."""
    environment = tmp_path / ".venv"
    project = '[project]\ndependencies = ["no-such-package>=1.0"]\noptional-dependencies.test = ["pytest>=1"]\n'
    (tmp_path / "pyproject.toml").write_text(project)
    monkeypatch.setattr(setup, "PYPROJECT", tmp_path / "pyproject.toml")
    monkeypatch.setattr(setup, "ENVIRONMENT", environment)
    monkeypatch.setattr(setup, "PYTHON", environment / "python")
    monkeypatch.setattr(setup, "STAMP", environment / "rulewright.stamp")
    return tmp_path


def pretend_install(wanted: list[str]) -> None:
    """Write the interpreter and the stamp as `build_environment` does, without pip."""
    setup.ENVIRONMENT.mkdir(exist_ok=True)
    setup.PYTHON.touch()
    installed = [EDITION, setup.place_line()]
    setup.STAMP.write_text("\n".join([setup.python_home(), *installed, *wanted]))


def test_installed_requirements_need_no_setup(clone: Path) -> None:
    (clone / "pyproject.toml").write_text('[project]\ndependencies = ["pytest>=1.0"]\n')
    assert setup.find_interpreter() == Path(sys.executable)


def test_the_first_call_installs_and_the_second_does_not(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[list[str]] = []

    def build(wanted: list[str]) -> None:
        calls.append(wanted)
        pretend_install(wanted)

    monkeypatch.setattr(setup, "build_environment", build)
    assert setup.find_interpreter() == clone / ".venv" / "python"
    setup.find_interpreter()
    assert calls == [["no-such-package>=1.0"]]
    setup.find_interpreter("test")
    assert calls[1:] == [["no-such-package>=1.0", "pytest>=1"]]


@pytest.mark.usefixtures("clone")
def test_a_failed_step_exits_with_2_and_says_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    failing = "import sys; sys.exit('WARNING: no route\\nERROR: nothing found')"

    def build(_wanted: list[str]) -> None:
        setup.run_step([sys.executable, "-c", failing], "the packages could not be installed")

    monkeypatch.setattr(setup, "build_environment", build)
    with pytest.raises(SystemExit) as end:
        setup.enter_environment("rulewright")
    assert end.value.code == 2
    assert capsys.readouterr().err == (
        "rulewright: the packages could not be installed\n  WARNING: no route\n  ERROR: nothing found\n"
    )


@pytest.mark.parametrize(
    "file",
    [
        "rulewright/__init__.py",
        "rulewright/__main__.py",
        "tests/__init__.py",
        "tests/__main__.py",
        "bench/__init__.py",
        "bench/__main__.py",
    ],
)
def test_entry_points_parse_under_python_3_7(file: str) -> None:
    ast.parse((CLONE / file).read_text(encoding="utf-8"), feature_version=(3, 7))


# ---------------------------------------------------------------- the package in the environment


@pytest.fixture
def environment(clone: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make an environment without packages in a clone whose command prints its arguments."""
    interpreter = clone / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(interpreter)], check=True)
    monkeypatch.setattr(setup, "ROOT", clone)
    monkeypatch.setattr(setup, "PYTHON", interpreter / "bin" / "python")
    (clone / "rulewright").mkdir()
    (clone / "rulewright" / "__init__.py").touch()
    (clone / "rulewright" / "__main__.py").write_text("import sys; print('here', *sys.argv[1:])")
    (clone / "pyproject.toml").write_text(
        '[project]\ndependencies = []\noptional-dependencies.pdf = ["typst>=0.12"]\noptional-dependencies.test = []\n'
    )
    return interpreter


def output_of(command: Path, here: Path) -> str:
    """Run a command in a folder with another package `rulewright`; return its output."""
    (here / "rulewright").mkdir(parents=True, exist_ok=True)
    (here / "rulewright" / "__init__.py").write_text("raise SystemExit('another')")
    return subprocess.run([command, "one", "two words"], cwd=here, capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(os.name == "nt", reason="NOT CHECKED: commands of another sort")
def test_set_up_installs_the_clone_as_a_command(environment: Path, tmp_path: Path) -> None:
    setup.install_package([])
    command = environment / "bin" / "rulewright"
    assert output_of(command, tmp_path / "elsewhere") == "here one two words\n"
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "link").symlink_to(command)
    (tmp_path / "link").symlink_to("a/link")
    assert output_of(tmp_path / "link", tmp_path / "elsewhere") == "here one two words\n"
    [packages] = environment.glob("lib/python3*/site-packages")
    [known] = metadata.distributions(path=[str(packages)])
    assert (known.name, known.version) == ("rulewright", rulewright.__version__)
    assert known.requires == ['typst>=0.12; extra == "pdf"']
    assert command.resolve() in {Path(file.locate()).resolve() for file in known.files or ()}


@pytest.mark.skipif(os.name == "nt", reason="NOT CHECKED: commands of another sort")
def test_a_moved_clone_still_runs_and_is_installed_again(
    environment: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    setup.install_package([])
    assert setup.is_installed()
    there = tmp_path / "moved here"
    there.mkdir()
    for name in (".venv", "rulewright"):
        (environment.parent / name).rename(there / name)
    assert output_of(there / ".venv" / "bin" / "rulewright", tmp_path / "elsewhere") == "here one two words\n"
    monkeypatch.setattr(setup, "ROOT", there)
    monkeypatch.setattr(setup, "ENVIRONMENT", there / ".venv")
    monkeypatch.setattr(setup, "PYTHON", there / ".venv" / "bin" / "python")
    monkeypatch.setattr(setup, "STAMP", there / ".venv" / "rulewright.stamp")
    assert not setup.is_installed()
    setup.install_package([])
    assert "the clone has moved" in capsys.readouterr().err
    assert str(there) in (there / ".venv" / "bin" / "activate").read_text(encoding="utf-8")
    assert setup.is_installed()
