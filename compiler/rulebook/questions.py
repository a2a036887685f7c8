"""The questions that the rules decide, section by section, each with the place of its answer.

The input is the contents; the output is questions by the sections whose rules answer them: those of terms with rules in
the text, of rulings and of disputes.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator

from compiler.rulebook.book_order import printed_order
from compiler.rulebook.contents import Contents
from compiler.rulebook.index.mentions import BookKey
from compiler.source.numbering import register_key
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class PrintedQuestion:
    """A question, where it is answered, and the answer if it is short enough to be printed beside it.

    `number` is that of the ruling that answers it, or of the first rule that does: rules that qualify it follow.
    """

    asks: str
    thing: BookKey
    number: str
    answer: str = ""


def gather_questions(contents: Contents) -> tuple[tuple[str, tuple[PrintedQuestion, ...]], ...]:
    """Return the questions by the label of their section, "" where no section answers, in the order of the book."""
    found: dict[str, list[PrintedQuestion]] = defaultdict(list)
    for label, question in _questions(contents):
        found[label].append(question)
    order = (*(section.label for section in contents.outline), "")
    return tuple((label, tuple(sorted(found[label], key=_rank))) for label in order if label in found)


def _rank(question: PrintedQuestion) -> tuple[object, ...]:
    """Return the sort key of a question: the order of its rules in the book.

    A ruling follows the question that it is about.
    """
    return (not question.number, register_key(question.number), question.thing[0] != "term", question.asks)


def _questions(contents: Contents) -> Iterator[tuple[str, PrintedQuestion]]:
    """Return each question with the section that answers it."""
    book, numbers = contents.book, contents.numbers
    sections = {key: section.label for section in contents.outline for key in printed_order((section,))}
    for decision in contents.decisions:
        thing = ("term", decision.name)
        stages = (decision.name, *(stage.name for stage in decision.stages))
        rules = [("rule", label) for name in stages for label in book.terms[name].rules]
        votes = Counter(sections[rule] for rule in rules if rule in sections)
        if votes and decision.name not in contents.advising:
            [(section, _)] = votes.most_common(1)
            rule_numbers = (numbers.get(rule, "") for rule in rules if sections.get(rule) == section)
            first = min(filter(None, rule_numbers), key=register_key, default="")
            yield section, PrintedQuestion(contents.titles[thing], thing, first)
    for label, ruling in book.rulings.items():
        thing = ("ruling", label)
        yield sections.get(thing, ""), PrintedQuestion(ruling.asks, thing, numbers.get(thing, ""), ruling.answers)
    for label, dispute in book.disputes.items():
        rules = [("rule", rule) for reading in dispute.readings for rule in reading.rules]
        home = next((rule for rule in rules if rule in sections), ("rule", ""))
        question = PrintedQuestion(dispute.question, ("dispute", label), numbers.get(home, ""))
        yield sections.get(home, ""), question
