"""The sentence of the problem that a layer cannot be excluded."""

from compiler.layered.problems import LeavesOffNothing
from compiler.report.diagnostic import Label
from compiler.report.sentence import Sentence, list_words


def why_required(problem: LeavesOffNothing) -> Sentence:
    """Explain why a layer cannot be excluded."""
    name, needed = problem.name, problem.dependents
    others = tuple(each for each in problem.companions if each != name)
    reason, note = "it does not come along with this stack", "left off here"
    help_ = (
        f"what comes along and can be left off is {list_words(others, 'and', 12)}"
        if others
        else "no layer of this stack brings another along"
    )
    if problem.is_loaded and needed:
        reason = f"{list_words(needed, 'and')} {'stand' if len(needed) > 1 else 'stands'} on it"
        help_ = f"leave {'them' if len(needed) > 1 else 'that'} out as well, or leave `{name}` in"
    elif problem.parties:
        reason = f"it is loaded with {list_words(problem.parties, 'and')}, which would not fit together without it"
        help_ = "leave one of these out"
    elif problem.is_loaded:
        reason, note = "the stack asks for it as well", "both in the name of this stack"
        help_ = f"leave out `{name}`, or `{name}=off`"
    return Sentence(
        f"`{name}` cannot be left off: {reason}", (Label(problem.span, note),), help_, root=f"left off {name}"
    )
