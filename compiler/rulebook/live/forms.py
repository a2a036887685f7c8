"""Find the charts that can be evaluated on the page: questions of numbers and words alone, without a position.

The input is a graph; the output is for each chart, by name, a question that reads it; where the chart has columns of a
scale, also the question that determines a column from numbers, as odds from two strengths.
"""

from collections.abc import Iterator

from compiler.core.questions import QuestionExpression
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.walk import nodes_of

SIMPLE = (graph.Number, graph.Enum, graph.Scale, graph.YesNo)
LARGEST_RATIO_NUMBER = 999  # Of the numbers of a ratio.
MOST_DIE_NUMBERS = 12  # Numbers that a die of a chart may show.


@frozen_dataclass
class _ChartForm:
    """A question that reads a chart.

    `column` and `die` are indices of its parameters, -1 for none; `finder` finds a column.
    """

    table: str
    reader: str
    column: int
    die: int
    finder: str


def chart_forms(rules: graph.Graph) -> tuple[_ChartForm, ...]:
    """Return the forms, one for each question that reads a chart and has only numbers and words as parameters."""
    return tuple(_forms(rules))


def form_question(rules: graph.Graph, term: str) -> QuestionExpression:
    """Build the question of a form; a ratio is entered as two numbers, because the page accepts whole ones."""
    parameters = rules.terms[term].parameters
    if [parameter.type for parameter in parameters] == [graph.Number(None, None, "")]:
        ratio = parameters[0].name
        parts = tuple(
            graph.Parameter(name, graph.Number(low, LARGEST_RATIO_NUMBER, ""))
            for name, low in ((f"{ratio}_of", 0), ("to", 1))
        )
        return QuestionExpression(
            parts, graph.Ask(term, (graph.Op("/", tuple(graph.Var(part.name) for part in parts)),))
        )
    return QuestionExpression(parameters, graph.Ask(term, tuple(graph.Var(parameter.name) for parameter in parameters)))


def form_questions(rules: graph.Graph) -> list[tuple[QuestionExpression, graph.Type]]:
    """Return the questions of all forms, each with the type of its answers."""
    terms = dict.fromkeys(term for form in chart_forms(rules) for term in (form.finder, form.reader) if term)
    return [(form_question(rules, term), rules.terms[term].type) for term in terms]


def _forms(rules: graph.Graph) -> Iterator[_ChartForm]:
    for table in rules.tables.values():
        for term in rules.terms.values():
            types = [part.type for part in term.parameters]
            if not types or not _is_simple(term) or not _reads(rules, term, table.name):
                continue
            scales = [index for index, type_ in enumerate(types) if isinstance(type_, graph.Scale)]
            scale = types[scales[0]] if len(scales) == 1 else None
            dice = [index for index, type_ in enumerate(types) if _is_die(type_)]
            yield _ChartForm(
                table.name, term.name, scales[0] if scale else -1, dice[0] if dice else -1, _finder(rules, scale)
            )


def _is_simple(term: graph.Term) -> bool:
    """Return whether the arguments of a question can be entered and its answer shown without a map."""
    return term.form not in ("flag", "set") and all(
        isinstance(type_, SIMPLE) for type_ in (term.type, *(part.type for part in term.parameters))
    )


def _is_die(type_: graph.Type) -> bool:
    match type_:
        case graph.Number(int(low), int(high)):
            return 0 < high - low < MOST_DIE_NUMBERS
        case _:
            return False


def _reads(rules: graph.Graph, term: graph.Term, table: str) -> bool:
    cells = (node for label in term.rules for node in nodes_of(graph.Cell, rules.rules[label]))
    return any(cell.table == table for cell in cells)


def _finder(rules: graph.Graph, scale: graph.Type | None) -> str:
    """Return the question that maps numbers to a place of a scale; the one of most numbers, if there are several."""
    found = [
        term
        for term in rules.terms.values()
        if scale is not None and term.type == scale and term.parameters and _is_simple(term)
        and all(isinstance(part.type, graph.Number) for part in term.parameters)
    ]  # fmt: skip
    return max(found, key=lambda term: len(term.parameters)).name if found else ""
