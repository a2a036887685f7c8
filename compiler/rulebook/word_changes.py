"""Format how a word, a track or a fact has changed between two stacks, in one line for the reader of a booklet."""

from compiler.rulebook.booklet import ChangeEvidence
from runtime.graph import nodes as graph
from runtime.graph import words

HOW = {"new": "new", "gone": "no longer there", "changed": "changed"}


def word_change(book: graph.Graph, base: graph.Graph, change: ChangeEvidence) -> str:
    """Return the text of one change of the vocabulary, of a card or of an invariant."""
    kind, name = change.kind, change.label.removeprefix(f"{change.kind} ")
    new_members, old_members = (_members(each, kind, name) for each in (book, base))
    if change.operation == "changed" and set(new_members) != set(old_members):
        added, removed_words = (
            [word for word in members if word not in other]
            for members, other in ((new_members, old_members), (old_members, new_members))
        )
        phrases = [
            f"{link} {words.list_text(found)}"
            for link, found in (("now also", added), ("no longer", removed_words))
            if found
        ]
        return f"{_noun(kind, name)}: {'; '.join(phrases)}"
    return f"{_noun(kind, name)}: {HOW.get(change.operation, change.operation)}"


def _members(rules: graph.Graph, kind: str, name: str) -> list[str]:
    """Return the wordings of the members of an enumeration, or of the places of a scale."""
    match kind:
        case "enum" if name in rules.vocabulary.enums:
            return [member.reads for member in rules.vocabulary.enums[name].members]
        case "scale" if name in rules.vocabulary.scales:
            return [place for place, _ in rules.vocabulary.scales[name].places]
        case _:
            return []


def _noun(kind: str, name: str) -> str:
    """Return the phrase for a word: its kind and its wording."""
    owner, dot, word = name.rpartition(".")
    wording = words.readable_name(word.replace("-", "_"))
    match kind:
        case "enum" | "scale" | "":
            return wording[:1].upper() + wording[1:]
        case "trait" | "status" | "feature" | "path" | "place" | "track" if dot:
            noun = {"track": "note", "path": "kind of path"}.get(kind, kind)
            owners = "the game" if owner == "game" else words.plural(words.readable_name(owner))
            return f"The {noun} “{wording}” of {owners}"
        case _:
            return f"The {kind} “{wording}”"
