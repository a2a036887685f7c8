"""Sentences of findings about changes since a revision: of one part of a paragraph, or without an example."""

from compiler.report.answers import ChangedAlone, ChangeUnnoticed
from compiler.report.diagnostic import Label
from compiler.report.sentence import Sentence, span_label

ACCEPT = "`check STACK --accept`"


def revision_sentence(problem: ChangedAlone | ChangeUnnoticed) -> Sentence:
    """Return the sentence for a change without a counterpart or without an example."""
    if isinstance(problem, ChangedAlone):
        return _changed_alone(problem)
    was, now, rev = problem.was, problem.now, problem.revision
    if not rev:
        became = "has changed" if now else "is gone from here"
        return Sentence(
            f"`{now or was}` {became} since checksums were taken, and no example notices it",
            (span_label(problem.span, "changed" if now else "behind this"),),
            f"write an example that protects what it says, or take the change back; then {ACCEPT}",
        )
    if not was:
        said, what = f"`{now}` is new since {rev}, and no example notices it", "new"
    elif not now:
        said, what = f"`{was}`, which stood here at {rev}, is gone, and no example notices it", "behind this"
    else:
        said, what = f"`{now}` was `{was}` at {rev}, and no example notices it", f"was `{was}`"
    advice = "write an example that comes out otherwise with what was there before, or take the change back"
    return Sentence(said, (span_label(problem.span, what),), advice)


def _changed_alone(problem: ChangedAlone) -> Sentence:
    """Return the sentence for a changed part, with the unchanged one."""
    name, was, now, rev = problem.label, problem.was, problem.now, problem.revision
    if not rev:
        return _unaccepted(problem)
    where: tuple[Label, ...] = (span_label(problem.at, f"`{now}`, was `{was}`"),)
    if problem.at.line != problem.span.line:
        where = (*where, span_label(problem.span, f"`{name}`"))
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
                f"see whether it still says so: {problem.sentences}",
            )
        case "text":
            said = f"`{now}` was `{was}` at {rev}; nothing but readers sees it"
            return Sentence(said, where[:1], f"read it once more; if it is right so, {ACCEPT}")
        case _:
            return Sentence(
                f"`{name}` cites {now}, and cited {was} at {rev}; its sentence and its rules are as they were",
                where,
                "look the item up; if the citation was wrong before, commit it",
            )


def _unaccepted(problem: ChangedAlone) -> Sentence:
    """Return the sentence for the part of a paragraph that differs from its checksum."""
    name = problem.label
    where = (span_label(problem.span, f"`{name}`"),)
    match problem.what:
        case "sentence":
            said = f"the sentence of `{name}` has changed since its checksum was taken; its rules are as they were"
            return Sentence(said, where, f"change the rules with it, or take it back; if it is right so, {ACCEPT}")
        case "law":
            said = f"the law of `{name}` has changed since its checksum was taken; its sentence is as it was"
            return Sentence(said, where, f"see whether it still says so, then {ACCEPT}: {problem.now}")
        case "text":
            said = f"`{name}` has changed since its checksum was taken; nothing but readers sees it"
            return Sentence(said, where, f"read it once more; if it is right so, {ACCEPT}")
        case _:
            said = f"what `{name}` cites has changed since its checksum was taken; all else is as it was"
            return Sentence(said, where, f"see whether it is meant; then {ACCEPT}")
