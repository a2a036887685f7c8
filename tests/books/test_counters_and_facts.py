"""Every number and trait of the shipped counters equals published facts, if a folder of such facts is available."""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

import rulewright.adapters.open_panzer_blitz
from rulewright.library.stacks import open_packages
from runtime.graph import nodes as graph
from runtime.mutation.declaration_mutants import counter_mutants
from tests.importing.situations import find_facts

FACTS = find_facts()
pytestmark = pytest.mark.skipif(FACTS is None, reason="COUNTERS NOT COMPARED: no folder of facts; set RULEWRIGHT_FACTS")

STACKS = ("panzer_leader", "panzerblitz", "pl1940", "panssari_salama")
MAPPING = Path(rulewright.adapters.open_panzer_blitz.__file__).parent / "mappings" / "open_panzer_blitz.yaml"
WEAPONS = {"infantry": "I", "anti-armor": "A", "high-explosive": "H", "mortar": "M", "na": "C"}
MOVERS = {"default-vehicle": "vehicle", "default-non-vehicle": "foot", "ski": "foot", "amphibious-vehicle": "vehicle"}
INDIRECT = {"H": "HH"}  # The facts have a separate field for indirect fire of these.
FIGURES = ("attack", "range", "defense", "movement")
ALL = frozenset({*FIGURES, "weapon", "moves_as", "guns", "rockets", "bombs"})
NO_END = 9999
IN_THE_AIR = ("fighter-bomber", "observation-aircraft")
Row = Mapping[str, str]

# By trait, the condition of a row of the facts; traits without one are not in the facts.
TRAITS: Mapping[str, Callable[[Row], bool]] = {
    "armored": lambda row: row["is_armored"] == "true" and row["unit_class"] != "fort",
    "vehicular": lambda row: row["unit_class"] == "cavalry" or (row["is_vehicle"] == "true" and not flies(row)),
    "engineer": lambda row: row["is_engineer"] == "true",
    "long_reach": lambda row: row["can_double_range"] == "true",
    "commando": lambda row: "true" in (row["is_commando"], row["is_paratroop"]),
    "machine_gun": lambda row: row["can_only_support_close_assault"] == "true",
    "anti_aircraft": lambda row: row["can_anti_aircraft"] == "true",
    "no_overrun": lambda row: (
        row["unit_class"] != "fort" and (row["is_armored"], row["can_overrun"]) == ("true", "false")
    ),
    "infantry": lambda row: row["unit_class"] == "infantry",
    "gun": lambda row: row["unit_class"] == "towed-gun",
    "tank": lambda row: row["unit_class"] in ("tank", "flame-tank"),
    "armored_car": lambda row: row["unit_class"] == "reconnaissance-vehicle",
    "carrier": lambda row: row["unit_class"] == "transport",
    "unarmed": lambda row: (row["unit_class"], row["weapon_class"]) == ("transport", "na"),
    "cavalry": lambda row: row["unit_class"] == "cavalry",
    "command_post": lambda row: row["unit_class"] == "command-post",
    "self_propelled": lambda row: row["unit_class"] == "self-propelled-artillery",
    "fighter_bomber": lambda row: row["unit_class"] == "fighter-bomber",
    "observer": lambda row: row["unit_class"] == "observation-aircraft",
}


def flies(row: Row) -> bool:
    return row["unit_class"] in IN_THE_AIR


@cache
def known() -> Mapping[str, Row]:
    assert FACTS is not None
    lines = (FACTS / "units.csv").read_text(encoding="utf-8").splitlines()
    return {row["key"]: row for row in csv.DictReader(line for line in lines if not line.startswith("#"))}


@cache
def named() -> Any:
    return yaml.safe_load((Path(__file__).parent / "units.yaml").read_text(encoding="utf-8"))


@cache
def mapped() -> Any:
    return yaml.safe_load(MAPPING.read_text(encoding="utf-8"))


@cache
def keys(stack: str) -> Mapping[str, tuple[str, ...]]:
    """List the keys of the facts of each counter of a stack."""
    pairs = [(counter, key) for side in mapped()["units"][stack].values() for key, counter in side.items()]
    pairs += [(counter, key) for counter, listed in named()["keys"].get(stack, {}).items() for key in listed.split()]
    return {counter: tuple(key for each, key in pairs if each == counter) for counter, _ in pairs}


@cache
def rules_of(stack: str) -> graph.Graph:
    rules = open_packages(()).compiled(stack).graph
    assert rules
    return rules


def counters_with_facts(stack: str) -> Iterator[tuple[graph.Counter, tuple[Row, ...]]]:
    """List the counters of a layer, each with its rows of the facts."""
    counters = (each for each in rules_of(stack).counters.values() if each.origin.layer == stack)
    yield from ((each, tuple(known()[key] for key in keys(stack)[each.id])) for each in counters)


def traits_of(stack: str) -> frozenset[str]:
    """List the traits that both the stack and the facts have."""
    flags = rules_of(stack).vocabulary.flags.values()
    return frozenset(flag.name for flag in flags if flag.what == "trait") & TRAITS.keys()


def printed(counter: graph.Counter) -> dict[str, str]:
    return {name: str(value.value if isinstance(value, graph.Num) else getattr(value, "name", value))
            for name, value in counter.printed}  # fmt: skip


def wanted(row: Row) -> dict[str, str]:
    """Return the values of a row of the facts in the terms of the rules."""
    weapon = WEAPONS[row["weapon_class"]]
    fires = INDIRECT.get(weapon, weapon) if row["can_indirect_fire"] == "true" else weapon
    moves = "cavalry" if row["unit_class"] == "cavalry" else MOVERS.get(row["movement_rules"], row["movement_rules"])
    return {**{name: row[name] for name in FIGURES}, "weapon": fires, "moves_as": moves}


def loads(rows: tuple[Row, ...]) -> dict[str, str]:
    """Return the loads of a plane: bombs are high-explosive, rockets are anti-armor; each load is a row."""
    by_class = {row["weapon_class"]: row["attack"] for row in rows}
    guns = next((row["secondary_attack"] for row in rows if row["secondary_attack"]), by_class.get("infantry", "0"))
    return {"guns": guns, "bombs": by_class.get("high-explosive", "0"), "rockets": by_class.get("anti-armor", "0")}


def differences(counter: graph.Counter, rows: tuple[Row, ...], traits: Iterable[str]) -> set[str]:
    """Name the numbers and traits of a counter that differ from its rows."""
    figures = printed(counter)
    printed_values = [loads(rows)] if flies(rows[0]) else [wanted(row) for row in rows]
    found = {
        name for each in printed_values for name, value in each.items() if name in figures and figures[name] != value
    }
    return found | {trait for row in rows for trait in traits if (trait in counter.traits) != TRAITS[trait](row)}


@pytest.mark.parametrize("stack", STACKS)
def test_every_counter_equals_the_facts(stack: str) -> None:
    expected_differences = named()["differs"].get(stack, {})
    for counter, rows in counters_with_facts(stack):
        assert differences(counter, rows, traits_of(stack)) == set(expected_differences.get(counter.id, {})), counter.id


@pytest.mark.parametrize("stack", STACKS)
def test_a_wrong_number_or_trait_would_be_found(stack: str) -> None:
    compared = 0
    for counter, rows in counters_with_facts(stack):
        listed_columns = set(named()["differs"].get(stack, {}).get(counter.id, {}))
        for mutant in counter_mutants(rules_of(stack), counter):
            if mutant.key in (ALL | traits_of(stack)) - listed_columns:
                (altered,) = mutant.variants()
                found = differences(altered.counters[counter.id], rows, traits_of(stack))
                assert found != listed_columns, (counter.id, mutant.original, mutant.replacement)
                compared += 1
    assert compared > 200


def served(row: Row, nation: str, army: Mapping[str, Any]) -> bool:
    """Return whether a unit of a nation served in the years of an army, on its front."""
    for link in row["linked_factions"].split(";"):
        found = re.fullmatch(r"\s*(\w+)(?:\((.*)\))?\s*", link)
        if found and found[1] == nation:
            years = re.search(r"(\d{4})?-(\d{4})?", found[2] or "")
            first, last = (int(years[1] or 0), int(years[2] or NO_END)) if years else (0, NO_END)
            fronts = {"west", "east", "pacific"} & set((found[2] or "").split())
            if first <= army["to"] and last >= army["from"] and army["front"] in (fronts or {army["front"]}):
                return True
    return False


def nations(row: Row) -> set[str]:
    """Name the nations that a unit serves."""
    return set(re.findall(r"(?:^|; )(\w+)", row["linked_factions"]))


def roll(stack: str) -> Iterator[tuple[str, str]]:
    """List the units that served in the armies of a stack, each with its side."""
    army = named()["armies"][stack]
    for row in known().values():
        yield from ((row["key"], side) for nation, side in army["sides"].items() if served(row, nation, army))


def counter_of(stack: str, side: str, key: str) -> str | None:
    """Find the counter of a unit in the tables that imports use."""
    tables = next((game["units"] for game in mapped()["games"] if game["uses"] == stack and "units" in game), [stack])
    return next((name for each in tables if (name := mapped()["units"][each].get(side, {}).get(key))), None)


@pytest.mark.parametrize("stack", STACKS)
def test_the_charts_have_every_unit_that_served(stack: str) -> None:
    left_out = {key for listed in named()["left_out"][stack].values() for key in listed.split()}
    units = set(roll(stack))
    assert {key for key, side in units if counter_of(stack, side, key) is None} == left_out
    for key, side in units:
        counter = counter_of(stack, side, key)
        assert counter is None or rules_of(stack).counters[counter].owner == side, (key, counter)
    assert len(units) > 100


def test_units_left_out_for_a_variant_are_in_its_chart() -> None:
    """For two reasons of `left_out`, the chart of the named variant has the unit."""
    for stack, variant, reason in (
        ("panzer_leader", "pl1940", "stands in the chart of 1940"),
        ("panzerblitz", "panssari_salama", "stands in the chart of Panssari Salama"),
    ):
        sides = set(named()["armies"][stack]["sides"].values())
        for key in named()["left_out"][stack][reason].split():
            assert any(counter_of(variant, side, key) for side in sides), key


def test_every_unit_of_the_facts_has_a_counter_or_a_reason() -> None:
    counters = {key for sides in mapped()["units"].values() for listed in sides.values() for key in listed}
    left_out = {key for by in named()["left_out"].values() for listed in by.values() for key in listed.split()}
    elsewhere = {key for listed in named()["elsewhere"]["units"].values() for key in listed.split()}
    foreign = set(named()["elsewhere"]["nations"].split())
    without = known().keys() - counters - left_out
    assert {key for key in without if not nations(known()[key]) or nations(known()[key]) - foreign} == elsewhere
    assert counters | left_out <= known().keys()
    assert len(counters) > 400
