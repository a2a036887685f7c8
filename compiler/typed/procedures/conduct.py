"""Elaboration of procedures: the sequence of play, actions, resolutions, hooks and their steps.

In: the procedures of a layered stack, with what other layers insert and add. Out: `graph.Procedure` by key, as
`action:march` or `hook:end of turn#003`; hooks in the order in which they run.

Names bound by `let`, `choose`, `roll`, loops and the like are in scope for the steps after them; `player` is the acting
side everywhere. Phases that other layers insert are placed as they declare.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial

from compiler.layered import nodes as layered
from compiler.source import nodes as source
from compiler.source.origins import origin_of
from compiler.typed.declarations.procedures import rename_parameters
from compiler.typed.duplicate_names import holds_name
from compiler.typed.environment import Environment, memoize_query
from compiler.typed.findings.mismatches import WrongArity
from compiler.typed.findings.names import UnknownName
from compiler.typed.laws import context_for
from compiler.typed.placeholders import unknown_placeholders
from compiler.typed.procedures.accounts import steps_of_account, typed_account
from compiler.typed.procedures.call_graph import choices_in, enter_call_graph
from compiler.typed.procedures.hooks import sort_hooks
from compiler.typed.procedures.joined_offers import additions_to, check_hosts, offered_in, with_actions_beside
from compiler.typed.procedures.misplaced import ProcedureStatement, contradictory_preferences, late_conditions
from compiler.typed.procedures.reactions import action_of, reaction_hook, task_hook
from compiler.typed.procedures.steps import typed_in, typed_sequence
from compiler.typed.unknown_names import call_text, check_known
from runtime.graph import nodes as graph
from runtime.graph.predeclared_types import SIDE
from runtime.graph.related_procedures import procedure_label

TURN_UNITS = ("turn", "own_turn")
ADD_TO_IT = "change the first with `insert phase ..` or `offer .. beside ..`"
WHAT: dict[type, graph.ProcedureKind] = {
    source.Sequence: "sequence",
    source.Action: "action",
    source.Resolution: "resolution",
    source.Hook: "hook",
}


def build_procedures(env: Environment, stack: layered.LayeredStack) -> dict[str, graph.Procedure]:
    """Elaborate all procedures of a stack."""
    built: dict[str, graph.Procedure] = {}
    inserts = [part.node for part in stack.statements_of(source.Insert)]
    additions = [part.node for part in stack.statements_of(source.Beside)]
    bodied = [
        part.node for part in stack.conduct if not isinstance(part.node, source.Insert | source.Beside | source.Phase)
    ]
    check_hosts(env, additions, frozenset[str]().union(*(_offered(node, env) for node in (*bodied, *inserts))))
    below = {id(each.now): each.below for each in stack.displaced if each.now is not None}

    def elaborate_procedure(
        layer: str, node: ProcedureStatement, as_written: source.Conduct, inserts: Iterable[source.Insert] = ()
    ) -> graph.Procedure:
        """Elaborate a procedure, and the one that it replaces."""
        replaced = below.get(id(as_written))
        before = None if replaced is None else _below(env, replaced, additions, list(inserts))
        procedure = _typed(env, layer, node, additions, list(inserts))
        return procedure if before is None else _with_replaced(env, procedure, before)

    hooks = 0
    written: dict[str, source.Hook] = {}
    others: dict[str, str] = {}
    for layer, node in ((part.layer, part.node) for part in stack.conduct):
        match node:
            case source.Sequence(name=name):
                if "sequence" in built:
                    env.report_invalid(name.span, "two sequences of play are declared", ADD_TO_IT)
                built["sequence"] = elaborate_procedure(layer, node, node, inserts)
            case source.Action(name=name):
                built[f"action:{name.text}"] = elaborate_procedure(layer, node, node)
            case source.Resolution(name=name):
                built[f"resolution:{name.text}"] = elaborate_procedure(layer, node, node)
            case source.Hook(event=event):
                hooks += 1
                key = f"hook:{event.text}#{hooks:03d}"
                written[key] = node
                built[key] = elaborate_procedure(layer, node, node)
            case source.Reaction():
                action = env.database.derive("action of reaction", (node,), partial(action_of, node))
                built[f"action:{node.name.text}"] = elaborate_procedure(layer, action, node)
                hooks += 1
                others[node.name.text] = key = f"hook:{node.event.text}#{hooks:03d}"
                built[key] = reaction_hook(env, node, layer)
            case source.Insert() | source.Beside() | source.Phase():
                pass  # part of the sequence or of offers at this point
    for part in stack.statements_of(source.Task):
        if not holds_name(env, "type", part.node.name):
            continue
        hooks += 1
        moment = f"end of {part.node.moment.name.text}"
        others[part.node.name.text] = key = f"hook:{moment}#{hooks:03d}"
        built[key] = task_hook(env, part.node, part.layer)
    _check_concerned(env, stack, built)
    enter_call_graph(env, built.values())
    return sort_hooks(env, built, written, others, stack.above)


def _below(
    env: Environment,
    replaced: layered.LayerStatement[source.Conduct],
    additions: list[source.Beside],
    inserts: list[source.Insert],
) -> graph.Procedure | None:
    """Elaborate the procedure that another replaces.

    None for a part of one, or with problems, which are not reported.
    """
    node = replaced.node
    if isinstance(node, source.Reaction):
        node = env.database.derive("action of reaction", (node,), partial(action_of, node))
    if isinstance(node, source.Insert | source.Beside | source.Phase | source.Reaction):
        return None
    quiet = replace(env, problems=[])
    procedure = _typed(quiet, replaced.layer, node, additions, inserts)
    return None if quiet.problems else procedure


def _with_replaced(env: Environment, procedure: graph.Procedure, before: graph.Procedure) -> graph.Procedure:
    return env.database.derive("instead", (procedure, before), lambda: replace(procedure, instead_of=before))


def _check_concerned(env: Environment, stack: layered.LayeredStack, built: Mapping[str, graph.Procedure]) -> None:
    """Report amendments of unknown procedures and phases, and those that are not made by rulings."""
    known: dict[str, set[str]] = {
        "phase": set(env.members("phase")),
        "hook": {procedure.event for procedure in built.values()},
    }
    for procedure_kind in ("action", "resolution"):
        known[procedure_kind] = {procedure.name for procedure in built.values() if procedure.what == procedure_kind}
    for rule, each in (
        (law, each) for law in stack.action_rules for part in law.node.relations for each in part.procedures
    ):
        procedure_kind = each.key.partition(":")[0]
        if any(part.verb == "withdraws" and each in part.procedures for part in rule.node.relations):
            continue
        if not rule.ruling:
            text = f"a rule cannot be about {procedure_label(each.key)}"
            env.report_invalid(each.span, text, "write it as a `ruling`")
        elif each.event not in known[procedure_kind]:
            text = "event with a hook" if procedure_kind == "hook" else procedure_kind
            candidates = tuple(sorted(known[procedure_kind] - {""}))
            env.problems.append(UnknownName(each.name.span, text, each.event, candidates))


def _offered(node: source.Conduct, env: Environment) -> frozenset[str]:
    """Return the actions that are offered in a procedure, or in a phase that is inserted."""
    body = (node.phase,) if isinstance(node, source.Insert) else () if isinstance(node, source.Beside) else node.body
    return env.database.derive("actions offered", (node,), lambda: frozenset(offered_in(body)))


def _typed(
    env: Environment,
    layer: str,
    node: ProcedureStatement,
    additions: list[source.Beside],
    inserts: list[source.Insert] | None,
) -> graph.Procedure:
    """Elaborate one procedure, with the phases that are inserted and the additions to its offers."""
    body = _with_layers(env, node, additions, inserts or [])
    procedure, choices, nested = _procedure(env, node, body, layer)
    if procedure.what == "action":
        env.choices[procedure.name] = env.database.intern(choices)
    env.nested_choices[procedure.origin] = nested
    return procedure


def _with_layers(
    env: Environment, node: ProcedureStatement, additions: list[source.Beside], inserts: list[source.Insert]
) -> tuple[source.Step, ...]:
    """Return the steps of a procedure with those that other layers add."""
    offered = _offered(node, env).union(*[_offered(each, env) for each in inserts])
    coming = additions_to(offered, additions) if offered else []
    if not inserts and not coming:
        return node.body
    return _joined(env, node, env.database.tuple_of(coming), env.database.tuple_of(inserts))


@memoize_query("body", input_count=3)
def _joined(
    env: Environment, node: ProcedureStatement, additions: tuple[source.Beside, ...], inserts: tuple[source.Insert, ...]
) -> tuple[source.Step, ...]:
    return with_actions_beside(_with_inserts(env, node.body, inserts), additions, env.database)


def declare_events(env: Environment, stack: layered.LayeredStack) -> None:
    """Enter the layers of files with procedures, and the events of their hooks."""
    env.layer_of_file.update({part.node.span.file: env.database.intern(part.layer) for part in stack.conduct})
    env.layer_of_file.update(
        {part.span.file: env.database.intern(part.layer) for part in stack.displaced if part.now is not None}
    )
    _enter_moments(env, stack)


def _enter_moments(env: Environment, stack: layered.LayeredStack) -> None:
    """Enter the moments of hooks and tasks as events without parameters."""
    known = (*TURN_UNITS, *env.members("phase"))
    event_words = [part.node.event for part in stack.statements_of(source.Hook)]
    tasks = (part.node.moment for part in stack.statements_of(source.Task))
    event_words += [source.Word(moment.span, f"end of {moment.name.text}") for moment in tasks]
    for word in event_words:
        moment = word.text.removeprefix("end of ")
        if moment != word.text:
            if moment not in known:
                env.problems.append(UnknownName(word.span, "moment", moment, tuple(known)))
            env.events[word.text] = env.database.intern(graph.Event(word.text, ()))
    # A layer below all sequences cannot know their phases.
    for statements in stack.statements.values() if len(known) > len(TURN_UNITS) else ():
        for word in env.database.derive("lifetimes of layer", (statements,), partial(_lifetimes, statements)):
            check_known(env, "moment", word, (*known, "game"))


def _lifetimes(statements: Iterable[layered.LayerStatement[object]]) -> tuple[source.Word, ...]:
    """Return the moments at which statuses and tracks expire."""
    return tuple(until.name for part in statements for _, until in source.lifetimes(part.node))


def _with_inserts(
    env: Environment, body: tuple[source.Step, ...], inserts: Iterable[source.Insert]
) -> tuple[source.Step, ...]:
    """Insert every phase before or after its anchor, wherever that occurs."""
    for node in inserts:
        # What is inserted beside a conditional phase is unconditional; a phase that occurs in several places under
        # conditions takes along what is inserted beside it.
        enters_branches = _count(body, node.anchor.text) > 1
        body, found = _insert(body, node, enters_branches=enters_branches)
        if not found:
            pool = env.members("phase")
            env.report_unknown("phase", node.anchor, [name for name in pool if name != node.phase.name.text])
    return body


def _count(body: Iterable[source.Step], name: str) -> int:
    return sum(isinstance(step, source.Phase) and step.name.text == name for step in source.nested_steps(body))


def _insert(
    body: tuple[source.Step, ...], node: source.Insert, *, enters_branches: bool
) -> tuple[tuple[source.Step, ...], bool]:
    steps: list[source.Step] = []
    found = False
    for step in body:
        is_anchor = isinstance(step, source.Phase) and step.name.text == node.anchor.text
        is_anchor = is_anchor or (
            isinstance(step, source.Branch) and not enters_branches and _count((step,), node.anchor.text) > 0
        )
        if is_anchor and node.order == "before":
            steps.append(_inserted(node))
        if isinstance(step, source.Each | source.Loop):
            inner, below = _insert(step.body, node, enters_branches=enters_branches)
            steps.append(replace(step, body=inner))
            found = found or below
        elif isinstance(step, source.Branch) and enters_branches:
            then = _insert(step.then, node, enters_branches=enters_branches)
            orelse = _insert(step.orelse, node, enters_branches=enters_branches)
            below = then[1] or orelse[1]
            steps.append(replace(step, then=then[0], orelse=orelse[0]) if below else step)
            found = found or below
        else:
            steps.append(step)
        if is_anchor and node.order == "after":
            steps.append(_inserted(node))
        found = found or is_anchor
    return tuple(steps), found


def _inserted(node: source.Insert) -> source.Step:
    """Return an inserted phase, under the condition that another layer may have added."""
    return node.phase if node.guard is None else source.Branch(node.span, node.guard, (node.phase,), ())


@memoize_query("procedure", input_count=2)
def _procedure(
    env: Environment, node: ProcedureStatement, body: tuple[source.Step, ...], layer: str
) -> tuple[graph.Procedure, tuple[graph.Parameter, ...], tuple[graph.Parameter, ...]]:
    """Elaborate a procedure, and return its choices: of its own steps, and those of nested steps as well."""
    declared_parameters = _parameters(env, node)
    names = graph.parameter_types(declared_parameters) | {"player": SIDE}
    context = context_for(env, names)._replace(layer=layer)
    if isinstance(node, source.Sequence):
        steps, head, end = list(typed_sequence(body, context)), context, context
    else:
        made_steps, head, end = typed_in(body, context)
        steps = list(made_steps)
    env.problems.extend(late_conditions(node, body))
    word = node.event if isinstance(node, source.Hook) else node.name
    reads = node.reads.text if isinstance(node, source.Action) and node.reads else ""
    phases: tuple[str, ...] = ()
    choice_parameters = declared_parameters
    no_preference = ""
    if isinstance(node, source.Action):
        phases = _phases(env, node)
        no_preference = node.unpreferred.why if node.unpreferred else ""
        env.problems.extend(contradictory_preferences(node, body))
        choices = (part for part in body if isinstance(part, source.Choose) and part.span in env.chosen)
        choice_parameters += tuple(graph.Parameter(part.name.text, env.chosen[part.span]) for part in choices)
        if node.reads is not None:
            chosen = (part.name.text for part in body if isinstance(part, source.Choose))
            known = dict.fromkeys(("player", *(part.name for part in declared_parameters), *chosen))
            env.problems.extend(unknown_placeholders(node.reads, list(known), "action"))
        if node.by is not None and env.has_member("side", node.by.text):
            only = graph.Op("=", (graph.Var("player"), graph.Member("side", node.by.text)))
            steps.insert(0, graph.Legal(only))
    account = None
    if not isinstance(node, source.Sequence) and node.account is not None:
        begins = head if isinstance(node, source.Action) else context
        # Where rules skip the account, it has the names in scope where it begins.
        end = end._replace(names={**env.account_scopes.get(node.account.span, {}), **end.names})
        account = typed_account(node.account, begins, end, layer, steps_of_account(body))
    procedure = graph.Procedure(
        what=WHAT[type(node)],
        name=word.text,
        event=word.text if isinstance(node, source.Hook) else "",
        parameters=declared_parameters,
        phases=phases,
        body=tuple(steps),
        reads=reads,
        prose="" if isinstance(node, source.Sequence) else node.prose or "",
        cites=tuple(cite.text for cite in node.cites),
        origin=origin_of(layer, word.span),
        no_preference=no_preference,
        account=account,
    )
    parameters = declared_parameters if procedure.what == "action" else ()
    return procedure, choice_parameters, (*parameters, *choices_in(body, env))


def _phases(env: Environment, node: source.Action) -> tuple[str, ...]:
    for word in node.phases:
        if not env.has_member("phase", word.text):
            env.report_unknown("phase", word, env.members("phase"))
    return tuple(word.text for word in node.phases)


def _parameters(env: Environment, node: ProcedureStatement) -> tuple[graph.Parameter, ...]:
    match node:
        case source.Action(name=name):
            return env.actions.get(name.text, ())
        case source.Resolution(name=name):
            return env.resolutions.get(name.text, ())
        case source.Hook(event=event, parameters=words):
            declared = env.events.get(event.text)
            if declared is None:
                env.report_unknown("event", event, env.events)
                return rename_parameters(words, ())
            if len(words) != len(declared.parameters):
                parameter_count = len(declared.parameters)
                form = call_text(event.text, declared.parameters)
                env.problems.append(WrongArity(event.span, event.text, parameter_count, len(words), form))
            return rename_parameters(words, declared.parameters)
        case source.Sequence():
            return ()
