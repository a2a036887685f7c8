"""A scenario card to be changed: its current values, and the patch of a change."""

from dataclasses import dataclass

from compiler.analysis.checks.never_comes_on import kinds_with_reserve_read
from rulewright.change.change_kinds import SetFact, SetForce, SetTurns
from rulewright.errors import UsageError, suggestion_text
from runtime.graph import nodes as graph
from runtime.witness.position_file import quote_name, scalar_text, yaml_value


@dataclass(frozen=True, slots=True)
class CompiledCard:
    """A card, compiled under the stack to be changed."""

    rules: graph.Graph
    scenario: graph.Scenario

    def change_subject(self, change: SetForce | SetTurns | SetFact) -> str:
        """Return the subject of a change."""
        match change:
            case SetForce():
                return f"{change.unit} of {change.side}"
            case SetTurns():
                return "turns"
            case SetFact():
                return change.fact

    def change_text(self, change: SetForce | SetTurns | SetFact) -> tuple[str, str, str]:
        """Return the entry of the patch, the lines of an example that tests it, and the current value."""
        match change:
            case SetForce():
                return self._force(change)
            case SetTurns():
                _differs(str(self.scenario.turns), str(change.turns), "turns")
                if change.turns < 1:
                    raise UsageError("a situation lasts at least one turn")
                turns = str(self.scenario.turns)
                return (
                    f"turns: {{expect: {turns}, now: {change.turns}}}\n",
                    f"  ask scenario.turns = {change.turns}\n",
                    turns,
                )
            case SetFact():
                return self._fact(change)

    def _force(self, change: SetForce) -> tuple[str, str, str]:
        counter = self.rules.counters.get(change.unit)
        if counter is None:
            raise UsageError(
                f"there is no counter `{change.unit}`; {suggestion_text(change.unit, sorted(self.rules.counters))}"
            )
        force = self._chosen_force(change)
        old_count, (unit_count, placed) = dict(force.units).get(change.unit, 0), _pieces(force, change.unit)
        _differs(str(unit_count), str(change.count), f"{change.unit} there")
        if change.count < 0:
            raise UsageError("a force cannot have fewer than none")
        if change.count < placed:
            raise UsageError(
                f"`{self.scenario.name}` places {placed} {change.unit} of {change.side} in their hexes; to take one of "
                "them away, write what is `placed` in a layer"
            )
        if change.count > unit_count and not self._may_come(force, counter.kind):
            raise UsageError(
                f"`{self.scenario.name}` has no area where another {change.unit} of {change.side} could start, and no "
                "rule lets one come later; to add one, write where it is `placed` in a layer"
            )
        group = f", group: {scalar_text(force.title)}" if force.title else ""
        line = (
            f"  - {{side: {change.side}{group}, unit: {scalar_text(change.unit)}, "
            f"expect: {old_count}, now: {change.count}}}\n"
        )
        total = sum(_pieces(each, change.unit)[0] for each in self.scenario.forces if each.side == change.side)
        name = quote_name(change.unit)
        condition = f"where u.side = {change.side} and u.counter = {name}"
        kind = counter.kind
        return (
            f"forces:\n{line}",
            (
                f"  ask count(u in reserve({kind}) {condition}) + count(u in all {kind} {condition})"
                f" = {total - unit_count + change.count}\n"
            ),
            str(total),
        )

    def _may_come(self, force: graph.Force, kind: str) -> bool:
        """Return whether another piece of a force could come on the map."""
        return bool(force.area or force.pairs or self.scenario.waits_for) or kind in kinds_with_reserve_read(self.rules)

    def _chosen_force(self, change: SetForce) -> graph.Force:
        """Return the force that a change is about; `UsageError` if there is none or several."""
        forces = [each for each in self.scenario.forces if each.side == change.side]
        if not forces:
            sides = sorted({each.side for each in self.scenario.forces})
            raise UsageError(
                f"`{self.scenario.name}` has no force of `{change.side}`; {suggestion_text(change.side, sides)}"
            )
        titles = [each.title for each in forces if each.title]
        if change.group:
            forces = [each for each in forces if each.title == change.group]
            if not forces:
                raise UsageError(f"there is no group `{change.group}`; {suggestion_text(change.group, titles)}")
        forces_with_unit = [each for each in forces if _pieces(each, change.unit)[0]]
        if len(forces) > 1:
            if len(forces_with_unit) != 1:
                raise UsageError(f"{change.side} has several forces: say which, {', '.join(f'`{t}`' for t in titles)}")
            forces = forces_with_unit
        return forces[0]

    def _fact(self, change: SetFact) -> tuple[str, str, str]:
        track = self.rules.vocabulary.tracks.get(f"scenario.{change.fact}")
        tracks = [name.partition(".")[2] for name in self.rules.vocabulary.tracks if name.startswith("scenario.")]
        if track is None:
            raise UsageError(f"there is no fact `{change.fact}`; {suggestion_text(change.fact, sorted(tracks))}")
        old_value = dict(self.scenario.facts).get(f"scenario.{change.fact}")
        new_value = change.value.strip()
        measure = track.type.measure if isinstance(track.type, graph.Number) else ""
        number = new_value.removesuffix(measure).strip() if measure else new_value
        if old_value is not None:
            _differs(yaml_value(old_value), number, f"`{change.fact}`")
        expect = f"expect: {yaml_value(old_value)}, " if old_value is not None else ""
        literal = (
            f"{number} {measure}".strip() if isinstance(track.type, graph.Number) else _language(track.type, new_value)
        )
        return (
            f"facts:\n  - {{fact: {change.fact}, {expect}now: {number}}}\n",
            f"  ask scenario.{change.fact} = {literal}\n",
            "nothing" if old_value is None else yaml_value(old_value),
        )


def _pieces(force: graph.Force, unit: str) -> tuple[int, int]:
    """Return the number of pieces of a counter in a force, and how many of them start in hexes."""
    placed = sum(each.counter == unit for each in force.placed)
    return max(dict(force.units).get(unit, 0), placed), placed


def _language(type_: graph.Type, value: str) -> str:
    """Format a value of a fact in the rule language, where a list in brackets is a set."""
    if isinstance(type_, graph.Many):
        return (
            "{"
            + ", ".join(_language(type_.of, each.strip()) for each in value.strip("[]{} ").split(",") if each.strip())
            + "}"
        )
    return quote_name(value.strip("\"'"))


def _differs(old_value: str, new_value: str, subject: str) -> None:
    if old_value == new_value:
        raise UsageError(f"{subject}: it is {new_value} already")
