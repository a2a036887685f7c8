"""Survivors in a small game: each mutant that no example detects is reported, until an example covers it."""

from collections.abc import Iterable
from itertools import count
from pathlib import Path

import pytest

from compiler.report.diagnose import diagnose
from rulewright.checks.mutation.equivalent_mutants import UNREAD_LINE
from rulewright.checks.mutation.mutant_text import alteration_text
from rulewright.checks.mutation.mutant_trials import MutationLimits
from rulewright.checks.mutation.protect import ProtectionReport, run_own_mutants
from rulewright.checks.testing import run_tests
from rulewright.library.stacks import open_packages
from rulewright.serve.cli.mutation import is_finding, mutate_stack, mutation_lines
from tests.sample import LONG

SOURCES = "sources:\n  - {prefix: T, title: Toy, edition: ours, items: [T.1, T.2, T.3]}\n"
LAYER = "layer: toy\ntitle: Toy\nkind: base\n"
COUNTERS = """pieces: unit
cites: T.1
columns: [id, side, speed, traits]
rows:
  - [cart, red, 3, [wheeled]]
  - [mule, blue, 2, []]
"""
RULES = """measure MP "points" side red, blue
trait unit: wheeled, winged
status unit: loaded, seen
kind unit has speed: 0..9 MP
feature hex: bog

verdict may_enter(u: unit, to: hex) default allowed
rule no-bog [T.1] "Wheels stop at bogs, and so does who is slow."
  may_enter forbidden
  when u is wheeled and to is bog and u.speed < 4 MP

action load by player [T.2] "Load one of one's own." {
  choose u from {x in all unit where x.side = player}
  legal u is not loaded
  mark u as loaded
  mark u as seen
}
"""
EXAMPLE = """
example "carts" {
  row A, B bog
  piece C: cart at A
  ask may_enter(C, B) = forbidden by no-bog
  act load(u: C)
  ask C is loaded
}
"""
FOUR = """
example "no slower than four" {
  row A, B bog
  piece C: cart at A (speed 4 MP)
  ask may_enter(C, B) = allowed
}
"""
PRINTED = """
example "printed" {
  chart unit(side, speed) {
    cart: red, 3 {wheeled}
    mule: blue, 2 {}
  }
}
"""
REFUSED = """
example "not the enemy's, nor twice" {
  row A
  piece C: cart at A
  piece M: mule at A
  set game.player to red
  act load(u: M) refused by side
  act load(u: C)
  ask C is seen
  act load(u: C) refused by loaded
}
"""


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write the game to a temporary folder, which replaces the folder of the shipped rules."""
    monkeypatch.setattr("rulewright.library.shipped_folders.rules_folder", lambda: tmp_path)
    for name, text in (
        ("sources.yaml", SOURCES),
        ("layer.yaml", LAYER),
        ("units.yaml", COUNTERS),
        ("toy.rules", RULES),
    ):
        (tmp_path / name).write_text(text)
    (tmp_path / "shown.rules").write_text(EXAMPLE)
    return tmp_path


def mutated(folder: Path, stack: str = "toy", limits: MutationLimits | None = None) -> ProtectionReport:
    """Run mutation on all parts of a stack."""
    return run_own_mutants(open_packages([folder]), stack, [folder], limits or MutationLimits())


def survivors_of(found: ProtectionReport) -> list[str]:
    """Return the printed survivors."""
    return [alteration_text(each.mutant, each.rules) for each in found.survivors]


def has_no_part(lines: Iterable[str], *parts: str) -> bool:
    """Return whether no line contains any of the parts."""
    return not any(part in line for line in lines for part in parts)


def test_figures_and_traits_survive_until_a_chart_states_them(toy: Path) -> None:
    before = survivors_of(mutated(toy))
    assert "mule, speed 2 MP made speed 3 MP" in before
    assert "mule, with the trait wheeled" in before
    (toy / "printed.rules").write_text(PRINTED)
    assert has_no_part(survivors_of(mutated(toy)), "mule, ", "cart, ")


def test_mutation_computes_no_explanations(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Detection of a mutant needs the failing line only; an explanation would cost more than the answer."""
    before = mutated(toy).tried_mutants.total()
    monkeypatch.setattr("runtime.examples.run.explain_questions", lambda *_: pytest.fail("an explanation"))
    assert mutated(toy).tried_mutants.total() == before > 0


def test_an_example_chart_with_wrong_values_fails(toy: Path) -> None:
    (toy / "printed.rules").write_text(PRINTED.replace("3 {wheeled}", "4 {winged}"))
    (run,) = [run for group in run_tests(open_packages([toy]), "toy").groups for run in group.runs if run.failures]
    (failure,) = run.failures
    assert failure.expected == "`cart` to have speed 4, trait winged and no trait wheeled"
    assert failure.actual == "printed with speed 3, no trait winged and trait wheeled"


def test_bounds_operands_and_steps_survive_until_an_example_covers_them(toy: Path) -> None:
    before = survivors_of(mutated(toy))
    assert "number of no-bog, 4 MP made 5 MP" in before
    assert "operand of no-bog, u is wheeled taken out" in before
    assert "step of mark (2) of action:load, `mark as seen` taken out" in before
    assert "condition of a choice or set of choose of action:load, x.side = player taken out" in before
    assert "step of legal of action:load, `legal` taken out" in before
    (toy / "refused.rules").write_text(REFUSED)
    assert has_no_part(
        survivors_of(mutated(toy)), "`mark as seen` taken out", "x.side = player taken out", "`legal` taken out"
    )


def test_an_option_is_protected_by_an_example_of_the_base(toy: Path) -> None:
    (toy / "more").mkdir()
    (toy / "more" / "layer.yaml").write_text("layer: more\ntitle: More\nkind: optional\non: [toy]\n")
    text = 'rule mules-fly [T.3] "Mules fly."\n  unit is winged\n  when unit.speed = 2 MP\n'
    text += 'rule winged-go [T.3] "What flies goes anywhere."\n  may_enter allowed\n  exception to no-bog\n'
    (toy / "more" / "more.rules").write_text(text + "  when u is winged\n")
    lines = survivors_of(mutated(toy, "more"))
    # Without its condition either rule lets the cart of the base enter, which an example of the base forbids.
    assert has_no_part(lines, "no condition")
    assert "rule winged-go, taken out" in lines


def test_steps_that_an_option_inserts_into_the_base_are_mutated_with_the_option(toy: Path) -> None:
    (toy / "sequence.rules").write_text(
        "sequence toy [T.3] {\n"
        "  each turn in 1..2 { each player in {red} { phase loading { offer load until yes } } }\n}\n"
    )
    option = toy / "lanterns"
    option.mkdir()
    (option / "layer.yaml").write_text("layer: lanterns\ntitle: Lanterns\nkind: optional\non: [toy]\ncites: T.2\n")
    (option / "lanterns.rules").write_text(
        "status unit: lit\n"
        'action shine by player [T.2] "Light a lantern." {\n  choose u from all unit\n  mark u as lit\n}\n'
        "offer shine beside load\n"
        "insert phase dusk { for each u in {u in all unit where u is seen} { unmark u as seen } } after loading\n"
        'rule dawn [T.3] "Who comes first lights his lanterns."\n'
        "  inserts { for each s in {red, blue} { offer shine by s until yes } } before step each player of sequence\n"
        'example "a lantern" {\n  row A\n  piece C: cart at A\n  act shine(u: C)\n  ask C is lit\n}\n'
    )
    lines = survivors_of(mutated(toy, "lanterns"))
    assert "step of phase dusk, `phase dusk` taken out" in lines
    assert "step of mark, `unmark as seen` taken out" in lines
    assert "condition of a choice or set of loop (2), u is seen taken out" in lines
    assert "member of a set of loop, blue taken out" in lines
    assert "operand of offer load, shine, offer shine taken out" in lines
    assert has_no_part(lines, "phase loading", "offer load taken")


def test_listed_equivalent_mutants_are_separate_and_stale_entries_are_reported(toy: Path) -> None:
    entry = "  - {in: %s, was: 4 MP, now: 5 MP, why: Nobody has a speed of four.}\n"
    (toy / "layer.yaml").write_text(LAYER + "equivalent:\n" + entry % "no-bog" + entry % "no-fog")
    found = mutated(toy)
    assert [entry.subject for _, entry in found.listed] == ["no-bog"]
    assert [(stale.subject, stale.is_noticed) for stale in found.stale] == [("no-fog", False)]
    (toy / "four.rules").write_text(FOUR)
    found = mutated(toy)
    assert [(stale.subject, stale.is_noticed) for stale in found.stale] == [("no-bog", True), ("no-fog", False)]


def test_first_values_of_notes_are_mutated_within_their_domain(toy: Path) -> None:
    (toy / "notes.rules").write_text("track unit.steps: 0..1 = 0\ntrack unit.debt: number = 0\n")
    notes = [line for line in survivors_of(mutated(toy)) if line.startswith("note of play")]
    assert sorted(notes) == [
        "note of play of unit.debt, 0 made -1",
        "note of play of unit.debt, 0 made 1",
        "note of play of unit.steps, 0 made 1",
    ]


def test_a_sample_of_mutants_is_stable_under_unrelated_edits(toy: Path) -> None:
    found = mutated(toy, limits=MutationLimits(sample=3))
    assert 0 < found.tried_mutants.total() < found.possible_mutants.total()
    (toy / "shown.rules").write_text(f"# A line more.\n{EXAMPLE}")
    second_run = mutated(toy, limits=MutationLimits(sample=3))
    assert survivors_of(second_run) == survivors_of(found)
    assert set(survivors_of(found)) <= set(survivors_of(mutated(toy)))


@pytest.mark.parametrize("sample", [4, pytest.param(1, marks=LONG)])
def test_the_game_of_the_tutorial_has_no_survivors(sample: int) -> None:
    found = run_own_mutants(open_packages(), "low_tide", (), MutationLimits(sample=sample))
    assert survivors_of(found) == []
    assert found.tried_mutants.total() > 200 // sample
    assert found.stale == []
    assert {(alteration_text(each.mutant, each.rules), proof) for each, proof in found.proved} <= {
        ("line of a card of before_the_tide: set_up, north, south made south, north", UNREAD_LINE)
    }


def test_mutants_after_the_time_limit_are_counted_as_untried(toy: Path) -> None:
    found = mutated(toy, limits=MutationLimits(is_late=lambda: True))
    assert found.unfinished >= found.possible_mutants.total() - 1 > 10
    assert not found.survivors


def test_an_interruption_is_no_success(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before a mutant has been run there is nothing to report; afterwards the report says that it may be partial."""

    def interrupt(count: object, _total: int = 0) -> None:
        if not isinstance(count, int) or count > 2:
            raise KeyboardInterrupt

    packages = open_packages([toy])
    found = run_own_mutants(packages, "toy", [toy], MutationLimits(), interrupt)
    assert found.was_interrupted
    assert found.unfinished + len(found.protected) == found.possible_mutants.total()
    assert len(found.protected) <= 3
    monkeypatch.setattr(
        "rulewright.serve.cli.mutation.run_own_mutants", lambda *_: ProtectionReport(was_interrupted=True)
    )
    record, _ = mutate_stack(packages, "toy", [toy], MutationLimits())
    assert is_finding(record)
    lines = [str(line) for line in mutation_lines(record, "toy", MutationLimits(), {})]
    assert any(line.startswith("interrupted: ") for line in lines)
    monkeypatch.setattr("rulewright.checks.mutation.protect.mutants_of", interrupt)
    with pytest.raises(KeyboardInterrupt):
        run_own_mutants(packages, "toy", [toy], MutationLimits())


def test_rules_of_a_reading_are_mutated_in_the_stack_with_that_reading(toy: Path) -> None:
    text = 'dispute how [T.3] "Do mules fly?" {\n  reading walk [T.3] default "As printed." {}\n'
    text += '  reading fly [T.3] {\n    rule mules-fly [T.3] "Mules fly."\n      unit is winged\n'
    text += "      when unit.speed = 2 MP\n  }\n}\n"
    (toy / "how.rules").write_text(text)
    found = mutated(toy)
    under = {each.stack for each in found.survivors if each.mutant.name == "mules-fly"}
    assert under == {"toy+how=fly"}


def test_examples_of_a_reading_below_count_for_an_option_above_it(toy: Path) -> None:
    for name, on in (("flight", "toy"), ("far", "flight")):
        (toy / name).mkdir()
        (toy / name / "layer.yaml").write_text(f"layer: {name}\ntitle: {name}\nkind: optional\non: [{on}]\n")
    text = 'dispute how [T.3] "Do mules fly?" {\n  reading walk [T.3] default "As printed." {}\n'
    text += '  reading fly [T.3] {\n    rule mules-fly [T.3] "Mules fly."\n      unit is winged\n'
    text += "      when unit.speed = 2 MP\n  }\n}\n"
    text += 'example "up" under flight+how=fly for (who, flies) in (M, yes), (S, no), (F, no) {\n  row A\n'
    text += "  piece M: mule at A\n  piece S: mule at A (speed 1 MP)\n  piece F: mule at A (speed 3 MP)\n"
    (toy / "flight" / "how.rules").write_text(text + "  ask (who is winged) = flies\n}\n")
    (toy / "far" / "far.rules").write_text(
        'example "on foot" {\n  row A\n  piece M: mule at A\n  ask M is not winged\n}\n'
    )
    found = mutated(toy, "far")
    assert found.protected
    assert has_no_part(survivors_of(found), "mules-fly")


def test_examples_of_a_reading_without_rules_count_for_an_option_above_it(toy: Path) -> None:
    for name, on in (("flight", "toy"), ("far", "flight")):
        (toy / name).mkdir()
        (toy / name / "layer.yaml").write_text(f"layer: {name}\ntitle: {name}\nkind: optional\non: [{on}]\n")
    text = 'dispute how [T.3] "Do mules fly?" {\n  reading fly [T.3] default "As seen." {\n'
    text += '    rule mules-fly [T.3] "Mules fly."\n      unit is winged\n      when unit.speed = 2 MP\n  }\n'
    text += (
        '  reading walk [T.3] {}\n}\nrule three-fly [T.3] "Three fly."\n  unit is winged\n  when unit.speed < 4 MP\n'
    )
    text += (
        'example "three" under flight+how=walk {\n  row A\n  piece C: cart at A\n  piece D: cart at A (speed 4 MP)\n'
    )
    (toy / "flight" / "how.rules").write_text(text + "  ask (C is winged) = yes\n  ask (D is winged) = no\n}\n")
    (toy / "far" / "far.rules").write_text('example "one" {\n  row A\n  piece M: mule at A\n  ask M is winged\n}\n')
    assert has_no_part(survivors_of(mutated(toy, "far")), "three-fly, 4 MP")


def test_an_example_under_a_reading_without_rules_counts(toy: Path) -> None:
    text = 'dispute how [T.3] "Do mules fly?" {\n  reading fly [T.3] default "As seen." {\n'
    text += '    rule mules-fly [T.3] "Mules fly."\n      unit is winged\n      when unit.speed = 2 MP\n  }\n'
    text += "  reading walk [T.3] {}\n}\n"
    text += 'rule three-fly [T.3] "Three fly."\n  unit is winged\n  when unit.speed < 4 MP\n'
    (toy / "how.rules").write_text(text)
    assert "number of three-fly, 4 MP made 3 MP" in survivors_of(mutated(toy))
    texts = 'example "three" under toy+how=walk {\n  row A\n  piece C: cart at A\n  piece D: cart at A (speed 4 MP)\n'
    (toy / "walk.rules").write_text(texts + "  ask (C is winged) = yes\n  ask (D is winged) = no\n}\n")
    assert has_no_part(survivors_of(mutated(toy)), "three-fly, 4 MP")

    # The time limit ends the run between the stack and the reading: it is neither protected nor not.
    times = count(1)
    all_of_main = mutated(toy).possible_mutants.total()
    limits = MutationLimits(is_late=lambda: next(times) >= all_of_main)
    record, _ = mutate_stack(open_packages((toy,)), "toy", (toy,), limits)
    lines = "\n".join(map(str, mutation_lines(record, "toy", limits, {})))
    assert "not tried in every situation" in lines
    assert "three-fly, 4 MP" not in lines
    assert record["unfinished"] > 0
    assert record["unprotected"] == []
    assert is_finding(record)


def test_an_equivalent_entry_selects_one_of_two_equal_places_by_number(toy: Path) -> None:
    more = 'rule two-bogs [T.3] "Far from bogs."\n  unit is winged\n'
    more += (
        "  when some(u in all unit where u.speed < 9 MP) and some(u in all unit where u.speed < 9 MP and u is seen)\n"
    )
    (toy / "bogs.rules").write_text(more)
    entry = "  - {in: two-bogs, was: 9 MP, now: 10 MP, why: Nobody is so fast., nth: %d}\n"
    read = "number of two-bogs, 9 MP made 10 MP"
    found = mutated(toy)
    assert [(each.nth, each.total) for each in found.survivors if alteration_text(each.mutant, each.rules) == read] == [
        (1, 2),
        (2, 2),
    ]
    (toy / "layer.yaml").write_text(f"{LAYER}equivalent:\n{entry % 2}{entry % 3}")
    found = mutated(toy)
    assert [survivor.nth for survivor, _ in found.listed] == [2]
    assert [each.nth for each in found.survivors if alteration_text(each.mutant, each.rules) == read] == [1]
    assert [(each.subject, each.is_noticed) for each in found.stale] == [("two-bogs", False)]


def test_an_equivalent_entry_names_a_hook_without_its_number(toy: Path) -> None:
    (toy / "hook.rules").write_text("after end of own_turn [T.3] {\n  for each u in all unit { unmark u as seen }\n}\n")
    entry = (
        "equivalent:\n  - {in: loop of hook:end of own_turn, was: '`for each u`', now: nothing, why: Nobody looks.}\n"
    )
    (toy / "layer.yaml").write_text(LAYER + entry)
    found = mutated(toy)
    assert [alteration_text(survivor.mutant, survivor.rules) for survivor, _ in found.listed] == [
        "step of loop of hook:end of own_turn#001, `for each u` taken out"
    ]
    assert found.stale == []
    # With its number it would be listed in stacks with as many hooks before it, and reported in all others.
    numbered = entry.replace("loop of hook:end of own_turn", "'loop of hook:end of own_turn#001'")
    (toy / "layer.yaml").write_text(LAYER + numbered)
    [stale] = diagnose(mutated(toy).stale, {})
    assert stale.help == "delete the entry, or omit `#001`, as the number of a hook depends on the stack"


def test_a_kind_test_that_other_conditions_need_has_no_mutant(toy: Path) -> None:
    text = 'kind fort\nverdict may_hold(p: piece) default forbidden\nrule wheels-hold [T.3] "Wheels."\n'
    text += "  may_hold allowed\n  when p is unit and p is wheeled\n"
    text += 'rule own-hold [T.3] "Units."\n  may_hold allowed\n  when p is unit and p.side = blue\n'
    text += "relation tows(tower: unit, towed: unit) one tower\n"
    text += 'rule towed-hold [T.3] "Those who are towed."\n  may_hold allowed\n  when p is unit and p has tower\n'
    text += "record sighting {of: unit}\ncondition costly(p: unit|fort) default no\n"
    text += "verdict may_pay(p: unit|fort) default allowed\n"
    text += 'rule seen-hold [T.3] "Those who are known."\n  may_hold allowed\n'
    text += "  when p is unit and some(s in all sighting where s.of = p)\n"
    text += 'rule costly-pay [T.3] "Costly units."\n  may_pay forbidden\n  when p is unit and costly(p)\n'
    (toy / "hold.rules").write_text(text)
    lines = survivors_of(mutated(toy))
    assert "operand of towed-hold, p has tower taken out" in lines
    assert "operand of towed-hold, p is unit taken out" not in lines
    assert "operand of own-hold, p is unit taken out" in lines
    assert "operand of wheels-hold, p is wheeled taken out" in lines
    assert "operand of wheels-hold, p is unit taken out" not in lines
    assert "operand of seen-hold, p is unit taken out" not in lines
    assert "operand of costly-pay, p is unit taken out" in lines


def test_samples_with_different_seeds_partition_the_mutants(toy: Path) -> None:
    parts = [mutated(toy, limits=MutationLimits(sample=3, seed=seed)) for seed in range(3)]
    whole = mutated(toy)
    assert sum(part.tried_mutants.total() for part in parts) == whole.tried_mutants.total()
    assert sorted(line for part in parts for line in survivors_of(part)) == sorted(survivors_of(whole))


def test_places_restrict_mutation_to_files_rules_and_procedures(toy: Path) -> None:
    whole = mutated(toy)
    for place, of in (("toy.rules", "toy.rules"), ("units.yaml", "units.yaml")):
        found = mutated(toy, limits=MutationLimits(places=(place,)))
        assert {each.mutant.origin.file.rpartition("/")[2] for each in found.survivors} == {of}
        assert 0 < found.tried_mutants.total() < whole.tried_mutants.total()
    rule, action = (mutated(toy, limits=MutationLimits(places=(each,))) for each in ("no-bog", "action:load"))
    assert {each.mutant.name for each in (*rule.survivors,)} == {"no-bog"}
    assert {each.mutant.procedure for each in action.survivors} == {"action:load"}
    assert not mutated(toy, limits=MutationLimits(places=("no-bo",))).tried_mutants


def test_a_rounding_on_a_scale_has_one_mutant_printed_as_in_the_source(toy: Path) -> None:
    more = """scale odds: '1-2' = 1/2, '1-1' = 1, '2-1' = 2
value odds_of(u: unit): odds reads "the odds of {u}"
rule by-speed [T.3] "Odds by speed." odds_of is round_down(odds(u.speed / 2 MP))
"""
    (toy / "odds.rules").write_text(more)
    text = "row A piece C: cart at A piece M: mule at A ask odds_of(C) = '1-1' ask odds_of(M) = '1-1'"
    (toy / "shown.rules").write_text(f'{EXAMPLE}example "odds" {{ {text} }}\n')
    reports = [each for each in survivors_of(mutated(toy)) if "by-speed" in each]
    assert reports == []
    (toy / "shown.rules").write_text(EXAMPLE)
    reports = [each for each in survivors_of(mutated(toy)) if "by-speed" in each]
    assert "sign of by-speed, round_down(odds(u.speed / 2 MP)) made round_up(odds(u.speed / 2 MP))" in reports
    assert has_no_part(reports, "place", "which place")
