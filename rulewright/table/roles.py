"""Who acts, on what and where: the roles of the parameters of questions, and of what actions let choose.

In: a graph. Out: the roles of each question, and of each action, found once while the graph is in use. No role is
declared: of a question its wording tells them, of an action the names and types of what it lets choose, and its steps.
"""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from compiler.rulebook.index.stems import stem, stems
from rulewright.table.lexicon import WORDS, pattern_of
from rulewright.table.option_lines import option_text
from runtime.graph import nodes as graph
from runtime.graph.identity_memo import memoized_by_identity
from runtime.graph.steps import nested_steps
from runtime.graph.templates import without_slots
from runtime.play.flatten import flatten_all
from runtime.play.instructions import Program


class QuestionRoles(NamedTuple):
    """The stems of all words of a question, and of its name; and what its wording says of its parameters.

    `agent` acts, or is what it is about: *by {side}*, or its beginning; "" if there is none. `acts`: it is who acts, as
    in *{unit} sees {hex}*, not in *{unit} is at work*; `has_agent_word`: a word before it says so. `foes_of` is the
    side of which enemies act. `before` has the stem of the word before each parameter.
    """

    stems: frozenset[str]
    name_stems: frozenset[str]
    agent: str
    acts: bool
    has_agent_word: bool
    foes_of: str
    before: Mapping[str, str]

    @property
    def actor(self) -> str:
        """Return the parameter that acts; "" if none does."""
        return self.agent if self.acts else ""


class ActionRoles(NamedTuple):
    """The stems of the words of an action, and of its verbs: the first words of its name and its descriptions.

    `choices` are the types of all that it lets choose one or some of, `pieces` of those that are pieces, also among its
    parameters; `added` and `removed` are the relations of which it adds or removes a pair.
    """

    stems: frozenset[str]
    verbs: frozenset[str]
    choices: Mapping[str, graph.Type]
    pieces: Mapping[str, graph.Piece]
    added: frozenset[str]
    removed: frozenset[str]

    @property
    def places(self) -> tuple[str, ...]:
        """Return the choices that are places."""
        return tuple(name for name, each in self.choices.items() if isinstance(each, graph.Hex))

    @property
    def relation_stems(self) -> list[frozenset[str]]:
        """Return the stems of each relation of which it adds a pair."""
        return [frozenset(stems(each.replace("_", " "))) for each in self.added]

    @property
    def agents(self) -> Mapping[str, graph.Piece]:
        """Return the pieces that are named for its verb: *firers*."""
        return self.agents_of(self.verbs)

    @property
    def object(self) -> str:
        """Return the last piece that is not who acts; "" if there is none. The first one acts if none is named so."""
        names = [*self.pieces]
        return next((each for each in reversed(names) if each not in (self.agents or names[:1])), "")

    @property
    def is_among_friends(self) -> bool:
        """Return whether it is with pieces of one side: it ties or unties them, or takes one piece alone."""
        return bool(self.added | self.removed) or (len(self.pieces) == 1 and not self.places)

    def agents_of(self, verbs: Iterable[str]) -> Mapping[str, graph.Piece]:
        """Return the pieces whose names say that they do one of some verbs, as stems: *droppers*."""
        names = "|".join(rf"{each.rstrip('e')}\w?[eo]rs?" for each in verbs if len(each) > 3)
        return {name: each for name, each in self.pieces.items() if names and re.fullmatch(names, name)}

    def role_of(self, verbs: Iterable[str], kind: str) -> str:
        """Return the first piece named for one of some verbs that one of a kind may be; "" if there is none."""
        return next((name for name, each in self.agents_of(verbs).items() if each.admits(kind)), "")

    def admits_agent(self, kind: str) -> bool:
        """Return whether a piece of a kind can be who acts, or anything in it if nothing is named so."""
        found = self.agents or self.pieces
        return not (kind and found) or any(each.admits(kind) for each in found.values())


@memoized_by_identity()
def question_roles(rules: graph.Graph) -> Mapping[str, QuestionRoles]:
    """Return the roles of the parameters of each question."""
    return {name: _roles_of_question(term) for name, term in rules.terms.items()}


def _roles_of_question(term: graph.Term) -> QuestionRoles:
    by, foes_of = (re.search(rf"\b(?:{pattern_of(role)}) \{{(\w+)", term.reads) for role in ("actor", "foes of"))
    first = re.match(rf"(?:(?:{pattern_of('article')}) )?\{{(\w+)\}}?\s*(\w*)\s*(\w*)", term.reads)
    is_state = first and not (WORDS["copula"].isdisjoint(first.groups()) and first[2] not in WORDS["state"])
    agent = by or first
    name_stems = frozenset(stems(term.name.replace("_", " ")))
    return QuestionRoles(
        name_stems.union(stems(without_slots(f"{term.reads} {term.denied}"))),
        name_stems,
        agent[1] if agent else "",
        bool(by or (first and first[2] and not is_state)),
        bool(by),
        foes_of[1] if foes_of else "",
        {name: stem(word) for word, name in re.findall(r"(\w+) \{(\w+)", term.reads)},
    )


@memoized_by_identity()
def action_roles(rules: graph.Graph) -> Mapping[str, ActionRoles]:
    """Return the roles of what each action lets choose."""
    programs = (each for each in flatten_all(rules).entries.values() if each.procedure.what == "action")
    return {each.procedure.name: _roles_of_action(rules, each) for each in programs}


def _roles_of_action(rules: graph.Graph, program: Program) -> ActionRoles:
    procedure = program.procedure
    name, phrase = procedure.name.replace("_", " "), option_text(procedure)
    texts = name, phrase.replace("_", " "), without_slots(procedure.reads)
    kinds = {*stems(" ".join(rules.vocabulary.kinds))}
    steps = zip(program.code, program.members, strict=True)
    choices = {step.name: of for step, of in steps if isinstance(step, graph.Choose) and of is not None}
    members = {name: each.of if isinstance(each, graph.Many) else each for name, each in choices.items()}
    types = {**{each.name: each.type for each in procedure.parameters}, **members}
    pairs = [step for step in nested_steps(procedure.body) if isinstance(step, graph.Pair)]
    return ActionRoles(
        frozenset(stems(" ".join(texts))),
        frozenset(next((each for each in stems(text) if each not in kinds), "") for text in texts),
        choices,
        {name: each for name, each in types.items() if isinstance(each, graph.Piece)},
        frozenset(each.relation for each in pairs if each.on),
        frozenset(each.relation for each in pairs if not each.on),
    )
