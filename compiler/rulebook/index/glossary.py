"""The words that a stack declares, in groups, each with its meaning and its mentions.

The input is a vocabulary; the output is groups of entries for the glossary and for the search.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from compiler.rulebook.added_factors import factor_sense
from compiler.rulebook.index.mentions import BookKey, Mentions
from compiler.rulebook.sentences import type_words
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.added_factors import added_factors
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.wording import Wording


@frozen_dataclass
class _GlossaryEntry:
    """A word: its kind, its wording, and the rules and procedures that mention it."""

    thing: BookKey
    word: str
    sense: str
    readers: tuple[BookKey, ...]


@frozen_dataclass
class GlossaryGroup:
    """Words of one sort."""

    title: str
    glosses: tuple[_GlossaryEntry, ...]


FLAGS = {
    "trait": "printed on the counters of some {owners}",
    "feature": "printed on {owner} of the map",
    "path": "runs across hexsides of the map",
    "place": "a place within the hex of {owner}",
    "status": "a status of {owners}",
}


def group_glosses(book: graph.Graph, mentions: Mentions) -> tuple[GlossaryGroup, ...]:
    """Build the entries of all declared words; groups and words in alphabetical order within their sort."""
    groups = []
    for title, words_of_sort in _words_by_sort(book):
        glosses = _with_owners([_gloss(mentions, *word) for word in words_of_sort])
        glosses.sort(key=lambda gloss: (gloss.word.lower(), gloss.thing))
        groups += [GlossaryGroup(title, tuple(glosses))] if glosses else []
    for name, enum in sorted(book.vocabulary.enums.items()):
        title = words.sentence(words.factor_name(name, book.vocabulary)).removesuffix(".")
        members = [_gloss(mentions, "member", f"{name}.{word.name}", word.reads or word.name) for word in enum.members]
        groups.append(GlossaryGroup(f"{title}: one of these", tuple(members)))
    return tuple(groups)


def _gloss(mentions: Mentions, sort: str, name: str, word: str, sense: str = "") -> _GlossaryEntry:
    head = words.readable_name(word)
    # An event has a separate sentence, which retains its article.
    keeps_article = sort == "member" and head.startswith("the ") and not name.startswith("side.")
    is_noun = words.has_article(head) and " " in head and not head.startswith("no ") and not keeps_article
    headword = head.split(" ", 1)[1] if is_noun else head
    return _GlossaryEntry((sort, name), headword, sense, mentions.readers.get((sort, name), ()))


def _words_by_sort(book: graph.Graph) -> Iterator[tuple[str, list[tuple[str, str, str, str]]]]:
    """Yield the words of each sort, in the order of print: the kind and the name of a thing, its word, its sense."""
    declared = book.vocabulary

    def called(name: str) -> str:
        return words.factor_name(name, declared)

    yield "Pieces", [("kind", name, kind.reads or name, _kind(book, kind)) for name, kind in declared.kinds.items()]
    yield "Also printed on counters", [
        ("factor", factor.key, called(factor.part.name),
         factor_sense(book, declared.kinds[factor.kind], factor.part.name, type_words(book, factor.part.type)))
        for factor in added_factors(book)
    ]  # fmt: skip
    yield (
        "Traits, terrain and statuses",
        [("flag", key, flag.reads or flag.name, _flag(book, flag)) for key, flag in declared.flags.items()],
    )
    yield (
        "What is noted in play",
        [("track", key, called(track.name), _track(book, track)) for key, track in declared.tracks.items()],
    )
    yield "Scales", [("scale", name, called(name), _scale(declared, line)) for name, line in declared.scales.items()]
    yield (
        "Relations",
        [("relation", name, name, _relation(called(name), relation)) for name, relation in declared.relations.items()],
    )
    yield (
        "What is written down",
        [
            (
                "record",
                name,
                called(name),
                f"it has {words.list_text([called(part.name) for part in record.fields])}",
            )
            for name, record in declared.records.items()
        ],
    )
    yield (
        "Measures",
        [("measure", name, name, reads or "a number by itself") for name, reads in declared.measures.items()],
    )
    yield (
        "Dice and other ranges",
        [("domain", name, called(name), type_words(book, domain)) for name, domain in declared.domains.items()],
    )


def _with_owners(glosses: list[_GlossaryEntry]) -> list[_GlossaryEntry]:
    """Add the owner to words with equal wordings."""
    often = Counter(gloss.word for gloss in glosses)
    return [
        replace(gloss, word=f"{gloss.word} ({words.readable_name(gloss.thing[1].partition('.')[0])})")
        if often[gloss.word] > 1 and "." in gloss.thing[1]
        else gloss
        for gloss in glosses
    ]


def _scale(declared: graph.Vocabulary, line: graph.Line) -> str:
    """Return the places of a scale, with its measure if it has one."""
    measure = words.measure_name(line.measure, declared)
    return f"{f'in {measure}: ' if measure else ''}{', '.join(place for place, _ in line.places)}"


def _relation(name: str, relation: graph.Relation) -> str:
    left, right = words.readable_name(relation.left.name), words.readable_name(relation.right.name)
    return f"{words.article(left)} {name} {words.article(right)}"


def _kind(book: graph.Graph, kind: graph.Kind) -> str:
    """Return the definition of a kind; its factors are clauses of their own, as a kind may print many."""
    printed = "; ".join(
        f"{words.factor_name(part.name, book.vocabulary)} ({type_words(book, part.type)})" for part in kind.printed
    )
    return f"a kind of piece{f' that prints {printed}' if printed else ''}"


def _flag(book: graph.Graph, flag: graph.Flag) -> str:
    owner = words.with_space_nouns(words.kind(flag.owner, book.vocabulary), book.vocabulary)
    description = FLAGS[flag.what].format(owner=words.article(owner), owners=words.plural(owner))
    marker = f"; its marker: {flag.marker}" if flag.marker else ""
    return f"{description}{_until(',', flag.until, 'their')}{marker}"


def _track(book: graph.Graph, track: graph.Track) -> str:
    first = f"; at first {_first(book, track)}" if track.initial is not None else ""
    until = _until("; it lasts", track.until, "its")
    required = "".join(f"; every card says it{_requirement_scope(book, part)}: {part.why}" for part in track.required)
    owner = words.with_space_nouns(words.kind(track.owner, book.vocabulary), book.vocabulary)
    of_each = f"of the {owner}" if track.owner in ("game", "scenario") else f"of each {owner}"
    return f"{of_each}: {type_words(book, track.type)}{first}{until}{required}"


def _first(book: graph.Graph, track: graph.Track) -> str:
    """Return the initial value of a track as text: "nobody" for a list of pieces or sides, "none" for other lists."""
    match track:
        case graph.Track(type=graph.Many(_, element_type), initial=graph.SetOf(())):
            return "nobody" if isinstance(element_type, graph.Piece) or element_type == graph.Enum("side") else "none"
        case graph.Track(initial=initial) if initial is not None:
            return Wording(book).phrase(initial)
        case _:
            return ""


def _requirement_scope(book: graph.Graph, demand: graph.Requirement) -> str:
    """Return the cards for which a fact is required, as text."""
    when = f" where {Wording(book).clause(demand.needed)}" if demand.needed is not None else ""
    topic = f" that speaks of {', '.join(words.readable_name(name) for name in demand.asked)}" if demand.asked else ""
    return topic + when


def _until(opening: str, moment: str, whose: str) -> str:
    """Return the end of what lasts until the end of a turn, of the game or of a phase, "" if it lasts."""
    if not moment:
        return ""
    name = words.readable_name(moment)
    of_phase = "" if moment.removeprefix("own_") in ("turn", "game") or name.endswith("phase") else " phase"
    return f"{opening} until the end of {whose if moment.startswith('own_') else 'the'} {name}{of_phase}"
