"""Format changes in the rule language and as patches of tables, with the questions they may affect.

In: the stack, and the values of changes. Out: paragraphs of rules and patches, each with the questions whose answers
may change. An unknown name raises `UsageError` with a suggestion.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from rulewright.library.stacks import Stack
from rulewright.system.errors import UsageError
from rulewright.write.change.cells import (
    cell_expression,
    cell_text,
    find_cell,
    is_single_cell,
    reading_line,
    typed_value,
)
from rulewright.write.change.change_form import ChangeForm
from rulewright.write.change.changed_card import CardPatch, CompiledCard
from rulewright.write.change.declared_names import (
    declaration_of,
    listed_permissions,
    permissions,
    prohibiting_rules,
    readers_of,
)
from rulewright.write.change.guard_tests import is_of_kind, moments_of
from rulewright.write.change.paragraph import ChangeParagraph
from rulewright.write.change.rule_numbers import with_number
from rulewright.write.change.writing import (
    cell_value_text,
    example_text,
    label_part,
    plain_value,
    prose_string,
    remark_text,
    unused_name,
    without_measure,
    yaml_keys,
)
from runtime.graph import nodes as graph
from runtime.graph.rows import match_text, row_label
from runtime.graph.verbs import verbs_on
from runtime.witness.position_file import expression_text, quote_name, scalar_text

LABEL = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
SNAKE_CASE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


@dataclass(slots=True)
class ChangeWriter:
    """A formatter of changes of a stack, which assigns unused labels and source items."""

    stack: Stack
    rules: graph.Graph
    cite: Callable[[], str]
    card: Callable[[str], CompiledCard]
    used_labels: set[str] = field(default_factory=set)

    # ------------------------------------------------------------ charts and counters

    def cell(self, form: ChangeForm) -> ChangeParagraph:
        """Format another value of a cell: a rule if it is the only one of its row, otherwise a patch."""
        vocabulary = self.rules.vocabulary
        table = declaration_of(self.rules.tables, form.text("chart"), "chart")
        row = find_cell(self.rules, table, form.values_of("keys"))
        old_value, new_value = cell_text(row), typed_value(self.rules, table, row, form.text("now"))
        accepted = [(key, matches) for key, matches in zip(table.keys, row.keys, strict=True) if matches is not None]
        names = [match_text(match, key.type, vocabulary) for key, matches in accepted for match in matches]
        title = f"{table.name}, {' and '.join(names)}"
        # The value of a collecting chart depends on several rows, so that no single row can be read.
        cell, example = cell_expression(row, table, vocabulary), ""
        if cell is not None and table.hit != "collect":
            example = self._example(title, reading_line(self.rules, table, row, cell, new_value), old_value)
        decides = (row_label(table, row, vocabulary),)
        terms = readers_of(self.rules, table.name)
        if is_single_cell(row, table):
            heading = self._heading("-".join((table.name, *names)), form)
            text = f"{heading}  replaces cell {cell} = {old_value} by {new_value}\n"
            title = f"where {title} counts"
            return ChangeParagraph(text, example=example, terms=terms, decides=decides, title=title)
        keys = "".join(f"{key.name}: {yaml_keys(matches, key.type, vocabulary)}, " for key, matches in accepted)
        expect, new = (scalar_text(cell_value_text(table, each)) for each in (old_value, new_value))
        patch = self._patch(form, "charts.yaml", table.name, f"set:\n  - {{{keys}expect: {expect}, now: {new}}}\n")
        terms = () if example else terms
        return ChangeParagraph(patch=patch, example=example, terms=terms, decides=decides, title=title)

    def printed(self, form: ChangeForm) -> ChangeParagraph:
        """Format another printed value of a counter, as a patch."""
        counter = declaration_of(self.rules.counters, form.text("counter"), "counter")
        column = form.text("column")
        old_value = declaration_of(dict(counter.printed), column, "column")
        new_value = plain_value(old_value, form.text("now"))
        values = f"expect: {without_measure(old_value)}, now: {scalar_text(new_value)}"
        entry = f"set:\n  - {{id: {scalar_text(counter.id)}, column: {column}, {values}}}\n"
        patch = self._patch(form, "counters.yaml", counter.kind, entry)
        measure = f" {old_value.measure}" if isinstance(old_value, graph.Num) and old_value.measure else ""
        is_number = new_value.replace("/", "").lstrip("-").isdigit()
        literal = new_value if is_number else quote_name(new_value)
        lines = f"  {self._piece(counter)} at A\n  ask X.{column} = {literal}{measure}\n"
        example = self._example(f"{counter.id}, {column}", lines, expression_text(old_value))
        return ChangeParagraph(patch=patch, example=example)

    def trait(self, form: ChangeForm) -> ChangeParagraph:
        """Format a rule that a counter has a trait, or lacks it."""
        counter = declaration_of(self.rules.counters, form.text("counter"), "counter")
        trait, is_present = form.text("trait"), form.text("now") != "no"
        flags = self.rules.vocabulary.flags.values()
        traits = {flag.name: flag for flag in flags if flag.owner == counter.kind and flag.what == "trait"}
        declaration_of(traits, trait, "trait")
        if (trait in counter.traits) == is_present:
            raise UsageError(f"`{counter.id}` {'has' if is_present else 'lacks'} `{trait}` already")
        text = self._heading(f"{counter.id}-{trait}", form)
        text += f"  {counter.kind} is {'' if is_present else 'not '}{trait}\n"
        text += f"  when {counter.kind}.counter = {quote_name(counter.id)}\n"
        answer, old_answer = ("yes", "no") if is_present else ("no", "yes")
        lines = f"  {self._piece(counter)} at A\n  ask (X is {trait}) = {answer}\n"
        return ChangeParagraph(text, example=self._example(f"{counter.id}, {trait}", lines, old_answer))

    def _piece(self, counter: graph.Counter) -> str:
        """Format the placement of a counter; a counter of any side is assigned to the first."""
        side = "" if counter.owner else f" of {self.rules.vocabulary.enums['side'].members[0].name}"
        return f"piece X: {quote_name(counter.id)}{side}"

    # ------------------------------------------------------------ rules

    def number(self, form: ChangeForm) -> ChangeParagraph:
        """Format a rule that replaces another one and differs in a number."""
        rule = declaration_of(self.rules.rules, form.text("rule"), "rule")
        was, now = form.text("was"), form.text("now")
        if not LABEL.fullmatch(rule.label) or not rule.terms:
            raise UsageError(f"`{rule.label}` has no label that a layer could replace")
        label = self._unused_label(f"{rule.label}-{label_part(now)}")
        text = with_number(self.stack, rule, was, now, self._labeled(label, form).rstrip("\n"))
        title = f"{now} instead of {was}"
        return ChangeParagraph(text, terms=rule.terms, label=label, decides=(label, rule.label), title=title)

    def forbid(self, form: ChangeForm) -> ChangeParagraph:
        """Format a prohibition of what a question of permission is about, or of an action."""
        subject = form.text("what")
        if self._is_action(subject):
            label = self._unused_label(f"forbid-{subject}")
            text = f"{self._labeled(label, form)}  withdraws action {subject}\n{_guard(form)}"
            return ChangeParagraph(text, label=label, title=f"no {subject}")
        term = self._permission(subject)
        _, verb = verbs_on(term.form)
        label = self._unused_label(f"forbid-{term.name.removeprefix('may_')}")
        text = f"{self._labeled(label, form)}  {term.name} {verb.notation}\n{_guard(form)}"
        return ChangeParagraph(text, terms=(term.name,), label=label, title=f"forbidden: {term.name}")

    def allow(self, form: ChangeForm) -> ChangeParagraph:
        """Format a permission: an exception to some prohibitions, or to all of them."""
        subject = form.text("what")
        if self._is_action(subject):
            raise UsageError(
                f"`{subject}` is an action: allow what the question behind it forbids, such as "
                f"{listed_permissions(self.rules)}"
            )
        term = self._permission(subject)
        prohibitions = prohibiting_rules(self.rules, term)
        lifted = form.values_of("against")
        for name in lifted:
            declaration_of(dict.fromkeys(prohibitions), name, f"prohibition of `{term.name}`")
        verb, _ = verbs_on(term.form)
        # An exception to some prohibitions does not replace a required permission.
        lines = "" if term.default or lifted else f"  {term.name} {verb.notation}\n"
        if lifted or prohibitions:
            lines += f"  exception to {', '.join(lifted or prohibitions)}\n"
        if not lines:
            raise UsageError(f"nothing forbids what `{term.name}` asks, so nothing can be allowed besides")
        label = self._unused_label(f"allow-{term.name.removeprefix('may_')}")
        text = f"{self._labeled(label, form)}{lines}{_guard(form)}"
        return ChangeParagraph(text, terms=(term.name,), label=label, title=f"allowed: {term.name}")

    def _is_action(self, name: str) -> bool:
        return f"action:{name}" in self.rules.procedures and name not in self.rules.terms

    def _permission(self, name: str) -> graph.Term:
        return declaration_of(permissions(self.rules), name, "question of permission")

    def status(self, form: ChangeForm) -> ChangeParagraph:
        """Format the declaration of a status, the event that sets it, and what it forbids."""
        name, kind, forbids = form.text("name"), form.text("of"), form.text("forbids")
        _require_name(name, "dug_in")
        declaration_of(dict.fromkeys([*self.rules.vocabulary.kinds, "hex"]), kind, "kind of piece")
        # The rules spell it `until end of turn`.
        moment = form.text("until").removeprefix("end of ")
        declaration_of(dict.fromkeys(moments_of(self.rules)), moment, "moment")
        marker = f" marker {prose_string(form.text('marker'), end='')}" if form.text("marker") else ""
        text = f"status {kind}: {name}{marker} until end of {moment}\n"
        cite, label, reason = self.cite(), self._unused_label(name), prose_string(form.text("why"))
        if form.text("after"):
            event = declaration_of(self.rules.vocabulary.events, form.text("after"), "event")
            parameter = _parameter_of_kind(event.parameters, kind)
            if not parameter:
                raise UsageError(f"`{event.name}` tells of no {kind}, so it cannot bring `{name}` about")
            names = ", ".join(each.name for each in event.parameters)
            text += f"\nafter {event.name}({names}) [{cite}] {reason} {{\n  mark {parameter} as {name}\n}}\n"
        if forbids:
            term = self._permission(forbids)
            parameter = _parameter_of_kind(term.parameters, kind)
            if not parameter:
                raise UsageError(f"`{term.name}` is not asked of a {kind}, so `{name}` cannot forbid it")
            _, verb = verbs_on(term.form)
            text += f"\nrule {label} [{cite}] {reason}\n  {term.name} {verb.notation}\n  when {parameter} is {name}\n"
        marked, placed = ("A", "") if kind == "hex" else ("X", f"  {self._piece(self._counter_of(kind))} at A\n")
        example = self._example(name, f"{placed}  mark {marked} as {name}\n  ask ({marked} is {name}) = yes\n")
        paragraph = ChangeParagraph(text, example=example, title=f"{name} forbids")
        return replace(paragraph, terms=(forbids,), label=label) if forbids else paragraph

    def _counter_of(self, kind: str) -> graph.Counter:
        """Return a counter of a kind of pieces; `UsageError` if there is none."""
        for counter in self.rules.counters.values():
            if counter.kind == kind:
                return counter
        raise UsageError(f"no counter is a {kind}, so no example can show a status of one")

    # ------------------------------------------------------------ cards

    def force(self, form: ChangeForm) -> ChangeParagraph:
        """Format another number of a counter in a situation."""
        return self._card(form, self.card(form.text("card")).change_force(form))

    def turns(self, form: ChangeForm) -> ChangeParagraph:
        """Format another length of a situation."""
        return self._card(form, self.card(form.text("card")).change_turns(form))

    def fact(self, form: ChangeForm) -> ChangeParagraph:
        """Format another value of a fact of a situation."""
        return self._card(form, self.card(form.text("card")).change_fact(form))

    def _card(self, form: ChangeForm, change: CardPatch) -> ChangeParagraph:
        card = form.text("card")
        old_value = f"under {self.stack.name}: {change.old_value}"
        example = example_text(f"{card}, {change.subject}", f"  {change.line}\n", card, old_value)
        return ChangeParagraph(patch=self._patch(form, "cards.yaml", card, change.entry), example=example)

    # ------------------------------------------------------------ parts of paragraphs

    def _heading(self, name: str, form: ChangeForm) -> str:
        """Format the first line of a rule with an unused label."""
        return self._labeled(self._unused_label(name), form)

    def _labeled(self, label: str, form: ChangeForm) -> str:
        return f"rule {label} [{self.cite()}] {prose_string(form.text('why'))}\n"

    def _patch(self, form: ChangeForm, file: str, subject: str, entries: str) -> tuple[str, str]:
        """Format a patch of a table or a card, with the name of its file."""
        return file, f"# {remark_text(form.text('why'))}\npatch: {subject}\ncites: {self.cite()}\n{entries}"

    def _example(self, title: str, lines: str, old_value: str = "") -> str:
        """Format an example on a row of hexes, with the answer of the stack below if it differs."""
        return example_text(title, f"  row A\n{lines}", "", old_value and f"under {self.stack.name}: {old_value}")

    def _unused_label(self, name: str) -> str:
        """Return an unused label, and reserve it."""
        rules = self.rules
        known = {*rules.rules, *rules.rulings, *rules.cases, *rules.disputes, *self.used_labels}
        label = unused_name(label_part(name) or "change", known, "-")
        self.used_labels.add(label)
        return label


def _guard(form: ChangeForm) -> str:
    """Format the conditions of a change."""
    conditions = form.conditions()
    return f"  when {' and '.join(conditions)}\n" if conditions else ""


def _parameter_of_kind(parameters: tuple[graph.Parameter, ...], kind: str) -> str:
    """Return the name of the first parameter of a kind of pieces, or of hexes; "" if there is none."""
    return next((parameter.name for parameter in parameters if is_of_kind(parameter.type, kind)), "")


def _require_name(name: str, example: str) -> None:
    if not SNAKE_CASE.fullmatch(name):
        raise UsageError(f"`{name}` is no name: write it like `{example}`")
