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
        spans = (origin_label(self.origin, self.procedure),) if self.origin else ()
        place_phrase = f" in `{self.procedure}`" if self.procedure else ""
        return Sentence(f"the game cannot go on{place_phrase}: {self.message}, {self.when}", spans)


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
                f"there can be nothing to choose or draw `{name}` from, and then play stops",
                (origin_label(self.origin, "in what is done here"),),
                f"do it behind `if some(x in ..) {{ .. }}`, or let it be so many as there are: `choose any {name} ..`",
                witness,
            )
        return Sentence(
            f"the offer of {list_words(self.offered_names, 'and')} can be stuck: no action is open, and it may not end",
            (origin_label(self.origin, "offered here"),),
            "write `must` in place of `until`, so that only what leads there is offered, and `otherwise { .. }`",
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
        were = "was" if self.options == 1 else "were"
        message = (
            f"more can follow in the offer of {list_words(self.offered_names, 'and')} than the budget "
            "allows to try: at "
            f"{counted_noun(self.decisions, 'decision')} it was not told whether its `must` can still be met after "
            f"{counted_noun(self.options, 'option')}, which {were} offered all the same"
        )
        advice = "say behind `keeping` what every action has to leave so, which is told by trying one action"
        return Sentence(message, (origin_label(self.origin, "offered here"),), advice, Witness(self.description))
