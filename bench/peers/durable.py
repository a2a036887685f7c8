"""durable-rules: a rule for each line of the modifiers, by priority, the results as a dict."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from bench.by_hand import FIRST_HITS, RESULTS
from bench.peers.engine import FIELDS, Engine


def durable() -> Engine:
    """Declare the rules. A question is an event, and the rule that takes it says the answer."""
    lang: Any = import_module("durable.lang")
    lines: list[str] = []

    def concluding(modifier: int) -> Callable[[Any], None]:
        def conclude(c: Any) -> None:
            lines.append(RESULTS[c.m.odds, max(0, min(9, c.m.die + modifier))])

        return conclude

    with lang.ruleset("workload"):
        for number, (*keys, value) in enumerate(FIRST_HITS):
            questions = [
                getattr(lang.m, name) == key for name, key in zip(FIELDS[2:], keys, strict=True) if key is not None
            ]
            condition = +lang.m.ground
            if questions:
                condition = questions[0]
                for part in questions[1:]:
                    condition &= part
            lang.when_all(lang.pri(number), condition)(concluding(value))

    def answer(*case: Any) -> str:
        lang.post("workload", dict(zip(FIELDS, case, strict=True)))
        return lines.pop()

    return Engine("durable-rules", answer, share=20)
