"""`ask` reads every position that `diff` saves, and returns the answers that `diff` reports."""

import json
from pathlib import Path

import pytest

from rulewright.serve.cli.app import run
from tests.sample import sampled

PAIRS = [("panzer_grenadier", "panzer_grenadier+pg_mire"), ("panzer_grenadier", "panzer_grenadier+pg_smoke")]


@sampled(1)
@pytest.mark.parametrize("pair", PAIRS)
def test_saved_positions_give_the_reported_answers(
    pair: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["diff", *pair, "--format", "json", "--witnesses", str(tmp_path)]) == 0
    data = json.loads(capsys.readouterr().out)
    groups = [group for term in data["terms"] for group in term["groups"] if ", at the stage" not in group["question"]]
    assert groups
    for group in groups:
        home = next(line.split()[1] for line in Path(group["witness"]).read_text().splitlines() if "stack:" in line)
        for stack, expected_answer in zip(pair, (group["a"], group["b"]), strict=True):
            if not group["missing_words"] or stack == home.strip('"'):
                code = run(["ask", stack, "-p", group["witness"], group["question"], "--format", "json"])
                answer = json.loads(capsys.readouterr().out)
                assert code == int("no answer" in expected_answer)
                if not code:
                    value = answer["value"]
                    value = {True: "yes", False: "no"}[value] if isinstance(value, bool) else value
                    assert str(value) == expected_answer or str(value) == expected_answer.split()[0]
    assert {each["status"] for each in data["changes"]} <= {"witness", "same", "only", "unknown"}
