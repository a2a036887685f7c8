"""Compile the module of a book, and encode the positions of its examples for it.

In: a graph and the outcomes of its examples. Out: a `LiveBook`; None if there is no question. The result is
cached until the rules or the examples change, since compiling takes seconds.
"""

from collections.abc import Iterable

from compiler.core import ir
from compiler.core.questions import ANSWER_PREFIX, QuestionExpression, lower_questions
from compiler.core.representation import RATIO, List, Set
from compiler.rulebook.evidence import ExampleOutcome
from compiler.rulebook.live.forms import form_questions
from compiler.rulebook.live.module import LiveBook, LiveCase, LivePattern, LiveQuestion
from compiler.wasm.module import write_module
from rulewright.book.live.cases import AskedCase, AskedQuestion, repeatable_case
from rulewright.library import cache
from runtime.engine.image import write_image
from runtime.engine.module import assemble
from runtime.engine.values import MemoryImage, NotRepresentableError
from runtime.graph import nodes as graph
from runtime.graph.layout import FIRST_ADDRESS, Layout
from runtime.state.setup import from_position

# The largest position of a page; the length of sets of hexes follows from the largest one.
MOST_HEXES, MOST_PIECES = 250, 60
# The types that can be entered and shown: all except records, crossings and cells.
SHOWN = (graph.YesNo, graph.Number, graph.Enum, graph.Scale, graph.Hex, graph.Hexside, graph.Piece)
LIVE = cache.CachePool(".live", 24)


def gather_live(rules: graph.Graph, played: Iterable[ExampleOutcome], stamp: bytes) -> LiveBook | None:
    """Return the live data from the cache, or compute it; `stamp` identifies the examples."""
    code = cache.compiler_stamp("runtime", "compiler", "rulewright/book/live")
    key = cache.cache_key(b"live", code, rules.hash.encode(), stamp)
    return cache.remember_result(
        key, lambda: _gathered(rules, [outcome.example for outcome in played if not outcome.stack]), pool=LIVE
    )


def _gathered(rules: graph.Graph, examples: list[graph.Example]) -> LiveBook | None:
    cases = {(example.origin, example.title): _repeatable_cases(rules, example) for example in examples}
    all_cases = [case for found in cases.values() for case in found]
    questions = list[AskedQuestion]()
    for case in all_cases:
        questions += [question for question in case.questions if _shown(question.answer)]
    typed_questions = [(question.question, question.answer) for question in questions]
    patterns = dict.fromkeys([*typed_questions, *form_questions(rules)])
    numbers = {question: number for number, (question, _) in enumerate(patterns)}
    states = [case.state for case in all_cases]
    pieces = max((len(state.sheets) for state in states), default=1)
    hexes = max((state.board.size for state in states), default=1)
    if not numbers:
        return None
    lowered, denominators = lower_questions(rules, {str(number): each for each, number in numbers.items()})
    # Optimization passes are omitted: the speed of questions is sufficient, and the module is smaller without them.
    text, layout = write_module(lowered, rules, frozenset(denominators.fractional), pieces, hexes)
    live_patterns = [
        LivePattern(question, type_, _has_ratios(lowered, number)) for number, (question, type_) in enumerate(patterns)
    ]
    written = {key: tuple(_cases(layout, found, numbers)) for key, found in cases.items()}
    blank = write_image(layout, from_position(rules, _nothing(rules)))
    return LiveBook(
        assemble(text), layout, tuple(live_patterns), {key: each for key, each in written.items() if each},
        _used_memory(layout, blank),
    )  # fmt: skip


def _repeatable_cases(rules: graph.Graph, example: graph.Example) -> list[AskedCase]:
    """Return the cases of an example that can be asked again, and whose position fits on a page."""
    cases = list[AskedCase]()
    for row in range(max(1, len(example.rows))):
        case = repeatable_case(rules, example, row)
        if case and case.state.board.size <= MOST_HEXES and len(case.state.sheets) <= MOST_PIECES:
            cases.append(case)
    return cases


def _has_ratios(lowered: ir.Module, number: int) -> bool:
    """Return whether the numbers in an answer are represented as ratios."""
    type_ = lowered[f"{ANSWER_PREFIX}{number}"].body.representation
    return RATIO in (type_, type_.element if isinstance(type_, Set | List) else None)


def _shown(type_: graph.Type) -> bool:
    return isinstance(type_.of if isinstance(type_, graph.Many) else type_, SHOWN)


def _cases(layout: Layout, found: list[AskedCase], numbers: dict[QuestionExpression, int]) -> Iterable[LiveCase]:
    """Yield the encoded positions of an example; one that the module's memory cannot represent is omitted."""
    for case in found:
        state = case.state
        questions = [question for question in case.questions if question.question in numbers]
        try:
            image = write_image(layout, state)
            lines = tuple(
                LiveQuestion(
                    question.line,
                    numbers[question.question],
                    tuple(
                        image.encode(value, part.type, "")
                        for value, part in zip(question.arguments, question.question.parameters, strict=True)
                    ),
                )
                for question in questions
            )
        except NotRepresentableError:
            continue
        if not lines:
            continue
        yield LiveCase(
            case.row,
            _used_memory(layout, image),
            tuple(image.enum_members[len(layout.enum_members) :]),
            tuple(state.board.names[: state.board.size]),
            tuple(sheet.name for sheet in state.sheets),
            tuple(state.kind),
            tuple(state.hex),
            lines,
        )


def _used_memory(layout: Layout, memory: MemoryImage) -> bytes:
    """Return the parts of a memory that a position uses: its arrays, and the heap after the constants."""
    return bytes(memory.bytes[FIRST_ADDRESS : layout.constants] + memory.bytes[layout.heap :])


def _nothing(rules: graph.Graph) -> graph.Position:
    """Build a position of one hex, for questions that do not depend on the map."""
    board = graph.Board("", {"A": (0, 0, ())}, (), (), {})
    return graph.Position("", rules.stack, board, (), (), (), (), (), 1, "", "")
