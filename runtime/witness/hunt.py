"""Drive one changed rule until the answers of two stacks differ because of it.

In: two graphs, a rule of one of them and a term it speaks on. Out: settings in which the answers differ, each
with where the difference arises. Driven to mean: the rule is made live, then decisive, and then whatever
makes the other stack give the same answer is made silent; what a rule says is pushed off what is said there.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from runtime.answer.interpreter import bind
from runtime.graph import nodes as graph
from runtime.witness import decisive, objectives
from runtime.witness.aim import NO_ANSWER
from runtime.witness.both import Both, Compared, Root
from runtime.witness.chance import Chance
from runtime.witness.materials import Materials
from runtime.witness.mend import Mender
from runtime.witness.search import Objective, Scene, Tools, proposal, search
from runtime.witness.setting import Setting, with_argument
from runtime.witness.versions import needs_apart
from runtime.witness.wanted import Wanted

# Far shorter than where one searches without knowing a good beginning: there are several to go back to.
PATIENCE = 30


@dataclass(frozen=True, slots=True)
class Find:
    """A question that is answered differently; `which` stack has the words of the setting."""

    term: str
    setting: Setting
    which: int
    compared: Compared
    root: Root


class Hunt:
    """One rule of one stack, driven, or one row of a chart; neither means: wander about, and take what differs."""

    def __init__(
        self,
        both: Both,
        which: int,
        term: str,
        label: str,
        materials: Sequence[Materials],
        needs: list[decisive.Need] | None = None,
    ) -> None:
        self.both = both
        self.which = which
        self.rules = both.graphs[which]
        self.term = self.rules.terms[term]
        self.rule = self.rules.rules.get(label)
        self.label = label
        self.materials = materials
        self.needs = needs or []
        if self.rule is not None:
            self.needs = decisive.needs_of(self.rules, self.term, self.rule)
            other = both.graphs[1 - which].rules.get(label)
            if other is not None and term in both.graphs[1 - which].terms:
                self.needs += needs_apart(self.term, self.rule, other)
        self.answer = None if self.rule is None else decisive.answer_of(self.rules, self.term, self.rule)
        self.live = False
        self.alone = False
        self.asked = 0
        # Positions looked at; those in which the rule was live, and both answered.
        self.looked = 0
        self.applied = 0
        # Rules of the other stack only that gave the same answer where this one was live.
        self.faced: set[str] = set()
        self.finds: list[Find] = []

    def run(self, budget: int, seeds: Sequence[Setting] = ()) -> list[Find]:
        """Look until the rule itself is found to matter."""
        graded: list[tuple[float, Setting]] = []
        for seed in seeds:
            scene = self.both.scene(self.which, seed)
            if scene is not None and self._met(scene):
                return self.finds
            if scene is not None:
                graded.append((self._grade(scene), seed))
        seeds = [seed for _, seed in sorted(graded, key=lambda each: -each[0])]
        name = f"differ {self.term.name} {self.label}"
        objective = Objective(name, self.term, self._grade, self._propose, self._met)
        if any(self._near(objective, seed, budget // 4) for seed in seeds[:2]):
            return self.finds
        tools = Tools(self.both.swift[self.which], self.materials[self.which], PATIENCE)
        search(self.rules, objective, budget, tools, seeds)
        return self.finds

    def _near(self, objective: Objective, seed: Setting, tries: int) -> bool:
        """Try single changes to a good beginning, from which a climb would soon wander off."""
        scene = self.both.scene(self.which, seed)
        materials = self.materials[self.which].drawn_by(Chance(f"near {objective.name}"))
        for _ in range(tries if scene else 0):
            setting = proposal(objective, scene, materials) if scene else None
            tried = None if setting is None else self.both.scene(self.which, setting)
            if tried is not None and self._met(tried):
                return True
        return False

    def _grade(self, scene: Scene) -> float:
        """Say how far this stack is from the rule deciding, and the other one from the opposite answer."""
        if not self.needs:
            return 1.0
        mine = decisive.grade(self.needs, scene)
        if self.answer is None:
            return mine
        other = self.both.scene(1 - self.which, scene.setting)
        if other is None:
            return mine / 2
        theirs = self.both.graphs[1 - self.which].terms[self.term.name]
        return (2 * mine + other.aim.ruled(theirs, other.arguments, want=not self.answer)) / 3

    def _met(self, scene: Scene) -> bool:
        """Ask the other stack where the rule is live; tell whether the difference is its own."""
        self.looked += 1
        mine = self.both.said(self.which, self.term.name, scene)
        if mine is None or (self.rule and self.label not in mine.live):
            return False
        other = self.both.look(1 - self.which, self.term.name, scene.setting)
        if other is None:
            self.alone = True
            return False
        live = self.rule is not None or (bool(self.needs) and self.needs[0].grade(scene) == 1.0)
        self.live = self.live or live
        self.applied += live
        self.asked += 1
        both = Compared(mine, other) if self.which == 0 else Compared(other, mine)
        if not both.differ:
            self._face(other.live)
            return False
        own = self.both.own(self.term.name, both.here.live, both.there.live)
        if self.rule and self.label not in own:
            return False
        root = self.both.root(self.term.name, scene.setting)
        if root is None or not root.labels:
            return False
        self.finds.append(Find(self.term.name, scene.setting, self.which, both, root))
        return not self.label or self.label in root.labels

    def _face(self, live: frozenset[str]) -> None:
        """Note the rule that gives the other stack the same answer, if that is one and the other's alone."""
        if not self.rule:
            return
        theirs = self.both.graphs[1 - self.which]
        term = theirs.terms[self.term.name]
        alike = [rule for label in live if (rule := theirs.rules.get(label)) is not None
                 and decisive.answer_of(theirs, term, rule) == self.answer
                 and (self.rule.verb or set(rule.defeats) & set(self.rule.defeats))]  # fmt: skip
        changes = self.both.changes
        if len(alike) == 1 and alike[0].label in (changes.only_b if self.which == 0 else changes.only_a):
            self.faced.add(alike[0].label)

    def _propose(self, mender: Mender, scene: Scene) -> Setting | None:
        if self.answer is not None and mender.chance.once_in(3):
            return self._apart(mender, scene)
        needed = decisive.propose(self.needs, mender, scene) if self.needs else None
        if needed is not None:
            return needed
        match mender.chance.below(4):
            case 0 if self.term.parameters:
                return self._elsewhere(mender, scene)
            case 1:
                return self._stirred(mender, scene)
            case _:
                return self._apart(mender, scene)

    def _elsewhere(self, mender: Mender, scene: Scene) -> Setting | None:
        """Ask about something else."""
        place = mender.chance.below(len(self.term.parameters))
        value = mender.materials.value(self.term.parameters[place].type, scene.setting)
        twice = isinstance(value, graph.Spot) and value in scene.setting.arguments
        return None if value is None or twice else with_argument(scene.setting, place, value)

    def _stirred(self, mender: Mender, scene: Scene) -> Setting | None:
        """Wake or silence any other rule."""
        rules = [self.rules.rules[label] for label in self.term.rules if label != self.label]
        rule = mender.chance.pick_or_none(rules)
        if rule is None:
            return None
        return mender.live(self.term, rule, objectives.delayed(scene), want=mender.chance.once_in(3))

    def _apart(self, mender: Mender, scene: Scene) -> Setting | None:
        """Move this stack's answer off the other's: turn the other round, or push what is said here."""
        other = self.both.scene(1 - self.which, scene.setting)
        if other is None:
            return None
        if self.rule is not None and self.rule.value is not None and mender.chance.once_in(2):
            return self._pushed(mender, scene, self.rule)
        theirs = self.both.graphs[1 - self.which]
        term = theirs.terms[self.term.name]
        there = Mender(other.aim, scene.setting, self.materials[1 - self.which].drawn_by(mender.chance), mender.types)
        rule, want = self._turned(mender, theirs, term, other)
        if rule is None:
            return self._parted(there, theirs, term, other)
        try:
            return there.live(term, rule, objectives.delayed(other), want=want)
        except NO_ANSWER:
            return None

    def _parted(self, there: Mender, theirs: graph.Graph, term: graph.Term, other: Scene) -> Setting | None:
        """Push what the other stack says of its own accord, as nothing there can fall silent: off what it says now."""
        spoke = other.aim.spoke(term, other.arguments) or frozenset()
        values = [(rule, rule.value) for label in spoke if (rule := theirs.rules[label]).value is not None]
        if not values:
            return None
        rule, value = there.chance.pick(sorted(values, key=lambda each: each[0].label))
        said = other.aim.value(value, bind(term, rule, other.arguments))
        try:
            return there.push(value, bind(term, rule, objectives.delayed(other)), Wanted("!=", said))
        except NO_ANSWER:
            return None

    def _turned(
        self, mender: Mender, theirs: graph.Graph, term: graph.Term, other: Scene
    ) -> tuple[graph.Rule | None, bool]:
        """Choose a rule of the other stack that should wake or fall silent, so that its answer is another."""
        rules = [theirs.rules[label] for label in term.rules if label != self.label]
        denials = [rule for rule in rules if rule.verb in {"forbids", "fails"}]
        if self.answer:
            wanted = [rule for rule in denials if self.rule is not None and rule.label in self.rule.defeats] or denials
            return mender.chance.pick_or_none(wanted), True
        spoke = other.aim.spoke(term, other.arguments) or frozenset()
        live = [rule for rule in rules if rule.label in spoke]
        if self.answer is None:
            return mender.chance.pick_or_none([rule for rule in live if rule.guard is not None]), False
        if refusing := [rule for rule in live if rule in denials]:
            return mender.chance.pick(refusing), False
        grants = [rule for rule in rules if rule.verb in {"allows", "holds"}]
        return mender.chance.pick_or_none(grants), True

    def _pushed(self, mender: Mender, scene: Scene, rule: graph.Rule) -> Setting | None:
        if rule.value is None:
            return None
        said = scene.aim.value(rule.value, bind(self.term, rule, scene.arguments))
        return mender.push(rule.value, bind(self.term, rule, objectives.delayed(scene)), Wanted("!=", said))
