"""Reports of procedures (accounts): typed fields, the rules that decided them, and sentences built from them.

In: a machine with accounts enabled, and its playthroughs. Out: in the journal of a playthrough an event "account" for
each completed procedure with an account. Such an event changes no state, so that undo and replay need no special
case. The fields known before the dice are stored with the running procedure until its end.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from runtime.answer.answer import Unanswered
from runtime.answer.interpreter import Interpreter
from runtime.answer.piece_text import are_many, say_pieces
from runtime.answer.reasons import AppliedRule, reasons_of
from runtime.answer.value_text import value_text
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.budget import suspended_budget
from runtime.graph.templates import Slot, fields_of, parts_of
from runtime.graph.walk import walk
from runtime.play.playthrough import ACCOUNT, Call, Names, Playthrough
from runtime.state.position import State
from runtime.state.position_parts import record_slots
from runtime.state.record import Event, Value
from runtime.state.visibility import secret_types

if TYPE_CHECKING:
    from runtime.play.machine import Machine

EVENT = "account"
BEFORE = "before"


class AccountValue(NamedTuple):
    """The value of a field.

    `text` is the value as text, `definite` the same with an article, `where` with the hexes of its pieces; `several` is
    whether it takes a plural verb. `reasons` are the rules that decided it, if they were requested.
    """

    name: str
    type: graph.Type
    value: Value
    text: str
    definite: str
    where: str
    several: bool
    reasons: tuple[AppliedRule, ...] = ()


UNBOUND = object()


class OpenAccount(NamedTuple):
    """An account before the dice: fields, preview, its source, the journal's length, the previewed fields."""

    fields: tuple[AccountValue, ...]
    preview: str
    cites: tuple[str, ...]
    since: int
    mentioned: frozenset[str]


class ClosedAccount(NamedTuple):
    """A completed account: the acting side, its fields, and its sentences.

    `preview` is the text before the dice, `results` the text of the outcome, `sentence` both. `events` is the number of
    events of the procedure in the journal directly before this one, `before` the fields known before the dice.
    `private`: it depends on secret records, so that only the acting side may read it. `previewed` are the fields that
    the preview states.
    """

    key: str
    side: str
    fields: tuple[AccountValue, ...]
    preview: str
    results: str
    sentence: str
    cites: tuple[str, ...]
    events: int
    before: int
    private: bool
    previewed: frozenset[str]

    def __repr__(self) -> str:
        """Return a short form for journals."""
        return f"Told({self.sentence!r})"


class Accounts:
    """The accounts of one machine."""

    def __init__(self, machine: "Machine", explaining: Interpreter | None = None) -> None:
        """Collect the procedures with accounts; `explaining` explains each field, if given."""
        self.machine = machine
        self.explaining = explaining
        programs = machine.programs.of.items()
        self.of = {key: program.procedure.account for key, program in programs if program.procedure.account}
        self.private = frozenset(key for key, account in self.of.items() if rests_on_secrets(machine, account))

    def previews(self, key: str) -> bool:
        """Return whether the account of a procedure has a preview."""
        return key in self.of and any(text.what == "previews" for text in self.of[key].texts)

    def begin(self, playthrough: Playthrough, call: Call) -> None:
        """Open the account of a call, unless it is open or the procedure has none."""
        account = self.of.get(call.key)
        if account is None or ACCOUNT in call.names:
            return
        program = self.machine.programs.of[call.key]
        if call.at not in program.account_starts if program.account_starts else call.at < program.prefix:
            return
        with suspended_budget():
            fields = self._fields(playthrough.state, call.names, account, BEFORE, {})
            texts = self._texts(playthrough.state, call.names, account, "previews", fields)
        cites = account.cites or program.procedure.cites
        told = frozenset(field for text, _ in texts for field in fields_of(text.text))
        said = sentences(text for _, text in texts)
        call.names[ACCOUNT] = OpenAccount(tuple(fields.values()), said, cites, len(playthrough.journal), told)

    def end(self, playthrough: Playthrough, call: Call) -> None:
        """Close the account of a completed call and append it to the journal."""
        account = self.of.get(call.key)
        if account is not None and ACCOUNT in call.names:
            with suspended_budget():
                told = self._told(playthrough, call, account, call.names[ACCOUNT])
            if told.sentence:
                playthrough.record_event(Event(EVENT, call.key, None, None, told))

    def certain_results(self, playthrough: Playthrough, call: Call) -> str | None:
        """Return the results of a running procedure if they are final, else None.

        They are final if they depend only on names that the procedure has bound, which are never rebound. Values read
        from the position, and the names of pieces, may change until the end.
        """
        account, begun = self.of[call.key], call.names[ACCOUNT]
        texts = [text for text in account.texts if text.what == "results"]
        said = {name for text in texts for name in fields_of(text.text)}
        asked = {node.name for text in texts for node in walk((text.condition,)) if isinstance(node, graph.Var)}
        if not texts or self.machine.evaluator.reads.of_nodes(tuple(walk(tuple(text.condition for text in texts)))):
            return None
        known = {field.name: field for field in begun.fields}
        for field in account.fields:
            if field.moment != BEFORE and field.name in said | asked:
                bound = call.names.get(field.value.name, UNBOUND) if isinstance(field.value, graph.Var) else UNBOUND
                if bound is UNBOUND or (field.name in said and is_called(field.type)):
                    return None
                known[field.name] = field_text(playthrough.state, field, bound)
        if not asked <= {*known, *call.names}:
            return None
        with suspended_budget():
            said_now = self._texts(playthrough.state, call.names, account, "results", known)
        return words.sentence("; ".join(each for _, each in said_now))

    def _told(self, playthrough: Playthrough, call: Call, account: graph.Account, begun: OpenAccount) -> ClosedAccount:
        known = {field.name: field for field in begun.fields}
        fields = {**known, **self._fields(playthrough.state, call.names, account, "after", known)}
        tells = sentences(said for _, said in self._texts(playthrough.state, call.names, account, "tells", fields))
        results = "; ".join(said for _, said in self._texts(playthrough.state, call.names, account, "results", fields))
        whole = f"{tells.rstrip('.:')}: {results}" if results else tells
        return ClosedAccount(
            call.key, str(call.names.get("player", "")), tuple(fields.values()), begun.preview,
            words.sentence(results), words.sentence(whole), begun.cites, max(0, len(playthrough.journal) - begun.since),
            len(begun.fields), call.key in self.private, begun.mentioned,
        )  # fmt: skip

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
                found[field.name] = field_text(state, field, value, reasons)
        return found

    def _texts(
        self, state: State, names: Names, account: graph.Account, what: str, fields: Mapping[str, AccountValue]
    ) -> list[tuple[graph.AccountText, str]]:
        """Return the texts of one sort whose conditions hold, filled in."""
        scope = self._scope(names, fields)
        return [
            (text, said)
            for text in account.texts
            if text.what == what
            and self._holds(state, text.condition, scope)
            and (said := fill_template(text.text, fields))
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


def rests_on_secrets(machine: "Machine", account: graph.Account) -> bool:
    """Return whether an account reads records that are secret to a side."""
    secret = {record_slots(name) for name in secret_types(machine.graph)}
    return bool(secret) and not secret.isdisjoint(machine.evaluator.reads.of_nodes(tuple(walk(account))))


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


def field_text(
    state: State, field: graph.AccountField, value: Value, reasons: tuple[AppliedRule, ...] = ()
) -> AccountValue:
    """Format the value of a field."""
    match field.type:
        case graph.Piece() | graph.Many(_, graph.Piece()) if value is not None:
            pieces = pieces_of(field.type, value)
            said, definite = say_pieces(state, pieces), say_pieces(state, pieces, definite=True)
            where, several = say_pieces(state, pieces, where=True), are_many(state, pieces)
        case graph.Many():
            said = definite = where = value_text(state, value, field.type)
            several = len(tuple(value)) != 1
        case type_:
            said = where = value_text(state, value, type_)
            definite, several = f"the {said}", isinstance(type_, graph.Number) and abs(value) != 1
    return AccountValue(field.name, field.type, value, said, definite, where, several, reasons)


def fill_template(text: str, fields: Mapping[str, AccountValue]) -> str:
    """Instantiate a template; "" where a field is absent."""
    said: list[str] = []
    for part in parts_of(text):
        if not isinstance(part, Slot):
            said.append(part)
            continue
        field = fields.get(part.field)
        if field is None:
            return ""
        if part.one:
            said.append(part.several if field.several else part.one)
        else:
            said.append(field.where if part.where else field.definite if part.definite else field.text)
    return "".join(said)


def accounts_in(journal: Iterable[Event]) -> list[ClosedAccount]:
    """Return the accounts among events, in order."""
    return [event.new for event in journal if event.what == EVENT]
