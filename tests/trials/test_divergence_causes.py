"""Recorded games of a shipped situation under other rules: the first divergence, and what took part in it.

The changes have known effects: a patched cell of a chart, a rule that a variant adds, and options with a reaction and
with a phase of their own.
"""

from functools import cache
from pathlib import Path

import pytest

from rulewright.games.scenarios import game_of, load_scenario
from runtime.play.game import Game
from runtime.play.options import Decision
from runtime.players.player import choose_option, seat_players
from runtime.players.player_names import PLAYERS
from runtime.trial.divergence import Divergence, first_divergence
from runtime.trial.interactive_game import InteractiveGame
from runtime.trial.nodes import Trial
from runtime.trial.trial_lines import decode_trial
from tests.sample import sampled

CARD = "bridge_at_millbrook"
CHOICES = 150


def game(rules: str | None, *packages: Path) -> Game:
    loaded = load_scenario(CARD, rules, packages)
    assert loaded.graph is not None, loaded.diagnostics
    return game_of(loaded.graph)


@cache
def recorded() -> tuple[Game, Trial]:
    """Return a greedy game under the rules of the card, ended after some choices."""
    here = game(None)
    lines: list[str] = []
    interactive = InteractiveGame(here, here.start("2"), lines.append)
    interactive.write_heading({"german": "greedy", "allied": "greedy"}, "2")
    seats = seat_players(dict.fromkeys(("german", "allied"), PLAYERS["greedy"]), "2")
    while isinstance(now := interactive.ask(), Decision) and interactive.playthrough.choice_count < CHOICES:
        interactive.choose(now, choose_option(here, interactive.playthrough, now, seats))
    trial, problems = decode_trial(lines)
    assert trial is not None
    assert problems == []
    return here, trial


def divergence_under(rules: str, *packages: Path) -> Divergence:
    here, trial = recorded()
    found = first_divergence(trial, here, game(rules, *packages))
    assert found is not None
    assert found.cause is not None
    assert not found.cause.question or found.cause.answer_here != found.cause.answer_there
    return found


def variant(folder: Path, text: str) -> Path:
    """Write a variant with one file."""
    (folder / "layer.yaml").write_text("layer: changed\ntitle: Changed\nkind: variant\non: [panzer_leader]\n")
    suffix = "yaml" if text.startswith("patch") else "rules"
    (folder / f"change.{suffix}").write_text(text)
    return folder


@sampled(0)
def test_the_cause_is_the_chart_with_a_patched_cell(tmp_path: Path) -> None:
    text = "patch: tec\ncites: house\nset:\n  - {row: swamp, column: vehicle, expect: barred, now: 1}\n"
    found = divergence_under("panzer_leader+changed", variant(tmp_path, text))
    assert found.cause is not None
    assert (found.kind, found.question, found.only_here) == ("options", "deploy.h", ())
    assert "0811" in found.only_there  # A swamp.
    assert "tec" in found.cause.parts


def test_the_cause_is_the_new_rule(tmp_path: Path) -> None:
    text = 'rule one-a-hex [house] "One unit a hex is set up."\n  may_place forbidden\n  when others(u, h) >= 1\n'
    found = divergence_under("panzer_leader+changed", variant(tmp_path, text))
    assert found.cause is not None
    assert (found.kind, found.question, found.only_there) == ("options", "deploy.h", ())
    assert "one-a-hex" in found.cause.parts
    assert (found.cause.answer_here, found.cause.answer_there) == ("yes", "no")


@sampled(1)
@pytest.mark.parametrize(("option", "named"), [("quick_time", "action:"), ("opportunity_fire", "hook:")])
def test_the_cause_is_the_procedure_that_an_option_adds(option: str, named: str) -> None:
    found = divergence_under(f"panzer_leader+{option}")
    assert found.cause is not None
    assert any(part.startswith(named) for part in found.cause.parts - game(None).graph.procedures.keys())
