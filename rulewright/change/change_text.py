"""Format changes in the rule language and as patches of tables, with the questions they may affect.

In: the stack, and changes. Out: paragraphs of rules and patches, each with the questions whose answers may
change. An unknown name raises `UsageError` with a suggestion.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from rulewright.change import change_kinds as kinds
from rulewright.change import guard_tests
from rulewright.change.cells import cell_text, find_cell, first_cell_text, reading_line, row_text, typed_value
from rulewright.change.changed_card import CompiledCard
from rulewright.change.declared_names import declaration_of, listed_permissions, prohibiting_rules, readers_of
from rulewright.change.paragraph import ChangeParagraph
from rulewright.change.rule_numbers import with_number
from rulewright.change.writing import (
    cell_value_text,
    example_text,
    label_part,
    plain_value,
    prose_string,
    remark_text,
    without_measure,
    yaml_keys,
)
from rulewright.errors import UsageError
from rulewright.library.stacks import Stack
from runtime.graph import nodes as graph
from runtime.graph.rows import match_text, row_label
from runtime.graph.verbs import answer_word, verbs_on
from runtime.witness.position_file import expression_text, quote_name, scalar_text

LABEL = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
SNAKE_CASE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
PERMISSIONS = ("verdict", "condition")


@dataclass(slots=True)
class ChangeWriter:
    """A formatter of changes of a stack, which assigns unused labels and source items."""

    stack: Stack
    rules: graph.Graph
    name: str
    cite: Callable[[], str]
    card: Callable[[str], CompiledCard]
    used_labels: set[str] = field(default_factory=set)
    options: set[str] = field(default_factory=set)

    def write_paragraph(self, change: kinds.Change) -> ChangeParagraph:
        """Format one change."""
        match change:
            case kinds.SetCell():
                return self._cell(change)
            case kinds.SetNumber():
                return self._number(change)
            case kinds.SetPrinted():
                return self._printed(change)
            case kinds.SetTrait():
                return self._trait(change)
            case kinds.Forbid() | kinds.Allow():
                return self._permission(change)
            case kinds.SetDefault():
                return self._default(change)
            case kinds.AddStatus():
                return self._status(change)
            case kinds.AddOption():
                return self._option(change)
            case kinds.AddRuling():
                return self._ruling(change)
            case kinds.SetForce() | kinds.SetTurns() | kinds.SetFact():
                return self._card(change)

    # ------------------------------------------------------------ charts and counters

    def _cell(self, change: kinds.SetCell) -> ChangeParagraph:
        table = declaration_of(self.rules.tables, change.chart, "chart")
        row = find_cell(self.rules, table, change.keys)
        place = row_label(table, row, self.rules.vocabulary)
        old_value, new_value = cell_text(row), typed_value(self.rules, table, row, change.value)
        names = [
            match_text(each, key.type, self.rules.vocabulary)
            for key, matches in zip(table.keys, row.keys, strict=True)
            for each in (matches or ())
        ]
        label, cite = self.unused_label("-".join((table.name, *names))), self.cite()
        title = f"{table.name}, {' and '.join(names)}"
        if (cell := row_text(row, table, self.rules.vocabulary)) is not None:
            text = (
                f"rule {label} [{cite}] {prose_string(change.prose)}\n  "
                f"replaces cell {cell} = {old_value} by {new_value}\n"
            )
            lines = (
                "" if table.hit == "collect" else "  row A\n" + reading_line(self.rules, table, row, cell, new_value)
            )
            return ChangeParagraph(
                text,
                example=example_text(title, lines, base_answer=self._below(old_value)) if lines else "",
                terms=readers_of(self.rules, table.name),
                decides=(place,),
                title=f"where {title} counts",
            )
        keys = [
            f"{key.name}: {yaml_keys(matches, key.type, self.rules.vocabulary)}"
            for key, matches in zip(table.keys, row.keys, strict=True)
            if matches is not None
        ]
        expect, new = (scalar_text(cell_value_text(table, each)) for each in (old_value, new_value))
        line = f"  - {{{', '.join(keys)}, expect: {expect}, now: {new}}}\n"
        text = f"# {remark_text(change.prose)}\npatch: {table.name}\ncites: {cite}\nset:\n{line}"
        # The value of a collecting chart depends on several rows, so that no single row can be read.
        cell = None if table.hit == "collect" else first_cell_text(row, table, self.rules.vocabulary)
        lines = f"  row A\n{reading_line(self.rules, table, row, cell, new_value)}" if cell else ""
        example = example_text(title, lines, base_answer=self._below(old_value)) if lines else ""
        terms = () if example else readers_of(self.rules, table.name)
        return ChangeParagraph(patch=("charts.yaml", text), example=example, terms=terms, decides=(place,), title=title)

    def _printed(self, change: kinds.SetPrinted) -> ChangeParagraph:
        counter = declaration_of(self.rules.counters, change.counter, "counter")
        printed = dict(counter.printed)
        old_value = declaration_of(printed, change.column, "column")
        new_value = plain_value(old_value, change.value)
        cite = self.cite()
        expected = without_measure(old_value)
        line = f"  - {{id: {scalar_text(counter.id)}, column: {change.column}, "
        line += f"expect: {expected}, now: {scalar_text(new_value)}}}\n"
        text = f"# {remark_text(change.prose)}\npatch: {counter.kind}\ncites: {cite}\nset:\n{line}"
        measure = f" {old_value.measure}" if isinstance(old_value, graph.Num) and old_value.measure else ""
        is_number = new_value.replace("/", "").lstrip("-").isdigit()
        literal = new_value if is_number else quote_name(new_value)
        lines = f"  row A\n  {self._piece(counter)} at A\n  ask X.{change.column} = {literal}{measure}\n"
        return ChangeParagraph(
            patch=("counters.yaml", text),
            example=example_text(
                f"{counter.id}, {change.column}", lines, base_answer=self._below(expression_text(old_value))
            ),
        )

    def _trait(self, change: kinds.SetTrait) -> ChangeParagraph:
        counter = declaration_of(self.rules.counters, change.counter, "counter")
        flags = {
            f.name: f for f in self.rules.vocabulary.flags.values() if f.owner == counter.kind and f.what == "trait"
        }
        declaration_of(flags, change.trait, "trait")
        if (change.trait in counter.traits) == change.is_present:
            raise UsageError(f"`{counter.id}` {'has' if change.is_present else 'lacks'} `{change.trait}` already")
        label, no = self.unused_label(f"{counter.id}-{change.trait}"), "" if change.is_present else "not "
        text = (
            f"rule {label} [{self.cite()}] {prose_string(change.prose)}\n  {counter.kind} is {no}{change.trait}\n"
            f"  when {counter.kind}.counter = {quote_name(counter.id)}\n"
        )
        answers = ("yes", "no") if change.is_present else ("no", "yes")
        lines = f"  row A\n  {self._piece(counter)} at A\n  ask (X is {change.trait}) = {answers[0]}\n"
        base_answer = self._below(answers[1])
        return ChangeParagraph(
            text, example=example_text(f"{counter.id}, {change.trait}", lines, base_answer=base_answer)
        )

    def _below(self, old_value: str) -> str:
        return f"under {self.stack.name}: {old_value}"

    def _piece(self, counter: graph.Counter) -> str:
        """Format the placement of a counter; a counter of any side is assigned to the first."""
        side = "" if counter.owner else f" of {self.rules.vocabulary.enums['side'].members[0].name}"
        return f"piece X: {quote_name(counter.id)}{side}"

    # ------------------------------------------------------------ rules

    def _number(self, change: kinds.SetNumber) -> ChangeParagraph:
        rule = declaration_of(self.rules.rules, change.rule, "rule")
        if not LABEL.fullmatch(rule.label) or not rule.terms:
            raise UsageError(f"`{rule.label}` has no label that a layer could replace")
        label = self.unused_label(f"{rule.label}-{label_part(change.new_number)}")
        heading = f"rule {label} [{self.cite()}] {prose_string(change.prose)}"
        text = with_number(self.stack, rule, change.old_number, change.new_number, heading)
        title = f"{change.new_number} instead of {change.old_number}"
        return ChangeParagraph(text, terms=rule.terms, label=label, decides=(label, rule.label), title=title)

    def _permission_named(self, name: str) -> graph.Term:
        permissions = {each.name: each for each in self.rules.terms.values() if each.form in PERMISSIONS}
        return declaration_of(permissions, name, "question of permission")

    def _permission(self, change: kinds.Forbid | kinds.Allow) -> ChangeParagraph:
        forbids = isinstance(change, kinds.Forbid)
        if f"action:{change.subject}" in self.rules.procedures and change.subject not in self.rules.terms:
            if not forbids:
                raise UsageError(
                    f"`{change.subject}` is an action: allow what the question behind it forbids, such as "
                    f"{listed_permissions(self.rules)}"
                )
            label = self.unused_label(f"forbid-{change.subject}")
            text = f"rule {label} [{self.cite()}] {prose_string(change.prose)}\n  withdraws action {change.subject}\n"
            text += self._when(change.subject, change.conditions)
            return ChangeParagraph(text, label=label, title=f"no {change.subject}")
        term = self._permission_named(change.subject)
        yes_verb, no_verb = (each.notation for each in verbs_on(term.form))
        label = self.unused_label(f"{'forbid' if forbids else 'allow'}-{term.name.removeprefix('may_')}")
        heading = f"rule {label} [{self.cite()}] {prose_string(change.prose)}\n"
        title = f"{'forbidden' if forbids else 'allowed'}: {term.name}"
        if isinstance(change, kinds.Forbid):
            text = f"{heading}  {term.name} {no_verb}\n{self._when(term.name, change.conditions)}"
            return ChangeParagraph(text, terms=(term.name,), label=label, title=title)
        against = change.prohibitions or prohibiting_rules(self.rules, term)
        for each in against:
            declaration_of(dict.fromkeys(prohibiting_rules(self.rules, term)), each, f"prohibition of `{term.name}`")
        # An exception to some prohibitions does not replace a required permission.
        lines = "" if term.default or change.prohibitions else f"  {term.name} {yes_verb}\n"
        lines += f"  exception to {', '.join(against)}\n" if against else ""
        if not lines:
            raise UsageError(f"nothing forbids what `{term.name}` asks, so nothing can be allowed besides")
        text = f"{heading}{lines}{self._when(term.name, change.conditions)}"
        return ChangeParagraph(text, terms=(term.name,), label=label, title=title)

    def _default(self, change: kinds.SetDefault) -> ChangeParagraph:
        """Format a change of the default of a question of permission."""
        question = self.rules.terms.get(change.term)
        if question is not None and question.form not in PERMISSIONS:
            raise UsageError(f"`{question.name}` is a value; write a rule of it in a layer (docs/variants.md)")
        term = self._permission_named(change.term)
        yes, no = (answer_word(term.form, answer=each) for each in (True, False))
        declaration_of({yes: 0, no: 0}, change.value, f"default of `{term.name}`")
        if (change.value == yes) == bool(term.default):
            raise UsageError(f"`{term.name}` is {change.value} by default already")
        label = self.unused_label(f"{term.name.removeprefix('may_')}-by-default")
        verb = next(each.notation for each in verbs_on(term.form) if each.answer == (change.value == yes))
        text = f"rule {label} [{self.cite()}] {prose_string(change.prose)}\n  {term.name} {verb}\n"
        title = f"{change.value} by default: {term.name}"
        return ChangeParagraph(text, terms=(term.name,), label=label, title=title)

    def _when(self, subject: str, conditions: Sequence[kinds.Condition]) -> str:
        """Format conditions; `UsageError` for one that is not available."""
        choice = guard_tests.available_conditions(self.rules, guard_tests.parameters_of(self.rules, subject))
        option_names = {f"scenario.{name}" for name in self.options}
        texts = [
            each.text if each.subject in option_names else guard_tests.parse_condition(each.text, choice).text
            for each in conditions
        ]
        return f"  when {' and '.join(texts)}\n" if texts else ""

    def _status(self, change: kinds.AddStatus) -> ChangeParagraph:
        if not SNAKE_CASE.fullmatch(change.name):
            raise UsageError(f"`{change.name}` is no name: write it like `dug_in`")
        kind = change.kind
        declaration_of(dict.fromkeys([*self.rules.vocabulary.kinds, "hex"]), kind, "kind of piece")
        moments = guard_tests.moments_of(self.rules)
        # The rules spell it `until end of turn`.
        moment = change.moment.removeprefix("end of ")
        declaration_of(dict.fromkeys(moments), moment, "moment")
        marker = f" marker {prose_string(change.marker, end='')}" if change.marker else ""
        text = f"status {kind}: {change.name}{marker} until end of {moment}\n"
        cite, label = self.cite(), self.unused_label(change.name)
        lines = f"  row A\n{self._example_piece(kind)}  mark {'A' if kind == 'hex' else 'X'} as {change.name}\n"
        question_line = f"  ask ({'A' if kind == 'hex' else 'X'} is {change.name}) = yes\n"
        if change.event:
            event = declaration_of(self.rules.vocabulary.events, change.event, "event")
            parameter = next((p.name for p in event.parameters if guard_tests.is_of_kind(p.type, kind)), "")
            if not parameter:
                raise UsageError(f"`{event.name}` tells of no {kind}, so it cannot bring `{change.name}` about")
            names = ", ".join(p.name for p in event.parameters)
            text += f"\nafter {event.name}({names}) [{cite}] {prose_string(change.prose)} {{\n"
            text += f"  mark {parameter} as {change.name}\n}}\n"
        if change.forbids:
            term = self._permission_named(change.forbids)
            parameter = next((p.name for p in term.parameters if guard_tests.is_of_kind(p.type, kind)), "")
            if not parameter:
                raise UsageError(f"`{term.name}` is not asked of a {kind}, so `{change.name}` cannot forbid it")
            _, verb = (each.notation for each in verbs_on(term.form))
            text += f"\nrule {label} [{cite}] {prose_string(change.prose)}\n"
            text += f"  {term.name} {verb}\n  when {parameter} is {change.name}\n"
        paragraph = ChangeParagraph(
            text, example=example_text(change.name, lines + question_line), title=f"{change.name} forbids"
        )
        if not change.forbids:
            return paragraph
        return replace(paragraph, terms=(change.forbids,), label=label)

    def _example_piece(self, kind: str) -> str:
        counter = next((each for each in self.rules.counters.values() if each.kind == kind), None)
        if kind == "hex":
            return ""
        if counter is None:
            raise UsageError(f"no counter is a {kind}, so no example can show a status of one")
        return f"  {self._piece(counter)} at A\n"

    def _option(self, change: kinds.AddOption) -> ChangeParagraph:
        if not SNAKE_CASE.fullmatch(change.name):
            raise UsageError(f"`{change.name}` is no name: write it like `deep_snow`")
        if f"scenario.{change.name}" in self.rules.vocabulary.tracks:
            raise UsageError(f"there is a fact `scenario.{change.name}` already")
        self.options.add(change.name)
        text = f"# {remark_text(change.prose)} [{self.cite()}]\n"
        text += f"# A situation card switches it on: `facts: {{{change.name}: yes}}`.\n"
        text += f"track scenario.{change.name}: yes_no = no\n"
        return ChangeParagraph(
            text,
            example=example_text(
                change.name, f"  row A\n  set scenario.{change.name} to yes\n  ask scenario.{change.name} = yes\n"
            ),
        )

    def _ruling(self, change: kinds.AddRuling) -> ChangeParagraph:
        rule = declaration_of(self.rules.rules, change.clarifies, "rule")
        label = self.unused_label(f"on-{rule.label}")
        text = (
            f"ruling {label} [{self.cite()}] clarification, none\n  asks {prose_string(change.asks, end='?')}\n"
            f"  answers {prose_string(change.answers)}\n  clarifies {rule.label}\n"
        )
        return ChangeParagraph(
            text, terms=rule.terms, label=rule.label, title=f"as {rule.label} says", withdrawn=rule.label
        )

    # ------------------------------------------------------------ cards

    def _card(self, change: kinds.SetForce | kinds.SetTurns | kinds.SetFact) -> ChangeParagraph:
        card = self.card(change.card)
        part, lines, old_value = card.change_text(change)
        text = f"# {remark_text(change.prose)}\npatch: {change.card}\ncites: {self.cite()}\n{part}"
        title = f"{change.card}, {card.change_subject(change)}"
        example = example_text(title, lines, change.card, self._below(old_value))
        return ChangeParagraph(patch=("cards.yaml", text), example=example)

    # ------------------------------------------------------------ labels

    def unused_label(self, name: str) -> str:
        """Return an unused label, and reserve it."""
        base = label_part(name) or "change"
        known_ = {*self.rules.rules, *self.rules.rulings, *self.rules.cases, *self.rules.disputes, *self.used_labels}
        label = next(
            each
            for number in range(1, len(known_) + 3)
            if (each := base if number == 1 else f"{base}-{number}") not in known_
        )
        self.used_labels.add(label)
        return label
