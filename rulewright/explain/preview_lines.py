"""Format the preview of a choice before dice are thrown: the rules behind each figure, the chance of each result.

In: choices, or a preview of one. Out: the preview, or its lines.
"""

from collections.abc import Iterator, Sequence

from runtime.answer.interpreter import Interpreter
from runtime.answer.reasons import AppliedRule
from runtime.graph import words
from runtime.graph.printed_cites import HOUSE
from runtime.play.game import Game
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.play.previews import AccountPreview, Preview, chances_text, preview_option
from runtime.players.player import as_seen

MOST_PARAGRAPHS, ALL = 3, 99  # The most paragraphs per sentence; `explain` lists all of them.


def preview_of(game: Game, playthrough: Playthrough, options: Sequence[int]) -> Preview | None:
    """Return the preview of the first option that throws dice or has an advance account; None if there is none."""
    side = ""
    if game.accounts is None:
        return None  # The game has no accounts.
    copied = playthrough.copy()
    # A figure may depend on searches over the whole map: their questions are evaluated by generated code.
    explaining = Interpreter(game.graph, elsewhere=game.evaluator.evaluator.ask)
    for option in options:
        decision = game.advance(copied)
        if not isinstance(decision, Decision) or (side and decision.side != side):
            return None
        side = decision.side
        seen = preview_option(game, as_seen(game, copied, side), decision, option, explaining)
        if seen.has_content:
            return seen
        game.apply(copied, decision, option)
    return None


def preview_text_lines(seen: Preview) -> Iterator[str]:
    """Yield the lines of a preview; none if it has no account."""
    accounts = [account for account in seen.sheets if account.text or account.chances]
    for account in accounts:
        yield from _account_lines(account, seen)
    if accounts and seen.stop_reason:
        yield f"  ({seen.stop_reason})"


def _account_lines(account: AccountPreview, seen_in: Preview) -> Iterator[str]:
    """Yield the lines of one account: its sentence, the rules behind its figures, and the chances."""
    yield f"  {account.text}{bracketed_sources(account.cites)}".rstrip()
    for heading, reasons in reasons_in(account):
        yield f"    {heading}:"
        yield from (f"      {reason}" for reason in reasons)
    yield from (f"    {each}" for each in chances_text(account, sampled=bool(seen_in.sampled)))
    if account.chances and seen_in.sampled:
        yield f"    (too many results to list: {seen_in.sampled} of them were tried)"


def reasons_in(account: AccountPreview, most: int = MOST_PARAGRAPHS) -> Iterator[tuple[str, list[str]]]:
    """Yield the fields in the text of an account with the sentences of the rules behind them, each rule once.

    `most` is the limit of cited paragraphs after a sentence.
    """
    seen: set[str] = set()
    for field in account.fields:
        reasons = field.reasons if field.name in account.mentioned else ()
        new_reasons = [reason for reason in reasons if reason.label not in seen and _is_printed(reason)]
        seen.update(reason.label for reason in new_reasons)
        if new_reasons:
            sentences = [f"{_rule_text(reason)}{bracketed_sources(reason.cites, most)}" for reason in new_reasons]
            yield f"{words.readable_name(field.name)} {field.text}", sentences


def _rule_text(reason: AppliedRule) -> str:
    """Format the sentence of a rule, with the amount that it adds."""
    return f"{reason.prose} ({reason.conclusion})" if reason.conclusion.startswith(("+", "-")) else reason.prose


def _is_printed(reason: AppliedRule) -> bool:
    """Return whether a rule has prose and cites a published document."""
    return bool(reason.prose) and any(cite != HOUSE for cite in reason.cites)


def bracketed_sources(cites: tuple[str, ...], most: int = MOST_PARAGRAPHS) -> str:
    """Format citations in brackets; those of house rules are omitted."""
    printed_cites = [cite for cite in cites if cite != HOUSE]
    return f" [{', '.join(printed_cites[:most])}{', ..' if len(printed_cites) > most else ''}]" if printed_cites else ""
