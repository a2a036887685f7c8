"""The problems of a card on its stack, recomputed only after a change of what the last computation read.

The absence of problems is a stored verdict like those of proofs (trace_store.py). Its key are the files of the card and
its boards, the patches of layers, and the outline of the stack: everything except the conditions and values of rules.
Its trace are the rules that were evaluated while the lines of the card were proved and its situation was played.
"""

from collections.abc import Iterator
from functools import cache

from compiler.analysis.arithmetic.strategy import available_strategy
from compiler.analysis.findings.prose_differs import prose_differs
from compiler.analysis.idle_card_lines import idle_lines
from compiler.analysis.laws import Laws, laws_of
from compiler.analysis.recording_graph import RecordingGraph
from compiler.analysis.special_rule_clashes import special_clashes
from compiler.analysis.suspects import Suspect
from compiler.compile import CompilationResult, compile_stack
from compiler.layered.layer_selection import layers_of_stack
from compiler.query.traces import content_hash, hash_texts
from compiler.source.finding import Finding
from compiler.source.nodes import Example, Scenario
from compiler.source.package import Library, load_layer
from rulewright.checks import trace_store
from rulewright.checks.confirming_witness import confirming_witness
from rulewright.checks.invariant_breaches import breaches_on_card
from rulewright.checks.missing_aims import missing_aims_in
from rulewright.checks.proof_database import open_proof_database
from rulewright.checks.stuck_offers import record_dependencies, record_play, stuck_offers_in
from rulewright.games.faults import without_hexes
from rulewright.library.example_targets import examples_of
from rulewright.library.stacks import PackageSet
from runtime.graph import nodes as graph
from runtime.graph.call_graph import terms_queried
from runtime.graph.geometry import geometry_users
from runtime.graph.witness_position import WitnessPosition
from runtime.witness.find_witness import BOUND


def prove_card(package_set: PackageSet, card: Scenario, stack: str) -> tuple[Finding, ...]:
    """Compile a card, prove its lines and play its situation, unless a trace is valid; return its problems."""
    base = package_set.compiled(stack)
    rules = base.graph
    if rules is None:
        return compile_stack(package_set.library, stack, card).problems
    with open_proof_database() as database:
        laws = laws_of(rules, database, trace_store.store)

        @cache
        def compiled() -> CompilationResult:
            return compile_stack(package_set.library, stack, card)

        def line_problems() -> tuple[Finding, ...]:
            return tuple(each for each in _line_problems(card, compiled(), laws) if each not in base.problems)

        def play_problems() -> tuple[Finding, ...]:
            return _play_problems(compiled().graph, laws.recording)

        steps = laws.recording.database.tuple_of(rules.procedures.values())
        outline = database.derive("outline", (rules.rules,), lambda: hash_texts(*_outline(rules)))
        input_digest = hash_texts(
            stack, *_card_inputs(package_set, card, stack), outline, *_geometry_user_names(package_set, card, rules)
        )
        sound: tuple[tuple[Finding, ...]] = ((),)
        prove = laws.recording.prove
        return (
            *base.problems,
            *prove("card", steps, line_problems, sound, input_digest),
            *prove("walk", steps, play_problems, sound, input_digest),
        )


def _line_problems(card: Scenario, compiled: CompilationResult, below: Laws) -> tuple[Finding, ...]:
    """Return the problems of the lines of a card, and record their dependencies in the laws of the stack."""
    rules, recording = compiled.graph, below.recording
    if rules is None:
        recording.record_whole()
        return compiled.problems
    laws = laws_of(rules)
    suspects: list[Suspect] = []

    def confirm_suspect(suspect: Suspect) -> WitnessPosition | None:
        suspects.append(suspect)
        return confirming_witness(rules, suspect)

    with laws.recording.database.tracing() as trace:
        clashes = special_clashes(rules, confirm_suspect, BOUND, available_strategy(), laws)
        idle = idle_lines(rules, laws)
        breaches = tuple(breaches_on_card(laws.stack, card))
        prose = tuple(prose_differs(laws.stack, card.span.file)) if card.special else ()
    recording.record(read for read in trace if read[0] in recording.tables)
    # A card refers to words and counters; compilation checks whether they exist.
    recording.record((table, None) for table in (*recording.vocabulary_tables(), "counters"))
    # A search for a position may evaluate any rule, term or table.
    recording.record((table, None) for table in ("rules", "terms", "tables") if suspects)
    return (*compiled.problems, *clashes, *prose, *idle, *without_hexes(rules), *breaches)


def _play_problems(rules: graph.Graph | None, recording: RecordingGraph) -> tuple[Finding, ...]:
    """Return the problems of playing the situation of a card, and record their dependencies."""
    if rules is None:
        recording.record_whole()
        return ()
    record_play(recording)
    problems: list[Finding] = []
    for search in (stuck_offers_in, missing_aims_in):
        found, dependencies = search(rules)
        record_dependencies(recording, dependencies)
        problems += found
    return tuple(problems)


def _card_inputs(package_set: PackageSet, card: Scenario, stack: str) -> Iterator[str]:
    """Yield the inputs of a card other than its stack."""
    library = package_set.library
    layers = layers_of_stack(library, stack)
    names = sorted({placement.board.text for placement in card.map})
    yield repr(card)
    for name in names:
        board = library.boards.get(name) or library.outlines.get(name)
        yield name if board is None else f"{name}\n{library.texts[board.span.file]}"
    patches = (patch for layer in layers for patch in load_layer(library, layer.name.text)[0].card_patches)
    yield from (repr(patch) for patch in patches if patch.card.text == card.name.text)
    yield from (repr(example) for layer in layers for example in _examples_on(library, layer.name.text, card))
    yield repr(library.documents)


def _examples_on(library: Library, layer: str, card: Scenario) -> Iterator[Example]:
    """Yield the examples of a layer that start on a card; their types are only checked with the card."""
    yield from (each for each in examples_of(library, layer) if each.upon and each.upon.text == card.name.text)


def _geometry_user_names(package_set: PackageSet, card: Scenario, rules: graph.Graph) -> Iterator[str]:
    """Yield the names of the users of lines and directions, if a card has a map without hexes."""
    boards = [package_set.library.boards.get(placement.board.text) for placement in card.map]
    if all(board is not None and board.kind != "hexes" for board in boards):
        yield from (f"{function} {label}" for function, label, _ in geometry_users(rules))


def _outline(rules: graph.Graph) -> Iterator[str]:
    """Yield the outline of a stack: without words, counters, procedures, and the conditions and values of rules."""
    yield content_hash((*rules.layers, *rules.preconditions, *rules.terms.values(), *rules.tables.values()))
    yield repr((rules.outcome, rules.aims, sorted(rules.cases), sorted(rules.disputes)))
    for rule in rules.rules.values():
        called_terms = sorted(rules.terms.keys() & {*terms_queried((rule.names, rule.guard, rule.value))})
        yield repr(
            (rule.label, rule.terms, rule.verb, rule.defeats, rule.relations, rule.case, rule.reading, called_terms)
        )
