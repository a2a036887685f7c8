"""Conditions on a status at moments at which it is never set: the phase that sets it comes later, or it has ended.

In: a whole game. Out: rules and actions that require a status, or an entry of a list, that none of its setters sets
before them in the round. What ends with the turn of its side is examined where procedures set it on pieces of the side
on move alone. A rule on members of a field of a record, if it is no prohibition, is asked where such records are made.
"""

from collections.abc import Iterator, Mapping

from compiler.analysis.checks import check_of_stack
from compiler.analysis.deeds import Deed, OwnNames, RequiredDeeds, names_of_own_pieces, setting_steps
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.moments import Moments
from compiler.analysis.parties import Party, party_label, procedure_party
from compiler.analysis.questions_in_play import terms_by_term, terms_in, terms_reached
from compiler.analysis.step_reads import all_steps, expressions_of_account, expressions_of_term, expressions_read
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence, list_words
from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjuncts
from runtime.graph.effects import effects_in
from runtime.graph.effects.primitives import WriteRecord
from runtime.graph.steps import nested_steps
from runtime.graph.verbs import rule_answer
from runtime.graph.walk import nodes_of


@finding("R0574", "set-too-late", WARNING)
class SetTooLate(Finding):
    """Rules and actions (`readers`) require a status that is never set at their moments: it is set later, and ends.

    `set_by` are the procedures that set it, and `until` the moment at which it ends.
    """

    status: str
    until: str
    readers: tuple[Party, ...]
    set_by: tuple[Party, ...]

    def sentence(self) -> Sentence:
        verb = "requires" if len(self.readers) == 1 else "require"
        labels = list_words(tuple(each.label for each in self.readers), "and")
        return Sentence(
            f"{labels} {verb} `{self.status}`, but wherever that is set, it ends before it is needed"
            f" (`until end of {self.until}`)",
            (*map(party_label, self.readers), *(party_label(each, "set here") for each in self.set_by)),
            "set it in an earlier phase, or let it last longer",
            root=f"status {self.status} late",
        )


_OWN_TURN = "own_turn"
# A rule or action, the deeds that it requires, and the moments at which it may be asked or taken.
Reader = tuple[Party, frozenset[Deed], frozenset[int]]
RecordField = tuple[str, str]


@check_of_stack
def set_too_late(stack: graph.Graph) -> Iterator[SetTooLate]:
    """Find conditions on a status that is set only after them."""
    sequence = stack.procedures.get("sequence")
    if sequence is None:
        return
    moments = Moments(stack, sequence)
    offers_to_others = (step for step in all_steps(stack) if isinstance(step, graph.Offer) and step.by is not None)
    run_by_others, own_names = moments.procedures_of(tuple(offers_to_others)), names_of_own_pieces(stack)
    readers = _readers(stack, moments)
    ends = {node.ends for node in moments.nodes} - {""}
    for deed in sorted({deed for _, required, _ in readers for deed in required}):
        until = _end_of(stack, deed)
        if until not in ends or deed.name in stack.terms:
            continue
        setters = _subjects_by_setter(stack, deed)
        if until == _OWN_TURN and not (run_by_others.isdisjoint(setters) and _are_own(setters, own_names)):
            continue
        set_at = [index for index, node in enumerate(moments.nodes) if not node.procedures.isdisjoint(setters)]
        still_set = moments.reachable(set_at, until)
        too_early = tuple(
            party
            for party, required, read_at in readers
            if deed in required and read_at and still_set.isdisjoint(read_at)
        )
        if set_at and too_early:
            parties = tuple(procedure_party(stack.procedures[key]) for key in setters)
            yield SetTooLate(deed.name, until, too_early, parties)


def _subjects_by_setter(stack: graph.Graph, deed: Deed) -> dict[str, list[graph.Expr]]:
    """Return, by the keys of the procedures that set a deed, those of whom they set it."""
    setters: dict[str, list[graph.Expr]] = {}
    for key, procedure in stack.procedures.items():
        if subjects := [subject for _, subject in setting_steps(procedure, deed)]:
            setters[key] = subjects
    return setters


def _are_own(subjects_by_setter: Mapping[str, list[graph.Expr]], own_names: OwnNames) -> bool:
    """Return whether procedures set a deed of the pieces of the side on move alone."""
    return all(
        isinstance(subject, graph.Var) and subject.name in own_names[key]
        for key, subjects in subjects_by_setter.items()
        for subject in subjects
    )


def _end_of(stack: graph.Graph, deed: Deed) -> str:
    """Return the moment at which a deed is forgotten; "" for none."""
    flag, track = stack.vocabulary.flags.get(deed.name), stack.vocabulary.tracks.get(deed.name)
    return flag.until if flag is not None and flag.what == "status" else track.until if track is not None else ""


def _readers(stack: graph.Graph, moments: Moments) -> list[Reader]:
    """List the rules and actions that require a deed."""
    by_term = terms_by_term(stack)
    by_procedure = {key: terms_in(_expressions_of(procedure)) for key, procedure in stack.procedures.items()}
    asked_at: dict[str, set[int]] = {}
    taken_at: dict[str, set[int]] = {}
    for index, node in enumerate(moments.nodes):
        direct_terms = terms_in(expressions_read(node.step)).union(*(by_procedure[key] for key in node.procedures))
        for term in terms_reached(direct_terms, by_term):
            asked_at.setdefault(term, set()).add(index)
        for key in node.procedures:
            taken_at.setdefault(key, set()).add(index)
    ends_of_pairs = (each.ends for each in stack.vocabulary.relations.values())
    facts = (*(each.condition for each in stack.always), *ends_of_pairs)
    asked_at_any_moment = terms_reached({*terms_in(facts), stack.outcome}, by_term)
    writer = ExpressionWriter(stack.vocabulary)
    required, records = RequiredDeeds(stack), _RecordsInPlay(stack, moments, by_term)
    readers: list[Reader] = []
    for rule in stack.rules.values():
        deeds = _required_by_rule(rule, required)
        if deeds and asked_at_any_moment.isdisjoint(rule.terms):
            read_at = {index for term in rule.terms for index in asked_at.get(term, ())}
            # A prohibition that the order of play keeps anyway is no fault.
            live_at = {index for index in read_at if rule_answer(rule) is False or records.is_live_at(rule, index)}
            readers.append((writer.rule_party(rule), deeds, frozenset(live_at)))
    for key, procedure in stack.procedures.items():
        if deeds := _required_by_action(procedure, required):
            readers.append((procedure_party(procedure), deeds, frozenset(taken_at.get(key, ()))))
    return readers


def _expressions_of(procedure: graph.Procedure) -> tuple[graph.Expr, ...]:
    read = (expr for step in nested_steps(procedure.body) for expr in expressions_read(step))
    return (*read, *expressions_of_account(procedure))


def _required_by_rule(rule: graph.Rule, required: RequiredDeeds) -> frozenset[Deed]:
    """Return the deeds without which a rule never applies, or without which it forbids everything."""
    match rule.guard:
        case graph.Is(subject, tests, True) if rule_answer(rule) is False:
            return required.required_by(graph.Is(subject, tests, negated=False))
        case _:
            return required.required_by(rule.guard)


def _required_by_action(procedure: graph.Procedure, required: RequiredDeeds) -> frozenset[Deed]:
    """Return the deeds that the `legal` lines and choices of an action require."""
    found: frozenset[Deed] = frozenset()
    for step in procedure.body if procedure.what == "action" else ():
        match step:
            case graph.Legal(condition) | graph.Choose(source=graph.Fold("gather", where=condition)):
                found |= required.required_by(condition)
            case _:
                pass
    return found


class _RecordsInPlay:
    """The members that a field of a record may have at each moment: those of the records that are made there."""

    def __init__(self, stack: graph.Graph, moments: Moments, by_term: Mapping[str, frozenset[str]]) -> None:
        self._stack = stack
        self._by_term = by_term
        self._written = {effect.type for effect in effects_in(stack.procedures, WriteRecord)}
        self._members: list[dict[RecordField, set[str] | None]] = []
        self._records_of_terms: dict[str, tuple[graph.New, ...]] = {}
        for node in moments.nodes:
            expressions = [*expressions_read(node.step)]
            for key in node.procedures:
                expressions += _expressions_of(stack.procedures[key])
            self._members.append(self._members_of(tuple(expressions)))

    def is_live_at(self, rule: graph.Rule, index: int) -> bool:
        """Return whether a rule may apply at a moment; one that only defeats others needs one of these."""
        if not self._may_hold(rule.guard, index):
            return False
        defeated_rules = [self._stack.rules[label] for label in rule.defeats if label in self._stack.rules]
        return bool(rule.verb) or not defeated_rules or any(self.is_live_at(each, index) for each in defeated_rules)

    def _may_hold(self, guard: graph.Expr | None, index: int) -> bool:
        for part in () if guard is None else conjuncts(guard):
            match part:
                case graph.Op("=", (graph.Get(graph.Var(), "record", record, field), graph.Member(_, member))):
                    wanted = {member}
                case graph.Op("in", (graph.Get(graph.Var(), "record", record, field), graph.SetOf(elements))):
                    wanted = {each.name for each in elements if isinstance(each, graph.Member)}
                    if len(wanted) < len(elements):
                        continue
                case _:
                    continue
            members = self._members[index].get((record, field), set())
            if record not in self._written and members is not None and wanted.isdisjoint(members):
                return False
        return True

    def _members_of(self, expressions: tuple[graph.Expr, ...]) -> "dict[RecordField, set[str] | None]":
        """Return the members by record and field; None for a field that is computed."""
        found: dict[RecordField, set[str] | None] = {}
        new_records = list(nodes_of(graph.New, expressions))
        for term in terms_reached(terms_in(expressions), self._by_term):
            new_records += self._records_of_term(term)
        for record in new_records:
            for field, value in record.fields:
                members = found.setdefault((record.record, field), set())
                if members is not None and isinstance(value, graph.Member):
                    members.add(value.name)
                else:
                    found[record.record, field] = None
        return found

    def _records_of_term(self, name: str) -> tuple[graph.New, ...]:
        if name not in self._records_of_terms:
            term = self._stack.terms.get(name)
            expressions = expressions_of_term(term, self._stack) if term else ()
            self._records_of_terms[name] = tuple(nodes_of(graph.New, expressions))
        return self._records_of_terms[name]
