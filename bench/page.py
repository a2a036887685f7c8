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

A number in brackets is a target, the most or the least that is wanted; the last column shows whether the row meets
it.

Measured with {interpreters}.
The build of Python affects all seconds. A build without profile-guided optimization, which is the default of pyenv,
took up to half as long again on the same machine.
"""

LIMITS = """## How far from the limit

### Questions

- A question of a single term costs up to six tenths more than hand-written Python, as the tables above show. One part
  of the difference is the check that an answer is in the domain of its term. Another is small functions that call
  each other, where an author by hand would inline them. The third is sets that are only counted: the strength of a
  unit counts its targets twice, once for each class, and the hand-written code counts them once. `rulewright dump
  STACK --stage generated` shows them.
- An answer is memoized for a map only if it costs more than the reads of its key. While each key was taken to cost the
  same, one condition with five cheap reads was memoized, and `strength` took 2.7 times as long as without.
- A batch is one gather in NumPy; only the memory limits it.

### Games in Python

- A random player lists no options. It tries candidates in random order until it finds one legal option and then
  another, which makes it a decision. So it asks about a few candidates, where other players ask about all of them.
  This is why its games are faster than those of the greedy player, which has to list all open options.
- The rest of its time is mostly spent on offers in which few options are open: to find that no unit can be a target,
  the engine has to ask about every unit. Of rules that exclude each other, evaluation stops at the first live one. To
  find units near a hex, the engine looks at the hexes around it. An event invalidates all memoized answers about the
  position.
- We tried three further changes in turns with this version: keep the answers that an event does not affect,
  specialize terms to what is known of their arguments, and evaluate in advance what a later choice needs. Most games
  gained no more than chance, one a third. So plain Python cannot reach 20,000 decisions a second in a situation of 60
  units; compiled modules are for that.
- The games that count follow a hundred others, like those of an experiment. Before that the engine computes many
  lines of sight for the first time. The store keeps on disk what a first game generates, under the hash of its rules,
  so the next process begins at once.
- Games in plain Python take up to twice the time that this page gave a week before. The machine accounts for a tenth
  to a third of that. Larger rules and removed memos (docs/architecture.md) account for the rest, which we did not
  analyze.

### Games in compiled code

- In compiled code the greedy player meets its target barely, and so do Hex and the memory of a game. The module of
  the largest stack takes longer than its target since its rules have grown.
- A random decision misses its target. With 60 units one takes eight to twelve yardsticks, and with 200 it takes four
  to five times as long as with 20. A profile of 200 units (`perf` over wasmtime's map of functions, shares of the
  time within the module): `can_see` 8 percent, `may_hide_under` 7, `observers` 6, `can_observe` 5, `may_join` 5,
  `spotted` and `target_class` 4 each, `may_place` 3, arithmetic of ratios 8, all others under 3 each.
- About half of this time answers who may direct fire and who may join in it. An offer asks of each action whether it
  can be completed, and to find that no unit can take part, the module has to ask about every unit. Between two
  decisions a unit has moved, so the module asks about all units again. It uses tables that keep the facts of each
  unit as long as that unit does not move.
- Incrementally updated sets of units (who observes a hex) would save at most a fifth of the time. The rest is many
  small conditions, and none of them dominates.

These changes saved time:

- an entry of its own for each question in a table: a decision with 200 units took a third of the time;
- answers that stay valid until something that they read changes, and more of them: a quarter to a third less;
- steps counted in loops in place of the machine's fuel: a quarter less;
- games that begin with a copy of their opening, and members of sets listed word by word: Hex took half as long;
- ratios of one denominator compared by their numerators and not reduced: 0.89 to 0.95 of the time (200 units, three
  runs in turns);
- a test for a count beside zero that ends at the first member: greedy decisions with 60 units 0.67 of the time, since
  one rule of the set-up counted the hexes of an area.

We tried these changes and left them out:

- quick conditions that cannot fail before those that may: a tenth less, but then one engine has an answer where the
  other has none;
- the hash of dice by SIMD, two words at a time: a twentieth more;
- clauses that bar in order of cost, and exceptions evaluated only where the clauses that they lift hold: 0.98 with
  200 units, 1.02 with 60;
- verdicts written as conjunctions: 0.97 to 1.00.

### Compiling

- A switch of one layer reads no file again, and compiles only what is new. The compiler collects each layer once, and
  declares its names in the environment of the layers below it. Of an earlier, similar stack it revisits only the
  parts that looked up a name with a new meaning. It takes over rules, terms and phases by name, all of one kind
  together.
- The hash is SHA-256 over a megabyte of rules. The compiler joins their text again whenever one of them changes,
  which takes two thirds of a millisecond.
- When a layer is switched on for the first time, half of the time is spent on reading, typing and writing its
  contents. For the option in the middle of the five these are six kilobytes.
- The shipped rules have grown by half since all stacks compiled within two seconds. `panzer_leader` with the layers
  below it grew from 12,700 lines of rules and examples to 18,700, and there are ten stacks more. There are 43 checks
  of a whole stack: these take 0.8 s of `panzer_leader` after each edit, a third of it for the comparison of sentences
  with their laws.
- From cold, three tenths of the time of all stacks are spent in the parser, three microseconds a word, mostly to make
  nodes and their spans. A third is spent on making what is new. The rest is the time of a switched layer, once for
  each stack. Garbage collection is off meanwhile: it took a fifth of the time, and these tables never included it.

### Checking

- A `check` of `panzer_leader` after an edit of a law takes 3.0 s on two cores. A new process starts in 0.4 s, and
  reads, types and hashes the stack in 0.8 s; half of what it types is examples. Then two processes share 0.7 s of
  rules proved again, 0.6 s of checks of the whole stack, 0.4 s of other stacks compiled and 1.7 s of games. There is
  one game for each card and action that asks the rule, because only play finds an offer that cannot be completed. An
  edit of an example needs only the first half of this.
- Three changes saved time. The garbage collector starts after 10,000 objects instead of 700 (a fifth of a short
  command). A change of the stack's own files does not cause other layers to be read. The longest checks begin first:
  an editor received the proofs about the rules after 1.06 s, and now after 0.92. A long-running process, such as an
  editor's, keeps the stack in memory; its games still take a second.
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
