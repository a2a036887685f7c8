"""Steps that a precondition governs, in a procedure that does not test what the precondition requires."""

from collections.abc import Callable, Iterator

from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.laws import Laws
from compiler.analysis.missing_questions import RequiredQuestion, questions_of_stack
from compiler.analysis.parties import Party, StepPlace, party_label, procedure_party
from compiler.analysis.readers_and_setters import step_at
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import MOST_NAMES, Sentence, list_words
from runtime.graph import nodes as graph
from runtime.graph.free_names import variables_in

# Questions longer than this are identified by their term, not written out.
_LONGEST_WRITTEN_QUESTION = 60


@finding("R0564", "unguarded-step", WARNING)
class UnguardedStep(Finding):
    """A step is governed by a precondition, and no step on its access path tests its question, `term`.

    `required_question` is the question that the step requires answered yes; `other_guards` has the guards about the
    same term on the path, all with other arguments. `others` are procedures whose steps it governs as well, and that do
    test it.
    """

    procedure: Party
    step: StepPlace
    precondition: Party
    term: str
    required_question: str
    other_guards: tuple[str, ...]
    others: tuple[Party, ...]

    def sentence(self) -> Sentence:
        party, governing, term, others = self.procedure, self.precondition, self.term, self.others
        asking = list_words(tuple(each.label for each in others), "and", MOST_NAMES)
        procedure_name = party.label.replace("hook ", "after ", 1)
        question = self.required_question if len(self.required_question) <= _LONGEST_WRITTEN_QUESTION else f"{term}(..)"
        instead = tuple(each if len(each) <= _LONGEST_WRITTEN_QUESTION else f"{term}(..)" for each in self.other_guards)
        if instead:
            message = (
                f"`{party.label}` does this after asking {list_words(instead, 'and', MOST_NAMES)}, not `{question}`"
            )
        else:
            message = f"`{party.label}` does this without asking `{question}` first"
        asks = f"{asking} ask{'s' if len(others) == 1 else ''} it first" if others else "may be forbidden"
        return Sentence(
            message,
            (party_label(party, asks), party_label(governing, "requires it")),
            f"write `legal {question}` or an `if` before it, or `but not in {procedure_name}` after the precondition",
            root=f"{party.label} {governing.label} {term}",
        )


def unguarded_step(laws: Laws) -> Iterator[UnguardedStep]:
    """Find such steps, one for each procedure, precondition and term."""
    stack = laws.stack
    questions = tuple(questions_of_stack(laws)) if stack.preconditions else ()
    text = ExpressionWriter(stack.vocabulary).text
    declared = {each.label: each for each in stack.preconditions}
    found = {each[:3]: each for each in reversed(questions) if not each.is_established}
    for key, label, term in reversed(found):
        governing = declared[label]
        question = found[key, label, term]
        askers = [asker for asker in _askers(questions, label, term) if asker != key]
        yield UnguardedStep(
            *step_at(stack.procedures[key], question.step),
            Party(f"precondition {label}", governing.prose, governing.cites, governing.origin),
            term,
            text(question.needed),
            tuple(dict.fromkeys(_question_text(each.question, text) for each in question.others)),
            tuple(procedure_party(stack.procedures[asker]) for asker in askers),
        )


def _askers(questions: tuple[RequiredQuestion, ...], label: str, term: str) -> list[str]:
    """List the procedures that test the question of a precondition before its steps."""
    established = (each for each in questions if each.is_established)
    return list(dict.fromkeys(each.key for each in established if (each.label, each.term) == (label, term)))


def _question_text(question: graph.Ask, text: Callable[[graph.Expr], str]) -> str:
    """Format a question; one about members of a set, which has no name for them, without its arguments."""
    has_members = any(name.startswith("#") for name in variables_in(question))
    return f"{question.term}(..)" if has_members else text(question)
