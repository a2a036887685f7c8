"""Wording of names, numbers with units, plurals, lists, and members of a vocabulary.

In: names and amounts of the graph. Out: English. A declaration may state its wording; without one the identifier is
printed with spaces for underscores.
"""

import json
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from runtime.graph import nodes as graph

VOWELS = "aeiou"
# The length up to which the name of a member is a code, which a chart explains.
LONGEST_CODE = 2
PLACE_PREPOSITION = "on "  # the first word of a measure that states where a number is read: on the die
MEASURE_PREPOSITIONS = ("on", "of", "per", "to", "from")  # The first words of measures that are no nouns: on the die.
CONSONANT = ("uni", "use", "one", "eu")  # A unit, a user: written as vowels, spoken as consonants.
NO_SIDE = "no side"  # of a piece that nobody owns


class PluralPhrase(str):
    """A phrase that takes a plural verb; text that is made with one is singular unless it says otherwise."""

    __slots__ = ()


def with_number(text: str, vocabulary: graph.Vocabulary, *keys: str, by_type: graph.Type | None = None) -> str:
    """Return a phrase in the number that is declared for the first of these names; without one sets are plural."""
    declared = next((number for key in keys if (number := vocabulary.wording.get(f"number {key}"))), "")
    is_set = isinstance(by_type, graph.Many) and by_type.shape == "set"
    is_plural = declared == "plural" or isinstance(text, PluralPhrase) or is_set
    return PluralPhrase(text) if is_plural and declared != "singular" else text


def as_its_noun(noun: str, phrase: str) -> str:
    """Return a phrase in the number of its noun."""
    return PluralPhrase(phrase) if isinstance(noun, PluralPhrase) else phrase


def factor_name(name: str, vocabulary: graph.Vocabulary) -> str:
    """Return the wording of a printed factor, a track or a field."""
    return with_number(vocabulary.wording.get(name) or readable_name(name), vocabulary, name)


OF_THE_MAP = re.compile(r"\b(an? )?(hexside|hex)(e?s)?\b", re.IGNORECASE)


def with_space_nouns(text: str, vocabulary: graph.Vocabulary, noun: str = "") -> str:
    """Return a phrase with the game's own nouns for the spaces of a map, and for the boundary of two.

    `noun` is the noun of the map's spaces, for games without a wording of their own.
    """
    nouns: dict[str, str] = {
        name: vocabulary.wording[name] for name in ("hex", "hexside") if name in vocabulary.wording
    }
    if noun not in {"", "hex"}:
        nouns = {"hex": noun, "hexside": "connection", **nouns}
    if not nouns:
        return text

    def replace_noun(found: re.Match[str]) -> str:
        name = nouns.get(found[2].lower())
        if name is None:
            return found[0]
        name = plural(name) if found[3] else article(name) if found[1] else name
        name = sentence(name).rstrip(".") if found[1] and found[1][0].isupper() else name
        return name.upper() if found[2].isupper() else name

    return as_its_noun(text, OF_THE_MAP.sub(replace_noun, text))


def plain_ground_name(vocabulary: graph.Vocabulary) -> str:
    """Return the wording of a hex without features, declared by `wording plain "clear"`."""
    return vocabulary.wording.get("plain", "no features")


def readable_name(name: str) -> str:
    """Return an identifier with spaces for underscores."""
    return name.replace("_", " ").strip()


def choice_words(name: str, type_: graph.Type | None) -> str:
    """Return the wording of a choice: its name, or its type where the name is a single letter."""
    if len(name) > 1:
        return readable_name(name)
    match type_:
        case graph.Hex():
            return "hex"
        case graph.Piece():
            return "piece"
        case graph.Enum(kind) | graph.Scale(kind) | graph.RecordOf(kind):
            return readable_name(kind)
        case graph.Number():
            return "number"
        case _:
            return "choice"


def article(noun: str) -> str:
    """Return a noun with its indefinite article, unless it has an article."""
    if has_article(noun) or isinstance(noun, PluralPhrase):
        return noun
    return f"{'an' if noun[:1].lower() in VOWELS and not noun.startswith(CONSONANT) else 'a'} {noun}"


def has_article(noun: str) -> bool:
    """Return whether a noun begins with an article or another determiner."""
    return noun.split(" ", maxsplit=1)[0] in ("a", "an", "the", "no", "its", "one's", "another", "that")


def definite(noun: str) -> str:
    """Return a noun with the definite article, unless it has an article."""
    return noun if has_article(noun) else as_its_noun(noun, f"the {noun}")


# Modifiers after the noun of a plural: hexes passed over, turns of arrival.
BEHIND = re.compile(r",| \(\w+\)$| (?:of|on|in|that|passed|to|at|with) ")
# Nouns with equal singular and plural.
NOUNS = json.loads((Path(__file__).parent / "nouns_without_plural.json").read_text(encoding="utf-8"))
_UNCHANGED = re.compile(rf"(?:^|[ -])(?:[a-z]*craft|[a-z]*orps|{'|'.join(NOUNS)})$")
# In lower case: proper names with this ending (Norman, Trueman) are no compounds of man.
IRREGULAR = re.compile(r"(?:^|[ -])(?:[a-z]*child|[a-z]*man)$")
IRREGULAR_PLURAL = re.compile(r"(?:^|[ -])(?:[a-z]*children|(?!specimen|regimen|abdomen|omen)[a-z]*men)$")
# Nouns with a plural in -oes, without this ending; others in -o have one in -os, as pianos.
IN_OES = re.compile(r"(?:^|[ -])(?:buffal|carg|ech|embarg|her|mosquit|potat|tomat|torped|vet|volcan)o(?:es)?$")


def plural(noun: str) -> str:
    """Return the plural of a noun."""
    if tail := BEHIND.search(noun):
        return f"{plural(noun[: tail.start()])}{noun[tail.start() :]}"
    if isinstance(noun, PluralPhrase) or _UNCHANGED.search(noun) or IRREGULAR_PLURAL.search(noun):
        return noun
    if IRREGULAR.search(noun):
        return f"{noun}ren" if noun.endswith("child") else f"{noun[:-2]}en"
    if noun.endswith(("s", "x", "ch", "sh")) or IN_OES.search(noun):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in VOWELS:
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def singular(noun: str) -> str:
    """Return the singular of a noun; a singular is returned unchanged."""
    if noun.endswith("ss") or _UNCHANGED.search(noun):
        return noun
    if IRREGULAR_PLURAL.search(noun):
        return noun.removesuffix("ren") if noun.endswith("children") else f"{noun[:-2]}an"
    if noun.endswith("ies") and len(noun) > len("ties"):
        return f"{noun[:-3]}y"
    if noun.endswith(("xes", "ches", "shes", "sses", "oes")) and (noun[-3] != "o" or IN_OES.search(noun)):
        return noun[:-2]
    return noun.removesuffix("s")


def list_text(words: Sequence[str], link: str = "and") -> str:
    """Return a coordinated list: a, b and c."""
    if len(words) < 2:
        return words[0] if words else ""
    text = f"{', '.join(words[:-1])} {link} {words[-1]}"
    return PluralPhrase(text) if link == "and" else as_its_noun(words[-1], text)


def number(value: int | Fraction) -> str:
    """Return the text of a number: 3, 1/2, 5 1/2."""
    value = Fraction(value)
    if value.denominator == 1:
        return str(value.numerator)
    if abs(value) < 1:
        return str(value)
    integer_part, rest = divmod(abs(value), 1)
    return f"{'-' if value < 0 else ''}{integer_part} {rest}"


def counted_noun(number: int, noun: str) -> str:
    """Return the text of a number of things: 1 argument, 2 arguments."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def times_text(count: int) -> str:
    """Return the text of a multiplicity: once, 3 times."""
    return "once" if count == 1 else f"{count} times"


def amount(value: int | Fraction, measure: str, vocabulary: graph.Vocabulary) -> str:
    """Return the text of a number with its unit: 3 points, 1 point."""
    unit = measure_name(measure, vocabulary)
    return f"{number(value)} {measure_after_number(unit, value)}" if unit else number(value)


def amount_beside(value: int | Fraction, measure: str, vocabulary: graph.Vocabulary, text: str) -> str:
    """Format an amount beside the text that it is the amount of: the cover is 3, not: the cover is 3 on the die.

    What it counts is left out only where the text ends with it: the attack factor is 3.
    """
    unit = measure_name(measure, vocabulary)
    is_known = unit.startswith(PLACE_PREPOSITION) or (unit and text.endswith(f" {singular(unit)}"))
    return number(value) if text and is_known else amount(value, measure, vocabulary)


def measure_name(measure: str, vocabulary: graph.Vocabulary) -> str:
    """Return the wording of a unit; "" for none, and for one declared without a wording: `measure pips ""`."""
    return vocabulary.measures.get(measure, readable_name(measure)) if measure else ""


def measure_after_number(measure: str, value: int | Fraction) -> str:
    """Return a unit inflected for its number: pieces of gold, but 1 piece and 1/2 piece of gold; not `on the die`."""
    if measure.partition(" ")[0] in MEASURE_PREPOSITIONS:
        return measure
    tail = BEHIND.search(measure)
    index = tail.start() if tail else len(measure)
    unit = singular(measure[:index])
    return (unit if value != 0 and -1 <= value <= 1 else plural(unit)) + measure[index:]


def member(enum: str, name: str, vocabulary: graph.Vocabulary) -> str:
    """Return the wording of a member of an enumeration; an unowned piece has no side, ""."""
    if not name:
        return f"no {readable_name(enum)}"
    if enum == "kind":
        return kind(name, vocabulary)
    declared = vocabulary.enums.get(enum)
    members = declared.members if declared else ()
    text = next((word.reads for word in members if word.name == name and word.reads), readable_name(name))
    return with_number(text, vocabulary, f"{enum}.{name}", name)


def side(name: str, vocabulary: graph.Vocabulary) -> str:
    """Return the noun phrase of a side: the red side, the Reds."""
    return side_phrase(member("side", name, vocabulary))


def side_phrase(title: str) -> str:
    """Return the noun phrase of a side by its title: the red side, the Reds; of a piece without one, no side."""
    return title if has_article(title) or title == NO_SIDE else f"the {title} side"


def name_in(name: str, reads: str) -> str:
    """Return a name as a wording contains it, from the beginning of a word: not "hauled" of "close-hauled"."""
    found = re.search(rf"(?<![\w-]){re.escape(name)}", reads, re.IGNORECASE)
    return found[0] if found else ""


def printed_abbreviation(enum: str, name: str, vocabulary: graph.Vocabulary) -> str:
    """Return the abbreviation printed for a member: (Q) for QQ worded "(Q) sort", if R is worded "R sort"."""
    declared = vocabulary.enums.get(enum)
    members = declared.members if declared else ()
    # Only a code has a tail that other members share: "chain shot" is no reason to print "no" for "no shot".
    tails = {
        each.reads.removeprefix(each.name)
        for each in members
        if len(each.name) <= LONGEST_CODE and each.reads.startswith(f"{each.name} ")
    }
    reads = member(enum, name, vocabulary)
    if contained := name_in(readable_name(name), reads):
        return contained
    abbreviation = next(
        (reads.removesuffix(tail) for tail in sorted(tails) if tail and reads.endswith(tail)), readable_name(name)
    )
    return abbreviation or readable_name(name)


def kind(name: str, vocabulary: graph.Vocabulary) -> str:
    """Return the wording of a kind of piece."""
    declared = vocabulary.kinds.get(name)
    return with_number((declared and declared.reads) or readable_name(name), vocabulary, name)


def kinds(names: Sequence[str], vocabulary: graph.Vocabulary, *, is_plural: bool = False) -> str:
    """Return the noun of alternative kinds, or their plural."""
    nouns = [kind(name, vocabulary) for name in names] or ["piece"]
    return list_text([plural(noun) for noun in nouns], "and") if is_plural else list_text(nouns, "or")


def counter(name: str, counters: Mapping[str, graph.Counter]) -> str:
    """Return the title of a counter of the unit charts."""
    return (name in counters and counters[name].title) or readable_name(name)


def flag(owner: str, name: str, vocabulary: graph.Vocabulary) -> str:
    """Return the wording of a trait, feature, status, place or path."""
    declared = vocabulary.flags.get(f"{owner}.{name}")
    return (declared and declared.reads) or readable_name(name)


def place_name(scale: str, value: int | Fraction, vocabulary: graph.Vocabulary) -> str:
    """Return the name of a place on a scale, or its distance beyond the named ones."""
    line = vocabulary.scales.get(scale)
    if line is None:
        return number(value)
    for name, position in line.places:
        if position == value:
            return name
    if line.places:
        by_position = sorted(line.places, key=lambda each: each[1])
        (lowest, low), (highest, high) = by_position[0], by_position[-1]
        if value < low:
            return f"{amount(low - value, line.measure, vocabulary)} below {lowest}"
        if value > high:
            return f"{amount(value - high, line.measure, vocabulary)} above {highest}"
    return f"{number(value)} on the scale of {readable_name(scale)}"


def sentence(text: str) -> str:
    """Return a text as a sentence, with a capital and a full stop."""
    text = text.strip().rstrip(",;")
    return text if not text else f"{text[0].upper()}{text[1:]}{'' if text[-1] in '.!?' else '.'}"
