"""Further hostile inputs: patches, stages, records, tasks, word searches, and books printed from them.

Each case is limited to 30 s and 900 MiB, printing to 2,000.
"""

from collections.abc import Iterator, Mapping

from tests.safety.confine import TOY, Content
from tests.safety.hostile import ASK, BOOK, CHARTS, CHECK, FIELD, HERE, PLAY, PLAYING, POSITION, WIDE, Case

HOOK = 'after end of movement [TOY.1] "x" '
PAPER = (*BOOK, "--pdf")
TEST = ("test", "toy", *HERE)
UNTOLD = 'example "x" {\n  row A\n  ask 1 = 1\n}\n'


def rules(text: str) -> dict[str, Content]:
    """Return a file of rules in addition to the game."""
    return {"x.rules": text}


def option(text: str, **more: str) -> dict[str, Content]:
    """Return the files of an option on the game."""
    top = {"more/layer.yaml": "layer: more\ntitle: More\nkind: optional\non: [toy]\n", "more/x.rules": text}
    return {**top, **{f"more/{name}.yaml": content for name, content in more.items()}}


OPTION = ("check", "toy+more", *HERE)
PATCHED = "".join(
    f'rule p{n} [TOY.1] "x"\n  replaces cell price[marsh, wheel] = 6 MP by {n % 9} MP\n' for n in range(2_000)
)
FORCES = "patch: first_toy\ncites: TOY.1\nforces:\n" + "  - {side: north, unit: runner, expect: 2, now: 1}\n" * 3_000
STAGED = "value v(u: unit): 0..9 in stages a, b\n" + "".join(
    f"extend stages v: s{n} after {f's{n - 1}' if n else 'a'}\n" for n in range(1_500)
)
CIRCULAR = "value v(u: unit): 0..9 in stages a, b\nextend stages v: c after d\nextend stages v: d after c\n"
NESTED_SETS = f"track game.s: {'set of ' * 3_000}hex = {{}}\n"
PHASES = "".join(
    f'insert phase p{n} "P" {{ offer march until yes }} after {f"p{n - 1}" if n else "movement"}\n' for n in range(600)
)
AMENDED = "".join(f'rule w{n} [TOY.1] "x"\n  inserts {{ stop }} before phase movement\n' for n in range(600))
TASKS = (
    "task t(by: side) counts stood: 0..9 MP each end of own_turn { "
    "lost when some(x in all t where x.stood > this.stood) starts over when some(x in all t where x = this) }\n"
    f"{HOOK}{{ for each h in all hex {{ write t(by: north) }} }}\n"
)
LIST = "track game.l: list of hex = {} until end of game\n"
GROWN = f"{LIST}{HOOK}{{ for each h in all hex {{ for each l in all hex {{ add l to game.l }} }} }}\n"
SELF_ENDING = "relation near(one: unit, two: unit) ends when some(u in all unit where near(u, one)) "
SELF_ENDING += "and none(v in one.two where v = two)\n"
ALIKE_SIGNS = "".join(f"enum e{n}: {'l' * n}I{'l' * (400 - n)}\n" for n in range(400))
LOOK_ALIKE = FIELD.replace("title: The Field", 'title: "Th\u0435 Fi\u0435ld"')
ESCAPED = TOY["sources.yaml"].replace("title:", 'note: "\\e]8;;http://x\\a"\n    title:')
TYPST = '#eval("while true {}") #image("/etc/passwd") ```rust``` $ integral $ @ref = - + / *a _b  ~ '
SENTENCE = 'rule r [TOY.1] "%s"\n  may_enter forbidden\n  when mover is tired and to is wood\n'
TIRED = "piece R: runner of north at A (tired)"
SENTENCE += f'example "y" {{\n  row A, B wood\n  {TIRED}\n  ask may_enter(R, A, B) = forbidden by r\n}}\n'
EMBEDDED = CHARTS + f"titles: {{runner: '{TYPST}'}}\n"
ANCHORS = (
    "scenario: arc\ntitle: Arc\nuses: toy\nmap: [[toy_field]]\nturns: 3\norder: [north, south]\n"
    "forces: &f\n  - &a {side: north, units: {runner: 1}, sets_up: {columns: 1..1}}\n"
    + "  - *a\n" * 400
    + "special: *f\n"
)
WAY = "".join(f"A{n % 4 + 1}, " for n in range(100_000))
MANY_NOTES = POSITION.replace("at: A1}", "at: A1, notes: [" + "tired, " * 50_000 + "tired]}")
TALK = "half a cart or none of one of the two or more of three at most four " * 4_000
CHOICES = "".join(f"  choose h{n} from all hex\n" for n in range(300))
MORE: Mapping[str, tuple[Mapping[str, Content], tuple[str, ...], str]] = {
    "2,000 patches of one cell": (option(PATCHED), OPTION, "R0314"),
    "3,000 patches of one force": (option("", forces=FORCES), OPTION, "R0"),
    "1,500 stages one behind the other": (rules(STAGED), CHECK, "R0"),
    "stages in a circle": (rules(CIRCULAR), CHECK, "R0"),
    "a set of sets, 3,000 deep": (rules(NESTED_SETS), CHECK, "R0"),
    "600 phases one behind the other": (rules(PHASES), PLAY, ""),
    "600 steps before one phase": (rules(AMENDED), PLAY, ""),
    "tasks that look at each other": ({"field.yaml": WIDE, **rules(TASKS)}, PLAY, "R0"),
    "a list that grows": ({"field.yaml": WIDE, **rules(GROWN)}, PLAY, "R0555"),
    "pairs that end by pairs": (rules(SELF_ENDING), PLAY, ""),
    "400 names that look alike": (rules(ALIKE_SIGNS), CHECK, "R0512"),
    "a title with letters of two alphabets": ({"field.yaml": LOOK_ALIKE}, CHECK, "R0108"),
    "a source with a link for a terminal": ({"sources.yaml": ESCAPED}, CHECK, "R0104"),
    "a card of anchors": ({"arc.yaml": ANCHORS}, CHECK, "R0603"),
    "a sentence that is a program, on paper": (rules(SENTENCE % TYPST.replace('"', "'")), PAPER, ""),
    "a counter that is a program, on paper": ({"charts.yaml": EMBEDDED}, PAPER, ""),
    "a sentence of 60,000 words, on paper": (rules(SENTENCE % ("word " * 60_000)), PAPER, ""),
    "a word of 100,000 letters, on paper": (rules(SENTENCE % ("w" * 100_000)), PAPER, ""),
    "amounts without end": (rules(SENTENCE % TALK), CHECK, ""),
    "a way of 100,000 hexes": ({"p.yml": POSITION.replace("at: A1", f"at: A1, trail: [{WAY}A1]")}, ASK, "R0"),
    "50,000 notes on a piece": ({"p.yml": MANY_NOTES}, ASK, "R0"),
    "words without end": ({}, ("ask", "toy", "half track road rate " * 4_000, *HERE), ""),
    "a change that is a rule": (
        {}, ("change", "toy", "evil", "--forbid", 'may_enter"\n  when yes\nrule x [TOY.1] "', *HERE), "",
    ),
    "10,000 examples of one title": (rules(UNTOLD * 10_000), TEST, ""),
    "an action of 300 choices": (
        {"playing.rules": PLAYING.replace("  move mover to to\n", f"{CHOICES}  move mover to to\n")},
        PLAY, "",
    ),
}  # fmt: skip


def cases() -> Iterator[Case]:
    """Yield all cases; the first ones are a kind of their own."""
    for number, (name, (files, command, says)) in enumerate(MORE.items()):
        paper = command == PAPER
        kind = f"more {(number + 8) // 10}"
        yield Case(name, kind, files, command, says, seconds=30, mebibytes=2_000 if paper else 900)


assert TOY["sources.yaml"] != ESCAPED  # Otherwise the replacement above did not apply.
