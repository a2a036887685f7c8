"""Mutants of the inputs of the runtime: positions, questions, graphs and records of games."""

import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rulewright.explain.position_questions import ask_about_position
from rulewright.games.journal import read_trial
from rulewright.games.scenarios import game_of
from rulewright.library.stacks import Stack, load_stack
from rulewright.system.errors import UsageError
from runtime.graph.answer_errors import Unanswered
from runtime.play.rule_faults import BrokenRules
from runtime.trial.replay import first_mismatch
from tests.fuzz.findings import finding_errors
from tests.fuzz.mutate import mutant, spoiled
from tests.fuzz.packages import Corpus, graph_of
from tests.trials.recording import record_named

GAME = "panzer_leader"
POSITIONS = Path(__file__).parents[2] / "docs" / "positions"
# Codes of findings about the question itself, which have no location in a file.
UNPLACED = ("R0551", "R0552", "R0553", "R0554")


@dataclass(frozen=True, slots=True)
class Asking:
    """A compiled stack, the text of positions, the questions of the corpus, and the file for a mutant."""

    stack: Stack
    positions: tuple[str, ...]
    questions: tuple[str, ...]
    place: Path


def open_asking(corpus: Corpus) -> Asking:
    """Compile the stack, and collect the questions of all examples."""
    questions = re.findall(r"ask (.+?)(?: = | because |\n)", "\n".join(corpus.originals.values()))
    positions = tuple(file.read_text(encoding="utf-8") for file in sorted(POSITIONS.glob("*.yaml")))
    return Asking(load_stack(GAME), positions, tuple(sorted({*questions})), corpus.root.parent / "position.yaml")


def spoil_position(asking: Asking, words: list[str], dice: random.Random) -> tuple[str, Callable[[], str]]:
    """Draw a mutant of a position; return it, and a function that asks about it."""
    text = mutant(dice.choice(asking.positions), words, dice)
    question = "may_enter(H, A, B, terrain, march)"
    return text, lambda: _answer_text(asking, text, question)


def spoil_question(asking: Asking, words: list[str], dice: random.Random) -> tuple[str, Callable[[], str]]:
    """Draw a mutant of a question; return it, and a function that asks it about a valid position."""
    question = mutant(dice.choice(asking.questions), words, dice)
    return question, lambda: _answer_text(asking, asking.positions[0], question)


def _answer_text(asking: Asking, position: str, question: str) -> str:
    asking.place.write_text(position, encoding="utf-8", errors="replace", newline="")
    found = ask_about_position(asking.stack, asking.place, question, depth=1)
    if found.answer is not None:
        json.dumps(found.answer.data)
        return "" if found.answer.text else "an answer without words"
    return (
        finding_errors(found.diagnostics, found.texts, UNPLACED) if found.diagnostics else "neither answer nor finding"
    )


def spoil_trial(corpus: Corpus, dice: random.Random) -> tuple[str, Callable[[], str]]:
    """Draw a mutant of a record of a game; return it, and a function that replays it."""
    text = recorded(corpus.root)
    if dice.random() < 0.5:
        lines = text.split("\n")
        at = dice.randrange(len(lines) - 1)
        lines[at] = json.dumps(spoiled(json.loads(lines[at]), dice))
        text = "\n".join(lines)
    else:
        text = mutant(text, corpus.words, dice)
    return text, lambda: _replayed(corpus, text)


@cache
def recorded(root: Path) -> str:
    """Play one short game; return its record."""
    lines: list[str] = []
    rules = graph_of(Corpus(root, {}, []), "low_tide", "before_the_tide")
    record_named(rules, {"north": "random", "south": "random"}, "1", lines.append)
    return "\n".join(line.rstrip("\n") for line in lines)


@cache
def _game(root: Path) -> object:
    return game_of(graph_of(Corpus(root, {}, []), "low_tide", "before_the_tide"))


def _replayed(corpus: Corpus, text: str) -> str:
    file = corpus.root.parent / "mutant.trial"
    file.write_text(text, encoding="utf-8", errors="replace", newline="")
    game = _game(corpus.root)
    try:
        trial = read_trial(file)
        first_mismatch(game, trial)  # type: ignore[arg-type]  # the cache forgets the type
    except UsageError as refused:
        return "" if str(refused) else "refused without a reason"
    except (BrokenRules, Unanswered) as stopped:
        return "" if str(stopped) else "stopped without a reason"
    return ""
