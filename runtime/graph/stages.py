"""The stages of a question: each is the default of the next.

In: a graph, and the name of a question or a stage. Out: its stages; the previous stage, or the previous ones that
another graph does not have.
"""

from runtime.graph import nodes as graph


def stage_before(rules: graph.Graph, name: str) -> str:
    """Return the stage that is the default of a stage; "" for the first one, and for other questions."""
    term = rules.terms.get(name)
    question, dot, _ = name.rpartition(".")
    if term is None or not dot or not isinstance(term.otherwise, graph.Ask):
        return ""
    return term.otherwise.term if term.otherwise.term.startswith(f"{question}.") else ""


def stages_of(rules: graph.Graph, name: str) -> list[str]:
    """Return the stages of a question, the first one first."""
    if rules.terms[name].form == "flag":
        return []  # The flags of an owner share its name and are not stages.
    stages = sorted(other for other in rules.terms if other.rpartition(".")[0] == name)
    ordered: list[str] = []
    for _ in stages:
        ordered += [stage for stage in stages if stage not in ordered and stage_before(rules, stage) in ("", *ordered)]
    return ordered


def stages_put_before(rules: graph.Graph, other: graph.Graph, name: str) -> list[str]:
    """Return the stages directly before one that only the first graph has, the nearest first."""
    found: list[str] = []
    stage = stage_before(rules, name)
    while stage and stage not in other.terms:
        found.append(stage)
        stage = stage_before(rules, stage)
    return found
