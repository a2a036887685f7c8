"""Elaboration of a layered stack: every name bound to one declaration, every expression of one type.

In: a layered stack. Out: a typed stack, whose expressions, terms, rules, tables and procedures are nodes of the rule
graph, and all problems. The main difference from the layered stage: no name is text.
"""

from collections.abc import Iterable
from dataclasses import replace

from compiler.layered import nodes as layered
from compiler.layered.layer_selection import reachable_layers
from compiler.query.database import Database
from compiler.source import nodes as source
from compiler.source.finding import Finding
from compiler.source.origins import origin_of
from compiler.typed.books import check_books
from compiler.typed.counters import TITLE, build_counter, side_of
from compiler.typed.declare import build_environment
from compiler.typed.duplicate_names import holds_name
from compiler.typed.environment import BACK, Environment, memoize_query
from compiler.typed.examples import build_examples
from compiler.typed.laws import build_other_readings, build_rules, context_for, infer_defines, list_signatures
from compiler.typed.preconditions import build_preconditions
from compiler.typed.procedures.conduct import build_procedures, declare_events
from compiler.typed.rewording import enter_clauses
from compiler.typed.situations.cards import Boards, ResolvedCard, build_card
from compiler.typed.situations.required_facts import missing_facts, required_tracks, unfounded_conditions
from compiler.typed.source_lists import listed_twice
from compiler.typed.tables import build_table, declare_chart
from compiler.typed.terms import build_terms
from compiler.typed.values.expressions import elaborate_condition
from compiler.typed.values.ranges import type_in_range
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class TypedStack:
    """A typed stack: its environment, and all its parts as graph nodes."""

    layered: layered.LayeredStack
    env: Environment
    tracks: dict[str, graph.Track]
    terms: dict[str, graph.Term]
    rules: dict[str, graph.Rule]
    other_readings: dict[str, tuple[graph.Rule, ...]]
    tables: dict[str, graph.Table]
    counters: dict[str, graph.Counter]
    procedures: dict[str, graph.Procedure]
    examples: tuple[graph.Example, ...]
    always: tuple[graph.Always, ...]
    preconditions: tuple[graph.Precondition, ...]
    outcome: str
    aims: tuple[graph.Aim, ...]
    scenario: graph.Scenario | None


def elaborate_stack(
    stack: layered.LayeredStack, boards: Boards, database: Database
) -> tuple[TypedStack, list[Finding]]:
    """Elaborate everything that a stack loads; return the typed stack and the problems found."""
    env = build_environment(stack, database)
    withdrawn = [each for each in stack.displaced if each.now is None]
    env.withdrawn.bind(dict.fromkeys([each.key for each in withdrawn], True))
    for each in withdrawn:
        procedure_kind, _, name = each.key.partition(":")
        if procedure_kind in ("action", "resolution"):
            (env.actions if procedure_kind == "action" else env.resolutions).pop(name, None)
    for table in stack.tables.values():
        declare_chart(env, table)
    env.counters.bind({name: _identity(counter) for name, counter in stack.counters.items()})
    infer_defines(env)
    enter_clauses(env, stack.statements_of(source.Wording))
    known = list_signatures(env, stack)
    env.intern(env.charts, env.counters, env.terms, known)
    rules = build_rules(env, stack, known)
    terms = build_terms(env, stack, known, rules)
    other_readings = build_other_readings(env, stack, known, rules)
    env.relations.update(_relations_with_ends(env, stack))
    env.labels.bind(dict.fromkeys(rules, True))
    env.tracks.update(required_tracks(env, stack))
    env.intern(env.relations, env.tracks)
    declare_events(env, stack)
    procedures = build_procedures(env, stack)
    before = len(env.problems)
    resolved = build_card(env, stack.scenario, boards, stack.changed, stack.parts) if stack.scenario else None
    # Without its map, no hex in an example on the card would be found; the map is the error.
    unmapped = resolved is not None and not resolved.labels and len(env.problems) > before
    typed = TypedStack(
        layered=stack,
        env=env,
        tracks=_tracks(env, stack),
        terms=terms,
        rules=rules,
        other_readings=other_readings,
        tables={name: build_table(env, table) for name, table in stack.tables.items()},
        counters=_counters(env, stack),
        procedures=procedures,
        examples=tuple(
            each for example in stack.examples if not unmapped for each in _examples(env, example, stack.name, resolved)
        ),
        always=_always(env, stack),
        preconditions=build_preconditions(env, stack, procedures),
        outcome=(outcome := _outcome(env, stack)),
        aims=_aims(env, stack, outcome),
        scenario=resolved.card if resolved else None,
    )
    _check_cards(env, stack)
    check_books(env, stack)
    _check_backs(env, stack)
    if resolved is not None and stack.scenario is not None:
        env.problems += missing_facts(env, stack.scenario, resolved.card, rules, mapped=bool(resolved.labels))
        env.problems += unfounded_conditions(env, stack.scenario, typed.tracks, rules, procedures)
    _check_titles(env, stack.examples)
    return typed, list(dict.fromkeys(env.problems))


def _identity(counter: layered.Counter) -> tuple[str, tuple[str, ...], str]:
    """Return the kind of a counter, its side if it has one, and its title."""
    title = next((value.text for column, value in counter.node.values if column.text == TITLE), "")
    return counter.kind.text, side_of(counter), title


def _counters(env: Environment, stack: layered.LayeredStack) -> dict[str, graph.Counter]:
    counters = {name: build_counter(env, counter) for name, counter in stack.counters.items()}
    return {name: counter for name, counter in counters.items() if counter is not None}


def _examples(
    env: Environment, example: layered.Example, stack: str, resolved: ResolvedCard | None
) -> tuple[graph.Example, ...]:
    if resolved is not None:
        return build_examples(env, example, stack, resolved)
    return _examples_without_card(env, example.node, example.layer, example.protects, stack)


@memoize_query("example")
def _examples_without_card(
    env: Environment, node: source.Example, layer: str, protects: str, stack: str
) -> tuple[graph.Example, ...]:
    return build_examples(env, layered.Example(layer, node, protects), stack)


def _check_titles(env: Environment, examples: Iterable[layered.Example]) -> None:
    """Report a title that two examples of one file have: findings, book and coverage refer to examples by title."""
    seen: set[tuple[str, str]] = set()
    for node in (example.node for example in examples):
        if (node.span.file, node.title) in seen:
            head = replace(
                node.span, end_line=node.span.line, end_column=node.span.column + len(f'example "{node.title}"')
            )
            message = f"two examples of this file have the title `{node.title}`"
            env.report_invalid(head, message, "give one of them another title")
        seen.add((node.span.file, node.title))


def _check_backs(env: Environment, stack: layered.LayeredStack) -> None:
    """Report a counter that is the back of two: a piece on that side must have one front."""
    fronts: dict[str, str] = {}
    for name, counter in stack.counters.items():
        back = next((value for word, value in counter.node.values if word.text == BACK), None)
        printed = env.kinds[counter.kind.text].printed if counter.kind.text in env.kinds else ()
        if back is None or back.text not in stack.counters or any(part.name == BACK for part in printed):
            continue
        if (other := fronts.setdefault(back.text, name)) != name:
            message = f"`{back.text}` is the back of two counters, `{other}` and `{name}`"
            env.report_invalid(back.span, message, "give each counter a back of its own")


def _check_cards(env: Environment, stack: layered.LayeredStack) -> None:
    """Report unknown or repeated items of quick-reference cards: charts, cases, terms, or the sequence of play."""
    known = {"sequence", *stack.tables, *stack.cases, *env.terms}
    for manifest in stack.layers:
        for word in (word for side in manifest.card for word in side):
            if word.text not in known:
                env.report_unknown("chart, case or question", word, sorted(known))
        env.problems += listed_twice(word for side in manifest.card for word in side)


def _tracks(env: Environment, stack: layered.LayeredStack) -> dict[str, graph.Track]:
    """Return the tracks with their initial values, which may refer to anything declared."""
    tracks = dict(env.tracks)
    for node in (part.node for part in stack.statements_of(source.Track)):
        if node.initial is not None:
            key = f"{node.owner.text}.{node.name.text}"
            if holds_name(env, f"track of {node.owner.text}", node.name) and key in tracks:
                tracks[key] = _with_initial_value(env, node, key)
    return tracks


@memoize_query("initial")
def _with_initial_value(env: Environment, node: source.Track, key: str) -> graph.Track:
    """Return a track with its initial value."""
    assert node.initial is not None
    track = env.tracks[key]
    initial = type_in_range(node.initial, context_for(env, {}), track.type, key)
    return replace(track, initial=initial)


def _relations_with_ends(env: Environment, stack: layered.LayeredStack) -> dict[str, graph.Relation]:
    """Return the relations with the condition that ends a pair, which may be any question about its two pieces."""
    found = {}
    for node in (part.node for part in stack.statements_of(source.Relation)):
        holds = holds_name(env, "relation", node.name)
        if node.ends is not None and holds and node.name.text in env.relations:
            found[node.name.text] = _with_end(env, node)
    return found


@memoize_query("ends")
def _with_end(env: Environment, node: source.Relation) -> graph.Relation:
    """Return a relation with the condition that ends a pair."""
    assert node.ends is not None
    relation = env.relations[node.name.text]
    ends = (relation.left, relation.right, *([relation.payload] if relation.payload else []))
    return replace(
        relation, ends=elaborate_condition(node.ends, context_for(env, {end.name: end.type for end in ends}))
    )


def _always(env: Environment, stack: layered.LayeredStack) -> tuple[graph.Always, ...]:
    return tuple(_always_fact(env, part.node, part.layer) for part in stack.statements_of(source.Always))


@memoize_query("always")
def _always_fact(env: Environment, node: source.Always, layer: str) -> graph.Always:
    condition = elaborate_condition(node.condition, context_for(env, {}))
    return graph.Always(
        node.label.text, condition, tuple(word.text for word in node.cites), origin_of(layer, node.label.span)
    )


def _aims(env: Environment, stack: layered.LayeredStack, outcome: str) -> tuple[graph.Aim, ...]:
    """Return the declared aims of all layers, which add up."""
    declared: dict[str, graph.Aim] = {}
    for part in stack.statements_of(source.Aim):
        word, replaced = part.node.term, part.node.replaced
        if word is None:
            declared[""] = graph.Aim("", replaces_outcome=True, reason=part.node.reason)
            continue
        _check_ranking(env, word, "an aim")
        if replaced is not None and replaced.text != outcome:
            message = f"`{replaced.text}` is not the outcome"
            advice = f"write `instead of {outcome}`" if outcome else "delete `instead of`, as no `outcome` is declared"
            env.report_invalid(replaced.span, message, advice)
        if word.text in declared:
            env.report_invalid(word.span, f"the aim `{word.text}` is declared twice", "delete one of the two")
        declared[word.text] = graph.Aim(word.text, replaced is not None, reason="")
    return tuple(declared[name] for name in sorted(declared))


def _check_ranking(env: Environment, word: source.Word, role: str) -> None:
    """Report a term that cannot rank sides, as its name is unknown, it is not about a side, or it has no order."""
    term = env.terms.get(word.text)
    if term is None:
        env.report_unknown("term", word, env.terms)
    elif [each.type for each in term.parameters] != [graph.Enum("side")]:
        message = f"`{term.name}` cannot be {role}, as it is not a question about a side"
        advice = "name a value or a max with a side as its parameter, `value won(owner: side): ..`"
        env.report_invalid(word.span, message, advice)
    elif not isinstance(term.type, graph.Number | graph.Scale):
        message = f"`{term.name}` cannot be {role}, as its answers have no order"
        advice = "let it answer with a number or with a place on a scale"
        env.report_invalid(word.span, message, advice)


def _outcome(env: Environment, stack: layered.LayeredStack) -> str:
    """Return the term of the outcome: that of the highest layer, which is built on all others that have one."""
    named = [(part.layer, part.node.term) for part in stack.statements_of(source.Outcome)]
    card = stack.scenario
    if (
        card is not None
        and card.victory
        and not any(part.node.collected for part in stack.statements_of(source.Outcome))
    ):
        message = f"victory conditions have no effect here, as no `outcome` of `{card.uses.text}` uses levels"
        advice = "write `outcome QUESTION from LEVELS` in the rules, or delete `victory`"
        env.report_invalid(card.victory[0].level.span, message, advice)
    if not named:
        return ""
    layer, word = named[-1]
    _check_ranking(env, word, "the outcome")
    for other, term_ in named[:-1]:
        if other not in reachable_layers(stack.layers)[layer] - {layer}:
            message = f"two outcomes are declared, `{term_.text}` and `{word.text}`"
            env.report_invalid(word.span, message, f"delete one of the two, or write rules on `{term_.text}` instead")
    return word.text
