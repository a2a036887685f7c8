"""The difference of two stacks as blocks: the answer in one sentence, then each change, then what was not compared.

In: the record of `diff --format json`. Out: a block of the document tree. Of a change it shows how the sentence reads
in each stack, a question or a move with its result in each, and a position; of a chart a table of the cells.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from typing import Any

from rulewright.lab.contrast.difference_lines import NO_CAUSE, DifferenceLines, DifferenceRecord
from rulewright.lab.contrast.difference_summary import answer_text, examples_text, left_out_text
from rulewright.lab.contrast.procedure_blocks import one_sided_procedures, procedure_blocks
from runtime.graph.document import DocumentBlock, DocumentLine
from runtime.graph.document_lines import LineText, listing, reply_block, table_lines
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.grouping import group_by
from runtime.graph.words import counted_noun, list_text, readable_name, sentence

# The most questions without a difference that are named.
MOST_EQUAL_QUESTIONS = 3
# What may differ in a reading of a dispute.
READING_PARTS = {"rules": "other rules, chosen by neither", "reason": "another reason", "citations": "other citations"}
HEADS = {
    "unknown": "Not known whether an answer changes",
    "same": "Proved to change no answer",
}


@frozen_dataclass
class _Subject:
    """Changes that are responsible together, or the cells of one chart, with what shows them.

    `groups` are differences of answers, each with the record of its question; `plays` moves with another result,
    `questions` those of examples; `together` what shows only together with the other changes.
    """

    labels: dict[str, None] = field(default_factory=dict)
    groups: list[tuple[DifferenceRecord, DifferenceRecord]] = field(default_factory=list)
    plays: list[DifferenceRecord] = field(default_factory=list)
    questions: list[DifferenceRecord] = field(default_factory=list)
    together: list[DifferenceRecord] = field(default_factory=list)


def difference_block(record: dict[str, Any], *, every: bool) -> DocumentBlock:
    """Show a difference; with `every`, also what changes no answer, and all members of lists."""
    lines = DifferenceLines(record, every=every)
    blocks = [
        *_change_blocks(lines),
        *procedure_blocks(lines),
        reply_block(*_one_sided_lines(lines)),
        reply_block(*_counter_lines(record), title="Counters"),
        reply_block(*_note_lines(record), title="Statuses, tracks and records"),
        reply_block(*_dispute_lines(lines), *_reading_lines(lines), title="Disputes"),
        reply_block(*_book_lines(lines), title="In the book alone"),
        *(_card_block(card, lines) for card in record["cards"]),
        _account_block("unknown", lines),
        _account_block("same", lines),
        reply_block(examples_text(record), left_out_text(record)),
    ]
    return reply_block(answer_text(record), blocks=[block for block in blocks if block.lines])


# ---------------------------------------------------------------- changes that show


def _change_blocks(lines: DifferenceLines) -> Iterator[DocumentBlock]:
    """Yield a block for each change, or for changes that are responsible together."""
    charts = {chart["chart"]: chart for chart in lines.record["charts"] if not chart["only"]}
    for key, subject in _subjects(lines.record).items():
        name = key[0] if key else ""
        chart = charts.pop(name, None)
        title = name if chart else list_text(list(subject.labels)) or NO_CAUSE
        head = _cell_lines(chart, lines) if chart else _sentence_lines([*subject.labels], lines.record)
        yield reply_block(*head, *_result_lines(subject, lines), title=title)
    for name, chart in charts.items():
        yield reply_block(*_cell_lines(chart, lines), title=name)


def _subjects(record: DifferenceRecord) -> dict[tuple[str, ...], _Subject]:
    """Return what shows each change, by its labels, or by the chart of its cells."""
    subjects: dict[tuple[str, ...], _Subject] = {}

    def subject_of(labels: Sequence[str]) -> _Subject:
        charts = {label.partition("[")[0] if "[" in label else "" for label in labels}
        key = tuple(charts) if len(charts) == 1 and "" not in charts else tuple(labels)
        subject = subjects.setdefault(key, _Subject())
        subject.labels.update(dict.fromkeys(labels))
        return subject

    for term in record["terms"]:
        for group in term["groups"]:
            subject_of(group["rules"]).groups.append((term, group))
    reported = {label for subject in subjects.values() for label in subject.labels}
    for play in record["behavior"]["rules"]:
        subject_of(play["rules"]).plays.append(play)
    for question in record["behavior"]["example_questions"]:
        if reported.isdisjoint(question["rules"]):
            subject_of(question["rules"]).questions.append(question)
    for change in record["changes"]:
        # A reason beside a witness states that it is one beside the other changes; a procedure has its own block.
        if change["status"] == "witness" and change["why"] and change["kind"] != "procedure":
            subject_of([change["label"]]).together.append({**change["witness"], "reversion": True})
    return subjects


def _sentence_lines(labels: Sequence[str], record: DifferenceRecord) -> Iterator[LineText]:
    """Yield the sentence of each changed rule in each stack; where it is the same, the law of the rule in each."""
    for label in labels:
        sentences = record["sentences"].get(label)
        if sentences is None:
            continue
        named = f"{label}, " if len(labels) > 1 else ""
        old, new = sentences["a"], sentences["b"]
        versions = [(f"{record[side]}: ", sentences[side]) for side in ("a", "b") if sentences[side] is not None]
        if old != new:
            opening = "only in" if None in (old, new) else "in"
            yield from (sentence(f"{named}{opening} {place}{text}") for place, text in versions)
            continue
        laws = [f"in {record[side]}: {sentences[f'law_{side}']}" for side in ("a", "b")]
        differ = sentences["law_a"] != sentences["law_b"]
        yield listing(
            f"{label}: {old}" if named else str(old),
            ["Its sentence is the same, its law is not:", *laws] if differ else [],
        )


def _result_lines(subject: _Subject, lines: DifferenceLines) -> Iterator[LineText]:
    """Yield questions with other answers, and moves with other results; of one question or chart, the first."""
    for groups in group_by(subject.groups, lambda each: each[0]["term"]).values():
        (term, group), *other_groups = groups
        labels = lines.names_text(_labels(other for _, other in other_groups))
        cells = f"other cells change it, too: {labels}" if other_groups else ""
        yield lines.answer_line(group, [*_group_entries(term, group, lines), cells])
    if subject.plays:
        play, *others = subject.plays
        cells = f"other cells change moves, too: {lines.names_text(_labels(others))}"
        entries = [f"in {counted_noun(play['differs'], 'play')} of the examples", cells if others else ""]
        yield lines.play_line(play, "Same move, different result: ", entries)
    for question in subject.questions:
        count = f"answered differently in {counted_noun(question['differs'], 'place')} of the examples"
        yield lines.play_line(question, entries=[count])
    for case in subject.together:
        yield "This shows only together with the other changes:"
        yield lines.answer_line(case)


def _labels(causes: Iterable[DifferenceRecord]) -> list[str]:
    return list(dict.fromkeys(label for cause in causes for label in cause["rules"]))


def _group_entries(term: DifferenceRecord, group: DifferenceRecord, lines: DifferenceLines) -> Iterator[str]:
    """Yield what else changes with an answer, what depends on it without a difference, and how much was tried."""
    if follows := group["follows"]:
        count, verb = counted_noun(len(follows), "more question"), "is" if len(follows) == 1 else "are"
        yield f"{count} {verb} answered differently because of this: {lines.names_text(follows)}"
    if dependents := group["dependents"]:
        is_one = len(dependents) == 1
        phrase = f"depend{'s' if is_one else ''} on it; no difference was found in {'it' if is_one else 'them'}"
        if len(dependents) <= MOST_EQUAL_QUESTIONS or lines.every:
            yield f"{list_text(dependents)} {phrase}"
        else:
            yield f"{len(dependents)} more questions {phrase} (--all names them)"
    if lines.every:
        yield f"{term['term']} differs in {term['differs']} of {counted_noun(term['of'], 'position')} tried"


def _cell_lines(chart: DifferenceRecord, lines: DifferenceLines) -> Iterator[DocumentLine]:
    """Yield a table of the cells of a chart that differ."""
    if chart["keys"]:
        yield listing(f"It is read by {chart['keys'][1]} instead of {chart['keys'][0]}.", ())
    cells, others = lines.first_of(chart["cells"], "cell")
    rows = [(cell["cell"], cell["a"] or "none", cell["b"] or "none") for cell in cells]
    if rows:
        yield from table_lines(("cell", lines.record["a"], lines.record["b"]), rows)
    if others:
        yield listing(others, ())


# ---------------------------------------------------------------- other parts


def _one_sided_lines(lines: DifferenceLines) -> Iterator[LineText]:
    """Yield the questions, charts, statuses, procedures and other parts that one of the two alone has."""
    for part, key, noun in (("terms", "term", "question"), ("charts", "chart", "chart")):
        yield from lines.only_lines(((each["only"], each[key]) for each in lines.record[part]), noun)
    for noun, declared in group_by(lines.record["notes"], lambda note: note["what"]).items():
        yield from lines.only_lines(((note["only"], note["name"]) for note in declared), noun)
    yield from one_sided_procedures(lines)
    yield from _one_sided_rules(lines)


def _one_sided_rules(lines: DifferenceLines) -> Iterator[LineText]:
    """Yield the sentences of the rules that one of the two alone has and no question of both depends on."""
    record = lines.record
    labels = [change["name"] for change in record["changes"] if (change["kind"], change["status"]) == ("rule", "only")]
    for side, other in (("a", "b"), ("b", "a")):
        own_labels = [label for label in labels if record["sentences"][label][other] is None]
        listed_labels, others = lines.first_of(own_labels, "rule")
        texts = [f"{label}: {record['sentences'][label][side]}" for label in listed_labels]
        if texts:
            yield listing(f"Only {record[side]} has, without a question of both that depends on it:", [*texts, others])


def _counter_lines(record: DifferenceRecord) -> Iterator[str]:
    """Yield what is printed otherwise on counters, or only in one of the two."""
    for factor in record["factors"]:
        name = f"{readable_name(factor['factor'])} on each {readable_name(factor['kind'])}"
        if not factor["only"]:
            yield f"{name} without a value of its own: {'; '.join(factor['says'])}"
            continue
        values = [f"{counter['counter']} {counter['shows']}" for counter in factor["counters"]]
        value_text = f"; {', '.join(values)}" if values else ""
        yield f"only {record[factor['only']]} prints {name} ({factor['type']}): {factor['first']}{value_text}"
    for counter in record["counters"]:
        if not counter["only"]:
            yield f"{counter['counter']}, under {record['b']}: {', '.join(counter['shows'])}"


def _note_lines(record: DifferenceRecord) -> Iterator[str]:
    for note in record["notes"]:
        if not note["only"]:
            yield f"{note['name']}: {'; '.join(note['says'])}"


def _dispute_lines(lines: DifferenceLines) -> Iterator[str]:
    """Yield the disputes that the two read differently, and those that one of them alone has, with its reading."""
    one_sided = []
    for each in lines.record["disputes"]:
        if each["a"] and each["b"]:
            yield f"{each['dispute']} is read as {each['b']} instead of {each['a']}"
        else:
            one_sided.append(("a" if each["a"] else "b", f"{each['dispute']} (read as {each['a'] or each['b']})"))
    yield from lines.only_lines(one_sided, "dispute")


def _reading_lines(lines: DifferenceLines) -> Iterator[str]:
    """Yield the readings that one of the two alone has, and those that differ, by what differs in them."""
    readings = lines.record["readings"]
    yield from lines.only_lines(((each["only"], _reading_name(each)) for each in readings), "reading")
    for part, phrase in READING_PARTS.items():
        if differing := [_reading_name(each) for each in readings if part in each["differs"]]:
            yield f"readings with {phrase}: {lines.names_text(differing)}"


def _reading_name(reading: DifferenceRecord) -> str:
    """Return the name of a reading, as in the name of a stack."""
    return f"{reading['dispute']}={reading['reading']}"


def _book_lines(lines: DifferenceLines) -> Iterator[str]:
    """Yield what the two books print differently about things that both have."""
    for part, texts in group_by(lines.record["book"], lambda each: each["part"]).items():
        names = []
        for each in texts:
            change = f" ({each['b'] or 'none'} instead of {each['a'] or 'none'})" if part == "number" else ""
            names.append(f"{each['name']}{change}")
        yield f"the {part}{'s' if len(names) > 1 else ''} of {lines.names_text(names)}"


def _card_block(card: DifferenceRecord, lines: DifferenceLines) -> DocumentBlock:
    """Show the differences of a situation by heading, and the questions that depend on them."""
    names = f"{card['b']} instead of {card['a']}" if card["a"] != card["b"] else card["a"]
    headings = group_by(card["says"], lambda each: each["about"])
    parts = [listing(heading, [each["says"] for each in says]) for heading, says in headings.items()]
    read = f"Questions that depend on this: {lines.names_text(card['dependents'])}" if card["dependents"] else ""
    return reply_block("" if parts else "No difference.", *parts, read, title=f"Situation {names}")


def _account_block(status: str, lines: DifferenceLines) -> DocumentBlock:
    """Show the changes that no position shows, by reason; those without an effect are counted beside others."""
    changes = [each for each in lines.record["changes"] if each["status"] == status]
    if status == "same" and not lines.every and len(changes) < len(lines.record["changes"]):
        are_proved = "change is" if len(changes) == 1 else "changes are"
        count = f"{len(changes)} more {are_proved} proved to change no answer (--all lists them)." if changes else ""
        return reply_block(count)
    accounts = list(_account_lines(changes, lines))
    listed, others = lines.first_of(accounts, "line")
    return reply_block(*listed, others, title=HEADS[status])


def _account_lines(changes: Sequence[DifferenceRecord], lines: DifferenceLines) -> Iterator[DocumentLine]:
    """Yield one line for each reason, with its changes."""
    for reason, group in group_by(changes, lambda each: each["why"]).items():
        texts = []
        for accounts in filter(None, (each["accounts"] for each in group)):
            texts += [f"no longer {text}" for text in accounts["a"]]
            texts += [f"now {text}" for text in accounts["b"]]
        names = list(dict.fromkeys(_change_name(each) for each in group))
        yield listing(f"{lines.names_text(names)}: {reason}", texts)


def _change_name(change: DifferenceRecord) -> str:
    """Return the label of a change, with `question` for an added or removed question."""
    question = change["kind"] == "question" and change["operation"] != "changed"
    return f"question {change['name']}" if question else str(change["label"])
