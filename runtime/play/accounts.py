"""Reports of procedures (accounts): typed fields, the rules that decided them, and sentences built from them.

In: a machine with accounts enabled, and its playthroughs. Out: in the journal of a playthrough an event "account" for
each completed procedure with an account. Such an event changes no state, so that undo and replay need no special
case. The fields known before the dice are stored with the running procedure until its end.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from runtime.answer.interpreter import Interpreter
from runtime.answer.piece_text import pieces_phrase, takes_plural
from runtime.answer.reasons import AppliedRule, reasons_of
from runtime.answer.value_text import value_text
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.answer_errors import Unanswered
from runtime.graph.budget import suspended_budget
from runtime.graph.slots import PositionSlot
from runtime.graph.templates import Slot, parse_template, template_fields
from runtime.graph.walk import nodes_of, walk
from runtime.play.playthrough import ACCOUNT, Names, Playthrough, ProcedureFrame
from runtime.state.position import State
from runtime.state.record import Event, Value
from runtime.state.visibility import secret_types

if TYPE_CHECKING:
    from runtime.play.machine import Machine

EVENT = "account"
BEFORE = "before"


class AccountValue(NamedTuple):
    """The value of a field.

    `text` is the value as text, `definite_text` the same with an article, `text_with_hexes` with the hexes of its
    pieces; `is_plural` is whether it takes a plural verb. `reasons` are the rules that decided it, if they were
    requested.
    """

    name: str
    type: graph.Type
    value: Value
    text: str
    definite_text: str
    text_with_hexes: str
    is_plural: bool
    reasons: tuple[AppliedRule, ...] = ()


UNBOUND = object()


class OpenAccount(NamedTuple):
    """An account before the dice: fields, preview, its source, the journal's length, the previewed fields."""

    fields: tuple[AccountValue, ...]
    preview: str
    cites: tuple[str, ...]
    first_event: int
    mentioned: frozenset[str]


class ClosedAccount(NamedTuple):
    """A completed account: the acting side, its fields, and its sentences.

    `preview` is the text before the dice, `results` the text of the outcome, `sentence` both. `events` is the number of
    events of the procedure in the journal directly before this one, `initial_field_count` the fields known before the
    dice. `private`: it depends on secret records, so that only the acting side may read it. `previewed` are the fields
    that the preview states.
    """

    key: str
    side: str
    fields: tuple[AccountValue, ...]
    preview: str
    results: str
    sentence: str
    cites: tuple[str, ...]
    events: int
    initial_field_count: int
    private: bool
    previewed: frozenset[str]

    def __repr__(self) -> str:
        """Return a short form for journals."""
        return f"Told({self.sentence!r})"


class Accounts:
    """The accounts of one machine."""

    def __init__(self, machine: "Machine") -> None:
        """Collect the procedures with accounts; a preview sets `explaining`, which explains each field."""
        self.machine = machine
        self.explaining: Interpreter | None = None
        programs = machine.programs.entries.items()
        self.accounts_by_key = {
            key: program.procedure.account for key, program in programs if program.procedure.account
        }
        self.private = frozenset(
            key for key, account in self.accounts_by_key.items() if _rests_on_secrets(machine, account)
        )

    def previews(self, key: str) -> bool:
        """Return whether the account of a procedure has a preview."""
        return key in self.accounts_by_key and any(text.what == "previews" for text in self.accounts_by_key[key].texts)

    def begin(self, playthrough: Playthrough, call: ProcedureFrame, number: int) -> None:
        """Open the account of a call at a step, unless it is open, the procedure has none, or it begins elsewhere."""
        account = self.accounts_by_key.get(call.key)
        if account is None or ACCOUNT in call.names:
            return
        program = self.machine.program_of(call)
        if not program.begins_account(number):
            return
        with suspended_budget():
            fields = self._fields(playthrough.state, call.names, account, BEFORE, {})
            texts = self._texts(playthrough.state, call.names, account, "previews", fields)
        cites = account.cites or program.procedure.cites
        mentioned_fields = frozenset(field for text, _ in texts for field in template_fields(text.text))
        preview = sentences(text for _, text in texts)
        call.names[ACCOUNT] = OpenAccount(
            tuple(fields.values()), preview, cites, len(playthrough.journal), mentioned_fields
        )

    def end(self, playthrough: Playthrough, call: ProcedureFrame) -> None:
        """Close the account of a completed call and append it to the journal."""
        account = self.accounts_by_key.get(call.key)
        if account is not None and ACCOUNT in call.names:
            with suspended_budget():
                closed_account = self._closed_account(playthrough, call, account, call.names[ACCOUNT])
            if closed_account.sentence:
                playthrough.record_event(Event(EVENT, call.key, None, None, closed_account))

    def certain_results(self, playthrough: Playthrough, call: ProcedureFrame) -> str | None:
        """Return the results of a running procedure if they are final, else None.

        They are final if they depend only on names that the procedure has bound, which are never rebound. Values read
        from the position, and the names of pieces, may change until the end.
        """
        account, open_account = self.accounts_by_key[call.key], call.names[ACCOUNT]
        texts = [text for text in account.texts if text.what == "results"]
        field_names = {name for text in texts for name in template_fields(text.text)}
        condition_names = {node.name for text in texts for node in nodes_of(graph.Var, (text.condition,))}
        if not texts or self.machine.evaluator.reads.reads_of_nodes(
            tuple(walk(tuple(text.condition for text in texts)))
        ):
            return None
        known = {field.name: field for field in open_account.fields}
        for field in account.fields:
            if field.moment != BEFORE and field.name in field_names | condition_names:
                bound = call.names.get(field.value.name, UNBOUND) if isinstance(field.value, graph.Var) else UNBOUND
                if bound is UNBOUND or (field.name in field_names and is_called(field.type)):
                    return None
                known[field.name] = _field_text(playthrough.state, field, bound)
        if not condition_names <= {*known, *call.names}:
            return None
        with suspended_budget():
            results = self._texts(playthrough.state, call.names, account, "results", known)
        return words.sentence("; ".join(each for _, each in results))

    def _closed_account(
        self, playthrough: Playthrough, call: ProcedureFrame, account: graph.Account, open_account: OpenAccount
    ) -> ClosedAccount:
        known = {field.name: field for field in open_account.fields}
        fields = {**known, **self._fields(playthrough.state, call.names, account, "after", known)}
        tells = sentences(text for _, text in self._texts(playthrough.state, call.names, account, "tells", fields))
        results = "; ".join(text for _, text in self._texts(playthrough.state, call.names, account, "results", fields))
        sentence = f"{tells.rstrip('.:')}: {results}" if results else tells
        return ClosedAccount(
            call.key,
            str(call.names.get("player", "")),
            tuple(fields.values()),
            open_account.preview,
            words.sentence(results),
            words.sentence(sentence),
            open_account.cites,
            max(0, len(playthrough.journal) - open_account.first_event),
            len(open_account.fields),
            call.key in self.private,
            open_account.mentioned,
        )

    def _fields(
        self, state: State, names: Names, account: graph.Account, moment: str, known: Mapping[str, AccountValue]
    ) -> dict[str, AccountValue]:
        """Evaluate the fields of a moment; a field of an absent value is left out."""
        found: dict[str, AccountValue] = {}
        for field in account.fields:
            if field.moment == moment:
                scope = self._scope(names, {**known, **found})
                try:
                    value = self.machine.effect_evaluator.evaluate(state, field.value, scope)
                    reasons = reasons_of(self.explaining, state, field.value, scope) if self.explaining else ()
                except (Unanswered, KeyError):
                    continue
                found[field.name] = _field_text(state, field, value, reasons)
        return found

    def _texts(
        self, state: State, names: Names, account: graph.Account, kind: str, fields: Mapping[str, AccountValue]
    ) -> list[tuple[graph.AccountText, str]]:
        """Return the texts of one sort whose conditions hold, filled in."""
        scope = self._scope(names, fields)
        return [
            (text, sentence)
            for text in account.texts
            if text.what == kind
            and self._holds(state, text.condition, scope)
            and (sentence := fill_template(text.text, fields))
        ]

    def _holds(self, state: State, condition: graph.Expr | None, scope: Names) -> bool:
        """Return whether a condition holds; False where it reads an absent value."""
        try:
            return condition is None or bool(self.machine.effect_evaluator.evaluate(state, condition, scope))
        except (Unanswered, KeyError):
            return False

    def _scope(self, names: Names, fields: Mapping[str, AccountValue]) -> Names:
        """Return the scope of a text: the bindings of the procedure, and the fields."""
        return {**names, **{field.name: field.value for field in fields.values()}}


def _rests_on_secrets(machine: "Machine", account: graph.Account) -> bool:
    """Return whether an account reads records that are secret to a side."""
    secret = {PositionSlot("records", name) for name in secret_types(machine.graph)}
    return bool(secret) and not secret.isdisjoint(machine.evaluator.reads.reads_of_nodes(tuple(walk(account))))


def sentences(texts: Iterable[str]) -> str:
    """Return the texts as sentences."""
    return " ".join(map(words.sentence, texts))


def is_called(type_: graph.Type) -> bool:
    """Return whether the text of a value names pieces, whose side or counter may change."""
    return isinstance(type_, graph.Piece) or (isinstance(type_, graph.Many) and is_called(type_.of))


def pieces_of(type_: graph.Type, value: Value) -> tuple[int, ...]:
    """Return the pieces in a value."""
    match type_:
        case graph.Piece() if value is not None:
            return (value,)
        case graph.Many(_, graph.Piece()):
            return tuple(value)
        case _:
            return ()


def _field_text(
    state: State, field: graph.AccountField, value: Value, reasons: tuple[AppliedRule, ...] = ()
) -> AccountValue:
    """Format the value of a field."""
    match field.type:
        case graph.Piece() | graph.Many(_, graph.Piece()) if value is not None:
            pieces = pieces_of(field.type, value)
            text, definite = pieces_phrase(state, pieces), pieces_phrase(state, pieces, definite=True)
            text_with_hexes, is_plural = pieces_phrase(state, pieces, with_hexes=True), takes_plural(state, pieces)
        case graph.Many():
            text = definite = text_with_hexes = value_text(state, value, field.type)
            is_plural = len(tuple(value)) != 1
        case type_:
            text = text_with_hexes = value_text(state, value, type_)
            definite, is_plural = f"the {text}", isinstance(type_, graph.Number) and abs(value) != 1
    return AccountValue(field.name, field.type, value, text, definite, text_with_hexes, is_plural, reasons)


def fill_template(text: str, fields: Mapping[str, AccountValue]) -> str:
    """Instantiate a template; "" where a field is absent."""
    text_parts: list[str] = []
    for part in parse_template(text):
        if not isinstance(part, Slot):
            text_parts.append(part)
            continue
        field = fields.get(part.field)
        if field is None:
            return ""
        if part.singular:
            text_parts.append(part.plural if field.is_plural else part.singular)
        else:
            text_parts.append(
                field.text_with_hexes if part.with_hexes else field.definite_text if part.is_definite else field.text
            )
    return "".join(text_parts)


def accounts_in(journal: Iterable[Event]) -> list[ClosedAccount]:
    """Return the accounts among events, in order."""
    return [event.new for event in journal if event.kind == EVENT]
