"""Questions of an example as the heads of columns, and what tells questions of equal words apart."""

from collections import Counter
from collections.abc import Iterable
from itertools import takewhile

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.grouping import group_by
from runtime.graph.walk import nodes_of
from runtime.graph.wording import Wording

MANY_COLUMNS = 4  # the number of columns of questions from which a common prefix is printed once, above them


def common_beginning(questions: tuple[str, ...]) -> str:
    """Return the common prefix of many questions."""
    if len(questions) < MANY_COLUMNS:
        return ""
    parts = [question.split(" ")[:-1] for question in questions]
    same = [first for first, *_ in takewhile(lambda words_: len({*words_}) == 1, zip(*parts, strict=False))]
    return f"{' '.join(same)} " if len(same) > 1 else ""


def distinct_questions(wording: Wording, example: graph.Example, checks: tuple[int, ...]) -> tuple[str, ...]:
    """Return the questions in a few words, for the heads of columns."""
    qualifiers = distinguishing_words(wording, example)
    lines = {index: line for index in checks if isinstance(line := example.lines[index], graph.Check)}
    phrases = {index: wording.phrase(line.question).removeprefix("whether ") for index, line in lines.items()}
    heads = [with_qualifiers(phrase, qualifiers.get(index, ())) for index, phrase in phrases.items()]
    counts, seen = Counter(heads), Counter[str]()
    distinct = []
    for head in heads:  # What is asked again is asked after further actions.
        time = ("before", "after")[seen[head]] if counts[head] == 2 else f"time {seen[head] + 1}"
        distinct.append(f"{head}, {time}" if counts[head] > 1 else head)
        seen[head] += 1
    return tuple(distinct)


def distinguishing_words(wording: Wording, example: graph.Example) -> dict[int, tuple[str, ...]]:
    """Return what tells questions of equal words apart, by line: names, and values in the fields of new records."""
    lines = [(index, line.question) for index, line in enumerate(example.lines) if isinstance(line, graph.Check)]
    found = {}
    for phrase, places in group_by(lines, lambda each: wording.phrase(each[1])).items():
        questions = dict.fromkeys(question for _, question in places)
        if len(questions) < 2:
            continue
        for index, question in places:
            names = dict.fromkeys(node.name for node in nodes_of(graph.Var, question))
            parts = [text for name in names if (text := wording.variable(name)) not in phrase]
            parts += _record_differences(wording, question, questions)
            found[index] = tuple(dict.fromkeys(parts))
    return found


def with_qualifiers(text: str, qualifiers: tuple[str, ...]) -> str:
    """Return a question or a sentence with those words in parentheses that it does not contain."""
    missing = [qualifier for qualifier in qualifiers if qualifier not in text]
    body, stop = text.removesuffix("."), "." if text.endswith(".") else ""
    return f"{body} ({words.list_text(missing)}){stop}" if missing else text


def _record_differences(wording: Wording, question: graph.Expr, others: Iterable[graph.Expr]) -> list[str]:
    """Return the values of the fields of new records in which a question differs from others."""
    own_records, *other_records = (list(nodes_of(graph.New, one)) for one in (question, *others))
    differing: list[str] = []
    for index, record in enumerate(own_records):
        counterparts = [dict(records[index].fields) for records in other_records if len(records) > index]
        differing += [
            wording.phrase(value)
            for name, value in record.fields
            if any(counterpart.get(name) != value for counterpart in counterparts)
        ]
    return differing
