"""Requests of the view Lab: situations, the state of experiments, and games with different winners."""

from typing import Any

from rulewright.errors import UsageError
from rulewright.library import cache
from rulewright.library.package_index import list_packages
from rulewright.library.stacks import open_packages
from rulewright.table.game_setup import games_folder
from rulewright.workbench.lab_runs import MOST_GAMES, LabRun, LabSetup
from rulewright.workbench.requests import RequestFields, RequestFunction, text_field
from rulewright.workbench.sessions import Sessions
from rulewright.workbench.situations import broken_cards, rules_title
from runtime.graph import words


def list_experiments(sessions: Sessions, _: RequestFields) -> Any:
    """Return the situations that can be compared and the stored experiments, with the reason why none can be stored."""
    rows = [row for row in list_packages(sessions.packages_in_reach).card_rows() if not row["broken"]]
    cards = [row for row in rows if not row["waits_for"]]
    library = open_packages(sessions.packages_in_reach).library
    titles = {row["name"]: row["title"] for row in rows}
    unusable = cache.unusable_reason()
    runs, damaged = ([], []) if unusable else sessions.lab.stored_experiments()
    run_data = [{**each, "title": titles.get(each["scenario"], words.readable_name(each["scenario"])),
                 "rules_titles": [rules_title(library, rules) for rules in each["rules"]]}
                for each in runs]  # fmt: skip
    broken = broken_cards(sessions.packages_in_reach)
    return {"cards": cards, "broken_cards": broken, "runs": run_data, "damaged": damaged, "unusable": unusable}


def lab_run(sessions: Sessions, payload: RequestFields) -> Any:
    """Return the results of an experiment so far."""
    run = sessions.lab.find(text_field(payload, "run"), sessions.packages_in_reach)
    return experiment_data(sessions, run)


def experiment_data(sessions: Sessions, run: LabRun) -> dict[str, Any]:
    """Return an experiment as data: what is compared, its progress, its results, games with different winners."""
    graphs = [each.graph for each in run.experiment.stacks]
    card = graphs[0].scenario
    counters = {name: words.counter(name, each.counters) for each in graphs for name in each.counters}
    library = open_packages(sessions.packages_in_reach).library
    return {
        "name": run.name,
        "title": card.title if card else run.setup.scenario,
        "rules": run.setup.rules,
        "rules_titles": [rules_title(library, each) for each in run.setup.rules],
        "players": run.setup.players,
        "until": run.setup.until,
        "wanted": run.setup.games,
        "running": sessions.lab.is_running(run.name, sessions.jobs),
        "trouble": sessions.lab.failure_text(run.name, sessions.jobs),
        "sides": {side: words.side(side, graphs[0].vocabulary) for side in run.experiment.sides()},
        "counters": counters,
        "file": str(run.results),
        **run.data(),
    }


def lab_begin(sessions: Sessions, payload: RequestFields) -> Any:
    """Start an experiment."""
    games = payload.get("games")
    if not isinstance(games, int) or not 1 <= games <= MOST_GAMES:
        raise UsageError(f"the number of games has to be from 1 to {MOST_GAMES}")
    rules = (word_of(payload, "first"), word_of(payload, "second"))
    setup = LabSetup(
        word_of(payload, "card"), rules, word_of(payload, "players"), text_field(payload, "until"), games,
        text_field(payload, "seed") or "1",
    )  # fmt: skip
    name = sessions.lab.begin(setup, sessions.packages_in_reach)
    sessions.lab.start(sessions.lab.find(name, sessions.packages_in_reach), sessions.jobs, sessions.packages_in_reach)
    return {"run": name}


def lab_go_on(sessions: Sessions, payload: RequestFields) -> Any:
    """Resume an experiment."""
    run = sessions.lab.find(text_field(payload, "run"), sessions.packages_in_reach)
    return {"job": sessions.lab.start(run, sessions.jobs, sessions.packages_in_reach)}


def lab_stop(sessions: Sessions, payload: RequestFields) -> Any:
    """Stop an experiment; the completed games are preserved."""
    name = text_field(payload, "run")
    if sessions.lab.is_running(name, sessions.jobs):
        sessions.jobs.find(sessions.lab.jobs[name]).stop()
    return {"run": name}


def lab_game(sessions: Sessions, payload: RequestFields) -> Any:
    """Record a game of an experiment under its first rules; return the game and the job, "" if it exists already."""
    run = sessions.lab.find(text_field(payload, "run"), sessions.packages_in_reach)
    number, seating = payload.get("game"), payload.get("seating")
    if type(number) is not int or type(seating) is not int or not 0 <= seating < len(run.experiment.seatings):
        raise UsageError("there is no such game")
    name = f"{run.name.replace('.', '-')}-game-{number}-{seating}"
    file = games_folder() / f"{name}.trial"
    seated = ",".join(f"{side}={player}" for side, player in run.experiment.seatings[seating])
    command = ["play", run.setup.scenario, "--rules", run.setup.rules[0], "--seed", f"{run.setup.seed}-{number}",
               "--players", seated, "--record", str(file)]  # fmt: skip
    return {"game": name, "job": "" if file.is_file() else sessions.jobs.begin(command, sessions.packages_in_reach)}


def lab_part(sessions: Sessions, payload: RequestFields) -> Any:
    """Start a job that finds the divergence of a game under the second rules."""
    run = sessions.lab.find(text_field(payload, "run"), sessions.packages_in_reach)
    file = games_folder() / f"{word_of(payload, 'game')}.trial"
    if not file.resolve().is_relative_to(games_folder().resolve()) or not file.is_file():
        raise UsageError("there is no such game")
    return {
        "job": sessions.jobs.begin(["replay", str(file), "--rules", run.setup.rules[1]], sessions.packages_in_reach)
    }


def word_of(payload: RequestFields, name: str) -> str:
    """Return a text of a request that becomes an argument of a command; `UsageError` if it is empty or an option."""
    found = text_field(payload, name).strip()
    if not found or found.startswith("-"):
        raise UsageError(f"`{name}` is missing")
    return found


READ: dict[str, RequestFunction] = {"lab": list_experiments, "lab_run": lab_run}
WRITE: dict[str, RequestFunction] = {
    "lab_begin": lab_begin, "lab_go_on": lab_go_on, "lab_stop": lab_stop, "lab_game": lab_game, "lab_part": lab_part,
}  # fmt: skip
