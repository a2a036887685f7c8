"""Changes since a revision: of one part of a paragraph, or without an example."""

from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Label, Sentence
from compiler.source.span import Span

_ACCEPT = "`check STACK --accept`"


@finding("R0599", "change-unnoticed", WARNING)
class ChangeUnnoticed(Finding):
    """A change since a revision that no example detects.

    `old_text` and `new_text` are the words that differ, either "" where something is new or removed. Without a revision
    it differs from its checksum, and `new_text` identifies it.
    """

    old_text: str
    new_text: str
    revision: str
    span: Span

    def sentence(self) -> Sentence:
        old_text, new_text, rev = self.old_text, self.new_text, self.revision
        if not rev:
            became = "has changed" if new_text else "is gone from here"
            message = f"`{new_text or old_text}` {became} since checksums were taken, and no example notices it"
            advice = f"write an example that protects what it says, or take the change back; then {_ACCEPT}"
            return Sentence(message, (Label(self.span, "changed" if new_text else "behind this"),), advice)
        if not old_text:
            message, note = f"`{new_text}` is new since {rev}, and no example notices it", "new"
        elif not new_text:
            message, note = (
                f"`{old_text}`, which stood here at {rev}, is gone, and no example notices it",
                "behind this",
            )
        else:
            message, note = f"`{new_text}` was `{old_text}` at {rev}, and no example notices it", f"was `{old_text}`"
        advice = "write an example that comes out otherwise with what was there before, or take the change back"
        return Sentence(message, (Label(self.span, note),), advice)


@finding("R0595", "changed-alone", WARNING)
class ChangedAlone(Finding):
    """A paragraph `label` of which only one part differs from an earlier revision, from the other text to `new_text`.

    `part` is sentence, law or citation, or text that only readers see; `sentences` are the present ones. With `part`
    elsewhere it stands in another declaration, whose name is then `sentences`. `part_span` is where the part differs,
    `span` the place of the paragraph's name. Without a revision the part differs from its checksum.
    """

    part: str
    label: str
    old_text: str
    new_text: str
    revision: str
    sentences: str
    span: Span
    part_span: Span

    def sentence(self) -> Sentence:
        name, old_text, new_text, rev = self.label, self.old_text, self.new_text, self.revision
        if not rev:
            return _unaccepted(self)
        labels: tuple[Label, ...] = (Label(self.part_span, f"`{new_text}`, was `{old_text}`"),)
        if self.part_span.line != self.span.line:
            labels = (*labels, Label(self.span, f"`{name}`"))
        match self.part:
            case "sentence":
                return Sentence(
                    f"the sentence of `{name}` says `{new_text}`, and said "
                    f"`{old_text}` at {rev}; its rules are as they were",
                    labels,
                    "change the rules with the sentence, or take the sentence back; if it was wrong before, commit it",
                )
            case "law":
                message = (
                    f"the law of `{name}` has `{new_text}`, and had `{old_text}` at {rev}; its sentence is as it was"
                )
                return Sentence(message, labels, f"see whether it still says so: {self.sentences}")
            case "text":
                message = f"`{new_text}` was `{old_text}` at {rev}; nothing but readers sees it"
                return Sentence(message, labels[:1], f"read it once more; if it is right so, commit it, and {_ACCEPT}")
            case _:
                return Sentence(
                    f"`{name}` cites {new_text}, and cited {old_text} at {rev}; "
                    "its sentence and its rules are as they were",
                    labels,
                    "look the item up; if the citation was wrong before, commit it",
                )


def _unaccepted(problem: ChangedAlone) -> Sentence:
    """Return the sentence for the part of a paragraph that differs from its checksum."""
    name = problem.label
    labels = (Label(problem.span, f"`{name}`"),)
    match problem.part:
        case "sentence":
            message = f"the sentence of `{name}` has changed since its checksum was taken; its rules are as they were"
            return Sentence(message, labels, f"change the rules with it, or take it back; if it is right so, {_ACCEPT}")
        case "law":
            message = f"the law of `{name}` has changed since its checksum was taken; its sentence is as it was"
            return Sentence(message, labels, f"see whether it still says so, then {_ACCEPT}: {problem.sentences}")
        case "elsewhere":
            place = f"in `{problem.sentences}`" if problem.sentences else "in no other declaration"
            message = f"`{name}` stands elsewhere than when its checksum was taken, now {place}"
            return Sentence(message, labels, f"see whether it is meant to hold there; then {_ACCEPT}")
        case "text":
            message = f"`{name}` has changed since its checksum was taken; nothing but readers sees it"
            return Sentence(message, labels, f"read it once more; if it is right so, {_ACCEPT}")
        case _:
            message = f"what `{name}` cites has changed since its checksum was taken; all else is as it was"
            return Sentence(message, labels, f"see whether it is meant; then {_ACCEPT}")
