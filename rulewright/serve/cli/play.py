"""`rulewright play SCENARIO`: play one game."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulewright.serve.cli.arguments import PlayerCodeOption, Rules, SeedOption
from rulewright.serve.cli.console import Reply, print_note
from rulewright.system.shell_words import shell_word
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.document import DocumentBlock
from runtime.graph.document_lines import reply_block
from runtime.graph.records.findings import FindingsRecord
from runtime.graph.records.playing import LeftGameRecord, PlayRecord
from runtime.graph.words import counted_noun

if TYPE_CHECKING:
    from rulewright.games.scenarios import PlayedGame


def play(
    packages: list[Path],
    scenario: Annotated[
        str | None, typer.Argument(metavar="SITUATION", help="A situation by name, or its file; none with --resume.")
    ] = None,
    rules: Rules = None,
    seed: SeedOption = "1",
    players: Annotated[
        str | None,
        typer.Option(
            metavar="X,Y",
            help="human, random, greedy, lookahead[:DECISIONS] or search[:GAMES]; who moves first comes first."
            "  [default: random]",
        ),
    ] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the game to this file, for `replay`.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Continue a game that was left or interrupted.")
    ] = None,
    player_code: PlayerCodeOption = None,
) -> Reply[PlayRecord] | Reply[LeftGameRecord] | Reply[FindingsRecord]:
    """Play a game of SITUATION, and report who won.

    The player `human` plays at this terminal.

    Example: rulewright play before_the_tide --players north=human,south=greedy
    """
    from rulewright.games.journal import reopen_journal
    from rulewright.games.player_code import import_players
    from rulewright.games.player_limits import player_limits
    from rulewright.games.scenarios import load_recorded, load_scenario
    from rulewright.serve.cli.findings import reply_with
    from rulewright.serve.terminal.game_setup import GameSetup, play_game
    from rulewright.system.errors import UsageError

    if scenario is None and resume is None:
        raise UsageError("name a situation to begin a game, or `--resume FILE` to go on with one")
    if resume and record:
        raise UsageError("a game goes on in its own file: leave out `--record`")
    others = import_players(player_code or [])
    journal, trial, dropped = reopen_journal(resume) if resume else (None, None, "")
    try:
        heading = trial.heading if trial else None
        if heading is None:
            loaded = load_scenario(scenario or "", rules, packages)
        else:
            loaded = load_recorded(heading, packages, rules, scenario)
        game = loaded.rules
        if dropped:
            print_note(dropped)
        setup = GameSetup(game, players, heading.seed if heading else seed, record, others)
        played = play_game(setup, _terminal, journal, trial)
    finally:
        if journal:
            journal.close()
    if played.problem:
        return reply_with(played.diagnostics(loaded.texts), loaded.texts)
    return _game_reply(game, played, player_limits(game, players or ""))


def _terminal() -> Any:
    """Return the terminal for a human player."""
    from rulewright.serve.cli.terminal import Terminal

    return Terminal()


def _game_reply(
    rules: graph.Graph, game: "PlayedGame", limits: tuple[str, ...]
) -> Reply[PlayRecord] | Reply[LeftGameRecord]:
    """Return the reply with the result of a game, or with the command that resumes it."""
    if game.data is None:
        left: LeftGameRecord = {"winner": None, "level": None, "left": True, "file": str(game.file)}
        return Reply(left, _left_block)
    assert rules.scenario is not None
    record: PlayRecord = {
        **game.data,
        "side_titles": {side: words.side(side, rules.vocabulary) for side in game.data["levels"]},
        "unsettled": [offer.record() for offer in game.unsettled],
        "player_limits": list(limits),
        "scenario": rules.scenario.name,
        "seed": game.seed,
        "file": str(game.file) if game.file else None,
    }
    return Reply(record, _game_block)


def _left_block(record: LeftGameRecord) -> DocumentBlock:
    """Show the command that goes on with the game."""
    return reply_block(f"left; `play --resume {shell_word(record['file'])}` goes on from here")


def _game_block(record: PlayRecord) -> DocumentBlock:
    """Show who won, how long the game was, and what is not known of it."""
    from rulewright.games.unsettled_offers import unsettled_sentence

    return reply_block(
        f"{record['scenario']}, seed {record['seed']}: {_ending(record)}",
        f"{counted_noun(record['turns'], 'turn')}, {counted_noun(record['decisions'], 'decision')}, "
        f"{record['dice']} {'die' if record['dice'] == 1 else 'dice'}",
        f"state {record['state_hash']}",
        *map(unsettled_sentence, record["unsettled"]),
        *record["player_limits"],
        f"written to {record['file']}" if record["file"] else "",
    )


def _ending(data: PlayRecord) -> str:
    """Format the winner; for a single side, its level."""
    if data["winner"]:
        title = data["side_titles"][data["winner"]]
        return f"won by {title}" + (f": {data['level']}" if data["level"] is not None else "")
    if len(data["levels"]) == 1:
        return f"not won: {next(iter(data['levels'].values()))}"
    return "a draw"
