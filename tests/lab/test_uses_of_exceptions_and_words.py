"""An exception that lifts nothing is not used; declarations that games depend on are named, wordings are not."""

import json
from pathlib import Path

import pytest

from rulewright.library.stacks import load_stack
from runtime.experiment.change_use import IDLE, USED
from runtime.experiment.reachable_changes import changes_of
from tests.commands.planting import say
from tests.sample import sampled

LAYER = "layer: {name}\ntitle: A\nkind: variant\non: [{base}]\n"


def planted(top: Path, base: str, text: str) -> Path:
    """Write the layer `mine` on another one."""
    (top / "mine").mkdir()
    (top / "mine" / "layer.yaml").write_text(LAYER.format(name="mine", base=base))
    (top / "mine" / "r.rules").write_text(text)
    return top


@sampled(0)
@pytest.mark.parametrize(
    ("condition", "state"),
    [("to is mud and w is laden", USED), ("to is not mud and w is laden", IDLE)],
)
def test_an_exception_is_used_only_where_what_it_lifts_would_have_been_live(
    tmp_path: Path, condition: str, state: str
) -> None:
    """Its own condition holds in both cases, as baskets are carried over sand as well as over mud."""
    rule = f'rule light [house] "Light."\n  exception to mud-and-a-basket\n  when {condition}\n'
    top = planted(tmp_path, "low_tide", rule)
    command = ["compare", "before_the_tide", "--rules", "low_tide", "--rules", "low_tide+mine", "--path", f"{top}"]
    command += ["-n", "20", "-j", "1", "--which"]
    done = say([*command, "--format", "json"])
    assert not done.code, done.err
    (change,) = json.loads(done.out)["difference"]["changes"]
    assert (change["name"], change["state"]) == ("light", state)
    assert change["reached"] >= change["offered"] > 0
    assert (change["used"] > 0) == (state == USED)
    assert ("NOTHING THAT IS CHANGED WAS USED" in say(command).out) == (state == IDLE)


def test_what_is_asked_about_an_exception_is_not_counted(tmp_path: Path) -> None:
    """As often as where no change is watched: `no-wading` asks whether a hex is under water."""
    top = planted(tmp_path, "low_tide", 'rule wade [house] "Waders."\n  exception to no-wading\n  when w is laden\n')
    fired = []
    for stacks in (["low_tide", "low_tide+mine"], ["low_tide+mine"]):
        rules = [word for each in stacks for word in ("--rules", each)]
        games = f"{top}/{len(stacks)}.jsonl"
        done = say(["compare", "before_the_tide", *rules, "--path", f"{top}", "-n", "2", "-j", "1", "--out", games])
        assert not done.code, done.err
        lines = [json.loads(line) for line in Path(games).read_text().splitlines()[1:]]
        fired.append([dict(line["results"][0][-1]["fired"]) for line in lines])
    assert fired[0] == fired[1]
    assert "wade" in fired[0][0]


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
