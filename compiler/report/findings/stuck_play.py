"""Play that cannot continue, and offers that can come to that."""

from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence, Witness, list_words, origin_label
from runtime.graph import nodes as graph
from runtime.graph.words import counted_noun


@finding("R0555", "play-stuck")
class PlayStuck(Finding):
    """A procedure that cannot continue; `message` is the reason, `when` the point of the game."""

    message: str
    procedure: str
    when: str
    origin: graph.Origin | None

    def sentence(self) -> Sentence:
        spans = (origin_label(self.origin, "here"),) if self.origin else ()
        place_phrase = f" in `{self.procedure}`" if self.procedure else ""
        return Sentence(f"the game cannot continue{place_phrase} ({self.when}): {self.message}", spans)


@finding("R0578", "offer-stuck", WARNING)
class OfferStuck(Finding):
    """An offer in which nothing is open, and which may not end; `file` is the position, "" if it cannot be written.

    Where it is not an offer, `offered_names` is the name of what is chosen or drawn from an empty set.
    """

    offered_names: tuple[str, ...]
    description: str
    when: str
    file: str
    origin: graph.Origin
    is_offer: bool

    def sentence(self) -> Sentence:
        witness = Witness(f"{self.description}, {self.when}", file=self.file)
        if not self.is_offer:
            (name,) = self.offered_names
            return Sentence(
                f"play stops when there is nothing from which to choose or draw `{name}`",
                (origin_label(self.origin, "here"),),
                f"put it inside `if some(x in ..) {{ .. }}`, or write `choose any {name} ..`",
                witness,
            )
        return Sentence(
            f"the offer of {list_words(self.offered_names, 'and')} can get stuck, as no action is allowed",
            (origin_label(self.origin, "offered here"),),
            "write `must` instead of `until`, with `otherwise { .. }`",
            witness,
        )


@finding("R0579", "offer-unsettled", WARNING)
class OfferUnsettled(Finding):
    """An offer for which the budget did not suffice to decide whether its `must` is still satisfiable.

    This occurred at so many decisions; `options` is the number of their options that were concerned, `description` the
    way in which the game was played.
    """

    offered_names: tuple[str, ...]
    description: str
    decisions: int
    options: int
    origin: graph.Origin

    def sentence(self) -> Sentence:
        message = (
            f"the offer of {list_words(self.offered_names, 'and')} may include actions after which its `must` can no"
            f" longer be met: {counted_noun(self.options, 'option')} at {counted_noun(self.decisions, 'decision')} took"
            " too long to examine"
        )
        advice = "write after `keeping` what must be true after each action, which is tested at once"
        return Sentence(message, (origin_label(self.origin, "offered here"),), advice, Witness(self.description))
