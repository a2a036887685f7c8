"""Exchanges of words in sentences of compiled rules, to measure whether `check` finds them, by kind.

In: a compiled stack. Out: sentences with one word exchanged, and whether a check of texts then has a new finding about
the rule. Nothing is compiled again, so hundreds run in minutes: `python -m tests.faults --texts`.
"""

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from compiler.analysis.checks import OF_STACK
from compiler.analysis.problems import Problem
from runtime.graph import nodes as graph

# Stacks of every family, with options.
STACKS = (
    "panzer_leader", "panzerblitz", "panzer_grenadier", "long_frost", "two_clans", "panssari_salama",
    "opportunity_fire", "emplacing", "panzerbitz_concealed", "panzerbitz_thunder", "pg_overrun", "pg_smoke",
)  # fmt: skip
# Checks that read sentences.
READING = {"prose_differs", "texts_contrary"}
VERBS = (
    "load/unload loads/unloads loaded/unloaded loading/unloading, fire/move fires/moves fired/moved firing/moving,"
    " enter/leave enters/leaves entered/left entering/leaving, attack/defend attacks/defends attacked/defended"
    " attacking/defending, begin/end begins/ends, carry/follow carries/follows carried/followed carrying/following,"
    " overrun/pass overruns/passes, spot/hit spots/hits spotted/hit, see/hear sees/hears seen/heard,"
    " retreat/advance retreats/advances, land/sink lands/sinks landed/sunk, lay/clear lays/clears laid/cleared,"
    " cross/follow crosses/follows crossed/followed, join/lead joins/leads joined/led, hold/lose holds/loses,"
    " drive/walk drives/walks, ride/walk rides/walks, stop/start stops/starts, shell/bomb shells/bombs,"
    " place/remove places/removes placed/removed, disperse/destroy dispersed/destroyed, swim/fly swims/flies"
)
CONNECTIVES = "and/or"
QUANTIFIERS = "any/all all/any each/no every/no no/every all/no nobody/everybody everybody/nobody"
MODALS = "may/must must/may cannot/can can/cannot"
SIDES = "friendly/enemy enemy/friendly own/enemy friend/enemy friends/enemies enemies/friends attacker/defender"
SIDES += " defender/attacker attackers/defenders defenders/attackers"
PLACES = "into/from from/into inside/outside outside/inside to/from adjacent/distant onto/off beside/in next/back"
NUMBERS = "two/three three/four four/five five/six six/seven one/two"
COMPARISONS = "more/less less/more least/most most/least higher/lower lower/higher farther/nearer"
ORDERS = "before/after after/before first/last last/first until/after"


def _pairs(text: str, *, both: bool = False) -> Mapping[str, str]:
    pairs = [pair.split("/") for pair in text.replace(",", " ").split()]
    found: dict[str, str] = {}
    for one, other in pairs:
        found.setdefault(one, other)
    return found | {other: one for one, other in pairs if both and other not in found}


KINDS: Mapping[str, Mapping[str, str]] = {
    "verb": _pairs(VERBS, both=True), "connective": _pairs(CONNECTIVES, both=True), "quantifier": _pairs(QUANTIFIERS),
    "modal": _pairs(MODALS), "side": _pairs(SIDES), "place": _pairs(PLACES), "number": _pairs(NUMBERS),
    "comparison": _pairs(COMPARISONS), "order": _pairs(ORDERS),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Exchange:
    """An exchange of one word in the sentence of a rule."""

    kind: str
    stack: str
    label: str
    was: str
    now: str
    prose: str

    def summary(self) -> str:
        """Return the exchange in one line."""
        return f"{self.stack} {self.label}: {self.was} -> {self.now}: {self.prose}"


def exchanges(stack: graph.Graph) -> Iterator[Exchange]:
    """Yield all exchanges in rules above the bottom layer, or in all rules of a stack of one layer."""
    top = {layer.name for layer in stack.layers[1:]} or {layer.name for layer in stack.layers}
    for rule in stack.rules.values():
        for kind, pairs in KINDS.items() if rule.origin.layer in top else ():
            for found in re.finditer(r"[A-Za-z]+", rule.prose):
                now = pairs.get(found[0].lower())
                if now:
                    now = now.capitalize() if found[0][0].isupper() else now
                    prose = rule.prose[: found.start()] + now + rule.prose[found.end() :]
                    yield Exchange(kind, stack.stack, rule.label, found[0], now, prose)


def drawn(stack: graph.Graph, seed: str, each: int) -> Iterator[Exchange]:
    """Draw exchanges of each kind, as many as `each`."""
    dice = random.Random(f"{seed} {stack.stack}")
    every = list(exchanges(stack))
    for kind in KINDS:
        own_exchanges = [each for each in every if each.kind == kind]
        yield from dice.sample(own_exchanges, min(each, len(own_exchanges)))


def finding_texts(stack: graph.Graph) -> set[str]:
    """Return the findings of the checks that read sentences, as text."""
    checks = [check for check in OF_STACK if check.__name__ in READING]
    return {_problem_text(problem) for check in checks for problem in check(stack)}


def _problem_text(problem: Problem) -> str:
    return repr(problem)


def is_found(stack: graph.Graph, exchange: Exchange, known: set[str]) -> bool:
    """Make an exchange; return whether a new finding names its rule."""
    rule = stack.rules[exchange.label]
    rules = {**stack.rules, exchange.label: replace(rule, prose=exchange.prose)}
    new = finding_texts(replace(stack, rules=rules)) - known
    return any(f"'{exchange.label}'" in each for each in new)
