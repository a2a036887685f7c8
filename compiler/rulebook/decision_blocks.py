"""Build the page of a question: what it is asked of, the rules that decide it, its stages, and what it rests on.

In: the builders of an edition, and the name of a term. Out: a `DocumentBlock`.
"""

from collections.abc import Iterable, Iterator

from compiler.rulebook.exception_trees import ExceptionBranch, adopted_tree, own_tree
from compiler.rulebook.line_builder import LineBuilder, emphasized, exact_line, label_line, listing, text_line
from compiler.rulebook.rule_blocks import RuleBlockBuilder
from compiler.rulebook.sentences import (
    beside_sentence,
    combination_text,
    default_sentence,
    term_question,
    type_words,
    wording_of,
)
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.document import BlockRole, DocumentBlock, DocumentLine, DocumentRole, DocumentSpan
from runtime.graph.stages import stages_of


class DecisionBlockBuilder:
    """A builder of the page of one question."""

    def __init__(self, lines: LineBuilder, rules: RuleBlockBuilder, name: str) -> None:
        """Store what makes the lines and the examples of the edition."""
        self.lines = lines
        self.rules = rules
        self.contents = lines.contents
        self.book = lines.contents.book
        self.key = ("term", name)
        self.term = self.book.terms[name]

    def page(self) -> DocumentBlock:
        """Build the page."""
        blocks = [*self._deciding_blocks(self.term, "What decides this")]
        if stages := stages_of(self.book, self.term.name):
            stage_blocks = (self._stage(number, self.book.terms[stage]) for number, stage in enumerate(stages, 1))
            blocks.append(listing("stages", "In stages", blocks=stage_blocks))
        blocks += self.rules.examples(self.key)
        blocks += self._related_blocks()
        title, lines = term_question(self.book, self.term), self.lines.in_edition(self._opening_lines())
        return DocumentBlock(BlockRole.DECISION, self.key, title=title, lines=lines, blocks=tuple(blocks))

    def _opening_lines(self) -> Iterator[DocumentLine]:
        """Yield what the question is asked of and answered with, its sources, and whether it only advises."""
        wording = wording_of(self.book, self.term.parameters, self.term.name)
        given = []
        for parameter in self.term.parameters:
            name, kind = wording.variable(parameter.name), type_words(self.book, parameter.type)
            is_said = kind.rpartition(" ")[2] == name.rpartition(" ")[2]  # the next hex, a hex
            given.append(name if is_said else f"{name}, {kind}")
        parameters = f"Asked of {'; '.join(given)}. " if given else ""
        yield text_line(DocumentRole.REMARK, f"{parameters}The answer is {type_words(self.book, self.term.type)}.")
        yield from self.lines.sources(self.term.cites)
        yield label_line(*self.key)
        if self.term.name in self.contents.advising:
            advice = "Only players that the computer plays ask this. No rule rests on it."
            yield text_line(DocumentRole.PROSE, advice)

    def _related_blocks(self) -> Iterator[DocumentBlock]:
        """Yield which questions and charts its rules read, and what asks it."""
        mentions = self.contents.mentions
        own_rules = [("rule", label) for label in self.term.rules]
        keys_read = dict.fromkeys(key for rule in own_rules for key in mentions.things_read.get(rule, ()))
        read = [key for key in keys_read if key[0] in ("term", "chart") and key != self.key]
        readers = [reader for reader in mentions.readers.get(self.key, ()) if reader not in own_rules]
        for title, keys in (("It looks at", read), ("It is asked by", readers)):
            if keys:
                yield listing(title, title, (text_line(DocumentRole.PLAIN, self.lines.name(key)) for key in keys))

    def _stage(self, number: int, stage: graph.Term) -> DocumentBlock:
        """Build a stage of the question; what it adopts stands below it."""
        title = words.readable_name(stage.name.rpartition(".")[2])
        first, *others = self._deciding_blocks(stage, title)
        key = ("term", stage.name)
        return DocumentBlock(BlockRole.STAGE, key, f"{number}.", title, lines=first.lines, blocks=tuple(others))

    def _deciding_blocks(self, term: graph.Term, title: str) -> Iterator[DocumentBlock]:
        """Yield the rules that decide a question under a title, then those that it adopts from each other question."""
        stages, tree = stages_of(self.book, term.name), own_tree(self.book, term)
        default = "" if stages else default_sentence(self.book, term)
        lines = [*self._rule_lines(f"{default} {combination_text(term)}".strip(), tree)]
        if not (tree or stages or term.beside):
            lines.append(text_line(DocumentRole.PROSE, "No rule of this stack speaks on it."))
        yield listing("rules", title, lines)
        for beside in term.beside:
            heading = DocumentSpan(f"As for {self.contents.titles['term', beside.term]}", ("term", beside.term))
            general = beside_sentence(self.book, term, beside)
            adopted = self._rule_lines(general, adopted_tree(self.book, term, beside))
            yield listing(f"as-{beside.term}", lines=adopted, heading=heading)

    def _rule_lines(self, general: str, tree: Iterable[ExceptionBranch]) -> Iterator[DocumentLine]:
        """Yield what holds in general, and the rules with their exceptions."""
        if general:
            yield text_line(DocumentRole.GENERALLY, general)
        yield from map(self._branch, tree)

    def _branch(self, branch: ExceptionBranch) -> DocumentLine:
        """Return a rule, with its exact words, what it outweighs besides the rule above, and its exceptions."""
        rule, key = self.contents.rules[branch.label], ("rule", branch.label)
        spans: list[DocumentSpan | str] = [self.lines.name(key)]
        if rule.prose:
            question = (emphasized(rule.asks), " ") if rule.asks else ()
            spans += [": ", *question, rule.prose]
        items = [exact_line(DocumentRole.STATED, sentence) for sentence in rule.exact]
        is_defined_here = self._is_defined_here(branch.label)
        if is_defined_here:
            items += [text_line(DocumentRole.REMARK, "Definition."), *self.lines.sources(rule.cites)]
            items += self.rules.things_read(rule)
        if branch.also:
            others = self.lines.names(("rule", label) for label in branch.also)
            items.append(text_line(DocumentRole.REMARK, "Also outweighs ", *others, "."))
        if branch.above:
            items.append(text_line(DocumentRole.UNLESS, items=map(self._branch, branch.above)))
        items = [*self.lines.in_edition(items)]
        return text_line(DocumentRole.BRANCH, *spans, items=items, key=key if is_defined_here else None)

    def _is_defined_here(self, label: str) -> bool:
        """Return whether a rule is printed on this page only: it defines the question or a stage of it."""
        if not self.contents.printed_places.only_defines(self.book.rules[label]):
            return False
        links = self.contents.links
        return links.page(("rule", label)) == links.page(self.key)
