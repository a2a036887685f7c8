"""Format how a word, a track or a fact has changed between two stacks, in one line for the reader of a booklet."""

from compiler.rulebook.booklet import ChangeEvidence
from runtime.graph import nodes as graph
from runtime.graph import words

HOW = {"new": "new", "gone": "no longer there", "changed": "changed"}


def word_change(book: graph.Graph, base: graph.Graph, change: ChangeEvidence) -> str:
    """Return the text of one change of the vocabulary, of a card or of an invariant."""
    what, name = change.kind, change.label.removeprefix(f"{change.kind} ")
    now, before = (_members(each, what, name) for each in (book, base))
    if change.how == "changed" and set(now) != set(before):
        added, gone = ([word for word in one if word not in other] for one, other in ((now, before), (before, now)))
        told = [
            f"{link} {words.list_text(found)}" for link, found in (("now also", added), ("no longer", gone)) if found
        ]
        return f"{_noun(what, name)}: {'; '.join(told)}"
    return f"{_noun(what, name)}: {HOW.get(change.how, change.how)}"


def _members(rules: graph.Graph, what: str, name: str) -> list[str]:
    """Return the wordings of the members of an enumeration, or of the places of a scale."""
    match what:
        case "enum" if name in rules.vocabulary.enums:
            return [each.reads for each in rules.vocabulary.enums[name].members]
        case "scale" if name in rules.vocabulary.scales:
            return [place for place, _ in rules.vocabulary.scales[name].places]
        case _:
            return []


def _noun(what: str, name: str) -> str:
    """Return the phrase for a word: its kind and its wording."""
    owner, dot, own = name.rpartition(".")
    said = words.readable_name(own.replace("-", "_"))
    match what:
        case "enum" | "scale" | "":
            return said[:1].upper() + said[1:]
        case "trait" | "status" | "feature" | "path" | "place" | "track" if dot:
            noun = {"track": "note", "path": "kind of path"}.get(what, what)
            owners = "the game" if owner == "game" else words.plural(words.readable_name(owner))
            return f"The {noun} “{said}” of {owners}"
        case _:
            return f"The {what} “{said}”"
