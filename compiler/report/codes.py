"""The register of codes: code -> problem class -> page.

R01xx source, R02xx names, R03xx layers and relations, R04xx types, R05xx proofs, R06xx data files.
A code is handed out once and never reused. The page is `docs/codes/<code>-<slug>.md`, generated
from the fixture of the same name in `tests/codes/`.
"""

from dataclasses import dataclass

from compiler.layered import problems as layered
from compiler.report.diagnostic import Severity

ERROR, WARNING = Severity.ERROR, Severity.WARNING


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of finding: its number, the name of its page, the class of its facts."""

    number: str
    slug: str
    problem: type
    severity: Severity = ERROR

    @property
    def page(self) -> str:
        """Name the page that explains the code."""
        return f"{self.number}-{self.slug}.md"


CODES = (
    Code("R0301", "unknown-layer", layered.UnknownLayer),
    Code("R0302", "layer-cycle", layered.LayerCycle),
    Code("R0303", "layers-exclude", layered.LayersExclude),
    Code("R0304", "unknown-reading", layered.UnknownReading),
    Code("R0305", "no-default-reading", layered.NoDefaultReading),
    Code("R0306", "duplicate-label", layered.DuplicateLabel),
    Code("R0307", "unknown-label", layered.UnknownLabel),
    Code("R0308", "names-upward", layered.NamesUpward),
    Code("R0309", "removed-target", layered.RemovedTarget),
    Code("R0310", "replaced-twice", layered.ReplacedTwice),
    Code("R0311", "not-as-expected", layered.NotAsExpected),
    Code("R0313", "unknown-cell", layered.UnknownCell),
    Code("R0314", "patched-twice", layered.PatchedTwice),
    Code("R0315", "exception-cycle", layered.ExceptionCycle),
    Code("R0316", "aims-at-nothing", layered.AimsAtNothing),
    Code("R0317", "wrong-target", layered.WrongTarget),
    Code("R0318", "unknown-source", layered.UnknownSource),
    Code("R0319", "duplicate-table", layered.DuplicateTable),
)

_OF = {code.problem: code for code in CODES}


def code_of(problem: object) -> Code:
    """Find the code of a problem; a class without one is a bug that tests/codes finds."""
    return _OF[type(problem)]
