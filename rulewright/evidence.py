"""Run all examples that concern a stack, for its book.

A stack contains only the examples for exactly this stack. A book also prints those of the layers below: run under the
stack of the book if they pass there, otherwise under their own stack.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from compiler.analysis.checks.uncited_rule import uncited_rule
from compiler.compile import InnerExample, Inside, inner_examples
from compiler.report.answers import ExampleFailed, RuleUnshown
from compiler.report.diagnose import Problem
from compiler.rulebook.evidence import AnswerEvidence, ExampleOutcome, Reason, named_in, unplayed_outcomes
from compiler.rulebook.homes import find_homes
from compiler.source.garbage_collection import without_garbage_collection
from rulewright import worker
from rulewright.failures import list_failures
from rulewright.library import cache
from rulewright.library.stacks import PackageSet, Stack
from rulewright.progress import report_stage
from runtime.answer.explain import DEFEATED, Explanation
from runtime.examples.example_budget import ExampleBudget
from runtime.examples.line_results import LineResult, tell_row
from runtime.examples.row_result import Run
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.related_procedures import amended_by
from runtime.play.game import SEQUENCE


@dataclass(frozen=True, slots=True)
class Evidence:
    """The outcomes of the examples of a book, and their failures.

    `shared` are layers with examples for other stacks too: two games may share a rule that an example of one shows.
    `stamp` identifies these examples and rules.
    """

    played: tuple[ExampleOutcome, ...]
    failed: tuple[ExampleFailed, ...]
    shared: frozenset[str]
    stamp: bytes = b""


def gather_evidence(package_set: PackageSet, stack: Stack) -> Evidence:
    """Run the examples of a stack and of every stack inside it, with caching."""
    assert stack.graph
    assert stack.env
    rules, env = stack.graph, stack.env
    stamp = cache.compiler_stamp("runtime", "compiler", "rulewright")
    texts = (part.encode() for item in sorted(package_set.library.texts.items()) for part in item)
    key = cache.cache_key(b"evidence", stamp, rules.hash.encode(), *texts)
    with without_garbage_collection():
        played = cache.remember(
            key, lambda: _play(package_set, rules, *inner_examples(package_set.library, stack.name, env))
        )
        return replace(played, stamp=key.encode())


def examples_as_written(stack: Stack) -> tuple[ExampleOutcome, ...]:
    """Return the examples of a book in order, without running them: their outcomes are empty."""
    assert stack.graph
    assert stack.env
    inner, _ = inner_examples(stack.library, stack.name, stack.env)
    return (
        *(ExampleOutcome(each, under, (), frozenset()) for each, under, _ in inner),
        *unplayed_outcomes(stack.graph),
    )


def publication_obstacles(rules: graph.Graph, evidence: Evidence) -> tuple[Problem, ...]:
    """Return the problems that prevent a book: failing examples, rules without source, sentence or example."""
    shown = {label for each in evidence.played for label in (*each.shows, *named_in(each.example), *_overruled(each))}
    homes = find_homes(rules)
    unshown = (
        RuleUnshown(rule.label, rule.origin)
        for rule in rules.rules.values()
        if not {rule.label, rule.ruling} & shown
        and not homes.only_defines(rule)
        and rule.origin.layer not in evidence.shared
    )
    return (*evidence.failed, *uncited_rule(rules), *unshown)


def _overruled(played: ExampleOutcome) -> Iterator[str]:
    """Yield the rules that an example shows as overruled."""
    answers = (answered for case in played.cases for answered in case if answered is not None)
    yield from (label for answered in answers for label, _ in answered.overruled)


@dataclass(frozen=True, slots=True)
class _PlayedExample:
    """The outcome of an example, with its failures."""

    outcome: ExampleOutcome
    failed: tuple[ExampleFailed, ...]


Jobs = worker.Jobs[_PlayedExample]


def _play(package_set: PackageSet, rules: graph.Graph, inner: Inside, shared: frozenset[str]) -> Evidence:
    """Run the examples of inner stacks first, as a book prints them, then the own ones, in two processes."""
    together = ExampleBudget(rules)
    own = [partial(_play_own, rules, example, together) for example in rules.examples]
    below = [partial(_play_inner, package_set, rules, each, together) for each in inner]
    listed = [*_counted("playing examples of the layers below", below), *_counted("playing examples", own)]
    jobs = Jobs(listed)
    with worker.in_parallel(partial(_share, jobs, together)) as other:
        mine, used = _share(jobs, together)
        theirs, used_beside = other()
    played = jobs.results(mine, theirs)
    if used + used_beside >= ExampleBudget(rules).left:  # The budget then stops the same examples in either process.
        together.left = ExampleBudget(rules).left
        played = [job() for job in listed]
    failed = tuple(each for example in played for each in example.failed)
    return Evidence(tuple(each.outcome for each in played), failed, shared)


def _counted(what: str, jobs: Sequence[Callable[[], _PlayedExample]]) -> Iterator[Callable[[], _PlayedExample]]:
    """Wrap jobs so that each reports the number of jobs started before it."""

    def reported(begun: int, job: Callable[[], _PlayedExample]) -> _PlayedExample:
        report_stage(what, begun, len(jobs))
        return job()

    return (partial(reported, begun, job) for begun, job in enumerate(jobs))


def _share(jobs: Jobs, together: ExampleBudget) -> tuple[dict[int, _PlayedExample], float]:
    """Run the remaining jobs in the worker; return the outcomes and the used budget."""
    before = together.left
    return jobs.take(), before - together.left


def _play_own(rules: graph.Graph, example: graph.Example, together: ExampleBudget) -> _PlayedExample:
    """Run an example of the stack itself."""
    told, runs = _played(rules, example, "", together)
    return _PlayedExample(told, tuple(list_failures(runs)))


def _play_inner(
    package_set: PackageSet, rules: graph.Graph, inner: InnerExample, together: ExampleBudget
) -> _PlayedExample:
    """Run an example of an inner stack: under this stack if it compiles and passes, otherwise under its own."""
    example, under, problems = inner
    here = None if problems else _played(rules, example, "", together)
    if here is None or not all(run.has_passed for run in here[1]):
        here = _played_elsewhere(package_set, example, under, together)
    return _PlayedExample(here[0], tuple(list_failures(here[1])))


def _played_elsewhere(
    package_set: PackageSet, example: graph.Example, under: str, together: ExampleBudget
) -> tuple[ExampleOutcome, list[Run]]:
    """Run an example under its own stack, as this stack changes what it shows."""
    home = package_set.compiled(under).graph
    assert home is not None, f"{under} compiles whenever a stack around it does"
    own = next(each for each in home.examples if (each.origin, each.title) == (example.origin, example.title))
    return _played(home, own, under, together)


def _played(
    rules: graph.Graph, example: graph.Example, under: str, together: ExampleBudget
) -> tuple[ExampleOutcome, list[Run]]:
    told = []
    for row in range(max(1, len(example.rows))):
        with together.row():
            told.append(tell_row(rules, example, row))
    cases = tuple(tuple(_answered(line) for line in lines) for _, lines in told)
    shows = frozenset(label for run, _ in told for label in (*run.rules, *_amends(rules, run)))
    return ExampleOutcome(example, under, cases, shows), [run for run, _ in told]


def _amends(rules: graph.Graph, run: Run) -> Iterator[str]:
    """Yield the rules of the example's layer that amend the procedures it runs."""
    carried_out = {*run.entered, *([SEQUENCE] if run.follows_sequence else [])}
    if not carried_out:
        return
    mine = (rule for rule in rules.rules.values() if rule.relations and rule.origin.layer == run.example.origin.layer)
    yield from (rule.label for rule in mine if carried_out.intersection(amended_by(rules, rule)))


def _answered(telling: LineResult | None) -> AnswerEvidence | None:
    if telling is None:
        return None
    found = telling.explanation
    if found is None:
        return AnswerEvidence(telling.answer, "", (), (), "", (), telling.account_sentences)
    because = tuple(
        Reason(each.label, each.says, each.why, tuple((cell.label, cell.says) for cell in each.cells))
        for each in found.applied_rules()
    )
    overruled = tuple((each.label, each.by) for each in found.clauses if each.status == DEFEATED)
    return AnswerEvidence(
        telling.answer, words.sentence(found.sentence), because, overruled, found.default, tuple(_steps(found))
    )


def _steps(found: Explanation) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the questions behind an explanation, without duplicates, with the rules that answered."""
    told: dict[str, tuple[str, ...]] = {}
    asked = [*found.explanations, *(below for each in found.applied_rules() for below in each.explanations)]
    for below in asked:
        told.setdefault(words.sentence(below.sentence), tuple(each.label for each in below.applied_rules()))
    yield from told.items()
