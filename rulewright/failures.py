"""The failures of examples as findings, one per mistake.

In: runs of examples, and their rules. Out: findings for the report, one for each failing example, with its own line,
value and explanation. Examples that fail by one mistake (exchanged cells of a chart, failures that one alteration
repairs) follow the one at which the mistake is reported, and refer to it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from compiler.analysis.parties import Party
from compiler.report.answers import ExampleFailed, LikelyCause, OtherFailure
from compiler.source.origins import origin_of
from rulewright.drawn_counters import split_drawn_failures
from rulewright.mutation.failure_causes import likely_causes
from rulewright.revisions.accepted_differences import is_single_cause, outermost_differences
from rulewright.revisions.checksums import ChecksumMismatch
from rulewright.revisions.file_changes import ParagraphChange, former_text
from runtime.examples.exchanged_cells import Exchange, ExchangedValues, exchanged_cells, exchanged_values
from runtime.examples.failure import FailedLine
from runtime.examples.idle_parts import idle_parts
from runtime.examples.row_result import Run
from runtime.graph import nodes as graph
from runtime.graph.budget import allow_members
from runtime.graph.grouping import group_by
from runtime.graph.rows import match_text, row_label
from runtime.graph.walk import walk
from runtime.mutation.fail_fast import MEMBERS_PER_QUERY, PlayBudget
from runtime.mutation.localization import CASES as SEARCHED
from runtime.mutation.localization import QUERIES_OF_SEARCH, FailureCause, failure_causes
from runtime.mutation.spectrum import case_coverage

# A function from runs to the changes without which some cases pass, each with these cases.
ChangesFunction = Callable[[Sequence[Run]], Sequence[tuple[ParagraphChange, tuple[Run, ...]]]]
NUMBERED = re.compile(r"-?\d+(/\d+)?(?= |$)")


def list_failures(
    runs: Sequence[Run],
    rules: graph.Graph | None = None,
    budget: PlayBudget | None = None,
    change_finder: ChangesFunction = lambda _: (),
    differing: Sequence[ChecksumMismatch] = (),
) -> list[ExampleFailed]:
    """Return the findings of failures; an exchange of numbers, also in a chart of the rules, is one mistake.

    With the rules, likely causes are searched: first a change without which the case passes, then, within the budget,
    an alteration that repairs it. Failures with a common repair are one mistake. Parts `differing` from their checksums
    are reported if no repair is found in them.
    """
    idle_failures = [*map(_failed, idle_parts(runs))]
    own_findings = _gathered(each for run in runs for each in _paired(run))
    if rules is None:
        return [*own_findings, *idle_failures]
    budget = budget or PlayBudget(QUERIES_OF_SEARCH)
    mistakes = _mistakes(runs, rules, budget, change_finder, differing)
    return [*_with_consequences(mistakes, own_findings), *idle_failures]


def _with_consequences(mistakes: Sequence[ExampleFailed], own_findings: Sequence[ExampleFailed]) -> list[ExampleFailed]:
    """Return the findings of mistakes with all lines that fail, each followed by those of the other examples."""
    left = {(each.origin.file, each.example): each for each in own_findings}
    own_lines = {key: (_also(each), *each.other_failures) for key, each in left.items()}
    findings: list[ExampleFailed] = []
    for mistake in mistakes:
        left.pop((mistake.origin.file, mistake.example), None)
    for mistake in mistakes:
        lines = own_lines.get((mistake.origin.file, mistake.example), ())
        shown_place = mistake.exchanged_line[0] if mistake.exchanged_line else None
        others = (each for each in lines if (each.case, each.origin) != (mistake.case, mistake.origin))
        findings.append(replace(mistake, other_failures=tuple(each for each in others if each.origin != shown_place)))
        for key, consequence in [*left.items()]:
            if consequence.example in mistake.repaired:
                findings.append(replace(left.pop(key), repaired_with=mistake.example))
            elif consequence.example in mistake.related_examples:
                findings.append(replace(left.pop(key), related_to=mistake.example))
    return [*findings, *left.values()]


def _mistakes(
    runs: Sequence[Run],
    rules: graph.Graph,
    budget: PlayBudget,
    change_finder: ChangesFunction,
    differing: Sequence[ChecksumMismatch],
) -> list[ExampleFailed]:
    """Return one finding for each mistake, at one of the examples that fail by it; the others are named in it."""
    misdrawn_failures, runs = split_drawn_failures(rules, runs)
    # An exchange of two cells explains as much as one of two columns whose other cells no example shows.
    with allow_members(MEMBERS_PER_QUERY * budget.left) as member_count:
        pairs = exchanged_cells(rules, runs), exchanged_values(rules, runs)
        budget.left -= int(member_count()) // MEMBERS_PER_QUERY
    found = max((each for each in pairs if each), key=lambda each: len(each.repaired), default=None)
    if found is None:
        return [*_since(rules, runs, budget, change_finder, differing), *misdrawn_failures]
    repaired_ids = {id(run) for run in found.repaired}
    others = [run for run in runs if id(run) not in repaired_ids]
    failing_otherwise = {_example(run) for run in others if run.failures}
    first = _exchange(found, rules.vocabulary)
    repaired = dict.fromkeys(run.example.title for run in found.repaired if _example(run) not in failing_otherwise)
    first = replace(first, repaired=tuple(title for title in repaired if title != first.example))
    return [first, *_since(rules, others, budget, change_finder, differing), *misdrawn_failures]


def search_failures(failed: Sequence[ExampleFailed]) -> Iterator[str]:
    """Yield a line with the number of failures whose causes were searched, if that is not all of them."""
    looked = sum(bool(each.causes or each.is_budget_spent or each.cells or each.repaired_with) for each in failed)
    if looked < len(failed) > SEARCHED:
        yield f"too many failures to look for the cause of each: {looked} of {len(failed)} were looked at"


def _since(
    rules: graph.Graph,
    runs: Sequence[Run],
    budget: PlayBudget,
    change_finder: ChangesFunction,
    differing: Sequence[ChecksumMismatch],
) -> list[ExampleFailed]:
    """Return the findings of failures; those that pass without a change are one finding per change."""
    found: list[ExampleFailed] = []
    with allow_members(MEMBERS_PER_QUERY * budget.left) as member_count:
        attributed_cases = change_finder(runs) if any(run.failures for run in runs) else ()
        budget.left -= int(member_count()) // MEMBERS_PER_QUERY
    for change, cases in attributed_cases:
        simplest_run = min(cases, key=lambda run: (len(run.terms) + 5 * len(run.entered), len(run.rules)))
        first, *others = dict.fromkeys((_example(simplest_run), *map(_example, cases)))
        [failure] = _gathered(each for run in cases if _example(run) == first for each in _paired(run))
        cause = LikelyCause(
            "changed",
            _changed(rules, change),
            f"{former_text(change)}; {'with that' if change.old_text else 'without it'}",
        )
        found.append(replace(failure, causes=(cause,), repaired=tuple(title for _, title in others)))
    known = {id(run) for _, cases in attributed_cases for run in cases}
    return [*found, *_with_causes(rules, [run for run in runs if id(run) not in known], budget, differing)]


def _changed(rules: graph.Graph, change: ParagraphChange) -> Party:
    """Return the party of a change."""
    label = change.label or change.span.file.rpartition("/")[2]
    return Party(label, "", (), origin_of(rules.stack, change.span))


def _exchange(found: Exchange | ExchangedValues, vocabulary: graph.Vocabulary) -> ExampleFailed:
    """Return the finding of an exchange in a chart."""
    failed = _failed(found.witness.failures[0])
    match found:
        case Exchange(table, first, second):
            cells = tuple((row_label(table, row, vocabulary), row.origin) for row in (first, second))
            return replace(failed, cells=cells)
        case ExchangedValues(table, key, first, second):
            key_column = table.keys[key]
            values = tuple(match_text(each, key_column.type, vocabulary) for each in (first, second))
            return replace(failed, cells=((table.name, table.origin),), values=(key_column.name, *values))


def _with_causes(
    rules: graph.Graph, runs: Sequence[Run], budget: PlayBudget, differing: Sequence[ChecksumMismatch]
) -> list[ExampleFailed]:
    """Return the findings of failures with likely causes; failures with a common repair are merged."""
    causes_by_example: dict[tuple[str, str], tuple[LikelyCause, ...]] = {}
    repaired_titles: dict[tuple[str, str], tuple[str, ...]] = {}
    merged_keys: set[tuple[str, str]] = set()
    cut: set[tuple[str, str]] = set()
    sharing: dict[tuple[str, str], tuple[str, ...]] = {}
    for cause in failure_causes(rules, runs, budget):
        causes = likely_causes(rules, runs, cause)
        first, *others = dict.fromkeys(map(_example, cause.accounted))
        if cause.repairs:
            repaired_examples = [
                each
                for each in others
                if all(run in cause.accounted for run in runs if run.failures and _example(run) == each)
            ]
            merged_keys.update(repaired_examples)
            repaired_titles[first] = tuple(title for _, title in repaired_examples)
        elif first not in merged_keys and cause.suspects:
            shared = [each for each in _sharing(cause, runs) if each not in {first, *merged_keys}]
            merged_keys.update(shared)
            sharing[first] = tuple(title for _, title in shared)
        for each in (first, *others):
            causes_by_example.setdefault(each, causes)
        if cause.cut and not cause.repairs:
            cut.add(first)
    for run in runs:
        if run.failures and not any(each.kind == "repair" for each in causes_by_example.get(_example(run), ())):
            causes_by_example[_example(run)] = card_lines(rules, run) or causes_by_example.get(_example(run), ())
        if run.failures and differing:
            causes_by_example[_example(run)] = outermost_differences(
                differing, rules, run, causes_by_example.get(_example(run), ())
            )
    single_cause_keys = [
        key
        for key, causes in causes_by_example.items()
        if key not in merged_keys and is_single_cause(differing, causes)
    ]
    if first_of_one := next(
        (key for key in single_cause_keys if key in repaired_titles),
        single_cause_keys[0] if single_cause_keys else None,
    ):
        others_of_one = [key for key in single_cause_keys if key != first_of_one]
        merged_keys.update(others_of_one)
        titles = [title for _, title in others_of_one] + [
            t for key in others_of_one for t in repaired_titles.get(key, ())
        ]
        sharing[first_of_one] = (*sharing.get(first_of_one, ()), *titles)
    found = _gathered(each for run in runs if _example(run) not in merged_keys for each in _paired(run))
    keys = [(each.origin.file, each.example) for each in found]
    return [
        replace(
            each,
            causes=causes_by_example.get(key, ()),
            repaired=repaired_titles.get(key, ()),
            is_budget_spent=key in cut,
            related_examples=sharing.get(key, ()),
        )
        for key, each in zip(keys, found, strict=True)
    ]


def _sharing(cause: FailureCause, runs: Sequence[Run]) -> list[tuple[str, str]]:
    """Return the examples in which every failing case reaches a suspected place, or expects the same silent rules."""
    failing: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        if run.failures:
            failing.setdefault(_example(run), []).append(run)
    places = (*cause.suspects, *(("rule", label) for label in cause.inactive_rules))

    def covers_any_place(run: Run) -> bool:
        return any(case_coverage(run).covers(place) for place in places)

    return [example for example, cases in failing.items() if all(map(covers_any_place, cases))]


def _example(run: Run) -> tuple[str, str]:
    return run.example.origin.file, run.example.title


def _failed(each: FailedLine) -> ExampleFailed:
    return ExampleFailed(
        each.example,
        each.case,
        each.expected,
        each.actual,
        each.explanation,
        each.origin,
        each.step,
        moment=each.moment,
        without_player=each.without_player,
    )


def _gathered(failed: Iterable[ExampleFailed]) -> list[ExampleFailed]:
    """Merge the failures within one example, in any of its cases, which usually have a common cause."""
    examples = group_by(failed, lambda each: (each.origin.file, each.example))
    return [replace(first, other_failures=tuple(map(_also, others))) for first, *others in examples.values()]


def _also(failed: ExampleFailed) -> OtherFailure:
    return OtherFailure(failed.case, failed.expected, failed.actual, failed.origin)


def _paired(run: Run) -> list[ExampleFailed]:
    """Merge two failing lines of one case whose numbers are exchanged.

    Only printed values are considered, since the answers of two questions may also be exchanged by a wrong rule.
    """
    printed = {
        line.origin
        for line in run.example.lines
        if isinstance(line, graph.Check) and isinstance(line.question, graph.Get) and line.question.what == "printed"
    }
    failures: list[ExampleFailed] = []
    for each in map(_failed, run.failures):
        numbers = _numbers(each) if each.origin in printed else ()
        index = next((index for index, other in enumerate(failures) if numbers and _crossed(other, each)), None)
        if index is None:
            failures.append(each)
        else:
            failures[index] = replace(failures[index], exchanged_line=(each.origin, each.expected))
    return failures


def _crossed(failure: ExampleFailed, other: ExampleFailed) -> bool:
    same = (failure.case, failure.origin.file) == (other.case, other.origin.file) and failure.exchanged_line is None
    return same and failure.origin != other.origin and _numbers(failure) == _numbers(other)[::-1]


def _numbers(failed: ExampleFailed) -> tuple[str, ...]:
    """Return the expected and the actual number, without measures; () if one is no number."""
    found = [NUMBERED.match(text) for text in (failed.expected, failed.actual)]
    return tuple(each[0] for each in found if each) if all(found) else ()


# ---------------------------------------------------------------- the lines of a card that a failing example tests


COUNTER, SCENARIO = "counter", "scenario"
# The most lines that help to locate a fault.
MOST_CAUSES = 2


def card_lines(rules: graph.Graph, run: Run) -> tuple[LikelyCause, ...]:
    """Return the lines of the card that the first failing line tests, as causes."""
    card = rules.scenario
    failing_origins = {each.origin for each in run.failures}
    checks = (line for line in run.example.lines if isinstance(line, graph.Check) and line.origin in failing_origins)
    line = next(checks, None)
    if card is None or not run.example.card or line is None or run.entered:
        return ()
    names = [*dict.fromkeys(_unexpected_hexes(run, line, card))] or [*dict.fromkeys(_named(line.question))]
    return tuple(LikelyCause("card", _party(card, name), cell=name) for name in names[:MOST_CAUSES])


def _unexpected_hexes(run: Run, line: graph.Check, card: graph.Scenario) -> Iterator[str]:
    """Yield the unexpected hexes in the actual value of a line on which the card places a piece."""
    failure = next(each for each in run.failures if each.origin == line.origin)
    found, expected = (set(re.findall(r"[\w.]+", text)) for text in (failure.actual, failure.expected))
    placed = {each.at for force in card.forces for each in force.placed}
    yield from sorted((found - expected) & placed)


def _party(card: graph.Scenario, name: str) -> Party:
    """Return the party of a line: in the layer that corrects it, otherwise on the card."""
    correction: graph.Scenario | graph.Correction | graph.PartCorrection = card
    correction = next((each for each in card.corrections if each.unit == name), correction)
    correction = next((each for each in card.other_corrections if each.part.split()[-1] == name), correction)
    return Party(card.name, "", correction.cites, correction.origin)


def _named(question: graph.Expr) -> Iterator[str]:
    """Yield the facts that a question reads; without facts, the counters that it mentions."""
    nodes = list(walk(question))
    facts = [node.name for node in nodes if isinstance(node, graph.GameTrack) and node.owner == SCENARIO]
    yield from facts or [node.name for node in nodes if isinstance(node, graph.Member) and node.enum == COUNTER]
