"""A small game with a march, a duel and a reaction, for audits."""

from pathlib import Path

from rulewright.library.stacks import Stack, open_packages
from rulewright.write.new_packages import new_game

QUARREL = {
    "layer.yaml": "layer: quarrel\ntitle: Quarrel\nkind: variant\non: [toy]\n",
    "sources.yaml": "sources:\n  - {prefix: Q, title: The Quarrel, items: [Q.1, Q.2]}\n",
}
RULES = """
record fight {by: side, target: unit}
relation bears(porter: unit, load: unit) one porter
event marched(mover: unit, to: hex)

verdict may_strike(f: fight) default allowed
  reads "the blow may be struck" denied "the blow may not be struck"
rule tired-are-spared [Q.1] "Nobody strikes the tired."
  may_strike forbidden
  when f.target is tired

rule truce [Q.1] "In the second turn there is a truce."
  may_strike forbidden
  when game.turn = 2

verdict may_bear(porter: unit, load: unit) default allowed
  reads "{porter} may bear {load}" denied "{porter} may not bear {load}"
rule not-itself [Q.2] "Nobody bears himself."
  may_bear forbidden
  when porter = load

precondition blows-are-allowed(f: fight) [Q.1] "Nobody is struck who may not be."
  needs may_strike(f)
  before do strike(f)

precondition loads-are-allowed(porter: unit, load: unit) [Q.2] "Nobody bears what he may not."
  needs may_bear(porter, load)
  before relate bears(porter, load)

precondition marches-are-allowed(u: unit, h: hex) [TOY.3] "Nobody marches where he may not."
  needs may_enter(u, u.hex, h)
  before act march(mover: u, to: h)

resolution strike(f: fight) [Q.1] "A blow." { remove f.target }

action hit by player in movement [Q.1] "Strike a neighbor." reads "{who} is struck" {
  choose who from {u in all unit where u.side != player}
  let f = fight(by: player, target: who)
  ASKS
  do strike(f)
}

offer hit beside march

example "the tired" {
  row A, B
  piece R: runner of north at A
  piece S: runner of south at B (tired)
  ask may_strike(fight(by: north, target: S)) = forbidden by tired-are-spared
  ask may_strike(fight(by: south, target: R)) = allowed
  set game.turn to 2
  ask may_strike(fight(by: south, target: R)) = forbidden by truce
  set game.turn to 1
  ask may_bear(R, R) = forbidden by not-itself
  set game.player to north
  act hit(who: S) REFUSED
}
"""


def quarrel(folder: Path, *, asks: bool) -> Stack:
    """Compile the game; with `asks` the action asks the precondition of its step."""
    new_game("toy", folder / "packages")
    place = folder / "packages" / "quarrel"
    place.mkdir(exist_ok=True)
    rules = RULES.replace("ASKS", "legal may_strike(f)" if asks else "")
    rules = rules.replace("REFUSED", "refused" if asks else "\n  ask S is gone")
    for name, text in {**QUARREL, "quarrel.rules": rules}.items():
        (place / name).write_text(text, encoding="utf-8")
    return open_packages([folder / "packages"]).compiled("quarrel")
