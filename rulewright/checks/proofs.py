"""Prove a stack: the compiler's checks, and the runtime's search for positions that show a finding.

In: a compiled stack. Out: problems, and their diagnostics with those of compilation and of cards.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from compiler.analysis.arithmetic.strategy import available_strategy
from compiler.analysis.budgets import step_limit
from compiler.analysis.confirmation import ProofResult, proof_result
from compiler.analysis.findings.counter_alone import CounterAlone
from compiler.analysis.findings.never_read import NeverSet
from compiler.analysis.laws import laws_of
from compiler.analysis.proof_context import ProofStrategy
from compiler.analysis.prove import problems_of_examples, prove_graph
from compiler.report.diagnose import diagnose
from compiler.report.diagnostic import Diagnostic
from compiler.source.finding import Finding
from rulewright.checks import trace_store
from rulewright.checks.card_library import card_problems, names_set_on_cards
from rulewright.checks.confirming_witness import confirming_witness
from rulewright.checks.drawn_counters import differing_drawn_rows, redrawn_counters
from rulewright.checks.invariant_breaches import breaches_in_examples, misprinted_facts
from rulewright.checks.proof_database import open_proof_database
from rulewright.checks.stuck_offers import OfferProblem, find_stuck_offers
from rulewright.checks.suspicious_layers import suspicious_layers
from rulewright.checks.unlaid_boards import unlaid_board_problems
from rulewright.checks.unused_words import unused_words
from rulewright.library import cache
from rulewright.library.finding_attribution import attribute_findings, top_layer_of
from rulewright.library.stacks import PackageSet, Stack
from rulewright.system.environment import command_for
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.words import counted_noun
from runtime.witness.find_witness import BOUND

CheckResults = Callable[[], Sequence[tuple[Finding, ...]]]


@frozen_dataclass
class PlayFindings:
    """The findings of play: problems of the cards of a stack, and its offers that can be stuck."""

    cards: tuple[Finding, ...]
    stuck_offers: tuple[Finding, ...]


def list_findings(stack: Stack) -> list[Diagnostic]:
    """Return the findings of compiling a stack and, if it compiles, of proofs and of its cards."""
    if stack.graph is None or stack.is_broken:
        return list(stack.diagnostics)
    played = PlayFindings(without_stack_findings(stack, card_problems(stack)), problems_of_offers(stack.graph))
    return diagnostics_of(stack, problems_of_rules(stack), played)


def diagnostics_of(stack: Stack, rules: tuple[Finding, ...], played: PlayFindings) -> list[Diagnostic]:
    """Return the diagnostics of the problems of a stack that compiles.

    The suspicion of an odd counter is omitted if an example draws it differently from the chart.
    """
    assert stack.graph is not None
    misdrawn_rows = differing_drawn_rows(stack.graph)
    rule_problems = (
        rule
        for rule in rules
        if not (
            isinstance(rule, CounterAlone) and (rule.counter.origin.file, rule.counter.origin.line) in misdrawn_rows
        )
    )
    found = diagnose((*rule_problems, *played.stuck_offers, *played.cards), stack.texts)
    return [*stack.diagnostics, *_attributed(stack, found, cards=bool(played.cards))]


def without_stack_findings(stack: Stack, problems: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return problems without those of the stack itself, which compiling a card on it repeats."""
    return tuple(problem for problem in problems if problem not in stack.problems)


def problems_of_offers(rules: graph.Graph) -> tuple[OfferProblem, ...]:
    """Return the offers without open options, found by play from the positions of a stack's examples."""
    with open_proof_database() as database:
        return find_stuck_offers(rules, laws_of(rules, database, trace_store.store))


def problems_of_rules(stack: Stack, check_results: CheckResults | None = None) -> tuple[Finding, ...]:
    """Return the problems of the rules of a stack that compiles, except those found by play.

    A relation, a status or a track that is only set on a card is not reported as never set.
    """
    assert stack.graph is not None
    proved = prove_stack(stack.graph, check_results).problems
    if any(isinstance(each, NeverSet) for each in proved):
        on_cards = names_set_on_cards(stack)
        proved = tuple(
            each for each in proved
            if not isinstance(each, NeverSet) or (each.kind, _name_on_card(each.name)) not in on_cards
        )  # fmt: skip
    return (*proved, *problems_without_proofs(stack))


def _name_on_card(name: str) -> str:
    """Return a name as cards set it: kinds of pieces are not told apart."""
    owner, dot, note = name.rpartition(".")
    return name if not dot or owner in ("hex", "side") else f"piece.{note}"


def problems_after_examples_changed(stack: Stack) -> tuple[tuple[Finding, ...], PlayFindings]:
    """Return the problems of a stack that may change if only its own examples have changed."""
    assert stack.graph is not None
    return (*problems_of_examples(stack.graph), *problems_without_proofs(stack)), PlayFindings(
        (), problems_of_offers(stack.graph)
    )


def problems_without_proofs(stack: Stack) -> Iterator[Finding]:
    """Yield the problems of a stack that compiles that require no proofs."""
    assert stack.graph is not None
    yield from unused_words(stack)
    yield from suspicious_layers(stack)
    yield from unlaid_board_problems(stack)
    yield from misprinted_facts(stack.graph)
    yield from breaches_in_examples(stack.graph)
    yield from redrawn_counters(stack.graph)


def _attributed(stack: Stack, found: list[Diagnostic], *, cards: bool) -> list[Diagnostic]:
    """Attribute findings to changes of the topmost layer; `cards`: also compare the findings of cards."""

    def lower_diagnostics(name: str) -> list[Diagnostic] | None:
        lower = PackageSet(stack.library, ()).compiled(name)
        if lower.graph is None:
            return None
        of_cards = without_stack_findings(lower, card_problems(lower)) if cards else ()
        return diagnose((*problems_of_rules(lower), *problems_of_offers(lower.graph), *of_cards), stack.texts)

    if found:
        return attribute_findings(found, top_layer_of(stack.library, stack.name), stack.name, lower_diagnostics)
    return found


@frozen_dataclass
class _SkippedCheck:
    """A check that was skipped, and why."""

    check: str
    reason: str


def skipped_checks(undecided: Sequence[str]) -> tuple[_SkippedCheck, ...]:
    """Return the checks that were skipped because of a missing package, given the open questions."""
    if not undecided:
        return ()
    questions = ", ".join(undecided[:3]) + (", .." if len(undecided) > 3 else "")
    check = f"proofs by arithmetic ({counted_noun(len(undecided), 'question')}: {questions})"
    return (_SkippedCheck(check, f"z3-solver is not installed; `{command_for('prover')}` brings it"),)


def prove_stack(rules: graph.Graph, check_results: CheckResults | None = None) -> ProofResult:
    """Prove a stack, also by arithmetic if that is installed, with caching by its graph.

    `check_results` returns the results of the checks of the whole stack, some of which a worker computes.
    """
    strategy = available_strategy()
    stamp = cache.compiler_stamp("compiler", "runtime")
    key = cache.cache_key(
        b"proofs", b"reckoned" if strategy else b"by cases", str(step_limit()).encode(), stamp, rules.hash.encode()
    )
    return cache.remember_result(key, lambda: _prove(rules, strategy, check_results))


def _prove(rules: graph.Graph, strategy: ProofStrategy | None, check_results: CheckResults | None) -> ProofResult:
    with open_proof_database() as database:
        summary = prove_graph(rules, strategy, database, trace_store.store, check_results)
        return proof_result(rules, summary, lambda suspect: confirming_witness(rules, suspect), BOUND)
