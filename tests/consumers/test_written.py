"""Every class that the grammar builds, and everything with a name, for the formatter, `explain` and `tree`.

The toys contain each class, which is asserted here, so tests with all their paragraphs cover every class. A new class
that no toy has fails a test, and so does a name without a page of `explain`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from compiler.format.rules import format_rules
from compiler.index.occurrences import list_occurrences
from compiler.layered.amendment_text import list_amendments
from compiler.layered.amendment_verbs import AMENDMENTS
from compiler.layered.step_selectors import matches_step, step_name
from compiler.source import nodes as source
from compiler.source.building import builders
from compiler.source.expected_tokens import TokenPhrase, expected_phrases
from compiler.source.expression_text import equal_as_written, expression_text
from compiler.source.grammar import paragraph_keywords, parser_tables
from compiler.source.nodes.declarations import Declaration
from compiler.source.parse import parse_rules
from compiler.typed.declarations import DECLARATIONS
from rulewright.explain.views.pages import as_text, explain_page
from rulewright.explain.views.trees import term_tree
from rulewright.library.stacks import Stack, open_packages
from runtime.witness.structural_difference import VOCABULARY
from tests.sample import sampled

TOYS = (Path("tests/constructs/toy"), Path("tests/stages/source"), Path("tests/toys"))
# Statements about layers below, and about facts of cards: no toy has either.
BESIDES = """
track scenario.shore: set of hex = {} required "where boats land" when scenario.turns > 3
requires scenario.shore "where boats land" for departures
extend kind bead has luster: 0..9 = 5
action walk by player [house] "Walk." replaces action go of core expecting "1f3a9c20" { stop }
example "one is given up" {
  row A
  piece P: bead of red at A
  do give_up(red) choosing lost: P
  ask P is gone
}
"""
# Phases are declared where they stand in the sequence; the others change it.
WITHOUT_NAME = {source.Phase, source.Insert, source.Beside}
UNWRITTEN = {"BeginAccount"}  # It has no notation; a rule that wraps an account creates it.


@cache
def files() -> tuple[tuple[str, source.RulesFile], ...]:
    """Return the files of the toys, as text and parsed."""
    found = []
    for file in sorted(file for toy in TOYS for file in toy.rglob("*.rules")):
        text = file.read_text(encoding="utf-8")
        read, problems = parse_rules(text, file.name)
        if not problems:
            found.append((text, read))
    read, problems = parse_rules(BESIDES, "besides.rules")
    assert problems == ()
    return (*found, (BESIDES, read))


def built(hint: Any, found: set[type]) -> set[type]:
    """Collect the classes of nodes in the fields of a type, recursively."""
    if is_dataclass(hint) and isinstance(hint, type):
        if hint not in found:
            found.add(hint)
            for inner in get_type_hints(hint).values():
                built(inner, found)
    elif get_origin(hint) in (tuple, Union, UnionType, dict):
        for part in get_args(hint):
            built(part, found)
    return found


def inside(value: Any) -> Iterator[Any]:
    """Yield every node in a value."""
    if isinstance(value, tuple):
        for each in value:
            yield from inside(each)
    elif is_dataclass(value):
        yield value
        for field in fields(value):
            yield from inside(getattr(value, field.name))


def test_the_toys_have_every_class_with_a_notation() -> None:
    wanted = {each.__name__ for each in built(source.RulesFile, set())}
    held = {node.__class__.__name__ for _, read in files() for node in inside(read)}
    assert wanted - held == UNWRITTEN, "give each a form in compiler/source/building, and use it in toy.rules"


def test_every_rule_of_the_grammar_has_a_builder() -> None:
    rules = (each for each in parser_tables().lark.rules if not each.options.expand1)
    names = {str(each.alias or each.origin.name) for each in rules}
    missing = {name for name in names if not name.startswith("_") and not hasattr(builders(), name)}
    assert not missing, "compiler/source/building has no builder of that name"


def test_every_declaration_has_a_record() -> None:
    declared = {*get_args(Declaration), *get_args(source.Conduct), *get_args(source.Statement)} - WITHOUT_NAME
    assert declared - {*get_args(source.Law)} == {*DECLARATIONS}, (
        "a class without a record, or a record outside a union"
    )
    for record in DECLARATIONS.values():
        assert record.names.keys() <= {each.name for each in fields(record.node)}
        assert {use.partition(" ")[0] for use in record.names.values()} <= {"declares", "uses", "binds", "speaks_on"}
        # Labels and sequences are no names of the environment.
        declared_names = [use for use in record.names.values() if use.startswith("declares")]
        is_bound = declared_names not in ([], ["declares label"], ["declares sequence"])
        assert bool(record.binds) == is_bound, "a name that nothing binds"


def test_every_word_of_a_declaration_is_a_name() -> None:
    """A record lists the parts that are names, and the index finds them."""
    lost = []
    for text, read in files():
        spans = {name.span for name in list_occurrences(read, {}, text)}
        declared = [each for each in read.statements if isinstance(each, Declaration)]
        words = [node for each in declared for node in inside(each) if isinstance(node, source.Word)]
        lost += [word.text for word in words if word.span not in spans]
    assert lost == [], "add them to the names of the record in compiler/typed/declarations"


def test_every_verb_of_amendments_has_a_record_and_is_used() -> None:
    assert {*get_args(source.AmendVerb)} == {*AMENDMENTS}, "add a record to compiler/layered/amendment_verbs.py"
    amending = [node for _, read in files() for node in inside(read) if isinstance(node, source.Rule) and node.amends]
    assert {amendment.verb for rule in amending for amendment in rule.amends} == {*AMENDMENTS}
    for rule in amending:
        for amendment, (line, key) in zip(rule.amends, list_amendments(rule), strict=False):
            assert line.startswith("replaces until of" if amendment.verb == "until" else amendment.verb)
            assert key == amendment.target.within.key


def test_tokens_that_may_begin_a_text_are_called_a_paragraph() -> None:
    grammar = parser_tables()
    start = grammar.begin("start").state_stack
    usable = {each.name for each in grammar.lark.terminals if grammar.accepts(start, each.name)}
    assert expected_phrases(usable, "", grammar.fixed) == (TokenPhrase.PARAGRAPH,)


def test_no_keyword_that_ends_a_paragraph_begins_a_step_or_a_setting() -> None:
    grammar = parser_tables()
    members = [each for each in grammar.lists if not grammar.shiftable_terminal(each, ("MEASURE", "RULE"))]
    words = grammar.vocabulary.words.items()
    begin = {word for word, kinds in words if any(grammar.shiftable_terminal(each, kinds) for each in members)}
    assert not begin & paragraph_keywords(), "`_ALSO_WITHIN_PARAGRAPHS` of compiler/source/grammar.py"


@sampled(0)
def test_every_paragraph_is_formatted_and_parsed_to_equal_nodes() -> None:
    for text, read in files():
        formatted, left = format_rules(text, "text.rules")
        assert left == ()
        reparsed, problems = parse_rules(formatted, "text.rules")
        assert problems == ()
        assert equal_as_written(read.statements, reparsed.statements)


def test_every_step_can_be_selected_by_an_amendment() -> None:
    """The name of a step is parsed as a selector, which matches the step."""
    steps = [node for _, read in files() for node in inside(read) if isinstance(node, source.Step)]
    assert set(get_args(source.Step)) - {each.__class__ for each in steps} == {source.BeginAccount}
    for step in steps:
        if not isinstance(step, source.Proceed):
            text = f'rule r [house] "R." withdraws step {step_name(step)} of action a\n'
            read, problems = parse_rules(text, "text.rules")
            assert problems == (), text
            (pointed,) = (node for node in inside(read) if isinstance(node, source.StepSelector))
            assert matches_step(pointed, step), text


def test_the_text_of_every_expression_is_parsed_to_an_equal_one() -> None:
    """Messages quote this text, and selectors of steps contain it."""
    whole = [node for _, read in files() for node in inside(read) if isinstance(node, source.Expression)]
    assert set(get_args(source.Expression)) - {each.__class__ for each in whole} == set()
    texts = {expression_text(node): node for node in whole}
    text = "".join(f"define t{at}() = {written_text}\n" for at, written_text in enumerate(texts))
    read, problems = parse_rules(text, "text.rules")
    assert problems == ()
    for defined, (written_text, node) in zip(read.statements, texts.items(), strict=True):
        assert isinstance(defined, source.Define)
        assert equal_as_written(defined.body, node), written_text


@cache
def constructs() -> Stack:
    """Return the toy that has every construct."""
    return open_packages((TOYS[0],)).compiled("constructs")


def names() -> Iterator[str]:
    """Yield everything with a name: terms, rules, charts, procedures, and what is declared."""
    rules = constructs().graph
    assert rules is not None
    vocabulary = rules.vocabulary
    yield from (*rules.terms, *rules.rules, *rules.tables)
    yield from (each.name for each in rules.procedures.values() if each.what in ("action", "resolution"))
    for part in (*VOCABULARY, "measures"):
        yield from (key.rpartition(".")[2] for key in getattr(vocabulary, part))


def test_every_name_has_a_page_of_explain() -> None:
    pages = {name: explain_page(constructs(), name) for name in names()}
    assert [name for name, page in pages.items() if page is None] == []
    texts = {name: as_text(page, constructs().rules) for name, page in pages.items() if page is not None}
    assert [name for name, text in texts.items() if not text.strip()] == []


def test_the_tree_of_every_term_has_all_its_rules() -> None:
    rules = constructs().graph
    assert rules is not None

    def drawn(branches: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        for each in branches:
            yield each["rule"]
            yield from drawn(each.get("exceptions", []))

    for name, term in rules.terms.items():
        data = term_tree(rules, name)
        assert data["signature"].startswith(name.partition(".")[0])
        assert set(term.rules) <= set(drawn(data["rules"])), name
