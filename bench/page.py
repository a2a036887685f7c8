"""Write docs/performance.md from what was found."""

from collections.abc import Iterable, Iterator

from bench.finding import AT_MOST, INTERPRETER, Finding

PAGE = "docs/performance.md"

INTRODUCTION = """# How fast it is

Written by `python3 -m bench --write`; every section comes from one run. Ratios are taken within a run, sides taking
turns, best of several rounds; seconds are of CPU, and only two processes against one and checks go by the clock on
the wall. A busy machine shows in the seconds more than in the ratios, and most of all in that line: two processes
need two cores to themselves. Below it stands what both take of CPU for each second of one; two divided by that is
what they gain where they have them. Every engine's answers were checked before it was timed. `--json` gives the same
as data, `--quick` asks less, `--only SECTION` measures one part, `--found FILE` takes up what an earlier `--json`
found; peers are installed by the first run, and those that could not be are listed as absent.

A target in brackets is the most or the least that is wanted; what misses it says so.

Measured with {interpreters}.
The build of Python counts in all that is given in seconds: one that was compiled without profile-guided optimization,
as pyenv does unless told otherwise, took up to half as long again on the same machine.
"""

LIMITS = """## How far from the limit

- A question of a single term costs up to six tenths more than hand-written Python, as the tables above show. What is
  left is the check that an answer lies in its term's domain, small functions that call each other where one would write
  them out, and sets that are made only to be counted: the strength of a unit counts its targets twice, once for each
  class, where somebody who writes it by hand counts them once. `rulewright dump STACK --stage generated` shows them.
- A batch is one gather in NumPy; below that lies only the memory.
- A player at random lists no options: what might be one is tried in random order until one is legal, and another, which
  makes it a decision. So it asks of a few candidates what others ask of all, and that is where its games are faster
  than those of the greedy player, who has to see all that is open. What is left of its time goes mostly into offers in
  which hardly anything is open: that nobody can be shot at takes asking everybody. Rules that exclude each other
  leave at the first that speaks, and whoever is wanted near a hex is looked for in the hexes around it. An event lets
  go all answers that were kept of the position. To keep those that it does not concern, to specialize terms to what
  is known of their arguments and to ask ahead what a later choice needs were tried in turns with this: most games
  gained no more than chance, one a third. So 20,000 stay out of reach of plain Python for a situation of 60 units;
  compiled modules are for that. The games that count are played after a hundred others, as those of an experiment
  are: until then lines of sight are looked along that nobody has seen yet. What a first game generates is kept on the
  disk by the hash of its rules, so the next process begins at once.
- In compiled code the greedy player keeps to its target, barely, and so do Hex and the memory of a game; the module
  of the largest stack takes longer since its rules have grown. A decision at random does not: with 60 units one takes
  eight to twelve yardsticks, with 200 four to five times what one takes with 20. A profile of 200 units (`perf` over
  wasmtime's map of functions, shares of the time within the module): `can_see` 8 percent, `may_hide_under` 7,
  `observers` 6, `can_observe` 5, `may_join` 5, `spotted` and `target_class` 4 each, `may_place` 3, arithmetic of
  ratios 8, all others under 3 each. About half of it is who may direct fire and who may join in it: an offer asks of
  each action whether it can be finished, and that nobody can take part is found by asking everybody. Between two
  decisions a unit has moved, so what is asked of all units is asked anew, though from tables that hold what is known
  of each as long as that unit stands still. Sets of units that are kept up with what has changed since (who observes
  a hex) would save at most a fifth of it; the rest is many small conditions of which none stands out. What paid: an
  entry of its own for each question in a table (a decision with 200 units took a third of the time), answers kept
  until what they read has changed, and more of them (a quarter to a third less), steps counted in loops in place of
  the machine's fuel (a quarter less), games begun by a copy of their opening and members of sets listed word by word
  (Hex took half as long), ratios of one denominator compared by their numerators and not reduced (200 units, three
  runs in turns: 0.89 to 0.95 of the time). Tried and left out: quick conditions that cannot fail asked before those
  that may (a tenth less, but then one engine has an answer where the other has none), the hash of dice by SIMD, two
  words at a time (a twentieth more), clauses that bar in order of cost and exceptions asked only where what they lift
  holds (0.98 with 200 units, 1.02 with 60), verdicts written as conjunctions (0.97 to 1.00).
- A layer switched reads no file again, and goes through what is new: each layer is collected once, declares into the
  world of the layers below it, and of an earlier stack like this one only what asked for a name that means something
  else now is looked at; rules, terms and phases are taken over by name, all of one sort together. The hash is SHA-256
  over a megabyte of rules, put together again whenever one of them is another, for two thirds of a millisecond. The
  first time a layer is switched on, half of the time goes into reading, typing and writing out what it says, which for
  the option in the middle of the five are six kilobytes.
- Games in plain Python take up to twice the time that this page gave a week before. The machine accounts for a tenth to
  a third of that; rules that have grown and memos that were given up (docs/architecture.md) for the rest, which was not
  taken apart.
- The shipped rules have grown by half since all stacks were compiled within two seconds (`panzer_leader` with what it
  stands on from 12,700 lines of rules and examples to 18,700, ten stacks more), and the checks of a whole stack are
  43: these take 0.8 s of `panzer_leader` after each edit, a third of it the comparison of sentences with their laws.
- A `check` of `panzer_leader` after an edit of a law, 3.0 s on two cores: a new process starts in 0.4 s, and reads,
  types and hashes the stack in 0.8 s, examples being half of what is typed; then two processes share 0.7 s of rules
  proved again, 0.6 s of checks of the whole stack, 0.4 s of other stacks compiled and 1.7 s of games, one for each
  card and action that asks the rule: only play finds an offer that cannot be finished. An example asks for the first
  half of this only. What paid: the collector of garbage looks after 10,000 objects instead of 700 (a fifth of a short
  command), other layers are not read for a change of the stack's own files, checks that take longest begin first (an
  editor had what the rules prove in 1.06 s, and now in 0.92). A process that stays, as an editor's does, has the
  stack at hand; its games still take a second.
- From cold, three tenths of the time of all stacks go into the parser, three microseconds a word; nodes and their
  places are what it makes. A third is making what is new, and the rest is what a layer switched takes, once for each
  stack. No garbage is looked for meanwhile: that took a fifth of the time, and these tables never counted it.
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
        met = each.note or {True: "yes", False: "**no**", None: ""}[each.met]
        ours, peer = (amount(value, each.unit) for value in (each.ours, each.peer))
        ratio = "" if each.ratio is None else number(each.ratio)
        yield f"| {each.name} | {ours} | {peer} | {ratio} | {wanted} | {met} |"


def table(findings: Iterable[Finding]) -> str:
    """Write the findings for a terminal."""
    text = []
    section = ""
    for each in findings:
        if each.section != section:
            section = each.section
            text.append(f"\n{section}")
        met = each.note or {True: "met", False: "MISSED", None: ""}[each.met]
        wanted = "" if each.target is None else f"{'<=' if each.bound == AT_MOST else '>='} {number(each.target)}"
        ratio = "" if each.ratio is None else number(each.ratio)
        ours, peer = (amount(value, each.unit) for value in (each.ours, each.peer))
        text.append(f"  {each.name:66} {ours:>12} {peer:>12} {ratio:>8} {wanted:>8} {met}")
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
