"""The pipeline: source -> layered -> typed -> lowered, with the suppression of consequential errors.

In: a library and the name of a stack. Out: `compile_stack` returns its graph, or the problems. A stage reports all of
its problems; the pipeline stops between stages where the next one would only report consequences.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import chain

from compiler.foreign_names import foreign_card_problem, foreign_fact_problem, foreign_layer_problem
from compiler.layered.cards import CardLayer
from compiler.layered.examples import in_reading_order
from compiler.layered.findings.patches import UnknownCell
from compiler.layered.findings.reference import ReferenceFinding
from compiler.layered.from_source import layer_stack
from compiler.layered.layer_selection import chosen_layers
from compiler.layered.nodes import LayeredStack
from compiler.layered.stack_request import parse_request
from compiler.lower import lower_stack
from compiler.source import nodes as source
from compiler.source.finding import WARNING, Finding, LocatedFinding
from compiler.source.findings.characters import OddSign
from compiler.source.findings.files import FileFinding
from compiler.source.findings.unexpected_token import UnexpectedToken
from compiler.source.garbage_collection import without_garbage_collection
from compiler.source.lazy_table import RecordingTable
from compiler.source.package import LayerSource, Library, load_layer
from compiler.source.span import NOWHERE
from compiler.source.suggestions import begin_report, nearest_names
from compiler.typed import from_layered as typed
from compiler.typed.environment import Environment
from compiler.typed.examples import build_examples
from compiler.typed.findings.names import UnknownName
from compiler.typed.situations.cards import Boards, regions_as_tracks, victory_rules
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class CompilationResult:
    """The result of a compilation: the graph if there are no errors, the stages that were reached, all problems."""

    graph: graph.Graph | None
    typed: typed.TypedStack | None
    problems: tuple[Finding, ...]


def compile_stack(library: Library, stack: str, scenario: source.Scenario | None = None) -> CompilationResult:
    """Compile `game+option+dispute=reading`, with a situation card on top if one is given."""
    with _exclusively(library):
        checked = _run_stages(library, stack, scenario)
        if checked.typed is None or not all(map(_is_warning, checked.problems)):
            return checked
        return replace(checked, graph=lower_stack(checked.typed))


def problems_of_stack(library: Library, stack: str, scenario: source.Scenario | None = None) -> tuple[Finding, ...]:
    """Return the problems of a stack, with a situation card on top if one is given, without lowering it."""
    with _exclusively(library):
        return _run_stages(library, stack, scenario).problems


@contextmanager
def _exclusively(library: Library) -> Iterator[None]:
    """Allow one compilation of a library at a time."""
    begin_report()
    with library.database.lock, without_garbage_collection():
        yield


def _run_stages(library: Library, stack: str, scenario: source.Scenario | None) -> CompilationResult:
    """Run the stages up to typing: read the layers, layer them, and elaborate the result."""
    request = parse_request(stack)
    named = scenario.uses if scenario is not None else None
    span = named.span if named is not None and named.text == stack else NOWHERE
    manifests, missing = chosen_layers(library.layers, request, library.database, span)
    if missing:
        return CompilationResult(None, None, tuple(missing))
    layers, reading_problems = _read_layers(library, manifests)
    if any(isinstance(each, FileFinding) for each in reading_problems):
        # All declarations of that file would be reported as missing at their uses.
        return CompilationResult(None, None, tuple(reading_problems))
    card = _card_layer(scenario, layers) if scenario is not None else None
    layered, found_layering = layer_stack(request, layers, library, card)
    layering_problems = [*_refused_cards(found_layering, library)]
    if scenario is not None and not reading_problems and (misfit := foreign_card_problem(scenario, layered, library)):
        return CompilationResult(None, None, (misfit,))
    if not all(map(_declares_nothing, (*reading_problems, *layering_problems))):
        return CompilationResult(None, None, (*reading_problems, *layering_problems))
    boards, outlines = RecordingTable(library.boards), RecordingTable(library.outlines)
    checked, found = typed.elaborate_stack(layered, Boards(boards, outlines), library.database)
    typing_problems = _without_consequences(
        layering_problems, _outside_unread_paragraphs(reading_problems, found), layered
    )
    problems: tuple[Finding, ...] = (
        *reading_problems,
        *layering_problems,
        *boards.problems,
        *outlines.problems,
        *typing_problems,
    )
    if scenario is not None and (misfit := foreign_fact_problem(scenario, layered, problems)):
        return CompilationResult(None, None, (misfit,))
    if foreign_layer := foreign_layer_problem(problems, manifests, library):
        problems = (foreign_layer[0], *(each for each in problems if each not in foreign_layer[1]))
    sound = all(map(_is_warning, problems))
    return CompilationResult(None, checked if sound or not (reading_problems or layering_problems) else None, problems)


def _refused_cards(found: Iterable[Finding], library: Library) -> Iterator[Finding]:
    """Replace the problem of a missing card by the problem of the name that was meant."""
    for each in found:
        sign_problems: list[Finding] = []
        if isinstance(each, UnknownCell) and not each.patched:
            for name in nearest_names(each.name, library.scenarios, most=1):
                library.scenarios.get(name)  # Only what was read has problems.
                sign_problems += (
                    problem for problem in library.scenarios.problems_with(name) if isinstance(problem, OddSign)
                )
        yield from sign_problems or (each,)


def _is_warning(problem: Finding) -> bool:
    """Return whether a problem is a warning, which does not prevent lowering."""
    return problem.code.severity is WARNING


def _declares_nothing(problem: Finding) -> bool:
    """Return whether a problem affects only rules or examples, so that declarations can be typed."""
    match problem:
        case UnexpectedToken(statement=(keyword, *_)):
            return keyword.text in {"rule", "ruling", "example"}
        case _:
            return isinstance(problem, ReferenceFinding) or _is_warning(problem)


def _outside_unread_paragraphs(
    reading_problems: Iterable[Finding], typing_problems: Iterable[Finding]
) -> Iterator[Finding]:
    """Drop typing problems of a paragraph with a syntax error, as the missing part may follow the error."""
    places = [each.span for each in reading_problems if isinstance(each, UnexpectedToken)]
    for mistake in typing_problems:
        if not (isinstance(mistake, LocatedFinding) and any(mistake.span.contains(place) for place in places)):
            yield mistake


def _without_consequences(
    layering_problems: Iterable[Finding], typing_problems: Iterable[Finding], stack: LayeredStack
) -> Iterator[Finding]:
    """Drop problems that may be consequences of wrong references between rules."""
    targets = [
        each.span
        for each in layering_problems
        if isinstance(each, ReferenceFinding) and isinstance(each, LocatedFinding)
    ]
    without_conclusion = [rule.node.span for rule in stack.rules.values() if not rule.concludes_on] if targets else []
    affected = [span for span in without_conclusion if any(map(span.contains, targets))]
    for problem in typing_problems:
        names_rule = targets and isinstance(problem, UnknownName) and problem.category == "rule"
        in_affected = isinstance(problem, LocatedFinding) and any(span.contains(problem.span) for span in affected)
        if not (names_rule or in_affected):
            yield problem


def removed_laws(library: Library, stack: str) -> Mapping[str, str]:
    """Return the laws and cases of a stack that are not in force, each with the rule that withdraws or replaces it."""
    with _exclusively(library):
        return _layered(library, stack).removed_by


def _layered(library: Library, stack: str) -> LayeredStack:
    """Assemble a stack; its problems are those of its compilation."""
    request = parse_request(stack)
    manifests, _ = chosen_layers(library.layers, request, library.database)
    return layer_stack(request, _read_layers(library, manifests)[0], library, None)[0]


# An example of a stack inside another one, the name of its stack, and its problems in the other one.
InnerExample = tuple[graph.Example, str, tuple[Finding, ...]]
InnerExamples = tuple[InnerExample, ...]


def inner_examples(
    library: Library, stack: str, env: Environment, *, in_force: bool = False
) -> tuple[InnerExamples, frozenset[str]]:
    """Type the examples of the stacks inside a stack in its environment.

    With `in_force` those are left out that protect a law which this stack withdraws or replaces. Return each with the
    name of its own stack and its problems here: an example of something that this stack has withdrawn has some, and can
    be run under its own stack only. Return also the layers that have examples of other stacks, which may show what
    these stacks have in common.
    """
    layered = _layered(library, stack)
    found = []
    stack_names = {id(example): name for name, examples in layered.inner for example in examples}
    for inner in in_reading_order([examples for _, examples in layered.inner], layered.layers):
        if in_force and inner.protects in layered.removed_by:
            continue
        example_env = replace(env, problems=[])
        examples = build_examples(example_env, inner, stack)
        found += [(example, stack_names[id(inner)], tuple(example_env.problems)) for example in examples]
    return tuple(found), layered.shared_example_layers


def _read_layers(library: Library, manifests: tuple[source.Layer, ...]) -> tuple[list[LayerSource], list[Finding]]:
    """Read the files of layers, with the problems in them."""
    layers: list[LayerSource] = []
    problems: list[Finding] = []
    for manifest in manifests:
        read, found = load_layer(library, manifest.name.text)
        problems.extend(found)
        layers.append(read)
    return layers, problems


def _card_layer(scenario: source.Scenario, layers: list[LayerSource]) -> CardLayer:
    """Return the card, whose victory lines contribute to the term that collects levels: `outcome T from COLLECTED`."""
    for part in reversed(layers):
        for statement in part.statements():
            if isinstance(statement, source.Outcome) and statement.collected is not None:
                term = statement.collected.text
                as_rules = partial(victory_rules, term=term, side=_first_parameter(term, layers))
                return CardLayer(scenario, as_rules, regions_as_tracks)
    return CardLayer(scenario, lambda _: (), regions_as_tracks)


def _first_parameter(term: str, layers: list[LayerSource]) -> str:
    """Return the name of a term's first parameter."""
    for statement in chain.from_iterable(part.statements() for part in layers):
        if isinstance(statement, source.Term) and statement.name.text == term and statement.parameters:
            return statement.parameters[0].name.text
    return "owner"
