"""Declarations that games depend on are named, wordings are not."""

from pathlib import Path

from rulewright.library.stacks import load_stack
from runtime.experiment.reachable_changes import changes_of

LAYER = "layer: {name}\ntitle: A\nkind: variant\non: [{base}]\n"


def planted(top: Path, base: str, text: str) -> Path:
    """Write the layer `mine` on another one."""
    (top / "mine").mkdir()
    (top / "mine" / "layer.yaml").write_text(LAYER.format(name="mine", base=base))
    (top / "mine" / "r.rules").write_text(text)
    return top


def test_a_longer_enumeration_is_a_change_and_another_wording_is_none(tmp_path: Path) -> None:
    words = 'wording corps "division"\nwording battle "outcome"\nwording MP "points"\n'
    for name, base, text, expected in (
        ("longer", "frost_chits", "extend enum chit: hail\n", ("enum chit",)),
        ("words", "long_frost", words, ()),
    ):
        (tmp_path / name).mkdir()
        top = planted(tmp_path / name, base, text)
        below = "+".join(dict.fromkeys(("long_frost", base)))
        first, second = load_stack(below).graph, load_stack(f"{below}+mine", [top]).graph
        assert first is not None
        assert second is not None
        assert first.hash != second.hash
        assert changes_of(first, second) == ((), expected)
