"""The preview of a choice before dice are thrown: the chance of each result, and the rules behind each figure.

In: choices, or a preview of one. Out: the preview, or its blocks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from runtime.answer.answer_block import figures_line, plain_block
from runtime.answer.interpreter import Interpreter
from runtime.answer.reasons import AppliedRule
from runtime.graph import words
from runtime.graph.document import DocumentBlock, DocumentLine, DocumentRole
from runtime.graph.printed_cites import printed_cites
from runtime.play.game import Game
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.play.previews import AccountPreview, Preview, chances_text, preview_option
from runtime.players.player import as_seen

# The most paragraphs per sentence; `explain` lists all of them.
MOST_PARAGRAPHS = 3


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


def preview_blocks(seen: Preview) -> list[DocumentBlock]:
    """Return a block for each account of a preview, and why it ends."""
    blocks = [_account_block(sheet, seen) for sheet in seen.sheets if sheet.text or sheet.chances]
    if blocks and seen.stop_reason:
        blocks.append(plain_block(words.sentence(seen.stop_reason)))
    return blocks


def _account_block(account: AccountPreview, seen_in: Preview) -> DocumentBlock:
    """Return the block of one account: its sentence, the chances, and in a fold the rules behind its figures."""
    lines = [figures_line(each) for each in chances_text(account, sampled=bool(seen_in.sampled))]
    if account.chances and seen_in.sampled:
        lines.append(figures_line(f"There are too many results to compute all: {seen_in.sampled} of them were tried."))
    if figures := tuple(_explained_figures(account)):
        lines.append(DocumentLine(DocumentRole.CALCULATION, (), figures))
    return plain_block(f"{account.text}{bracketed_sources(account.cites)}".strip(), lines=lines)


def _explained_figures(account: AccountPreview) -> Iterator[DocumentLine]:
    """Yield the fields in the text of an account with the rules behind them, each rule once."""
    seen: set[str] = set()
    for field in account.fields:
        reasons = field.reasons if field.name in account.mentioned else ()
        new_reasons = [reason for reason in reasons if reason.label not in seen and _is_printed(reason)]
        seen.update(reason.label for reason in new_reasons)
        if new_reasons:
            rules = (figures_line(f"{_rule_text(reason)}{bracketed_sources(reason.cites)}") for reason in new_reasons)
            yield replace(figures_line(f"{words.readable_name(field.name)} {field.text}"), items=tuple(rules))


def _rule_text(reason: AppliedRule) -> str:
    """Format the sentence of a rule, with the amount that it adds."""
    return f"{reason.prose} ({reason.conclusion})" if reason.conclusion.startswith(("+", "-")) else reason.prose


def _is_printed(reason: AppliedRule) -> bool:
    """Return whether a rule has prose and cites a published document."""
    return bool(reason.prose and printed_cites(reason.cites))


def bracketed_sources(cites: tuple[str, ...]) -> str:
    """Format the first citations in brackets; those of house rules are omitted."""
    found = printed_cites(cites)
    more = ", .." if len(found) > MOST_PARAGRAPHS else ""
    return f" [{', '.join(found[:MOST_PARAGRAPHS])}{more}]" if found else ""
