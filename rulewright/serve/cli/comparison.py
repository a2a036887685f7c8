"""The block of `compare`: the verdicts in three lines each, and behind `--all` what explains them."""

from collections.abc import Iterator

from rulewright.games.unsettled_offers import unsettled_sentence
from runtime.experiment.stopping import LOOK
from runtime.graph.document import DocumentBlock
from runtime.graph.document_lines import LineText, listing, reply_block, table_lines
from runtime.graph.records.measuring import (
    ArmRecord,
    ComparisonRecord,
    DivergencesRecord,
    EffectGamesRecord,
    PowerRecord,
)

FAULTS_SHOWN = 5


def comparison_block(record: ComparisonRecord, *, every: bool) -> DocumentBlock:
    """Show the verdicts; with `every` or without verdicts the tables too."""
    verdicts = [*_verdict_lines(record, every=every)]
    is_open = every or not verdicts
    blocks = [reply_block(*verdicts)]
    if is_open:
        blocks += [reply_block(*_arm_lines(record)), reply_block(*_loss_lines(record))]
    blocks.append(reply_block(*_last_lines(record, every=is_open)))
    return reply_block(blocks=(block for block in blocks if block.lines))


def power_block(record: PowerRecord) -> DocumentBlock:
    """Show what an experiment can show, and a table of the games that effects need."""
    first, *others = record["says"]
    assumed = [
        f"{share:.0%} of pairs differ" if share else "as few pairs differ as possible" for share in record["shares"]
    ]
    rows = [(f"a difference of {100 * row['effect']:g} points", *_game_counts(row)) for row in record["effects"]]
    rows.append((f"no difference of {100 * record['same']['effect']:g} points", *_game_counts(record["same"])))
    return reply_block(listing(first, others), *table_lines(("what is to be shown", *assumed), rows))


def _game_counts(row: EffectGamesRecord) -> tuple[str, ...]:
    """Return the numbers of games of a row."""
    return tuple(f"{number:,} games" if number else "too many" for number in row["games"])


def divergences_block(record: DivergencesRecord) -> DocumentBlock:
    """Show where the games of pairs diverge, and why."""
    return reply_block(*(listing(pair["says"][0], pair["says"][1:]) for pair in record["pairs"]))


def _verdict_lines(record: ComparisonRecord, *, every: bool) -> Iterator[LineText]:
    """Yield the verdicts, and with `every` what explains each."""
    for verdict in record["verdicts"]:
        effect, certainty, next_step = verdict["says"]
        details = verdict["details"] if every else ()
        yield listing(effect, [certainty, listing(next_step, verdict.get("replay", ())), *details])
    for duel in record["duels"]:
        yield listing(duel["says"][0], duel["says"][1:])
    yield from record["unknown"]
    yield from record["verdict_reversals"]


def _seatings(record: ComparisonRecord) -> list[str]:
    return list(dict.fromkeys(arm["players"] for arm in record["arms"]))


def _arm_lines(record: ComparisonRecord) -> Iterator[LineText]:
    """Yield the table of the games under each of the rules, with each of the players."""
    seatings, side = _seatings(record), record["side_titles"][record["side"]]
    yield f"seen from {side}" + (f", played by {seatings[0]}" if len(seatings) == 1 else "")
    who = ("players",) if len(seatings) > 1 else ()
    wins = f"wins of {' - '.join(record['side_titles'].values())}, n"
    headings = ("rules", *who, wins, f"won by {side}", "95% interval", "draws", "level", "turns", "decisions")
    yield from table_lines(headings, [_arm_row(arm, record, named=bool(who)) for arm in record["arms"]])


def _arm_row(arm: ArmRecord, record: ComparisonRecord, *, named: bool) -> tuple[str, ...]:
    """Return the cells of a row, with the players where they are `named`."""
    wins = "-".join(str(arm["won_by"].get(side, 0)) for side in record["sides"])
    low, high = arm["interval"]
    level = arm["levels"].get(record["side"])
    return (
        arm["rules"], *((arm["players"],) if named else ()), f"{wins}, {arm['n']}",
        f"{arm['wins'] / arm['n']:.1%}" if arm["n"] else "-", f"{low:.1%} to {high:.1%}", str(arm["draws"]),
        "-" if level is None else f"{level:.2f}", f"{arm['turns']:.1f}", f"{arm['decisions']:.0f}",
    )  # fmt: skip


def _loss_lines(record: ComparisonRecord) -> Iterator[LineText]:
    """Yield the table of mean losses by counter, with the changes of the first difference."""
    gap = record["difference"]
    if gap is None:
        return
    arms = [arm for arm in record["arms"] if arm["players"] == gap["players"]]
    names = [arm["rules"] for arm in arms]
    rows = []
    for side, changes in gap["losses"].items():
        title = record["side_titles"][side]
        for counter, change in changes.items():
            if counter != "all":
                lost = record["counter_titles"][counter]
                rows.append((title, lost, *(_mean_loss(arm, side, counter) for arm in arms), f"{change:+.2f}"))
        # A longer game costs more: the losses of a turn tell whether it is the length.
        by_turn = [sum(arm["losses"].get(side, {}).values()) / max(1, arm["turns"]) for arm in arms]
        change = by_turn[names.index(gap["rules"], 1)] - by_turn[names.index(gap["than"])]
        rows.append((title, "all, in a turn", *(f"{mean:.3f}" for mean in by_turn), f"{change:+.3f}"))
    if rows:
        players = f", {gap['players']}" if len(_seatings(record)) > 1 else ""
        compared = f"; change: {gap['rules']} instead of {gap['than']}" if len(arms) > 2 else ""
        yield f"losses at the end of a game{players}{compared}"
        yield from table_lines(("side", "lost", *names, "change"), rows)


def _mean_loss(arm: ArmRecord, side: str, counter: str) -> str:
    return f"{arm['losses'].get(side, {}).get(counter, 0.0):.2f}"


def _last_lines(record: ComparisonRecord, *, every: bool) -> Iterator[str]:
    """Yield why it ended, the games whose rules broke, and what was not played or not decided."""
    if record["stopped"]:
        yield f"ended after {record['games']} games, looking every {LOOK}: {record['stopped']}"
    for fault in record["faults"][:FAULTS_SHOWN]:
        yield f"broken under {fault['rules']}, seed {fault['seed']}: {fault['message']}"
    if record["broken"] > FAULTS_SHOWN:
        yield f"{record['broken']:,} games broke in all; each is left out with its pair"
    for offer in record["unsettled"]:
        yield f"under {offer['rules']}, {unsettled_sentence(offer)}"
    yield from record.get("not_played", ())
    yield from record.get("player_limits", ())
    if every:
        yield from record.get("player_aims", ())
        yield record["looked_at"] or ""
    else:
        yield "`--all` shows the tables, the use of the changes, the aims of greedy players, and what was looked at"
