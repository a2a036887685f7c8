"""Recorded games are replayed line by line, also from a file; under other rules the first divergence is reported."""

import json
from dataclasses import replace

import pytest

from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.play.game import Game
from runtime.players.player_names import PLAYERS
from runtime.trial.divergence import Divergence, first_divergence
from runtime.trial.nodes import Trial
from runtime.trial.replay import first_mismatch, mismatch_text
from runtime.trial.trial_lines import decode_trial
from tests.sample import sampled
from tests.toys.build import is_, num, rule
from tests.toys.hares import BOG_BARS, hares
from tests.trials.golden import FOLDER, GAMES, written
from tests.trials.recording import record_game


def game(rules: graph.Graph) -> Game:
    return Game(rules, Interpreter(rules))


HARES = game(hares())
BOG = game(hares(BOG_BARS))


def played(where: Game, seed: str, player: str = "random") -> tuple[list[str], Trial]:
    lines: list[str] = []
    names = {"red": player, "blue": player}
    record_game(
        where, where.start(seed), {side: PLAYERS[name] for side, name in names.items()}, names, seed, lines.append
    )
    trial, problems = decode_trial(lines)
    assert trial is not None
    assert problems == []
    return lines, trial


@sampled(1)
@pytest.mark.parametrize("seed", ["a", "b", "c"])
@pytest.mark.parametrize("player", ["random", "greedy"])
def test_a_trial_is_replayed_without_a_difference(seed: str, player: str) -> None:
    _, trial = played(HARES, seed, player)
    assert trial.result is not None
    assert trial.result.choices == len(trial.choices)
    assert first_mismatch(HARES, trial) is None


def test_the_same_seed_gives_the_same_lines() -> None:
    assert played(HARES, "a")[0] == played(HARES, "a")[0]


def test_a_line_is_written_before_the_game_continues() -> None:
    written: list[str] = []

    def stop(line: str) -> None:
        written.append(line)
        if len(written) == 12:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        record_game(HARES, HARES.start("a"), {"red": PLAYERS["random"], "blue": PLAYERS["random"]}, {}, "a", stop)
    trial, problems = decode_trial(written)
    assert trial is not None
    assert (len(trial.choices), trial.result, problems) == (11, None, [])
    assert first_mismatch(HARES, trial) is None


def test_bad_lines_are_reported_and_the_rest_is_read() -> None:
    lines, whole = played(HARES, "a")
    trial, problems = decode_trial(["{", '{"what":"choice"}', "3", *lines, lines[-1][:20], "[" * 100_000, "9" * 10_000])
    assert trial == whole
    assert [(problem.line, problem.reason.split(":")[0]) for problem in problems] == [
        (1, "this is not JSON"),
        (2, "step, turn, side, question, options, choice, label, dice, state missing"),
        (3, "this is neither a heading, a choice, an undo nor a result"),
        (len(lines) + 4, "this is not JSON"),
        (len(lines) + 5, "this is no line of a trial"),
        (len(lines) + 6, "this is no line of a trial"),
    ]


@pytest.mark.parametrize(("version", "reason"), [(99, ""), (1, "; the same seed threw other dice then")])
def test_a_game_of_another_version_is_refused(version: int, reason: str) -> None:
    lines, _ = played(HARES, "a")
    found, problems = decode_trial([json.dumps({**json.loads(lines[0]), "version": version})])
    assert found is None
    assert [(each.line, each.reason) for each in problems] == [
        (1, f"trials of version {version} are not read here, only 2{reason}")
    ]


@pytest.mark.parametrize("field", ["side", "question", "options", "label", "state", "dice"])
def test_a_changed_line_is_reported(field: str) -> None:
    _, trial = played(HARES, "b")
    other = {"options": 99, "dice": (6, 6)}.get(field, "x")
    choices = list(trial.choices)
    choices[9] = replace(choices[9], **{field: other})  # type: ignore[arg-type]  # Each has the type of its field.
    parting = first_mismatch(HARES, replace(trial, choices=tuple(choices)))
    assert parting is not None
    assert parting.step == 9
    assert parting.kind == {"label": "choice"}.get(field, field)
    assert mismatch_text(trial, HARES.graph, parting).startswith("the rules are as they were, so the file")
    assert mismatch_text(trial, BOG.graph, parting).startswith("the rules have changed")


def first_difference(other: graph.Graph, seed: str = "a", player: str = "random") -> Divergence:
    _, trial = played(HARES, seed, player)
    found = first_divergence(trial, HARES, game(other))
    assert found is not None
    return found


def test_equal_rules_have_no_divergence() -> None:
    assert first_divergence(played(HARES, "a")[1], HARES, game(hares())) is None


def test_the_cause_is_a_rule_that_closes_options() -> None:
    found = first_difference(hares(BOG_BARS))
    assert (found.kind, found.question) == ("options", "hop.to")
    assert found.only_here
    assert found.only_there == ()
    assert found.cause is not None
    assert (found.cause.question, found.cause.answer_here, found.cause.answer_there) == ("may_enter", "yes", "no")
    assert "bog-bars" in found.cause.parts


def test_the_cause_is_a_missing_rule_that_closed_options() -> None:
    _, trial = played(BOG, "a")
    found = first_divergence(trial, BOG, HARES)
    assert found is not None
    assert found.cause is not None
    assert "bog-bars" in found.cause.parts


@sampled(0)
def test_the_cause_is_a_rule_with_another_value() -> None:
    rules = hares()
    stingy = replace(rules.rules["much-glory"], value=graph.Place("glory", "nothing", 0))
    trials = (played(HARES, str(number), "greedy")[1] for number in range(50))
    trial = next(trial for trial in trials if trial.result and trial.result.level == 2)
    found = first_divergence(trial, HARES, game(replace(rules, rules={**rules.rules, "much-glory": stingy})))
    assert found is not None
    assert found.kind == "end"
    assert found.cause is not None
    assert "much-glory" in found.cause.parts


def test_a_rule_that_never_applies_causes_no_divergence() -> None:
    bold = rule("bold-stay", "may_enter", "forbids", guard=is_("mover", ("trait", "hare", "bold")))
    assert first_divergence(played(HARES, "a")[1], HARES, game(hares(bold))) is None


def test_the_cause_is_a_changed_procedure() -> None:
    rules = hares()
    bite = rules.procedures["resolution:bite"]
    sharp = replace(bite, body=(graph.Let("d", num(6)), *bite.body[1:]))
    found = first_difference(replace(rules, procedures={**rules.procedures, "resolution:bite": sharp}), "1", "greedy")
    assert found.cause is not None
    assert "resolution:bite" in found.cause.parts


@pytest.mark.parametrize("player", list(GAMES))
def test_golden_games_are_played_again_without_a_difference(player: str) -> None:
    lines = (FOLDER / f"{player}.jsonl").read_text(encoding="utf-8").splitlines()
    trial, problems = decode_trial(lines)
    assert trial is not None
    assert problems == []
    assert first_mismatch(HARES, trial) is None
    # All lines but the heading, whose hash covers every declaration of the graph.
    assert written(player, GAMES[player]).splitlines()[1:] == lines[1:]
