"""The register of codes, with problem class and page.

In: the class of a problem. Out: its `Code`: number, page, severity.

R01xx source, R02xx names, R03xx layers and relations, R04xx types, R05xx warnings about what compiles (proofs,
sentences, examples, play, changes since a revision), R06xx data files; a few older ones are elsewhere, as comments
state. A code is assigned once and never reused (`RETIRED`). R05xx is assigned up to R0599: use the unassigned ones
between, and then R07xx. The page is `docs/codes/<code>-<slug>.md`, generated from the fixture of the same name in
`tests/codes/`.
"""

from dataclasses import dataclass

from compiler.analysis import idle_code, omissions
from compiler.analysis import problems as analysis
from compiler.layered import amendment_problems, title_problems
from compiler.layered import problems as layered
from compiler.report import answers
from compiler.report.diagnostic import Severity
from compiler.source import problems as source
from compiler.typed import problems as typed

ERROR, WARNING = Severity.ERROR, Severity.WARNING


@dataclass(frozen=True, slots=True)
class Code:
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
    Code("R0101", "unexpected-token", source.UnexpectedToken),
    Code("R0102", "unterminated-text", source.UnterminatedText),
    Code("R0103", "bad-character", source.BadCharacter),
    Code("R0104", "unprintable", source.Unprintable),
    Code("R0105", "bad-number", source.BadNumber),
    Code("R0106", "bad-cite", source.BadCite),
    Code("R0107", "too-deep", source.TooDeep),
    Code("R0108", "odd-sign", source.OddSign),
    Code("R0121", "too-large", source.TooLarge),
    Code("R0122", "not-utf8", source.NotUtf8),
    Code("R0123", "missing-file", source.MissingFile),
    Code("R0124", "outside-package", source.OutsidePackage),
    Code("R0125", "same-name-twice", source.DuplicateName),
    Code("R0126", "foreign-file", source.ForeignFile, WARNING),
    Code("R0201", "unknown-name", typed.UnknownName),
    Code("R0202", "unknown-member", typed.UnknownMember),
    Code("R0203", "unknown-flag", typed.UnknownFlag),
    Code("R0204", "ambiguous-name", typed.AmbiguousName),
    Code("R0205", "duplicate-name", typed.DuplicateName),
    Code("R0206", "reads-alike", typed.ReadsAlike, WARNING),
    Code("R0207", "listed-twice", typed.ListedTwice),
    Code("R0208", "victory-alike", typed.VictoryAlike, WARNING),
    Code("R0209", "said-of-another", typed.SaidOfAnother, WARNING),
    Code("R0210", "factor-taken", typed.FactorTaken),
    Code("R0211", "factors-differ", typed.FactorsDiffer),
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
    Code("R0312", "overlap", analysis.RulesOverlap),  # The number assigned in the original design.
    Code("R0313", "unknown-cell", layered.UnknownCell),
    Code("R0314", "patched-twice", layered.PatchedTwice),
    Code("R0315", "exception-cycle", layered.ExceptionCycle),
    Code("R0316", "aims-at-nothing", layered.EmptyTarget),
    Code("R0317", "wrong-target", layered.WrongTarget),
    Code("R0318", "unknown-source", layered.UnknownSource),
    Code("R0319", "duplicate-table", layered.DuplicateTable),
    Code("R0320", "example-elsewhere", layered.ExampleElsewhere),
    Code("R0321", "inserted-twice", layered.InsertedTwice),
    Code("R0322", "case-renamed", layered.CaseRenamed),
    Code("R0323", "reading-chosen-twice", layered.ReadingChosenTwice),
    Code("R0324", "readings-alike", layered.ReadingsAlike, WARNING),
    Code("R0325", "patches-nothing", layered.PatchesNothing, WARNING),
    Code("R0326", "leads-nowhere", layered.LeadsNowhere, WARNING),
    Code("R0327", "nothing-to-replace", layered.NothingToReplace),
    Code("R0328", "replacement-differs", layered.ReplacementDiffers),
    Code("R0329", "still-needed", layered.StillNeeded),
    Code("R0330", "leaves-off-nothing", layered.LeavesOffNothing),
    Code("R0331", "no-such-step", amendment_problems.NoSuchStep),
    Code("R0332", "amended-twice", amendment_problems.AmendedTwice),
    Code("R0333", "cannot-amend", amendment_problems.CannotAmend),
    Code("R0334", "leaves-unbound", amendment_problems.LeavesUnbound),
    Code("R0401", "type-mismatch", typed.TypeMismatch),
    Code("R0402", "measure-mismatch", typed.MeasureMismatch),
    Code("R0403", "wrong-arity", typed.WrongArity),
    Code("R0404", "may-be-absent", typed.MayBeAbsent),
    Code("R0405", "may-be-zero", typed.MayBeZero),
    Code("R0406", "may-be-empty", typed.MayBeEmpty),
    Code("R0407", "key-outside", typed.KeyOutside),
    Code("R0408", "wrong-verb", typed.WrongVerb),
    Code("R0409", "missing-field", typed.MissingField),
    Code("R0410", "term-cycle", typed.TermCycle),
    Code("R0411", "misplaced", typed.Misplaced),
    Code("R0412", "never-fits", typed.NeverFits),
    Code("R0413", "one-at-most", typed.OneAtMost),
    Code("R0414", "missing-fact", typed.MissingFact),
    Code("R0415", "keys-turned", typed.KeysTurned),
    Code("R0416", "no-figures", omissions.NoFigures),
    Code("R0417", "between-rows", omissions.BetweenRows, WARNING),
    Code("R0501", "gap", analysis.AnswerMissing),
    Code("R0502", "dead-rule", analysis.DeadRule, WARNING),
    Code("R0503", "always-defeated", analysis.RuleAlwaysDefeated, WARNING),
    Code("R0504", "duplicate-rule", analysis.DuplicateRule, WARNING),
    Code("R0505", "idle-override", analysis.IdleOverride, WARNING),
    Code("R0506", "rows-overlap", analysis.RowsOverlap),
    Code("R0507", "masked-row", analysis.MaskedRow, WARNING),
    Code("R0508", "table-gap", analysis.TableGap),
    Code("R0509", "idle-column", analysis.IdleColumn, WARNING),
    Code("R0510", "never-set", analysis.NeverSet, WARNING),
    Code("R0511", "never-read", analysis.NeverRead, WARNING),
    Code("R0512", "never-used", analysis.NeverUsed, WARNING),
    Code("R0514", "never-runs", analysis.NeverRuns, WARNING),
    Code("R0515", "uncited-rule", omissions.UncitedRule, WARNING),
    Code("R0516", "no-prose", omissions.RuleWithoutProse, WARNING),
    Code("R0517", "unshown-clarification", omissions.UnshownClarification, WARNING),
    Code("R0518", "hooks-clash", analysis.HooksClash),
    Code("R0519", "rule-outside", analysis.RuleOutside),
    Code("R0520", "masked-rule", analysis.MaskedRule, WARNING),
    Code("R0521", "leaves-range", analysis.Escape),
    Code("R0522", "over-nothing", analysis.OverNothing, WARNING),
    Code("R0523", "gives-away", analysis.GivesAway, WARNING),
    Code("R0524", "never-cleared", analysis.NeverCleared, WARNING),
    Code("R0525", "offered-elsewhere", analysis.OfferedElsewhere),
    Code("R0526", "grants-nothing", analysis.GrantsNothing, WARNING),
    Code("R0527", "grant-withheld", analysis.GrantWithheld, WARNING),
    Code("R0528", "number-taken", omissions.NumberTaken, WARNING),
    Code("R0529", "dead-step", analysis.DeadStep, WARNING),
    Code("R0530", "unused-name", idle_code.UnusedName, WARNING),
    Code("R0531", "never-holds", idle_code.NeverHolds, WARNING),
    Code("R0532", "said-twice", idle_code.SaidTwice, WARNING),
    Code("R0533", "idle-aim", idle_code.IdleAim, WARNING),
    Code("R0534", "never-ends", analysis.NeverEnds),
    Code("R0535", "unmarks-print", idle_code.UnmarksPrint, WARNING),
    Code("R0536", "idle-step", idle_code.IdleStep, WARNING),
    Code("R0537", "holds-anyway", idle_code.HoldsAnyway, WARNING),
    Code("R0538", "asks-the-gone", analysis.AsksTheGone),
    Code("R0539", "begins-again", analysis.BeginsAgain, WARNING),
    Code("R0540", "absorbed", idle_code.AbsorbedCondition, WARNING),
    Code("R0541", "prose-differs", omissions.ProseDiffers, WARNING),
    Code("R0542", "answer-differs", omissions.AnswerDiffers, WARNING),
    Code("R0543", "told-again", idle_code.ToldAgain, WARNING),
    Code("R0544", "idle-action", idle_code.IdleAction, WARNING),
    Code("R0545", "offered-twice", idle_code.OfferedTwice, WARNING),
    Code("R0546", "never-asked", idle_code.NeverAsked, WARNING),
    Code("R0547", "unshown-number", omissions.UnshownNumber, WARNING),
    Code("R0548", "cards-alike", layered.CardsAlike, WARNING),
    Code("R0549", "exception-forgotten", idle_code.ExceptionForgotten, WARNING),
    Code("R0550", "rests-on-nothing", idle_code.RestsOnNothing, WARNING),
    Code("R0551", "no-answer", answers.NoAnswer),
    Code("R0552", "two-answers", answers.TwoAnswers),
    Code("R0553", "answer-outside", answers.AnswerOutside),
    Code("R0554", "read-absent", answers.ReadAbsent),
    Code("R0555", "play-stuck", answers.PlayStuck),
    Code("R0556", "example-failed", answers.ExampleFailed),
    Code("R0557", "unshown-rule", answers.RuleUnshown),
    Code("R0558", "clarifies-elsewhere", answers.ClarifiesElsewhere),
    Code("R0559", "not-always", answers.NotAlways),
    Code("R0561", "refused-otherwise", answers.RefusedOtherwise),
    Code("R0562", "unplayed-ruling", answers.RulingUnplayed),
    Code("R0563", "unplayed-reading", answers.ReadingUnplayed),
    Code("R0564", "unguarded-step", omissions.UnguardedStep, WARNING),
    Code("R0565", "no-preference", omissions.NoPreference, WARNING),
    Code("R0566", "too-much-to-prove", idle_code.TooMuchToProve, WARNING),
    Code("R0567", "too-much-to-answer", answers.TooMuchToAnswer),
    Code("R0570", "counter-alone", omissions.CounterAlone, WARNING),
    Code("R0571", "unasked-verdict", omissions.UnaskedVerdict, WARNING),
    Code("R0572", "unasked-case", omissions.UnaskedCase, WARNING),
    Code("R0573", "arguments-exchanged", omissions.ArgumentsExchanged, WARNING),
    Code("R0575", "stale-equivalent", answers.StaleEquivalent),
    Code("R0576", "columns-exchanged", omissions.ColumnsExchanged, WARNING),
    Code("R0577", "readings-agree", layered.ReadingsAgree, WARNING),
    Code("R0578", "offer-stuck", answers.OfferStuck, WARNING),
    Code("R0579", "offer-unsettled", answers.OfferUnsettled, WARNING),
    Code("R0580", "cites-elsewhere", omissions.CitesElsewhere, WARNING),
    Code("R0581", "undoes-nothing", idle_code.UndoesNothing, WARNING),
    Code("R0582", "exceptions-idle", idle_code.ExceptionsIdle, WARNING),
    Code("R0583", "odd-on-map", typed.SuspectedMisprint, WARNING),
    Code("R0584", "no-geometry", answers.NoGeometry),
    Code("R0585", "pair-outlives", idle_code.PairOutlives, WARNING),
    Code("R0586", "nobody-wins", omissions.NobodyWins, WARNING),
    Code("R0587", "never-comes-on", omissions.NeverComesOn, WARNING),
    Code("R0588", "untold-dice", omissions.DiceWithoutAccount, WARNING),
    Code("R0589", "odd-owner", typed.SuspectedOwner, WARNING),
    Code("R0590", "title-elsewhere", title_problems.UnrelatedTitle, WARNING),
    Code("R0591", "texts-contrary", omissions.TextsContrary, WARNING),
    Code("R0592", "item-of-two", omissions.ItemOfTwo, WARNING),
    Code("R0593", "answer-of-another", omissions.AnswerOfAnother, WARNING),
    Code("R0594", "item-elsewhere", omissions.ItemElsewhere, WARNING),
    Code("R0595", "changed-alone", answers.ChangedAlone, WARNING),
    Code("R0596", "opening-differs", omissions.OpeningDiffers, WARNING),
    Code("R0597", "section-unopened", omissions.SectionUnopened, WARNING),
    Code("R0598", "hard-to-read", omissions.HardToRead, WARNING),
    Code("R0599", "change-unnoticed", answers.ChangeUnnoticed, WARNING),
    Code("R0601", "bad-cell", typed.BadCell),
    Code("R0602", "bad-yaml", source.BadYaml),
    Code("R0603", "refused-yaml", source.RefusedYaml),
    Code("R0604", "duplicate-key", source.DuplicateKey),
    Code("R0605", "unknown-key", source.UnknownKey),
    Code("R0606", "missing-key", source.MissingKey),
    Code("R0607", "bad-shape", source.BadShape),
    Code("R0608", "unknown-document", source.UnknownDocument),
    Code("R0609", "out-of-order", source.OutOfOrder, WARNING),
)

# Numbers that were assigned, and whose findings do not exist.
RETIRED = frozenset({"R0513"})

_OF = {code.problem: code for code in CODES}


def code_of(problem: object) -> Code:
    """Return the code of a problem; a class without one is a bug that tests/codes detects."""
    return _OF[type(problem)]
