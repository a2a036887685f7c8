"""What is said of a paragraph of which one part changed since a revision, and the other did not."""

from compiler.report.answers import ChangedAlone
from compiler.report.diagnostic import Label
from compiler.report.sentence import Sentence, label


def changed_alone(problem: ChangedAlone) -> Sentence:
    """Say what differs, and what is as it was."""
    name, was, now, rev = problem.label, problem.was, problem.now, problem.revision
    where: tuple[Label, ...] = (label(problem.at, f"`{now}`, was `{was}`"),)
    if problem.at.line != problem.span.line:
        where = (*where, label(problem.span, f"`{name}`"))
    match problem.what:
        case "sentence":
            return Sentence(
                f"the sentence of `{name}` says `{now}`, and said `{was}` at {rev}; its rules are as they were",
                where,
                "change the rules with the sentence, or take the sentence back; if it was wrong before, commit it",
            )
        case "law":
            return Sentence(
                f"the law of `{name}` has `{now}`, and had `{was}` at {rev}; its sentence is as it was",
                where,
                f"see whether it still says so: {problem.said}",
            )
        case _:
            return Sentence(
                f"`{name}` cites {now}, and cited {was} at {rev}; its sentence and its rules are as they were",
                where,
                "look the item up; if the citation was wrong before, commit it",
            )
