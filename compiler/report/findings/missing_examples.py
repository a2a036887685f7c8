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
        advice = "add an `example` behind it: the rulebook prints no rule that nobody has seen at work"
        return Sentence(
            f"no example shows `{self.rule}` at work", (origin_label(self.origin, backquoted(self.rule)),), advice
        )


@finding("R0563", "unplayed-reading")
class ReadingUnplayed(Finding):
    """A `reading` of a dispute with rules of its own that no available example, layer or card chooses."""

    dispute: str
    reading: str
    stack: str
    origin: graph.Origin

    def sentence(self) -> Sentence:
        message = f"no example plays the reading `{self.reading}` of `{self.dispute}`"
        advice = f"write one under `{self.stack}+{self.dispute}={self.reading}`: nothing else can show what it says"
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
        reason = "an example notices it" if self.is_noticed else "there is no such alteration"
        advice = "" if self.is_noticed else ", or write it as `test --mutate` does"
        if "#" in self.subject:  # Another option of the same game has hooks of its own.
            advice = f", or leave out `#{self.subject.partition('#')[2]}`: the number of a hook depends on the stack"
        return Sentence(
            f"`{self.subject}` with `{self.original}` made `{self.replacement}` is listed as equivalent, and {reason}",
            (Label(self.span, "listed here"),),
            f"take the entry out{advice}",
        )
