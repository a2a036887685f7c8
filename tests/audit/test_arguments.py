"""A step is found whose precondition is asked with other arguments; arguments that may be equal are no finding.

All cases are actions of one stack, which is compiled once.
"""

import re
from pathlib import Path

from compiler.analysis.findings.unguarded_step import UnguardedStep, unguarded_step
from compiler.analysis.laws import laws_of
from tests.analysis.planted import compiled

GAME = """
side north, south
kind cart has room: 0..4
domain die = 1..6
enum gait: trot, walk
status cart: dizzy until end of turn
record blow {by: side, firers: set of cart, target: cart}
event seen(c: cart)

verdict may_hit(c: cart) default allowed
rule the-dizzy "Nobody hits the dizzy." may_hit forbidden when c is dizzy
verdict may_strike(b: blow) default allowed
rule the-full "Nobody strikes the full." may_strike forbidden when b.target.room > 3
verdict may_join(c: cart, b: blow) default allowed
rule the-tired "The dizzy strike nobody." may_join forbidden when c is dizzy
verdict may_go(c: cart, gait: gait) default allowed
rule no-trot "The dizzy do not trot." may_go forbidden when gait = trot and c is dizzy
define fit(c: cart): yes_no = may_hit(c) and c.room > 1
define near(h: hex): set of cart = {c in cart at h where may_hit(c)}
condition odd(c: cart) default no
rule odd-ones "A few are odd." odd holds when c.room = 2

precondition hits(c: cart) "Who is hit may be." needs may_hit(c) before do hit(c)
precondition blows(b: blow) "Who is struck may be." needs may_strike(b) and every(f in b.firers where may_join(f, b))
  before do strike(b)
precondition goes(c: cart, g: gait) "Who goes may." needs may_go(c, g) before do go(c, g)
precondition whens(c: cart, h: hex) "Who is moved may be." needs may_hit(c) before move c to h
  when c.hex != h and c is not gone and not odd(c)

resolution hit(c: cart) "Hit." { mark c as dizzy }
resolution strike(b: blow) "Strike." { mark b.target as dizzy }
resolution go(c: cart, gait: gait) "Go." { if gait = trot { mark c as dizzy } }
sequence game { each turn in 1..3 { each player in {north, south} { phase moving "Moving" { offer act until yes } } } }
"""
TWO = "choose c from all cart choose d from all cart "
OWN = "choose c from {c in all cart where c.side = player} "
BLOW = "blow(by: player, firers: {c}, target: c)"
HITS = (
    # The body of an action; the required question and the questions asked instead, both empty without a finding.
    (TWO + "legal may_hit(c) do hit(d)", "may_hit(d)", ("may_hit(c)",)),
    (TWO + "legal may_hit(d) do hit(d)", "", ()),
    (TWO + "legal c = d and may_hit(c) do hit(d)", "", ()),
    ("choose c from {x in all cart where may_hit(x)} choose d from all cart do hit(d)", "may_hit(d)", ("may_hit(c)",)),
    ("choose c from {x in all cart where may_hit(x)} do hit(c)", "", ()),
    ("choose c from {x in all cart where fit(x)} do hit(c)", "", ()),
    ("choose c from {x in all cart where fit(x)} choose d from all cart do hit(d)", "may_hit(d)", ("fit(c)",)),
    ("choose c from all cart choose d from near(c.hex) do hit(d)", "", ()),
    ("choose c from all cart choose d from near(c.hex) do hit(c)", "may_hit(c)", ("may_hit(d)",)),
    (OWN + "legal some(x in all cart where may_hit(x)) do hit(c)", "", ()),
    ("choose any cs from {x in all cart where may_hit(x)} for each c in cs { do hit(c) }", "", ()),
    ("let cs = {x in all cart where may_hit(x)} for each c in cs { do hit(c) }", "", ()),
    ("choose any cs from all cart legal every(x in cs where may_hit(x)) for each c in cs { do hit(c) }", "", ()),
    ("choose any cs from all cart choose any ds from all cart legal every(x in cs where may_hit(x))"
     " for each d in ds { do hit(d) }", "", ()),
    (OWN + "if may_hit(c) { do hit(c) } else { mark c as dizzy }", "", ()),
    (OWN + "do again(c)", "may_hit(c)", ()),
    (OWN + "legal may_hit(c) do again(c)", "", ()),
    (TWO + "legal may_hit(d) do again(c)", "may_hit(c)", ("may_hit(d)",)),
    (TWO + "legal may_go(c, trot) do go(c, trot)", "", ()),
    (TWO + "legal may_go(c, trot) do go(d, trot)", "may_go(d, trot)", ("may_go(c, trot)",)),
    (OWN + "legal may_go(c, walk) do go(c, trot)", "may_go(c, trot)", ("may_go(c, walk)",)),
    (OWN + f"let b = {BLOW} legal may_strike(b) and may_join(c, b) do strike(b)", "", ()),
    (OWN + f"let b = {BLOW} legal may_strike({BLOW}) and may_join(c, {BLOW}) do strike(b)", "", ()),
    (TWO + f"let b = {BLOW} let a = blow(by: player, firers: {{c}}, target: d) legal may_strike(b) and may_join(c, a)"
     " do strike(a)", "may_strike(a)", ("may_strike(b)",)),
    (TWO + f"let b = {BLOW} legal may_strike(b) and may_join(d, b) do strike(b)", "may_join(f, b)",
     ("may_join(d, b)",)),
    # With a `when`: the guard counts where it certainly holds.
    ("choose c from all cart choose h from neighbors(c.hex) move c to h", "may_hit(c)", ()),
    ("choose c from all cart choose h from neighbors(c.hex) legal may_hit(c) move c to h", "", ()),
    ("choose c from all cart choose d from all cart choose h from neighbors(c.hex) legal may_hit(d) move c to h",
     "may_hit(c)", ("may_hit(d)",)),
    ("choose c from all cart choose h from all hex move c to h", "", ()),
)  # fmt: skip
AGAIN = 'resolution again{0}(c: cart) "Again." {{ mark c as dizzy do hit(c) }}\n'


def game() -> str:
    """Write the game with one action for each case."""
    text = GAME.replace("offer act", f"offer {', '.join(f'act{number}' for number in range(len(HITS)))}")
    for number, (done, _, _) in enumerate(HITS):
        text += AGAIN.format(number) if "again" in done else ""
        text += f'action act{number} by player in moving "Act." {{ {done.replace("again(", f"again{number}(")} }}\n'
    return text


def test_a_step_with_other_arguments_than_its_question_is_found(tmp_path: Path) -> None:
    files = {"layer.yaml": "layer: planted\ntitle: Planted\nkind: base\ncites: house\n", "game.rules": game()}
    found = {}
    for each in unguarded_step(laws_of(compiled(files, tmp_path))):
        assert isinstance(each, UnguardedStep)
        found[int(re.sub(r"\D", "", each.procedure.label))] = (each.required_question, each.other_guards)
    for number, (done, needed, instead) in enumerate(HITS):
        assert found.get(number, ("", ())) == (needed, instead), done
