"""The records of packages: what there is, what is written into them."""

from typing import TypedDict


class VersionRecord(TypedDict):
    """The facts for a bug report.

    rulewright: the version of Rulewright.
    python: the version of Python.
    rules: the folder of the shipped rules.
    """

    rulewright: str
    python: str
    rules: str


class CardRowRecord(TypedDict):
    """A situation card in a list.

    name: its name.
    title: its title.
    stack: the rules that it is written for.
    sides: the sides in the order of play.
    turns: the number of turns.
    units: the number of units of all forces.
    waits_for: the boards that are not there.
    broken: whether its file cannot be read; all but its name is empty then.
    error: the place and the first error of its file; "" without one.
    """

    name: str
    title: str
    stack: str
    sides: list[str]
    turns: int
    units: int
    waits_for: list[str]
    broken: bool
    error: str


class ScenariosRecord(TypedDict):
    """The situation cards.

    scenarios: a row for each card, by name.
    """

    scenarios: list[CardRowRecord]
