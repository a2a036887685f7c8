"""The rules of one term as a forest: whoever defeats a rule hangs under it."""

from typing import Any

from compiler.analysis.words import Writer, type_name
from runtime.graph import nodes as graph


def term_tree(rules: graph.Graph, name: str) -> dict[str, Any]:
    """Shape a term and its rules for printing; a rule that defeats several hangs under each."""
    term = rules.terms[name]
    writer = Writer(rules.vocabulary)
    loaded = [rules.rules[label] for label in term.rules]
    here = {rule.label for rule in loaded}
    roots = [rule for rule in loaded if not here.intersection(rule.defeats)]
    parameters = ", ".join(f"{parameter.name}: {type_name(parameter.type)}" for parameter in term.parameters)
    if term.otherwise is not None:
        default = writer.text(term.otherwise)
    else:
        default = "" if term.default is None else DEFAULTS[term.form, term.default]
    return {
        "term": name,
        "form": term.form,
        "signature": f"{name}({parameters})",
        "reads": term.reads,
        "default": default,
        "rules": [_branch(rule, loaded, writer) for rule in reversed(roots)],
    }


DEFAULTS = {
    ("verdict", True): "allowed",
    ("verdict", False): "forbidden",
    ("condition", True): "yes",
    ("condition", False): "no",
    ("flag", True): "yes",
    ("flag", False): "no",
}


def _branch(rule: graph.Rule, loaded: list[graph.Rule], writer: Writer) -> dict[str, Any]:
    """Shape a rule and, under it, those that defeat it."""
    return {
        "rule": rule.label,
        "says": writer.conclusion(rule),
        "when": "" if rule.guard is None else writer.text(rule.guard),
        "layer": rule.origin.layer,
        "cites": list(rule.cites),
        "prose": rule.prose,
        "exceptions": [_branch(other, loaded, writer) for other in reversed(loaded) if rule.label in other.defeats],
    }
