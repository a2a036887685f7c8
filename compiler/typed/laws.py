"""Elaboration of rules: their conclusions, and the terms that may be concluded on.

In: a layered stack and its environment. Out: the signatures of all terms, and graph rules. Stages become terms of their
own, flags that rules override become terms, and a rule without conclusion belongs to every term of a rule that it
defeats. The terms themselves are built in terms.py.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from compiler.layered import nodes as layered
from compiler.layered.amendment_text import amends_play, list_amendments
from compiler.layered.relations import conclusion_key
from compiler.query.symbol_table import SymbolTable
from compiler.source import nodes as source
from compiler.source.nodes.words import GENERAL
from compiler.source.origins import origin_of
from compiler.typed.context import Context
from compiler.typed.environment import UNKNOWN_TYPE, Environment, Signature, memoize_query
from compiler.typed.expansion_limit import ADVICE, TOO_LARGE, overgrown_name
from compiler.typed.findings.invalid_constructs import InvalidConstruct
from compiler.typed.findings.mismatches import WrongVerb
from compiler.typed.findings.names import UnknownFlag
from compiler.typed.values import facts, places
from compiler.typed.values.calls import infer_signature
from compiler.typed.values.expressions import elaborate, elaborate_condition
from runtime.graph import nodes as graph
from runtime.graph.verbs import verbs_on


def context_for(env: Environment, names: Mapping[str, graph.Type]) -> Context:
    """Return a context with these names bound; problems go to the environment."""
    return Context(env, env.problems, elaborate, dict(names))


def infer_defines(env: Environment) -> None:
    """Infer the types of all definitions without a written type, in the order of their dependencies."""
    while env.pending:
        name = next(iter(sorted(env.pending)))
        infer_signature(context_for(env, {}), env.terms[name])


def list_signatures(env: Environment, stack: layered.LayeredStack) -> SymbolTable[Signature]:
    """Return the signatures of all terms that rules may conclude on: declared terms, stages, and overridden flags."""
    found = env.signatures
    for term in env.terms.values():
        found[term.name] = term
        for stage in term.stages:
            name = f"{term.name}.{stage}"
            make = partial(replace, term, name=name, form="value", stages=())
            found[name] = env.database.derive("stage", (term,), make, stage)
    first: dict[str, layered.Rule] = {}
    for rule in stack.rules.values():
        first.setdefault(rule.concludes_on, rule)
    for key, rule in first.items():
        if key and key not in found and key in env.flags:
            owner = key.split(".", maxsplit=1)[0]
            subject = _subject(owner)
            found[key] = Signature(key, "flag", (graph.Parameter(owner, subject),), graph.YesNo(), (), rule.node.span)
    return found


def _subject(owner: str) -> graph.Type:
    match owner:
        case "hex":
            return graph.Hex()
        case "hexside":
            return graph.Hexside()
        case kind:
            return graph.Piece((kind,))


def build_rules(
    env: Environment, stack: layered.LayeredStack, signatures: Mapping[str, Signature]
) -> dict[str, graph.Rule]:
    """Return the rules by label, elaborated with the parameters of their terms in scope; without those in error."""
    terms_without_conclusion = _terms_of_defeated_rules(stack)
    built: dict[str, graph.Rule] = {}
    for label, rule in stack.rules.items():
        if rule.concludes_on:
            if rule.concludes_on not in signatures:
                _report_unknown_conclusion(env, rule, signatures)
                continue
            terms: tuple[str, ...] = (rule.concludes_on,)
        else:
            if not (rule.node.conclusion or rule.node.relations or rule.node.patches or rule.node.amends):
                message = f"`{label}` has no effect, as it has neither a conclusion nor a relation"
                advice = "add a conclusion, as in `may_go forbidden`, or a relation, as in `exception to LABEL`"
                env.report_invalid(rule.node.label.span, message, advice)
                continue
            if (misread := _conditional_removal(rule)) is not None:
                env.problems.append(misread)
                continue
            terms = tuple(sorted(terms_without_conclusion[label] & signatures.keys()))
            if terms_without_conclusion[label] and not terms:
                continue  # Everything that it defeats was reported; without a term its names have no meaning.
        built[label] = _rule(env, rule, terms, signatures=signatures)
    return built


def _conditional_removal(rule: layered.Rule) -> InvalidConstruct | None:
    """Return the problem of a rule whose condition governs nothing, as it only removes rules or changes cells."""
    node = rule.node
    removed = [word for part in node.relations if part.verb in {"withdraws", "replaces"} for word in part.labels]
    if node.guard is None or rule.defeats or amends_play(node) or not (removed or node.patches):
        return None
    target = f"`{removed[0].text}` is removed" if removed else f"`{node.patches[0].table.text}` is changed"
    advice = "write an exception with this condition instead, or delete the condition"
    return InvalidConstruct(node.guard.span, f"{target} permanently, so `when` is not possible", advice)


def build_other_readings(
    env: Environment,
    stack: layered.LayeredStack,
    signatures: Mapping[str, Signature],
    loaded_rules: Mapping[str, graph.Rule],
) -> dict[str, tuple[graph.Rule, ...]]:
    """Return the rules of readings that are not chosen, by reading, without edges: answers are compared with them.

    What they change in procedures and charts is left out, as is a reading of which a rule has a problem, which is
    reported where the reading is chosen.
    """
    owners = frozenset({*GENERAL, *(flag.owner for flag in env.flags.values())})
    readings: dict[str, list[layered.Rule]] = {}
    for rule in (rule for dispute in stack.disputes.values() for rule in dispute.others):
        if not rule.node.amends and not rule.node.patches:
            readings.setdefault(rule.reading, []).append(rule)
    built: dict[str, tuple[graph.Rule, ...]] = {}
    for reading, rules in readings.items():
        concluding = {rule.node.label.text: conclusion_key(rule.node, owners) for rule in rules}
        known_problems = len(env.problems)
        laws = [_other_rule(env, loaded_rules, rule, concluding, signatures) for rule in rules]
        if len(env.problems) == known_problems:
            built[reading] = tuple([law for law in laws if law is not None])
        del env.problems[known_problems:]
    return built


def _other_rule(
    env: Environment,
    loaded_rules: Mapping[str, graph.Rule],
    rule: layered.Rule,
    concluding: Mapping[str, str],
    signatures: Mapping[str, Signature],
) -> graph.Rule | None:
    """Return a rule of a reading that is not chosen; without a conclusion it is of the terms of the rules it names."""
    concludes_on = concluding[rule.node.label.text]
    terms = {concludes_on} - {""}
    if not terms:
        named = {word.text for relation in rule.node.relations for word in relation.labels}
        terms |= {concluding[label] for label in named & concluding.keys()}
        for label, loaded in loaded_rules.items():
            if named & {label, loaded.case, loaded.ruling, loaded.reading}:
                terms.update(loaded.terms)
    terms &= signatures.keys()
    concluded_rule = replace(rule, concludes_on=concludes_on)
    return _rule(env, concluded_rule, tuple(sorted(terms)), signatures=signatures) if terms else None


def _terms_of_defeated_rules(stack: layered.LayeredStack) -> dict[str, set[str]]:
    """Return the terms of rules without a conclusion: those of the rules that they defeat, transitively."""
    found: dict[str, set[str]] = {label: set() for label, rule in stack.rules.items() if not rule.concludes_on}
    grew = True
    while grew:
        grew = False
        for label, terms in found.items():
            before = len(terms)
            for target in stack.rules[label].defeats:
                if target in stack.rules:
                    terms.update(found[target] if target in found else (stack.rules[target].concludes_on,))
            grew = grew or len(terms) > before
    return found


def _report_unknown_conclusion(env: Environment, rule: layered.Rule, signatures: Mapping[str, Signature]) -> None:
    conclusion = rule.node.conclusion
    assert conclusion is not None
    head, stage, key = conclusion.head, conclusion.stage, rule.concludes_on
    if stage is not None and head.text in signatures:
        env.report_unknown(f"stage of {head.text}", stage, signatures[head.text].stages)
    elif "." in key and stage is None:
        owner, flag = key.split(".", 1)
        pool = [part.name for part in env.flags.values() if part.owner == owner]
        value = conclusion.value
        span = value.span if value else head.span
        env.problems.append(UnknownFlag(span, owner, flag, tuple(pool)))
    else:
        env.report_unknown("term", head, signatures)


@memoize_query("rule")
def _rule(
    env: Environment, rule: layered.Rule, terms: tuple[str, ...], *, signatures: Mapping[str, Signature]
) -> graph.Rule:
    node = rule.node
    shared = _shared_parameters([signatures[term] for term in terms])
    context = context_for(env, shared)
    if rule.concludes_on:
        context = context._replace(previous=previous_answer(signatures[rule.concludes_on], signatures))
    env.problems.extend(_written_twice(node, shared))
    names: list[tuple[str, graph.Expr]] = []
    for part in node.names:
        expression, type_ = elaborate(part.value, context, None)
        names.append((part.name.text, expression))
        # An error is reported at its place, and not again at each use.
        named = places.is_on_scale(expression, context.places)
        context = context.with_binding(part.name.text, type_ or UNKNOWN_TYPE, named=named)
    if (large := overgrown_name(names)) is not None:
        span = next(part.name.span for part in node.names if part.name.text == large)
        env.report_invalid(span, TOO_LARGE.format(large), ADVICE)
    # The condition of a rule that amends procedures, or is an exception to such a rule, is part of the steps that it
    # amends.
    guarded = node.guard is not None and (bool(terms) or not (amends_play(node) or rule.defeats))
    guard = elaborate_condition(node.guard, context) if node.guard is not None and guarded else None
    if guard is not None:
        context = context.with_facts(facts.when_true(guard))
    verb, value = _conclude(env, rule, context, signatures)
    return graph.Rule(
        label=node.label.text,
        terms=terms,
        verb=verb,
        value=value,
        names=tuple(names),
        guard=guard,
        defeats=rule.defeats,
        relations=(
            *(
                (part.verb, name)
                for part in node.relations
                for name in (
                    *(word.text for word in part.labels),
                    *(each.key for each in part.procedures if node.guard is None or not part.wholes),
                )
            ),
            *list_amendments(node),
        ),
        case=rule.case,
        ruling=rule.ruling,
        reading=rule.reading,
        cites=tuple(word.text for word in node.cites),
        prose=node.prose or "",
        origin=origin_of(rule.layer, node.label.span),
    )


def _written_twice(rule: source.Rule, parameters: Mapping[str, graph.Type]) -> Iterator[InvalidConstruct]:
    """Find targets that a rule lists twice, and names that it binds twice or that are parameters of its question."""
    label = rule.label.text
    targets: set[tuple[str, str]] = set()
    for relation in rule.relations:
        for word in relation.labels:
            if (relation.verb, word.text) in targets:
                yield InvalidConstruct(word.span, f"`{label}` names `{word.text}` twice", "delete one of the two")
            targets.add((relation.verb, word.text))
    bound: set[str] = set()
    for part in rule.names:
        name = part.name.text
        if name in parameters:
            message = f"`{name}` is already the name of a parameter of this question"
            yield InvalidConstruct(part.name.span, message, "choose another name")
        elif name in bound:
            yield InvalidConstruct(
                part.name.span, f"`{label}` uses the name `{name}` for two things", "rename one of the two"
            )
        bound.add(name)


def _shared_parameters(terms: list[Signature]) -> dict[str, graph.Type]:
    """Return the parameters that all terms have, by name and type, which a rule on several of them may use."""
    if not terms:
        return {}
    first = {part.name: part.type for part in terms[0].parameters}
    for term in terms[1:]:
        parameters = graph.parameter_types(term.parameters)
        first = {name: type_ for name, type_ in first.items() if parameters.get(name) == type_}
    return first


def previous_answer(term: Signature, signatures: Mapping[str, Signature]) -> tuple[graph.Expr, graph.Type] | None:
    """Return, for a stage, the query of the stage before and its type; None for others."""
    head, _, stage = term.name.partition(".")
    stages = signatures[head].stages if stage and head in signatures else ()
    if stage not in stages or stages.index(stage) == 0:
        return None
    before = f"{head}.{stages[stages.index(stage) - 1]}"
    return graph.Ask(before, tuple(graph.Var(part.name) for part in term.parameters)), term.type


def _conclude(
    env: Environment, rule: layered.Rule, context: Context, signatures: Mapping[str, Signature]
) -> tuple[graph.Verb, graph.Expr | None]:
    conclusion = rule.node.conclusion
    if conclusion is None:
        return "", None
    term = signatures[rule.concludes_on]
    verbs = {each.notation: each.name for each in verbs_on(term.form)} if not term.stages else {}
    verb = verbs.get(conclusion.verb)
    if verb is None:
        form = "staged value" if term.stages else term.form
        return env.report(
            WrongVerb(conclusion.span, term.name, form, conclusion.verb, tuple(verbs) or term.stages), ("", None)
        )
    if term.form == "flag":
        return verb, graph.Truth(not isinstance(conclusion.value, source.Not))
    if conclusion.value is None:
        return verb, None
    return verb, elaborate(conclusion.value, context, term.type)[0]
