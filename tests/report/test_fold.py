"""`fold_findings` merges the findings with one cause."""

from compiler.layered.findings.labels import DuplicateLabel
from compiler.report.diagnose import diagnose
from compiler.report.diagnostic import Diagnostic
from compiler.report.fold import LISTED_PLACES, fold_findings, names_in
from compiler.source.finding import Finding
from compiler.source.sentence import Label, Severity
from compiler.source.span import Span

ERROR = Severity.ERROR


def at(line: int, message: str, root: str = "", names: tuple[str, ...] = ()) -> Diagnostic:
    """Make a finding on one line of the file `f`."""
    return Diagnostic("R0201", ERROR, message, (Label(Span("f", line, 1, line, 5), ""),), root=root, names=names)


def test_findings_with_one_root_are_one_with_all_places() -> None:
    [folded] = fold_findings([at(4, "no `cots`", "cots"), at(2, "no `cots`", "cots")], set(), {})
    assert [label.span.line for label in folded.spans] == [2, 4]


def test_findings_that_share_their_first_place_contribute_the_next() -> None:
    def rests(line: int) -> Diagnostic:
        places = tuple(Label(Span("f", each, 1, each, 5), "") for each in (9, line))
        return Diagnostic("R0309", ERROR, "gone", places, root="gone")

    [folded] = fold_findings([rests(1), rests(2), rests(3)], set(), {})
    assert [label.span.line for label in folded.spans] == [9, 1, 2, 3]


def test_places_beyond_the_limit_are_counted() -> None:
    [folded] = fold_findings([at(line, "no `cots`", "cots") for line in range(1, 20)], set(), {})
    assert len(folded.spans) == 1 + LISTED_PLACES
    assert folded.spans[-1].text == f"also here, and in {18 - LISTED_PLACES} more places"


def test_an_unknown_name_of_two_kinds_is_one_finding() -> None:
    other = Diagnostic("R0202", ERROR, "no `cots`", (Label(Span("g", 1, 1, 1, 5), ""),), root="cots", names=("cots",))
    [folded] = fold_findings([other, at(4, "no `cots`", "cots", ("cots",))], set(), {})
    assert (folded.code, [label.span.file for label in folded.spans]) == ("R0201", ["f", "g"])


def test_findings_with_different_roots_are_separate() -> None:
    assert len(fold_findings([at(1, "no `a`", "a"), at(1, "no `b`", "b")], set(), {})) == 2


def test_equal_findings_are_one() -> None:
    assert len(fold_findings([at(1, "bad"), at(1, "bad"), at(2, "bad")], set(), {})) == 2


def test_names_inside_a_syntax_error_are_not_reported_as_unknown() -> None:
    texts = {"f": "value cost(h hex): 0..3 MP\nrule a cost is 1 MP\n"}
    assert (
        fold_findings([at(2, "no `cost`", "cost", ("cost",))], names_in([Span("f", 1, 1, 1, 20)], texts), texts) == []
    )


def test_a_name_that_a_faulty_paragraph_declares_is_not_reported_as_unknown() -> None:
    texts = {"f": 'rule ice "x"\n  cots is 1\nrule snow "x"\n  exception to ice\n  when h is wods\n'}
    folded = fold_findings([at(2, "no `cots`", "cots", ("cots",)), at(4, "no `ice`", "ice", ("ice",))], set(), texts)
    assert [finding.root for finding in folded] == ["cots"]
    assert (
        len(fold_findings([at(4, "no `ice`", "ice", ("ice",)), at(5, "no `wods`", "wods", ("wods",))], set(), texts))
        == 2
    )


def test_declarations_of_a_copied_block_are_one_finding() -> None:
    def twice(first: int, copy: int, name: str) -> Finding:
        return DuplicateLabel(Span("f", copy, 6, copy, 10), Span("f", first, 6, first, 10), name)

    texts = {"f": "\n" * 40}
    block = [twice(2, 22, "ice"), twice(9, 29, "snow")]
    assert [[label.span.line for label in each.spans] for each in diagnose(block, texts)] == [[22, 2, 29]]
    assert len(diagnose([twice(2, 22, "ice"), twice(9, 23, "snow")], texts)) == 2
