"""Format changes in the rule language and as patches of tables, with the questions they may affect.

Input: the stack, and changes. Output: paragraphs of rules and patches, each with the questions whose answers may
change. An unknown name raises `UsageError` with a suggestion.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from rulewright.change.cards import Card
from rulewright.change.cells import cell_text, cells_of, find_cell, one_cell, reading_line, typed_value
from rulewright.change.conditions import available_conditions, is_of_kind, moments_of, parameters_of, parse_condition
from rulewright.change.fallbacks import fallback_rule, terms_with_fallback
from rulewright.change.kinds import (
    AddOption,
    AddRuling,
    AddStatus,
    Allow,
    Change,
    Condition,
    Forbid,
    SetCell,
    SetDefault,
    SetFact,
    SetForce,
    SetNumber,
    SetPrinted,
    SetTrait,
    SetTurns,
)
from rulewright.change.numbers import with_number
from rulewright.change.writing import (
    bare_text,
    example_text,
    plain_value,
    prose_string,
    quote_name,
    remark_text,
    slug,
    without_measure,
    yaml_keys,
)
from rulewright.errors import UsageError, suggestion_text
from rulewright.library.stacks import Stack
from runtime.graph import nodes as graph
from runtime.graph.rows import match_text, row_label
from runtime.graph.walk import walk
from runtime.witness.position_file import expression_text, scalar_text

LABEL = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
# The most questions that are compared for an example of a cell; usually the first differs.
MOST_READERS = 2
PERMISSIONS = ("verdict", "condition")
DEFAULTS = {"verdict": ("allowed", "forbidden"), "condition": ("yes", "no")}
Thing = TypeVar("Thing")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """The text of one change: `rules` for the rules file, `patch` for a table file of that name.

    `answer` is that of a question of permission if the conditions `when` hold, `action` what is refused then. `example`
    is a predefined one; otherwise one is searched in which the answer of one of `terms` changes, because of the rule
    `label` or what else `decides`, as named by `diff`. With `withdrawn`, the example is one in which that rule of the
    stack decides.
    """

    rules: str = ""
    patch: tuple[str, str] = ("", "")
    example: str = ""
    terms: tuple[str, ...] = ()
    label: str = ""
    decides: tuple[str, ...] = ()
    title: str = ""
    withdrawn: str = ""
    when: tuple[Condition, ...] = ()
    answer: str = ""
    action: str = ""


@dataclass(slots=True)
class Writer:
    """A formatter of changes of a stack, which assigns unused labels and source items."""

    stack: Stack
    rules: graph.Graph
    name: str
    cite: Callable[[], str]
    card: Callable[[str], Card]
    taken: set[str] = field(default_factory=set)
    options: set[str] = field(default_factory=set)

    def write_paragraph(self, change: Change) -> Paragraph:
        """Format one change."""
        match change:
            case SetCell():
                return self._cell(change)
            case SetNumber():
                return self._number(change)
            case SetPrinted():
                return self._printed(change)
            case SetTrait():
                return self._trait(change)
            case Forbid() | Allow():
                return self._permission(change)
            case SetDefault():
                return self._default(change)
            case AddStatus():
                return self._status(change)
            case AddOption():
                return self._option(change)
            case AddRuling():
                return self._ruling(change)
            case SetForce() | SetTurns() | SetFact():
                return self._card(change)

    # ------------------------------------------------------------ charts and counters

    def _cell(self, change: SetCell) -> Paragraph:
        table = declared_name(self.rules.tables, change.chart, "chart")
        row = find_cell(self.rules, table, change.keys)
        place = row_label(table, row, self.rules.vocabulary)
        was, now = cell_text(row), typed_value(self.rules, table, row, change.now)
        names = [
            match_text(each, key.type, self.rules.vocabulary)
            for key, matches in zip(table.keys, row.keys, strict=True)
            for each in (matches or ())
        ]
        label, cite = self.unused_label("-".join((table.name, *names))), self.cite()
        title = f"{table.name}, {' and '.join(names)}"
        if (at := cells_of(row, table, self.rules.vocabulary)) is not None:
            text = f"rule {label} [{cite}] {prose_string(change.why)}\n  replaces cell {at} = {was} by {now}\n"
            lines = "" if table.hit == "collect" else "  row A\n" + reading_line(self.rules, table, row, at, now)
            return Paragraph(
                text,
                example=example_text(title, lines, below=self._below(was)) if lines else "",
                terms=readers_of(self.rules, table.name),
                decides=(place,),
                title=f"where {title} counts",
            )
        keys = [
            f"{key.name}: {yaml_keys(matches, key.type, self.rules.vocabulary)}"
            for key, matches in zip(table.keys, row.keys, strict=True)
            if matches is not None
        ]
        expect, new = (scalar_text(bare_text(table, each)) for each in (was, now))
        line = f"  - {{{', '.join(keys)}, expect: {expect}, now: {new}}}\n"
        text = f"# {remark_text(change.why)}\npatch: {table.name}\ncites: {cite}\nset:\n{line}"
        # The value of a collecting chart depends on several rows, so that no single row can be read.
        at = None if table.hit == "collect" else one_cell(row, table, self.rules.vocabulary)
        lines = f"  row A\n{reading_line(self.rules, table, row, at, now)}" if at else ""
        shown = example_text(title, lines, below=self._below(was)) if lines else ""
        terms = () if shown else readers_of(self.rules, table.name)
        return Paragraph(patch=("charts.yaml", text), example=shown, terms=terms, decides=(place,), title=title)

    def _printed(self, change: SetPrinted) -> Paragraph:
        counter = declared_name(self.rules.counters, change.counter, "counter")
        printed = dict(counter.printed)
        was = declared_name(printed, change.column, "column")
        now = plain_value(was, change.now)
        cite = self.cite()
        expected = without_measure(was)
        line = f"  - {{id: {scalar_text(counter.id)}, column: {change.column}, "
        line += f"expect: {expected}, now: {scalar_text(now)}}}\n"
        text = f"# {remark_text(change.why)}\npatch: {counter.kind}\ncites: {cite}\nset:\n{line}"
        measure = f" {was.measure}" if isinstance(was, graph.Num) and was.measure else ""
        shown = now if now.replace("/", "").lstrip("-").isdigit() or now.isidentifier() else f"'{now}'"
        lines = f"  row A\n  {self._piece(counter)} at A\n  ask X.{change.column} = {shown}{measure}\n"
        return Paragraph(
            patch=("counters.yaml", text),
            example=example_text(f"{counter.id}, {change.column}", lines, below=self._below(expression_text(was))),
        )

    def _trait(self, change: SetTrait) -> Paragraph:
        counter = declared_name(self.rules.counters, change.counter, "counter")
        flags = {
            f.name: f for f in self.rules.vocabulary.flags.values() if f.owner == counter.kind and f.what == "trait"
        }
        declared_name(flags, change.trait, "trait")
        if (change.trait in counter.traits) == change.present:
            raise UsageError(f"`{counter.id}` is {'' if change.present else 'not '}{change.trait} already")
        label, no = self.unused_label(f"{counter.id}-{change.trait}"), "" if change.present else "not "
        text = (
            f"rule {label} [{self.cite()}] {prose_string(change.why)}\n  {counter.kind} is {no}{change.trait}\n"
            f"  when {counter.kind}.counter = {quote_name(counter.id)}\n"
        )
        answers = ("yes", "no") if change.present else ("no", "yes")
        asked = f"  row A\n  {self._piece(counter)} at A\n  ask (X is {change.trait}) = {answers[0]}\n"
        below = self._below(answers[1])
        return Paragraph(text, example=example_text(f"{counter.id}, {change.trait}", asked, below=below))

    def _below(self, was: str) -> str:
        return f"under {self.stack.name}: {was}"

    def _piece(self, counter: graph.Counter) -> str:
        """Format the placement of a counter; a counter of any side is assigned to the first."""
        side = "" if counter.owner else f" of {self.rules.vocabulary.enums['side'].members[0].name}"
        return f"piece X: {quote_name(counter.id)}{side}"

    # ------------------------------------------------------------ rules

    def _number(self, change: SetNumber) -> Paragraph:
        rule = declared_name(self.rules.rules, change.rule, "rule")
        if not LABEL.fullmatch(rule.label) or not rule.terms:
            raise UsageError(f"`{rule.label}` has no label that a layer could replace")
        label = self.unused_label(f"{rule.label}-{slug(change.now)}")
        heading = f"rule {label} [{self.cite()}] {prose_string(change.why)}"
        text = with_number(self.stack, rule, change.was, change.now, heading)
        title = f"{change.now} instead of {change.was}"
        return Paragraph(text, terms=rule.terms, label=label, decides=(label, rule.label), title=title)

    def _permission(self, change: Forbid | Allow) -> Paragraph:
        forbids = isinstance(change, Forbid)
        if f"action:{change.what}" in self.rules.procedures and change.what not in self.rules.terms:
            if not forbids:
                raise UsageError(
                    f"`{change.what}` is an action: allow what the question behind it forbids, such as "
                    f"{listed_permissions(self.rules)}"
                )
            label = self.unused_label(f"forbid-{change.what}")
            text = f"rule {label} [{self.cite()}] {prose_string(change.why)}\n  withdraws action {change.what}\n"
            text += self._when(change.what, change.when)
            return Paragraph(text, label=label, title=f"no {change.what}", when=change.when, action=change.what)
        permissions = {each.name: each for each in self.rules.terms.values() if each.form in PERMISSIONS}
        term = declared_name(permissions, change.what, "question of permission")
        verbs = {"verdict": ("allowed", "forbidden"), "condition": ("holds", "fails")}[term.form]
        label = self.unused_label(f"{'forbid' if forbids else 'allow'}-{term.name.removeprefix('may_')}")
        heading = f"rule {label} [{self.cite()}] {prose_string(change.why)}\n"
        title = f"{'forbidden' if forbids else 'allowed'}: {term.name}"
        if isinstance(change, Forbid):
            text = f"{heading}  {term.name} {verbs[1]}\n{self._when(term.name, change.when)}"
            no = "forbidden" if term.form == "verdict" else "no"
            return Paragraph(text, terms=(term.name,), label=label, title=title, when=change.when, answer=no)
        against = change.against or prohibiting_rules(self.rules, term)
        for each in against:
            declared_name(dict.fromkeys(prohibiting_rules(self.rules, term)), each, f"prohibition of `{term.name}`")
        # An exception to some prohibitions does not replace a required permission.
        lines = "" if term.default or change.against else f"  {term.name} {verbs[0]}\n"
        lines += f"  exception to {', '.join(against)}\n" if against else ""
        if not lines:
            raise UsageError(f"nothing forbids what `{term.name}` asks, so nothing can be allowed besides")
        text = f"{heading}{lines}{self._when(term.name, change.when)}"
        yes = "allowed" if term.form == "verdict" else "yes"
        return Paragraph(text, terms=(term.name,), label=label, title=title, when=change.when, answer=yes)

    def _default(self, change: SetDefault) -> Paragraph:
        """Format a change of the default of a question."""
        if (value := terms_with_fallback(self.rules).get(change.what)) is not None:
            label = self.unused_label(f"{value.name.replace('_', '-')}-otherwise")
            heading = f"rule {label} [{self.cite()}] {prose_string(change.why)}"
            text = fallback_rule(self.stack, self.rules, value, change.now, heading)
            return Paragraph(text, terms=(value.name,), label=label, title=f"{change.now} otherwise: {value.name}")
        permissions = {each.name: each for each in self.rules.terms.values() if each.form in PERMISSIONS}
        term = declared_name(permissions, change.what, "question of permission")
        yes, no = DEFAULTS[term.form]
        declared_name({yes: 0, no: 0}, change.now, f"default of `{term.name}`")
        if (change.now == yes) == bool(term.default):
            raise UsageError(f"`{term.name}` is {change.now} by default already")
        label = self.unused_label(f"{term.name.removeprefix('may_')}-by-default")
        verb = {"verdict": change.now, "condition": "holds" if change.now == yes else "fails"}[term.form]
        text = f"rule {label} [{self.cite()}] {prose_string(change.why)}\n  {term.name} {verb}\n"
        title = f"{change.now} by default: {term.name}"
        return Paragraph(text, terms=(term.name,), label=label, title=title, answer=change.now)

    def _when(self, what: str, conditions: Sequence[Condition]) -> str:
        """Format conditions; `UsageError` for one that is not available."""
        choice = available_conditions(self.rules, parameters_of(self.rules, what))
        own = {f"scenario.{name}" for name in self.options}
        texts = [each.text if each.subject in own else parse_condition(each.text, choice).text for each in conditions]
        return f"  when {' and '.join(texts)}\n" if texts else ""

    def _status(self, change: AddStatus) -> Paragraph:
        if not NAME.fullmatch(change.name):
            raise UsageError(f"`{change.name}` is no name: write it like `dug_in`")
        kind = change.of
        declared_name(dict.fromkeys([*self.rules.vocabulary.kinds, "hex"]), kind, "kind of piece")
        moments = moments_of(self.rules)
        declared_name(dict.fromkeys(moments), change.until, "moment")
        marker = f" marker {prose_string(change.marker, end='')}" if change.marker else ""
        text = f"status {kind}: {change.name}{marker} until end of {change.until}\n"
        cite, label = self.cite(), self.unused_label(change.name)
        lines = f"  row A\n{self._any(kind)}  mark {'A' if kind == 'hex' else 'X'} as {change.name}\n"
        asked = f"  ask ({'A' if kind == 'hex' else 'X'} is {change.name}) = yes\n"
        if change.after:
            event = declared_name(self.rules.vocabulary.events, change.after, "event")
            on = next((p.name for p in event.parameters if is_of_kind(p.type, kind)), "")
            if not on:
                raise UsageError(f"`{event.name}` tells of no {kind}, so it cannot bring `{change.name}` about")
            names = ", ".join(p.name for p in event.parameters)
            text += f"\nafter {event.name}({names}) [{cite}] {prose_string(change.why)} {{\n"
            text += f"  mark {on} as {change.name}\n}}\n"
        on, verb = "", ""
        if change.forbids:
            permissions = {each.name: each for each in self.rules.terms.values() if each.form in PERMISSIONS}
            term = declared_name(permissions, change.forbids, "question of permission")
            on = next((p.name for p in term.parameters if is_of_kind(p.type, kind)), "")
            if not on:
                raise UsageError(f"`{term.name}` is not asked of a {kind}, so `{change.name}` cannot forbid it")
            verb = "forbidden" if term.form == "verdict" else "fails"
            text += f"\nrule {label} [{cite}] {prose_string(change.why)}\n"
            text += f"  {term.name} {verb}\n  when {on} is {change.name}\n"
        shown = Paragraph(text, example=example_text(change.name, lines + asked), title=f"{change.name} forbids")
        if not change.forbids:
            return shown
        answer = "forbidden" if verb == "forbidden" else "no"
        when = (Condition(on, "is", change.name),)
        return replace(shown, terms=(change.forbids,), label=label, when=when, answer=answer)

    def _any(self, kind: str) -> str:
        counter = next((each for each in self.rules.counters.values() if each.kind == kind), None)
        if kind == "hex":
            return ""
        if counter is None:
            raise UsageError(f"no counter is a {kind}, so no example can show a status of one")
        return f"  {self._piece(counter)} at A\n"

    def _option(self, change: AddOption) -> Paragraph:
        if not NAME.fullmatch(change.name):
            raise UsageError(f"`{change.name}` is no name: write it like `deep_snow`")
        if f"scenario.{change.name}" in self.rules.vocabulary.tracks:
            raise UsageError(f"there is a fact `scenario.{change.name}` already")
        self.options.add(change.name)
        text = f"# {remark_text(change.why)} [{self.cite()}]\n"
        text += f"# A situation card switches it on: `facts: {{{change.name}: yes}}`.\n"
        text += f"track scenario.{change.name}: yes_no = no\n"
        return Paragraph(
            text,
            example=example_text(
                change.name, f"  row A\n  set scenario.{change.name} to yes\n  ask scenario.{change.name} = yes\n"
            ),
        )

    def _ruling(self, change: AddRuling) -> Paragraph:
        rule = declared_name(self.rules.rules, change.clarifies, "rule")
        label = self.unused_label(f"on-{rule.label}")
        text = (
            f"ruling {label} [{self.cite()}] clarification, none\n  asks {prose_string(change.asks, end='?')}\n"
            f"  answers {prose_string(change.answers)}\n  clarifies {rule.label}\n"
        )
        return Paragraph(text, terms=rule.terms, label=rule.label, title=f"as {rule.label} says", withdrawn=rule.label)

    # ------------------------------------------------------------ cards

    def _card(self, change: SetForce | SetTurns | SetFact) -> Paragraph:
        card = self.card(change.card)
        part, lines, was = card.change_text(change)
        text = f"# {remark_text(change.why)}\npatch: {change.card}\ncites: {self.cite()}\n{part}"
        title = f"{change.card}, {card.change_subject(change)}"
        shown = example_text(title, lines, change.card, self._below(was))
        return Paragraph(patch=("cards.yaml", text), example=shown)

    # ------------------------------------------------------------ labels

    def unused_label(self, wanted: str) -> str:
        """Return an unused label, and reserve it."""
        base = slug(wanted) or "change"
        known_ = {*self.rules.rules, *self.rules.rulings, *self.rules.cases, *self.rules.disputes, *self.taken}
        free = next(
            each
            for number in range(1, len(known_) + 3)
            if (each := base if number == 1 else f"{base}-{number}") not in known_
        )
        self.taken.add(free)
        return free


def declared_name(names: Mapping[str, Thing], name: str, what: str) -> Thing:
    """Return the declaration of a name; `UsageError` if there is none."""
    if name not in names:
        raise UsageError(f"there is no {what} `{name}`; {suggestion_text(name, sorted(names))}")
    return names[name]


def prohibiting_rules(rules: graph.Graph, term: graph.Term) -> tuple[str, ...]:
    """Return the rules that answer a question of permission with no."""
    return tuple(each for each in term.rules if rules.rules[each].verb in ("forbids", "fails"))


def listed_permissions(rules: graph.Graph) -> str:
    """Format the names of some questions of permission."""
    return ", ".join(f"`{each.name}`" for each in rules.terms.values() if each.form == "verdict")[:200]


def readers_of(rules: graph.Graph, table: str) -> tuple[str, ...]:
    """Return the first questions whose rules read a chart."""
    found = [
        name
        for rule in rules.rules.values()
        if any(isinstance(each, graph.Cell) and each.table == table for each in walk(rule))
        for name in rule.terms
    ]
    return tuple(dict.fromkeys(found))[:MOST_READERS]
