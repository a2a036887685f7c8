"""Hostile inputs of valid form, each with one excessive part: cards, boards, positions, games, ledgers, imports.

Each case is limited to 30 s and 900 MiB.
"""

from collections.abc import Iterator, Mapping

from tests.safety.confine import TOY, Content
from tests.safety.hostile import ASK, CHECK, FIELD, HERE, PLAY, PLAYING, POSITION, REPLAY, SHOW, Case, sparse, trial

LAYER = TOY["layer.yaml"]
CHANGE = ("change", "toy", "evil", "--dir", "@/out")
COVERAGE = ("coverage", "toy", "--ledger", "@/ledger", *HERE)
CARDS = "  - {side: north, units: {runner: 2}, sets_up: {columns: 1..1}}"
PIECE = "  - {name: P%d, type: runner, at: A1}\n"
CHAIN = {
    f"d{n}/layer.yaml": f"layer: d{n}\ntitle: D\nkind: optional\non: [{f'd{n - 1}' if n else 'toy'}]\n"
    for n in range(300)
}
EQUIVALENT = (
    LAYER
    + "equivalent:\n"
    + "".join(f"  - {{in: tired-legs, was: {n} MP, now: {n + 1} MP, why: x}}\n" for n in range(4_000))
)
LEDGER = "".join(f"- {{id: TOY.%d{n}}}\n" for n in range(9_000))
SYNONYMS = LAYER + "see:\n" + "".join(f"  word{n}: [march, marsh]\n" for n in range(20_000))
SIDES = FIELD.replace("sides: {hedge: [A2/A3]}", "sides: {hedge: [" + "A2/A3, " * 40_000 + "A2/A3]}")
GOALS = FIELD + 'victory:\n  north:\n    the goal: "' + "yes or " * 8_000 + 'yes"\n'
SPECIAL = FIELD + "special:\n" + "".join(f'  - "x {n}"\n' for n in range(20_000))
SEEN_TWICE = PLAYING.replace("choose to from neighbors(mover.hex)", "choose to from neighbors(mover.hex)" * 2)


def card(old: str, new: str) -> Mapping[str, Content]:
    """Replace a text of the card of the game."""
    assert old in FIELD, old
    return {"field.yaml": FIELD.replace(old, new)}


def position(more: str) -> Mapping[str, Content]:
    """Write a position with additional text."""
    return {"p.yml": POSITION + more}


def ledger(content: Content) -> Mapping[str, Content]:
    """Write a ledger of one file."""
    return {"ledger/items.yaml": content}


FORMS: Mapping[str, tuple[Mapping[str, Content], tuple[str, ...], str]] = {
    "a card of a million turns": (card("turns: 6", "turns: 1000000"), PLAY, "R0"),
    "a card of 10^9 runners": (card("{runner: 2}", "{runner: 1000000000}"), PLAY, "R0"),
    "a card of 3,000 runners": (card("{runner: 2}", "{runner: 3000}"), SHOW, ""),
    "set up in columns without end": (card("columns: 1..1}", "columns: 1..1000000000000}"), CHECK, ""),
    "a goal of 8,000 ors": ({"field.yaml": GOALS}, CHECK, "R0"),
    "a card of 20,000 remarks": ({"field.yaml": SPECIAL}, CHECK, "R0"),
    "2,000 forces": (card(CARDS, "\n".join([CARDS] * 2_000)), CHECK, ""),
    "a goal in a deep list": (card("goal: B4", f"goal: {'[' * 400}B4{']' * 400}"), CHECK, "R0"),
    "a map of 10^9 columns": (card("columns: 6, rows", "columns: 1000000000, rows"), SHOW, "R0"),
    "one hexside, 40,000 times": ({"field.yaml": SIDES}, CHECK, "R0"),
    "a hex of 10^400": (card("marsh: [B3, C3]", f"marsh: [B{'9' * 400}]"), CHECK, "R0"),
    "a range of hexes without end": (card("marsh: [B3, C3]", "marsh: [A1..ZZZZZZ999999]"), CHECK, "R0"),
    "9,000 pieces in a hex": (position("".join(PIECE % n for n in range(9_000))), ASK, ""),
    "a piece called twice": (position("".join(PIECE % 1 for _ in range(2_000))), ASK, "R0"),
    "a position on 400 options": (
        {"p.yml": POSITION.replace("stack: toy", f"stack: toy{'+toy' * 400}")}, ASK, "",
    ),
    "a turn below none": (position("turn: -1\n"), ASK, "R0"),
    "300 layers, each on the one before": (CHAIN, ("check", "d299", *HERE), "R0121"),
    "4,000 equivalent entries": ({"layer.yaml": EQUIVALENT}, CHECK, ""),
    "20,000 words of an index": ({"layer.yaml": SYNONYMS}, CHECK, ""),
    "a game with dice of 10^400": ({"t.trial": trial(dice=[10**400])}, REPLAY, "is no recorded game"),
    "a game of a list of stacks": ({"t.trial": trial({"stack": ["toy"]})}, REPLAY, "is no recorded game"),
    "a ledger of 40 files of 9,000 items": (
        {f"ledger/{n}.yaml": LEDGER % ((n,) * 9_000) for n in range(40)}, COVERAGE, "R0121",
    ),
    "a ledger of items without a name": (ledger("- {text: x}\n" * 9_000), COVERAGE, "R0606"),
    "a ledger of 800 megabytes": (ledger(sparse("- {id: TOY.1}\n")), COVERAGE, "R0121"),
    "a ledger for a terminal": (ledger('- {id: "TOY.\\e[2J1"}\n'), COVERAGE, "R0104"),
    "a change of a number without end": (
        {}, (*CHANGE, "--number", "tired-legs", "1 MP", f"{'9' * 5_000} MP", "--why", "x", *HERE), "",
    ),
    "a change for a terminal": (
        {}, (*CHANGE, "--status", "so\x1b[31m", "--of", "unit", "--marker", "x\x1b]0;y\x07", "--why", "x", *HERE), "",
    ),
    "a change into another folder": (
        {}, ("change", "toy", "../../evil", *CHANGE[3:], "--status", "so", "--of", "unit", "--why", "x", *HERE), "",
    ),
    "facts that are deep": (
        {"m.yaml": f"facts: {'{a: ' * 900}1{'}' * 900}\n"}, ("import", "@/m.yaml", "-o", "@/out"), "",
    ),
    "a choice twice in a line": ({"playing.rules": SEEN_TWICE}, CHECK, "R0411"),
}  # fmt: skip


def cases() -> Iterator[Case]:
    """Yield all cases, ten of a kind."""
    for number, (name, (files, command, says)) in enumerate(FORMS.items()):
        yield Case(name, f"form {number // 10}", files, command, says, seconds=30, mebibytes=900)
