"""The prover is sound: on random rules, every clash and gap that random positions meet is among its suspects."""

import random
from pathlib import Path

import pytest

from compiler.analysis.prove import prove_graph
from rulewright.checks.confirming_witness import confirming_witness
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import ClashError, GapError
from runtime.witness.candidate import Candidate
from runtime.witness.repair import Repairer
from runtime.witness.set_up import NO_ANSWER, Instance
from runtime.witness.walk import Objective, search_candidates
from tests.analysis.planted import compiled
from tests.sample import LONG, sampled

# The number of seeds that every run tries.
SAMPLE = 10

WORDS = """
measure MP "point"
side north, south
enum build: light, heavy
enum pace: walk, run, ride
enum ground: open, soft, wet
kind cart has speed: 0..12 MP, build: build
trait cart: wheeled, tall
feature hex: bog, thicket, smooth
status cart: dizzy
track cart.spent: 0..12 MP = 0 MP
track scenario.frost: yes_no = no
relation hauls(hauler: cart, load: cart) one hauler
condition stuck(mover: cart) default no
rule reels "Reels." stuck holds when mover is dizzy and mover.speed < 6 MP
rule hauled "Hauled." stuck fails exception to reels when mover has hauler
value ground_of(h: hex): ground otherwise open
rule boggy "Bog." ground_of is soft when h is bog
rule smoothed "Smooth." ground_of is open exception to boggy when h is smooth
rule soaked "Wet." ground_of is wet when h is thicket and h is not bog
rule thawed "No bogs." hex is not thicket when scenario.frost
value price(mover: cart, to: hex, pace: pace): 0..99
"""

TABLE = """
table: costs
cites: house
keys: {ground: ground, build: build}
cell: {cost: 0..9, closed: word}
columns: [light, heavy]
grid:
  open: [1, 2]
  soft: [3, closed]
  wet: [2, 2]
"""

ATOMS = (
    "to is bog", "to is thicket|smooth", "mover is wheeled", "mover is tall", "mover is dizzy", "scenario.frost",
    "mover.speed > 3 MP", "mover.speed <= 3 MP", "mover.speed = 7 MP", "mover.build = light", "mover.build != light",
    "pace = walk", "pace in {walk, run}", "stuck(mover)", "ground_of(to) = soft", "ground_of(to) != open",
    "count(c in cart at to where c != mover) >= 2", "none(c in cart at to where c != mover)",
    "some(c in cart at to where c != mover and c is tall)", "mover.spent * 2 > mover.speed", "mover has hauler",
    "mover.speed - mover.spent in 2 MP..4 MP", "costs[ground_of(to), mover.build] is cost", "mover.side = north",
)  # fmt: skip

VALUES = ("1", "2", "if mover is tall then 1 else 2", "count(c in cart at to)", "3")


def random_guard(dice: random.Random, depth: int = 2) -> str:
    """Write a random condition."""
    if depth == 0 or dice.random() < 0.3:
        atom = dice.choice(ATOMS)
        return f"not ({atom})" if dice.random() < 0.3 else atom
    joint = dice.choice((" and ", " or "))
    return f"({joint.join(random_guard(dice, depth - 1) for _ in range(dice.randint(2, 3)))})"


def random_rules(dice: random.Random) -> str:
    """Write a few random rules on one term."""
    lines = []
    for number in range(dice.randint(2, 5)):
        first = random_guard(dice) if dice.random() < 0.8 else f"not ({random_guard(dice)})"
        exception = f" exception to r{dice.randrange(number)}" if number and dice.random() < 0.4 else ""
        value = dice.choice(VALUES)
        lines.append(f'rule r{number} "Random." price is {value}{exception} when {first}')
    return "\n".join(lines)


def collect_pairs(stack: graph.Graph, seed: int) -> set[tuple[str, ...]]:
    """Visit random positions; collect the pairs of rules that clash, and whether the term has a gap."""
    term = stack.terms["price"]
    found: set[tuple[str, ...]] = set()

    def look(scene: Instance) -> bool:
        try:
            scene.answers.ask(scene.state, "price", scene.arguments)
        except ClashError as clash:
            if clash.callee == "price":
                values = {label: scene.value(stack.rules[label].value, bound(scene)) for label in clash.labels}  # type: ignore[arg-type]  # rules of a value term have one
                found.update(
                    (one, other) for one in values for other in values if one < other and values[one] != values[other]
                )
        except GapError as gap:
            found.update({("gap",)} if gap.callee == "price" else ())
        except NO_ANSWER:
            pass
        return False

    def bound(scene: Instance) -> dict[str, object]:
        return dict(zip((parameter.name for parameter in term.parameters), scene.arguments, strict=True))

    def propose(repairer: Repairer, scene: Instance) -> Candidate | None:
        rule = stack.rules[repairer.chance.pick(term.rules)]
        return repairer.make_live(term, rule, scene.lazy_arguments(), want=repairer.chance.one_in(2))

    search_candidates(stack, Objective(f"wander {seed}", term, propose, look), 150)
    return found


@sampled(2)
@pytest.mark.parametrize("seed", [pytest.param(seed, marks=LONG) if seed >= SAMPLE else seed for seed in range(24)])
def test_every_clash_and_gap_in_random_positions_is_suspected(seed: int, tmp_path: Path) -> None:
    written = random_rules(random.Random(seed))
    files = {"layer.yaml": "layer: planted\ntitle: Planted\nkind: base\ncites: house\n", "words.rules": WORDS}
    stack = compiled({**files, "rules.rules": written, "costs.yaml": TABLE}, tmp_path)
    suspects = prove_graph(stack).suspects
    suspected = {tuple(sorted(each.labels)) if each.kind == "overlap" else ("gap",) for each in suspects}
    assert collect_pairs(stack, seed) <= suspected, written


def test_four_fifths_of_the_suspects_are_confirmed(tmp_path: Path) -> None:
    """Few atoms of these rules depend on each other, so most suspects of random rules have a witness."""
    real = of = 0
    files = {"layer.yaml": "layer: planted\ntitle: Planted\nkind: base\ncites: house\n", "words.rules": WORDS}
    for seed in range(4):
        written = random_rules(random.Random(seed))
        stack = compiled({**files, "rules.rules": written, "costs.yaml": TABLE}, tmp_path / str(seed))
        for suspect in prove_graph(stack).suspects:
            real += confirming_witness(stack, suspect) is not None
            of += 1
    assert of > 10
    assert real >= 0.8 * of, f"{real} of {of}"
