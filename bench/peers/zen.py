"""zen-engine: two decision tables and an expression, from its static loader."""

from importlib import import_module
from itertools import pairwise
from typing import Any

from bench.by_hand import FIRST_HITS, RESULTS
from bench.peers.engine import FIELDS, Case, Engine

OPTIONS = {"trace": True}


def zen() -> Engine:
    """Load the decision graph."""
    loader = {"type": "static", "content": {"workload": document()}}
    engine: Any = import_module("zen").ZenEngine({"loader": loader})

    def answer(*case: Any) -> str:
        return str(engine.evaluate("workload", dict(zip(FIELDS, case, strict=True)))["result"]["result"])

    def traced(*case: Any) -> str:
        return str(engine.evaluate("workload", dict(zip(FIELDS, case, strict=True)), OPTIONS)["result"]["result"])

    def batch(cases: list[Case]) -> list[str]:
        questions = [{"key": "workload", "context": dict(zip(FIELDS, case, strict=True))} for case in cases]
        return [found["data"]["result"]["result"] for found in engine.evaluate_batch(questions)]

    return Engine("zen-engine", answer, traced, batch, share=10)


def document() -> dict[str, Any]:
    """Write the workload as a decision graph."""
    first = table(
        "modifiers", ("ground", "troop", "manner"), "modifier", [(*keys, value) for *keys, value in FIRST_HITS]
    )
    clamp = {"id": "md", "key": "md", "value": "max([0, min([9, die + modifier])])"}
    second = table("results", ("odds", "md"), "result", [(*keys, value) for keys, value in RESULTS.items()])
    expression = node("clamp", "expressionNode", {"expressions": [clamp], "passThrough": True})
    nodes = [node("in", "inputNode"), first, expression, second, node("out", "outputNode")]
    edges = [
        {"id": f"{one['id']}-{two['id']}", "type": "edge", "sourceId": one["id"], "targetId": two["id"]}
        for one, two in pairwise(nodes)
    ]
    return {"contentType": "application/vnd.gorules.decision", "nodes": nodes, "edges": edges}


def table(name: str, inputs: tuple[str, ...], output: str, rows: list[tuple[Any, ...]]) -> dict[str, Any]:
    """Write a decision table that takes the first line that fits."""
    rules = [
        {"_id": f"{name}{number}", **dict(zip((*inputs, output), map(cell, row), strict=True))}
        for number, row in enumerate(rows)
    ]
    content = {
        "hitPolicy": "first",
        "inputs": [{"id": name, "name": name, "field": name} for name in inputs],
        "outputs": [{"id": output, "name": output, "field": output}],
        "rules": rules,
        "passThrough": True,
    }
    return node(name, "decisionTableNode", content)


def node(name: str, kind: str, content: dict[str, Any] | None = None) -> dict[str, Any]:
    """Write a node."""
    return {"id": name, "name": name, "type": kind, "position": {"x": 0, "y": 0}, "content": content or {}}


def cell(value: Any) -> str:
    """Write a cell: nothing for anything, words in quotes."""
    return "" if value is None else f'"{value}"' if isinstance(value, str) else str(value)
