"""Shell completion: arguments are completed with names of the rules, without names that a shell would execute."""

import inspect
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest
from typer.models import ParameterInfo

from rulewright.cli.app import COMMANDS, run
from rulewright.cli.completion import COMPLETIONS
from tests.sample import sampled

Capture = pytest.CaptureFixture[str]

# Placeholders of the help page for arguments that are not completed from a list of names.
FREE = {
    "DIR", "FILE", "N", "REV", "PLACE", "MINUTES", "S", "WIDTH", "SHARE", "MODULE:FUNCTION", "ADDR", "SIDE", "T",
    "TERM", "LABEL", "QUESTION..", "NAME", "TRIAL", "SOURCE", "PATH...", "[NAME|WORDS]", "COLUMNSxROWS",
    "DATE", "MODULE", "SAVE", "ACTION",
}  # fmt: skip


def completed(line: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> list[str]:
    """Return the completions that bash shows with the cursor at the end of a line."""
    words = line.split(" ")
    monkeypatch.setenv("_RULEWRIGHT_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    assert run([]) == 0
    return capsys.readouterr().out.split()


@pytest.mark.parametrize(
    ("line", "some", "none"),
    [
        ("rulewright pla", "play", "check"),
        ("rulewright check low", "low_tide", "panzer_leader"),
        ("rulewright check two_clans+", "", "two_clans+opportunity_fire"),
        ("rulewright check panzer_leader+o", "panzer_leader+opportunity_fire", "panzer_leader+pg_mire"),
        ("rulewright check panzer_leader+quick_time+", "panzer_leader+quick_time+naval_support",
         "panzer_leader+quick_time+quick_time"),
        ("rulewright play bri", "bridge_at_millbrook", "first_snow"),
        ("rulewright play first_snow --rules long_frost+f", "long_frost+frost_chits", "long_frost"),
        ("rulewright compare first_snow --players greedy,lo", "greedy,lookahead", "greedy"),
        ("rulewright explain R03", "R0312", "R0101"),
        ("rulewright diff first_", "first_snow", "low_tide"),
        ("rulewright ask low_tide -p REA", "", "README.md"),
    ],
)  # fmt: skip
def test_arguments_are_completed(
    line: str, some: str, none: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    found = completed(line, monkeypatch, capsys)
    assert some in found or not some
    assert none not in found


def test_every_argument_is_completed_or_listed_as_free() -> None:
    known = set()
    for command in COMMANDS:
        for parameter in inspect.signature(command, eval_str=True).parameters.values():
            infos = [each for each in get_args(parameter.annotation) if isinstance(each, ParameterInfo)]
            known |= {(command.__name__, info.metavar) for info in infos if info.metavar}
    unknown = {
        each
        for each in known
        if each[1] not in COMPLETIONS
        and each[1] not in FREE
        and each[0] != "change"
        and not each[1].replace("|", "").islower()
    }  # In lower case the placeholder lists the words themselves.
    assert not unknown, "name them in rulewright/cli/completion.py, or say in this test that they are free"


def test_names_that_a_shell_would_run_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    for number, (name, title) in enumerate([("$(touch x)", "t"), ("harmless", "'; `touch x` \"$(touch x)\\")]):
        layer = tmp_path / f"layer{number}"
        layer.mkdir()
        message = f"layer: {json.dumps(name)}\ntitle: {json.dumps(title)}\nkind: base\n"
        (layer / "layer.yaml").write_text(message)
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", f"rulewright check --path {tmp_path} ")
    monkeypatch.setenv("_RULEWRIGHT_COMPLETE", "complete_zsh")
    assert run([]) == 0
    output = capsys.readouterr().out
    assert "low_tide" in output
    assert "harmless" in output
    assert not any(sign in output for sign in ("`", "$(", ";"))


def test_completion_prints_no_error_of_a_broken_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    (tmp_path / "layer.yaml").write_text("layer: [")
    assert "low_tide" in completed(f"rulewright check --path {tmp_path} lo", monkeypatch, capsys)
    assert not capsys.readouterr().err


@sampled(0)
@pytest.mark.skipif(not shutil.which("bash") or os.name == "nt", reason="needs bash")
def test_bash_completes_with_what_the_command_prints(tmp_path: Path) -> None:
    script = subprocess.run(
        [sys.executable, "-m", "rulewright", "--show-completion", "bash"], capture_output=True, text=True, check=True,
        # Without this, typer searches the parent processes for a shell, which a service does not have.
        env={**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"},
    ).stdout  # fmt: skip
    start = tmp_path / "rulewright"
    start.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rulewright "$@"\n')
    start.chmod(0o755)
    typed = 'COMP_WORDS=(rulewright play bridge); COMP_CWORD=2; _rulewright_completion "$1"; echo "${COMPREPLY[@]}"'
    completed = subprocess.run(
        ["bash", "--norc", "-c", f"{script}\n{typed}", "bash", str(start)], capture_output=True, text=True, check=True,
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
    )  # fmt: skip
    assert completed.stdout.split() == ["bridge_at_millbrook"]
