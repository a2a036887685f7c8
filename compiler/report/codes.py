"""The register of codes, with problem class and page.

In: the class of a problem. Out: its `FindingCode`: number, page, severity.

R01xx source, R02xx names, R03xx layers and relations, R04xx types, R05xx warnings about what compiles (proofs,
sentences, examples, play, changes since a revision), R06xx data files; a few older ones are elsewhere, as comments
state. A code is assigned once and never reused (`RETIRED`). R05xx is assigned up to R0599: use the unassigned ones
between, and then R07xx. The page is `docs/codes/<code>-<slug>.md`, generated from the fixture of the same name in
`tests/codes/`.
"""

from dataclasses import dataclass

from compiler.analysis import idle_code, omissions
from compiler.analysis import problems as analysis
from compiler.layered import amendment_problems
from compiler.layered import problems as layered
from compiler.report import answers
from compiler.report.diagnostic import Severity
from compiler.source import problems as source
from compiler.typed import problems as typed

ERROR, WARNING = Severity.ERROR, Severity.WARNING


@dataclass(frozen=True, slots=True)
class FindingCode:
    """A kind of finding: its number, the slug of its page, the class of its facts."""

    number: str
    slug: str
    problem: type
    severity: Severity = ERROR

    @property
    def page(self) -> str:
        """Return the file name of the page that explains the code."""
        return f"{self.number}-{self.slug}.md"


CODES = (
    FindingCode("R0101", "unexpected-token", source.UnexpectedToken),
    FindingCode("R0102", "unterminated-text", source.UnterminatedText),
    FindingCode("R0103", "bad-character", source.BadCharacter),
    FindingCode("R0104", "unprintable", source.Unprintable),
    FindingCode("R0105", "bad-number", source.BadNumber),
    FindingCode("R0106", "bad-cite", source.BadCite),
    FindingCode("R0107", "too-deep", source.TooDeep),
    FindingCode("R0108", "odd-sign", source.OddSign),
    FindingCode("R0121", "too-large", source.TooLarge),
    FindingCode("R0122", "not-utf8", source.NotUtf8),
    FindingCode("R0123", "missing-file", source.MissingFile),
    FindingCode("R0124", "outside-package", source.OutsidePackage),
    FindingCode("R0125", "same-name-twice", source.DuplicateItem),
    FindingCode("R0126", "foreign-file", source.ForeignFile, WARNING),
    FindingCode("R0127", "broken-elsewhere", source.BrokenElsewhere, WARNING),
    FindingCode("R0201", "unknown-name", typed.UnknownName),
    FindingCode("R0202", "unknown-member", typed.UnknownMember),
    FindingCode("R0203", "unknown-flag", typed.UnknownFlag),
    FindingCode("R0204", "ambiguous-name", typed.AmbiguousName),
    FindingCode("R0205", "duplicate-name", typed.DuplicateName),
    FindingCode("R0206", "reads-alike", typed.ReadsAlike, WARNING),
    FindingCode("R0207", "listed-twice", typed.ListedTwice),
    FindingCode("R0209", "said-of-another", typed.SaidOfAnother, WARNING),
    FindingCode("R0210", "factor-taken", typed.FactorTaken),
    FindingCode("R0211", "factors-differ", typed.FactorsDiffer),
    FindingCode("R0301", "unknown-layer", layered.UnknownLayer),
    FindingCode("R0302", "layer-cycle", layered.LayerCycle),
    FindingCode("R0303", "layers-exclude", layered.LayersExclude),
    FindingCode("R0304", "unknown-reading", layered.UnknownReading),
    FindingCode("R0305", "no-default-reading", layered.NoDefaultReading),
    FindingCode("R0306", "duplicate-label", layered.DuplicateLabel),
    FindingCode("R0307", "unknown-label", layered.UnknownLabel),
    FindingCode("R0308", "names-upward", layered.NamesUpward),
    FindingCode("R0309", "removed-target", layered.RemovedTarget),
    FindingCode("R0310", "replaced-twice", layered.ReplacedTwice),
    FindingCode("R0311", "not-as-expected", layered.NotAsExpected),
    FindingCode("R0312", "overlap", analysis.RulesOverlap),  # The number assigned in the original design.
    FindingCode("R0313", "unknown-cell", layered.UnknownCell),
    FindingCode("R0314", "patched-twice", layered.PatchedTwice),
    FindingCode("R0315", "exception-cycle", layered.ExceptionCycle),
    FindingCode("R0316", "aims-at-nothing", layered.EmptyTarget),
    FindingCode("R0317", "wrong-target", layered.WrongTarget),
    FindingCode("R0318", "unknown-source", layered.UnknownSource),
    FindingCode("R0319", "duplicate-table", layered.DuplicateTable),
    FindingCode("R0320", "example-elsewhere", layered.ExampleElsewhere),
    FindingCode("R0321", "inserted-twice", layered.InsertedTwice),
    FindingCode("R0322", "case-renamed", layered.CaseRenamed),
    FindingCode("R0323", "reading-chosen-twice", layered.ReadingChosenTwice),
    FindingCode("R0324", "readings-alike", layered.ReadingsAlike, WARNING),
    FindingCode("R0325", "patches-nothing", layered.PatchesNothing, WARNING),
    FindingCode("R0327", "nothing-to-replace", layered.NothingToReplace),
    FindingCode("R0328", "replacement-differs", layered.ReplacementDiffers),
    FindingCode("R0329", "still-needed", layered.StillNeeded),
    FindingCode("R0330", "leaves-off-nothing", layered.LeavesOffNothing),
    FindingCode("R0331", "no-such-step", amendment_problems.NoSuchStep),
    FindingCode("R0332", "amended-twice", amendment_problems.AmendedTwice),
    FindingCode("R0333", "cannot-amend", amendment_problems.CannotAmend),
    FindingCode("R0334", "leaves-unbound", amendment_problems.LeavesUnbound),
    FindingCode("R0335", "spares-nothing", layered.SparesNothing, WARNING),
    FindingCode("R0401", "type-mismatch", typed.TypeMismatch),
    FindingCode("R0402", "measure-mismatch", typed.MeasureMismatch),
    FindingCode("R0403", "wrong-arity", typed.WrongArity),
    FindingCode("R0404", "may-be-absent", typed.MayBeAbsent),
    FindingCode("R0405", "may-be-zero", typed.MayBeZero),
    FindingCode("R0406", "may-be-empty", typed.MayBeEmpty),
    FindingCode("R0407", "key-outside", typed.KeyOutside),
    FindingCode("R0408", "wrong-verb", typed.WrongVerb),
    FindingCode("R0409", "missing-field", typed.MissingField),
    FindingCode("R0410", "term-cycle", typed.TermCycle),
    FindingCode("R0411", "invalid-construct", typed.InvalidConstruct),
    FindingCode("R0412", "never-fits", typed.NeverFits),
    FindingCode("R0413", "one-at-most", typed.OneAtMost),
    FindingCode("R0414", "missing-fact", typed.MissingFact),
    FindingCode("R0416", "no-figures", omissions.NoFigures),
    FindingCode("R0417", "between-rows", omissions.BetweenRows, WARNING),
    FindingCode("R0501", "gap", analysis.TermGap),
    FindingCode("R0502", "dead-rule", analysis.DeadRule, WARNING),
    FindingCode("R0503", "always-defeated", analysis.RuleAlwaysDefeated, WARNING),
    FindingCode("R0504", "duplicate-rule", analysis.DuplicateRule, WARNING),
    FindingCode("R0505", "idle-override", analysis.IdleOverride, WARNING),
    FindingCode("R0506", "rows-overlap", analysis.RowsOverlap),
    FindingCode("R0507", "masked-row", analysis.MaskedRow, WARNING),
    FindingCode("R0508", "table-gap", analysis.TableGap),
    FindingCode("R0510", "never-set", analysis.NeverSet, WARNING),
    FindingCode("R0511", "never-read", analysis.NeverRead, WARNING),
    FindingCode("R0512", "never-used", analysis.NeverUsed, WARNING),
    FindingCode("R0514", "never-runs", analysis.NeverRuns, WARNING),
    FindingCode("R0515", "uncited-rule", omissions.UncitedRule, WARNING),
    FindingCode("R0516", "no-prose", omissions.RuleWithoutProse, WARNING),
    FindingCode("R0517", "unshown-clarification", omissions.UnshownClarification, WARNING),
    FindingCode("R0518", "hooks-clash", analysis.HooksClash),
    FindingCode("R0519", "rule-outside", analysis.RuleOutside),
    FindingCode("R0520", "masked-rule", analysis.MaskedRule, WARNING),
    FindingCode("R0521", "leaves-range", analysis.OutOfRangeWrite),
    FindingCode("R0523", "gives-away", analysis.GivesAway, WARNING),
    FindingCode("R0524", "never-cleared", analysis.NeverCleared, WARNING),
    FindingCode("R0525", "offered-elsewhere", analysis.OfferedElsewhere),
    FindingCode("R0526", "grants-nothing", analysis.GrantsNothing, WARNING),
    FindingCode("R0527", "grant-withheld", analysis.GrantWithheld, WARNING),
    FindingCode("R0528", "number-taken", omissions.NumberTaken, WARNING),
    FindingCode("R0529", "dead-step", analysis.DeadStep, WARNING),
    FindingCode("R0530", "unused-name", idle_code.UnusedName, WARNING),
    FindingCode("R0531", "never-holds", idle_code.NeverHolds, WARNING),
    FindingCode("R0533", "idle-aim", idle_code.IdleAim, WARNING),
    FindingCode("R0534", "never-ends", analysis.NeverEnds),
    FindingCode("R0538", "asks-the-gone", analysis.AsksTheGone),
    FindingCode("R0539", "begins-again", analysis.BeginsAgain, WARNING),
    FindingCode("R0541", "prose-differs", omissions.ProseDiffers, WARNING),
    FindingCode("R0546", "never-asked", idle_code.NeverAsked, WARNING),
    FindingCode("R0549", "exception-forgotten", idle_code.ExceptionForgotten, WARNING),
    FindingCode("R0550", "rests-on-nothing", idle_code.RestsOnNothing, WARNING),
    FindingCode("R0551", "no-answer", answers.NoAnswer),
    FindingCode("R0552", "two-answers", answers.TwoAnswers),
    FindingCode("R0553", "answer-outside", answers.AnswerOutside),
    FindingCode("R0554", "read-absent", answers.ReadAbsent),
    FindingCode("R0555", "play-stuck", answers.PlayStuck),
    FindingCode("R0556", "example-failed", answers.ExampleFailed),
    FindingCode("R0557", "unshown-rule", answers.RuleUnshown),
    FindingCode("R0559", "not-always", answers.NotAlways),
    FindingCode("R0560", "contrary-aim", omissions.ContraryAim, WARNING),
    FindingCode("R0563", "unplayed-reading", answers.ReadingUnplayed),
    FindingCode("R0564", "unguarded-step", omissions.UnguardedStep, WARNING),
    FindingCode("R0565", "no-preference", omissions.NoPreference, WARNING),
    FindingCode("R0566", "too-much-to-prove", idle_code.TooMuchToProve, WARNING),
    FindingCode("R0567", "too-much-to-answer", answers.TooMuchToAnswer),
    FindingCode("R0569", "repeated-argument", omissions.RepeatedArgument, WARNING),
    FindingCode("R0570", "counter-alone", omissions.CounterAlone, WARNING),
    FindingCode("R0571", "unasked-verdict", omissions.UnaskedVerdict, WARNING),
    FindingCode("R0572", "unasked-case", omissions.UnaskedCase, WARNING),
    FindingCode("R0573", "arguments-exchanged", omissions.ArgumentsExchanged, WARNING),
    FindingCode("R0574", "set-too-late", idle_code.SetTooLate, WARNING),
    FindingCode("R0575", "stale-equivalent", answers.StaleEquivalent),
    FindingCode("R0576", "columns-exchanged", omissions.ColumnsExchanged, WARNING),
    FindingCode("R0578", "offer-stuck", answers.OfferStuck, WARNING),
    FindingCode("R0579", "offer-unsettled", answers.OfferUnsettled, WARNING),
    FindingCode("R0581", "undoes-nothing", idle_code.UndoesNothing, WARNING),
    FindingCode("R0583", "odd-on-map", typed.SuspectedMisprint, WARNING),
    FindingCode("R0584", "no-geometry", answers.NoGeometry),
    FindingCode("R0585", "pair-outlives", idle_code.PairOutlives, WARNING),
    FindingCode("R0586", "nobody-wins", omissions.NobodyWins, WARNING),
    FindingCode("R0587", "never-comes-on", omissions.NeverComesOn, WARNING),
    FindingCode("R0595", "changed-alone", answers.ChangedAlone, WARNING),
    FindingCode("R0598", "hard-to-read", omissions.HardToRead, WARNING),
    FindingCode("R0599", "change-unnoticed", answers.ChangeUnnoticed, WARNING),
    FindingCode("R0601", "bad-cell", typed.BadCell),
    FindingCode("R0602", "bad-yaml", source.BadYaml),
    FindingCode("R0603", "refused-yaml", source.RefusedYaml),
    FindingCode("R0604", "duplicate-key", source.DuplicateKey),
    FindingCode("R0605", "unknown-key", source.UnknownKey),
    FindingCode("R0606", "missing-key", source.MissingKey),
    FindingCode("R0607", "bad-shape", source.BadShape),
    FindingCode("R0608", "unknown-document", source.UnknownDocument),
    FindingCode("R0609", "out-of-order", source.OutOfOrder, WARNING),
    FindingCode("R0701", "asked-of-the-left", omissions.AskedOfTheLeft, WARNING),
    FindingCode("R0702", "done-too-early", omissions.DoneTooEarly, WARNING),
    FindingCode("R0704", "never-reached", idle_code.NeverReached, WARNING),
    FindingCode("R0706", "turn-never-comes", omissions.TurnNeverComes, WARNING),
    FindingCode("R0707", "kept-in-one-order", omissions.KeptInOneOrder, WARNING),
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

_OF = {code.problem: code for code in CODES}


def code_of(problem: object) -> FindingCode:
    """Return the code of a problem; a class without one is a bug that tests/codes detects."""
    return _OF[type(problem)]
