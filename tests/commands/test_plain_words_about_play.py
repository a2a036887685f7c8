"""Plain words about play: odds in other phases, several pieces, other sides' turns, and one act after another."""

from pathlib import Path

import pytest

from rulewright.cli.app import run
from tests.commands.test_plain_questions import POSITION, answered
from tests.sample import sampled

Capture = pytest.CaptureFixture[str]

STRONGPOINT = """\
position: strongpoint
stack: panzer_leader
game: {turn: 4, player: german, phase: combat}
board:
  rows:
    - [A, B woods, C, D town, E, F]
    - [G, H slope, I, J, K, L]
    - [M, N, O, Q, U, V]
pieces:
  - {name: Tank, type: pz4, side: german, at: C}
  - {name: Tiger, type: tiger, side: german, at: I}
  - {name: Rifles, type: rifle, side: german, at: B}
  - {name: Bunker, type: fort, side: german, at: N, defense: 20}
  - {name: Guard, type: rifle, side: german, at: N, in: inside}
  - {name: Flak, type: flak20, side: german, at: O}
  - {name: Sherman, type: m4, side: allied, at: D}
  - {name: Scout, type: m8, side: allied, at: E}
  - {name: Jumbo, type: m4, side: allied, at: K}
  - {name: GIs, type: us_rifle, side: allied, at: K}
  - {name: Track, type: m3, side: allied, at: K}
  - {name: Jabo, type: thunderbolt, side: allied, at: U}
"""
COLUMN = """\
position: column
stack: panzerblitz
game: {turn: 2, player: russian, phase: movement}
board: {rows: [[P, Q, R woods, S, X]], paths: {road: [P-Q]}}
pieces:
  - {name: W, type: russian_truck, at: P}
  - {name: L, type: russian_rifle, at: P}
  - {name: T, type: t34, at: X}
  - {name: I, type: russian_rifle, at: R}
  - {name: E1, type: rifle, at: Q}
  - {name: V, type: panther, at: Q}
  - {name: M, type: minefield, side: german, at: S}
"""
CHARGE = """\
position: charge
stack: panzer_grenadier+pg_overrun+pg_tank_riders
game: {turn: 1, turns: 10, player: axis, phase: action}
board: {rows: [[A, B, C, D], [E, F, G woods, H]]}
pieces:
  - {name: V, type: tank, side: axis, at: A}
  - {name: R, type: rifle, side: axis, at: A}
  - {name: X, type: rifle, side: allied, at: C}
  - {name: Z, type: tank, side: allied, at: D}
  - {name: W, type: truck, side: axis, at: E}
  - {name: K, type: rifle, side: axis, at: E}
  - {name: Y, type: rifle, side: axis, at: F, disrupted: yes}
relations: {carries: [{carrier: V, passengers: R}]}
"""
PL, PLO, PB, PG = (
    "panzer_leader",
    "panzer_leader+opportunity_fire",
    "panzerblitz",
    "panzer_grenadier+pg_overrun+pg_tank_riders",
)
OPEN = "Nothing forbids it: the action is open"
FIRES = "fire at one unit"
LOADS = f"{OPEN} (load)."
JOINT = "Together: A PzKpfw IV in C and a Tiger in I fire at an M4 Sherman in D: 58 factors against 9 factors, 4-1."


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Write the positions, by stack; the strongpoint also in the movement of the other side, with opportunity fire."""
    folder = tmp_path_factory.mktemp("positions")
    crossing = STRONGPOINT.replace("player: german, phase: combat", "player: allied, phase: movement")
    texts = {
        PL: STRONGPOINT,
        PLO: crossing,
        PB: COLUMN,
        PG: CHARGE,
    }
    for number, text in enumerate(texts.values()):
        (folder / f"{number}.yaml").write_text(text, encoding="utf-8")
    return {stack: folder / f"{number}.yaml" for number, stack in enumerate(texts)}


# Beginnings of lines, in their order, with others between them.
@sampled(1)
@pytest.mark.parametrize(
    ("stack", "query", "moment", "lines"),
    [
        (PL, "what are the odds of Tiger and Tank against Sherman", ("combat", "german"), [FIRES, JOINT, "  5 in 6: "]),
        (
            PL,
            "what is the strength of Tiger against Jumbo",
            ("combat", "german"),
            [FIRES, "  A Tiger in I fires at an M4 Sherman in K: 30 factors"],
        ),
        (
            PL,
            "may Jumbo and GIs fire at Tiger",
            ("combat", "allied"),
            [f"Jumbo and Tiger: {OPEN} ({FIRES}).", "GIs and Tiger: Fire at one unit: GIs may not take part"],
        ),
        (
            PL,
            "may Tank fire at Sherman and Scout",
            ("combat", "german"),
            [
                f"Tank and Sherman: {OPEN} ({FIRES}).",
                "Tank and Scout: Fire at one unit: Tank may not take part",
            ],
        ),
        (PL, "may Flak fire at the plane", ("air", "german"), [f"{OPEN} (fire at a plane)."]),
        (PL, "can Guard come out of the fort", ("movement", "german"), [f"{OPEN} (change place at a fort)."]),
        (PL, "may Guard leave the Bunker", ("movement", "german"), [f"{OPEN} (change place at a fort)."]),
        (PL, "can GIs get on Track", ("movement", "allied"), [LOADS]),
        (
            PL,
            "may Tiger fire and then move",
            ("combat", "german"),
            [OPEN, "Then, German, movement: Move a vehicle: Tiger may not move."],
        ),
        (
            PL,
            "may Tiger move after firing",
            ("combat", "german"),
            [OPEN, "Then, German, movement: Move a vehicle: Tiger may not move."],
        ),
        (
            PL,
            "may Tiger move and then fire",
            ("movement", "german"),
            [OPEN, "Then, German, combat: not in this turn, in which that phase comes first."],
        ),
        (PL, "can Jabo bomb Tank", ("air", "allied"), ["Raid a hex: Jabo may not drop its load on C."]),
        (
            PLO,
            "may Tiger fire at Track as it moves",
            ("movement", "german"),
            ["Fire at what stays: Tiger may not take a shot at Track in passing."],
        ),
        (
            PLO,
            "may Track load GIs and drive to J",
            ("movement", "allied"),
            [LOADS, "Then, Allied, movement: Track goes J: 1 movement point, 4 left"],
        ),
        (PB, "can L board W", ("movement", "russian"), [LOADS]),
        (
            PB,
            "can L hop on W and drive to R",
            ("movement", "russian"),
            [LOADS, "Then, Russian, movement: W gets as far as P"],
        ),
        (PB, "can I walk through the minefield", ("movement", "russian"), [OPEN]),
        (
            PB,
            "what can shoot at W",
            ("combat", "german"),
            ["open to German against W:", "  fire at one unit (firers E1 and V)"],
        ),
        (
            PB,
            "what are the odds of I and T against Q",
            ("close_assault", "russian"),
            [
                "Russian, close assault: close assault (Q)",
                f"Russian, combat: {FIRES} (target E1)",
                "Russian, combat: Together: A T-34/76 in X and a Russian rifle in R fire at a rifle in Q: 11 factors",
            ],
        ),
        (
            PB,
            "what are the odds of W against E1",
            ("movement", "russian"),
            [
                "Russian, movement: Overrun: W may not overrun Q",
                "Russian, combat: Fire at one unit: W may not take part",
            ],
        ),
        (
            PB,
            "what are the odds if T overruns E1",
            ("movement", "russian"),
            ["Overrun: Q is not among the neighbors of T's hex."],
        ),
        (PG, "can K board W", ("action", "axis"), [OPEN]),
        (PG, "may V run over X", ("action", "axis"), ["A unit moves down the line of sight"]),
        (PG, "can Y rally", ("action", "axis"), [f"{OPEN} (a disrupted unit tries to recover)."]),
        (
            PG,
            "may K move and then fire",
            ("action", "axis"),
            [
                OPEN,
                "Then, the Axis, action segments: One unit fires at one enemy in range: K may not carry out fire.",
            ],
        ),
        (
            PG,
            "may Z move to H and then shoot at V",
            ("action", "allied"),
            ["Z goes H", "Then, the Allies, action segments: One unit fires at one enemy in range: Z may not carry"],
        ),
        (PG, "can Z fire at V as it moves", ("action", "allied"), [f"{OPEN} (opportunity fire at a unit that moves)."]),
        (
            PG,
            "may Z and X shoot at V",
            ("action", "allied"),
            [f"Z and V: {OPEN}", "X and V: One unit fires at one enemy in range: X cannot harm V"],
        ),
    ],
)
def test_words_about_play(
    capsys: Capture, files: dict[str, Path], stack: str, query: str, moment: tuple[str, str], lines: list[str]
) -> None:
    found = answered(capsys, query, files[stack], stack)
    assert (found["phase"], found["side"]) == moment, found
    left = iter(found["lines"])
    assert all(any(line.startswith(start) for line in left) for start in lines), found["lines"]


@sampled(0)
def test_the_heading_says_which_phase_it_is_now(capsys: Capture) -> None:
    for query, heading in (
        ("can T shoot P", "Allied, combat (now it is Allied, movement):"),
        ("may H enter B", "Allied, movement:"),
        ("can P fire at T", "German, combat (now it is Allied, movement):"),
    ):
        assert run(["ask", "panzer_leader", "-p", str(POSITION), query]) == 0
        assert heading in capsys.readouterr().out.splitlines()


def test_each_alone_and_both_together(capsys: Capture) -> None:
    """Alone the odds of either are too low for an assault, together they are not."""
    found = answered(capsys, "may R1 and R2 assault P")["lines"]
    assert [line for line in found if line.startswith("Together")] == [
        "Together: Two US rifles in B assault a Panther in C: 4 factors against 12 factors, 1-3. "
        "The modifier is -3 on the die."
    ]
    assert [line for line in found if line.endswith("Close assault: The attack may not be made.")] == [
        f"{each} and P: Close assault: The attack may not be made." for each in ("R1", "R2")
    ]


@sampled(0)
def test_words_of_no_action_are_not_answered(capsys: Capture, files: dict[str, Path]) -> None:
    """What is not understood comes first; a phrase about forts is none about a town, which is left by a move, nor does
    a turn's own fire say what is allowed as another moves.
    """
    assert run(["ask", "panzer_leader", "-p", str(files[PL]), "may Rifles dig in"]) == 0
    assert capsys.readouterr().out.startswith("No action and no question about these names answers “dig”.")
    for query in ("can Sherman come out of the town", "may Sherman leave D"):
        assert answered(capsys, query, files[PL])["lines"][0] == "Sherman can get to:"
    assert answered(capsys, "may Scout leave D", files[PL])["lines"] == ["Scout is in E, and not in D."]
    found = answered(capsys, "may Sherman fire at Tank as it moves", files[PL])["lines"]
    assert found[-1].startswith("This is about its own turn")


def test_a_named_piece_is_not_another_one_at_the_place(capsys: Capture) -> None:
    """T could go from B to A; that is no answer to whether H, in A, may enter B."""
    assert answered(capsys, "can H go on to B")["lines"][0] == "Go on: H may not enter B from A."


def test_friends_and_words_in_the_meantime_name_nothing(capsys: Capture, files: dict[str, Path]) -> None:
    found = answered(capsys, "what are the odds of Tank against Tiger", files[PL])["lines"]
    assert found[0].startswith("No action takes Tank and Tiger and has results (looked at: combat, ")
    assert answered(capsys, "may Tank see Jumbo as it moves", files[PL])["lines"] == []
    found = answered(capsys, "may Tank spot Sherman after firing", files[PL])["lines"]
    assert found[-1].endswith("not answered, as no action has a word of “may Tank spot Sherman”.")


def test_a_side_with_nothing_to_choose_is_answered(capsys: Capture, tmp_path: Path) -> None:
    """Without an option the only one is to end the phase, and there is no way to search."""
    file = tmp_path / "march.yaml"
    file.write_text(
        "position: march\nstack: two_clans\n"
        "board: {spaces: {Here: pasture, There: pasture}, connections: [Here-There]}\n"
        "pieces: [{name: G, type: guard, side: ash, at: Here}, {name: B, type: guard, side: birch, at: There}]\n",
        encoding="utf-8",
    )
    for query in ("may B fire at Here", "B Here", "may B step Here before firing"):
        assert answered(capsys, query, file, "two_clans")["side"] == "birch"
