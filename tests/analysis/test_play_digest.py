"""The hash of play: it changes with what engine and players read, and with nothing else."""

from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest

from compiler.wasm.module import write_game
from rulewright.games.scenarios import game_of
from rulewright.lab.experiment_setup import load_stacks
from runtime.graph import nodes as graph
from runtime.graph.digest import play_digest
from runtime.graph.printed_fields import canonical_node, printed_fields
from runtime.graph.steps import map_steps
from runtime.play.game import Game
from runtime.players.aims.aim_targets import aims_of

# What stands for a printed value; any other is None.
BLANK: dict[type, Any] = {str: "", bool: False, tuple: ()}


def rules_of(situation: str) -> graph.Graph:
    """Compile the rules of a shipped situation."""
    return load_stacks(situation, [], [], [])[0].graph


def without_print(value: Any) -> Any:
    """Return a node in which everything is blank that the hash leaves out."""
    if isinstance(value, tuple):
        return tuple(map(without_print, value))
    if isinstance(value, dict):
        return {name: without_print(part) for name, part in value.items()}
    if not is_dataclass(value) or isinstance(value, type):
        return value
    parts: dict[str, Any] = {}
    for field in fields(value):
        part, is_printed = getattr(value, field.name), field.name in printed_fields(type(value))
        parts[field.name] = BLANK.get(type(part)) if is_printed else without_print(part)
    return value if isinstance(value, graph.Origin) else replace(value, **parts)


@pytest.mark.parametrize("situation", ["first_snow", "before_the_tide", "hazel_ford"])
def test_engine_and_players_read_nothing_that_the_hash_leaves_out(situation: str) -> None:
    rules = rules_of(situation)
    words = replace(rules.vocabulary, measures={}, wording={}, origins={})
    unproved = replace(rules, vocabulary=words, always=(), preconditions=(), stack="", hash="")
    blank = without_print(unproved)
    assert play_digest(blank) == play_digest(rules)
    first, second = game_of(rules), game_of(blank)
    assert module_text(first) == module_text(second)
    assert aims_of(first).targets == aims_of(second).targets


def module_text(game: Game) -> str:
    """Return the module that plays a game."""
    opening = game.set_up()
    return write_game(game.graph, len(opening.sheets), opening.board.size)[0]


def test_a_changed_sentence_keeps_the_hash_and_a_changed_number_preference_or_aim_does_not() -> None:
    rules = rules_of("first_snow")
    label, rule = next((label, rule) for label, rule in rules.rules.items() if isinstance(rule.value, graph.Num))

    def with_rule(**parts: Any) -> graph.Graph:
        return replace(rules, rules={**rules.rules, label: replace(rule, **parts)})

    def indifferent(step: graph.Step) -> tuple[graph.Step, ...]:
        return (replace(step, preferring=None) if isinstance(step, graph.Choose) else step,)

    procedures = {key: replace(each, body=map_steps(each.body, indifferent)) for key, each in rules.procedures.items()}
    aim = graph.Aim(rules.outcome, replaces_outcome=True, reason="")
    assert play_digest(with_rule(prose="Another sentence.", cites=())) == play_digest(rules)
    others = with_rule(value=None), replace(rules, procedures=procedures), replace(rules, aims=(aim,))
    assert len({play_digest(each) for each in (rules, *others)}) == 4


def test_a_field_at_its_default_is_not_hashed() -> None:
    assert canonical_node(graph.Flip(graph.Var("u")), printed=False) == ("Flip", ("subject", ("Var", ("name", "u"))))
