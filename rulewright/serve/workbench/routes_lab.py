"""Requests of the view Lab: the situations that can be compared, and a job that compares one under two stacks."""

import os
from typing import Any

from rulewright.lab.experiment_setup import load_stacks, parse_seatings, parse_stopping_rule, set_up
from rulewright.library.package_index import list_packages
from rulewright.library.stacks import open_packages
from rulewright.serve.workbench.requests import RequestFields, RequestFunction, text_field
from rulewright.serve.workbench.sessions import Sessions
from rulewright.serve.workbench.situations import broken_cards, rules_title
from rulewright.system.errors import UsageError

MOST_GAMES = 5000


def _comparable_cards(sessions: Sessions, _: RequestFields) -> Any:
    """Return the situations that can be compared, and files with cards that cannot be read."""
    rows = [row for row in list_packages(sessions.packages_in_reach).card_rows() if not row["broken"]]
    cards = [row for row in rows if not row["waits_for"]]
    return {"cards": cards, "broken_cards": broken_cards(sessions.packages_in_reach)}


def lab_begin(sessions: Sessions, payload: RequestFields) -> Any:
    """Start `compare` as a job, with the same errors; return the job, and the titles of what is compared."""
    games = payload.get("games")
    if not isinstance(games, int) or not 1 <= games <= MOST_GAMES:
        raise UsageError(f"the number of games has to be from 1 to {MOST_GAMES}")
    card, players = _word_of(payload, "card"), _word_of(payload, "players")
    rules = _word_of(payload, "first"), _word_of(payload, "second")
    until = text_field(payload, "until")
    packages = sessions.packages_in_reach
    stacks = load_stacks(card, rules, [], packages)
    parse_stopping_rule(until or None)
    set_up(stacks, parse_seatings(stacks, [players], swaps_sides=True), "1", None)
    workers = max(1, (os.cpu_count() or 2) - 1)  # One core is reserved for the page.
    command = ["compare", card, "--rules", rules[0], "--rules", rules[1], "--players", players, "--swap"]
    command += [*(["--until", until] if until else []), "-n", str(games), "--seed", "1", "--jobs", str(workers)]
    library = open_packages(packages).library
    scenario = stacks[0].graph.scenario
    return {
        "job": sessions.jobs.begin(command, packages),
        "title": scenario.title if scenario else card,
        "rules": rules,
        "rules_titles": [rules_title(library, rule) for rule in rules],
    }


def _word_of(payload: RequestFields, name: str) -> str:
    """Return a text of a request that becomes an argument of a command; `UsageError` if it is empty or an option."""
    found = text_field(payload, name).strip()
    if not found or found.startswith("-"):
        raise UsageError(f"`{name}` is missing")
    return found


READ: dict[str, RequestFunction] = {"lab": _comparable_cards}
WRITE: dict[str, RequestFunction] = {"lab_begin": lab_begin}
