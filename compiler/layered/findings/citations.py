"""Citations of what the register of sources does not have."""

from compiler.layered.findings.reference import ReferenceFinding
from compiler.source.finding import LocatedFinding, finding
from compiler.source.sentence import Sentence, did_you_mean
from runtime.graph.words import counted_noun


@finding("R0318", "unknown-source")
class UnknownSource(LocatedFinding, ReferenceFinding):
    """A citation names a document, a section or an item (`missing`) that the registry does not have."""

    cite: str
    missing: str
    candidates: tuple[str, ...]
    items: int = 0  # of the section; 0 where it is not the section that has too few

    def sentence(self) -> Sentence:
        message = f"there is no source `{self.cite}`"
        part = "section" if "." in self.missing else "document"
        advice = f"add this {part} to `sources.yaml`"
        if self.items:
            message += f": `{self.missing}` has {counted_noun(self.items, 'item')} in `sources.yaml`"
            advice = f"cite one of these, or raise the number of items of `{self.missing}`"
        if self.candidates:
            advice = f"{did_you_mean(self.candidates)} If not, {advice}"
        root, names = f"source {self.missing}", (self.cite.partition(".")[0],)
        return self.sentence_here(message, "cited here", advice, root=root, names=names)
