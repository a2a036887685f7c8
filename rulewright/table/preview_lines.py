"""Lines for what a choice leads to, before dice are thrown: the rules behind each figure, the chance of each result.

In: choices, or a preview of one. Out: the preview, or its lines.
"""

from collections.abc import Iterator, Sequence

from runtime.answer.interpreter import DelegatingInterpreter
from runtime.answer.reasons import AppliedRule
from runtime.graph import words
from runtime.play.choices import Decision
from runtime.play.game import Game
from runtime.play.playthrough import Playthrough
from runtime.play.previews import AccountPreview, Preview, chances_text, preview_option
from runtime.players.player import as_seen

HOUSE = "house"
MOST, ALL = 3, 99  # Paragraphs behind a sentence; who wants all asks `explain`.


def preview_of(game: Game, playthrough: Playthrough, options: Sequence[int]) -> Preview | None:
    """Preview the first of these choices that throws dice, or of which an account tells before; None if none does."""
    side = ""
    if game.accounts is None:
        return None  # A game in which nothing is told.
    copied = playthrough.copy()
    # A figure may rest on searches over the whole map: what they ask is answered by generated code.
    explaining = DelegatingInterpreter(game.evaluator.evaluator, game.graph)
    for option in options:
        now = game.advance(copied)
        if not isinstance(now, Decision) or (side and now.side != side):
            return None
        side = now.side
        seen = preview_option(game, as_seen(game, copied, side), now, option, explaining)
        if seen.has_content:
            return seen
        game.apply(copied, now, option)
    return None


def preview_text_lines(seen: Preview) -> Iterator[str]:
    """Write what a choice leads to; no line where nothing is told of it."""
    told = [account for account in seen.sheets if account.text or account.chances]
    for account in told:
        yield from _account_lines(account, seen)
    if told and seen.stopped:
        yield f"  ({seen.stopped})"


def _account_lines(account: AccountPreview, seen_in: Preview) -> Iterator[str]:
    """Write one account: its sentence, the rules behind its figures, and the chances."""
    yield f"  {account.text}{bracketed_sources(account.cites)}".rstrip()
    for heading, reasons in reasons_in(account):
        yield f"    {heading}:"
        yield from (f"      {reason}" for reason in reasons)
    yield from (f"    {each}" for each in chances_text(account, sampled=bool(seen_in.sampled)))
    if account.chances and seen_in.sampled:
        yield f"    (too many results to list: {seen_in.sampled} of them were tried)"


def reasons_in(account: AccountPreview, most: int = MOST) -> Iterator[tuple[str, list[str]]]:
    """List the fields that the text says, each with the sentences of the rules behind it; each rule is told once.

    `most`: paragraphs that are named behind a sentence.
    """
    seen: set[str] = set()
    for field in account.fields:
        reasons = field.reasons if field.name in account.mentioned else ()
        told = [each for each in reasons if each.label not in seen and _is_printed(each)]
        seen.update(each.label for each in told)
        if told:
            shown = [f"{_rule_text(each)}{bracketed_sources(each.cites, most)}" for each in told]
            yield f"{words.readable_name(field.name)} {field.text}", shown


def _rule_text(reason: AppliedRule) -> str:
    """Write the sentence of a rule, with what it adds."""
    return f"{reason.prose} ({reason.says})" if reason.says.startswith(("+", "-")) else reason.prose


def _is_printed(reason: AppliedRule) -> bool:
    """Return whether a rule stands in a rulebook, and says something."""
    return bool(reason.prose) and any(cite != HOUSE for cite in reason.cites)


def bracketed_sources(cites: tuple[str, ...], most: int = MOST) -> str:
    """Return the paragraphs cited after a sentence, in brackets; citations of house rules are left out."""
    shown = [cite for cite in cites if cite != HOUSE]
    return f" [{', '.join(shown[:most])}{', ..' if len(shown) > most else ''}]" if shown else ""
