"""Ask the same question of two graphs, and say who is responsible when the answers differ.

In: settings made for either graph. Out: both answers, fast; and on demand the changed rules and cells that a
difference rests on. It is laid where it arises: at the innermost question that is answered differently and
in which something changed spoke, to the changes without which the answer would be another (causes.py), where these
are few enough to take back one by one. Only where no rule or cell has changed are the counters to blame.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from runtime.answer.answer import Answer, ClashError, GapError, OutsideError, Unanswered
from runtime.answer.interpreter import Interpreter
from runtime.answer.saying import VERDICT, say
from runtime.answer.tables import Cell
from runtime.graph import nodes as graph
from runtime.graph.rows import row_label
from runtime.state.position import State
from runtime.state.record import Value
from runtime.state.setup import from_position
from runtime.witness.aim import NO_ANSWER
from runtime.witness.changed import WORDY, Changed, counter_label, term_label
from runtime.witness.fitted import fitted, lacking, speaks
from runtime.witness.search import Scene, is_sound, scene_in, scene_of
from runtime.witness.setting import Setting
from runtime.witness.swift import Swift

if TYPE_CHECKING:
    from runtime.witness.causes import Causes

# Why a question has no answer, by what stops it; told by whoever asks.
WITHOUT_ANSWER: dict[type[Unanswered], str] = {
    GapError: "no rule answers {}",
    ClashError: "rules on {} contradict each other",
    OutsideError: "the answer to {} lies outside its range",
}

Heard = dict[tuple[str, str], tuple[str, frozenset[str]]]


@dataclass(frozen=True, slots=True)
class Looked:
    """One graph's answer: the value in words, and the labels of the rules that were live.

    `failed`: there is none, and the text says why, as `ask` does; so a rule that is missing shows as a difference.
    """

    text: str
    live: frozenset[str]
    scene: Scene
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Compared:
    """Both answers."""

    here: Looked
    there: Looked

    @property
    def differ(self) -> bool:
        """Tell whether the answers differ; two questions without an answer do not, whatever stopped them."""
        if self.here.failed and self.there.failed:
            return False
        return self.here.text != self.there.text

    @property
    def answered(self) -> tuple[bool, bool]:
        """Tell which of the two has an answer."""
        return not self.here.failed, not self.there.failed


@dataclass(frozen=True, slots=True)
class Root:
    """Where a difference arises: the term, and the changed labels that make it."""

    term: str
    labels: tuple[str, ...]


class Both:
    """Two graphs that are asked the same questions."""

    def __init__(self, a: graph.Graph, b: graph.Graph, changes: Changed, causes: "Causes | None" = None) -> None:
        self.graphs = (a, b)
        self.changes = changes
        self.causes = causes
        # Of which question what was laid to whom, and was confirmed by taking changes back.
        self._confirmed: set[tuple[str, Root]] = set()
        self.swift = (Swift(a), Swift(b))
        # What positions lacked that a question reads, and how often nobody could be asked because of it.
        self.lacked: Counter[str] = Counter()
        # The state that was set up last, for many questions about one position.
        self._last: list[tuple[graph.Position, graph.Position, State] | None] = [None, None]

    def compare(self, term: str, setting: Setting) -> Compared | None:
        """Ask both; None if one of them cannot be asked, because it lacks a word or has no answer."""
        here = self.look(0, term, setting)
        there = None if here is None else self.look(1, term, setting)
        return None if here is None or there is None else Compared(here, there)

    def look(self, which: int, term: str, setting: Setting) -> Looked | None:
        """Ask one of them."""
        scene = self.scene(which, setting)
        return None if scene is None else self.said(which, term, scene)

    def said(self, which: int, term: str, scene: Scene) -> Looked | None:
        """Ask in a scene that is set up."""
        rules = self.graphs[which]
        try:
            answer = self.swift[which].ask(scene.state, term, scene.arguments)
        except Unanswered as unanswered:
            return self._failed(which, unanswered, scene)
        except NO_ANSWER:
            return None
        asked = rules.terms[term]
        live = frozenset(label for bit, label in enumerate(asked.rules) if answer.mask >> bit & 1)
        return Looked(in_words(scene.state, answer.value, asked), live or frozenset({term_label(term)}), scene)

    def _failed(self, which: int, unanswered: Unanswered, scene: Scene) -> Looked | None:
        """Say why a question has no answer; None where that is due to the position, not to the rules."""
        why = WITHOUT_ANSWER.get(type(unanswered))
        if why is None or lacking(scene.setting.position, self.graphs[which]):
            self.lacked[unanswered.asked] += 1
            return None
        return Looked(no_answer(unanswered), self._blamed(which, unanswered, scene), scene, failed=True)

    def _blamed(self, which: int, unanswered: Unanswered, scene: Scene) -> frozenset[str]:
        """Name the rules that are live where a question has no answer, else what stands for no rule."""
        asked = self.graphs[which].terms.get(unanswered.asked)
        # A gap names all rules that might have answered.
        found: set[str] = set() if isinstance(unanswered, GapError) else set(unanswered.labels)
        with suppress(*NO_ANSWER):
            live = Interpreter(self.graphs[which]).live_rules(scene.state, asked, unanswered.arguments) if asked else ()
            found.update(rule.label for rule in live)
        return frozenset(found or {term_label(unanswered.asked)})

    def scene(self, which: int, setting: Setting) -> Scene | None:
        """Set a position up for one of them; None if that cannot be, or breaks what is always so there."""
        rules, answers, last = self.graphs[which], self.swift[which], self._last[which]
        if not speaks(setting.arguments, rules):
            return None
        if last is not None and last[0] is setting.position:
            return scene_in(answers, replace(setting, position=last[1]), last[2])
        position = fitted(setting.position, rules)
        scene = None if position is None else scene_of(answers, replace(setting, position=position))
        if position is None or scene is None or not is_sound(answers, scene):
            return None
        self._last[which] = (setting.position, position, scene.state)
        return scene

    def spoke(self, which: int, term: str, setting: Setting, label: str) -> bool:
        """Tell whether a rule was live in a question, or in one that it asks."""
        heard = self._heard(which, term, setting)
        return heard is not None and any(label in labels for _, labels in heard.values())

    def root(self, term: str, setting: Setting) -> Root | None:
        """Say where a difference arises, and from what."""
        here, there = self._heard(0, term, setting), self._heard(1, term, setting)
        if here is None or there is None:
            return None
        roots = list(self._roots(here, there))
        if roots and (term, roots[0]) in self._confirmed:
            return roots[0]
        causes = self._causes(term, setting, (here, there))
        if causes is not None:
            labels = tuple(sorted(causes))
            arises = next((root.term for root in roots if not causes.isdisjoint(root.labels)), term)
            self._confirmed.add((term, Root(arises, labels)))
            return Root(arises, labels)
        if roots:
            return roots[0]
        pieces = {counter_label(piece.counter) for piece in setting.position.pieces} & self.changes.altered
        found = pieces or set(_any(here, there)) & self.changes.every()
        return Root(term, tuple(sorted(found)))

    def _roots(self, here: Heard, there: Heard) -> Iterator[Root]:
        """List the questions that are answered differently and in which something changed spoke, innermost first."""
        for (name, arguments), mine in here.items():
            others = there.get((name, arguments))
            if others is not None and mine[0] != others[0]:
                found = self.own(name, mine[1], others[1])
                if found:
                    yield Root(name, tuple(sorted(found)))

    def _causes(self, term: str, setting: Setting, heard: tuple[Heard, Heard]) -> frozenset[str] | None:
        """Take back one by one the changes that an answer may rest on; None if that tells nothing."""
        every = self.changes.every()
        if self.causes is None or len(every) < 2:
            return None
        candidates = {label for each in heard for _, labels in each.values() for label in labels}
        candidates |= {term_label(name) for each in heard for name, _ in each}
        candidates |= {counter_label(piece.counter) for piece in setting.position.pieces}
        candidates |= {label for label in every if label.partition(" ")[0] in WORDY}
        return self.causes.of(term, setting, candidates & every)

    def own(self, name: str, mine: frozenset[str], others: frozenset[str]) -> set[str]:
        """List the changed labels to which one question's different answers are due."""
        found = set(mine & others & self.changes.altered)
        if name in self.graphs[0].tables:
            return found | set((mine ^ others) & self.changes.every())
        found |= _missing(name, self.graphs, (mine, others), self.changes)
        found |= _missing(name, self.graphs[::-1], (others, mine), self.changes)
        return found or {term_label(name)} & self.changes.altered

    def _heard(self, which: int, term: str, setting: Setting) -> Heard | None:
        """List all that an answer rests on, what is asked first first; charts named after their cells."""
        rules = self.graphs[which]
        scene = self.scene(which, setting)
        heard: Heard = {}

        def listen(name: str, arguments: tuple[Value, ...], found: Answer | tuple[Cell, list[graph.TableRow]]) -> None:
            if isinstance(found, Answer):
                asked = rules.terms[name]
                live = {label for place, label in enumerate(asked.rules) if found.mask >> place & 1}
                labels = frozenset(live or {term_label(name)})
                heard.setdefault((name, repr(arguments)), (repr(found.value), labels))
            else:
                cell, rows = found
                labels = frozenset(row_label(rules.tables[name], row, rules.vocabulary) for row in rows)
                heard.setdefault((name, repr(arguments)), (repr(cell), labels))

        if scene is None:
            return None
        try:
            Interpreter(rules, listen=listen).ask(scene.state, term, scene.arguments)
        except Unanswered as unanswered:
            asked = unanswered.asked, repr(unanswered.arguments)
            heard.setdefault(asked, ("", self._blamed(which, unanswered, scene)))
        except NO_ANSWER:
            return None
        return heard


def answer_in_words(rules: graph.Graph, position: graph.Position, question: graph.Expr, of: graph.Type) -> str | None:
    """Say the answer to a question about a position, or why there is none; None where it cannot even be put."""
    answers = Interpreter(rules)
    try:
        state = from_position(rules, position)
        if not isinstance(question, graph.Ask):
            return say(state, answers.evaluate(state, question, {}), of)
        values = tuple(answers.evaluate(state, argument, {}) for argument in question.arguments)
        return in_words(state, answers.ask(state, question.term, values).value, rules.terms[question.term])
    except Unanswered as unanswered:
        return no_answer(unanswered)
    except NO_ANSWER:
        return None


def no_answer(unanswered: Unanswered) -> str:
    """Say why a question has no answer."""
    why = WITHOUT_ANSWER.get(type(unanswered), "something is read that is not there").format(unanswered.asked)
    return f"no answer ({why})"


def in_words(state: State, value: Value, term: graph.Term) -> str:
    """Say an answer."""
    return VERDICT[value] if term.form == "verdict" else say(state, value, term.type)


def _missing(
    name: str,
    graphs: tuple[graph.Graph, ...],
    labels: tuple[frozenset[str], ...],
    changes: Changed,
) -> set[str]:
    """Say why rules that spoke in the first graph did not in the second: it lacks them, or silences them."""
    (one, other), (mine, others) = graphs, labels
    silent = _speakers(one.terms[name], mine, one) - _speakers(other.terms[name], others, other)
    behind = {each for label in silent for each in _behind(label, graphs, labels, frozenset())}
    return behind & changes.every()


def _behind(
    label: str, graphs: tuple[graph.Graph, ...], labels: tuple[frozenset[str], ...], seen: frozenset[str]
) -> Iterator[str]:
    """Name a rule that is live in the first graph only, who silences it in the second, and why nobody does here."""
    yield label
    other, others = graphs[1], labels[1]
    for each in sorted(others - seen):
        if each in other.rules and label in other.rules[each].defeats:
            yield each
            if each not in labels[0]:
                yield from _behind(each, graphs[::-1], labels[::-1], seen | {each})


def _speakers(term: graph.Term, live: frozenset[str], rules: graph.Graph) -> frozenset[str]:
    """List the live rules that make an answer; where yes is the default, only a no does."""
    verbs = {"", "allows", "holds"} if term.default else {""}
    return frozenset(label for label in live if label not in rules.rules or rules.rules[label].verb not in verbs)


def _any(here: Heard, there: Heard) -> set[str]:
    """List all labels that are live on one side only."""
    mine = {label for _, labels in here.values() for label in labels}
    others = {label for _, labels in there.values() for label in labels}
    return mine ^ others
