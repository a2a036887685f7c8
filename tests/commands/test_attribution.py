"""Findings about a variant of a shipped game begin with the variant, and their help text names no file of the game."""

from pathlib import Path

import pytest

from compiler.report.diagnostic import Diagnostic
from rulewright.checks.proofs import list_findings
from rulewright.library.stacks import load_stack
from tests.sample import first_of_each, sampled

# Variants of a small shipped game, with the code that each must produce, if one is named.
PLANTED = Path(__file__).parent / "planted" / "variants.rules"
EDITS = {
    head.partition(":")[0]: (text, head.partition(":")[2].strip())
    for head, _, text in (part.partition("\n") for part in PLANTED.read_text("utf-8").split("--- ")[1:])
}
# Phrases of help texts that advise a change of the game.
REPAIR_WORDS = ("delete the", "in the question")


def check_variant(folder: Path, text: str, more: str = "") -> tuple[list[Diagnostic], frozenset[str]]:
    """Check a variant with one text; return the findings and the names of the game's files."""
    place = folder / "mine"
    place.mkdir()
    (place / "layer.yaml").write_text("layer: mine\ntitle: Mine\nkind: variant\non: [low_tide]\n" + more, "utf-8")
    (place / "mine.rules").write_text(text + "\n", encoding="utf-8")
    stack = load_stack("low_tide+mine", [folder])
    files = frozenset(file.name for layer in ("low_tide",) for file in stack.library.files[layer])
    return list_findings(stack), files


# Every third kind; the pages of the codes are tests of each kind.
@sampled(4)
@pytest.mark.parametrize("name", first_of_each(EDITS, lambda name: EDITS[name][1] or name)[::3])
def test_a_finding_begins_with_the_variant_and_advises_no_change_of_the_game(name: str, tmp_path: Path) -> None:
    """The first label of each finding is in the variant, and its help advises no change of the game."""
    text, code = EDITS[name]
    found, files = check_variant(tmp_path, text)
    assert not code or code in {each.code for each in found}, [each.message for each in found]
    for each in found:
        assert each.spans, each
        assert each.spans[0].span.file.endswith("mine/mine.rules"), (each.code, each.message, each.spans)
        if any(place.span.file in files for place in each.spans):
            assert not any(word in each.help for word in REPAIR_WORDS), each.help
        assert not any(file in each.help for file in files), each.help


def test_the_option_that_causes_a_finding_is_named(tmp_path: Path) -> None:
    """A finding begins with the option that causes it, also where another option is loaded above it."""
    for name, text in (
        ("first", 'rule no-baskets [house] "Nobody gathers." withdraws action gather'),
        ("second", "always some-water [house] every(w in all walker where w.pace > 0 steps)"),
    ):
        (tmp_path / name).mkdir()
        manifest = f"layer: {name}\ntitle: {name.title()}\nkind: optional\non: [low_tide]\n"
        (tmp_path / name / "layer.yaml").write_text(manifest, "utf-8")
        (tmp_path / name / "mine.rules").write_text(text + "\n", encoding="utf-8")
    every = list_findings(load_stack("low_tide+first+second", [tmp_path]))
    found = [each for each in every if each.code == "R0510"]
    assert found, [(each.code, each.message) for each in every]
    for each in found:
        assert each.spans[0].span.file.endswith("first/mine.rules")
        assert each.help.startswith("the same happens without `second`; correct this change in `first`")
