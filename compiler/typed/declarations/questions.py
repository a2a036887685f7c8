"""The declarations of questions and of their stages, and of wordings."""

from typing import cast

from compiler.source import nodes as source
from compiler.typed.declarations.record import DeclarationRecord, Wave, resolve_parameters
from compiler.typed.duplicate_names import reserve_name
from compiler.typed.environment import UNKNOWN_TYPE, Environment, Signature, resolve_type
from compiler.typed.findings.declared_twice import DuplicateName
from compiler.typed.forms import misplaced_clauses
from compiler.typed.unknown_names import check_known
from runtime.graph import nodes as graph


def _enter_term(env: Environment, node: source.Term) -> None:
    if not reserve_name(env, "term", node.name):
        return
    env.problems.extend(misplaced_clauses(node))
    type_, bounds = _concluded_type(env, node), node.capped
    answer = None
    if bounds is not None and isinstance(type_, graph.Number):
        answer = graph.Number(bounds.low, bounds.high, type_.measure)
    name, form = node.name.text, cast(graph.Form, node.form)
    stages, parameters = _stages(env, node), resolve_parameters(env, node.parameters)
    env.terms[name] = Signature(name, form, parameters, type_, stages, node.name.span, answer)


def _concluded_type(env: Environment, node: source.Term) -> graph.Type:
    """Return the type that rules conclude on a term: its own, or that of its form."""
    written = (resolve_type(env, node.type) if node.type else None) or UNKNOWN_TYPE
    if node.form in {"verdict", "condition"}:
        return graph.YesNo()
    return graph.Many("set", written) if node.form == "set" and written is not UNKNOWN_TYPE else written


def _stages(env: Environment, node: source.Term) -> tuple[str, ...]:
    """Return the stages of a value, each once; a repeated one is reported."""
    first: dict[str, source.Word] = {}
    for stage in node.stages:
        if first.setdefault(stage.text, stage) is not stage:
            place = first[stage.text].span
            env.problems.append(DuplicateName(stage.span, place, f"stage of {node.name.text}", stage.text))
    return tuple(first) if node.form == "value" else ()


def _enter_define(env: Environment, node: source.Define) -> None:
    if not reserve_name(env, "term", node.name):
        return
    name = node.name.text
    answer = resolve_type(env, node.type) or UNKNOWN_TYPE if node.type else None
    if answer is None:
        env.pending[name] = node
    parameters = resolve_parameters(env, node.parameters)
    env.terms[name] = Signature(name, "value", parameters, answer or graph.Nothing(), (), node.name.span)


def _enter_stage(env: Environment, node: source.Stage) -> None:
    term = env.terms.get(node.term.text)
    if term is None or not check_known(env, "stage", node.after, term.stages):
        # An unknown question has no stages.
        check_known(env, "term", node.term, env.terms)
    elif node.name.text in term.stages:
        message = f"`{term.name}` already has a stage `{node.name.text}`"
        env.report_invalid(node.name.span, message, "choose another name")
    else:
        index = term.stages.index(node.after.text) + 1
        stages = (*term.stages[:index], node.name.text, *term.stages[index:])
        env.terms[term.name] = Signature(term.name, term.form, term.parameters, term.type, stages, term.span)


QUESTIONS = (
    DeclarationRecord(
        source.Term,
        forms=(
            'value NAME(h: hex): 0..9 MP otherwise 0 MP reads ".."',
            'verdict NAME(h: hex) default allowed reads ".." denied ".."',
        ),
        binds={Wave.QUESTIONS: _enter_term},
        names={"name": "declares term", "stages": "declares stage {name}", "parameters": "binds parameter {name}"},
        outline="function",
    ),
    DeclarationRecord(
        source.Define,
        forms=('define NAME(h: hex) [SOURCE] = VALUE reads ".."',),
        binds={Wave.QUESTIONS: _enter_define},
        names={"name": "declares term and label", "parameters": "binds parameter {name}"},
        outline="function",
    ),
    DeclarationRecord(
        source.Stage,
        forms=("extend stages QUESTION: STAGE after STAGE",),
        binds={Wave.STAGES: _enter_stage},
        names={"name": "declares stage {term}", "term": "uses term", "after": "uses stage {term}"},
        outline=None,
    ),
    DeclarationRecord(
        source.StandsBeside,
        forms=("question QUESTION beside QUESTION(h) but not LABEL",),
        binds={},
        names={"term": "speaks_on term", "excepted": "uses label"},
        outline=None,
    ),
    DeclarationRecord(
        source.Wording,
        forms=('wording NAME "text"',),
        binds={},
        names={"name": "uses {namespace}", "of": "uses enum"},
        outline=None,
    ),
)
