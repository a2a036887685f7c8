"""common-expression-language: the modifiers as one chain of conditions, the results as a list of its context."""

from importlib import import_module
from typing import Any

from bench.by_hand import FIRST_HITS, RESULTS
from bench.peers.engine import FIELDS, Engine

ENDS = [RESULTS[odds, md] for odds in range(6) for md in range(10)]


def cel() -> Engine:
    """Compile both expressions."""
    module: Any = import_module("cel")
    program = module.compile(f"die + ({chain()})")
    second = module.compile("odds * 10 + (modified < 0 ? 0 : modified > 9 ? 9 : modified)")

    def answer(*case: Any) -> str:
        modified = program.execute(dict(zip(FIELDS, case, strict=True)))
        place = int(second.execute({"odds": case[0], "modified": modified}))
        return ENDS[place]

    return Engine("common-expression-language", answer, share=10)


def chain() -> str:
    """Write the first-hit table as one chain."""
    text = "0"
    for *keys, value in reversed(FIRST_HITS):
        question = " && ".join(
            f"{name} == '{key}'" for name, key in zip(FIELDS[2:], keys, strict=True) if key is not None
        )
        text = f"{question} ? {value} : ({text})" if question else str(value)
    return text
