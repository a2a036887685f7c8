"""Explanations of refusals: the first failing condition of an action, and the rules behind it.

In: a playthrough at a decision, and words that name the wanted choices, in any order. Out: an `ActionRefusal` for
every action that can bind them, those that get farthest first. A word can bind to any choice of an action that it
fits: of all assignments of words to choices, the one that gets farthest is reported.

At an offer each of its actions is tried, and the actions that those offer in turn, so that the entry of a piece into a
hex can be asked about before the piece was chosen. The caller passes the playthrough as the side sees it, so that no
answer depends on secret records.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import replace

from runtime.answer.value_text import value_text, with_space_noun
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.graph.free_names import variables_in
from runtime.graph.words import choice_words
from runtime.play.blocking_reasons import BlockingReasons
from runtime.play.machine import Machine
from runtime.play.playthrough import Names, Playthrough
from runtime.play.refusal_parts import ActionRefusal, BlockingReason, RefusalReason
from runtime.play.tryout_playthrough import TryoutPlaythrough
from runtime.play.word_binding import ChoiceBinding, bind_words, values_named
from runtime.state.position import State
from runtime.state.record import Value

PIECE = graph.Piece(())  # Any piece.
# The most members of a place that are tried to tell why a choice rejects them.
MOST_CANDIDATES = 20


def find_refusals(
    game: Machine, playthrough: Playthrough, word_list: Sequence[str], *, explains: bool = True
) -> list[ActionRefusal]:
    """Return the refusals of words at the current decision; the first may name an action. `explains`: with rules."""
    call = playthrough.calls[-1]
    step = game.step_of(call)
    query = _RefusalQuery(game, playthrough, explains=explains)
    found: list[ActionRefusal] = []
    if isinstance(step, graph.Choose):
        program, first = game.program_of(call), dict(zip([call.offset], word_list, strict=False))
        bindings = bind_words(playthrough.state, program, call.names, tuple(word_list), call.offset)
        # A word that matches no choice is about the current one.
        current = ChoiceBinding(program, call.offset, dict(call.names), first), tuple(word_list[1:])
        found.append(query.furthest([each for each in bindings if each[0].words] or [current])[1])
    elif isinstance(step, graph.Offer):
        side = game.choices.site(call).side(playthrough.state, call.names)
        found += query.refusals_of_offer(step, call.names, side, tuple(word_list))
        # A piece is not read as its place with another piece in the place of a later word.
        found = [each for each in found if not each.is_swapped] or found
        if word_list and values_named(playthrough.state, PIECE, word_list[0]):
            # A word that names a piece is about it, not about another piece in the place that a later word names.
            found = [each for each in found if not each.stand_ins]
    return sorted(found, key=lambda each: (-each.bound_word_count, -each.match_score))


def _actions_called(game: Machine, state: State, word: str) -> frozenset[str]:
    """Return the actions that a word may denote: one by its name, or all whose wording contains it."""
    if f"action:{word}" in game.programs.entries:
        return frozenset({word})
    if values_named(state, graph.Hex(), word) or values_named(state, PIECE, word):
        return frozenset()
    chosen = {type_ for program in game.programs.entries.values() for _, type_ in program.choices()}
    if any(isinstance(type_, graph.Enum) and values_named(state, type_, word) for type_ in chosen):
        return frozenset()
    procedures = [p.procedure for p in game.programs.entries.values() if p.procedure.what == "action"]
    return frozenset(p.name for p in procedures if word.lower() in {*p.name.split("_"), *p.reads.lower().split()})


def word_refusal(machine: Machine, state: State, action: str, refused: RefusalReason) -> BlockingReason:
    """Return the reason of a refusal: how its condition fails, or the set that does not contain the named member.

    Without a text where the reason has no value to report, as its expressions may be undefined.
    """
    program = machine.programs.entries[f"action:{refused.opener or action}"]
    query, binding = BlockingReasons(machine, state), ChoiceBinding(program, 0, dict(refused.names), {})
    with suppress(Unanswered):
        if refused.condition is not None:
            return BlockingReason(query.condition_clause(binding, refused.condition), None, 0)
        for step in program.steps:
            if isinstance(step, graph.Choose) and step.name == refused.choice:
                return query.reason_of_choice(binding, step)
    return BlockingReason("", None, 0)


class _RefusalQuery(BlockingReasons):
    """The search of failing conditions for given words at one decision."""

    def __init__(self, game: Machine, playthrough: Playthrough, *, explains: bool) -> None:
        super().__init__(game, playthrough.state, explains=explains)
        self.playthrough = playthrough

    def refusals_of_offer(
        self, offer: graph.Offer, names: Names, side: str, word_list: tuple[str, ...]
    ) -> Iterator[ActionRefusal]:
        """Yield the refusals of every action of an offer."""
        known = [name for name, _ in offer.actions]
        wanted_actions = _actions_called(self.game, self.state, word_list[0]) if word_list else frozenset()
        for name, arguments in offer.actions:
            values = tuple(self.evaluate(self.state, argument, names) for argument in arguments)
            opening = self.game.programs.entries[f"action:{name}"].bind_parameters(values, side)
            yield from self.refusals_of_action(name, opening, word_list, wanted_actions)
        if (
            wanted_actions
            and not wanted_actions & {*known}
            and not any(self.is_offered_within(known, name) for name in wanted_actions)
        ):
            yield ActionRefusal("", 1, f"`{word_list[0]}` is not offered now")

    def is_offered_within(self, known: Sequence[str], action: str) -> bool:
        """Return whether one of these actions offers the wanted one."""
        return any(action in dict(offer.actions) for name in known for offer in self.offers_within(name))

    def offers_within(self, action: str) -> Iterator[graph.Offer]:
        """Yield the offers within an action."""
        yield from (
            step for step in self.game.programs.entries[f"action:{action}"].steps if isinstance(step, graph.Offer)
        )

    def refusals_of_action(
        self, name: str, names: Names, word_list: tuple[str, ...], wanted_actions: Set[str]
    ) -> Iterator[ActionRefusal]:
        """Yield the refusals of an action and of the actions that it offers."""
        offered = {inner for offer in self.offers_within(name) for inner, _ in offer.actions}
        if wanted_actions and name not in wanted_actions and not wanted_actions & offered:
            return
        action_word_count = int(bool(wanted_actions))
        program, rest = self.game.programs.entries[f"action:{name}"], word_list[action_word_count:]
        binding, first = self.furthest(bind_words(self.state, program, names, rest), action_word_count)
        first = replace(first, stand_ins=binding.count_place_substitutes(self.state))
        if not wanted_actions or name in wanted_actions:
            yield first
        elif first.reason:
            yield replace(first, action=next(iter(sorted(wanted_actions & offered))))
        if first.reason or (not first.unused_words and not wanted_actions & offered):
            return
        unnamed, _ = binding.assumed_names(())
        for offer in self.offers_within(name):
            for inner, arguments in offer.actions:
                values = self.known_values(arguments, binding.names)
                if values is None or (wanted_actions and not wanted_actions & {name, inner}):
                    continue
                code = self.game.programs.entries[f"action:{inner}"]
                opening = code.bind_parameters(values, str(binding.names["player"]))
                parameters = [parameter.name for parameter in code.procedure.parameters]
                assumed = [
                    name for name, each in zip(parameters, arguments, strict=True) if variables_in(each) & unnamed
                ]
                bindings = bind_words(self.state, code, opening, first.unused_words)
                last, refusal = self.furthest(bindings, first.bound_word_count, assumed)
                stand_ins = first.stand_ins + last.count_place_substitutes(self.state)
                is_swapped = bool(stand_ins) and (
                    binding.reads_piece_as_place(self.state) or last.reads_piece_as_place(self.state)
                )
                yield replace(refusal, stand_ins=stand_ins, is_swapped=is_swapped)

    def furthest(
        self,
        bindings: Iterable[tuple[ChoiceBinding, tuple[str, ...]]],
        bound_count: int = 0,
        assumed: Collection[str] = (),
    ) -> tuple[ChoiceBinding, ActionRefusal]:
        """Return the assignment of words that gets farthest, and its refusal."""
        attempts = list[tuple[ChoiceBinding, ActionRefusal]]()
        for each, left in bindings:
            # Sets that no word names are taken whole, or left empty where that is refused.
            emptied = [*each.without_unnamed_sets()]
            attempts.append((each, self.follow(each, left, bound_count, assumed)))
            if attempts[-1][1].reason:
                others = ((other, self.follow(other, left, bound_count, assumed)) for other in emptied)
                attempts += (other for other in others if not other[1].reason)
        # A hex, or what stands there, is meant by the first choice of a hex: what is passed over, not where that ends.
        attempts = [each for each in attempts if not each[1].reason or not each[0].passes_over_a_place()] or attempts
        # `failures_of_head` evaluates the head of what is reported once more, for all its failing conditions. One
        # evaluation cannot serve both: this one binds what no word names, to go on behind it, and a condition on such
        # a value is no reason; and of a dozen assignments that are followed, to the first failure, one is reported.
        binding, refusal = max(attempts, key=lambda each: self.rank(*each))
        return binding, replace(refusal, choices=dict(binding.named_values(self.state)), binding=binding)

    def rank(self, binding: ChoiceBinding, refusal: ActionRefusal) -> tuple[int, int, bool, int, int]:
        """Return the sort key of an assignment of words: its progress, then the number of loosely read words."""
        loose_words, own_places = binding.count_loose_words(self.state), binding.count_own_places(self.state)
        return refusal.bound_word_count, refusal.match_score, not refusal.reason, -loose_words, -own_places

    def follow(
        self, binding: ChoiceBinding, left: tuple[str, ...] = (), bound_count: int = 0, assumed: Collection[str] = ()
    ) -> ActionRefusal:
        """Execute the head as far as conditions and words allow; choices are bound in `binding.names`.

        `assumed` are parameters that no word named.

        The condition that excludes a named member takes precedence over an earlier failing condition: a condition on an
        empty set is no reason against the named member.
        """
        name = binding.program.procedure.name
        refused: ActionRefusal | None = None
        score, action_word_count = 0, bound_count
        others = binding.assumed_names(assumed)[1] if left else frozenset[int]()
        try:
            for offset in range(binding.offset, max(binding.program.head_length, binding.offset + 1)):
                step = binding.program.steps[offset]
                if isinstance(step, graph.Let):
                    binding.names[step.name] = self.evaluate(self.state, step.value, binding.names)
                elif isinstance(step, graph.Legal) and refused is None:
                    if found := self.find_failure(binding, step.condition):
                        refused = ActionRefusal(name, bound_count, found.text, found.explanation, failing=found.failing)
                        if offset in others or not any(place > offset for place in binding.words):
                            refusal = replace(refused, unused_words=left, match_score=score)
                            if offset in others:
                                return self.refuse_unused_word(binding, left, action_word_count)
                            return refusal
                elif isinstance(step, graph.Choose):
                    word = binding.words.get(offset, "")
                    if found := self.bind_choice(binding, offset, step, word):
                        if refused is not None and not word:
                            break
                        # A value that a question of the rules rejects ranks as if a later condition rejected it.
                        placed = bound_count + bool(word and found.by_rules and not left)
                        refusal = ActionRefusal(
                            name, placed, found.text, found.explanation, left, score + found.after, found.failing,
                            wrong_type=found.wrong_type, is_empty=found.is_empty,
                        )  # fmt: skip
                        return (
                            self.refuse_unused_word(binding, left, action_word_count) if offset in others else refusal
                        )
                    bound_count += bool(word)
                    score += 2 * bool(word)
        except Unanswered as unanswered:
            return replace(
                refused or ActionRefusal(name, bound_count, str(unanswered)), unused_words=left, match_score=score
            )
        if refused is not None:
            return replace(refused, bound_word_count=bound_count, unused_words=left, match_score=score)
        return ActionRefusal(
            name, bound_count, self.lost_obligation(binding) if not left else "", unused_words=left, match_score=score
        )

    def refuse_unused_word(
        self, binding: ChoiceBinding, left: tuple[str, ...], action_word_count: int
    ) -> ActionRefusal:
        """Return the refusal of the first of the words `left`, for which the action has no choice."""
        word, reason = left[0], f"`{left[0]}` cannot be chosen for that"
        if values_named(self.state, graph.Hex(), word):
            for offset, (step, member) in enumerate(zip(binding.program.steps, binding.program.members, strict=True)):
                if isinstance(step, graph.Choose) and isinstance(member, graph.Piece) and offset not in binding.words:
                    reason = f"nothing in {word} can be chosen as {choice_words(step.name, member)}"
                    break
        # No reason is known against the other words.
        name, bound = binding.program.procedure.name, len(binding.words)
        return ActionRefusal(name, action_word_count + bound, reason, unused_words=left, match_score=2 * bound)

    def lost_obligation(self, binding: ChoiceBinding) -> str:
        """Return the obligation that cannot be met after an otherwise open action; "" if there is none."""
        playthrough, obligations = self.playthrough, self.game.obligations
        if not obligations.are_running(playthrough):
            return ""
        place = next(obligations.obliged_calls(playthrough))
        call, current_call = playthrough.calls[place], playthrough.calls[-1]
        step = self.game.step_of(current_call)
        trial = TryoutPlaythrough.copy_of(playthrough)
        if current_call.key == binding.program.key:
            trial.calls.pop()
        elif not isinstance(step, graph.Offer) or binding.program.procedure.name not in dict(step.actions):
            return ""
        trial.calls.append(
            self.game.frame(
                binding.program.key, dict(binding.names), max(binding.program.head_length, binding.offset + 1)
            )
        )
        offer = obligations.offers[call.key, call.offset]
        if offer.until is None or obligations.make_search(offer, place).can_be_met_after(trial, None, 1) is not False:
            return ""
        return f"after that it can no longer come to be that {self.wording_of(binding).clause(offer.until)}"

    def bind_choice(self, binding: ChoiceBinding, offset: int, step: graph.Choose, word: str) -> BlockingReason | None:
        """Bind the value that a word names, or without a word one that can be completed; else return the reason."""
        if not word:
            members = tuple(self.evaluate(self.state, step.source, binding.names))
            if not members and (step.how != "any" or step.least is not None):
                return self.find_absence(binding, step)
            chosen_members = () if offset in binding.empty else members
            binding.names[step.name] = (
                chosen_members if step.how else self.finishing_member(binding, offset, step, members)
            )
            return None
        type_ = binding.program.members[offset]
        candidates = values_named(self.state, type_, word, by_place=True)
        if not candidates and type_ is not None and not isinstance(type_, graph.Hex | graph.Piece):
            members = tuple(self.evaluate(self.state, step.source, binding.names))
            candidates = [member for member in members if value_text(self.state, member, type_).lower() == word.lower()]
        if not candidates:
            noun = {graph.Hex: with_space_noun(self.state, "hex"), graph.Piece: "piece"}.get(type(type_), "")
            reason = f"{word} is no {noun}" if noun else f"the {choice_words(step.name, type_)} cannot be {word}"
            return BlockingReason(reason, None, 0, wrong_type=bool(noun))
        # A place stands for the pieces in it: some of them tell why none can be chosen.
        reasons = [self.find_exclusion(binding, step, candidate) for candidate in candidates[:MOST_CANDIDATES]]
        place = (
            reasons.index(None) if None in reasons else max(range(len(reasons)), key=lambda at: _reached(reasons[at]))
        )
        binding.names[step.name] = (candidates[place],) if step.how else candidates[place]
        return reasons[place]

    def finishing_member(
        self, binding: ChoiceBinding, offset: int, step: graph.Choose, members: Sequence[Value]
    ) -> Value:
        """Return a member with which the action can be completed, or else the first."""
        if offset >= binding.program.head_length:  # Without a head it is no action.
            return members[0]
        search = self.game.choices.searches[binding.program.key]
        names = binding.names
        choice_count = sum(isinstance(each, graph.Choose) for each in binding.program.steps[: offset + 1])
        return next(
            (m for m in members if search.can_complete(self.state, choice_count, {**names, step.name: m})), members[0]
        )


def _reached(bar: BlockingReason | None) -> int:
    """Return the progress of a member of a choice: 1 past its first condition."""
    return bar.after if bar else 2
