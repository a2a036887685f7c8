"""The block of `compare`: the verdicts, the games under each of the rules, the differences, and the losses."""

from collections.abc import Iterator, Sequence

from rulewright.games.unsettled_offers import unsettled_sentence
from runtime.experiment.stopping import LOOK
from runtime.graph.document import DocumentBlock, DocumentLine
from runtime.graph.document_lines import LineText, listing, reply_block, table_lines
from runtime.graph.records.measuring import (
    ArmRecord,
    ComparisonRecord,
    DifferenceRecord,
    DuelRecord,
    PairCountRecord,
    ShareRecord,
)

FAULTS_SHOWN = 5


def comparison_block(record: ComparisonRecord) -> DocumentBlock:
    """Show the verdicts, the games, the differences and the losses."""
    blocks = [
        reply_block(*_verdict_lines(record)),
        reply_block(*_arm_lines(record)),
        reply_block(*(_duel_sentence(duel, record) for duel in record["duels"])),
        *(reply_block(_difference_line(gap, record)) for gap in record["differences"]),
        reply_block(*_loss_lines(record)),
        reply_block(*_last_lines(record)),
    ]
    return reply_block(blocks=(block for block in blocks if block.lines))


def _verdict_lines(record: ComparisonRecord) -> Iterator[LineText]:
    """Yield the verdicts with what belongs to them, and what was looked at."""
    for verdict in (*record["verdicts"], *record["duels"]):
        first, *others = verdict["says"]
        yield listing(first, others)
    yield from record["unknown"]
    yield from record["verdict_reversals"]
    yield record["looked_at"] or ""


def _seatings(record: ComparisonRecord) -> list[str]:
    return list(dict.fromkeys(arm["players"] for arm in record["arms"]))


def _arm_lines(record: ComparisonRecord) -> Iterator[LineText]:
    """Yield the table of the games under each of the rules, with each of the players."""
    seatings, side = _seatings(record), record["side"]
    caption = f"seen from {side}"
    if len(seatings) == 1:
        caption += f", played by {seatings[0]}"
        if any(share["established"] for gap in record["differences"] for share in (gap, *gap["other_sides"])):
            caption += "; more `--players` tell whether the difference depends on the players"
    yield caption
    who = ("players",) if len(seatings) > 1 else ()
    wins = f"wins {'-'.join(record['sides'])}, n"
    headings = ("rules", *who, wins, "won", "95% interval", "draws", "level", "turns", "decisions")
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


def _difference_line(gap: DifferenceRecord, record: ComparisonRecord) -> DocumentLine:
    """Return the effects of rules, with intervals where something is claimed."""
    players = f" with {gap['players']}" if len(_seatings(record)) > 1 else ""
    shares = [share for share in (*gap["other_sides"], gap["draws"]) if share and not _is_opposite(share, gap)]
    lead = gap["level"]
    interval = f" ({_interval_text(lead['interval'], '+.2f')})" if lead["interval"] else ""
    lost = [f"{side} {changes['all']:+.2f}" for side, changes in gap["losses"].items() if "all" in changes]
    return listing(
        f"{gap['rules']} instead of {gap['than']}{players}, {_pair_count(gap['pairs'])} pairs: {_share_text(gap)}",
        [
            *map(_share_text, shares),
            f"lead in levels {lead['estimate']:+.2f}{interval}; turns {gap['turns']:+.2f}",
            f"losses (out of play at the end of a game): {', '.join(lost)}" if lost else "",
        ],
    )


def _pair_count(pairs: PairCountRecord) -> int:
    return pairs["both"] + pairs["first"] + pairs["second"] + pairs["neither"]


def _is_opposite(share: ShareRecord, other: ShareRecord) -> bool:
    """Return whether a share falls wherever the other rises, so that it tells nothing more."""
    pairs, others = share["pairs"], other["pairs"]
    return (pairs["both"], pairs["first"]) == (others["neither"], others["second"])


def _share_text(share: ShareRecord) -> str:
    """Format the change of a share, its interval, and the pairs that differ."""
    whose = f"{share['side']} wins" if share["side"] else "draws"
    pairs = share["pairs"]
    counts = f"in {pairs['second']} pairs only with it, in {pairs['first']} only without"
    if not pairs["first"] + pairs["second"]:
        counts = "in no pair only with it or without"
    return f"{whose} {share['estimate']:+.1%} ({_interval_text(share['interval'], '+.1%')}); {counts}"


def _interval_text(interval: Sequence[float], form: str) -> str:
    low, high = interval
    return f"{low:{form}} to {high:{form}}"


def _duel_sentence(duel: DuelRecord, record: ComparisonRecord) -> str:
    """Return the results of two players who played both sides against each other."""
    under = f" under {duel['rules']}" if len({arm["rules"] for arm in record["arms"]}) > 1 else ""
    player, opponent = duel["players"]
    return (
        f"{player} against {opponent}{under}, {duel['pairs']} games from each side: won {duel['won']}, lost "
        f"{duel['lost']}, drew {duel['drawn']}; lead in levels {duel['level']:+.2f} a game; better pairs less worse "
        f"{duel['estimate']:+.1%} ({_interval_text(duel['interval'], '+.1%')})"
    )


def _loss_lines(record: ComparisonRecord) -> Iterator[LineText]:
    """Yield the table of mean losses by counter, with the changes of the first difference."""
    gap = record["difference"]
    if gap is None:
        return
    arms = [arm for arm in record["arms"] if arm["players"] == gap["players"]]
    rows = []
    for side, changes in gap["losses"].items():
        for counter, change in changes.items():
            if counter != "all":
                rows.append((side, counter, *(_mean_loss(arm, side, counter) for arm in arms), f"{change:+.2f}"))
    if rows:
        players = f", {gap['players']}" if len(_seatings(record)) > 1 else ""
        compared = f"; change: {gap['rules']} instead of {gap['than']}" if len(arms) > 2 else ""
        yield f"losses{players}{compared}"
        yield from table_lines(("side", "lost a game", *(arm["rules"] for arm in arms), "change"), rows)


def _mean_loss(arm: ArmRecord, side: str, counter: str) -> str:
    return f"{arm['losses'].get(side, {}).get(counter, 0.0):.2f}"


def _last_lines(record: ComparisonRecord) -> Iterator[str]:
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
