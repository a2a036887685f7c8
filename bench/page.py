"""Write docs/performance.md from what was found."""

from collections.abc import Iterable, Iterator

from bench.finding import AT_MOST, INTERPRETER, Finding

PAGE = "docs/performance.md"

INTRODUCTION = """# How fast it is

This page is for readers who want to know how fast Rulewright answers, compiles and plays, and how this compares with
other engines and with hand-written code. `python3 -m bench --write` writes it, and every section comes from one run.

The two sides of a ratio take turns within one run, and the best of several rounds counts. Seconds are CPU seconds;
only the rows of two processes against one and the checks use the wall clock. A busy machine affects the seconds more
than the ratios. It affects the row of two processes most, because they need two cores to themselves. The row below it
compares the CPU seconds of both. Two divided by that ratio is the gain of two processes on two free cores. The bench
compared every engine's answers with ours before it measured the time.

`--json` writes the same as data, `--quick` measures less, `--only SECTION` measures one part, and `--found FILE` uses
the results of an earlier `--json`. The first run installs the peers, and the page lists those that it could not
install as absent.

Programs in C (`bench/in_c`) are compiled with gcc, `-O3 -march=native`; without it their rows say that it is absent.
Playouts by hand in C have the winners, lengths and legal moves of ours, which is tested before the clock starts. March
and fire in C have a tenth of the rules of Panzer Leader, and the first lines of the program say which.

A number in brackets is a target, the most or the least that is wanted; the last column shows whether the row meets
it.

Measured with {interpreters}.
The build of Python affects all seconds. A build without profile-guided optimization, which is the default of pyenv,
took up to half as long again on the same machine.
"""

LIMITS = """## How far from the limit

- A question of a real term costs up to one and a half times more than hand-written Python: its answer is checked
  against the domain of its term, small functions call each other, and sets that are only counted are made.
  `rulewright dump STACK --stage generated` shows the code. A batch is one gather in NumPy; only the memory limits
  it.
- A random player lists no options: it tries candidates until it finds a legal one, so its games are faster than
  those of the greedy player. Most of the time goes into offers in which few options are open, as every unit has to
  be asked about. Plain Python cannot reach 20,000 decisions a second with 60 units; compiled modules are for that.
- In compiled code 80 % of a random decision is the question which options are open. Who may fire at a target takes
  18 % with 60 units and 23 % with 200: the units of a side that are able to fire, and those of them that reach a
  hex, are sets that stay valid until a place or a status changes, which each attack does; what depends on the
  targets, 7 to 11 %, is asked for each set of them. Groups of firers take 14 to 22 %, the storm of hexes a tenth,
  engineers' works 7 to 10 %; no function takes more than 5 % itself. C that tries units keeps nothing of this, as it
  has a tenth of the rules. Memos of the tests after each choice of an action gained nothing, as nearly every choice
  changes a field that they read of any piece: the wanted ratios need changes numbered by piece and field.
- A choice in a random game of an abstract game takes 0.12 us in Hex to 0.4 us in Connect Four: a fifth of it is
  random numbers, as each choice has a stream of its own, a third procedures and their frames, the rest the rules.
  What sets of bits cannot answer at once is asked of each candidate: in Connect Four, whether a disc rests in an
  empty space.
- A greedy player with aims plans in Python before each phase of its own. That is a tenth of the time of a wargame, but
  most of it in before_winter, where a whole game without plans takes less than a tenth of a millisecond.
- To make a module of all rules of `panzer_leader`, 36 % of the time is the compilation of WebAssembly to machine code
  by wasmtime, 6 % is the assembly of its text, the rest are lowering and passes, an eighth of it common
  subexpressions, without which games take 1.02 to 1.08 times as long. Wasmtime without optimization takes a quarter
  less, and games take 1.05 times as long, those of Hex 1.15 times; with registers allocated in one pass it takes half,
  and games 1.5 to 1.8 times as long. One thread takes the same CPU time as two.
- From cold, a third of the time of a stack is spent in the parser, a third on what is new. A switch of one layer
  reads no file again; the hash of a megabyte of rules is most of what is left.
- After an edit of a law `check` plays one game for each card and action that asks the rule, because only play finds
  an offer that cannot be completed. An edit of an example needs none of these.
- Of `diff` of two games, two fifths are the search for positions in which one of 260 changed rules decides, a fifth
  the replay of the examples of both, an eighth making positions smaller, a tenth what the examples ask, and a tenth
  the search for positions of procedures. Each position is set up in both stacks, which takes a third of all.
- Of a book that is written for the first time, two fifths are the playing and explaining of examples by the
  interpreter, a sixth the data of live pages, which play the same examples up to their first question once more (a
  twentieth of all), a quarter the pages, a twelfth the rules. To play examples once for both, positions would have to
  be stored with the evidence: they are encoded for a module that depends on the questions of all examples.
"""

HEADS = "| what | ours | peer | ratio | wanted | met |\n| --- | ---: | ---: | ---: | ---: | --- |"


def page(findings: Iterable[Finding]) -> str:
    """Write the page."""
    sections: dict[str, list[Finding]] = {}
    for finding in findings:
        sections.setdefault(finding.section, []).append(finding)
    interpreters = dict.fromkeys(finding.name for finding in sections.pop(INTERPRETER, ()))
    parts = [INTRODUCTION.format(interpreters=" and ".join(interpreters) or "a Python unknown")]
    for name, found in sections.items():
        parts.append("\n".join([f"## {name[0].upper()}{name[1:]}", "", HEADS, *lines(found)]) + "\n")
    return "\n".join([*parts, LIMITS])


def lines(found: Iterable[Finding]) -> Iterator[str]:
    """Write one line a finding."""
    for each in found:
        wanted = "" if each.target is None else f"({'≤' if each.bound == AT_MOST else '≥'} {number(each.target)})"
        verdict_text = each.note or {True: "yes", False: "**no**", None: ""}[each.is_met]
        own_time, peer = (amount(value, each.unit) for value in (each.own_value, each.peer))
        ratio = "" if each.ratio is None else number(each.ratio)
        yield f"| {each.name} | {own_time} | {peer} | {ratio} | {wanted} | {verdict_text} |"


def table(findings: Iterable[Finding]) -> str:
    """Write the findings for a terminal."""
    text = []
    section = ""
    for each in findings:
        if each.section != section:
            section = each.section
            text.append(f"\n{section}")
        verdict_text = each.note or {True: "met", False: "MISSED", None: ""}[each.is_met]
        wanted = "" if each.target is None else f"{'<=' if each.bound == AT_MOST else '>='} {number(each.target)}"
        ratio = "" if each.ratio is None else number(each.ratio)
        own_time, peer = (amount(value, each.unit) for value in (each.own_value, each.peer))
        text.append(f"  {each.name:66} {own_time:>12} {peer:>12} {ratio:>8} {wanted:>8} {verdict_text}")
    return "\n".join(text) + "\n"


def amount(value: float | None, unit: str) -> str:
    """Write an amount with its unit."""
    if value is None:
        return ""
    if unit == "share":
        return f"{value:.0%}"
    if unit == "s" and value < 0.1:
        return f"{number(value * 1000)} ms" if value >= 0.0001 else f"{number(value * 1e6)} us"
    return f"{number(value)} {unit}"


def number(value: float) -> str:
    """Write a number with three digits that count."""
    return (
        f"{value:,.0f}"
        if value >= 100
        else f"{value:.1f}"
        if value >= 10
        else f"{value:.2f}"
        if value >= 0.1
        else f"{value:.3f}"
    )
