"""`rulewright demo`: a question, a contradiction, a measured change and a page of the book."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from rulewright.serve.cli.console import Reply, print_note, reply_lines
from rulewright.system.shell_words import shell_word
from runtime.graph.document_lines import reply_block
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.records.packages import DemoRecord, DemoStepRecord

# What the demonstration asks of Panzer Leader: a half-track on a road, with three units in the next hex.
GAME, QUESTION = "panzer_leader", "may_use_road(H, A, B, march)"
POSITION = "crowded-road.yaml"
# The small game whose variant it corrects, measures and prints; what is wrong in the variant, and what corrects it.
SMALL_GAME, CARD, VARIANT = "low_tide", "before_the_tide", "north_wind"
MISTAKE = "exception to firm-sand\n  when w is laden"
CORRECTION = "exception to firm-sand, into-the-wind\n  when w is laden"
GAMES = 200


@frozen_dataclass
class _DemoStep:
    """A step of the demonstration: what it shows, the command that does it, and the lines that are printed of it."""

    title: str
    command: str
    reply: Callable[[], Reply[Any]]
    lines: int
    look_at: str


def demo(
    packages: list[Path],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="Write the variant and the book to this folder.")
    ] = Path("rulewright-demo"),
) -> Reply[DemoRecord]:
    """Ask a question, find a contradiction, measure a change, print a book.

    Example: rulewright demo
    """
    variant = out / VARIANT
    _write_files(out)
    steps: list[DemoStepRecord] = []
    for number, step in enumerate(_steps(out, variant, packages), 1):
        print_note(f"\n{number}. {step.title}\n   $ rulewright {step.command}\n")
        reply = step.reply()
        lines = reply_lines(reply)
        print_note("\n".join(f"   {line}".rstrip() for line in lines[: step.lines]))
        if lines[step.lines :]:
            print_note(f"   .. and {len(lines) - step.lines} more lines")
        print_note(f"\n   Look at: {step.look_at}")
        steps.append({"title": step.title, "command": f"rulewright {step.command}", "reply": reply.record})
    record: DemoRecord = {"folder": str(out), "steps": steps}
    next_steps = "Next: `rulewright open ridge_farm` plays in your browser; docs/tutorial.md writes a game"
    return Reply(record, lambda _: reply_block(next_steps))


def _steps(out: Path, variant: Path, packages: list[Path]) -> tuple[_DemoStep, ...]:
    from rulewright.serve.cli.ask import ask
    from rulewright.serve.cli.check import check
    from rulewright.serve.cli.compare import compare
    from rulewright.serve.cli.reference import reference
    from rulewright.serve.cli.show import show

    position, book, folder = out / POSITION, out / "book", shell_word(str(variant))
    positions = out / "positions"
    witness = positions / "witness-1.yaml"

    def measure() -> Reply[Any]:
        rules = variant / "wind.rules"
        rules.write_text(rules.read_text(encoding="utf-8").replace(MISTAKE, CORRECTION), encoding="utf-8")
        return compare(CARD, packages, rules=[SMALL_GAME, str(variant)], games=GAMES)

    return (
        _DemoStep(
            "A question at the table: three friendly units stand in the next hex of a road. Does the road help?",
            f"ask {GAME} -p {shell_word(str(position))} '{QUESTION}'",
            lambda: ask(GAME, [QUESTION], packages, position=position),
            6,
            "the answer, the rule that decides it, and in brackets where the sources say so.",
        ),
        _DemoStep(
            f"A contradiction: two rules of the variant in {variant} answer the same question",
            f"check {folder} --witnesses {shell_word(str(positions))}",
            lambda: check(str(variant), packages, witnesses=positions, alone=True),
            14,
            "the two rules, the case that neither settles, and three ways to settle it.",
        ),
        _DemoStep(
            "The position in which they contradict each other",
            f"show {shell_word(str(witness))} --rules {folder}",
            lambda: show(str(witness), packages, rules=str(variant)),
            12,
            f"a walker of the Southers with a basket. {variant / 'wind.rules'} is corrected now.",
        ),
        _DemoStep(
            f"A measured change: {GAMES} games with and without the corrected variant, with the same dice",
            f"compare {CARD} --rules {SMALL_GAME} --rules {folder} -n {GAMES}",
            measure,
            7,
            "the first line, which says what the variant does to the balance, and whether that is significant.",
        ),
        _DemoStep(
            "The rulebook, printed from the same files",
            f"reference {folder} --out {shell_word(str(book))}",
            lambda: reference(str(variant), book, packages, live=False),
            3,
            f"{book / 'index.html'}, where the rules, their examples and the corrected exception stand.",
        ),
    )


def _write_files(out: Path) -> None:
    """Write the position, and the variant with its mistake, in place of those of an earlier demonstration."""
    from rulewright.write.new_packages import SCAFFOLD

    out.mkdir(parents=True, exist_ok=True)
    shutil.copytree(SCAFFOLD / "demo" / VARIANT, out / VARIANT, dirs_exist_ok=True)
    shutil.copy(SCAFFOLD / "demo" / POSITION, out / POSITION)
