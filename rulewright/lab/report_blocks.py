"""The report of an experiment: the same blocks as Markdown, for a repository, and as one HTML page.

In: a summary. Out: report.md with plots as separate files, and report.html with inline plots.
The output is a function of the experiment: it contains no time and no property of the machine.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from rulewright.atomic_files import make_folder, save_folder
from rulewright.errors import UsageError
from rulewright.lab.experiment_sentences import (
    change_sentences,
    duel_sentence,
    known_sides,
    percent,
    stopping_sentence,
    unsettled_offers,
    wins_text,
)
from rulewright.lab.plots import Plot, draw_plots
from runtime.experiment.change_use import USED
from runtime.experiment.summary import Summary
from runtime.experiment.verdict import verdict_paragraphs
from runtime.graph.words import list_text

RULES_LISTED = 40
FAULTS_LISTED = 20
PAGE = "report.html"
# The mark that identifies a page of this program.
GENERATOR = "<meta name='generator' content='rulewright compare'>"


@dataclass(frozen=True, slots=True)
class Title:
    """A heading; level 1 is the title."""

    text: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class ReportParagraph:
    """A paragraph of several lines."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TableBlock:
    """A table; its first `text_columns` columns are texts, the others numbers."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    text_columns: int = 1


Block = Title | ReportParagraph | TableBlock | Plot


def write_report(summary: Summary, scenario: str, folder: Path, causes: tuple[str, ...]) -> Path:
    """Write report.md, report.html and the plots; return the path of the page. `causes`: lines of an attribution."""
    blocks = list(report_blocks(summary, scenario, causes))
    files = {f"{block.name}.svg": block.svg for block in blocks if isinstance(block, Plot)}
    files["report.md"] = "\n\n".join(map(block_markdown, blocks)) + "\n"
    files[PAGE] = assemble_page(scenario, "\n".join(map(block_html, blocks)))
    save_folder(folder, {name: text.encode() for name, text in files.items()}, _earlier(folder))
    return folder / PAGE


def _earlier(folder: Path) -> tuple[str, ...]:
    """Return the files of an earlier report in the folder; empty if there is none."""
    if GENERATOR not in _text(folder / PAGE):
        return ()
    plot_files = re.findall(r"^!\[[^\n]*\]\(([\w-]+\.svg)\)$", _text(folder / "report.md"), re.MULTILINE)
    return PAGE, "report.md", *plot_files


def may_be_written(folder: Path) -> None:
    """Create the folder of a report; `UsageError` if it contains a page of another origin."""
    make_folder(folder)
    others = [folder / name for name in (PAGE, "report.md") if (folder / name).exists()]
    if others and not _earlier(folder):
        raise UsageError(f"{others[0]} is there already and was not written by `compare`; name another folder")


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""


def report_blocks(summary: Summary, scenario: str, causes: tuple[str, ...]) -> Iterator[Block]:
    """Yield the blocks of the report of an experiment, from top to bottom."""
    plots = draw_plots(summary)
    rules = " against ".join(summary.stacks) if len(summary.stacks) < 3 else f"{len(summary.stacks)} sets of rules"
    yield Title(f"{scenario}: {rules}", 1)
    players = list_text(sorted(summary.seatings))
    yield ReportParagraph(
        (f"{summary.games} games under each of the rules, played by {players}, seen from {summary.side}.",)
    )
    yield from map(ReportParagraph, verdict_paragraphs(summary))
    if causes:
        yield ReportParagraph(causes)
    if ending := stopping_sentence(summary):
        yield ReportParagraph((f"It {ending}.",))
    for duel in summary.duels:
        yield ReportParagraph((duel_sentence(duel, summary),))
    for gap in summary.differences:
        yield ReportParagraph(tuple(change_sentences(gap, summary)))
    yield from plots
    yield Title("The games")
    yield arms_table(summary)
    if any(arm.losses for arm in summary.arms):
        yield Title("Losses")
        yield losses_table(summary)
    yield from rules_blocks(summary)
    yield Title("How it was counted")
    yield ReportParagraph((METHOD,))


def rules_blocks(summary: Summary) -> Iterator[Block]:
    """Yield the blocks on the use of changes, on live rules and on rules that broke."""
    if summary.differences:
        yield Title("What was tried of the changes")
        yield changes_table(summary)
    if summary.fired:
        yield Title("Rules")
        yield live_rules_table(summary)
    if summary.broken:
        yield Title("Games whose rules broke")
        yield TableBlock(("rules", "seed", "message"), tuple(map(tuple, summary.faults[:FAULTS_LISTED])), 3)
    yield from (ReportParagraph((line,)) for line in unsettled_offers(summary))


METHOD = (
    "Game n has the same seed under all rules and with all players, so its games are a pair: they throw the same dice "
    "until they part, and again from the next phase on. The interval of a mean bets on every pair against each value "
    "that the mean might have, and leaves out the values against which enough would have been won (Waudby-Smith and "
    "Ramdas, J. R. Stat. Soc. B 86, 2024, 1-27). It holds after every game, so that an experiment may end at any time. "
    "All intervals of differences and of duels share an error of 5 percent. The interval of a share of wins in the "
    "table of the games has 5 percent of its own. A difference is stated where its interval leaves zero out, and that "
    "there is none where the interval lies inside the margin."
)


def arms_table(summary: Summary) -> TableBlock:
    """Build the table of the wins of every stack and seating."""
    headings = (
        "rules",
        "players",
        f"wins {known_sides(summary)}, n",
        "won",
        "95 percent",
        "draws",
        "level",
        "turns",
        "decisions",
    )
    rows = []
    for arm in summary.arms:
        level = dict(arm.levels).get(summary.side)
        rows.append(
            (
                arm.rules,
                arm.players,
                wins_text(arm, summary),
                percent(arm.wins / arm.n) if arm.n else "-",
                f"{percent(arm.interval.low)} to {percent(arm.interval.high)}",
                str(arm.draws),
                "-" if level is None else f"{level:.2f}",
                f"{arm.turns:.1f}",
                f"{arm.choices:.0f}",
            ),
        )
    return TableBlock(headings, tuple(rows), 2)


def losses_table(summary: Summary) -> TableBlock:
    """Build the table of mean losses by counter under each of the rules."""
    rows = tuple(
        (arm.rules, arm.players, side, name, f"{lost:.2f}") for arm in summary.arms for side, name, lost in arm.losses
    )
    return TableBlock(("rules", "players", "side", "lost a game", "mean"), rows, 4)


def changes_table(summary: Summary) -> TableBlock:
    """Build the table of the uses of every change, unused ones first."""
    rows = (
        (gap.rules, gap.players, use.what, use.name, use.use_state, f"{use.reached}", f"{use.offered}", f"{use.used}")
        for gap in summary.differences
        for use in sorted(gap.tried, key=lambda one: one.use_state == USED)
    )
    headings = ("rules", "players", "change", "name", "use", "reached", "offered", "used")
    return TableBlock(headings, tuple(rows), 5)


def live_rules_table(summary: Summary) -> TableBlock:
    """Build the table of live rules, those that differ most first."""
    rows = tuple((label, *(f"{count:.1f}" for count in counts)) for label, counts in summary.fired[:RULES_LISTED])
    games_phrase = f" {summary.counted_games_text}" if summary.counted_games_text else ""
    return TableBlock((f"answers a game{games_phrase}", *summary.stacks), rows)


def block_markdown(block: Block) -> str:
    """Format a block as Markdown."""
    match block:
        case Title(text, level):
            return f"{'#' * level} {text}"
        case ReportParagraph(lines):
            return "  \n".join(line.strip() for line in lines)
        case TableBlock(headings, rows, words):
            rule = ("---" if number < words else "---:" for number in range(len(headings)))
            return "\n".join(f"| {' | '.join(map(_cell, row))} |" for row in (headings, tuple(rule), *rows))
        case Plot(name, caption, _):
            return f"![{caption}]({name}.svg)"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def block_html(block: Block) -> str:
    """Format a block as HTML."""
    match block:
        case Title(text, level):
            return f"<h{level}>{escape(text)}</h{level}>"
        case ReportParagraph(lines):
            return f"<p>{'<br>'.join(escape(line.strip()) for line in lines)}</p>"
        case TableBlock(headings, rows, words):
            head = "".join(f"<th>{escape(heading)}</th>" for heading in headings)
            body = "\n".join(
                f"<tr>{''.join(_data(text, n < words) for n, text in enumerate(row))}</tr>" for row in rows
            )
            return f"<div class='wide'><table><thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"
        case Plot(_, caption, svg):
            return f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"


def _data(text: str, word: bool) -> str:  # noqa: FBT001 - a cell of words or of numbers
    return f"<td>{escape(text)}</td>" if word else f"<td class='number'>{escape(text)}</td>"


STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1f2933; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; line-height: 1.25; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
figure { margin: 1.2rem 0; overflow-x: auto; } figure svg { max-width: 100%; height: auto; }
figcaption { color: #52606d; font-size: .9rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .9rem; }
th, td { padding: .25rem .7rem; text-align: left; border-bottom: 1px solid #d5dbe1; white-space: nowrap; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
"""


def assemble_page(title: str, body: str) -> str:
    """Format an HTML page."""
    viewport = "<meta name='viewport' content='width=device-width'>"
    head = f"<meta charset='utf-8'>{GENERATOR}{viewport}<title>{escape(title)}</title>"
    return (
        f"<!doctype html>\n<html lang='en'><head>{head}<style>{STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )
