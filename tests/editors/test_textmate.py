"""The TextMate grammar against the tokens of the compiler, and against the tokenizer of VS Code if it is installed."""

import json
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from compiler.source.grammar import parser_tables
from editors.keywords import keywords
from editors.textmate import SIGNS
from editors.write import EXTENSION, GRAMMAR, main, texts
from tests.editors.highlighting import Highlighter, Scoped
from tests.editors.tokens import KEYWORD, SIGN, read
from tests.sample import LONG, first_of_each, sampled
from tests.tidy.check import ROOT

RULES = sorted((ROOT / "rules").rglob("*.rules"))
TOY = ROOT / "tests" / "stages" / "format" / "toy.rules"
# The scope of the first letter of a token.
SCOPES = {
    KEYWORD: r"keyword|storage|support\.function|constant\.language",
    SIGN: r"keyword\.operator|punctuation",
    "STRING": r"string\.quoted\.double",
    "QUOTED": r"string\.quoted\.single",
    "NUMBER": r"constant\.numeric",
    "INTEGER": r"constant\.numeric",
    "CITES": r"constant\.other\.citation",
}
WORDS = {"NAME", "LABEL", "STACK"}
TAKEN_FOR_KEYWORDS = r"keyword\.(?!other\.unit)|storage|constant\.language|support"
# Only the parser can tell names from keywords: two names per file and this percentage may look like keywords.
MOST = 3


def scope_at(line: list[Scoped], column: int) -> str:
    return next((each.scope for each in line if each.start <= column < each.end), "")


@pytest.fixture(scope="module")
def highlighter() -> Highlighter:
    return Highlighter(json.loads(GRAMMAR.read_text(encoding="utf-8")))


def test_up_to_date(reset: bool) -> None:
    if reset:
        main()
    assert GRAMMAR.read_text(encoding="utf-8") == texts()[GRAMMAR], "run `python3 -m editors.write`"


def test_every_word_and_sign_of_the_language_is_in_a_pattern() -> None:
    assert keywords().all() == set(parser_tables().vocabulary.words)
    assert {sign for each in SIGNS.values() for sign in each} == set(parser_tables().vocabulary.symbols)
    written = set(re.findall(r"\w+", GRAMMAR.read_text(encoding="utf-8").replace(r"\\b", " ")))
    assert set(parser_tables().vocabulary.words) <= written, "run `python3 -m editors.write`"


@sampled(3)
@pytest.mark.parametrize(
    "file",
    [TOY, *first_of_each(RULES, lambda file: file.relative_to(ROOT / "rules").parts[0])],
    ids=lambda file: file.relative_to(ROOT).as_posix(),
)
def test_tokens_have_the_scopes_of_their_kinds(file: Path, highlighter: Highlighter) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    texts = [highlighter.line(line) for line in lines]
    names: Counter[bool] = Counter()
    wrong, covered = [], set()
    for token in read("\n".join(lines)):
        scope = scope_at(texts[token.line], token.column)
        covered |= {(token.line, token.column + place) for place in range(len(token.text))}
        if token.kind in WORDS:
            names[bool(re.match(TAKEN_FOR_KEYWORDS, scope))] += 1
        elif not re.match(SCOPES[token.kind], scope):
            wrong.append((token, scope))
        if token.kind in {"STRING", "QUOTED", "CITES"}:
            last = scope_at(texts[token.line], token.column + len(token.text) - 1)
            assert last == scope_at(texts[token.line], token.column), token
    assert wrong == []
    assert names[True] <= 2 + MOST * names.total() / 100
    for number, line in enumerate(lines):
        comment = next(
            (place for place, letter in enumerate(line) if letter == "#" and (number, place) not in covered), None
        )
        started = next((each.start for each in texts[number] if each.scope.startswith("comment")), None)
        assert started == comment, line


@pytest.mark.parametrize(
    ("line", "scopes"),
    [
        ('rule one-hex [T.1] "Once."', {"rule": "storage.type", "one-hex": "entity.name.function.label"}),
        ("value cost(mover: unit): 0..9 MP", {"cost": "entity.name.function", "mover": "variable", "MP": "keyword"}),
        (
            "extend enum ground: dune",
            {"extend": "storage.modifier", "enum": "storage.type", "ground": "entity.name.type"},
        ),
        (
            "extend kind unit has morale: 0..9 = 5",
            {"extend": "storage.modifier", "kind": "storage.type", "unit": "entity.name.type", "has": "keyword"},
        ),
        ("  set u.to to max(1, 2)", {"set": "keyword.control", "to ": "variable.other.property", "max": "support"}),
        ("    exception to every-turn", {"exception": "keyword.other", "every-turn": "variable.other.constant.label"}),
        (
            '  reads "{mover} stays" # said',
            {"{mover}": "constant.other.placeholder", "stays": "string", "# s": "comment"},
        ),
        (
            "  act march(to: B) refused",
            {"to": "variable", "march": "entity.name.function.call", "act": "keyword.control"},
        ),
        ("  if x and y is not z {", {"if": "keyword.control", "and": "keyword.operator", "not": "keyword.operator"}),
        ("    price[dune, first] is the first toll", {"price": "entity.name.function.chart", "dune, first": ""}),
        ("  ask entry_cost(R, from, to) = 3 MP", {"from": "", "to)": "", "3": "constant.numeric"}),
        ("  when to is mud and by in all", {"when": "keyword", "to": "", "by": "", "in": "keyword.operator"}),
        ("after end of removal", {"after": "storage.type", "end": "keyword", "removal": ""}),
    ],
)
def test_scopes_of_lines(line: str, scopes: dict[str, str], highlighter: Highlighter) -> None:
    tokens = highlighter.line(line)
    found = {each: scope_at(tokens, line.index(each)) for each in scopes}
    assert {each: found[each][: len(scope)] if scope else found[each] for each, scope in scopes.items()} == scopes


def test_an_unclosed_text_ends_with_its_line(highlighter: Highlighter) -> None:
    for line in ('  reads "never', "  ask 'never", "rule a [T.1"):
        assert highlighter.line(line)[-1].end == len(line)


@LONG
def test_the_tokenizer_of_vs_code_has_the_same_spans(highlighter: Highlighter) -> None:
    node = shutil.which("node")
    if not node or not all(
        (EXTENSION / "node_modules" / each).is_dir() for each in ("vscode-textmate", "vscode-oniguruma")
    ):
        pytest.skip("NOT TRIED: vscode-textmate; node and `npm install` in editors/vscode bring it")
    files = [TOY, *RULES]
    paths = [Path(__file__).with_name("tokenize.js"), EXTENSION / "node_modules", GRAMMAR, *files]
    run = subprocess.run([node, *map(str, paths)], capture_output=True, text=True, encoding="utf-8", check=False)
    assert run.returncode == 0, run.stderr
    data: dict[str, list[list[Any]]] = json.loads(run.stdout)
    assert data.keys() == {str(file) for file in files}
    for file in files:
        lines = file.read_text(encoding="utf-8").splitlines()
        own_tokens = [[[each.start, each.end, each.scope] for each in joined(highlighter.line(line))] for line in lines]
        assert data[str(file)][: len(lines)] == own_tokens, file


def joined(line: list[Scoped]) -> list[Scoped]:
    """Join adjacent spans of one scope."""
    found: list[Scoped] = []
    for each in line:
        if found and found[-1].scope == each.scope and found[-1].end == each.start:
            found[-1] = Scoped(found[-1].start, each.end, each.scope)
        else:
            found.append(each)
    return found
