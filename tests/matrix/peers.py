"""Plant the six mistakes in rule engines that `pip` installs, and print when each engine detects them.

    python -m venv peers
    peers/bin/pip install zen-engine json-logic-qubit rule-engine common-expression-language regopy cedarpy clingo
    peers/bin/python tests/matrix/peers.py

The rule is the same for every engine: woods give 1. Inputs are terrain = woods and range = 2. Each engine has its own
means of early detection (a context, a schema, a strict mode) if one call enables it. Prints one line for each engine
and mistake.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module, metadata
from typing import Any

FACTS = {"terrain": "woods", "range": 2}
CONDITIONS = {
    "input": 'terain == "woods"',
    "member": 'terrain == "wods"',
    "syntax": "terrain == ",
    "type": "terrain > 3",
}


def outcome_of_mistake(load: Callable[[], Callable[[], object]]) -> str:
    """Return the outcome of a mistake: an error at loading, an error at evaluation, or an answer."""
    try:
        ask = load()
    except Exception as error:  # noqa: BLE001 -- whatever the engine raises
        return f"refused: {short(error)}"
    try:
        answer = ask()
    except Exception as error:  # noqa: BLE001
        return f"at run time: {short(error)}"
    return f"silent: {short(answer)}"


def short(what: object) -> str:
    """Truncate a message to 110 characters, with the name of an exception in front."""
    name = f"{type(what).__name__} " if isinstance(what, Exception) else ""
    return f"{name}{' '.join(str(what).split())}"[:110]


def zen(mistake: str) -> Callable[[], object]:
    """A decision table with the hit policy `first`, the default of the editor."""
    engine: Any = import_module("zen")

    condition = {"input": ("terain", '"woods"'), "member": ("terrain", '"wods"'), "syntax": ("terrain", '"woods'),
                 "type": ("terrain", "> 3")}.get(mistake, ("terrain", '"woods"'))  # fmt: skip
    rows = [{"_id": "r1", "i": condition[1], "o": "1"}]
    if mistake == "clash":
        rows.append({"_id": "r2", "i": '"woods"', "o": "2"})
    if mistake == "gap":
        rows = [{"_id": "r1", "i": '"town"', "o": "2"}]
    table = {
        "hitPolicy": "first",
        "rules": rows,
        "inputs": [{"id": "i", "name": "i", "type": "expression", "field": condition[0]}],
        "outputs": [{"id": "o", "name": "o", "type": "expression", "field": "modifier"}],
    }
    nodes = [
        {"id": "a", "type": "inputNode", "name": "in"},
        {"id": "b", "type": "decisionTableNode", "name": "t", "content": table},
        {"id": "c", "type": "outputNode", "name": "out"},
    ]
    edges = [
        {"id": "1", "type": "edge", "sourceId": "a", "targetId": "b"},
        {"id": "2", "type": "edge", "sourceId": "b", "targetId": "c"},
    ]
    decision = engine.ZenEngine().create_decision(json.dumps({"nodes": nodes, "edges": edges}))
    decision.validate()
    return lambda: decision.evaluate(FACTS)["result"]


def json_logic(mistake: str) -> Callable[[], object]:
    """Nested operators as JSON; the rows of a table are a chain of `if`."""
    engine: Any = import_module("json_logic")

    terrain = {"var": "terrain"}
    rule = {
        "input": {"if": [{"==": [{"var": "terain"}, "woods"]}, 1]},
        "member": {"if": [{"==": [terrain, "wods"]}, 1]},
        "syntax": {"if": [{"===": [terrain]}, 1]},
        "type": {"if": [{">": [terrain, 3]}, 1]},
        "clash": {"if": [{"==": [terrain, "woods"]}, 1, {"==": [terrain, "woods"]}, 2]},
        "gap": {"if": [{"==": [terrain, "town"]}, 1]},
    }[mistake]
    return lambda: engine.jsonLogic(rule, FACTS)


def rule_engine(mistake: str) -> Callable[[], object]:
    """One expression, with a context that declares the types of its symbols."""
    engine: Any = import_module("rule_engine")

    if mistake not in CONDITIONS:
        raise LookupError("has no rows")
    types = engine.type_resolver_from_dict({"terrain": engine.DataType.STRING, "range": engine.DataType.FLOAT})
    rule = engine.Rule(CONDITIONS[mistake], context=engine.Context(type_resolver=types))
    return lambda: rule.matches(FACTS)


def cel(mistake: str) -> Callable[[], object]:
    """One expression, compiled if the package has a compiler."""
    engine: Any = import_module("cel")

    if mistake not in CONDITIONS:
        raise LookupError("has no rows")
    program = engine.compile(CONDITIONS[mistake]) if hasattr(engine, "compile") else None
    return lambda: program.execute(FACTS) if program else engine.evaluate(CONDITIONS[mistake], FACTS)


def rego(mistake: str) -> Callable[[], object]:
    """A module of complete rules."""
    regopy: Any = import_module("regopy")

    condition = (
        CONDITIONS.get(mistake, 'terrain == "woods"')
        .replace("terrain", "input.terrain")
        .replace("terain", "input.terain")
    )
    rules = [f"modifier := 1 {{ {condition} }}"]
    if mistake == "clash":
        rules.append('modifier := 2 { input.terrain == "woods" }')
    if mistake == "gap":
        rules = ['modifier := 2 { input.terrain == "town" }']
    engine = regopy.Interpreter()
    engine.add_module("t", "\n".join(["package t", *rules]))
    engine.set_input(FACTS)
    return lambda: engine.query("data.t.modifier")


def cedar(mistake: str) -> Callable[[], object]:
    """A policy, validated against a schema."""
    cedarpy: Any = import_module("cedarpy")

    if mistake not in CONDITIONS:
        raise LookupError("has no rows")
    condition = CONDITIONS[mistake].replace("terrain", "context.terrain").replace("terain", "context.terain")
    context = "{ terrain: String, range: Long }"
    schema = f"entity U; entity H; action enter appliesTo {{ principal: U, resource: H, context: {context} }};"
    found = cedarpy.validate_policies(f"permit(principal, action, resource) when {{ {condition} }};", schema)
    if not found.validation_passed:
        raise ValueError(found.errors[0].error if found.errors else "refused")
    return lambda: "passes validation"


def clingo(mistake: str) -> Callable[[], object]:
    """Facts and rules; the solver enumerates all models."""
    engine: Any = import_module("clingo")

    body = {"input": "terain(woods)", "member": "terrain(wods)", "syntax": "terrain(", "type": "terrain(T), T > 3"}.get(
        mistake, "terrain(woods)"
    )
    rules = [f"modifier(1) :- {body}."]
    if mistake == "clash":
        rules.append("modifier(2) :- terrain(woods).")
    if mistake == "gap":
        rules = ["modifier(2) :- terrain(town)."]
    lines: list[str] = []
    control = engine.Control(["0"], logger=lambda _, text: lines.append(text))
    control.add("base", [], "terrain(woods). range(2). " + " ".join(rules) + " #show modifier/1.")
    control.ground([("base", [])])

    def ask() -> object:
        models: list[str] = []
        control.solve(on_model=lambda model: models.append(str(model)))
        return f"{models} {lines[0] if lines else ''}"

    return ask


ENGINES = {
    "zen-engine": zen, "json-logic-qubit": json_logic, "rule-engine": rule_engine, "common-expression-language": cel,
    "regopy": rego, "cedarpy": cedar, "clingo": clingo,
}  # fmt: skip
MISTAKES = ("input", "member", "syntax", "type", "clash", "gap")


def main() -> None:
    """Print the outcome of each mistake in each engine; each engine runs in its own process."""
    if len(sys.argv) == 1:
        for name in ENGINES:
            subprocess.run([sys.executable, __file__, name], check=False)
        return
    for name in sys.argv[1:]:
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            sys.stdout.write(f"{name}: not installed\n")
            continue
        for mistake in MISTAKES:
            sys.stdout.write(f"{name} {version} {mistake}: {outcome_of_mistake(partial(ENGINES[name], mistake))}\n")


if __name__ == "__main__":
    main()
