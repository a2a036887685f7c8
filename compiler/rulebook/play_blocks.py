"""Build the blocks of the sequence of play and of the procedures: what is done at the table, step by step.

In: the builders of an edition. Out: `DocumentBlock`s. Players read what each procedure is for, umpires also its steps.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from compiler.rulebook.line_builder import LineBuilder, exact_line, listing, strong, text_line
from compiler.rulebook.preconditions import requirement_sentences
from compiler.rulebook.rule_blocks import RuleBlockBuilder
from compiler.rulebook.sequence_of_play import COUNTER_MARK, TurnStep, number_steps, number_turn
from compiler.rulebook.source_order import written_rank
from compiler.rulebook.table import table_lines
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.document import (
    BlockRole,
    DocumentBlock,
    DocumentLine,
    DocumentRole,
    DocumentSpan,
)
from runtime.graph.related_procedures import rulings_on

HEADINGS = {"action": "What a player may do", "resolution": "How things are resolved", "hook": "What happens by itself"}


class PlayBlockBuilder:
    """A builder of the procedures of one edition."""

    def __init__(self, lines: LineBuilder, rules: RuleBlockBuilder) -> None:
        """Store what makes the lines and the rulings of the edition."""
        self.lines = lines
        self.rules = rules
        self.contents = lines.contents
        self.book = lines.contents.book

    def play(self) -> DocumentBlock:
        """Build the sequence of play; a single one needs no title of its own."""
        number, title = self.contents.play_number, "Sequence of play"
        blocks = tuple(self._procedures("sequence"))
        if len(blocks) == 1:
            return replace(blocks[0], role=BlockRole.PLAY, number=number, title=title)
        return DocumentBlock(BlockRole.PLAY, ("page", "play"), number, title, blocks=blocks)

    def procedures(self) -> DocumentBlock:
        """Build the actions, the resolutions and what follows from events, and what steps require."""
        blocks = []
        for kind, title in HEADINGS.items():
            if inner := tuple(self._procedures(kind)):
                blocks.append(listing(f"{kind}-list", title, blocks=inner))
        if self.book.preconditions and self.lines.edition in BlockRole.REQUIREMENTS.editions:
            key, title = ("listing", "precondition-list"), "What has to be allowed"
            lines = tuple(map(self._requirement, self.book.preconditions))
            blocks.append(DocumentBlock(BlockRole.REQUIREMENTS, key, title=title, lines=lines))
        return DocumentBlock(BlockRole.PROCEDURES, ("listing", "procedures"), title="Procedures", blocks=tuple(blocks))

    def _procedures(self, kind: str) -> Iterable[DocumentBlock]:
        """Return the procedures of a kind in the order of their sources, without those only a computer writes down.

        Players read what several layers say of one event in one paragraph.
        """
        blocks: dict[str, DocumentBlock] = {}
        procedures = sorted(self.book.procedures.items(), key=lambda item: (*written_rank(self.book, item[1]), item[0]))
        for key, procedure in procedures:
            if procedure.what != kind or not self.contents.links.link_to(("procedure", key)):
                continue
            lines = self.lines.in_edition(self._lines(key, procedure))
            title = self.contents.titles["procedure", key]
            name, rulings = (title, ()) if self.rules.is_brief else (key, tuple(self._rulings(key)))
            block = DocumentBlock(BlockRole.PROCEDURE, ("procedure", key), title=title, lines=lines, blocks=rulings)
            if name in blocks:
                blocks[name] = replace(blocks[name], lines=blocks[name].lines + lines)
            elif lines or procedure.prose:
                blocks[name] = block
        return blocks.values()

    def _rulings(self, key: str) -> Iterator[DocumentBlock]:
        """Yield the rulings on a procedure; they have their own places at rules, and nothing refers to these."""
        for ruling in rulings_on(self.book, key):
            yield replace(self.rules.ruling(ruling.label), key=("", ""), blocks=())

    def _lines(self, key: str, procedure: graph.Procedure) -> Iterator[DocumentLine]:
        """Yield what a procedure is for, when it is carried out, its steps and its sources."""
        if procedure.prose and procedure.prose.removesuffix(".") != self.contents.titles["procedure", key]:
            yield text_line(DocumentRole.PROSE, procedure.prose)
        if procedure.instead_of:
            title = next(layer.title for layer in self.book.layers if layer.name == procedure.instead_of.origin.layer)
            yield text_line(DocumentRole.DETAIL, f"Replaces what “{title}” says.")
        if phases := phases_text(procedure):
            yield text_line(DocumentRole.DETAIL, phases)
        steps = table_lines(self.book, procedure)
        if procedure.what == "sequence":
            yield from map(self._step, number_turn(self.contents, steps))
        elif not self.rules.is_brief:
            yield from map(self._step, number_steps(self.contents, steps))
        yield from self.lines.sources(procedure.cites)
        yield text_line(DocumentRole.LABEL, procedure.name)

    def _step(self, step: TurnStep) -> DocumentLine:
        """Return a step with those inside it; what may be done in it is a list, if it is several things."""
        mark = step.mark
        spans = [*([strong(step.title)] if step.title else []), *self._with_leads(step)]
        if step.cases:
            spans += [" (", *self.lines.names(step.cases), ")"]
        cites = step.cites
        while len(step.inside) == 1 and not (step.leads or step.inside[0].mark or step.inside[0].title):
            # What alone stands in it goes on in its line: "Supply (12), if the player has depots:".
            [inner] = step.inside
            is_single = len(inner.leads) == 1
            text = inner.text if is_single else f"{inner.text[:1].lower()}{inner.text[1:]}"
            spans.append(" " if step.text else ": " if inner.leads else ", ")
            spans += self._with_leads(replace(inner, text=text))
            step, cites = inner, cites + inner.cites
        deeds = step.leads if len(step.leads) > 1 else ()
        items = [text_line(DocumentRole.ITEM, self.lines.name(key)) for key in deeds]
        items += [*self.lines.in_edition(self.lines.sources(dict.fromkeys(cites))), *map(self._step, step.inside)]
        role = DocumentRole.ITEM if mark == COUNTER_MARK else DocumentRole.STEP if mark else DocumentRole.AROUND
        return text_line(role, *spans, items=items, mark="" if role is DocumentRole.ITEM else mark)

    def _with_leads(self, step: TurnStep) -> Iterator[DocumentSpan | str]:
        """Yield the text of a step; the one thing that it leads to is a reference in it, or is all of it."""
        if len(step.leads) != 1:
            yield step.text
            return
        name = self.lines.name(step.leads[0])
        before, title, after = step.text.partition(name.text)
        yield from (before, name, after) if title else (f"{step.text} " if step.text else "", name)

    def _requirement(self, precondition: graph.Precondition) -> DocumentLine:
        """Return what a step needs."""
        first, *more = requirement_sentences(self.book, precondition)
        items = [exact_line(DocumentRole.ITEM, sentence) for sentence in (*first.items, *more)]
        items += [*self.lines.sources(precondition.cites), text_line(DocumentRole.LABEL, precondition.label)]
        text = f"{precondition.prose} {first.text}".strip()
        return text_line(DocumentRole.LISTED, text, items=items, key=("listing", f"precondition-{precondition.label}"))


def phases_text(procedure: graph.Procedure) -> str:
    """Return in which phases an action may be done, "" if in any."""
    phases: Iterable[str] = (phase.replace("_", " ").replace(" phase", "") for phase in procedure.phases)
    return f"In the {words.list_text([*phases], 'or')} phase." if procedure.phases else ""
