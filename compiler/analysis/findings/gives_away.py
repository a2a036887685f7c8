"""Actions that reveal a secret: whether they are open to a side depends on records of another side, or they copy it.

No side is shown the reason (runtime/play/refusal.py formats what a side may know), but that an action is closed, or
open, reveals it all the same. A fold that compares the record's `by` with a side reads the records of that side alone:
of the acting one, unless a question such as `enemy(player)`, a variable over all sides, or the side of a piece that
need not be of the acting one, names it. A choice among secret records is shown to each side without those of the
others. All other reads count.

A procedure copies a secret where it writes a choice into a secret record, and sets a note, which all sides see, to the
choice or to a number computed from it by arithmetic alone. A note that depends on it through a question or a chart may
have many causes, and is not reported. It copies one as well where it sets a note, or writes a public record, by a field
of a secret record that it does not strike: that is secret no longer, and still kept as such. It shows a secret if a die
that it rolls, which all sides see, decides a field of a secret record.

Of 414 alterations of the game with hidden hands, five are reported. No other check compares who may see what.
"""

from collections.abc import Iterator, Sequence

from compiler.analysis.checks import check_of_stack
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.parties import Party, party_label, procedure_party
from compiler.analysis.step_reads import expressions_of_rule
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.conjuncts import conjuncts
from runtime.graph.effects import effects_in, effects_of, targets_in
from runtime.graph.effects.primitives import AddMember, SetValue, StrikeRecord, WriteRecord
from runtime.graph.free_names import variables_in
from runtime.graph.steps import inner_bodies, nested_steps
from runtime.graph.walk import nodes_of, walk


@finding("R0523", "gives-away", WARNING)
class GivesAway(Finding):
    """Whether an action is open depends on secret records of other sides; `reader` is the party that reads them.

    With `note`, a procedure copies a choice that it writes into a secret record to this note, which all sides see, or
    (`is_kept`) what a record has that it does not strike. With a `choice` alone, a die decides a field of the record.
    """

    action: Party
    record: str
    reader: Party
    note: str = ""
    choice: str = ""
    is_kept: bool = False

    def sentence(self) -> Sentence:
        action, record, note = self.action, self.record, self.note
        reveals = f"`{action.label}` reveals the secret `{record}`"
        if note:
            return Sentence(
                f"{reveals}: `{note}`, which all sides see, is set from `{self.choice}`",
                (
                    party_label(
                        action,
                        f"`{record}` remains secret" if self.is_kept else f"writes `{self.choice}` into `{record}`",
                    ),
                ),
                f"set `{note}` when `{record}` is revealed{', and `strike` the record' if self.is_kept else ''}",
                root=f"{action.label} {record} {note}",
            )
        if self.choice:
            message = f"{reveals}: all sides see the die `{self.choice}`, which decides what is written"
            labels = (party_label(action, f"rolls `{self.choice}`"),)
            advice = f"draw it, so that nobody sees it: `draw {self.choice} from all ..`"
            return Sentence(message, labels, advice, root=f"{action.label} {record} {self.choice}")
        is_reader = self.reader.origin == action.origin
        reader_label = party_label(self.reader, f"uses `{record}` of all sides")
        action_label = party_label(action, "this action")
        message = f"{reveals}: whether it is allowed depends on secrets of other sides"
        parties = (action_label,) if is_reader else (reader_label, action_label)
        advice = (
            "use only records of the acting side, `where r.by = player`, or test them in the steps after the choices"
        )
        return Sentence(message, parties, advice, root=f"{action.label} {record}")


_SECRET_FIELD, _SIDE_DOMAIN = "by", "side"


@check_of_stack
def gives_away(stack: graph.Graph) -> Iterator[GivesAway]:
    """Find actions that are open or closed by secret records of other sides."""
    secret = frozenset(name for name, record in stack.vocabulary.records.items() if record.secret)
    for procedure in stack.procedures.values() if secret else ():
        yield from _copies(procedure, secret)
        yield from _exposes(procedure, secret, stack)
        yield from _rolled(procedure_party(procedure), procedure.body, secret, frozenset())
        reported_records: set[str] = set()
        for condition, others in _conditions(procedure) if procedure.what == "action" else ():
            for record, reading_party in _read(condition, others, stack, secret, procedure_party(procedure)):
                if record not in reported_records:
                    reported_records.add(record)
                    yield GivesAway(procedure_party(procedure), record, reading_party)


def _copies(procedure: graph.Procedure, secret: frozenset[str]) -> Iterator[GivesAway]:
    """Find notes to which a procedure copies a choice that it writes into a secret record."""
    steps = list(nested_steps(procedure.body))
    chosen = {step.name for step in steps if isinstance(step, graph.Choose | graph.Draw)}
    chosen |= {
        step.name
        for step in steps if isinstance(step, graph.Loop) and isinstance(step.source, graph.Var)
        and step.source.name in chosen
    }  # fmt: skip
    written = {
        value.name: record.record
        for record in _secret_records(procedure.body, secret)
        for _, value in record.fields if isinstance(value, graph.Var) and value.name in chosen
    }  # fmt: skip
    for effect in targets_in(procedure.body) if written else ():
        for name in sorted(_by_arithmetic(effect.value) & written.keys()):
            party, note = procedure_party(procedure), f"{effect.owner}.{effect.name}"
            yield GivesAway(party, written[name], party, note, name)


def _secret_records(steps: object, secret: frozenset[str]) -> list[graph.New]:
    """Return the secret records that steps write."""
    written = (effect.record for effect in effects_in(steps, WriteRecord) if effect.type in secret)
    return [record for record in written if isinstance(record, graph.New)]


def _exposes(procedure: graph.Procedure, secret: frozenset[str], stack: graph.Graph) -> Iterator[GivesAway]:
    """Find notes and public records that a procedure sets by fields of secret records that it does not strike."""
    steps = tuple(nested_steps(procedure.body))
    for step in steps:
        if not isinstance(step, graph.Loop | graph.Choose):
            continue
        name = step.name
        scope = tuple(nested_steps(step.body)) if isinstance(step, graph.Loop) else steps
        if (record := _records_of(step.source)) in secret:
            is_struck = _strikes(scope, name)
        elif (record := _contents_of(step.source, stack)) in secret:
            # A loop strikes the record that has it.
            is_struck = any(
                isinstance(other, graph.Loop)
                and name in variables_in(other.source)
                and _strikes(other.body, other.name)
                for other in steps
            )
        else:
            continue
        for note, value in () if is_struck else (each for inner in scope for each in _public_writes(inner, secret)):
            for part in _parts_by_arithmetic(value):
                if text := _text_of_content(part, name):
                    party = procedure_party(procedure)
                    yield GivesAway(party, record, party, note, text, is_kept=True)


def _strikes(steps: Sequence[graph.Step], name: str) -> bool:
    return any(effect.record == graph.Var(name) for effect in effects_in(steps, StrikeRecord))


def _text_of_content(part: graph.Expr, name: str) -> str:
    """Return the text of a field of the record `name`, or of the name itself; "" for anything else."""
    match part:
        case graph.Get(graph.Var(base), "record", _, field) if base == name and field != _SECRET_FIELD:
            return f"{name}.{field}"
        case graph.Var(base) if base == name:
            return name
        case _:
            return ""


def _records_of(source: graph.Expr) -> str:
    """Return the type of the records that a collection contains; "" for others."""
    match source:
        case graph.All(graph.RecordOf(record)) | graph.Fold("gather", _, graph.All(graph.RecordOf(record)), _, None):
            return record
        case _:
            return ""


def _contents_of(source: graph.Expr, stack: graph.Graph) -> str:
    """Return the type of the records of which a collection, or the answer of a question, contains a field."""
    match source:
        case graph.Fold("gather", _, graph.All(graph.RecordOf(record)), _, graph.Get(_, "record", _, field)):
            return record if field != _SECRET_FIELD else ""
        case graph.Ask(term) if len(labels := stack.terms[term].rules) == 1:
            value = stack.rules[labels[0]].value
            return _contents_of(value, stack) if isinstance(value, graph.Fold) else ""
        case _:
            return ""


def _public_writes(step: graph.Step, secret: frozenset[str]) -> Iterator[tuple[str, graph.Expr]]:
    """Yield the notes, and public records, that a step sets, with the values."""
    for effect in effects_of(step):
        match effect:
            case SetValue(in_record, owner, name, value) | AddMember(in_record, owner, name, value):
                if not (in_record and owner in secret):
                    yield f"{owner}.{name}", value
            case WriteRecord(type_, record=graph.New(_, record_fields)) if type_ not in secret:
                yield from ((f"{type_}.{name}", value) for name, value in record_fields)
            case _:
                pass


def _rolled(
    party: Party, steps: tuple[graph.Step, ...], secret: frozenset[str], dice: frozenset[str]
) -> Iterator[GivesAway]:
    """Find secret records that the steps write by a die; `dice` are the names that earlier dice decide."""
    for step in steps:
        match step:
            case graph.Roll(name):
                dice |= {name}
            case graph.Let(name, value) if variables_in(value) & dice:
                dice |= {name}
            case _ if bodies := inner_bodies(step):
                for body in bodies:
                    yield from _rolled(party, body, secret, dice)
            case _:
                for record in _secret_records(step, secret):
                    for name in sorted(variables_in(record) & dice)[:1]:
                        yield GivesAway(party, record.record, party, choice=name)


def _by_arithmetic(expr: graph.Expr) -> frozenset[str]:
    """Return the names from which an expression is computed by operators alone."""
    return frozenset(part.name for part in _parts_by_arithmetic(expr) if isinstance(part, graph.Var))


def _parts_by_arithmetic(expr: graph.Expr) -> Iterator[graph.Expr]:
    """Yield the names, and other values, from which an expression is computed by operators alone."""
    match expr:
        case graph.Op(_, parts) | graph.SetOf(parts):
            for part in parts:
                yield from _parts_by_arithmetic(part)
        case _:
            yield expr


def _conditions(procedure: graph.Procedure) -> Iterator[tuple[graph.Expr, frozenset[str]]]:
    """List the conditions of the head of an action, which decide whether and how it may be taken.

    With each the names above it that may be another side than the acting one.
    """
    others: frozenset[str] = frozenset()
    for step in procedure.body:
        if isinstance(step, graph.Choose) and _are_others_pieces(step.source, others):
            others |= {step.name}
        match step:
            case graph.Let(name, value) if _may_be_other(value, others):
                others |= {name}
            case graph.Legal(condition):
                yield condition, others
            case graph.Choose(_, _, graph.Fold("gather", _, graph.All(), filter_condition, None)) if (
                filter_condition is not None
            ):
                yield filter_condition, others
            case graph.Choose(_, _, source) if not isinstance(source, graph.All):
                yield source, others


def _read(
    expr: graph.Expr, others: frozenset[str], stack: graph.Graph, secret: frozenset[str], reader: Party
) -> Iterator[tuple[str, Party]]:
    """Yield the secret record types of which an expression reads other sides' records, each with the reading party."""
    writer = ExpressionWriter(stack.vocabulary)
    seen: set[tuple[str, frozenset[str]]] = set()
    todo: list[tuple[graph.Expr, frozenset[str], Party]] = [(expr, others, reader)]
    while todo:
        part, names, party = todo.pop()
        folds = list(nodes_of(graph.Fold, part))
        foreign = {fold.var: fold for fold in folds if _are_others_pieces(fold, names)}
        names |= foreign.keys() - {fold.var for fold in folds if foreign.get(fold.var) is not fold}
        names |= {fold.var for fold in folds if fold.source == graph.All(graph.Enum(_SIDE_DOMAIN))}
        own_sources = {id(fold.source) for fold in folds if _is_own(fold, "record", _SECRET_FIELD, names)}
        for node in walk(part):
            match node:
                case graph.All(graph.RecordOf(name)) if name in secret and id(node) not in own_sources:
                    yield name, party
                case graph.Ask(term, arguments):
                    callee = stack.terms[term]
                    given = zip(callee.parameters, arguments, strict=False)
                    inner_names = frozenset(each.name for each, value in given if _may_be_other(value, names))
                    if (term, inner_names) in seen:
                        continue
                    seen.add((term, inner_names))
                    if callee.otherwise is not None:
                        todo.append((callee.otherwise, inner_names, party))
                    rules = rules_of_term(stack, callee)
                    todo += [
                        (inner, inner_names, writer.rule_party(rule))
                        for rule in rules for inner in expressions_of_rule(rule)
                    ]  # fmt: skip
                case _:
                    pass


def _may_be_other(expr: graph.Expr, others: frozenset[str]) -> bool:
    """Return whether a side may be another one than the acting one: that of a name or a piece that may be of another.

    A question may name any side.
    """
    match expr:
        case graph.Ask():
            return True
        case graph.Var(name) | graph.Get(graph.Var(name), "given", _, "side"):
            return name in others
        case _:
            return False


def _are_others_pieces(source: graph.Expr, others: frozenset[str]) -> bool:
    """Return whether a collection contains pieces of any side: no condition compares their side with the acting one."""
    if not isinstance(source, graph.Fold):
        return isinstance(source, graph.Pieces)
    return isinstance(source.source, graph.Pieces) and not _is_own(source, "given", _SIDE_DOMAIN, others)


def _is_own(fold: graph.Fold, what: str, field: str, others: frozenset[str]) -> bool:
    """Return whether a fold is restricted to members whose side, in a field, is one that is not another's."""

    def is_side(expr: graph.Expr) -> bool:
        return isinstance(expr, graph.Get) and (expr.base, expr.what, expr.name) == (graph.Var(fold.var), what, field)

    return any(
        isinstance(part, graph.Op)
        and part.op == "="
        and any(map(is_side, part.arguments))
        and not any(_may_be_other(side, others) for side in part.arguments)
        for part in conjuncts(fold.where)
    )
