"""No package makes a command run endlessly or exhaust the memory: each bound is reported as an error with its code."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.safety.confine import TOY, Content, confined, package
from tests.sample import first_of_each, sampled

RULE = 'rule r [TOY.1] "x"\n  may_enter forbidden\n  when '
HOOK = 'after end of movement [TOY.1] "x" '
PLAYING = TOY["playing.rules"]
FIELD = TOY["field.yaml"]


def define(name: str, body: str, answer: str = "0..9", hex_: str = "h") -> str:
    """Write a definition with a hex as its parameter."""
    return f'define {name}({hex_}: hex): {answer} [TOY.1] = {body} reads "x"\n'


def chain(length: int) -> str:
    """Write definitions, each of which asks the next."""
    return "".join(define(f"a{n}", f"a{n + 1}(h)") for n in range(length)) + define(f"a{length}", "1")


def tower(height: int) -> str:
    """Write exceptions, each to the two above it; code that inlines them doubles in size with each."""
    rules = [f'rule e{n} [TOY.1] "x"\n  exception to e{n + 1}, e{n + 2}\n  when to is marsh\n' for n in range(height)]
    base = [f'rule e{height + n} [TOY.1] "x"\n  may_enter forbidden\n' for n in (0, 1)]
    return "".join([*rules, *base])


def squared(times: int) -> str:
    """Write definitions, each of which squares the one before."""
    steps = (f"define f{n}(u: unit) [TOY.1] = f{n - 1}(u) * f{n - 1}(u)\n" for n in range(1, times + 1))
    return "define f0(u: unit) [TOY.1] = 1/3\n" + "".join(steps)


OFFER = PLAYING.replace("offer march until yes", "offer idle until no")
IDLE = '\naction idle by player in movement [TOY.1] "x" reads "x" { choose h from all hex }\n'
ROLLING = define("n", "count(i in all big where i > 3)", "0..999999999")
SQUARES = "".join(define(f"b{n + 1}", f"b{n}(h) * b{n}(h)", "number") for n in range(30))

# Files in addition to the toy game, the command, and the expected error code; "" if the files are harmless.
HOSTILE: dict[str, tuple[dict[str, Content], str, str]] = {
    "a factor of a thousand million values": (
        {"world.rules": TOY["world.rules"].replace("movement: 0..12 MP", "movement: 0..999999999 MP")},
        "check",
        "",
    ),
    "a die of a thousand million sides": (
        {"x.rules": f'domain big = 1..999999999\nresolution r() [TOY.1] "x" {{ roll d: big }}\n{HOOK}{{ do r() }}\n'},
        "play",
        "",
    ),
    "a number of thirteen digits": ({"x.rules": "domain big = 1..1000000000000\n"}, "check", "R0105"),
    "a count over a huge domain": (
        {"x.rules": f"domain big = 1..999999999\n{ROLLING}{RULE}n(to) = 3\n"},
        "play",
        "R0411",
    ),
    "a thousand million turns": (
        {"playing.rules": PLAYING.replace("1..scenario.turns", "1..999999999")},
        "play",
        "R0411",
    ),
    "a card of a million turns": ({"field.yaml": FIELD.replace("turns: 6", "turns: 999999")}, "play", "R0121"),
    "a board of a million columns": (
        {"field.yaml": FIELD.replace("columns: 6, rows: 4", "columns: 999999, rows: 9")},
        "play",
        "R0121",
    ),
    "a section of a million items": (
        {"sources.yaml": TOY["sources.yaml"] + "  - {prefix: BIG, title: B, sections: {A: 999999}}\n"},
        "check",
        "R0121",
    ),
    "a range of a million items": (
        {"x.rules": 'rule r [TOY.1-.1000000] "x"\n  may_enter forbidden\n'},
        "check",
        "R0106",
    ),
    "a chain of a thousand questions": ({"x.rules": f"{chain(1000)}{RULE}a0(to) = 3\n"}, "play", "R0411"),
    "a tower of exceptions": ({"x.rules": tower(40)}, "play", "R0411"),
    "a tower that is just allowed": ({"x.rules": tower(11)}, "play", ""),
    "squares of squares": (
        {"x.rules": f"{define('b0', '999999999', 'number')}{SQUARES}{RULE}b30(to) = 3\n"},
        "play",
        "R0411",
    ),
    "an action that changes nothing, for ever": ({"playing.rules": OFFER + IDLE}, "play", "R0555"),
    "resolutions that call each other": (
        {
            "x.rules": 'resolution r() [TOY.1] "x" { do s() }\nresolution s() [TOY.1] "x" { do r() }\n'
            f"{HOOK}{{ do r() }}\n"
        },
        "play",
        "R0555",
    ),
    "a choice among all sets of hexes": (
        {
            "playing.rules": PLAYING.replace(
                "from neighbors(mover.hex) preferring 0 - way_left(mover, to)",
                "from neighbors(mover.hex)\n  choose any hs from all hex",
            )
        },
        "play",
        "",
    ),
    "five thousand conditions": ({"x.rules": RULE + " or ".join(["to is marsh"] * 5_000) + "\n"}, "play", ""),
    "a hundred thousand parentheses": (
        {"x.rules": f"{RULE}{'(' * 100_000}to is marsh{')' * 100_000}\n"},
        "check",
        "R0107",
    ),
    "a hundred thousand nots": ({"x.rules": f"{RULE}{'not ' * 100_000}to is marsh\n"}, "check", "R0107"),
    "a hundred thousand brackets in YAML": ({"x.yaml": "table: " + "[" * 100_000}, "check", "R0107"),
    "a YAML bomb": (
        {"x.yaml": "table: &a [x]\n" + "".join(f"k{n}: &b{n} [*a, *a]\n" for n in range(99))},
        "check",
        "R0603",
    ),
    "a line of a megabyte": (
        {"x.rules": f'rule r [TOY.1] "{"x" * 900_000}"\n  may_enter forbidden\n  when 1 = 2\n'},
        "check",
        "",
    ),
    "a number squared eighteen times": ({"x.rules": squared(18)}, "check", ""),
    "questions that each ask the last one twice": ({"x.rules": squared(60)}, "check", "R0411"),
    "every hex for every hex for every hex": (
        {"x.rules": f"{RULE}{''.join(f'some(h{n} in all hex where ' for n in range(7))}h0 != h0{')' * 7}\n"},
        "check",
        "R0411",
    ),
    "an example with ten thousand pieces": (
        {
            "x.rules": 'example "x" {\n  row A\n'
            + "".join(f"  piece P{n}: runner at A\n" for n in range(10_000))
            + "  ask 1 = 1\n}\n"
        },
        "check",
        "R0411",
    ),
    "ten megabytes": ({"x.rules": "# x\n" * 2_500_000}, "check", "R0121"),
    "layers in a circle": (
        {f"l{n}/layer.yaml": f"layer: l{n}\ntitle: x\nkind: joint\non: [toy, l{(n + 1) % 3}]\n" for n in range(3)},
        "check",
        "",
    ),
}
COMMANDS = {"check": ["check", "toy"], "play": ["play", "first_toy"]}


# Every run has the first of each command and error.
@sampled(1)
@pytest.mark.parametrize("name", first_of_each(HOSTILE, lambda name: HOSTILE[name][1:]))
def test_a_hostile_package_has_its_error_and_no_other(name: str, tmp_path: Path) -> None:
    files, command, code = HOSTILE[name]
    top = package(tmp_path, files)
    outcome = confined([*COMMANDS[command], "--path", str(top), "--format", "json"])
    assert outcome.output.err == ""
    found = outcome.output.data.get("diagnostics", ())
    errors = [each["code"] for each in found if each["severity"] == "error"]
    assert set(errors) == ({code} if code else set()), outcome.output.out[:2000]
    assert outcome.output.code == int(bool(code))


@sampled(1)
@pytest.mark.parametrize(
    ("far", "message"), [(900_000, "more than 10,000 units"), (9_000, "pixels"), (400, "drawn into")]
)
def test_a_picture_of_points_a_unit_apart_is_bounded(far: int, message: str, tmp_path: Path) -> None:
    points = f"kind: points\nspaces: {{Aa: {{at: [0, 0]}}, Bb: {{at: [1, 0]}}, Cc: {{at: [{far}, 1]}}}}\n"
    board = f"board: far\ntitle: Far\n{points}connections: [Aa-Bb, Bb-Cc]\n"
    top = package(tmp_path, {"far.yaml": board})
    result = confined(["show", "far", "--rules", "toy", "--path", str(top), "--out", str(tmp_path / "far.png")]).output
    assert message in result.out + result.err


@sampled(0)
@pytest.mark.skipif(sys.platform != "linux", reason="NOT CHECKED: memory is not bounded here")
def test_without_memory_for_a_module_the_machine_plays_and_reports_it() -> None:
    words = ["compare", "before_the_tide", "-n", "1", "-j", "1", "--players", "random", "--engine", "native"]
    # In a process of its own, since a fork of this one may already have a module.
    limited = f"ulimit -v {1 << 20}; exec {sys.executable} -P -m rulewright {' '.join(words)}"
    done = subprocess.run(["sh", "-c", limited], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "played by the machine, since compiled code gets no memory here" in done.stdout + done.stderr
