"""Explanations of refusals: the first failing condition of an action, and the rules behind it.

In: a playthrough at a decision, and words that name the wanted choices, in any order. Out: a `Refusal` for every action
that can bind them, those that get farthest first. A word can bind to any choice of an action that it fits: of all
assignments of words to choices, the one that gets farthest is reported.

At an offer each of its actions is tried, and the actions that those offer in turn, so that the entry of a piece into a
hex can be asked about before the piece was chosen. The caller passes the playthrough as the side sees it, so that no
answer depends on secret records.
"""

from collections.abc import Collection, Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import replace

from runtime.answer.answer import Unanswered
from runtime.answer.conditions import conjuncts, failing_text
from runtime.answer.explain import Explainer, Explanation
from runtime.answer.interpreter import DelegatingInterpreter
from runtime.answer.single_expressions import only_value
from runtime.answer.value_text import of_map, value_text
from runtime.graph import nodes as graph
from runtime.graph.type_of import SIDE, type_of
from runtime.graph.walk import walk
from runtime.graph.wording import Wording
from runtime.graph.words import choice_words
from runtime.play.choice_mismatch import explain_mismatch
from runtime.play.choice_subsets import allowed_sizes
from runtime.play.machine import Machine
from runtime.play.playthrough import Call, Names, Playthrough
from runtime.play.refusal_parts import BlockingReason, FailedCondition, Refusal
from runtime.play.refusal_reason import RefusalReason
from runtime.play.tryout_playthrough import TryoutPlaythrough
from runtime.play.word_binding import ChoiceBinding, bind_words, names_in, values_named
from runtime.state.position import GONE, State
from runtime.state.record import Value

PIECE = graph.Piece(())  # Any piece.


def find_refusals(
    game: Machine, playthrough: Playthrough, word_list: Sequence[str], *, explains: bool = True
) -> list[Refusal]:
    """Return the refusals of words at the current decision; the first may name an action. `explains`: with rules."""
    call = playthrough.calls[-1]
    step = game.programs.of[call.key].code[call.at]
    query = RefusalQuery(game, playthrough.state, playthrough, explains=explains)
    found: list[Refusal] = []
    if isinstance(step, graph.Choose):
        given = {call.at: word_list[0]} if word_list else {}
        way = ChoiceBinding(game.programs.of[call.key], call.at, dict(call.names), given)
        found.append(query.follow(way, tuple(word_list[1:])))
    elif isinstance(step, graph.Offer):
        side = game.choices.site(call).side(playthrough.state, call.names)
        found += query.of_offer(step, call.names, side, tuple(word_list))
        if word_list and values_named(playthrough.state, PIECE, word_list[0]):
            # A word that names a piece is about it, not about another piece in the place that a later word names.
            found = [each for each in found if not each.stand_ins]
    return sorted(found, key=lambda each: (-each.bound_word_count, -each.match_score))


def actions_called(game: Machine, state: State, word: str) -> frozenset[str]:
    """Return the actions that a word may denote: one by its name, or all whose wording contains it."""
    if f"action:{word}" in game.programs.of:
        return frozenset({word})
    if values_named(state, graph.Hex(), word) or values_named(state, PIECE, word):
        return frozenset()
    chosen = {type_ for program in game.programs.of.values() for type_ in program.members}
    if any(isinstance(type_, graph.Enum) and values_named(state, type_, word) for type_ in chosen):
        return frozenset()
    procedures = [p.procedure for p in game.programs.of.values() if p.procedure.what == "action"]
    return frozenset(p.name for p in procedures if word.lower() in {*p.name.split("_"), *p.reads.lower().split()})


def word_refusal(machine: Machine, state: State, action: str, refused: RefusalReason) -> str:
    """Return the reason of a refusal: how its condition fails, or the set that does not contain the named member.

    "" where the reason has no value to report, as its expressions may be undefined.
    """
    program = machine.programs.of[f"action:{refused.opener or action}"]
    query, way = RefusalQuery(machine, state), ChoiceBinding(program, 0, dict(refused.names), {})
    with suppress(Unanswered):
        if refused.condition is not None:
            return query.in_words(way, refused.condition)
        for step in program.code:
            if isinstance(step, graph.Choose) and step.name == refused.choice:
                return query.reason_of_choice(way, step)
    return ""


class RefusalQuery:
    """The search of failing conditions for given words in one position."""

    def __init__(
        self, game: Machine, state: State, playthrough: Playthrough | None = None, *, explains: bool = True
    ) -> None:
        self.game, self.explains = game, explains
        self.playthrough = playthrough
        self.state = state
        self.evaluate = game.evaluator.evaluate

    def of_offer(self, offer: graph.Offer, names: Names, side: str, word_list: tuple[str, ...]) -> Iterator[Refusal]:
        """Yield the refusals of every action of an offer."""
        known = [name for name, _ in offer.actions]
        wanted = actions_called(self.game, self.state, word_list[0]) if word_list else frozenset()
        for name, arguments in offer.actions:
            values = tuple(self.evaluate(self.state, argument, names) for argument in arguments)
            opening = self.game.choices.bind_parameters(f"action:{name}", values, side)
            yield from self.of_action(name, opening, word_list, wanted)
        if wanted and not wanted & {*known} and not any(self.is_offered_within(known, name) for name in wanted):
            yield Refusal("", 1, f"`{word_list[0]}` is not offered now")

    def is_offered_within(self, known: Sequence[str], wanted: str) -> bool:
        """Return whether one of these actions offers the wanted one."""
        return any(wanted in dict(offer.actions) for name in known for offer in self.offers_within(name))

    def offers_within(self, action: str) -> Iterator[graph.Offer]:
        """Yield the offers within an action."""
        yield from (step for step in self.game.programs.of[f"action:{action}"].code if isinstance(step, graph.Offer))

    def of_action(self, name: str, names: Names, word_list: tuple[str, ...], wanted: Set[str]) -> Iterator[Refusal]:
        """Yield the refusals of an action and of the actions that it offers."""
        offered = {inner for offer in self.offers_within(name) for inner, _ in offer.actions}
        if wanted and name not in wanted and not wanted & offered:
            return
        called = int(bool(wanted))
        program, rest = self.game.programs.of[f"action:{name}"], word_list[called:]
        tried = [(way, self.follow(way, left, called)) for way, left in bind_words(self.state, program, names, rest)]
        way, first = max(tried, key=lambda each: self.rank(*each))
        first = replace(first, stand_ins=way.stand_ins(self.state))
        if not wanted or name in wanted:
            yield first
        elif first.reason:
            yield replace(first, action=next(iter(sorted(wanted & offered))))
        if first.reason or (not first.unused_words and not wanted & offered):
            return
        unnamed, _ = way.resting_on_assumed(())
        for offer in self.offers_within(name):
            for inner, arguments in offer.actions:
                values = self.known_values(arguments, way.names)
                if values is None or (wanted and not wanted & {name, inner}):
                    continue
                opening = self.game.choices.bind_parameters(f"action:{inner}", values, str(way.names["player"]))
                code = self.game.programs.of[f"action:{inner}"]
                parameters = [parameter.name for parameter in code.procedure.parameters]
                assumed = [name for name, each in zip(parameters, arguments, strict=True) if names_in(each) & unnamed]
                found = [
                    (each, self.follow(each, left, first.bound_word_count, assumed))
                    for each, left in bind_words(self.state, code, opening, first.unused_words)
                ]
                last, refusal = max(found, key=lambda each: self.rank(*each))
                yield replace(refusal, stand_ins=first.stand_ins + last.stand_ins(self.state))

    def rank(self, way: ChoiceBinding, refusal: Refusal) -> tuple[int, int, bool, int]:
        """Return the sort key of an assignment of words: its progress, then the number of loosely read words."""
        return refusal.bound_word_count, refusal.match_score, not refusal.reason, -way.count_loose_words(self.state)

    def known_values(self, arguments: Sequence[graph.Expr], names: Names) -> tuple[Value, ...] | None:
        """Evaluate arguments; None where they read names that are bound only during the action."""
        try:
            return tuple(self.evaluate(self.state, argument, names) for argument in arguments)
        except (KeyError, Unanswered):
            return None

    def follow(
        self, way: ChoiceBinding, left: tuple[str, ...] = (), taken: int = 0, assumed: Collection[str] = ()
    ) -> Refusal:
        """Execute the head as far as conditions and words allow; choices are bound in `way.names`.

        `assumed` are parameters that no word named.

        The condition that excludes a named member takes precedence over an earlier failing condition: a condition on an
        empty set is no reason against the named member.
        """
        name = way.program.procedure.name
        refused: Refusal | None = None
        fit, called = 0, taken
        others = way.resting_on_assumed(assumed)[1] if left else frozenset[int]()
        try:
            for at in range(way.at, max(way.program.prefix, way.at + 1)):
                step = way.program.code[at]
                if isinstance(step, graph.Let):
                    way.names[step.name] = self.evaluate(self.state, step.value, way.names)
                elif isinstance(step, graph.Legal) and refused is None:
                    if found := self.find_failure(way, step.condition):
                        refused = Refusal(name, taken, found.text, found.explanation, failing=found.failing)
                        if at in others or not any(place > at for place in way.words):
                            told = replace(refused, unused_words=left, match_score=fit)
                            return self.unplaced_word(way, left, called) if at in others else told
                elif isinstance(step, graph.Choose):
                    word = way.words.get(at, "")
                    if found := self.bind_choice(way, at, step, word):
                        if refused is not None and not word:
                            break
                        # A value that a question of the rules rejects ranks as if a later condition rejected it.
                        placed = taken + bool(word and found.by_rules and not left)
                        told = Refusal(
                            name, placed, found.text, found.explanation, left, fit + found.after, found.failing,
                            wrong_type=found.wrong_type,
                        )  # fmt: skip
                        return self.unplaced_word(way, left, called) if at in others else told
                    taken += bool(word)
                    fit += 2 * bool(word)
        except Unanswered as unanswered:
            return replace(refused or Refusal(name, taken, str(unanswered)), unused_words=left, match_score=fit)
        if refused is not None:
            return replace(refused, bound_word_count=taken, unused_words=left, match_score=fit)
        return Refusal(name, taken, self.lost_obligation(way) if not left else "", unused_words=left, match_score=fit)

    def unplaced_word(self, way: ChoiceBinding, left: tuple[str, ...], called: int) -> Refusal:
        """Return the refusal that an action has no choice for a word."""
        word, why = left[0], f"{left[0]} cannot be chosen for that"
        if values_named(self.state, graph.Hex(), word):
            for at, (step, member) in enumerate(zip(way.program.code, way.program.members, strict=True)):
                if isinstance(step, graph.Choose) and isinstance(member, graph.Piece) and at not in way.words:
                    why = f"nothing in {word} can be chosen as {choice_words(step.name, member)}"
                    break
        # No reason is known against the other words.
        name, bound = way.program.procedure.name, len(way.words)
        return Refusal(name, called + bound, why, unused_words=left, match_score=2 * bound)

    def lost_obligation(self, way: ChoiceBinding) -> str:
        """Return the obligation that cannot be met after an otherwise open action; "" if there is none."""
        playthrough, obligations = self.playthrough, self.game.obligations
        if playthrough is None or not obligations.are_running(playthrough):
            return ""
        place = next(obligations.obliged_calls(playthrough))
        call, here = playthrough.calls[place], playthrough.calls[-1]
        step = self.game.programs.of[here.key].code[here.at]
        trial = TryoutPlaythrough.copy_of(playthrough)
        if here.key == way.program.key:
            trial.calls.pop()
        elif not isinstance(step, graph.Offer) or way.program.procedure.name not in dict(step.actions):
            return ""
        trial.calls.append(Call(way.program.key, max(way.program.prefix, way.at + 1), dict(way.names)))
        offer = obligations.offers[call.key, call.at]
        if offer.until is None or obligations.make_search(offer, place).can_be_met_after(trial, None, 1) is not False:
            return ""
        return f"after that it can no longer come to be that {self.wording_of(way).clause(offer.until)}"

    def bind_choice(self, way: ChoiceBinding, at: int, step: graph.Choose, word: str) -> BlockingReason | None:
        """Bind the value that a word names, or without a word one that can be completed; else return the reason."""
        if not word:
            members = tuple(self.evaluate(self.state, step.source, way.names))
            if not members:
                return BlockingReason(
                    f"there is nothing to choose as {choice_words(step.name, way.program.members[at])}", None, 0
                )
            way.names[step.name] = members if step.how else self.finishing_member(way, at, step, members)
            return None
        type_ = way.program.members[at]
        candidates = values_named(self.state, type_, word, by_place=True)
        if not candidates and type_ is not None and not isinstance(type_, graph.Hex | graph.Piece):
            members = tuple(self.evaluate(self.state, step.source, way.names))
            candidates = [member for member in members if value_text(self.state, member, type_).lower() == word.lower()]
        if not candidates:
            wanted = {graph.Hex: of_map(self.state, "hex"), graph.Piece: "piece"}.get(type(type_), "")
            why = f"{word} is no {wanted}" if wanted else f"the {choice_words(step.name, type_)} cannot be {word}"
            return BlockingReason(why, None, 0, wrong_type=bool(wanted))
        bars = [self.find_exclusion(way, step, candidate) for candidate in candidates]
        place = bars.index(None) if None in bars else max(range(len(bars)), key=lambda at: _reached(bars[at]))
        way.names[step.name] = (candidates[place],) if step.how else candidates[place]
        return bars[place]

    def finishing_member(self, way: ChoiceBinding, at: int, step: graph.Choose, members: Sequence[Value]) -> Value:
        """Return a member with which the action can be completed, or else the first."""
        search = self.game.choices.searches.get(way.program.key)
        if search is None or at >= way.program.prefix:
            return members[0]
        names, done = way.names, sum(isinstance(each, graph.Choose) for each in way.program.code[: at + 1])
        return next((m for m in members if search.can_complete(self.state, done, {**names, step.name: m})), members[0])

    def find_exclusion(self, way: ChoiceBinding, step: graph.Choose, value: Value) -> BlockingReason | None:
        """Return why a value is no member of a choice's source, expanding names and questions that denote a set."""
        if value in self.evaluate(self.state, step.source, way.names):
            return None
        type_ = way.program.members[way.program.code.index(step)]
        inside, source = self.expanded_source(way, step.source)
        match source:
            case graph.Fold("gather", var, among, where, None):
                if value in self.evaluate(self.state, among, inside.names):
                    types = {**inside.types, var: type_} if inside.types is not None and type_ is not None else None
                    return self.find_failure(replace(inside, names={**inside.names, var: value}, types=types), where)
                source = among
            case _:
                pass
        told = value_text(self.state, value, type_) if type_ else str(value)
        if isinstance(type_, graph.Piece) and self.state.hex[value] < 0:
            return BlockingReason(f"{told} is {'gone' if self.state.hex[value] == GONE else 'not on the map'}", None, 0)
        speaker = self.wording_of(inside)
        plain = f"{told} is not among {speaker.phrase(source)}"
        if not self.explains:
            return BlockingReason(plain, None, 0)  # What keeps it out costs a search, and nobody reads it.
        why, explanation = self.make_explainer().explain_absence(self.state, inside.names, speaker, value, source)
        return BlockingReason(f"{told}: {why}" if why else plain, explanation, 0)

    def expanded_source(self, way: ChoiceBinding, source: graph.Expr) -> tuple[ChoiceBinding, graph.Expr]:
        """Expand a name that a step binds, and a question that abbreviates an expression."""
        match source:
            case graph.Var(name) if (meant := way.definition_of(name)) is not None:
                return self.expanded_source(way, meant)
            case graph.Ask(term, arguments):
                asked = self.game.graph.terms[term]
                if (meaning := only_value(asked, self.game.graph)) is not None:
                    values = tuple(self.evaluate(self.state, each, way.names) for each in arguments)
                    names = {p.name: value for p, value in zip(asked.parameters, values, strict=True)}
                    types = {p.name: p.type for p in asked.parameters}
                    return self.expanded_source(replace(way, names=names, types=types), meaning)
            case _:
                pass
        return way, source

    def reason_of_choice(self, way: ChoiceBinding, step: graph.Choose) -> str:
        """Return why a choice rejects its bound value, or has no candidate; "" where there are several."""
        if step.name in way.names:
            wanted = way.names[step.name] if step.how else (way.names[step.name],)
            found = next(filter(None, (self.find_exclusion(way, step, value) for value in wanted)), None)
            return found.text if found else self.explain_mismatch(way, step, wanted)
        match step.source:
            case graph.Fold("gather", var, source, where, None):
                candidates = tuple(self.evaluate(self.state, source, way.names))
                bars = [self.find_failure(replace(way, names={**way.names, var: each}), where) for each in candidates]
                if None in bars:
                    return ""
                why = f", as {bars[0].text}" if len(bars) == 1 and bars[0] else ""
                return f"there is nothing to choose{why}"
            case source:
                return "" if self.evaluate(self.state, source, way.names) else "there is nothing to choose"

    def explain_mismatch(self, way: ChoiceBinding, step: graph.Choose, named: tuple[Value, ...]) -> str:
        """Return why members that are open one by one are no legal choice of several; "" if they are."""
        if not step.how:
            return ""
        found = tuple(self.evaluate(self.state, step.source, way.names))
        type_ = way.program.members[way.program.code.index(step)]
        allowed = allowed_sizes(step, lambda expr: self.evaluate(self.state, expr, way.names))
        return explain_mismatch(
            step, len(found), named, allowed, lambda each: value_text(self.state, each, type_) if type_ else str(each)
        )

    def find_failure(self, way: ChoiceBinding, condition: graph.Expr | None) -> BlockingReason | None:
        """Return the first failing conjunct of a condition, with the question in it.

        `after` is 1 if an earlier conjunct holds: the named value is then of the right kind.
        """
        for place, part in enumerate(conjuncts(condition)):
            if self.evaluate(self.state, part, way.names):
                continue
            failing = FailedCondition(part, dict(way.names), self.bound_types(way))
            asked = next((e for e in walk(part) if isinstance(e, graph.Ask) and graph.FROM not in e.arguments), None)
            explanation = self.explain_question(way, asked) if asked and self.explains else None
            if explanation and part == asked:
                return BlockingReason(explanation.sentence, explanation, int(place > 0), failing, by_rules=True)
            return BlockingReason(self.in_words(way, part), explanation, int(place > 0), failing)
        return None

    def in_words(self, way: ChoiceBinding, part: graph.Expr) -> str:
        """Return the clause of a failing condition."""
        speaker = self.wording_of(way)
        return failing_text(part, speaker, lambda expr: self.value_of(way, expr, speaker))

    def explain_question(self, way: ChoiceBinding, question: graph.Ask) -> Explanation | None:
        """Explain a question; None if its arguments are not known yet."""
        values = self.known_values(question.arguments, way.names)
        return None if values is None else self.make_explainer().explain(self.state, question.term, values, 1)

    def make_explainer(self) -> Explainer:
        """Return an explainer that answers by generated code."""
        return Explainer(DelegatingInterpreter(self.game.evaluator.evaluator, self.game.graph))

    def value_of(self, way: ChoiceBinding, expr: graph.Expr, speaker: Wording) -> str:
        """Return the value of an expression as text."""
        type_ = type_of(expr, speaker.names, self.game.graph)
        return value_text(self.state, self.evaluate(self.state, expr, way.names), type_)

    def wording_of(self, way: ChoiceBinding) -> Wording:
        """Return a wording in which bound names are replaced by their values."""
        types = self.bound_types(way)
        calls = {name: value_text(self.state, way.names[name], type_) for name, type_ in types.items()}
        return Wording(self.game.graph, calls, types)

    def bound_types(self, way: ChoiceBinding) -> dict[str, graph.Type]:
        """Return the types of all bound names."""
        if way.types is not None:
            return dict(way.types)
        types: dict[str, graph.Type] = {"player": SIDE}
        types |= {each.name: each.type for each in way.program.procedure.parameters}
        for step, member in zip(way.program.code, way.program.members, strict=True):
            if isinstance(step, graph.Choose) and member is not None:
                types[step.name] = graph.Many("set", member) if step.how else member
                if isinstance(step.source, graph.Fold):
                    types[step.source.var] = member
            elif isinstance(step, graph.Let) and step.name in way.names:
                types[step.name] = type_of(step.value, types, self.game.graph)
        return {name: type_ for name, type_ in types.items() if name in way.names}


def _reached(bar: BlockingReason | None) -> int:
    """Return the progress of a member of a choice: 1 past its first condition."""
    return bar.after if bar else 2
