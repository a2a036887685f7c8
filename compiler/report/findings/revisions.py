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
        old_text, new_text = self.old_text, self.new_text
        since = f"since {self.revision}" if self.revision else "since its checksum was taken"
        change, note = f"`{old_text}` became `{new_text}`", f"was `{old_text}`"
        if not new_text:
            change, note = f"`{old_text}` was removed", "was after this"
        elif not self.revision:
            change, note = f"`{new_text}` changed", "changed"
        elif not old_text:
            change, note = f"`{new_text}` was added", "new"
        advice = "write an example that fails without this change, or undo the change"
        if not self.revision:
            advice = f"{advice}, then run {_ACCEPT}"
        return Sentence(f"no example detects that {change} {since}", (Label(self.span, note),), advice)


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
        since = f"since {self.revision}" if self.revision else "since its checksum was taken"
        message, advice = self._words(since)
        if not self.revision:
            return Sentence(message, (Label(self.span, f"`{self.label}`"),), f"{advice}, then run {_ACCEPT}")
        labels: tuple[Label, ...] = (Label(self.part_span, f"`{self.new_text}`, was `{self.old_text}`"),)
        if self.part_span.line != self.span.line and self.part != "text":
            labels = (*labels, Label(self.span, f"`{self.label}`"))
        return Sentence(message, labels, advice)

    def _words(self, since: str) -> tuple[str, str]:
        """Return the message and the advice."""
        name = self.label
        match self.part:
            case "sentence":
                return (
                    f"the sentence of `{name}` changed {since}, but its law did not",
                    "change the law as well, or undo the change if it is wrong",
                )
            case "law":
                return (
                    f"the law of `{name}` changed {since}, but its sentence did not",
                    f"see whether the sentence is still true: {self.sentences}",
                )
            case "text":
                change = f"`{self.old_text}` became `{self.new_text}`" if self.revision else f"`{name}` changed"
                return f"{change} {since}, in a text that only readers see", "see whether it is right"
            case "elsewhere":
                place = f"in `{self.sentences}`" if self.sentences else "in no other declaration"
                return f"`{name}` was moved {since} and is now {place}", "see whether it is to apply there"
            case _:
                return (
                    f"the citation of `{name}` changed {since}, but its sentence and its law did not",
                    "see whether the new citation is right",
                )
