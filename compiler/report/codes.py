"""The register of codes, with problem class and page.

In: the class of a problem. Out: its `FindingCode`: number, page, severity.

R01xx source, R02xx names, R03xx layers and relations, R04xx types, R05xx warnings about what compiles (proofs,
sentences, examples, play, changes since a revision), R06xx data files; a few older ones are elsewhere, as comments
state. A code is assigned once and never reused (`RETIRED`). R05xx is assigned up to R0599: use the unassigned ones
between, and then R07xx. The page is `docs/codes/<code>-<slug>.md`, generated from the fixture of the same name in
`tests/codes/`.
"""

from functools import cache

from compiler.layered import amendment_problems
from compiler.layered import problems as layered
from compiler.report import answers
from compiler.source import problems as source
from compiler.source.finding import ERROR, WARNING, Finding, FindingCode, load_findings
from compiler.source.sentence import Severity
from compiler.typed import problems as typed

_TABLE: tuple[tuple[str, str, type, Severity], ...] = (
    ("R0101", "unexpected-token", source.UnexpectedToken, ERROR),
    ("R0102", "unterminated-text", source.UnterminatedText, ERROR),
    ("R0103", "bad-character", source.BadCharacter, ERROR),
    ("R0104", "unprintable", source.Unprintable, ERROR),
    ("R0105", "bad-number", source.BadNumber, ERROR),
    ("R0106", "bad-cite", source.BadCite, ERROR),
    ("R0107", "too-deep", source.TooDeep, ERROR),
    ("R0108", "odd-sign", source.OddSign, ERROR),
    ("R0121", "too-large", source.TooLarge, ERROR),
    ("R0122", "not-utf8", source.NotUtf8, ERROR),
    ("R0123", "missing-file", source.MissingFile, ERROR),
    ("R0124", "outside-package", source.OutsidePackage, ERROR),
    ("R0125", "same-name-twice", source.DuplicateItem, ERROR),
    ("R0126", "foreign-file", source.ForeignFile, WARNING),
    ("R0127", "broken-elsewhere", source.BrokenElsewhere, WARNING),
    ("R0201", "unknown-name", typed.UnknownName, ERROR),
    ("R0202", "unknown-member", typed.UnknownMember, ERROR),
    ("R0203", "unknown-flag", typed.UnknownFlag, ERROR),
    ("R0204", "ambiguous-name", typed.AmbiguousName, ERROR),
    ("R0205", "duplicate-name", typed.DuplicateName, ERROR),
    ("R0206", "reads-alike", typed.ReadsAlike, WARNING),
    ("R0207", "listed-twice", typed.ListedTwice, ERROR),
    ("R0209", "said-of-another", typed.SaidOfAnother, WARNING),
    ("R0210", "factor-taken", typed.FactorTaken, ERROR),
    ("R0211", "factors-differ", typed.FactorsDiffer, ERROR),
    ("R0301", "unknown-layer", layered.UnknownLayer, ERROR),
    ("R0302", "layer-cycle", layered.LayerCycle, ERROR),
    ("R0303", "layers-exclude", layered.LayersExclude, ERROR),
    ("R0304", "unknown-reading", layered.UnknownReading, ERROR),
    ("R0305", "no-default-reading", layered.NoDefaultReading, ERROR),
    ("R0306", "duplicate-label", layered.DuplicateLabel, ERROR),
    ("R0307", "unknown-label", layered.UnknownLabel, ERROR),
    ("R0308", "names-upward", layered.NamesUpward, ERROR),
    ("R0309", "removed-target", layered.RemovedTarget, ERROR),
    ("R0310", "replaced-twice", layered.ReplacedTwice, ERROR),
    ("R0311", "not-as-expected", layered.NotAsExpected, ERROR),
    ("R0313", "unknown-cell", layered.UnknownCell, ERROR),
    ("R0314", "patched-twice", layered.PatchedTwice, ERROR),
    ("R0315", "exception-cycle", layered.ExceptionCycle, ERROR),
    ("R0316", "aims-at-nothing", layered.EmptyTarget, ERROR),
    ("R0317", "wrong-target", layered.WrongTarget, ERROR),
    ("R0318", "unknown-source", layered.UnknownSource, ERROR),
    ("R0319", "duplicate-table", layered.DuplicateTable, ERROR),
    ("R0320", "example-elsewhere", layered.ExampleElsewhere, ERROR),
    ("R0321", "inserted-twice", layered.InsertedTwice, ERROR),
    ("R0322", "case-renamed", layered.CaseRenamed, ERROR),
    ("R0323", "reading-chosen-twice", layered.ReadingChosenTwice, ERROR),
    ("R0324", "readings-alike", layered.ReadingsAlike, WARNING),
    ("R0325", "patches-nothing", layered.PatchesNothing, WARNING),
    ("R0327", "nothing-to-replace", layered.NothingToReplace, ERROR),
    ("R0328", "replacement-differs", layered.ReplacementDiffers, ERROR),
    ("R0329", "still-needed", layered.StillNeeded, ERROR),
    ("R0330", "leaves-off-nothing", layered.LeavesOffNothing, ERROR),
    ("R0331", "no-such-step", amendment_problems.NoSuchStep, ERROR),
    ("R0332", "amended-twice", amendment_problems.AmendedTwice, ERROR),
    ("R0333", "cannot-amend", amendment_problems.CannotAmend, ERROR),
    ("R0334", "leaves-unbound", amendment_problems.LeavesUnbound, ERROR),
    ("R0335", "spares-nothing", layered.SparesNothing, WARNING),
    ("R0401", "type-mismatch", typed.TypeMismatch, ERROR),
    ("R0402", "measure-mismatch", typed.MeasureMismatch, ERROR),
    ("R0403", "wrong-arity", typed.WrongArity, ERROR),
    ("R0404", "may-be-absent", typed.MayBeAbsent, ERROR),
    ("R0405", "may-be-zero", typed.MayBeZero, ERROR),
    ("R0406", "may-be-empty", typed.MayBeEmpty, ERROR),
    ("R0407", "key-outside", typed.KeyOutside, ERROR),
    ("R0408", "wrong-verb", typed.WrongVerb, ERROR),
    ("R0409", "missing-field", typed.MissingField, ERROR),
    ("R0410", "term-cycle", typed.TermCycle, ERROR),
    ("R0411", "invalid-construct", typed.InvalidConstruct, ERROR),
    ("R0412", "never-fits", typed.NeverFits, ERROR),
    ("R0413", "one-at-most", typed.OneAtMost, ERROR),
    ("R0414", "missing-fact", typed.MissingFact, ERROR),
    ("R0551", "no-answer", answers.NoAnswer, ERROR),
    ("R0552", "two-answers", answers.TwoAnswers, ERROR),
    ("R0553", "answer-outside", answers.AnswerOutside, ERROR),
    ("R0554", "read-absent", answers.ReadAbsent, ERROR),
    ("R0555", "play-stuck", answers.PlayStuck, ERROR),
    ("R0556", "example-failed", answers.ExampleFailed, ERROR),
    ("R0557", "unshown-rule", answers.RuleUnshown, ERROR),
    ("R0559", "not-always", answers.NotAlways, ERROR),
    ("R0563", "unplayed-reading", answers.ReadingUnplayed, ERROR),
    ("R0567", "too-much-to-answer", answers.TooMuchToAnswer, ERROR),
    ("R0575", "stale-equivalent", answers.StaleEquivalent, ERROR),
    ("R0578", "offer-stuck", answers.OfferStuck, WARNING),
    ("R0579", "offer-unsettled", answers.OfferUnsettled, WARNING),
    ("R0583", "odd-on-map", typed.SuspectedMisprint, WARNING),
    ("R0584", "no-geometry", answers.NoGeometry, ERROR),
    ("R0595", "changed-alone", answers.ChangedAlone, WARNING),
    ("R0599", "change-unnoticed", answers.ChangeUnnoticed, WARNING),
    ("R0601", "bad-cell", typed.BadCell, ERROR),
    ("R0602", "bad-yaml", source.BadYaml, ERROR),
    ("R0603", "refused-yaml", source.RefusedYaml, ERROR),
    ("R0604", "duplicate-key", source.DuplicateKey, ERROR),
    ("R0605", "unknown-key", source.UnknownKey, ERROR),
    ("R0606", "missing-key", source.MissingKey, ERROR),
    ("R0607", "bad-shape", source.BadShape, ERROR),
    ("R0608", "unknown-document", source.UnknownDocument, ERROR),
    ("R0609", "out-of-order", source.OutOfOrder, WARNING),
)

# Numbers that were assigned, and whose findings do not exist.
RETIRED = frozenset(
    {
        "R0208", "R0326", "R0415", "R0509", "R0513", "R0522", "R0532", "R0535", "R0536", "R0537", "R0540",
        "R0542", "R0543", "R0544", "R0545", "R0547", "R0548", "R0568", "R0577", "R0580",
        "R0582", "R0588", "R0589", "R0590", "R0591", "R0592", "R0593", "R0594", "R0596", "R0597",
        "R0703", "R0705",
    }
)  # fmt: skip

_OF = {problem: FindingCode(number, slug, severity) for number, slug, problem, severity in _TABLE}
# The folders with the findings of each room.
ROOMS = ("compiler.analysis.findings",)


def code_of(problem: object) -> FindingCode:
    """Return the code of a problem; a class without one is a bug that tests/codes detects."""
    return problem.code if isinstance(problem, Finding) else _OF[type(problem)]


@cache
def known_findings() -> tuple[tuple[type, FindingCode], ...]:
    """Return the classes of all findings with their codes, in the order of their numbers; this imports all of them."""
    with_codes = [(facts, facts.code) for room in ROOMS for facts in load_findings(room)]
    return tuple(sorted((*_OF.items(), *with_codes), key=lambda each: each[1].number))
