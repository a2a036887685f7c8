"""Tell of offers that can be stuck, unless it is known that none is.

The walks that look for them are taken again where something says otherwise than it did: a procedure, a counter, a word
of the vocabulary, an example that they begin with, or a term, rule or chart that they asked for.
"""

from compiler.analysis.laws import Laws
from compiler.analysis.verdicts import content
from compiler.analysis.watched import Watched
from compiler.report.answers import OfferStuck
from runtime.answer.traced import Dependencies, DependencyTracer
from runtime.graph import nodes as graph
from runtime.witness.stuck import beginnings, stuck_offers


def stuck(rules: graph.Graph, laws: Laws) -> tuple[OfferStuck, ...]:
    """Find the offers of a stack in which play comes to where nothing is open; `laws` know what was found before."""
    watch = laws.watch

    def walked() -> tuple[OfferStuck, ...]:
        found, rests = stuck_in(rules)
        note_play(watch)
        note_asked(watch, rests)
        return found

    begun = watch.kept.all_of((*rules.procedures.values(), *beginnings(rules)))
    return watch.proved("stuck", begun, walked, ((),), rules.outcome, content(rules.preconditions))


def stuck_in(rules: graph.Graph) -> tuple[tuple[OfferStuck, ...], Dependencies]:
    """Find the offers of a stack, or of a situation, and say what was asked on the way."""
    asking = DependencyTracer(rules)
    found = tuple(
        OfferStuck(
            tuple(name for name, _ in each.offer.actions),
            each.how,
            each.when,
            each.file,
            each.offer.cited.origin if each.offer.cited else each.procedure.origin,
        )
        for each in stuck_offers(rules, asking)
    )
    return found, asking.rests()


def note_play(watch: Watched) -> None:
    """Note that something rests on all that play knows by itself: words, counters and procedures."""
    watch.note((number, None) for number in (*watch.words, *watch.numbers("counters", "procedures")))


def note_asked(watch: Watched, rests: Dependencies) -> None:
    """Note that something rests on what was asked."""
    for room, names in zip(watch.numbers("terms", "rules", "tables"), rests, strict=True):
        watch.note((room, name) for name in names)
