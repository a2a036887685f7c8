"""Answers of the language server about the name at a cursor, from the semantic index of its stack, in one session."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from compiler.stack_index import index_stack
from rulewright.explain.views.name_pages import named_pages, names_of
from rulewright.library.stacks import open_packages
from rulewright.serve.editor.symbols import PAGES
from tests.editor.test_session import Session
from tests.sample import sampled
from tests.toys.plain_game import plain_game

pytest.importorskip("pygls", reason="EDITOR NOT TRIED: no pygls, the extra `editor`")


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a small game; return its rules of movement."""
    folder = tmp_path_factory.mktemp("set")
    plain_game("toy", folder)
    return folder / "toy" / "moving.rules"


@pytest.fixture(scope="module")
def session(rules: Path) -> Iterator[Session]:
    """Open the rules of movement in a session."""
    session = Session(rules.parent.parent)
    show(session, rules, rules.read_text())
    yield session
    session.ask("shutdown", None)
    session.tell("exit", {})
    assert session.process.wait(60) == 0
    session.patience.cancel()


def show(session: Session, path: Path, text: str, version: int = 1) -> None:
    if version == 1:
        document = {"uri": path.as_uri(), "languageId": "rules", "version": 1, "text": text}
        session.tell("textDocument/didOpen", {"textDocument": document})
    else:
        document = {"uri": path.as_uri(), "version": version}
        session.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})


def position_after(path: Path, before: str, text: str = "") -> dict[str, Any]:
    """Return the position after the first occurrence of a text."""
    text = text or path.read_text()
    lines = text[: text.index(before) + len(before)].split("\n")
    place = {"line": len(lines) - 1, "character": len(lines[-1])}
    return {"textDocument": {"uri": path.as_uri()}, "position": place}


def texts_at(places: list[dict[str, Any]]) -> list[str]:
    """Return the text at some locations, with its file and its line."""
    found = []
    for place in places:
        start, end = place["range"]["start"], place["range"]["end"]
        path = Path(place["uri"].removeprefix("file://"))
        line = path.read_text().split("\n")[start["line"]]
        found.append(f"{path.name}: {line[start['character'] : end['character']]} in {line.strip()}")
    return found


@sampled(0)
def test_a_field_is_resolved_by_the_type_of_its_owner(session: Session, rules: Path) -> None:
    at = position_after(rules, "> mover.mov")
    assert session.ask("textDocument/hover", at)["contents"]["value"].startswith(
        "```text\nprinted on the counters unit.movement: 0..12 MP\n```\n```rulewright\nkind unit has movement: 0..12 MP"
    )
    assert texts_at(session.ask("textDocument/definition", at)) == [
        "world.rules: movement in kind unit has movement: 0..12 MP, gait: gait"
    ]


@pytest.mark.parametrize(
    ("before", "begins", "says"),
    [
        ("ask may_ent", "question may_enter", "answered by"),
        ("ask entry_co", "question entry_cost", "answered by"),
        ("define ground_o", "question ground_of", "asked by"),
        ("mover: un", "kind unit", "counters"),
        ("mover is tir", "status unit.tired", "read by"),
        ("because price-of-gr", "rule price-of-ground", "layer"),
        ("[TOY.1", "source TOY.1", "document"),
    ],
)
def test_hovers_have_the_page_of_explain(session: Session, rules: Path, before: str, begins: str, says: str) -> None:
    hover = session.ask("textDocument/hover", position_after(rules, before))["contents"]["value"]
    assert f"\n{begins}\n" in hover
    assert f"\n  {says} " in hover


def test_a_keyword_does_not_resolve_to_a_symbol_of_its_name(tmp_path: Path) -> None:
    plain_game("toy", tmp_path)
    rules = tmp_path / "toy" / "moving.rules"
    world = rules.with_name("world.rules")
    world.write_text(f"{world.read_text()}\nstatus unit: under until end of turn\n")
    text = f'{rules.read_text()}\nexample "under" under toy {{\n  row A\n  piece R: runner of north at A (under)\n}}\n'
    rules.write_text(text)
    session = Session(tmp_path)
    show(session, rules, text)

    def answers(before: str) -> list[bool]:
        at = position_after(rules, before)
        request = {**at, "context": {"includeDeclaration": True}}
        methods = ("hover", "definition", "references")
        return [bool(session.ask(f"textDocument/{each}", request)) for each in methods]

    assert answers("at A (und") == [True] * 3
    assert answers('example "und') == [False] * 3  # The title of an example is prose.
    assert answers('example "under" und') == [False] * 3
    # An undeclared name has no hover.
    broken = text.replace("when mover is tired", "when mover is tired and wearier")
    show(session, rules, broken, 2)
    assert session.ask("textDocument/hover", position_after(rules, "is tired and wea", broken)) is None
    session.ask("shutdown", None)
    session.tell("exit", {})
    session.patience.cancel()


@sampled(0)
def test_kinds_of_pages_are_kinds_of_symbols() -> None:
    package_set = open_packages()
    rules = package_set.compiled("panssari_salama").graph  # It has things of all kinds, and is small.
    assert rules is not None
    pages = {next(iter(page)) for name in names_of(rules) for page in named_pages(rules, name)}
    symbols = {symbol.partition(" ")[0] for symbol in index_stack(package_set.library, rules.stack)[0].symbols()}
    assert {PAGES.get(page, page) for page in pages} <= symbols
    assert set(PAGES) <= {*pages, "rule", "ruling", "dispute", "case"}


def test_references_of_one_word_differ_by_symbol(session: Session, rules: Path) -> None:
    # `gait` is a field of units, the enumeration of its values, and a column of an example.
    def used(before: str) -> list[str]:
        request = {**position_after(rules, before), "context": {"includeDeclaration": False}}
        return texts_at(session.ask("textDocument/references", request))

    assert all("wheel" in each for each in used("mover.gait = w"))
    field = used("price[ground_of(to), mover.ga")
    assert all("mover.gait" in each or "(gait gait)" in each for each in field)
    assert len(field) > 3
    column = used("for (ga")
    assert column == ["moving.rules: gait in piece R: runner of north at A (gait gait)"]


def test_a_parameter_is_declared_by_its_question(session: Session, rules: Path) -> None:
    [place] = session.ask("textDocument/definition", position_after(rules, "entry_cost is price[ground_of(to), mov"))
    assert place["range"]["start"] == {"line": 2, "character": 17}


def test_a_name_of_an_example_is_declared_in_it(session: Session, rules: Path) -> None:
    found = session.ask("textDocument/hover", position_after(rules, "ask entry_cost(R"))
    assert "from line" in found["contents"]["value"]
    [place] = session.ask("textDocument/definition", position_after(rules, "ask entry_cost(R"))
    assert rules.read_text().splitlines()[place["range"]["start"]["line"]].strip().startswith("piece R: runner")


@sampled(0)
def test_a_rename_edits_all_files(session: Session, rules: Path) -> None:
    at = position_after(rules, "mover.movement - mover.sp")
    start, end = (session.ask("textDocument/prepareRename", at)[each]["character"] for each in ("start", "end"))
    assert end - start == len("spent")
    edit = session.ask("textDocument/rename", {**at, "newName": "used_up"})
    by_file = {Path(uri).name: [each["newText"] for each in edits] for uri, edits in edit["changes"].items()}
    assert set(by_file) >= {"moving.rules", "world.rules", "playing.rules"}
    count = sum(each.read_text().count("spent") for each in rules.parent.iterdir())
    assert sum(map(len, by_file.values())) == count
    assert {word for each in by_file.values() for word in each} == {"used_up"}


@pytest.mark.parametrize(
    ("before", "new", "message"),
    [
        ("mover.movement - mover.sp", "two words", "is no name for this"),
        ("verdict may_en", "entry_cost", "`entry_cost` is declared already"),
        ("when mover is tir", "gait", "would not compile as before"),
        ("entry_cost(mover: unit, from: h", "hexagon", "declared by no rules in reach"),
    ],
)
def test_an_invalid_new_name_is_refused(session: Session, rules: Path, before: str, new: str, message: str) -> None:
    slip = session.ask_and_fail("textDocument/rename", {**position_after(rules, before), "newName": new})
    assert message in slip["message"]


def test_a_function_has_a_hover(session: Session, rules: Path) -> None:
    text = rules.read_text()
    now = text.replace("> mover.movement", "> clamp(mover.movement, 1 MP, 3 MP)", 1)
    assert now != text
    show(session, rules, now, 5001)
    hover_text = session.ask("textDocument/hover", position_after(rules, "> cla", now))["contents"]["value"]
    show(session, rules, text, 5002)
    assert hover_text.startswith("```text\nfunction clamp\n")
    assert "not below the second" in hover_text


@pytest.mark.parametrize(
    ("typed", "first", "not_offered"),
    [
        ("when mover.", {"movement", "gait", "spent", "hex", "side"}, "may_enter"),
        ("when mover is ", {"tired", "unit"}, "marsh"),
        ("when to is ", {"marsh", "wood"}, "tired"),
        ("when mover.gait = ", {"foot", "wheel"}, "Nobody"),
        ("exception to ", {"pay-your-way", "hedges-stop-wheels"}, "entry_cost"),
        ("when entry_cost(", {"mover", "from", "to", "player", "neighbors"}, "Nobody"),
        ("when mover.side = ", {"north", "south", "mover"}, "Nobody"),
    ],
)
def test_offers_fit_the_position(session: Session, rules: Path, typed: str, first: set[str], not_offered: str) -> None:
    text = rules.read_text()
    line = '  rule new-rule [TOY.4] "Nobody."\n    may_enter forbidden\n    '
    now = text.replace("ruling always-one-hex", f'case more "More" {{\n{line}{typed}\n}}\n\nruling always-one-hex', 1)
    show(session, rules, now, hash(typed) % 1000 + 2)
    at = position_after(rules, f"may_enter forbidden\n    {typed}", now)
    found = session.ask("textDocument/completion", at)
    show(session, rules, text, hash(typed) % 1000 + 3)
    assert first <= {each["label"] for each in found}
    assert not_offered not in {each["label"] for each in found}


def test_names_are_offered_after_an_edit_without_an_earlier_request(rules: Path) -> None:
    text = rules.read_text()
    at_once = Session(rules.parent.parent)
    show(at_once, rules, text)
    now = text.replace("ruling always-one-hex", 'rule new [TOY.4] "No."\n  may_enter forbidden\n  when mover is ', 1)
    show(at_once, rules, now, 2)
    found = at_once.ask("textDocument/completion", position_after(rules, "when mover is ", now))
    at_once.ask("shutdown", None)
    at_once.tell("exit", {})
    at_once.patience.cancel()
    assert {"tired", "unit"} <= {each["label"] for each in found}


@pytest.mark.parametrize(
    ("before", "word", "kind"),
    [
        ("when mover.", "gait", "Field"),
        ("when mover.gait = ", "wheel", "EnumMember"),
        ("when entry_cost(", "mover", "Variable"),
        ("when entry_cost(mover, from, to) > ", "round_up", "Function"),
    ],
)
def test_an_offer_has_the_kind_of_its_symbol(session: Session, rules: Path, before: str, word: str, kind: str) -> None:
    found = session.ask("textDocument/completion", position_after(rules, before))
    [offer] = [each for each in found if each["label"] == word]
    types = pytest.importorskip("lsprotocol.types")
    assert types.CompletionItemKind(offer["kind"]).name == kind


def test_questions_come_before_rules_in_an_expression(session: Session, rules: Path) -> None:
    found = session.ask("textDocument/completion", position_after(rules, "when entry_cost(mover, from, to) > "))
    ranked = [each["label"] for each in sorted(found, key=lambda each: each["sortText"])]
    assert ranked.index("may_enter") < ranked.index("hedges-stop-wheels")


def test_a_failing_example_is_a_finding(session: Session, rules: Path) -> None:
    text = rules.read_text()
    show(session, rules, text.replace("ask entry_cost(R, B, A) = 2 MP", "ask entry_cost(R, B, A) = 3 MP"), 2001)
    session.wait_for("moving.rules", "R0556")
    show(session, rules, text, 2002)


def test_a_code_action_repairs_a_misspelled_name(session: Session, rules: Path) -> None:
    text = rules.read_text()
    wrong = text.replace("when mover is tired", "when mover is tird", 1)
    show(session, rules, wrong, 3001)
    at = position_after(rules, "when mover is tird", wrong)
    session.ask("textDocument/documentSymbol", {"textDocument": at["textDocument"]})
    [finding] = session.diagnostics["moving.rules"]
    cursor = {"start": finding["range"]["end"], "end": finding["range"]["end"]}
    for place in (finding["range"], cursor):
        # A client need not know the findings: the range is what the server answers.
        here = {"textDocument": at["textDocument"], "range": place, "context": {"diagnostics": []}}
        [action] = session.ask("textDocument/codeAction", here)
        assert (action["title"], action["edit"]["changes"][rules.as_uri()][0]["newText"]) == ("write `tired`", "tired")
    elsewhere = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    nothing = {"textDocument": at["textDocument"], "range": elsewhere, "context": {"diagnostics": [finding]}}
    assert session.ask("textDocument/codeAction", nothing) == []
    show(session, rules, text, 3002)


def test_symbols_of_the_workspace_are_searched(session: Session) -> None:
    found = session.ask("workspace/symbol", {"query": "hedge"})
    assert {(each["name"], Path(each["location"]["uri"]).name) for each in found} >= {
        ("hexside.hedge", "world.rules"), ("hedges-stop-wheels", "moving.rules"),
    }  # fmt: skip
