"""Levels of victory that decide nothing on a card; compiler/analysis/idle_card_lines.py finds them."""

from compiler.analysis.condition_texts import exclusion_text
from compiler.analysis.parties import Party, party_label
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence, list_words


@finding("R0533", "idle-aim", WARNING)
class IdleAim(Finding):
    """A level of victory of a side decides nothing on this card.

    `clashing` are the conditions that exclude one another; or, with `higher_level`, the higher level that is reached as
    well.
    """

    rule: Party
    side: str
    level: str
    clashing: tuple[str, ...]
    higher_level: Party | None

    def sentence(self) -> Sentence:
        side, level = self.side, self.level
        if self.higher_level is not None:
            return Sentence(
                f"{side} never ends at `{level}`, as this always reaches {list_words(self.clashing)} as well",
                (party_label(self.rule, "this level"), party_label(self.higher_level, "the higher level")),
                "require more for the higher level, or less for this one",
                root=f"{self.rule.origin.file} {side} {' '.join(self.clashing)}",
            )
        message = f"{side} can never reach `{level}`: {exclusion_text(self.clashing)} in this situation"
        advice = "require what its forces, areas and turns allow"
        return Sentence(message, (party_label(self.rule, "this level"),), advice)
