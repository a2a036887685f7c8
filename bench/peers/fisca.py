"""openfisca-core: words as numbers, the modifiers as a choice among conditions, the results gathered."""

from importlib import import_module
from typing import Any

from bench.by_hand import ENDS, FIRST_HITS, GROUNDS, MANNERS, RESULTS, TROOPS
from bench.peers.engine import FIELDS, Case, Engine

YEAR = "1970"
LINES = (("ground", GROUNDS), ("troop", TROOPS), ("manner", MANNERS))


def fisca() -> Engine:
    """Declare the variables; every batch is a simulation of its own, as its users run them."""
    np: Any = import_module("numpy")
    entities, periods = (import_module(f"openfisca_core.{name}") for name in ("entities", "periods"))
    system = import_module("openfisca_core.taxbenefitsystems").TaxBenefitSystem
    variable = import_module("openfisca_core.variables").Variable
    builder = import_module("openfisca_core.simulations").SimulationBuilder
    case = entities.SingleEntity("case", "cases", "", "")
    model = system([case])
    results = np.array([[ENDS.index(RESULTS[odds, md]) for md in range(10)] for odds in range(6)])

    def formula(cases: Any, period: Any) -> Any:
        columns = {name: cases(name, period) for name in FIELDS}
        everywhere = np.ones(len(columns["die"]), dtype=bool)
        conditions = []
        for *keys, _ in FIRST_HITS:
            here = everywhere
            for (name, words), key in zip(LINES, keys, strict=True):
                here = here if key is None else here & (columns[name] == words.index(key))
            conditions.append(here)
        modifier = np.select(conditions, [value for *_, value in FIRST_HITS])
        return results[columns["odds"], np.clip(columns["die"] + modifier, 0, 9)]

    facts = {"value_type": int, "entity": case, "definition_period": periods.DateUnit.YEAR, "label": ""}
    for name in FIELDS:
        model.add_variable(type(name, (variable,), dict(facts)))
    model.add_variable(type("result", (variable,), {**facts, "formula": formula}))

    def batch(cases: list[Case]) -> list[str]:
        simulation = builder().build_default_simulation(model, count=len(cases))
        columns = [*zip(*cases, strict=True)]
        for name, column in zip(FIELDS, columns, strict=True):
            words = dict(LINES).get(name)
            simulation.set_input(name, YEAR, np.array([words.index(v) for v in column] if words else column))
        return [ENDS[code] for code in simulation.calculate("result", YEAR)]

    return Engine("openfisca-core", batch=batch)
