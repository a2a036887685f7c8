"""Citations of what the register of sources does not have."""

from compiler.layered.findings.reference import ReferenceFinding
from compiler.source.finding import LocatedFinding, finding
from compiler.source.sentence import Label, Sentence, did_you_mean, list_words
from runtime.graph.words import counted_noun


@finding("R0318", "unknown-source")
class UnknownSource(LocatedFinding, ReferenceFinding):
    """A citation names a document, a section or an item (`missing`) that the registry does not have."""

    cite: str
    missing: str
    candidates: tuple[str, ...]
    items: int = 0  # of the section; 0 where it is not the section that has too few

    def sentence(self) -> Sentence:
        if self.items:
            has = f"`{self.missing}` has {counted_noun(self.items, 'item')} in `sources.yaml`"
            message = f"`{self.cite}` is not in the register of sources: {has}"
            labels = (Label(self.span, "cited here"),)
            advice = f"{did_you_mean(self.candidates, 'cite another.')} If it has more, raise the number"
            return Sentence(
                message, labels, advice, root=f"source {self.missing}", names=(self.cite.partition(".")[0],)
            )
        part = "section" if "." in self.missing else "document"
        message = f"`{self.cite}` is not in the register of sources"
        labels = (Label(self.span, "cited here"),)
        advice = (
            f"did you mean {list_words(self.candidates)}? If not, list the {part} in `sources.yaml`"
            if self.candidates
            else "list the document and its section in `sources.yaml`"
        )
        return Sentence(message, labels, advice, root=f"source {self.missing}", names=(self.cite.partition(".")[0],))
