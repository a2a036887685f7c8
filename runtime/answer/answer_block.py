"""The answer to a question as a block of the document tree.

In: an `Explanation`. Out: a `DocumentBlock`. Its title is the answer in one sentence. Its lines are the rules that
decided it, each with its figures; the rulings that clarify these; the disputes that the answer hangs on; and in a fold
the rules that do not apply, each with the reason. Nothing stands in it twice.
"""

from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter

from runtime.answer.explain import APPLIED, FAILED, NOTHING, ExplainedClause, Explanation
from runtime.answer.explanation_record import why_inapplicable
from runtime.answer.other_readings import DisputedAnswer
from runtime.answer.value_text import VERDICT, YES_NO
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.document import BlockRole, DocumentBlock, DocumentLine, DocumentRole, DocumentSpan
from runtime.graph.printed_cites import printed_cites

# Forms whose rules contribute to the answer, each with its own conclusion.
_COMBINED = ("sum", "min", "max")
_BY_DEFINITION = "By definition."
# More rulings than these are folded.
_MOST_RULINGS = 2
# The most rulings on rules that were looked at and did not decide.
_MOST_RELATED = 48


class AnswerBlockBuilder:
    """A builder of the blocks of answers under one graph."""

    def __init__(self, rules: graph.Graph) -> None:
        """Collect the numbers and headings that rules and readings have in the book."""
        self.rules = rules
        self.headings = dict(heading for layer in rules.layers for heading in layer.headings)
        self.numbers = {label: number for layer in rules.layers for _, label, number in layer.numbers}

    def block(
        self, explanation: Explanation, remarks: Iterable[str] = (), whole: Explanation | None = None
    ) -> DocumentBlock:
        """Return the block of an answer; `remarks` on the position or its reader stand below the answer.

        `whole` is the explanation with all questions behind it, on whose rules there may be rulings; with it, the fold
        also has the rules that do not apply there.
        """
        printed = {explanation.question}
        deciding, missed = _deciding_rules(explanation), _missed_rules(explanation)
        lines = [_line(DocumentRole.REMARK, each) for each in remarks]
        for clause in deciding:
            lines += self._rule_lines(clause, explanation, printed)
        lines += self._default_lines(explanation, printed)
        lines += [self._missed_line(clause, printed) for clause in missed]
        lines += self._ruling_lines(whole or explanation, deciding)
        lines += [self.dispute_line(each) for each in explanation.disputed]
        others = [clause for clause in explanation.clauses if clause not in (*deciding, *missed)]
        lines += self._inapplicable_lines([*others, *_inapplicable_behind(explanation, whole)])
        return DocumentBlock(
            BlockRole.ANSWER, ("term", explanation.term), title=_answer_sentence(explanation), lines=tuple(lines)
        )

    def _inapplicable_lines(self, clauses: Sequence[ExplainedClause]) -> Iterator[DocumentLine]:
        """Yield the fold of the rules that do not apply, if there are any."""
        if clauses:
            yield DocumentLine(DocumentRole.INAPPLICABLE, (), tuple(map(self._inapplicable_item, clauses)))

    def answer_lines(self, explanations: Iterable[Explanation]) -> Iterator[DocumentLine]:
        """Yield a line for each question that another answer depends on."""
        return self._nested(explanations, set())

    def answer_line(self, role: DocumentRole, text: str, explanation: Explanation | None) -> DocumentLine:
        """Return a line of an answer with the rules that decided the question behind it."""
        return DocumentLine(role, (DocumentSpan(text), *(self._deciders(explanation) if explanation else ())))

    def dispute_line(self, disputed: DisputedAnswer) -> DocumentLine:
        """Return the line of a dispute on which an answer hangs."""
        other = f"it would be: {disputed.other_answer}" if not disputed.untried else "it was not tried"
        untried = f", as {disputed.untried}" if disputed.untried else ""
        followed, alternative = (self.headings.get(each, each) for each in (disputed.followed, disputed.other))
        text = f"{disputed.question} This answer follows “{followed}”; under “{alternative}” {other}{untried}."
        return DocumentLine(
            DocumentRole.DISPUTED, (DocumentSpan(text), _source(disputed.dispute, disputed.cites))
        )  # fmt: skip

    def _rule_lines(
        self, clause: ExplainedClause, explanation: Explanation, printed: set[str]
    ) -> Iterator[DocumentLine]:
        """Yield the line of a rule that decided; none for a definition that cites nothing and has nothing to say."""
        is_several = len(_deciding_rules(explanation)) > 1
        is_contribution = is_several and explanation.form in (*_COMBINED, "set")
        contribution = f"{clause.conclusion}: " if is_contribution and clause.conclusion != explanation.answer else ""
        prose = words.sentence(f"{clause.asks} {clause.prose}".strip())
        items = tuple(self._figures(clause, explanation, printed))
        if prose or contribution or items or printed_cites(clause.cites):
            span = DocumentSpan(
                f"{contribution}{prose or _BY_DEFINITION}", ("rule", clause.label), self.numbers.get(clause.label, "")
            )
            source = _source(clause.label, clause.cites, clause.provenance)
            yield DocumentLine(DocumentRole.DECIDED_BY, (span, source), items)

    def _figures(self, clause: ExplainedClause, explanation: Explanation, printed: set[str]) -> Iterator[DocumentLine]:
        """Yield the conditions of a rule that hold, the cells that its value is from, and the answers behind it."""
        repeated_below = {below.sentence for below in clause.explanations if below.question not in printed}
        reasons = [reason for reason in clause.reasons if reason not in repeated_below]
        if reasons:
            yield figures_line(words.sentence("; ".join(reasons)))
        yield from _cell_lines(clause, explanation)
        yield from self._nested(clause.explanations, printed, reasons)
        yield from map(self._missed_exception_line, clause.failed_exceptions)

    def _ruling_lines(self, explanation: Explanation, deciding: Sequence[ExplainedClause]) -> Iterator[DocumentLine]:
        """Yield the rulings that clarify the deciding rules; in a fold, if many, and those on other rules looked at."""
        labels = dict.fromkeys(label for clause in deciding for label, _ in clause.clarified_by)
        clarifying = [self._ruling_line(self.rules.rulings[label]) for label in labels]
        ranks = _rule_ranks(explanation)
        related = list[tuple[bool, DocumentLine]]()
        for ruling in self.rules.rulings.values():
            subjects = ranks.keys() & {*ruling.clarifies, *ruling.rules}
            if subjects and ruling.label not in labels:
                related.append((not any(ranks[label] for label in subjects), self._ruling_line(ruling)))
        related.sort(key=itemgetter(0))
        folded = [line for _, line in related[:_MOST_RELATED]]
        if len(clarifying) > _MOST_RULINGS:
            folded, clarifying = [*clarifying, *folded], []
        yield from clarifying
        if folded:
            yield DocumentLine(DocumentRole.RULINGS, (), tuple(folded))

    def _ruling_line(self, ruling: graph.Ruling) -> DocumentLine:
        key, number = ("ruling", ruling.label), self.numbers.get(ruling.label, "")
        span = DocumentSpan(f"{ruling.asks} {ruling.answers}", key, number)
        return DocumentLine(DocumentRole.CLARIFIED, (span, _source(ruling.label, ruling.cites)))

    def _default_lines(self, explanation: Explanation, printed: set[str]) -> Iterator[DocumentLine]:
        """Yield what answers where no rule does."""
        nested = self._nested(explanation.explanations, printed)
        if not explanation.default:
            yield from nested
            return
        source = _source("", explanation.default_cites)
        spans = DocumentSpan(words.sentence(explanation.default)), source
        yield DocumentLine(DocumentRole.DECIDED_BY, spans, tuple(nested))

    def _missed_line(self, clause: ExplainedClause, printed: set[str]) -> DocumentLine:
        """Return the line of a rule that would allow what no rule allows, with the condition that fails."""
        span = DocumentSpan(
            words.sentence(clause.prose) or self._name(clause), ("rule", clause.label), self._number(clause)
        )
        reason = why_inapplicable(clause)
        below = [each for each in clause.explanations if each.sentence == reason]
        behind = [line for each in below for line in self._behind(each, printed)]
        item = DocumentLine(
            DocumentRole.FIGURES, (DocumentSpan(f"This does not apply: {reason}."),), tuple(behind)
        )  # fmt: skip
        return DocumentLine(DocumentRole.DECIDED_BY, (span, _source(clause.label, clause.cites)), (item,))

    def _inapplicable_item(self, clause: ExplainedClause) -> DocumentLine:
        """Return the item of a rule that does not decide, with the reason."""
        if clause.status != APPLIED:
            reason = why_inapplicable(clause)
        elif clause.conclusion in NOTHING.values():
            reason = f"it {clause.conclusion}"
        elif clause.conclusion:
            reason = f"{clause.conclusion}, but another rule is stronger"
        else:
            reason = "it lifts another rule"
        span = DocumentSpan(f"{self._name(clause)}: {reason}.", ("rule", clause.label), self._number(clause))
        return DocumentLine(DocumentRole.FIGURES, (span, _source(clause.label, clause.cites, clause.provenance)))

    def _nested(
        self, explanations: Iterable[Explanation], printed: set[str], stated: Sequence[str] = ()
    ) -> Iterator[DocumentLine]:
        """Yield a line for each question behind an answer, with the rules that decided it, and what is behind it.

        Of an answer that a condition `stated` before only the sentences of its rules are printed.
        """
        for explanation in explanations:
            is_seen = explanation.form == "flag" and bool(explanation.default)  # It is printed or marked, or not.
            if explanation.question in printed or is_seen:
                continue
            printed.add(explanation.question)
            sentence = words.sentence(explanation.sentence).removesuffix(".")
            default = f", as {explanation.default}" if explanation.default else ""
            text = f"{sentence}{default}{witnesses_text(explanation)}."
            if any(reason.startswith(explanation.sentence) for reason in stated):
                text = " ".join(words.sentence(clause.prose) for clause in explanation.applied_rules() if clause.prose)
            behind = tuple(self._behind(explanation, printed))
            if text or behind:
                spans = (DocumentSpan(text), *self._deciders(explanation))
                yield DocumentLine(DocumentRole.FIGURES, spans, behind)

    def _behind(self, explanation: Explanation, printed: set[str]) -> Iterator[DocumentLine]:
        """Yield what decided the answer to a question that another answer depends on."""
        for clause in explanation.applied_rules():
            yield from _cell_lines(clause, explanation)
            yield from self._nested(clause.explanations, printed)
            yield from map(self._missed_exception_line, missed_exceptions(explanation, clause))
        yield from (self._missed_line(clause, printed) for clause in _missed_rules(explanation))
        yield from self._nested(explanation.explanations, printed)

    def _missed_exception_line(self, exception: ExplainedClause) -> DocumentLine:
        """Return the line of an exception that does not hold."""
        return figures_line(f"“{self._name(exception)}” does not apply: {why_inapplicable(exception)}.")

    def _deciders(self, explanation: Explanation) -> Iterator[DocumentSpan]:
        """Yield the rules that decided a question, each with its contribution where they are combined."""
        for clause in explanation.applied_rules():
            contribution = f"{clause.conclusion} by " if explanation.form in _COMBINED and clause.conclusion else ""
            yield _source(f"{contribution}{clause.label}", clause.cites)

    def _name(self, clause: ExplainedClause) -> str:
        """Return the heading of a rule, or else its label as words."""
        return self.headings.get(clause.label) or words.sentence(clause.label.replace("-", " ")).rstrip(".")

    def _number(self, clause: ExplainedClause) -> str:
        return self.numbers.get(clause.label, "")


def figures_line(text: str) -> DocumentLine:
    """Return a line of figures of an answer."""
    return _line(DocumentRole.FIGURES, text)


def plain_block(text: str, remarks: Iterable[str] = (), lines: Sequence[DocumentLine] = ()) -> DocumentBlock:
    """Return the block of an answer that no rule of the book decides."""
    remark_lines = (_line(DocumentRole.REMARK, each) for each in remarks)
    return DocumentBlock(BlockRole.ANSWER, ("answer", ""), title=text, lines=(*remark_lines, *lines))


def _answer_sentence(explanation: Explanation) -> str:
    """Return the answer in one sentence, which opens with Yes or No where it is one."""
    opening = ""
    if isinstance(explanation.value, bool):
        opening = "Yes. " if explanation.value else "No. "
    return f"{opening}{words.sentence(explanation.sentence)}"


def witnesses_text(explanation: Explanation) -> str:
    """Return the pieces and places that make a condition true, or because of which a verdict is no."""
    deciding_rules = (each for each in explanation.applied_rules() if each.conclusion == explanation.answer)
    found = dict.fromkeys(each.witnesses for each in deciding_rules if each.witnesses)
    opening = ", because of" if explanation.value is False else ":"
    return f"{opening} {'; '.join(found)}" if found else ""


def missed_exceptions(explanation: Explanation, clause: ExplainedClause) -> Iterator[ExplainedClause]:
    """Yield the exceptions to a prohibition that do not hold here."""
    if explanation.form == "verdict" and explanation.value is False:
        for exception in explanation.clauses:
            if exception.status == FAILED and clause.label in exception.defeats:
                yield exception


def _deciding_rules(explanation: Explanation) -> list[ExplainedClause]:
    """Return the applied rules that conclude the answer; those that lift the contrary, if none does or it is a yes."""
    applied = [each for each in explanation.applied_rules() if each.conclusion not in NOTHING.values()]
    if explanation.form not in ("verdict", "condition"):
        return applied
    concluding = [each for each in applied if each.conclusion == explanation.answer]
    lifting = [each for each in applied if not each.conclusion]
    return [*concluding, *lifting] if explanation.value or not concluding else concluding


def _rule_ranks(explanation: Explanation) -> dict[str, bool]:
    """Return the rules that were looked at for an answer, and whether some condition of each holds."""
    ranks = dict[str, bool]()
    for clause in explanation.clauses:
        is_near = clause.status != FAILED or len(clause.reasons) > 1
        ranks[clause.label] = ranks.get(clause.label, False) or is_near
    for below in explanation.called_questions():
        ranks = _rule_ranks(below) | ranks
    return ranks


def _inapplicable_behind(explanation: Explanation, whole: Explanation | None) -> list[ExplainedClause]:
    """Return the rules that do not apply to the questions behind the rules that decide, each once."""
    found: dict[str, ExplainedClause] = {}
    questions = [below for clause in _deciding_rules(whole) for below in clause.explanations] if whole else []
    for question in questions:
        for clause in question.clauses:
            if clause.status == FAILED:
                found.setdefault(clause.label, clause)
        questions += question.called_questions()
    for clause in explanation.clauses:
        found.pop(clause.label, None)
    return [*found.values()]


def _missed_rules(explanation: Explanation) -> list[ExplainedClause]:
    """Return the rules that would allow what no rule allows, without those that only lift prohibitions."""
    texts = {"verdict": VERDICT, "condition": YES_NO}.get(explanation.form)
    if texts is None or explanation.value is not False:
        return []
    if texts[True] in {clause.conclusion for clause in explanation.clauses}:
        return []
    if any(clause.conclusion == explanation.answer for clause in explanation.applied_rules()):
        return []
    return [clause for clause in explanation.clauses if clause.would_reverse and not clause.defeats]


def _cell_lines(clause: ExplainedClause, explanation: Explanation) -> Iterator[DocumentLine]:
    """Yield the cells that the value of a rule is read from; those of conditions are stated by these."""
    for cell in clause.cells if not isinstance(explanation.value, bool) else ():
        yield DocumentLine(
            DocumentRole.FIGURES,
            (DocumentSpan(words.sentence(f"{cell.title}: {cell.text}")), _source("", cell.cites)),
        )  # fmt: skip


def _line(role: DocumentRole, text: str) -> DocumentLine:
    return DocumentLine(role, (DocumentSpan(text),))


def _source(label: str, cites: tuple[str, ...], provenance: str = "") -> DocumentSpan:
    """Return the label of a rule and what it cites, in brackets after a space; without either, nothing."""
    parts = ": ".join(filter(None, (label, ", ".join(printed_cites(cites)))))
    return DocumentSpan(f" [{'; '.join(filter(None, (parts, provenance)))}]" if parts else "")
