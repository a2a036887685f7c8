"""Every single edit that can be made in a paragraph: its kind, where, and what stands there afterwards.

In: a paragraph and the words of its game. Out: candidates. Not all of them compile, and some change nothing.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from itertools import pairwise

from compiler.source import nodes as source
from compiler.source.span import Span
from runtime.graph import nodes as graph
from tests.edits.paragraphs import Paragraph
from tests.edits.text import Slice, Text

COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "=": "!=", "!=": "="}
VERDICTS = {"allowed": "forbidden", "forbidden": "allowed", "holds": "fails", "fails": "holds"}
NUMBER = re.compile(r"\d+(?:/\d+)?")
SIMPLE = (
    source.Assign | source.Mark | source.Move | source.Remove | source.Pair | source.Write | source.Strike | source.Add
    | source.Invoke | source.Legal | source.Create | source.Offer | source.Branch | source.Loop
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Candidate:
    """One edit: its kind, and what it puts where; `names` say which part of the paragraph it is about."""

    kind: str
    change: Slice
    names: tuple[str, ...] = ()


class Changes:
    """Lists the edits of one paragraph."""

    def __init__(self, paragraph: Paragraph, words: graph.Vocabulary) -> None:
        """Begin with a paragraph."""
        self.paragraph = paragraph
        self.text: Text = paragraph.text
        self.words = words

    def every(self) -> Iterator[Candidate]:  # noqa: C901 -- one case a paragraph
        """List all candidates."""
        match self.paragraph.node:
            case source.Rule() as rule:
                yield from self.of_rule(rule)
            case source.Track() | source.Status() as note:
                yield from self.of_note(note)
            case source.Relation(ends=ends) if ends is not None:
                yield from (Candidate("relation ends", each.change) for each in self.inside(ends))
            case source.Hook() as hook:
                yield Candidate("hook dropped", self.text.instead(hook.span, ""))
                yield from self.of_steps(hook.body)
            case source.Action(body=body) | source.Resolution(body=body) | source.Reaction(body=body):
                yield from self.of_steps(body)
            case source.Sequence(body=body):
                yield from self.of_steps(body)
            case source.Insert(phase=phase) as insert:
                yield Candidate("phase dropped", self.text.instead(insert.span, ""))
                yield from self.of_steps(phase.body)
            case source.Table(rows=rows):
                yield from self.of_cells(rows)
            case source.TablePatch(set=changed):
                for cell in changed:
                    yield from self.of_scalar("cell", cell.now, tuple(key.text for _, [key, *_] in cell.keys
                                                                      if isinstance(key, source.Word)))  # fmt: skip
            case source.Counter() as counter:
                yield from self.of_counter(counter)
            case source.Case(guard=guard) if guard is not None:
                yield from self.inside(guard)
            case source.Define(body=body):
                yield from self.inside(body)
            case source.Term(otherwise=otherwise, default=default) as term:
                yield from self.inside(otherwise) if otherwise is not None else ()
                if default is not None:
                    yield from self.of_default(term, default)
            case _:
                pass

    # -------------------------------------------------------------- rules

    def of_rule(self, rule: source.Rule) -> Iterator[Candidate]:
        """List the edits of a rule."""
        said = rule.conclusion
        if said is not None:
            yield from self.inside(said.value) if said.value is not None else ()
            if said.verb in VERDICTS:
                written = self.text.of(said.span)
                yield Candidate(
                    "verdict", self.text.instead(said.span, written.replace(said.verb, VERDICTS[said.verb]))
                )
        for name in rule.names:
            yield from self.inside(name.value)
        for relate in rule.relations:
            if relate.verb == "exception":
                yield Candidate("relation dropped", self.text.instead(relate.span, ""))
        for patch in rule.patches:
            yield from self.inside(patch.value)
        if rule.guard is not None:
            yield from self.inside(rule.guard)
            begin = self.text.before(rule.guard.span, "when")
            if begin is not None:
                yield Candidate("guard dropped", Slice(begin, self.text.end(rule.guard.span), ""))
                whole = self.text.content[begin + 4 : self.text.end(rule.guard.span)].strip()
                inverted = Slice(begin, self.text.end(rule.guard.span), f"when not ({whole})")
                yield Candidate("guard inverted", inverted)

    def of_default(self, term: source.Term, default: str) -> Iterator[Candidate]:
        """Turn a default round."""
        other = {"allowed": "forbidden", "forbidden": "allowed", "yes": "no", "no": "yes"}[default]
        written = self.text.of(term.span)
        yield Candidate("default", self.text.instead(term.span, written.replace(f"default {default}",
                                                                                f"default {other}")))  # fmt: skip

    # -------------------------------------------------------------- expressions

    def inside(self, node: object) -> Iterator[Candidate]:
        """List the edits of an expression and of what it is made from."""
        if isinstance(node, tuple):
            for part in node:
                yield from self.inside(part)
        if not is_dataclass(node) or isinstance(node, type):
            return
        yield from self.of_node(node)
        for field in fields(node):
            if field.name not in {"span", "preferring"}:
                yield from self.inside(getattr(node, field.name))

    def of_node(self, node: object) -> Iterator[Candidate]:  # noqa: C901 -- one case a node
        """List the edits of one expression."""
        match node:
            case source.Amount():
                yield from self.of_number("number", node.span)
            case source.Truth(value=value):
                yield Candidate("truth", self.text.instead(node.span, "no" if value else "yes"))
            case source.Compare(op=op, left=left, right=right):
                between = self.text.between(left.span, right.span)
                if between.count(op) == 1:
                    yield Candidate("comparison", self.text.joint(left.span, right.span,
                                                                  between.replace(op, COMPARISONS[op])))  # fmt: skip
            case source.Both(parts=parts) | source.Either(parts=parts):
                word, other = ("and", "or") if isinstance(node, source.Both) else ("or", "and")
                for one, two in pairwise(parts):
                    first, second = one.span, two.span
                    yield Candidate("condition dropped", Slice(self.text.begin(first), self.text.begin(second), ""))
                    yield Candidate("condition dropped", Slice(self.text.end(first), self.text.end(second), ""))
                    joined = self.text.between(first, second).replace(word, other)
                    yield Candidate("condition joined", self.text.joint(first, second, joined))
            case source.Not(operand=operand):
                yield Candidate("condition inverted", Slice(self.text.begin(node.span), self.text.begin(operand.span),
                                                            ""))  # fmt: skip
            case source.IsTest(subject=subject, words=words, negated=negated):
                old, new = (" is not ", " is ") if negated else (" is ", " is not ")
                yield Candidate("condition inverted", self.text.joint(subject.span, words[0].span, self.text.between(
                    subject.span, words[0].span).replace(old, new)))  # fmt: skip
                for flag in words:
                    for other in self.beside(flag.text):
                        yield Candidate("word", self.text.instead(flag.span, other))
            case source.HasTest(subject=subject, name=name, negated=negated):
                old, new = (" has no ", " has ") if negated else (" has ", " has no ")
                yield Candidate("condition inverted", self.text.joint(subject.span, name.span, self.text.between(
                    subject.span, name.span).replace(old, new)))  # fmt: skip
            case source.Name(id=name):
                for other in self.members(name):
                    yield Candidate("member", self.text.instead(node.span, other))
            case source.Arithmetic(op="+" | "-" as op, left=left, right=right):
                other = "-" if op == "+" else "+"
                yield Candidate("arithmetic", self.text.joint(left.span, right.span, self.text.between(
                    left.span, right.span).replace(op, other)))  # fmt: skip
            case _:
                pass

    def of_number(self, kind: str, span: Span) -> Iterator[Candidate]:
        """Make a number greater or smaller by one."""
        written = self.text.of(span)
        found = NUMBER.match(written)
        if found is None:
            return
        top, _, bottom = found[0].partition("/")
        for number in (int(top) + 1, int(top) - 1):
            if number >= 0:
                changed = f"{number}/{bottom}" if bottom else str(number)
                yield Candidate(kind, self.text.instead(span, changed + written[found.end() :]))

    def beside(self, word: str) -> Iterator[str]:
        """List other words of the same sort."""
        flags = self.words.flags
        sorts = {(flag.owner, flag.what) for flag in flags.values() if flag.name == word}
        yield from (flag.name for flag in flags.values() if (flag.owner, flag.what) in sorts and flag.name != word)

    def members(self, name: str) -> Iterator[str]:
        """List the other members of an enumeration."""
        for enum in self.words.enums.values():
            names = [member.name for member in enum.members]
            if name in names:
                yield from (other for other in names if other != name)

    # -------------------------------------------------------------- procedures

    def of_steps(self, body: tuple[source.Step, ...]) -> Iterator[Candidate]:
        """List the edits of some steps."""
        for step in body:
            if isinstance(step, SIMPLE):
                yield Candidate("step dropped", self.text.instead(step.span, ""))
            yield from self.of_step(step)
        for one, two in pairwise(body):
            kind = "phase moved" if isinstance(one, source.Phase) or isinstance(two, source.Phase) else "steps swapped"
            first, second = self.text.of(one.span), self.text.of(two.span)
            swapped = f"{second}{self.text.between(one.span, two.span)}{first}"
            yield Candidate(kind, Slice(self.text.begin(one.span), self.text.end(two.span), swapped))

    def of_step(self, step: source.Step) -> Iterator[Candidate]:
        """List the edits of one step."""
        match step:
            case source.Branch(condition=condition, then=then, orelse=orelse):
                yield from self.inside(condition)
                yield from self.of_steps(then)
                yield from self.of_steps(orelse)
            case source.Each(body=body) | source.Phase(body=body):
                yield from self.of_steps(body)
            case source.Loop(source=among, body=body):
                yield from self.inside(among)
                yield from self.of_steps(body)
            case source.Mark(status=status, on=on):
                written = self.text.of(step.span)
                other = written.replace("mark", "unmark", 1) if on else written.replace("unmark", "mark", 1)
                yield Candidate("mark", self.text.instead(step.span, other))
                for word in self.beside(status.text):
                    yield Candidate("word", self.text.instead(status.span, word))
            case source.Offer(actions=actions, until=until):
                for one, two in pairwise(actions):
                    yield Candidate("option dropped", Slice(self.text.begin(one.span), self.text.begin(two.span), ""))
                yield from self.inside(until)
            case source.Invoke(arguments=arguments):
                for here, there in pairwise(arguments):
                    first, second = self.text.of(here.span), self.text.of(there.span)
                    yield Candidate("argument", self.text.instead(here.span, second))
                    yield Candidate("argument", self.text.instead(there.span, first))
                yield from self.inside(arguments)
            case _:
                yield from self.inside(step)

    # -------------------------------------------------------------- notes, charts and counters

    def of_note(self, note: source.Track | source.Status) -> Iterator[Candidate]:
        """List the edits of what play notes down: what it may hold, what it begins with, how long it lasts."""
        if isinstance(note, source.Track):
            if isinstance(note.type, source.RangeType):
                written = self.text.of(note.type.span)
                high = str(note.type.high)
                yield Candidate("note range", self.text.instead(note.type.span, written.replace(
                    f"..{high}", f"..{note.type.high - 1}", 1)))  # fmt: skip
            if note.initial is not None:
                yield from (Candidate("note start", each.change) for each in self.inside(note.initial))
        for item in (note,) if isinstance(note, source.Track) else note.items:
            if item.until is not None:
                for other in ("turn", "own_turn", "game"):
                    if other != item.until.name.text:
                        yield Candidate("note until", self.text.instead(item.until.name.span, other), (item.name.text,))

    def of_cells(self, rows: tuple[source.Row, ...]) -> Iterator[Candidate]:
        """List the edits of the cells of a chart."""
        contents = list(dict.fromkeys(row.value.text for row in rows))
        for row in rows:
            keys = tuple(match.text for _, matches in row.keys for match in matches if isinstance(match, source.Word))
            yield from self.of_scalar("cell", row.value, keys)
            for other in contents[:6]:
                if other != row.value.text:
                    yield Candidate("cell", self.text.instead(row.value.span, other), keys)

    def of_scalar(self, kind: str, value: source.Scalar, names: tuple[str, ...]) -> Iterator[Candidate]:
        """List the edits of a number in YAML."""
        if NUMBER.fullmatch(self.text.of(value.span)):
            yield from (Candidate(kind, each.change, names) for each in self.of_number(kind, value.span))

    def of_counter(self, counter: source.Counter) -> Iterator[Candidate]:
        """List the edits of what is printed on a counter."""
        for column, value in counter.values:
            yield from self.of_scalar("factor", value, (column.text,))
        for one, two in pairwise(counter.traits):
            yield Candidate("trait", Slice(self.text.begin(one.span), self.text.begin(two.span), ""), (one.text,))
        for trait in counter.traits:
            for other in self.beside(trait.text):
                yield Candidate("trait", self.text.instead(trait.span, other), (trait.text, other))
