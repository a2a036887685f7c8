"""A scenario card to be changed: its current values, and the patch of a change."""

from compiler.analysis.findings.never_comes_on import kinds_with_reserve_read
from rulewright.system.errors import UsageError, suggestion_text
from rulewright.write.change.change_form import ChangeForm
from rulewright.write.change.declared_names import declaration_of
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.witness.position_file import quote_name, scalar_text, yaml_value


@frozen_dataclass
class CardPatch:
    """A change of a card: its subject, the entry of the patch, a line of an example that tests it, the old value."""

    subject: str
    entry: str
    line: str
    old_value: str


@frozen_dataclass
class CompiledCard:
    """A card, compiled under the stack to be changed."""

    rules: graph.Graph
    scenario: graph.Scenario

    def change_turns(self, form: ChangeForm) -> CardPatch:
        """Return the patch of another number of turns."""
        old_value, turns = self.scenario.turns, form.number("now")
        _require_difference(str(old_value), str(turns), "turns")
        if turns < 1:
            raise UsageError("a situation lasts at least one turn")
        entry = f"turns: {{expect: {old_value}, now: {turns}}}\n"
        return CardPatch("turns", entry, f"ask scenario.turns = {turns}", str(old_value))

    def change_force(self, form: ChangeForm) -> CardPatch:
        """Return the patch of another number of a counter in a force."""
        unit, side, count, card = form.text("unit"), form.text("side"), form.number("now"), self.scenario.name
        kind = declaration_of(self.rules.counters, unit, "counter").kind
        force = self._force(side, form.text("group"), unit)
        unit_count, placed = _pieces(force, unit)
        _require_difference(str(unit_count), str(count), f"{unit} there")
        if count < 0:
            raise UsageError("a force cannot have fewer than none")
        if count < placed:
            raise UsageError(
                f"`{card}` places {placed} {unit} of {side} in their hexes; to take one of them away, write what is "
                "`placed` in a layer"
            )
        if count > unit_count and not self._may_come(force, kind):
            raise UsageError(
                f"`{card}` has no area where another {unit} of {side} could start, and no rule lets one come later; "
                "to add one, write where it is `placed` in a layer"
            )
        group = f"group: {scalar_text(force.title)}, " if force.title else ""
        numbers = f"expect: {dict(force.units).get(unit, 0)}, now: {count}"
        entry = f"forces:\n  - {{side: {side}, {group}unit: {scalar_text(unit)}, {numbers}}}\n"
        total = sum(_pieces(each, unit)[0] for each in self.scenario.forces if each.side == side)
        condition = f"where u.side = {side} and u.counter = {quote_name(unit)}"
        counted = f"count(u in reserve({kind}) {condition}) + count(u in all {kind} {condition})"
        line = f"ask {counted} = {total - unit_count + count}"
        return CardPatch(f"{unit} of {side}", entry, line, str(total))

    def _may_come(self, force: graph.Force, kind: str) -> bool:
        """Return whether another piece of a force could come on the map."""
        return bool(force.area or force.pairs or self.scenario.waits_for) or kind in kinds_with_reserve_read(self.rules)

    def _force(self, side: str, group: str, unit: str) -> graph.Force:
        """Return the force that a change is about; `UsageError` if there is none or several."""
        forces = [force for force in self.scenario.forces if force.side == side]
        if not forces:
            sides = sorted({force.side for force in self.scenario.forces})
            raise UsageError(f"`{self.scenario.name}` has no force of `{side}`; {suggestion_text(side, sides)}")
        titles = [force.title for force in forces if force.title]
        if group:
            forces = [force for force in forces if force.title == group]
            if not forces:
                raise UsageError(f"there is no group `{group}`; {suggestion_text(group, titles)}")
        if len(forces) == 1:
            return forces[0]
        forces_with_unit = [force for force in forces if _pieces(force, unit)[0]]
        if len(forces_with_unit) != 1:
            raise UsageError(f"{side} has several forces: say which, {', '.join(f'`{title}`' for title in titles)}")
        return forces_with_unit[0]

    def change_fact(self, form: ChangeForm) -> CardPatch:
        """Return the patch of another value of a fact."""
        fact, new_value = form.text("fact"), form.text("now")
        tracks = self.rules.vocabulary.tracks
        known = {name.removeprefix("scenario."): each for name, each in tracks.items() if name.startswith("scenario.")}
        type_ = declaration_of(known, fact, "fact").type
        if isinstance(type_, graph.Number):
            new_value = new_value.removesuffix(type_.measure).strip()
            literal = f"{new_value} {type_.measure}".strip()
        else:
            literal = _language(type_, new_value)
        old_value = dict(self.scenario.facts).get(f"scenario.{fact}")
        old_text = "" if old_value is None else yaml_value(old_value)
        expect = f"expect: {old_text}, " if old_text else ""
        _require_difference(old_text, new_value, f"`{fact}`")
        entry = f"facts:\n  - {{fact: {fact}, {expect}now: {new_value}}}\n"
        return CardPatch(fact, entry, f"ask scenario.{fact} = {literal}", old_text or "nothing")


def _pieces(force: graph.Force, unit: str) -> tuple[int, int]:
    """Return the number of pieces of a counter in a force, and how many of them start in hexes."""
    placed = sum(each.counter == unit for each in force.placed)
    return max(dict(force.units).get(unit, 0), placed), placed


def _language(type_: graph.Type, value: str) -> str:
    """Format a value of a fact in the rule language, where a list in brackets is a set."""
    if isinstance(type_, graph.Many):
        parts = [part.strip() for part in value.strip("[]{} ").split(",") if part.strip()]
        return f"{{{', '.join(_language(type_.of, part) for part in parts)}}}"
    return quote_name(value.strip("\"'"))


def _require_difference(old_value: str, new_value: str, subject: str) -> None:
    if old_value == new_value:
        raise UsageError(f"{subject}: it is {new_value} already")
