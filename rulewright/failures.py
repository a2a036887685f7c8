"""The failures of examples as findings, one per mistake.

Input: runs of examples, and their rules. Output: findings for the report. One mistake are: two lines whose numbers are
exchanged, exchanged cells of a chart, all failures within one example, and failures that one alteration repairs.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from compiler.analysis.parties import Party
from compiler.report.answers import ExampleFailed, LikelyCause, OtherFailure
from rulewright.drawn_counters import counters_drawn_otherwise
from rulewright.failing_card_lines import card_lines
from rulewright.mutation.failure_causes import likely_causes
from rulewright.revisions.accepted_differences import is_single_cause, outermost_differences
from rulewright.revisions.changes import Change, former_text
from rulewright.revisions.checksums import ChecksumMismatch
from runtime.examples.exchanged_cells import Exchange, ExchangedValues, exchanged_cells, exchanged_values
from runtime.examples.failure import Failure
from runtime.examples.idle_parts import idle_parts
from runtime.examples.row_result import Run
from runtime.graph import nodes as graph
from runtime.graph.budget import allow_members
from runtime.graph.rows import match_text, row_label
from runtime.mutation.fail_fast import MEMBERS, PlayBudget
from runtime.mutation.localization import CASES as SEARCHED
from runtime.mutation.localization import QUESTIONS, FailureCause, failure_causes
from runtime.mutation.spectrum import case_coverage

# A function from runs to the changes without which some cases pass, each with these cases.
Behind = Callable[[Sequence[Run]], Sequence[tuple[Change, tuple[Run, ...]]]]
NUMBERED = re.compile(r"-?\d+(/\d+)?(?= |$)")


def list_failures(
    runs: Sequence[Run],
    rules: graph.Graph | None = None,
    budget: PlayBudget | None = None,
    behind: Behind = lambda _: (),
    differing: Sequence[ChecksumMismatch] = (),
) -> list[ExampleFailed]:
    """Return the findings of failures; an exchange of numbers, also in a chart of the rules, is one mistake.

    With the rules, likely causes are searched: first a change without which the case passes, then, within the budget,
    an alteration that repairs it. Failures with a common repair are one mistake. Parts `differing` from their checksums
    are reported if no repair is found in them.
    """
    idle = [*map(_failed, idle_parts(runs))]
    if rules is None:
        return [*_gathered(each for run in runs for each in _paired(run)), *idle]
    drawn, runs = counters_drawn_otherwise(rules, runs)
    idle = [*drawn, *idle]
    # An exchange of two cells explains as much as one of two columns whose other cells no example shows.
    budget = budget or PlayBudget(QUESTIONS)
    with allow_members(MEMBERS * budget.left) as used:
        pairs = exchanged_cells(rules, runs), exchanged_values(rules, runs)
        budget.left -= int(used()) // MEMBERS
    found = max((each for each in pairs if each), key=lambda each: len(each.repaired), default=None)
    if found is None:
        return [*_since(rules, runs, budget, behind, differing), *idle]
    first = replace(_exchange(found, rules.vocabulary), more=len(found.repaired) - 1)
    mended = {id(run) for run in found.repaired}
    return [first, *_since(rules, [run for run in runs if id(run) not in mended], budget, behind, differing), *idle]


def merged_failures(failed: Sequence[ExampleFailed]) -> list[ExampleFailed]:
    """Merge failures that differ only in example and causes into the one with most causes, which lists the others."""
    groups: dict[object, list[ExampleFailed]] = {}
    for each in failed:
        besides = tuple((also.case, also.expected, also.actual) for also in each.besides)
        what = (each.case, each.expected, each.actual, each.explanation, each.cells, each.repaired, besides)
        groups.setdefault((each.origin.file, *what), []).append(each)
    first = [max(group, key=lambda each: len(each.causes)) for group in groups.values()]
    return [
        replace(shown, alike=tuple(each.example for each in group if each is not shown))
        for shown, group in zip(first, groups.values(), strict=True)
    ]


def search_failures(failed: Sequence[ExampleFailed]) -> Iterator[str]:
    """Yield a line with the number of failures whose causes were searched, if that is not all of them."""
    looked = sum(bool(each.causes or each.cut or each.cells) + len(each.repaired) for each in failed)
    if looked < len(failed) > SEARCHED:
        yield f"too many failures to look for the cause of each: {looked} of {len(failed)} were looked at"


def _since(
    rules: graph.Graph,
    runs: Sequence[Run],
    budget: PlayBudget | None,
    behind: Behind,
    differing: Sequence[ChecksumMismatch],
) -> list[ExampleFailed]:
    """Return the findings of failures; those that pass without a change are one finding per change."""
    found: list[ExampleFailed] = []
    budget = budget or PlayBudget(QUESTIONS)
    with allow_members(MEMBERS * budget.left) as used:
        brought = behind(runs) if any(run.failures for run in runs) else ()
        budget.left -= int(used()) // MEMBERS
    for change, cases in brought:
        shown = min(cases, key=lambda run: (len(run.terms) + 5 * len(run.entered), len(run.rules)))
        first, *others = dict.fromkeys((_example(shown), *map(_example, cases)))
        [told] = _gathered(each for run in cases if _example(run) == first for each in _paired(run))
        cause = LikelyCause(
            "changed", _changed(rules, change), f"{former_text(change)}; {'with that' if change.was else 'without it'}"
        )
        found.append(replace(told, causes=(cause,), repaired=tuple(title for _, title in others)))
    known = {id(run) for _, cases in brought for run in cases}
    return [*found, *_with_causes(rules, [run for run in runs if id(run) not in known], budget, differing)]


def _changed(rules: graph.Graph, change: Change) -> Party:
    """Return the party of a change."""
    at = change.span
    label = change.label or at.file.rpartition("/")[2]
    return Party(label, "", (), graph.Origin(rules.stack, at.file, at.line, at.column, at.end_line, at.end_column))


def _exchange(found: Exchange | ExchangedValues, vocabulary: graph.Vocabulary) -> ExampleFailed:
    """Return the finding of an exchange in a chart."""
    failed = _failed(found.shown.failures[0])
    match found:
        case Exchange(table, one, other):
            cells = tuple((row_label(table, row, vocabulary), row.origin) for row in (one, other))
            return replace(failed, cells=cells)
        case ExchangedValues(table, key, one, other):
            of = table.keys[key]
            values = tuple(match_text(each, of.type, vocabulary) for each in (one, other))
            return replace(failed, cells=((table.name, table.origin),), values=(of.name, *values))


def _with_causes(
    rules: graph.Graph, runs: Sequence[Run], budget: PlayBudget | None, differing: Sequence[ChecksumMismatch]
) -> list[ExampleFailed]:
    """Return the findings of failures with likely causes; failures with a common repair are merged."""
    told: dict[tuple[str, str], tuple[LikelyCause, ...]] = {}
    together: dict[tuple[str, str], tuple[str, ...]] = {}
    also: set[tuple[str, str]] = set()
    cut: set[tuple[str, str]] = set()
    sharing: dict[tuple[str, str], tuple[str, ...]] = {}
    for cause in failure_causes(rules, runs, budget):
        likely = likely_causes(rules, runs, cause)
        first, *others = dict.fromkeys(map(_example, cause.accounted))
        if cause.repairs:
            whole = [
                each
                for each in others
                if all(run in cause.accounted for run in runs if run.failures and _example(run) == each)
            ]
            also.update(whole)
            together[first] = tuple(title for _, title in whole)
        elif first not in also and cause.suspects:
            shared = [each for each in _sharing(cause, runs) if each not in {first, *also}]
            also.update(shared)
            sharing[first] = tuple(title for _, title in shared)
        for each in (first, *others):
            told.setdefault(each, likely)
        if cause.cut and not cause.repairs:
            cut.add(first)
    for run in runs:
        if run.failures and not any(each.known == "repair" for each in told.get(_example(run), ())):
            told[_example(run)] = card_lines(rules, run) or told.get(_example(run), ())
        if run.failures and differing:
            told[_example(run)] = outermost_differences(differing, rules, run, told.get(_example(run), ()))
    one = [key for key, likely in told.items() if key not in also and is_single_cause(differing, likely)]
    if first_of_one := next((key for key in one if key in together), one[0] if one else None):
        others_of_one = [key for key in one if key != first_of_one]
        also.update(others_of_one)
        titles = [title for _, title in others_of_one] + [t for key in others_of_one for t in together.get(key, ())]
        sharing[first_of_one] = (*sharing.get(first_of_one, ()), *titles)
    found = _gathered(each for run in runs if _example(run) not in also for each in _paired(run))
    keys = [(each.origin.file, each.example) for each in found]
    return [
        replace(
            each, causes=told.get(key, ()), repaired=together.get(key, ()), cut=key in cut, sharing=sharing.get(key, ())
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

    def shares(run: Run) -> bool:
        return any(case_coverage(run).comes_by(place) for place in places)

    return [example for example, cases in failing.items() if all(map(shares, cases))]


def _example(run: Run) -> tuple[str, str]:
    return run.example.origin.file, run.example.title


def _failed(each: Failure) -> ExampleFailed:
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
    examples: dict[tuple[str, str], list[ExampleFailed]] = {}
    for each in failed:
        examples.setdefault((each.origin.file, each.example), []).append(each)
    return [replace(first, besides=tuple(map(_also, others))) for first, *others in examples.values()]


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
    kept: list[ExampleFailed] = []
    for each in map(_failed, run.failures):
        wanted = _numbers(each) if each.origin in printed else ()
        at = next((at for at, other in enumerate(kept) if wanted and _crossed(other, each)), None)
        if at is None:
            kept.append(each)
        else:
            kept[at] = replace(kept[at], exchanged=(each.origin, each.expected))
    return kept


def _crossed(one: ExampleFailed, other: ExampleFailed) -> bool:
    same = (one.case, one.origin.file) == (other.case, other.origin.file) and one.exchanged is None
    return same and one.origin != other.origin and _numbers(one) == _numbers(other)[::-1]


def _numbers(failed: ExampleFailed) -> tuple[str, ...]:
    """Return the expected and the actual number, without measures; () if one is no number."""
    found = [NUMBERED.match(text) for text in (failed.expected, failed.actual)]
    return tuple(each[0] for each in found if each) if all(found) else ()
