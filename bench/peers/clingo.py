"""clingo: questions as facts, the first line that fits as the least of those that do."""

from importlib import import_module
from typing import Any

from bench.by_hand import FIRST_HITS, RESULTS
from bench.peers.engine import FIELDS, Case, Engine

RULES = """
first(I, N) :- asked(I, _, _, _, _, _), N = #min { K : fits(I, K) }.
modified(I, D + M) :- asked(I, _, D, _, _, _), first(I, N), modifier(N, M).
md(I, 0) :- modified(I, M), M < 0.
md(I, 9) :- modified(I, M), M > 9.
md(I, M) :- modified(I, M), M >= 0, M <= 9.
answer(I, R) :- asked(I, O, _, _, _, _), md(I, M), result(O, M, R).
#show answer/2.
"""


def clingo() -> Engine:
    """Write the program; questions are added to it and grounded with it."""
    module: Any = import_module("clingo")
    lines = [RULES]
    for number, (*keys, value) in enumerate(FIRST_HITS):
        words = ", ".join("_" if key is None else str(key) for key in keys)
        lines += [f"fits(I, {number}) :- asked(I, _, _, {words}).", f"modifier({number}, {value})."]
    lines += [f"result({odds}, {md}, {end})." for (odds, md), end in RESULTS.items()]
    program = "\n".join(lines)

    def batch(cases: list[Case]) -> list[str]:
        control = module.Control(["--warn=none"])
        question = "\n".join(f"asked({number}, {', '.join(map(str, case))})." for number, case in enumerate(cases))
        control.add("base", [], program + question)
        control.ground([("base", [])])
        found = [""] * len(cases)

        def read(model: Any) -> None:
            for symbol in model.symbols(shown=True):
                number, end = symbol.arguments
                found[number.number] = end.name

        control.solve(on_model=read)
        return found

    assert len(FIELDS) == len(Case.__args__)  # type: ignore[attr-defined]  # a question has five parts
    return Engine("clingo", batch=batch, share=25)
