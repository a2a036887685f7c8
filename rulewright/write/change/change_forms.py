"""The forms of changes: the fields of each kind of change, with their choices.

In: a stack, and the filled-in values. Out: fields with choices, as the page shows them, and the change when all are
filled in. The command line fills them in by options.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import chain

from compiler.rulebook.charts import chart_title
from compiler.rulebook.sentences import term_question
from rulewright.system.errors import UsageError, suggestion_text
from rulewright.write.change.cells import cell_choices, key_alternatives, key_words
from rulewright.write.change.change_form import ChangeForm
from rulewright.write.change.change_text import ChangeWriter
from rulewright.write.change.declared_names import permissions, prohibiting_rules
from rulewright.write.change.guard_tests import common_conditions, is_of_kind, moments_of, parameters_of
from rulewright.write.change.paragraph import ChangeParagraph
from rulewright.write.change.rule_numbers import amount_texts, rules_with_numbers
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.members import members_of


@frozen_dataclass
class _FormChoice:
    """A choice: a value, and its description."""

    value: str
    title: str


@frozen_dataclass
class _FormField:
    """A field of a form: one of `choices`, or free text if there are none or `free` is set.

    `many`: any number of values. `optional`: the field may be empty.
    """

    name: str
    title: str
    choices: tuple[_FormChoice, ...] = ()
    free: bool = False
    many: bool = False
    optional: bool = False


@frozen_dataclass
class ChangeKind:
    """A kind of change: its title, its fields, and the function that formats it with their values."""

    name: str
    title: str
    fields: Callable[[ChangeForm], list[_FormField]]
    write: Callable[[ChangeWriter, ChangeForm], ChangeParagraph]


def kind_of(name: str) -> ChangeKind:
    """Return a kind of change by name; `UsageError` if it is unknown."""
    if name not in KINDS:
        raise UsageError(f"there is no change `{name}`; {suggestion_text(name, list(KINDS))}")
    return KINDS[name]


def _named_choices(values: Sequence[str] | Mapping[str, str]) -> tuple[_FormChoice, ...]:
    """Build choices from names, or from titles by name."""
    titles = values if isinstance(values, Mapping) else dict.fromkeys(values, "")
    return tuple(_FormChoice(name, title) for name, title in titles.items())


WHY = _FormField("why", "Reason: one sentence, printed as the text of the rule", free=True)


def _cell(form: ChangeForm) -> list[_FormField]:
    rules, chart = form.rules, form.rules.tables.get(form.text("chart"))
    charts = {name: chart_title(table) for name, table in rules.tables.items()}
    fields = [_FormField("chart", "Chart", _named_choices(charts))]
    chosen = dict(enumerate(form.values.get("keys", ())))
    if chart is not None:
        rows = [_row_words(rules, chart, row) for row in chart.rows]
        for index, key in enumerate(chart.keys):
            known = dict.fromkeys(chain.from_iterable(row[index] for row in rows))
            fields.append(_FormField(f"keys.{index}", words.readable_name(key.name), _named_choices(list(known))))
            # The next key has the values of those rows that the keys so far leave.
            rows = [row for row in rows if chosen.get(index, row[index][0]) in row[index]]
        numbers = any(not isinstance(type_, graph.Enum | graph.Scale | graph.YesNo | None) for _, type_ in chart.cells)
        fields.append(_FormField("now", "New value", _named_choices(cell_choices(rules, chart)), free=numbers))
    return [*fields, WHY]


def _row_words(rules: graph.Graph, chart: graph.Table, row: graph.TableRow) -> list[list[str]]:
    """Return, for each key of a row, the words that stand for it: its label, then its single values."""
    parts = key_alternatives(chart, row, rules.vocabulary)
    return [[label, *alternatives] for label, alternatives in zip(key_words(rules, chart, row), parts, strict=True)]


def _number(form: ChangeForm) -> list[_FormField]:
    sentences = {each.label: each.prose for each in rules_with_numbers(form.rules)}
    rule = form.rules.rules.get(form.text("rule"))
    numbers = _named_choices(amount_texts(form.stack, rule)) if rule else ()
    return [
        _FormField("rule", "Rule", _named_choices(sentences)),
        _FormField("was", "Number", numbers),
        _FormField("now", "New number", free=True),
        WHY,
    ]


def _counters(form: ChangeForm) -> tuple[_FormChoice, ...]:
    return _named_choices(
        {counter.id: words.counter(counter.id, form.rules.counters) for counter in form.rules.counters.values()}
    )


def _printed(form: ChangeForm) -> list[_FormField]:
    counter = form.rules.counters.get(form.text("counter"))
    columns = dict(counter.printed) if counter else {}
    old_value = columns.get(form.text("column"))
    members = members_of(form.rules.vocabulary, old_value.enum) if isinstance(old_value, graph.Member) else ()
    return [
        _FormField("counter", "Counter", _counters(form)),
        _FormField("column", "Printed value", _named_choices(list(columns))),
        _FormField("now", "New value", _named_choices(list(members)), free=not members),
        WHY,
    ]


def _trait(form: ChangeForm) -> list[_FormField]:
    counter = form.rules.counters.get(form.text("counter"))
    flags = form.rules.vocabulary.flags.values()
    traits = {
        flag.name: flag.reads for flag in flags if counter and flag.owner == counter.kind and flag.what == "trait"
    }
    return [
        _FormField("counter", "Counter", _counters(form)),
        _FormField("trait", "Trait", _named_choices(traits)),
        _FormField("now", "It has the trait", _named_choices(["yes", "no"])),
        WHY,
    ]


def _permission_questions(rules: graph.Graph) -> dict[str, str]:
    """Return the questions of permission in the words of the book."""
    return {name: term_question(rules, term) for name, term in permissions(rules).items()}


def _when(form: ChangeForm) -> _FormField:
    """Return the field of conditions, with those that are available for the chosen question."""
    subject = form.text("what")
    known = common_conditions(form.rules, parameters_of(form.rules, subject)) if subject else []
    return _FormField("when", "When", _named_choices(known), free=True, many=True, optional=True)


def _forbid(form: ChangeForm) -> list[_FormField]:
    actions = {each.name: each.prose for key, each in form.rules.procedures.items() if key.startswith("action:")}
    known = {
        **_permission_questions(form.rules),
        **{name: prose for name, prose in actions.items() if name not in form.rules.terms},
    }
    return [
        _FormField("what", "Forbid", _named_choices(known)),
        _when(form),
        WHY,
    ]


def _allow(form: ChangeForm) -> list[_FormField]:
    term = form.rules.terms.get(form.text("what"))
    against = prohibiting_rules(form.rules, term) if term else ()
    return [
        _FormField("what", "Allow", _named_choices(_permission_questions(form.rules))),
        _FormField(
            "against",
            "Although it says (none: whatever forbids it)",
            _named_choices({each: form.rules.rules[each].prose for each in against}),
            many=True,
            optional=True,
        ),
        _when(form),
        WHY,
    ]


def _status(form: ChangeForm) -> list[_FormField]:
    vocabulary, kind = form.rules.vocabulary, form.text("of")
    events = [
        event.name for event in vocabulary.events.values() if any(is_of_kind(p.type, kind) for p in event.parameters)
    ]
    questions = {
        name: reads
        for name, reads in _permission_questions(form.rules).items()
        if any(is_of_kind(p.type, kind) for p in form.rules.terms[name].parameters)
    }
    return [
        _FormField("name", "Name of the status, such as dug_in", free=True),
        _FormField("of", "Of", _named_choices([*vocabulary.kinds, "hex"])),
        _FormField("marker", "Text on the marker", free=True, optional=True),
        _FormField("until", "Until the end of", _named_choices(moments_of(form.rules))),
        _FormField("after", "Caused by", _named_choices(events) if kind else (), optional=True),
        _FormField("forbids", "It forbids", _named_choices(questions) if kind else (), optional=True),
        WHY,
    ]


def card_choices(form: ChangeForm) -> tuple[_FormChoice, ...]:
    """Return the cards that can be played under the stack."""
    layers = set(form.stack.name.split("+")) | {layer.name for layer in form.rules.layers}
    texts = form.stack.library.scenarios
    found = {}
    for name in texts.places:
        card = texts.get(name)
        if card is not None and set(str(card.uses.text).split("+")) <= layers:
            found[name] = str(card.title)
    return _named_choices(found)


def _force(form: ChangeForm) -> list[_FormField]:
    card = form.stack.library.scenarios.get(form.text("card"))
    forces = card.forces if card is not None else ()
    sides = list(dict.fromkeys(force.side.text for force in forces))
    groups = [force.group for force in forces if force.side.text == form.text("side") and force.group]
    return [
        _FormField("card", "Situation", card_choices(form)),
        _FormField("side", "Side", _named_choices(sides)),
        _FormField("group", "Force", _named_choices(groups) if len(groups) > 1 else (), optional=True),
        _FormField("unit", "Counter", _counters(form)),
        _FormField("now", "How many", free=True),
        WHY,
    ]


def _turns(form: ChangeForm) -> list[_FormField]:
    return [_FormField("card", "Situation", card_choices(form)), _FormField("now", "Turns", free=True), WHY]


def _fact(form: ChangeForm) -> list[_FormField]:
    facts = [name.removeprefix("scenario.") for name in form.rules.vocabulary.tracks if name.startswith("scenario.")]
    track = form.rules.vocabulary.tracks.get(f"scenario.{form.text('fact')}")
    yes_no = _named_choices(["yes", "no"]) if track and isinstance(track.type, graph.YesNo) else ()
    return [
        _FormField("card", "Situation", card_choices(form)),
        _FormField("fact", "Fact", _named_choices(facts)),
        _FormField("now", "New value", yes_no, free=not yes_no),
        WHY,
    ]


KINDS: dict[str, ChangeKind] = {
    kind.name: kind
    for kind in (
        ChangeKind("cell", "Another value in a chart", _cell, ChangeWriter.cell),
        ChangeKind("number", "Another number in a rule", _number, ChangeWriter.number),
        ChangeKind("printed", "Another number or class on a counter", _printed, ChangeWriter.printed),
        ChangeKind("trait", "A trait that a counter has, or has no longer", _trait, ChangeWriter.trait),
        ChangeKind("forbid", "Forbid something when ..", _forbid, ChangeWriter.forbid),
        ChangeKind("allow", "Allow something when ..", _allow, ChangeWriter.allow),
        ChangeKind("status", "A new status", _status, ChangeWriter.status),
        ChangeKind("force", "Another number of counters in a situation", _force, ChangeWriter.force),
        ChangeKind("turns", "Another number of turns of a situation", _turns, ChangeWriter.turns),
        ChangeKind("fact", "Another fact of a situation", _fact, ChangeWriter.fact),
    )
}
