"""Sentences that mention a phase of the game in which nothing queries their law.

In: the rules and procedures of a stack. Out: the phase in a sentence, and those in which its question is queried: "the
movement phase" of a question that only procedures of the combat phase query. Sentences with several phases are skipped,
and so are questions that nothing in the sequence of play queries. Sentences are parsed as English.
"""

import re
from collections import defaultdict
from collections.abc import Iterator

from compiler.analysis.section_profiles import COMMON
from runtime.graph import nodes as graph
from runtime.graph.call_graph import procedures_by_start, procedures_started
from runtime.graph.walk import walk

PHASE_PHRASE = re.compile(r"\b([a-z]+(?:[ -][a-z]+)?) phases?\b")
# Words before "phase" that are no name of one.
POINTING = frozenset(
    "own same next first last other different any every each later earlier enemy whole present".split()
)


class PhaseQuestions:
    """The phases in which each question of a stack is queried, by the steps and offers of the sequence of play."""

    def __init__(self, stack: graph.Graph) -> None:
        self.stack = stack
        self.keys_by_start = procedures_by_start(stack)
        listed = stack.vocabulary.enums.get("phase")
        members = listed.members if listed is not None else ()
        self.titles = {each.name: set(re.split(r"[ _-]", f"{each.reads} {each.name}".lower())) for each in members}
        self.phases_of_term: dict[str, set[str]] | None = None

    def other_phase(self, rule: graph.Rule) -> tuple[str, str] | None:
        """Return the only phase that a sentence mentions, and those in which its question is queried instead.

        None if they agree.
        """
        found = PHASE_PHRASE.findall(rule.prose.lower())
        if len(found) != 1 or not rule.terms or not self.titles:
            return None
        stated_phases, word = self._phases_of_title(found[0]), found[0].split()[-1]
        if not stated_phases:
            return None if word in COMMON | POINTING else (f"{word} phase", "no phase is called so")
        if self.phases_of_term is None:
            self.phases_of_term = self._phases_by_question()
        query_phases = self.phases_of_term.get(rule.terms[0], set())
        return (
            (f"{found[0]} phase", f"asked in {', '.join(sorted(query_phases))}")
            if query_phases and not stated_phases & query_phases
            else None
        )

    def _phases_of_title(self, phrase: str) -> set[str]:
        """Return the phases that a title may denote: those whose titles have all its words, or else its last."""
        words = re.split(r"[ -]", phrase)
        full_matches = {name for name, title in self.titles.items() if title.issuperset(words)}
        return full_matches or {name for name, title in self.titles.items() if words[-1] in title}

    def _phases_by_question(self) -> dict[str, set[str]]:
        """Return for each question the phases in which it is queried."""
        found: dict[str, set[str]] = defaultdict(set)
        for procedure in self.stack.procedures.values():
            for step in walk(procedure.body) if procedure.what == "sequence" else ():
                if isinstance(step, graph.Phase):
                    for term in self._terms(step.body):
                        found[term].add(step.name)
        return found

    def _terms(self, body: object) -> set[str]:
        """Return the questions that steps query: directly, through procedures that they start, and through rules."""
        found_terms: set[str] = set()
        started: set[str] = set()
        todo: list[object] = [body]
        while todo:
            for node in walk(todo.pop()):
                if isinstance(node, graph.Ask) and node.term not in found_terms:
                    found_terms.add(node.term)
                    todo += self._laws(node.term)
                for start in procedures_started(node):
                    new = [key for key in self.keys_by_start.get(start, ()) if key not in started]
                    started.update(new)
                    todo += [self.stack.procedures[key].body for key in new]
        return found_terms

    def _laws(self, name: str) -> Iterator[object]:
        term = self.stack.terms.get(name)
        for label in term.rules if term is not None else ():
            rule = self.stack.rules[label]
            yield (rule.guard, rule.value, rule.names)
