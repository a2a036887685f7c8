"""Prompt a player until an option is taken, a choice undone, or the game left.

In: an interactive game and a `Console`. Out: the request of the player. Commands that only inspect the game use
the playthrough as the side of the player may see it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from rich.console import RenderableType

from compiler.source.suggestions import nearest_names
from rulewright.errors import UsageError
from rulewright.option_views import find_counterfactuals, open_options
from rulewright.shell_words import shell_word
from rulewright.table import option_lines, preview_lines
from rulewright.table.chart import draw_chart, link_lines
from rulewright.table.help import help_page
from rulewright.table.journal_text import events_text
from rulewright.table.kept_notes import note_lines
from rulewright.table.open_option_lines import CUT, counterfactual_lines, open_option_lines, route_line, why_lines
from rulewright.table.option_reader import ParsedLine, UnreadReason
from rulewright.table.piece_details import detail_lines, find_hex, is_known_name, piece_rows
from rulewright.table.player_requests import AutoCommand, LeaveCommand, PlayerRequest, TakeOptions, UndoCommand
from rulewright.table.refusal_lines import refusal_explanation, with_action_name, without_stop_words
from rulewright.table.word_parser import option_phrase, option_phrases, parse_words
from rulewright.views.picture import phase_title, save_picture
from rulewright.views.victory_conditions import victory_text
from runtime.answer.value_text import with_space_noun
from runtime.experiment.report import level_name
from runtime.graph import nodes as graph
from runtime.graph.words import member
from runtime.play.dice import Stream
from runtime.play.labels import option_labels
from runtime.play.options import END, PICK, Decision
from runtime.play.piece_options import indices_of
from runtime.play.playthrough import Playthrough
from runtime.play.refusal import actions_called
from runtime.play.word_binding import join_words
from runtime.players.greedy import greedy_option
from runtime.players.player import as_seen
from runtime.trial.interactive_game import InteractiveGame


class Console(Protocol):
    """A screen and a keyboard."""

    @property
    def width(self) -> int:
        """Return the number of columns of the screen."""

    def say(self, content: RenderableType) -> None:
        """Print a text."""

    def read_line(self, prompt: str, names: Sequence[str]) -> str | None:
        """Read a line; None at the end of input. `names` are candidates for completion."""

    def clear_screen(self) -> None:
        """Clear the screen."""


SaveFunction = Callable[[Path], None]

NO, LEAVE = ("n", "no"), "quit"
# The command for a whole move, unless an action or piece has this name; the words of `what would allow`.
MOVE, ALLOW = "move", ("would", "allow")


@dataclass(slots=True)
class Dialog:
    """The dialog with the player at the terminal. `since` are the first event and die of the last phase."""

    interactive: InteractiveGame
    console: Console
    save: SaveFunction
    since: tuple[int, int] = (0, 0)

    def ask(self, decision: Decision) -> PlayerRequest:
        """Prompt until the player makes a request."""
        self.show(decision)
        while True:
            line = self.console.read_line(prompt(self.playthrough, decision), self.completions(decision))
            if line is None:
                return LeaveCommand()
            words = line.split()
            if not words:
                self.show(decision)
                continue
            request = self.parse_line(decision, words)
            if request is not None:
                return request

    @property
    def playthrough(self) -> Playthrough:
        """Return the complete playthrough; only `visible_playthrough` may be shown."""
        return self.interactive.playthrough

    def visible_playthrough(self, decision: Decision) -> Playthrough:
        """Return the playthrough as the side of the decision may see it."""
        return as_seen(self.interactive.game, self.playthrough, decision.side)

    def completions(self, decision: Decision) -> list[str]:
        """Return the candidates for completion: open options, pieces, spaces and commands."""
        game, state = self.interactive.game, self.playthrough.state
        phrases = option_phrases(game, self.playthrough, decision)
        candidates = {text.split()[0] for text in phrases}
        candidates |= {
            text for text in option_labels(state, game.programs.entries, decision) if "_" not in text or decision.member
        }
        return sorted({*candidates, *(sheet.name for sheet in state.sheets), *state.board.names, *COMMANDS, MOVE})

    def show(self, decision: Decision) -> None:
        """Print the question and the open options."""
        game = self.interactive.game
        question = option_lines.decision_question(game, self.playthrough, decision)
        self.console.say(f"\n{side_title(self.playthrough, decision)}: {question}")
        for line in option_lines.option_lines(game, self.playthrough, decision):
            self.console.say(line)

    def parse_line(self, decision: Decision, words: Sequence[str]) -> PlayerRequest | None:
        """Execute a line, or print why it cannot be executed; None if the player has to be prompted again."""
        labels = [
            text.lower()
            for text in option_labels(self.playthrough.state, self.interactive.game.programs.entries, decision)
        ]
        command = COMMANDS.get(words[0].lower())
        if command and words[0].lower() not in labels:
            try:
                return command(self, decision, list(words[1:]))
            except UsageError as problem:
                self.console.say(str(problem))
                return None
            except OSError as problem:
                self.console.say(f"{problem.filename}: {problem.strerror}")
                return None
        if words[0].lower() == MOVE and len(words) > 1 and MOVE not in labels:
            return self.move(decision, words[1:], words)
        return self.take(decision, words)

    def take(self, decision: Decision, words: Sequence[str]) -> PlayerRequest | None:
        """Apply the options of a line, or print why they cannot be taken."""
        found = parse_words(self.interactive.game, self.playthrough, decision, words)
        if not found.unread_word:
            return TakeOptions(found.indices) if self.confirm_options(found.indices) else None
        if found.reason is UnreadReason.AMBIGUOUS:
            self.console.say(f"nothing is done: `{found.unread_word}` can mean several choices; type one of these:")
            self.console.say("\n".join(f"  {meaning}" for meaning in found.meanings))
        elif found.reason is UnreadReason.NOT_OPEN:
            self.console.say("\n".join(self.refusal_lines(decision, found, words)))
        else:
            self.console.say(f"nothing is done: at `{found.unread_word}`, {found.reason}")
        return None

    def move(self, decision: Decision, words: Sequence[str], line: Sequence[str]) -> PlayerRequest | None:
        """Move a piece to a hex by the cheapest route; other lines may describe an action, or name several hexes."""
        state = self.playthrough.state
        piece = next((p for p, sheet in enumerate(state.sheets) if sheet.name.lower() == words[0].lower()), None)
        goal = next((h for name, h in state.board.index.items() if name.lower() == words[-1].lower()), None)
        if len(words) != 2 or piece is None or goal is None:
            described = parse_words(self.interactive.game, self.playthrough, decision, line)
            return self.take(decision, words if described.unread_word else line)
        found = open_options(self.interactive.game, self.playthrough, words[0], refused=False)
        reached_hex = next((each for each in found.hexes if each.hex == goal), None)
        if reached_hex is None:
            self.console.say(f"{words[0]} cannot get to {words[-1]} now; nothing is done")
            if found.is_cut:
                self.console.say(CUT)
            self.why(decision, list(words))
            return None
        self.console.say(route_line(state, piece, reached_hex))
        return TakeOptions(indices_of(self.interactive.game, self.playthrough, reached_hex.options))

    def confirm_options(self, options: Sequence[int]) -> bool:
        """Show the preview of options that throw dice or have an account, and return whether the player confirms."""
        seen = preview_lines.preview_of(self.interactive.game, self.playthrough, options)
        before = list(preview_lines.preview_text_lines(seen)) if seen is not None else []
        if seen is None or not before:
            return True
        for line in before:
            self.console.say(line)
        question = "throw the dice?" if seen.throws else "do it?"
        answer = self.console.read_line(f"{question} (Enter: yes, n: no) ", ())
        if answer is None or answer.strip().lower() in NO:
            self.console.say("nothing is done")
            return False
        return True

    def refusal_lines(self, decision: Decision, found: ParsedLine, typed: Sequence[str]) -> Iterator[str]:
        """Yield why a line is not open: the whole line if all of its words are known, otherwise the unknown word."""
        game, state = self.interactive.game, self.playthrough.state
        typed = join_words(state, typed)
        known = [bool(actions_called(game, state, word)) or is_known_name(state, word) for word in typed]
        if len(typed) > 1 and all(known):
            yield f"`{' '.join(typed)}` is not open; nothing is done"
            yield from refusal_explanation(game, self.playthrough, list(typed), decision.side)
            return
        yield f"`{found.unread_word}` is not open; nothing is done"
        is_action = bool(actions_called(game, state, found.unread_word.lower()))
        if found.playthrough and (is_action or is_known_name(found.playthrough.state, found.unread_word)):
            yield from refusal_explanation(game, found.playthrough, [found.unread_word], decision.side)
        else:
            suggestions = found.meanings or nearest_names(found.unread_word.lower(), self.completions(decision))
            yield f"did you mean {', '.join(suggestions)}?" if suggestions else "`?` says what can be typed"

    def help(self, _: Decision, __: list[str]) -> None:
        """Print the help page."""
        self.console.say(help_page(partial(with_space_noun, self.playthrough.state)))

    def why(self, decision: Decision, words: list[str]) -> None:
        """Print why something is not open."""
        words = without_stop_words(self.interactive.game, self.playthrough.state, words)
        if not words:
            raise UsageError(with_space_noun(self.playthrough.state, "why what? For example `why PIECE HEX`"))
        self.console.say("\n".join(why_lines(self.interactive.game, self.playthrough, decision, words)))

    def show_piece_options(self, decision: Decision, words: list[str]) -> None:
        """Print the options of a piece."""
        if not words:
            raise UsageError("open to what? For example `open PIECE`")
        game = self.interactive.game
        for word in words:
            found = open_options(game, self.playthrough, word)
            self.console.say(
                "\n".join(open_option_lines(game, self.visible_playthrough(decision).state, found, decision.side))
            )

    def counterfactuals(self, decision: Decision, words: list[str]) -> None:
        """Print the counterfactuals of a refusal."""
        while words[:1] and words[0].lower() in ALLOW:
            words.pop(0)
        if not words:
            asks = "what would allow what? For example `what would allow PIECE HEX`"
            raise UsageError(with_space_noun(self.playthrough.state, asks))
        game, request_words = (
            self.interactive.game,
            with_action_name(self.interactive.game, self.playthrough.state, words),
        )
        found = find_counterfactuals(game, self.playthrough, request_words)
        lines = (
            counterfactual_lines(game, found)
            if found
            else refusal_explanation(game, self.playthrough, request_words, decision.side)
        )
        self.console.say("\n".join(lines))

    def look(self, decision: Decision, words: list[str]) -> None:
        """Print the details of a hex or a piece."""
        if not words:
            raise UsageError(with_space_noun(self.playthrough.state, "look at what? A hex or a piece"))
        for word in words:
            self.console.say("\n".join(detail_lines(self.visible_playthrough(decision).state, word)))

    def units(self, decision: Decision, words: list[str]) -> None:
        """Print the pieces of one side, or of all sides."""
        for row in piece_rows(self.visible_playthrough(decision).state, words[0] if words else "", first=decision.side):
            self.console.say(row)

    def notes(self, decision: Decision, _: list[str]) -> None:
        """Print the notes of the game and its sides."""
        self.console.say("\n".join(note_lines(self.visible_playthrough(decision).state)))

    def print_victory_levels(self, decision: Decision, _: list[str]) -> None:
        """Print the victory conditions, and the current levels as the side of the decision may know them."""
        game, seen = self.interactive.game, self.visible_playthrough(decision)
        lines = list(victory_text(game.graph))
        if game.graph.outcome and game.graph.scenario:
            levels = [
                f"{member('side', side, game.graph.vocabulary)} {level_name(game.graph, game.level_of(seen, side))}"
                for side in game.graph.scenario.order
            ]
            lines.append(f"at present: {', '.join(levels)}")
        self.console.say("\n".join(lines) or "the rules state no victory conditions")

    def draw_map(self, decision: Decision, words: list[str]) -> None:
        """Print the map, with open hexes highlighted."""
        state = self.visible_playthrough(decision).state
        middle = find_hex(state, words[0])[0] if words else None
        hexes: set[int] = set()
        if isinstance(decision.member, graph.Hex):
            hexes = {option.value for option in decision.options if option.kind == PICK}
        self.console.say(draw_chart(state, self.console.width, hexes, middle))
        for line in link_lines(state):
            self.console.say(line)

    def log(self, decision: Decision, words: list[str]) -> None:
        """Print the events since the beginning of the last phase, or of the game."""
        lines = events_text(
            self.playthrough,
            *((0, 0) if words[:1] == ["all"] else self.since),
            dice="dice so far",
            reader=decision.side,
        )
        self.console.say("\n".join(lines) or "nothing yet")

    def every(self, decision: Decision, _: list[str]) -> None:
        """Print every option with its number."""
        state = self.playthrough.state
        labels = option_labels(state, self.interactive.game.programs.entries, decision)
        if decision.member is None:
            for line in option_lines.action_lines(self.interactive.game, self.playthrough, decision, len(state.sheets)):
                self.console.say(line)
            return
        for number, (text, option) in enumerate(zip(labels, decision.options, strict=True), 1):
            more = option_lines.option_remark(state, decision, option) if option.kind == PICK else ""
            self.console.say(f"{number:>4}  {text}  {more}".rstrip())

    def hint(self, decision: Decision, _: list[str]) -> None:
        """Print what the greedy player would choose."""
        game = self.interactive.game
        chance = Stream(f"hint {self.playthrough.seed}", decision.side)
        phrases, copied, current_decision = [], self.visible_playthrough(decision).copy(), decision
        thrown = len(copied.dice)
        # The choice of an action is incomplete without the choices within the action.
        while current_decision.side == decision.side and len(copied.dice) == thrown:
            index = greedy_option(game, copied, current_decision, chance)
            phrases.append(option_phrase(game, copied.state, current_decision, current_decision.options[index]))
            game.apply(copied, current_decision, index)
            next_decision = game.advance(copied)
            if (
                not isinstance(next_decision, Decision)
                or next_decision.member is None
                or current_decision.options[index].kind == END
            ):
                break
            current_decision = next_decision
        self.console.say(f"the greedy player would take: {' '.join(phrases)}")

    def auto(self, _: Decision, __: list[str]) -> AutoCommand:
        """Return the request that the greedy player finish the phase."""
        return AutoCommand()

    def undo(self, decision: Decision, _: list[str]) -> UndoCommand | None:
        """Return the request to undo the last choice; `UsageError` if that is refused."""
        bar = self.interactive.undo_refusal(decision.side)
        if bar:
            raise UsageError(f"this cannot be undone: {bar}")
        return UndoCommand()

    def draw(self, decision: Decision, words: list[str]) -> None:
        """Save a picture of the position to a file."""
        if not words:
            raise UsageError("draw into which file? For example `draw now.svg`")
        file = Path(words[0])
        save_picture(self.visible_playthrough(decision).state, file)
        self.console.say(f"drawn in {file}")

    def store(self, _: Decision, words: list[str]) -> None:
        """Save a copy of the game to a file."""
        if not words:
            raise UsageError("save into which file? For example `save evening.trial`")
        self.save(Path(words[0]))
        self.console.say(f"saved in {words[0]}; `play --resume {shell_word(words[0])}` goes on from there")

    def leave(self, _: Decision, __: list[str]) -> LeaveCommand:
        """Return the request to leave the game."""
        return LeaveCommand()


COMMANDS: dict[str, Callable[[Dialog, Decision, list[str]], PlayerRequest | None]] = {
    "?": Dialog.help,
    "help": Dialog.help,
    "why": Dialog.why,
    "open": Dialog.show_piece_options,
    "what": Dialog.counterfactuals,
    "look": Dialog.look,
    "units": Dialog.units,
    "notes": Dialog.notes,
    "aims": Dialog.print_victory_levels,
    "map": Dialog.draw_map,
    "log": Dialog.log,
    "list": Dialog.every,
    "hint": Dialog.hint,
    "auto": Dialog.auto,
    "undo": Dialog.undo,
    "draw": Dialog.draw,
    "save": Dialog.store,
    LEAVE: Dialog.leave,
}


def prompt(playthrough: Playthrough, decision: Decision) -> str:
    """Return the prompt, with turn, phase and side."""
    state = playthrough.state
    phase = phase_title(state) or "before the first phase"
    return f"turn {state.turn}, {phase}, {side_title(playthrough, decision)}> "


def side_title(playthrough: Playthrough, decision: Decision) -> str:
    """Return the title of the side of a decision."""
    return member("side", decision.side, playthrough.state.graph.vocabulary)
