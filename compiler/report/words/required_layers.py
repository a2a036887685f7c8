"""The sentence of the problem that a layer cannot be excluded."""

from compiler.layered.problems import LeavesOffNothing
from compiler.report.sentence import Sentence, list_words, span_label


def why_required(problem: LeavesOffNothing) -> Sentence:
    """Explain why a layer cannot be excluded."""
    name, needed = problem.name, problem.needed
    others = tuple(each for each in problem.along if each != name)
    why, where = "it does not come along with this stack", "left off here"
    help_ = (
        f"what comes along and can be left off is {list_words(others, 'and', 12)}"
        if others
        else "no layer of this stack brings another along"
    )
    if problem.loaded and needed:
        why = f"{list_words(needed, 'and')} {'stand' if len(needed) > 1 else 'stands'} on it"
        help_ = f"leave {'them' if len(needed) > 1 else 'that'} out as well, or leave `{name}` in"
    elif problem.loaded:
        why, where = "the stack asks for it as well", "both in the name of this stack"
        help_ = f"leave out `{name}`, or `{name}=off`"
    return Sentence(
        f"`{name}` cannot be left off: {why}", (span_label(problem.span, where),), help_, root=f"left off {name}"
    )
