"""Setup of a fresh clone and its packages; `.ci/run` tests the installation itself."""

import ast
import os
import subprocess
import sys
import time
import tomllib
from importlib import metadata
from itertools import chain
from pathlib import Path

import pytest

import rulewright
from rulewright import bootstrap
from rulewright.editable_install import EDITION
from rulewright.library.shipped_folders import rules_folder

CLONE = Path(bootstrap.__file__).parents[1]


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make an empty clone that requires a package which does not exist."""
    environment = tmp_path / ".venv"
    project = '[project]\ndependencies = ["no-such-package>=1.0"]\noptional-dependencies.test = ["pytest>=1"]\n'
    (tmp_path / "pyproject.toml").write_text(project)
    monkeypatch.setattr(bootstrap, "PYPROJECT", tmp_path / "pyproject.toml")
    monkeypatch.setattr(bootstrap, "ENVIRONMENT", environment)
    monkeypatch.setattr(bootstrap, "PYTHON", environment / "python")
    monkeypatch.setattr(bootstrap, "STAMP", environment / "rulewright.stamp")
    return tmp_path


def pretend_install(wanted: list[str]) -> None:
    """Write the interpreter and the stamp as `build_environment` does, without pip."""
    bootstrap.ENVIRONMENT.mkdir(exist_ok=True)
    bootstrap.PYTHON.touch()
    installed = [EDITION, bootstrap.place_line()]
    bootstrap.STAMP.write_text("\n".join([bootstrap.python_home(), *installed, *wanted]))


def test_installed_requirements_need_no_setup(clone: Path) -> None:
    (clone / "pyproject.toml").write_text('[project]\ndependencies = ["pytest>=1.0"]\n')
    assert bootstrap.find_interpreter() == Path(sys.executable)


def test_the_first_call_installs_and_the_second_does_not(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[list[str]] = []

    def build(wanted: list[str]) -> None:
        calls.append(wanted)
        pretend_install(wanted)

    monkeypatch.setattr(bootstrap, "build_environment", build)
    assert bootstrap.find_interpreter() == clone / ".venv" / "python"
    bootstrap.find_interpreter()
    assert calls == [["no-such-package>=1.0"]]
    bootstrap.find_interpreter("test")
    assert calls[1:] == [["no-such-package>=1.0", "pytest>=1"]]


@pytest.mark.usefixtures("clone")
def test_another_python_invalidates_the_stamp(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend_install(["a>=1"])
    assert bootstrap.is_up_to_date(["a>=1"])
    monkeypatch.setattr(bootstrap, "python_home", lambda: "/usr/bin/python3.99")
    assert not bootstrap.is_up_to_date(["a>=1"])


@pytest.mark.usefixtures("clone")
def test_a_failed_step_exits_with_2_and_says_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    failing = "import sys; sys.exit('WARNING: no route\\nERROR: nothing found')"

    def build(_wanted: list[str]) -> None:
        bootstrap.run_step([sys.executable, "-c", failing], "the packages could not be installed")

    monkeypatch.setattr(bootstrap, "build_environment", build)
    with pytest.raises(SystemExit) as end:
        bootstrap.enter_environment("rulewright")
    assert end.value.code == 2
    assert capsys.readouterr().err == (
        "rulewright: the packages could not be installed\n  WARNING: no route\n  ERROR: nothing found\n"
    )


@pytest.mark.parametrize(
    ("requirement", "installed", "expected"),
    [
        ("a>=1.2", "1.2", False),
        ("a>=1.2", "1.10.3", False),
        ("a>=1.2", "2.0rc1", False),
        ("a>=1.2", "1.1.9", True),
        ("a==1.2.3", "1.2.3", False),
        ("a==1.2.3", "1.2.4", True),
    ],
)
def test_a_requirement_is_missing_if_its_version_does_not_match(
    requirement: str, installed: str, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metadata, "version", lambda _name: installed)
    assert bootstrap.is_missing(requirement) is expected


def test_every_requirement_has_the_form_setup_reads() -> None:
    project = tomllib.loads((CLONE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for line in chain(project["dependencies"], *project["optional-dependencies"].values()):
        assert bootstrap.REQUIREMENT.fullmatch(line), line


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


def test_the_clone_uses_its_own_rules() -> None:
    assert rules_folder() == CLONE / "rules"


# ---------------------------------------------------------------- the package in the environment


@pytest.fixture
def environment(clone: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make an environment without packages in a clone whose command prints its arguments."""
    interpreter = clone / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(interpreter)], check=True)
    monkeypatch.setattr(bootstrap, "ROOT", clone)
    monkeypatch.setattr(bootstrap, "PYTHON", interpreter / "bin" / "python")
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
    bootstrap.install_package([])
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
    bootstrap.install_package([])
    assert bootstrap.is_installed()
    there = tmp_path / "moved here"
    there.mkdir()
    for name in (".venv", "rulewright"):
        (environment.parent / name).rename(there / name)
    assert output_of(there / ".venv" / "bin" / "rulewright", tmp_path / "elsewhere") == "here one two words\n"
    monkeypatch.setattr(bootstrap, "ROOT", there)
    monkeypatch.setattr(bootstrap, "ENVIRONMENT", there / ".venv")
    monkeypatch.setattr(bootstrap, "PYTHON", there / ".venv" / "bin" / "python")
    monkeypatch.setattr(bootstrap, "STAMP", there / ".venv" / "rulewright.stamp")
    assert not bootstrap.is_installed()
    bootstrap.install_package([])
    assert "the clone has moved" in capsys.readouterr().err
    assert str(there) in (there / ".venv" / "bin" / "activate").read_text(encoding="utf-8")
    assert bootstrap.is_installed()


def test_only_the_command_line_installs_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    questions: list[tuple[str, ...]] = []
    monkeypatch.setattr(bootstrap, "enter_environment", lambda *names: questions.append(names))
    for started in ("", "tests", "rulewright"):
        monkeypatch.setattr(bootstrap, "started", started)
        bootstrap.require_extra("pdf")
    assert questions == [("rulewright", "pdf")]


def test_an_optional_extra_may_be_missing(
    clone: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (clone / "pyproject.toml").write_text(
        '[project]\ndependencies = []\noptional-dependencies.peers = ["no-such-package>=1.0"]\n'
    )

    def build(_: list[str]) -> None:
        raise bootstrap.SetupError("nothing found")

    monkeypatch.setattr(bootstrap, "build_environment", build)
    bootstrap.enter_environment("bench", optional="peers")
    assert "nothing found\n  goes on without" in capsys.readouterr().err


def test_a_failed_extra_is_tried_again_only_after_a_delay(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[list[str]] = []
    (clone / "pyproject.toml").write_text(
        '[project]\ndependencies = []\noptional-dependencies.peers = ["no-such-package>=1.0"]\n'
    )

    def build(wanted: list[str]) -> None:
        tried.append(wanted)
        bootstrap.ENVIRONMENT.mkdir(exist_ok=True)
        raise bootstrap.SetupError("no network")

    monkeypatch.setattr(bootstrap, "build_environment", build)
    monkeypatch.setattr(bootstrap, "started", "rulewright")
    for _ in range(3):
        bootstrap.install_extra("peers")
    assert len(tried) == 1
    early = time.time() - 2 * bootstrap.RETRY_AFTER
    os.utime(bootstrap.ENVIRONMENT / "peers.failed", (early, early))
    bootstrap.install_extra("peers")
    assert len(tried) == 2


def test_the_command_that_installs_an_extra(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert bootstrap.command_for("test") == f"{sys.executable} -m pip install 'pytest>=1'"
    monkeypatch.setattr(bootstrap, "ENVIRONMENT", Path(sys.prefix))
    assert bootstrap.command_for("test") == f"{sys.executable} -m rulewright.bootstrap test"
    (clone / "pyproject.toml").unlink()
    needed = ["lark>=1.2", 'typst>=0.12; extra == "pdf"', "numpy>=1; extra == 'rl'"]
    monkeypatch.setattr(metadata, "requires", lambda _: needed)
    assert bootstrap.command_for("pdf") == f"{sys.executable} -m pip install 'typst>=0.12'"


@pytest.mark.parametrize("inside", [True, False])
def test_bytecode_is_written_to_the_environment_where_sources_allow_none(
    clone: Path, monkeypatch: pytest.MonkeyPatch, inside: bool
) -> None:
    monkeypatch.setattr(sys, "prefix", str(clone / ".venv" if inside else clone))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    bootstrap.keep_bytecode()
    assert sys.dont_write_bytecode is not inside
    assert sys.pycache_prefix == (str(clone / ".venv" / "bytecode") if inside else None)
