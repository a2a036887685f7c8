"""How a fresh clone gets its packages; the install itself is left to .ci/run, which starts from nothing."""

import ast
import sys
import tomllib
from importlib import metadata
from itertools import chain
from pathlib import Path

import pytest

from rulewright import bootstrap
from rulewright.library.shipped import rules_folder

CLONE = Path(bootstrap.__file__).parents[1]


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in an empty clone that wants one package nobody has."""
    environment = tmp_path / ".venv"
    project = '[project]\ndependencies = ["no-such-package>=1.0"]\noptional-dependencies.test = ["pytest>=1"]\n'
    (tmp_path / "pyproject.toml").write_text(project)
    monkeypatch.setattr(bootstrap, "PYPROJECT", tmp_path / "pyproject.toml")
    monkeypatch.setattr(bootstrap, "ENVIRONMENT", environment)
    monkeypatch.setattr(bootstrap, "PYTHON", environment / "python")
    monkeypatch.setattr(bootstrap, "STAMP", environment / "rulewright.stamp")
    return tmp_path


def pretend_install(wanted: list[str]) -> None:
    """Do what `build` does, without pip."""
    bootstrap.ENVIRONMENT.mkdir(exist_ok=True)
    bootstrap.PYTHON.touch()
    bootstrap.STAMP.write_text("\n".join([bootstrap.python_home(), *wanted]))


def test_what_is_here_needs_no_setup(clone: Path) -> None:
    (clone / "pyproject.toml").write_text('[project]\ndependencies = ["pytest>=1.0"]\n')
    assert bootstrap.interpreter() == Path(sys.executable)


def test_the_first_call_installs_and_the_second_does_not(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[list[str]] = []

    def build(wanted: list[str]) -> None:
        calls.append(wanted)
        pretend_install(wanted)

    monkeypatch.setattr(bootstrap, "build", build)
    assert bootstrap.interpreter() == clone / ".venv" / "python"
    bootstrap.interpreter()
    assert calls == [["no-such-package>=1.0"]]
    bootstrap.interpreter("test")
    assert calls[1:] == [["no-such-package>=1.0", "pytest>=1"]]


@pytest.mark.usefixtures("clone")
def test_another_python_behind_the_environment_spoils_the_stamp(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend_install(["a>=1"])
    assert bootstrap.stamped(["a>=1"])
    monkeypatch.setattr(bootstrap, "python_home", lambda: "/usr/bin/python3.99")
    assert not bootstrap.stamped(["a>=1"])


@pytest.mark.usefixtures("clone")
def test_a_failed_step_exits_with_2_and_says_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    failing = "import sys; sys.exit('WARNING: no route\\nERROR: nothing found')"

    def build(_wanted: list[str]) -> None:
        bootstrap.run([sys.executable, "-c", failing], "the packages could not be installed")

    monkeypatch.setattr(bootstrap, "build", build)
    with pytest.raises(SystemExit) as end:
        bootstrap.enter("rulewright")
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
def test_versions_compare(requirement: str, installed: str, expected: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "version", lambda _name: installed)
    assert bootstrap.missing(requirement) is expected


def test_every_requirement_has_the_form_setup_reads() -> None:
    project = tomllib.loads((CLONE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for line in chain(project["dependencies"], *project["optional-dependencies"].values()):
        assert bootstrap.REQUIREMENT.fullmatch(line), line


@pytest.mark.parametrize(
    "file", ["rulewright/__init__.py", "rulewright/__main__.py", "tests/__init__.py", "tests/__main__.py"]
)
def test_an_old_python_can_read_far_enough_to_be_told(file: str) -> None:
    ast.parse((CLONE / file).read_text(encoding="utf-8"), feature_version=(3, 7))


def test_the_clone_uses_its_own_rules() -> None:
    assert rules_folder() == CLONE / "rules"
