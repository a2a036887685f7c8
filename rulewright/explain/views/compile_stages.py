"""The stages of compiling a stack, each as named parts, for `dump`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from compiler.compile import CompilationResult, compile_stack
from compiler.core.passes import optimize
from compiler.core.questions import lower_questions
from compiler.core.text import print_module
from compiler.layered import nodes as layered
from compiler.layered.layer_selection import choose_layers
from compiler.layered.stack_request import parse_request
from compiler.source import nodes as source
from compiler.source.finding import Finding
from compiler.source.package import load_layer
from compiler.typed import from_layered as typed
from rulewright.explain.views.stage import CompilationStage
from rulewright.library.concerned_problems import own_problems
from rulewright.library.stack_names import named_stack
from rulewright.library.stacks import PackageSet, open_packages
from rulewright.system.errors import UsageError, suggestion_text
from runtime.answer.module_text import module_text
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass

# The nodes of each section, by name.
Parts = dict[str, list[tuple[str, Any]]]

_Chart = source.Table | source.PieceChart | source.TablePatch | source.PiecePatch


@frozen_dataclass
class _StageDump:
    """A stage of a stack, or the problems that prevented it."""

    stack: str
    parts: Parts
    graph: graph.Graph | None
    problems: tuple[Finding, ...]
    texts: Mapping[str, str]


def dump_stack(text: str, stage: CompilationStage, packages: Sequence[Path]) -> _StageDump:
    """Compile a stack up to a stage; errors of later stages are ignored."""
    name, folders = named_stack(text)
    package_set = open_packages((*packages, *folders))
    package_set.require_layers(name)
    concerned = own_problems(package_set.library, package_set.problems, name)
    if stage is CompilationStage.SOURCE:
        written, layer_problems = _source(package_set, name)
        return _StageDump(name, written, None, (*concerned, *layer_problems), package_set.texts())
    compiled = compile_stack(package_set.library, name)
    problems = (*concerned, *compiled.problems)
    parts = _parts(compiled, stage)
    return _StageDump(name, parts or {}, compiled.graph, () if parts else problems, package_set.texts())


def _source(package_set: PackageSet, name: str) -> tuple[Parts, tuple[Finding, ...]]:
    """Return the statements and tables of every layer by file, with the problems."""
    library = package_set.library
    manifests, problems = choose_layers(library.layers, parse_request(name))
    found: list[Finding] = list(problems)
    parts: Parts = {}
    for manifest in manifests:
        layer, layer_problems = load_layer(library, manifest.name.text)
        found.extend(layer_problems)
        for file in layer.files:
            parts[file.span.file] = [(_name(statement), statement) for statement in file.statements]
        charts: tuple[_Chart, ...] = (*layer.tables, *layer.charts, *layer.table_patches, *layer.piece_patches)
        for node in charts:
            parts.setdefault(node.span.file, []).append((_name(node), node))
    return parts, tuple(found)


def _parts(compiled: CompilationResult, stage: CompilationStage) -> Parts | None:
    """Return the parts of a stage of a compilation; None if it was not reached."""
    match stage:
        case CompilationStage.SOURCE | CompilationStage.LAYERED:
            return _fields(compiled.typed.layered) if compiled.typed else None
        case CompilationStage.TYPED:
            return _typed(compiled.typed) if compiled.typed and compiled.graph else None
        case (
            CompilationStage.LOWERED
            | CompilationStage.LOWERED_CORE
            | CompilationStage.CORE
            | CompilationStage.GENERATED
        ):
            return _fields(compiled.graph) if compiled.graph else None


def _typed(stack: typed.TypedStack) -> Parts:
    """Return the vocabulary and the other sections of a typed stack."""
    env = stack.env
    words: dict[str, Mapping[str, Any]] = {
        "measures": {name: graph.Word(name, reads) for name, reads in env.measures.items()},
        "domains": env.domains,
        "enums": {name: graph.Enumeration(name, tuple(members)) for name, members in env.enums.items()},
        "scales": env.scales,
        "kinds": env.kinds,
        "flags": env.flags,
        "relations": env.relations,
        "records": env.records,
        "events": env.events,
    }
    return {section: list(named.items()) for section, named in words.items()} | _fields(stack)


def _fields(stage: layered.LayeredStack | typed.TypedStack | graph.Graph) -> Parts:
    """Return the sections of a stage; a vocabulary within it has one section for each of its tables."""
    parts: Parts = {}
    for field in fields(stage):
        value = getattr(stage, field.name)
        if isinstance(value, graph.Vocabulary):
            parts |= {inner.name: _named(getattr(value, inner.name)) for inner in fields(value)}
        elif isinstance(value, dict | tuple):
            # Values that are no nodes, such as the order of layers, are not printed.
            parts[field.name] = [each for each in _named(value) if is_dataclass(each[1])]
        elif isinstance(value, graph.Scenario | source.Scenario):
            parts[field.name] = [(_name(value), value)]
    return parts


def _named(values: Mapping[str, Any] | Iterable[Any]) -> list[tuple[str, Any]]:
    if isinstance(values, Mapping):
        return [(name, _node(name, value)) for name, value in values.items()]
    return [(_name(value), value) for value in values]


def _node(name: str, value: Any) -> Any:
    """Convert a text, or the set of layers below one, to a node."""
    match value:
        case str():
            return graph.Word(name, value)
        case frozenset():
            return graph.Word(name, ", ".join(sorted(value)))
        case _:
            return value


def _name(node: Any) -> str:
    """Return the label or name of a node, otherwise that of a part."""
    for field in ("label", "name", "term", "id", "node", "table", "event", "title"):
        value = getattr(node, field, None)
        if isinstance(value, str):
            return value
        if isinstance(value, source.Word):
            return value.text
        if field == "node" and value is not None:
            return _name(value)
    return ""


# ---------------------------------------------------------------- a selection


def limited_parts(dumped: _StageDump, term: str | None, rule: str | None) -> Parts:
    """Return the parts of a stage that belong to a term or a rule; `UsageError` for an unknown name."""
    if term is None and rule is None:
        return dumped.parts
    selected_parts = {
        section: found
        for section, named in dumped.parts.items()
        if (found := [part for name, node in named for part in _selected(name, node, term, rule)])
    }
    if not selected_parts:
        kind, name = ("term", term) if rule is None else ("rule", rule)
        known = sorted(set(_known(dumped.parts, _TERMS if rule is None else _LAWS)))
        raise UsageError(f"`{dumped.stack}` has no {kind} `{name}`; {suggestion_text(name or '', known)}")
    return selected_parts


def _known(parts: Parts, kinds: tuple[type, ...]) -> Iterator[str]:
    """Yield the names of nodes of some kinds; before name resolution, the terms are those that rules conclude on."""
    todo = [part for named in parts.values() for part in named]
    while todo:
        name, node = todo.pop()
        plain_node = _without_span(node)
        if name and isinstance(plain_node, kinds):
            yield name
        if kinds is _TERMS and isinstance(node, layered.Rule):
            yield node.concludes_on
        todo += [(_name(law), law) for law in source.laws_inside(plain_node)]


def generated_source(dumped: _StageDump, parts: Parts) -> str:
    """Return the generated Python of the questions among some parts, and of those that their rules conclude on."""
    assert dumped.graph is not None
    return module_text(dumped.graph) if parts is dumped.parts else module_text(dumped.graph, _questions(parts))


def core_text(dumped: _StageDump, parts: Parts, stage: CompilationStage) -> str:
    """Format the core of the questions among some parts, before or after the passes, with functions that passes add."""
    assert dumped.graph is not None
    lowered, _ = lower_questions(dumped.graph, {})
    module = optimize(lowered) if stage is CompilationStage.CORE else lowered
    term_names = set(lowered) if parts is dumped.parts else _questions(parts)
    return print_module(module, (name for name in module if name.partition("@")[0] in term_names))


def _questions(parts: Parts) -> set[str]:
    """Return the questions among some parts, and those that their rules conclude on."""
    term_names = {name for name, _ in parts.get("terms", ())}
    term_names.update(term for _, rule in parts.get("rules", ()) for term in rule.terms)
    return term_names


def _without_span(node: Any) -> Any:
    """Return the inner node of a layered statement; other nodes unchanged."""
    return node.node if isinstance(node, layered.LayerStatement) else node


def _selected(name: str, node: Any, term: str | None, rule: str | None) -> Iterator[tuple[str, Any]]:
    """Yield a node if it is selected, otherwise the selected nodes in it."""
    plain_node = _without_span(node)
    is_rule = rule is not None and name == rule and isinstance(plain_node, _LAWS)
    if is_rule or (term is not None and _speaks_on(name, node, plain_node, term)):
        yield name, node
    else:
        for law in source.laws_inside(plain_node):
            yield from _selected(_name(law), law, term, rule)


_LAWS = (source.Rule, source.Ruling, source.Reading, layered.Rule, layered.Ruling, graph.Rule, graph.Ruling)
_TERMS = (source.Term, source.Define, source.Stage, graph.Term)


def _speaks_on(name: str, node: Any, plain_node: Any, term: str) -> bool:
    """Return whether a node is a term, one of its stages, or a rule with a conclusion on it."""
    match plain_node:
        case source.Rule(conclusion=conclusion):
            return conclusion is not None and conclusion.head.text == term
        case graph.Rule(terms=terms):
            return any(_is_of(each, term) for each in terms)
        case _ if isinstance(node, layered.Rule):
            return _is_of(node.concludes_on, term)
        case _:
            return isinstance(plain_node, _TERMS) and _is_of(name, term)


def _is_of(name: str, term: str) -> bool:
    return name == term or name.startswith(f"{term}.")
