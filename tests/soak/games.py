"""Plays games of one stack with a check of every position, and counts actions, questions and live rules."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from rulewright.library.compiled_modules import module_of
from runtime.answer.answer import live_labels
from runtime.answer.generate import GeneratedEvaluator
from runtime.engine.values import NotRepresentableError
from runtime.experiment.evaluation_counts import CountingEvaluator
from runtime.experiment.native_series import NativeSeries, why_not_native
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.graph.budget import TooMuchWork
from runtime.play.choices import Site
from runtime.play.game import Game
from runtime.play.options import TAKE, Decision, Option
from runtime.play.playthrough import Playthrough
from runtime.play.rule_faults import BrokenRules
from runtime.players.player import choose_option, seat_players
from runtime.players.player_names import PLAYERS
from tests.soak.lawful import ExclusiveStatus, Watch
from tests.soak.reenact import OtherGameError, reenact_module_game

# A unit that has fired or is dispersed does not fire: no status may be set where another one forbids it. (A battery is
# marked when its order is given, and again when the shells land.)
APART = (ExclusiveStatus("unit.fired", "unit.fired", "unit.laid"), ExclusiveStatus("unit.fired", "unit.dispersed", ""))

# Far more decisions than the longest game so far; a longer one is reported as endless.
PATIENCE = 20_000


@dataclass(slots=True)
class Tally:
    """The counts of many games of one stack.

    `wrong` maps a violation to the first game and place where it occurred. `by_machine` counts games that compiled code
    did not play, by reason.
    """

    stack: str
    games: int = 0
    decisions: int = 0
    longest: int = 0
    wins: Counter[tuple[str, str]] = field(default_factory=Counter)
    option_counts: Counter[str] = field(default_factory=Counter)
    question_counts: Counter[str] = field(default_factory=Counter)
    live: Counter[str] = field(default_factory=Counter)
    wrong: dict[str, str] = field(default_factory=dict)
    by_machine: Counter[str] = field(default_factory=Counter)

    def never_live(self, rules: graph.Graph) -> list[tuple[str, str]]:
        """List the rules that were live in no game, with the reason; clarifications are never live and left out."""
        return [
            (label, "never so" if any(self.question_counts[term] for term in rule.terms) else "never asked")
            for label, rule in sorted(rules.rules.items())
            if not self.live[label] and (rule.verb or rule.defeats)
        ]

    def never_taken(self, rules: graph.Graph) -> list[str]:
        """Return the actions that were never taken."""
        names = (key.partition(":")[2] for key in sorted(rules.procedures) if key.startswith("action:"))
        return [name for name in names if not self.option_counts[name]]


class Soak:
    """The games of one stack.

    With `hears`, every question is counted, which makes games slower. With `compiled`, a module plays and the machine
    replays its choices with a check of each position; questions are not counted.
    """

    def __init__(self, rules: graph.Graph, name: str, *, hears: bool = True, compiled: bool = False) -> None:
        """Prepare the rules for play."""
        self.rules = rules
        self.listener = CountingEvaluator(rules, code=None) if hears else None
        self.plain = GeneratedEvaluator(rules)
        self.game = Game(rules, self.listener or self.plain)
        self.tally = Tally(name)
        assert not (hears and compiled)
        self.series = NativeSeries(self.game, module_of(self.game), logs=True) if compiled else None

    def play(self, players: Mapping[str, str], seed: str) -> None:
        """Play one game to its end or to an error."""
        tally = self.tally
        if self.series and self.natively(self.series, players, seed):
            return
        playthrough = self.game.start(seed)
        style = "/".join(dict.fromkeys(players.values()))
        try:
            tally.wins[style, self.finish(playthrough, players, seed)] += 1
        except (BrokenRules, Unanswered) as broken:
            self.note(playthrough, f"{type(broken).__name__}: {broken}", seed)
        tally.games += 1
        tally.decisions += playthrough.choice_count
        tally.longest = max(tally.longest, playthrough.choice_count)
        self.count()

    def finish(self, playthrough: Playthrough, players: Mapping[str, str], seed: str) -> str:
        """Play to the end, and return the winner."""
        seats = seat_players({side: PLAYERS[name] for side, name in players.items()}, seed)
        watch = Watch(self.rules, self.plain, APART)
        while isinstance(now := self.game.advance(playthrough), Decision):
            for sentence in watch.look(playthrough):
                self.note(playthrough, sentence, seed)
            index = choose_option(self.game, playthrough, now, seats)
            # An action that is the only open option is taken without a decision; its choices have questions
            # `action.name`.
            action = now.options[index].name if now.options[index].kind == TAKE else now.question.partition(".")[0]
            self.tally.option_counts[action] += 1
            self.game.apply(playthrough, now, index)
            if playthrough.choice_count > PATIENCE:
                self.note(playthrough, f"the game does not end in {PATIENCE} decisions", seed)
                return "nobody"
        for sentence in watch.look(playthrough):
            self.note(playthrough, sentence, seed)
        return now.winner or "nobody"

    def natively(self, series: NativeSeries, players: Mapping[str, str], seed: str) -> bool:
        """Play one game in the module; return False where the module cannot finish it and the machine has to play."""
        tally = self.tally
        watch, option_counts, before = Watch(self.rules, self.plain, APART), Counter[str](), tally.wrong.copy()

        def choose(playthrough: Playthrough, site: Site, option: Option) -> None:
            for sentence in watch.look(playthrough):
                self.note(playthrough, sentence, seed)
            option_counts[option.name if option.kind == TAKE else site.question.partition(".")[0]] += 1

        if why := why_not_native(players):
            tally.by_machine[why] += 1
            return False
        series.seat(players)
        try:
            if not series.play(seed):
                raise OtherGameError(series.stop_reason)
            playthrough = reenact_module_game(self.game, series.native, seed, choose)
            end = self.game.finished_game(playthrough)
        except (OtherGameError, BrokenRules, Unanswered, TooMuchWork, NotRepresentableError) as other:
            tally.by_machine[str(other)] += 1
            tally.wrong = before
            return False
        for sentence in watch.look(playthrough):
            self.note(playthrough, sentence, seed)
        tally.option_counts += option_counts
        tally.wins["/".join(dict.fromkeys(players.values())), end.winner or "nobody"] += 1
        tally.games += 1
        tally.decisions += playthrough.choice_count
        tally.longest = max(tally.longest, playthrough.choice_count)
        return True

    def note(self, playthrough: Playthrough, sentence: str, seed: str) -> None:
        """Record the first place of a violation."""
        state = playthrough.state
        procedure_key = playthrough.calls[-1].key if playthrough.calls else "the end"
        moment = f"turn {state.turn}, {state.player}, {state.phase}, {procedure_key}"
        place = f"seed {seed}, decision {playthrough.choice_count}, {moment}"
        self.tally.wrong.setdefault(sentence, place)

    def count(self) -> None:
        """Add the counts of questions and live rules since the last game."""
        if self.listener:
            for term, decision_id in self.listener.take_evaluations():
                self.tally.question_counts[term] += 1
                self.tally.live.update(live_labels(self.rules.terms[term], decision_id))
