"""Messages for patches of missing targets, and for additions of existing ones.

In: a problem of the layered stage. Out: its sentence.
"""

from compiler.layered.problems import DuplicateTable, UnknownCell
from compiler.report.diagnostic import Label
from compiler.report.sentence import Sentence, choice_text
from compiler.source.suggestions import nearest_names


def missing_cell(problem: UnknownCell) -> Sentence:
    """State that the target of a patch, or of an example, does not exist."""
    name, category, patched = problem.name, problem.category, problem.patched
    if problem.counters:
        labels = (Label(problem.span, "its counters are patched otherwise"),)
        advice = (
            f"write `extend kind {name} has NAME: 0..9 = 5` in a .rules file, and `add factors: {{NAME: "
            "{COUNTER: 7}}` here"
        )
        return Sentence(f"`{name}` is a kind of piece, and no table", labels, advice, root=f"table {name}")
    message = f"there is no {category} `{name}`{' to patch' if patched else ''}"
    labels = (Label(problem.span, "patched here" if patched else "this example is on it"),)
    advice = choice_text(nearest_names(name, problem.candidates), problem.candidates, f"the {category}s are")
    return Sentence(message, labels, advice, root=f"{category} {name}", names=(name,))


def taken_name(problem: DuplicateTable) -> Sentence:
    """State that a table, a counter, a row, a column or a value already exists."""
    match problem:
        case DuplicateTable(span, first, "value", name, value):
            counter, _, column = name.rpartition(".")
            labels = (Label(span, "again here"), Label(first, f"`{value}` stands here"))
            advice = f"change it: `set: [{{id: {counter}, column: {column}, expect: {value}, now: ..}}]`"
            return Sentence(f"`{name}` is given a value already", labels, advice, root=f"value {name}")
        case DuplicateTable(span, first, category, name, table) if table:
            message = f"`{table}` has a {category} `{name}` already"
            labels = (Label(span, "added here"), Label(first, "is there"))
            advice = "change its cells one by one, `set: [{.., expect: .., now: ..}]`"
            return Sentence(message, labels, advice, root=f"{category} of {table} {name}")
        case DuplicateTable(span, first, category, name):
            labels = (Label(span, "again here"), Label(first, "first here"))
            advice = "choose another name, or patch the first one by key"
            return Sentence(f"there are two {category}s named `{name}`", labels, advice, root=f"{category} {name}")
