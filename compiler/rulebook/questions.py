"""The questions that rules decide, in the form of a reader's question: may I, what does it cost, what happens when.

The input is the contents; the output is groups of questions, each split by the sections whose rules answer them.
Questions are those of terms with rules in the text, of rulings and of disputes, and of what happens automatically in
play. The first words of a question determine its group; they are English.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from compiler.rulebook.contents import Contents
from compiler.rulebook.headings import RuleEntry, entries_of
from compiler.rulebook.index.mentions import BookKey
from compiler.source.numbering import register_key


@dataclass(frozen=True, slots=True)
class PrintedQuestion:
    """A question, where it is answered, and the answer if it is short enough to be printed beside it.

    `number` is that of the ruling that answers it, or of the first rule that does: rules that qualify it follow.
    """

    asks: str
    thing: BookKey
    number: str
    answer: str = ""


@dataclass(frozen=True, slots=True)
class QuestionGroup:
    """Questions of one sort, by section: the label of its case, "" where no section answers."""

    title: str
    anchor: str
    sections: tuple[tuple[str, tuple[PrintedQuestion, ...]], ...]


COST = re.compile(r"\b(pays?|costs?|prices?|spen[dt]s?|points)\b", re.IGNORECASE)
AMOUNT = re.compile(r"^(How (many|much|far|often|long|strong)|The (number|strength|odds|range|column|defense)\b)")
# The first words of a question, and its sort; the first match counts.
SORTS = (
    ("May I ..?", re.compile(r"^(May|Can|Could)\b")),
    ("Must I ..?", re.compile(r"^(Must|Need|Do\b.*\bhave to)\b")),
    ("What does it cost?", COST),
    ("How many, how far, how strong?", AMOUNT),
    ("What happens when ..?", re.compile(r"^(What|And|When a|If)\b")),
    ("When, and for how long?", re.compile(r"^When\b")),
    ("Who, which and where?", re.compile(r"^(Who|Whose|Which|Where|The|A)\b")),
    ("Is it so?", re.compile("")),
)
WHETHER = re.compile(r"^Whether (?P<who>.+?) (?P<verb>may|can|must|is|are|was|has|does) (?P<what>.+)$")

DOES = re.compile(r"^Whether (?P<who>(?:the|a|an) \w+) (?P<verb>[a-z]{2,}[^s]s) (?P<what>.+)$")


def gather_questions(contents: Contents) -> tuple[QuestionGroup, ...]:
    """Group all questions."""
    order = [section.label for section in contents.outline]
    found: dict[str, dict[str, list[PrintedQuestion]]] = {title: {} for title, _ in SORTS}
    for section, question in _questions(contents):
        title = next(title for title, begins in SORTS if begins.search(question.asks))
        found[title].setdefault(section, []).append(question)
    groups = []
    for number, (title, sections) in enumerate(found.items(), 1):
        ranked = sorted(sections, key=lambda label: order.index(label) if label in order else len(order))
        parts = tuple((label, tuple(sorted(sections[label], key=_rank))) for label in ranked)
        groups += [QuestionGroup(title, f"asked-{number}", parts)] if parts else []
    return tuple(groups)


def _rank(question: PrintedQuestion) -> tuple[object, ...]:
    """Return the sort key of a question: the order of its rules in the book.

    A ruling follows the question that it is about.
    """
    return (not question.number, register_key(question.number), question.thing[0] != "term", question.asks)


def _questions(contents: Contents) -> Iterator[tuple[str, PrintedQuestion]]:
    """Return each question with the section that answers it."""
    book = contents.book
    sections: dict[BookKey, str] = {}
    for section in contents.outline:
        for entry in entries_of(section):
            key = ("rule", entry.label) if isinstance(entry, RuleEntry) else ("ruling", entry.ruling)
            sections[key] = section.label
    for decision in contents.decisions:
        stages = (decision.name, *(stage.name for stage in decision.stages))
        rules = [("rule", label) for name in stages for label in book.terms[name].rules]
        rule_sections = [sections[rule] for rule in rules if rule in sections]
        if rule_sections and decision.name not in contents.advising:
            most = max(rule_sections, key=lambda label: (rule_sections.count(label), -rule_sections.index(label)))
            numbers = (contents.numbers.get(rule, "") for rule in rules if sections.get(rule) == most)
            first = min(filter(None, numbers), key=register_key, default="")
            yield (
                most,
                PrintedQuestion(
                    direct_question(contents.titles["term", decision.name]), ("term", decision.name), first
                ),
            )
    for label, ruling in book.rulings.items():
        number = contents.numbers.get(("ruling", label), "")
        yield (
            sections.get(("ruling", label), ""),
            PrintedQuestion(ruling.asks, ("ruling", label), number, ruling.answers),
        )
    for label, dispute in book.disputes.items():
        rules = [("rule", rule) for reading in dispute.readings for rule in reading.rules]
        home_rule = next((rule for rule in rules if rule in sections), ("rule", ""))
        yield (
            sections.get(home_rule, ""),
            PrintedQuestion(dispute.question, ("dispute", label), contents.numbers.get(home_rule, "")),
        )


def direct_question(sentence: str) -> str:
    """Convert "Whether the unit may move" to "May the unit move?"; other texts are unchanged."""
    if found := WHETHER.match(sentence):
        verb = found["verb"]
        return f"{verb[:1].upper()}{verb[1:]} {found['who']} {found['what']}?"
    if found := DOES.match(sentence):
        return f"Does {found['who']} {infinitive(found['verb'])} {found['what']}?"
    return sentence


def infinitive(verb: str) -> str:
    """Remove the ending of the third person from a verb: holds, reaches, carries."""
    if verb.endswith(("ches", "shes", "sses", "xes", "oes")):
        return verb[:-2]
    return f"{verb[:-3]}y" if verb.endswith("ies") and len(verb) > len("lies") else verb[:-1]
