"""The stages of a question: which one answers where no rule of another speaks.

In: a graph, and the name of a stage. Out: the stage before it, or those before it that another graph does not have.
"""

from runtime.graph import nodes as graph


def stage_before(rules: graph.Graph, name: str) -> str:
    """Name the stage that answers where no rule of a stage speaks; "" for the first one, and for other questions."""
    term = rules.terms.get(name)
    question, dot, _ = name.rpartition(".")
    if term is None or not dot or not isinstance(term.otherwise, graph.Ask):
        return ""
    return term.otherwise.term if term.otherwise.term.startswith(f"{question}.") else ""


def stages_put_before(mine: graph.Graph, other: graph.Graph, name: str) -> list[str]:
    """List the stages right before one that only the first graph has, the nearest first."""
    found: list[str] = []
    here = stage_before(mine, name)
    while here and here not in other.terms:
        found.append(here)
        here = stage_before(mine, here)
    return found
