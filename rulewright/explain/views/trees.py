"""The rules of one term as a forest, in which a rule that defeats another is its child."""

from compiler.analysis.expression_text import ExpressionWriter
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.records.asking import BranchRecord, QuestionRowRecord, QuestionTreeRecord
from runtime.graph.stages import stages_of
from runtime.graph.type_names import type_name
from runtime.graph.verbs import answer_word


def list_questions(rules: graph.Graph, word: str, *, by_rules: bool = False) -> list[QuestionRowRecord]:
    """Return all questions, or those whose name or sentence has words that begin with the words of `word`.

    With `by_rules`, also match the prose and the cases of their rules.
    """
    prefixes = word.lower().replace("_", " ").split()
    return [
        {"term": name, "signature": _question_signature(term), "reads": term.reads}
        for name, term in sorted(rules.terms.items())
        if term.form != "flag"
        and "." not in name
        and any(
            _speaks_of(text, prefixes)
            for text in (_prose(rules, term) if by_rules else [f"{term.name} {term.reads} {term.denied}"])
        )
    ]


def _prose(rules: graph.Graph, term: graph.Term) -> list[str]:
    answering = rules_of_term(rules, term)
    return [f"{rule.prose} {rule.case.replace('-', ' ')}" for rule in answering]


def _speaks_of(text: str, prefixes: list[str]) -> bool:
    """Return whether every word is a prefix of a word of a text."""
    words = text.lower().replace("_", " ").split()
    return all(any(word.startswith(prefix) for word in words) for prefix in prefixes)


def _question_signature(term: graph.Term) -> str:
    """Format the signature of a question."""
    return f"{term.name}({', '.join(f'{p.name}: {type_name(p.type)}' for p in term.parameters)})"


def term_tree(rules: graph.Graph, name: str) -> QuestionTreeRecord:
    """Return the forest of a term as data; a rule that defeats several is a child of each."""
    term = rules.terms[name]
    writer = ExpressionWriter(rules.vocabulary)
    loaded = rules_of_term(rules, term)
    labels = {rule.label for rule in loaded}
    roots = [rule for rule in loaded if not labels.intersection(rule.defeats)]
    if term.otherwise is not None:
        default = writer.text(term.otherwise)
    else:
        default = "" if term.default is None else answer_word(term.form, answer=term.default)
    return {
        "term": name,
        "form": term.form,
        "signature": _question_signature(term),
        "reads": term.reads,
        "default": default,
        "rules": [_branch(rule, loaded, writer) for rule in reversed(roots)],
        "stages": [term_tree(rules, each) for each in stages_of(rules, name)],
    }


def _branch(rule: graph.Rule, loaded: tuple[graph.Rule, ...], writer: ExpressionWriter) -> BranchRecord:
    """Return a rule as data, with those that defeat it as children."""
    return {
        "rule": rule.label,
        "says": writer.conclusion_text(rule),
        "when": "" if rule.guard is None else writer.text(rule.guard),
        "layer": rule.origin.layer,
        "cites": list(rule.cites),
        "prose": rule.prose,
        "exceptions": [_branch(other, loaded, writer) for other in reversed(loaded) if rule.label in other.defeats],
    }
