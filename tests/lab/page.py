"""docs/options.md: the use of the shipped options by greedy players, written from the results of `survey`."""

from collections.abc import Iterator, Sequence

from runtime.experiment.change_use import ChangeUse
from runtime.experiment.reachable_changes import OFFERED
from runtime.graph.grouping import group_by
from tests.lab.survey import ROOT, Survey, gaps, printed_cards

PAGE = ROOT / "docs" / "options.md"
# Why greedy players take an action in no shipped situation, where its own rules do not state it. An entry with "" holds
# for all actions of an option.
REASONS: dict[tuple[str, str], str] = {
    ("emplacing", ""): "no situation brings a counter to be emplaced",
    ("pb_emplacing", ""): "no card has counters in store (`stores`) that could be laid",
    ("panzerbitz_thunder", ""): "no card has batteries off the map",
    ("pg_many_players", ""): "the card does not divide the command in that way (`scheme`)",
    ("pg_many_players", "pick_up"): "it is for those more than eight hexes from any enemy, which nobody there is",
    ("naval_support", ""): "no situation has ships",
    ("opportunity_fire", "last_shot"): "nobody who was overrun was ready and had watched for a quarter of the way",
    (
        "panzerblitz_assault",
        "set_down_to_assault",
    ): "where it could be done, an overrun with the riders up was worth more",
    (
        "quick_time",
        "begin_work in quick_march",
    ): "an attacker's engineers want to clear mines and blocks; where it was open "
    "they could only have set up blocks or brought down bridges, which is worth nothing to an attacker",
    ("panzerbitz_horseshoes", "interdict"): "nobody comes next to a marker of a gun that may still fire",
    ("pg_overrun", ""): "it takes a leader, and Hazel Ford has none",
    ("pg_recon_by_fire", ""): "it is for a side that sees no enemy at all; at Hazel Ford somebody always is in sight",
    ("pg_tank_riders", "mount_up"): "it is for those more than six hexes from any enemy, which nobody at Hazel Ford is",
    ("pg_tank_riders", "get_off"): "nobody has got on",
}
# Why no change of an option is used in any shipped situation.
SILENT = {
    "frost_short_days": "its rule lifts nothing, as no side there has run as many trains as the card gives; that it "
    "leaves out a phase is not counted, and changes who wins ([results.md](results.md))",
    "naval_support": "no situation has ships",
    "pb_intensive_fire": "who may fire intensively is asked by the players, not by a procedure: the sources leave out "
    "what the fire does",
    "pb_shelling": "it says how to shell, and options that stand on it say when",
    "pg_random_events": "the card has no table of events (`has_events`)",
    "pg_variable_night": "the card is not played at night (`night`)",
}

# The situation of a row that sums the printed cards of a game.
PRINTED = "the printed cards"

HEAD = """\
# How often options are used

Each option was played by greedy players in the situations of its game, and so were the same situations without it. The
thirty situations of the printed cards are played on boards that are not shipped; their row is the sum over the cards of
a game, and counts a change that any of them came by. The table says what became of the changes of an option: its rules,
charts, actions, reactions, phases. It is about use, not about balance: so few games say nothing about who wins
([lab.md](lab.md) says how many it takes).

    python3 -m tests.lab survey                  # the situations with a map; some ten minutes
    python3 -m tests.lab survey --path BOARDS    # the printed cards, on boards that `import` has written; an hour, 3 GB
    python3 -m tests.lab survey ridge_farm --option pb_assault -n 3

- **could apply**: how many of the changes play came by: a question was put, an action asked for, a phase reached;
- **offered**, **taken**: how often an action or a reaction of the option could be chosen, and was; `-` if it has none;
- **spoke**: how many of the changes came into use: a rule was live, an action taken, a phase played.

Left out are options of the variants, for whose counters there is no situation, and what two options chosen together
bring along. Changed steps of the order of play are not counted.

All rows were played on 2026-11-28, those of the printed cards in the evening, before the last changes of the
rules of that day, and those of `pl_situation_19` on the day after. Those of bridge_at_millbrook, reed_water and
two_valleys are older than their objectives of today.

"""
NEVER = """
## What nobody took

In none of these games did anybody take the following. `never`: it never was open to anybody. A number: so often it
could have been taken, over all situations.

"""

QUIET = """
## What never spoke

Of these options nothing that is counted came into use in any of the situations.

"""


def page(found: Sequence[Survey]) -> str:
    """Return the text of the page."""
    quiet = "".join(f"- `{option}`: {SILENT.get(option, '')}.\n" for option in silent(found))
    left = gaps({(each.situation, each.option) for each in found})
    return f"{HEAD}{''.join(_table(found))}{left}{NEVER}{''.join(_not_taken(found))}{QUIET}{quiet}"


def silent(found: Sequence[Survey]) -> list[str]:
    """Return the options without a used change in any situation."""
    used = {each.option for each in found if any(change.used for change in each.changes)}
    return sorted({each.option for each in found} - used)


def reason_key(option: str, name: str) -> tuple[str, str]:
    """Return the key of the reason for an action that is never taken: that of the action, or of its whole option."""
    return (option, name) if (option, name) in REASONS else (option, "")


def _table(found: Sequence[Survey]) -> Iterator[str]:
    yield "| option | situation | games | could apply | offered | taken | spoke |\n"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: |\n"
    grouped = group_by(found, lambda each: (each.option, _situation_group(each.situation)))
    for (option, situation), surveys in sorted(grouped.items()):
        changes = group_by(
            (change for each in surveys for change in each.changes), lambda change: (change.what, change.name)
        )
        actions = [change for same in changes.values() for change in same if change.what in OFFERED]
        offered, used_total = sum(change.offered for change in actions), sum(change.used for change in actions)
        counts = (f"{offered:,}", f"{used_total:,}") if actions else ("-", "-")
        reached = sum(any(each.reached for each in same) for same in changes.values())
        used = sum(any(each.used for each in same) for same in changes.values())
        games = sum(each.games for each in surveys)
        cells = (f"`{option}`", situation, games, f"{reached} of {len(changes)}", *counts, f"{used} of {len(changes)}")
        yield f"| {' | '.join(map(str, cells))} |\n"


def _situation_group(situation: str) -> str:
    """Return the name of a row: the printed cards of a game share one, as only their sum is of interest here."""
    return PRINTED if situation in {each.name.text for each in printed_cards()} else situation


def not_taken(found: Sequence[Survey]) -> list[tuple[str, str, int, str]]:
    """Return the actions that are never taken: option, name, how often each is offered, and the reason in its rules."""
    every: dict[tuple[str, str], list[ChangeUse]] = {}
    for each in found:
        for change in each.changes:
            if change.what in OFFERED:
                every.setdefault((each.option, change.name), []).append(change)
    return [
        (*key, sum(one.offered for one in tried), tried[0].no_preference)
        for key, tried in sorted(every.items())
        if not any(one.used for one in tried)
    ]


def _not_taken(found: Sequence[Survey]) -> Iterator[str]:
    yield "| option | action | offered | why |\n| --- | --- | ---: | --- |\n"
    for option, name, offered, reason in not_taken(found):
        why = f"its rules say: {reason}" if reason else REASONS.get(reason_key(option, name), "")
        yield f"| `{option}` | `{name}` | {offered or 'never'} | {why} |\n"
