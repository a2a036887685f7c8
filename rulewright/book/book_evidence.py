"""Run all examples that concern a stack, for its book.

In: a compiled stack. Out: the outcome of each example, or what prevents a book. A stack contains only the examples for
exactly this stack. A book also prints those of the layers below: run under the stack of the book if they pass there,
otherwise under their own stack.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from compiler.analysis.findings.uncited_rule import uncited_rule
from compiler.compile import InnerExample, InnerExamples, inner_examples
from compiler.report.findings.failed_examples import ExampleFailed
from compiler.report.findings.missing_examples import RuleUnshown
from compiler.rulebook.evidence import AnswerEvidence, DecidingRule, ExampleOutcome, labels_in, unplayed_outcomes
from compiler.rulebook.printed_places import find_printed_places
from compiler.source.finding import Finding
from compiler.source.garbage_collection import without_garbage_collection
from rulewright.checks.failures import list_failures
from rulewright.library import cache
from rulewright.library.stacks import PackageSet, Stack
from rulewright.system import worker
from rulewright.system.progress import report_stage
from runtime.answer.answer_block import AnswerBlockBuilder
from runtime.answer.explain import DEFEATED, Explanation
from runtime.examples.example_budget import ExampleBudget
from runtime.examples.line_results import LineResult, run_row_by_line
from runtime.examples.row_result import Run
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.document_text import line_text
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.grouping import group_by
from runtime.graph.related_procedures import amended_procedures
from runtime.play.game import SEQUENCE


@frozen_dataclass
class ExampleEvidence:
    """The outcomes of the examples of a book, and their failures.

    `shared_layers` are layers with examples for other stacks too: two games may share a rule that an example of one
    shows. `stamp` identifies these examples and rules.
    """

    outcomes: tuple[ExampleOutcome, ...]
    failed: tuple[ExampleFailed, ...]
    shared_layers: frozenset[str]
    stamp: bytes = b""


def gather_evidence(package_set: PackageSet, stack: Stack) -> ExampleEvidence:
    """Return the results of the examples of a stack and of every stack inside it, with caching."""
    assert stack.graph
    assert stack.env
    rules, env = stack.graph, stack.env
    stamp = cache.compiler_stamp("runtime", "compiler", "rulewright")
    texts = (part.encode() for item in sorted(package_set.library.texts.items()) for part in item)
    key = cache.cache_key(b"evidence", stamp, rules.hash.encode(), *texts)
    with without_garbage_collection():
        played = cache.remember_result(
            key, lambda: _play(package_set, rules, *inner_examples(package_set.library, stack.name, env, in_force=True))
        )
        return replace(played, stamp=key.encode())


def unplayed_examples(stack: Stack) -> tuple[ExampleOutcome, ...]:
    """Return the examples of a book in order, without running them: their outcomes are empty."""
    assert stack.graph
    assert stack.env
    inner, _ = inner_examples(stack.library, stack.name, stack.env, in_force=True)
    return (
        *(ExampleOutcome(each, stack_name, (), frozenset()) for each, stack_name, _ in inner),
        *unplayed_outcomes(stack.graph),
    )


def publication_obstacles(rules: graph.Graph, evidence: ExampleEvidence) -> tuple[Finding, ...]:
    """Return the problems that prevent a book: failing examples, rules without source, sentence or example."""
    shown_labels = {
        label
        for outcome in evidence.outcomes
        for label in (*outcome.shows, *labels_in(outcome.example), *_overruled(outcome))
    }
    printed_places = find_printed_places(rules)
    unshown = (
        RuleUnshown(rule.label, rule.origin)
        for rule in rules.rules.values()
        if not {rule.label, rule.ruling} & shown_labels
        and not printed_places.only_defines(rule)
        and rule.origin.layer not in evidence.shared_layers
    )
    return (*evidence.failed, *uncited_rule(rules), *unshown)


def _overruled(played: ExampleOutcome) -> Iterator[str]:
    """Yield the rules that an example shows as overruled."""
    answers = (answered for case in played.cases for answered in case if answered is not None)
    yield from (label for answered in answers for label, _ in answered.overruled)


@frozen_dataclass
class _PlayedExample:
    """The outcomes of an example, one for each position that its columns set up, with its failures."""

    outcomes: tuple[ExampleOutcome, ...]
    failed: tuple[ExampleFailed, ...]


Jobs = worker.SharedJobs[_PlayedExample]


def _play(package_set: PackageSet, rules: graph.Graph, inner: InnerExamples, shared: frozenset[str]) -> ExampleEvidence:
    """Run the examples of inner stacks first, as a book prints them, then the own ones, in two processes."""
    budget = ExampleBudget(rules)
    own_groups = group_by(rules.examples, lambda example: example.origin)
    inner_groups = group_by(inner, lambda each: (each[0].origin, each[1]))
    own_jobs = [partial(_play_own, rules, group, budget) for group in own_groups.values()]
    inner_jobs = [partial(_play_inner, package_set, rules, group, budget) for group in inner_groups.values()]
    all_jobs = [*_counted("playing examples of the layers below", inner_jobs), *_counted("playing examples", own_jobs)]
    jobs = Jobs(all_jobs)
    with worker.run_parallel(partial(_share, jobs, budget)) as other:
        own_results, used_budget = _share(jobs, budget)
        other_results, other_used_budget = other()
    played = jobs.results(own_results, other_results)
    if (
        used_budget + other_used_budget >= ExampleBudget(rules).remaining_members
    ):  # The budget then stops the same examples in either process.
        budget.remaining_members = ExampleBudget(rules).remaining_members
        played = [job() for job in all_jobs]
    failed = tuple(each for example in played for each in example.failed)
    return ExampleEvidence(tuple(outcome for each in played for outcome in each.outcomes), failed, shared)


def _counted(title: str, jobs: Sequence[Callable[[], _PlayedExample]]) -> Iterator[Callable[[], _PlayedExample]]:
    """Wrap jobs so that each reports the number of jobs started before it."""

    def run_reported(number: int, job: Callable[[], _PlayedExample]) -> _PlayedExample:
        report_stage(title, number, len(jobs))
        return job()

    return (partial(run_reported, number, job) for number, job in enumerate(jobs))


def _share(jobs: Jobs, budget: ExampleBudget) -> tuple[dict[int, _PlayedExample], float]:
    """Run the remaining jobs in the worker; return the outcomes and the used budget."""
    initial = budget.remaining_members
    return jobs.take(), initial - budget.remaining_members


def _play_own(rules: graph.Graph, positions: Sequence[graph.Example], budget: ExampleBudget) -> _PlayedExample:
    """Run an example of the stack itself."""
    return _gathered(_played(rules, example, "", budget) for example in positions)


def _play_inner(
    package_set: PackageSet, rules: graph.Graph, positions: Sequence[InnerExample], budget: ExampleBudget
) -> _PlayedExample:
    """Run an example of an inner stack: under this stack if it compiles and passes, otherwise under its own.

    Each position is for itself, except that an input that no position uses under this stack may be used under its own.
    """

    def play(inner: InnerExample) -> tuple[ExampleOutcome, list[Run]]:
        example, stack_name, problems = inner
        played_example = None if problems else _played(rules, example, "", budget)
        if played_example is None or not all(run.has_passed for run in played_example[1]):
            return _played_elsewhere(package_set, example, stack_name, budget)
        return played_example

    played = _gathered(map(play, positions))
    if played.failed:
        return _gathered(_played_elsewhere(package_set, example, name, budget) for example, name, _ in positions)
    return played


def _gathered(played: Iterable[tuple[ExampleOutcome, list[Run]]]) -> _PlayedExample:
    """Collect the positions of an example: an input of the example has to be used in one of them, as in `test`."""
    outcomes, runs = zip(*played, strict=True)
    return _PlayedExample(outcomes, tuple(list_failures([run for each in runs for run in each])))


def _played_elsewhere(
    package_set: PackageSet, example: graph.Example, stack_name: str, budget: ExampleBudget
) -> tuple[ExampleOutcome, list[Run]]:
    """Run an example under its own stack, as this stack changes what it shows."""
    home = package_set.compiled(stack_name).graph
    assert home is not None, f"{stack_name} compiles whenever a stack around it does"
    own_example = next(each for each in home.examples if (each.origin, each.title) == (example.origin, example.title))
    return _played(home, own_example, stack_name, budget)


def _played(
    rules: graph.Graph, example: graph.Example, stack_name: str, budget: ExampleBudget
) -> tuple[ExampleOutcome, list[Run]]:
    row_results = []
    for row in range(max(1, len(example.rows))):
        with budget.row():
            row_results.append(run_row_by_line(rules, example, row))
    blocks = AnswerBlockBuilder(rules)
    cases = tuple(tuple(_answered(blocks, line) for line in lines) for _, lines in row_results)
    shows = frozenset(label for run, _ in row_results for label in (*run.rules, *_amends(rules, run)))
    return ExampleOutcome(example, stack_name, cases, shows), [run for run, _ in row_results]


def _amends(rules: graph.Graph, run: Run) -> Iterator[str]:
    """Yield the rules of the example's layer that amend the procedures it runs."""
    carried_out = {*run.entered, *([SEQUENCE] if run.follows_sequence else [])}
    if not carried_out:
        return
    layer_rules = (
        rule for rule in rules.rules.values() if rule.relations and rule.origin.layer == run.example.origin.layer
    )
    yield from (rule.label for rule in layer_rules if carried_out.intersection(amended_procedures(rules, rule)))


def _answered(blocks: AnswerBlockBuilder, line_result: LineResult | None) -> AnswerEvidence | None:
    if line_result is None:
        return None
    found = line_result.explanation
    if found is None:
        return AnswerEvidence(line_result.answer, "", (), (), "", (), line_result.account_sentences)
    reasons = tuple(
        DecidingRule(each.label, each.conclusion, each.reasons, tuple((cell.label, cell.text) for cell in each.cells))
        for each in found.applied_rules()
    )
    overruled = tuple((clause.label, clause.defeaters) for clause in found.clauses if clause.status == DEFEATED)
    disputes = (blocks.dispute_line(each) for each in found.disputed)
    sentence = " ".join((words.sentence(found.sentence), *(f"{line.opening} {line_text(line)}" for line in disputes)))
    return AnswerEvidence(line_result.answer, sentence, reasons, overruled, found.default, tuple(_steps(found)))


def _steps(found: Explanation) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the questions behind an explanation, without duplicates, with the rules that answered."""
    rules_by_sentence: dict[str, tuple[str, ...]] = {}
    explanations = [*found.explanations, *(below for each in found.applied_rules() for below in each.explanations)]
    for below in explanations:
        rules_by_sentence.setdefault(
            words.sentence(below.sentence), tuple(each.label for each in below.applied_rules())
        )
    yield from rules_by_sentence.items()
