"""Each mistake of an author of a new game is one finding at its line, with help.

The game is that of `rulewright new game`, with zones, supply and battles. Cases are in slips.json: the file, the text,
its replacement, the code of the finding, a part of the line it points at, and a part of its message or help.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from compiler.compile import compile_stack
from compiler.query.database import Database
from compiler.report.diagnostic import Diagnostic
from compiler.source.package import discover_layers
from rulewright.checks.proofs import list_findings
from rulewright.library.stacks import Stack
from tests.codes.test_codes import TOY
from tests.sample import sampled

FIGHT = """# A second half of the game: zones, supply and battles.
feature hex: depot
measure steps
domain die = 1..6 steps
track unit.lost: 0..3 = 0

condition in_zone(h: hex, of: side) default no
  reads "{h} is in a zone of {of}"
verdict may_supply(of: side, from: hex, to: hex) default allowed
  reads "{of} may supply {to} from {from}" denied "{of} may not supply {to} from {from}"
sum modifier(firer: unit, target: unit): steps
  reads "what is added to the die of {firer} at {target}"

define enemy_of(u: unit, v: unit): yes_no [house] = u.side != v.side
define chain(of: side): set of hex [house] = reachable({h in all hex where h is depot} by may_supply(of) within 4)
  reads "what {of} supplies"

rule zones-reach-out [TOY.1] "A unit has a zone in the hexes around it."
  in_zone holds
  when some(u in all unit where u.side = of and distance(u.hex, h) <= 1)

rule not-through-foes [TOY.2] "Supply does not pass a zone of the other side."
  may_supply forbidden
  when some(s in all side where s != of and in_zone(to, s))

rule woods-shelter [TOY.3] "A target in a wood has one less thrown at it."
  modifier adds -1 steps
  when target.hex is wood

resolution fight(firer: unit, target: unit) [TOY.4] "One die decides." {
  roll d: die
  let total = d + modifier(firer, target)
  if total >= 5 steps {
    set target.lost to min(3, target.lost + 1)
    do step_back(target)
  }
}
account [TOY.4] {
  before firer, target
  after total
  tells "{firer} fires at {the target}, {total}"
}

resolution step_back(u: unit) [TOY.5] "Who loses steps back, if there is room." {
  let room = {h in neighbors(u.hex) where none(v in unit at h)}
  if count(room) > 0 {
    choose h from room by u.side
    move u to h
  }
}

action attack by player in combat [TOY.4] "Attack a neighbor." reads "attack {target} with {firer}" {
  choose firer from {u in all unit where u.side = player and u.lost < 2}
  choose target from {v in all unit where enemy_of(firer, v) and adjacent(v.hex, firer.hex)} preferring v_worth(target)
  legal firer is not tired and firer.hex in chain(player)
  mark firer as tired
  do fight(firer, target)
}
define v_worth(u: unit): 0..3 [house] = 3 - u.lost
  reads "what {u} is worth"

example "a battle" {
  row A depot, B, C
  piece R: runner of north at A
  piece W: cart of south at B
  act attack(firer: R, target: W, h: C) by north dice 5
  ask (R is tired) = yes
}
"""


@dataclass(frozen=True, slots=True)
class Slip:
    """A mistake in a file of the game, with the finding that it must produce."""

    what: str
    file: str
    right: str
    wrong: str
    code: str
    at: str
    message: str


SLIPS = tuple(Slip(**each) for each in json.loads((Path(__file__).parent / "slips.json").read_text(encoding="utf-8")))


def game() -> dict[str, str]:
    """Return the files of the game without a mistake."""
    files = dict(TOY)
    files["toy/fight.rules"] = FIGHT
    march = 'phase movement "Movement" { offer march until yes }'
    combat = 'phase combat "Combat" { offer attack until yes }'
    files["toy/playing.rules"] = files["toy/playing.rules"].replace(march, f"{march}\n      {combat}")
    files["toy/field.yaml"] = files["toy/field.yaml"].replace("  marsh: [B3", "  depot: [A1, D6]\n  marsh: [B3")
    return files


class Author:
    """A folder with the game, checked incrementally after each mistake."""

    def __init__(self, place: Path) -> None:
        """Write the game to the folder."""
        self.place = place
        self.database = Database()
        for name, text in game().items():
            file = place / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")

    def check(self) -> list[Diagnostic]:
        """Return the findings of the current files."""
        library, problems = discover_layers([self.place / "toy"], self.database)
        stack = compile_stack(library, "toy")
        env = stack.typed.env if stack.typed else None
        return list_findings(Stack("toy", library, stack.graph, env, (*problems, *stack.problems), library.texts))


@pytest.fixture(scope="module")
def author(tmp_path_factory: pytest.TempPathFactory) -> Author:
    """Write the game once for all mistakes."""
    return Author(tmp_path_factory.mktemp("author"))


def test_the_game_without_mistakes_has_no_findings(author: Author) -> None:
    assert author.check() == []


@sampled(14)
@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.what)
def test_a_mistake_is_one_finding_at_its_line(slip: Slip, author: Author) -> None:
    file = author.place / "toy" / slip.file
    text = file.read_text(encoding="utf-8")
    assert slip.right in text
    file.write_text(text.replace(slip.right, slip.wrong, 1), encoding="utf-8")
    try:
        found = author.check()
        lines = file.read_text(encoding="utf-8").splitlines()
    finally:
        file.write_text(text, encoding="utf-8")
    [one] = found
    span = one.spans[0].span
    assert (one.code, Path(span.file).name) == (slip.code, slip.file)
    assert slip.at in lines[span.line - 1]
    assert slip.message in f"{one.message} {one.help}"


def test_mistakes_have_different_names_and_are_at_least_45() -> None:
    assert len({slip.what for slip in SLIPS}) == len(SLIPS) >= 45
