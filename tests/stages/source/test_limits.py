"""Any file is read within a limit of time, with few problems and without a traceback."""

import time
from pathlib import Path

import pytest

from compiler.source.documents import read_documents
from compiler.source.files import LARGEST_FILE, PackageFile, read_text
from compiler.source.findings.files import TooLarge
from compiler.source.findings.literals import TooDeep
from compiler.source.findings.yaml_documents import RefusedYaml
from compiler.source.parse import MOST_PROBLEMS, MOST_RULE_NESTING, MOST_STATEMENTS, parse_rules
from tests.sample import sampled

DEFINE = "define x(u: unit) = "
GOOD = "\nrule heath cost is 1"
# With two busy cores; on a free one each case takes a fraction of a second.
SECONDS = 10.0


def short(text: str) -> str:
    """Return the start of a text as the id of its case."""
    return repr(text[:24])


@pytest.mark.parametrize(
    "text",
    [
        DEFINE + "(" * 10_000 + "1" + ")" * 10_000,
        DEFINE + "(" * 10_000,
        DEFINE + "f(" * 10_000,
        DEFINE + "not " * 10_000 + "a",
        DEFINE + "-" * 10_000 + "a",
        DEFINE + "if a then b else " * 5_000 + "c",
        DEFINE + "+".join(["a"] * 10_000),
        DEFINE + ".".join(["a"] * 10_000),
        DEFINE.replace("unit", "set of " * 5_000 + "unit") + "1",
        "action hop {" + "if x {\n" * 3_000 + "}" * 3_001,
        "case going {\n" * 1_000 + "}" * 1_000,
    ],
    ids=short,
)  # fmt: skip
def test_nesting_beyond_the_limit_is_one_problem(text: str) -> None:
    parsed, found = parse_rules(text + GOOD, "deep.rules")
    assert any(isinstance(each, TooDeep) for each in found)
    assert len(found) <= 2
    assert len(parsed.statements) == 1


@pytest.mark.parametrize(
    "text",
    [
        DEFINE + "(" * (MOST_RULE_NESTING - 4) + "1" + ")" * (MOST_RULE_NESTING - 4),
        DEFINE + "if a then b else " * 50 + "c",
        DEFINE + " or ".join(["a"] * 5_000),
        DEFINE + "+".join(["a"] * 50),
        DEFINE + "{" + ", ".join(["a"] * 5_000) + "}",
        "case going {\n" * 20 + "}" * 20,
    ],
    ids=short,
)
def test_nesting_within_the_limit_is_accepted(text: str) -> None:
    _, found = parse_rules(text, "deep.rules")
    assert found == ()


@sampled(3)
@pytest.mark.parametrize(
    "piece",
    ["(",
        "{",
        "}",
        "}\n",
        '"',
        '"\n',
        "'",
        "[",
        "rule ",
        "rule a when\n",
        "x\n",
        "§ ",
        "\0 ",
        "-",
        "9",
        "[T.1\n",
        "#",
        "\u202e"],
    ids=short,
)  # fmt: skip
def test_long_repetitions_are_read_in_time(piece: str) -> None:
    started = time.process_time()
    _, found = parse_rules(piece * (200_000 // len(piece)), "long.rules")
    assert time.process_time() - started < SECONDS
    assert len(found) <= 2 * MOST_PROBLEMS + 1


def test_statements_beyond_the_limit_are_dropped() -> None:
    parsed, [slip] = parse_rules("outcome x\n" * (MOST_STATEMENTS + 1), "long.rules")
    assert isinstance(slip, TooLarge)
    assert (slip.unit, slip.span.line) == ("statements", MOST_STATEMENTS + 1)
    assert len(parsed.statements) == MOST_STATEMENTS


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "huge.rules"
    with file.open("wb") as out:
        out.truncate(10 * LARGEST_FILE)
    text, [slip] = read_text(PackageFile(file, "huge.rules"))
    assert text == ""
    assert slip == TooLarge(PackageFile(file, "huge.rules").span, "bytes", LARGEST_FILE)


@pytest.mark.parametrize(
    "text",
    [
        "a: " + "[" * 10_000,
        "a: " + "{b: " * 10_000,
        "\n".join(" " * at + "a:" for at in range(1_000)),
        "a: [" + "1," * 400_000 + "]",
        "---\na: 1\n" * 1_000,
        "a: b\n" * 50_000,
        "&a a: *a\n" * 1_000,
        "\0" * 100_000,
        "\t" * 100_000,
        "a: " + "x" * 2_000_000,
    ],
    ids=short,
)  # fmt: skip
def test_large_yaml_is_refused_in_time(text: str) -> None:
    started = time.process_time()
    nodes, found = read_documents(text, "long.yaml")
    assert time.process_time() - started < SECONDS
    assert nodes == ()
    assert 1 <= len(found) <= MOST_PROBLEMS


def test_a_yaml_bomb_is_refused() -> None:
    levels = "\n".join(f"b{at}: &b{at} [{', '.join([f'*b{at - 1}'] * 9)}]" for at in range(1, 12))
    nodes, found = read_documents(f"table: &b0 x\n{levels}", "bomb.yaml")
    assert nodes == ()
    assert {each.construct for each in found if isinstance(each, RefusedYaml)} == {"anchor", "alias"}
