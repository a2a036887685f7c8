"""Examples that fail, with their likely causes."""

from collections.abc import Iterator

from compiler.analysis.parties import Party
from compiler.source.finding import Finding, finding
from compiler.source.sentence import MOST_NAMES, Label, Sentence, origin_label
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class LikelyCause:
    """A likely place of the fault that makes an example fail.

    `kind` is the kind of evidence. "printed": `change` is printed on a counter, where the example draws something else.
    "changed": it differs from a revision, and with the text of that, which is `change`, the example passes.
    "differing": it `change` since checksums were taken, as "has changed".
    """

    kind: str
    party: Party
    change: str = ""


@frozen_dataclass
class OtherFailure:
    """Another line of an example, or the same one in another case, with an unexpected result."""

    case: str
    expected: str
    actual: str
    origin: graph.Origin


@finding("R0556", "example-failed")
class ExampleFailed(Finding):
    """An example with an unexpected result; `case` is "case 2" or "", `explanation` the reason in paragraphs.

    `step` is the number of the failing line, with the number of lines, where only the example has a place.
    `other_failures` are further failures of the example. `moment` is the last moment that the example ended before, of
    which it plays nothing, "" if it ended none; `without_player`: with no player on move. `causes` are what history or
    a chart tells about the fault.
    """

    example: str
    case: str
    expected: str
    actual: str
    explanation: str
    origin: graph.Origin
    step: tuple[int, int] | None = None
    other_failures: tuple["OtherFailure", ...] = ()
    moment: str = ""
    without_player: bool = False
    causes: tuple["LikelyCause", ...] = ()

    def sentence(self) -> Sentence:
        which = f"the example `{self.example}`" + (f", {self.case}" if self.case else "")
        causes = (origin_label(each.party.origin, _cause(each)) for each in self.causes)
        spans = (origin_label(self.origin, f"but it is {self.actual}"), *causes, *_other_lines(self))
        advice = _other_cases(self) or _moment_phrase(self)
        return Sentence(f"{which} expects {self.expected}", spans, advice, explanation=self.explanation)


def _cause(cause: LikelyCause) -> str:
    """Explain why a place is a likely cause."""
    match cause.kind:
        case "printed":
            return f"`{cause.party.label}` has {cause.change} here"
        case "changed":
            return f"{cause.change} it comes out as expected"
        case _:
            return f"`{cause.party.label}` {cause.change} since checksums were taken"


def _moment_phrase(problem: ExampleFailed) -> str:
    """Return what the end of a moment does in an example that ended one before."""
    if not problem.moment:
        return ""
    whose = ", or name the acting side with `set game.player to ..`" if problem.without_player else ""
    moment = problem.moment
    return f"note that `end of {moment}` ends what lasts until then and runs its hooks, but no phase{whose}"


def _other_lines(problem: ExampleFailed) -> Iterator[Label]:
    """Return labels of the other lines that fail, each once."""
    origins = {problem.origin}
    for each in problem.other_failures:
        if each.origin not in origins and len(origins) < MOST_NAMES:
            origins.add(each.origin)
            case_phrase = f"in {each.case} " if each.case != problem.case else ""
            yield origin_label(each.origin, f"{case_phrase}it expects {each.expected}, but it is {each.actual}")


def _other_cases(problem: ExampleFailed) -> str:
    """Return the part of a sentence with the values of the other cases that fail in a line that is shown already."""
    shown_origins, cases = {problem.origin}, list[str]()
    for failure in problem.other_failures:
        if failure.origin in shown_origins:
            case_phrase = f"{failure.case} " if failure.case else ""
            cases.append(f"{case_phrase}expects {failure.expected}, but it is {failure.actual}")
        shown_origins.add(failure.origin)
    left = len(cases) - MOST_NAMES
    return "; ".join([*cases[:MOST_NAMES], *([f"{left} more cases fail"] if left > 0 else [])])
