"""Rules and readings that no example shows, and mutations that are listed in vain."""

from compiler.source.finding import Finding, finding
from compiler.source.sentence import Label, Sentence, backquoted, origin_label
from compiler.source.span import Span
from runtime.graph import nodes as graph


@finding("R0557", "unshown-rule")
class RuleUnshown(Finding):
    """A printed rule that is live in no example."""

    rule: str
    origin: graph.Origin

    def sentence(self) -> Sentence:
        advice = "write an `example` in which it applies"
        return Sentence(
            f"`{self.rule}` applies in no example", (origin_label(self.origin, backquoted(self.rule)),), advice
        )


@finding("R0563", "unplayed-reading")
class ReadingUnplayed(Finding):
    """A `reading` of a dispute with rules of its own that no available example, layer or card chooses."""

    dispute: str
    reading: str
    stack: str
    origin: graph.Origin

    def sentence(self) -> Sentence:
        message = f"no example uses the reading `{self.reading}` of `{self.dispute}`"
        advice = f"write one `under {self.stack}+{self.dispute}={self.reading}`"
        return Sentence(message, (origin_label(self.origin, backquoted(self.dispute)),), advice)


@finding("R0575", "stale-equivalent")
class StaleEquivalent(Finding):
    """A mutation listed as equivalent that an example detects or, if not `is_noticed`, that does not exist.

    `subject`, `original` and `replacement` are as in the manifest.
    """

    subject: str
    original: str
    replacement: str
    is_noticed: bool
    span: Span

    def sentence(self) -> Sentence:
        reason = "an example detects it" if self.is_noticed else "there is no such change"
        advice = "" if self.is_noticed else ", or copy it from `test --mutate`"
        if "#" in self.subject:  # Another option of the same game has hooks of its own.
            advice = f", or omit `#{self.subject.partition('#')[2]}`, as the number of a hook depends on the stack"
        return Sentence(
            f"the change of `{self.original}` to `{self.replacement}` in `{self.subject}` is listed as equivalent, but "
            f"{reason}",
            (Label(self.span, "listed here"),),
            f"delete the entry{advice}",
        )
