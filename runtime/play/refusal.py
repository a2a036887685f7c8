"""Say why something cannot be chosen: the first condition that is in its way, and the rules behind it.

In: a course that stands at a decision, and words that name what somebody would like to choose, one after
the other. Out: a `Refusal` for every action that could take them, those that get furthest first.

At an offer each of its actions is tried, and the actions that those offer in their turn: whether a piece
may enter a hex can be asked before the piece was picked. Whoever asks hands in the course as his
side sees it, so no answer rests on what he does not know.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from runtime.answer.answer import Unanswered
from runtime.answer.conditions import conjuncts, failing
from runtime.answer.explain import Explainer, Explanation
from runtime.answer.interpreter import Interpreter
from runtime.answer.saying import say
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.frozen import dataclass
from runtime.graph.type_of import SIDE, type_of
from runtime.graph.walk import walk
from runtime.graph.wording import Wording
from runtime.play.course import Call, Course, Names
from runtime.play.instructions import Program
from runtime.play.machine import Machine
from runtime.play.obligations import tryout_of
from runtime.play.refused import Refused
from runtime.state.position import GONE, State
from runtime.state.record import Value


@dataclass(frozen=True, slots=True)
class Refusal:
    """How many of the words an action takes, and what stops it; `why` "" is nothing. `explanation` of a question."""

    action: str
    taken: int
    why: str
    explanation: Explanation | None = None


def refusals(game: Machine, course: Course, asked: Sequence[str]) -> list[Refusal]:
    """Try the words where the course stands; the first may name an action."""
    call = course.calls[-1]
    step = game.programs.of[call.key].code[call.at]
    asker = _Asker(game, course.state, course)
    found: list[Refusal] = []
    if isinstance(step, graph.Choose):
        found.append(asker.goes(_Way(game.programs.of[call.key], call.at, dict(call.names), tuple(asked))))
    elif isinstance(step, graph.Offer):
        side = game.choices.asked(call).side(course.state, call.names)
        found += asker.offered(step, call.names, side, tuple(asked))
    return sorted(found, key=lambda each: -each.taken)


def reason(machine: Machine, state: State, action: str, refused: Refused) -> str:
    """Word why an action was refused: how its condition fails, or what the member it names is not among.

    "" where that cannot be said: what is worded may ask what nothing answers.
    """
    program = machine.programs.of[f"action:{refused.opener or action}"]
    asker, way = _Asker(machine, state), _Way(program, 0, dict(refused.names), ())
    with suppress(Unanswered):
        if refused.condition is not None:
            return asker.worded(way, refused.condition)
        for step in program.code:
            if isinstance(step, graph.Choose) and step.name == refused.choice:
                return asker.closed(way, step)
    return ""


@dataclass(frozen=True, slots=True)
class _Way:
    """A way into a procedure: where it stands, what is bound, and the words that are still to be taken."""

    program: Program
    at: int
    names: Names
    words: tuple[str, ...]
    taken: int = 0


class _Asker:
    """Asks in one position."""

    def __init__(self, game: Machine, state: State, course: Course | None = None) -> None:
        self.game = game
        self.course = course
        self.state = state
        self.evaluate = game.evaluator.evaluate

    def offered(self, offer: graph.Offer, names: Names, side: str, asked: tuple[str, ...]) -> Iterator[Refusal]:
        """Try every action of an offer."""
        known = [name for name, _ in offer.actions]
        wanted = asked[0] if asked and f"action:{asked[0]}" in self.game.programs.of else ""
        for name, arguments in offer.actions:
            values = tuple(self.evaluate(self.state, argument, names) for argument in arguments)
            opening = self.game.choices.opening(f"action:{name}", values, side)
            yield from self.action(name, opening, asked, wanted)
        if wanted and wanted not in known and not self.inside(known, wanted):
            yield Refusal(wanted, 1, f"{words.spaced(wanted)} is not offered now")

    def inside(self, known: Sequence[str], wanted: str) -> bool:
        """Say whether one of these actions offers what is wanted."""
        return any(wanted in dict(offer.actions) for name in known for offer in self.offers(name))

    def offers(self, action: str) -> Iterator[graph.Offer]:
        """List the offers within an action."""
        yield from (step for step in self.game.programs.of[f"action:{action}"].code if isinstance(step, graph.Offer))

    def action(self, name: str, names: Names, asked: tuple[str, ...], wanted: str) -> Iterator[Refusal]:
        """Try an action from its beginning, and those that it offers to whoever was chosen."""
        program = self.game.programs.of[f"action:{name}"]
        named = int(wanted == name)
        bound = dict(names)
        if wanted in ("", name):
            first = self.goes(_Way(program, 0, bound, asked[named:], named))
            yield first
        elif any(wanted in dict(offer.actions) for offer in self.offers(name)):
            first = self.goes(_Way(program, 0, bound, asked[1:2], 1))
            if first.why:
                yield replace(first, action=wanted)
        else:
            return
        rest = asked[first.taken :]
        if first.why or not rest:
            return
        for offer in self.offers(name):
            for inner, arguments in offer.actions:
                if (values := self.known(arguments, bound)) is None or wanted not in ("", name, inner):
                    continue
                opening = self.game.choices.opening(f"action:{inner}", values, str(bound["player"]))
                yield self.goes(_Way(self.game.programs.of[f"action:{inner}"], 0, opening, rest, first.taken))

    def known(self, arguments: Sequence[graph.Expr], names: Names) -> tuple[Value, ...] | None:
        """Evaluate arguments, unless they name what is only known once the action is under way."""
        try:
            return tuple(self.evaluate(self.state, argument, names) for argument in arguments)
        except (KeyError, Unanswered):
            return None

    def goes(self, way: _Way) -> Refusal:
        """Go as far as conditions and words allow; what was chosen stays in `way.names`."""
        name = way.program.procedure.name
        taken, left = way.taken, list(way.words)
        try:
            for at in range(way.at, max(way.program.prefix, way.at + 1)):
                step = way.program.code[at]
                if isinstance(step, graph.Let):
                    way.names[step.name] = self.evaluate(self.state, step.value, way.names)
                elif isinstance(step, graph.Legal):
                    if found := self.failed(way, step.condition):
                        return Refusal(name, taken, *found)
                elif isinstance(step, graph.Choose):
                    word = left.pop(0) if left else ""
                    if found := self.chosen(way, at, step, word):
                        return Refusal(name, taken, *found)
                    taken += bool(word)
        except Unanswered as unanswered:
            return Refusal(name, taken, str(unanswered))
        return Refusal(name, taken, self.missed(way) if not left else "")

    def missed(self, way: _Way) -> str:
        """Say what could not come to be any more once an action is over that is open otherwise; "" if nothing."""
        course, obligations = self.course, self.game.obligations
        if course is None or not obligations.are_running(course):
            return ""
        place = next(obligations.running(course))
        call, here = course.calls[place], course.calls[-1]
        step = self.game.programs.of[here.key].code[here.at]
        trial = tryout_of(course)
        if here.key == way.program.key:
            trial.calls.pop()
        elif not isinstance(step, graph.Offer) or way.program.procedure.name not in dict(step.actions):
            return ""
        trial.calls.append(Call(way.program.key, max(way.program.prefix, way.at + 1), dict(way.names)))
        offer = obligations.offers[call.key, call.at]
        if offer.until is None or obligations.lookahead(offer, place).after(trial, None, 1) is not False:
            return ""
        return f"after that it can no longer come to be that {self.speaker(way).clause(offer.until)}"

    def chosen(self, way: _Way, at: int, step: graph.Choose, word: str) -> tuple[str, Explanation | None] | None:
        """Bind what a word names, or without a word whatever leads on; say why if that cannot be."""
        if not word:
            members = tuple(self.evaluate(self.state, step.source, way.names))
            if not members:
                return f"there is nothing to choose `{step.name}` from", None
            way.names[step.name] = members if step.how else self.leading(way, at, step, members)
            return None
        type_ = way.program.members[at]
        candidates = named(self.state, type_, word)
        if not candidates and type_ is not None and not isinstance(type_, graph.Hex | graph.Piece):
            members = tuple(self.evaluate(self.state, step.source, way.names))
            candidates = [member for member in members if say(self.state, member, type_).lower() == word.lower()]
        if not candidates:
            wanted = {graph.Hex: "hex", graph.Piece: "piece"}.get(type(type_), "")
            return f"{word} is no {wanted}" if wanted else f"`{step.name}` cannot be {word}", None
        bars = [self.kept_out(way, step, candidate) for candidate in candidates]
        place = bars.index(None) if None in bars else 0
        way.names[step.name] = (candidates[place],) if step.how else candidates[place]
        return bars[place]

    def leading(self, way: _Way, at: int, step: graph.Choose, members: Sequence[Value]) -> Value:
        """Pick a member from which the action can be finished, or else the first."""
        search = self.game.choices.searches.get(way.program.key)
        if search is None or at >= way.program.prefix:
            return members[0]
        done = sum(isinstance(earlier, graph.Choose) for earlier in way.program.code[: at + 1])
        return next((m for m in members if search.completes(self.state, done, {**way.names, step.name: m})), members[0])

    def kept_out(self, way: _Way, step: graph.Choose, value: Value) -> tuple[str, Explanation | None] | None:
        """Say why a value is not among what a choice is made from."""
        source = step.source
        match source:
            case graph.Fold("gather", var, source, where, None):
                if value in self.evaluate(self.state, source, way.names):
                    return self.failed(replace(way, names={**way.names, var: value}), where)
            case _ if value in self.evaluate(self.state, source, way.names):
                return None
        type_ = way.program.members[way.program.code.index(step)]
        told = say(self.state, value, type_) if type_ else str(value)
        if isinstance(type_, graph.Piece) and self.state.hex[value] < 0:
            return f"{told} is {'gone' if self.state.hex[value] == GONE else 'not on the map'}", None
        return f"{told} is not among {self.speaker(way).phrase(source)}", None

    def closed(self, way: _Way, step: graph.Choose) -> str:
        """Say why a choice does not take what is bound, or has nothing to take; "" where it takes one of several."""
        if step.name in way.names:
            wanted = way.names[step.name] if step.how else (way.names[step.name],)
            found = next(filter(None, (self.kept_out(way, step, value) for value in wanted)), None)
            return found[0] if found else ""
        match step.source:
            case graph.Fold("gather", var, source, where, None):
                candidates = tuple(self.evaluate(self.state, source, way.names))
                bars = [self.failed(replace(way, names={**way.names, var: each}), where) for each in candidates]
                if None in bars:
                    return ""
                why = f", as {bars[0][0]}" if len(bars) == 1 and bars[0] else ""
                return f"there is nothing to choose{why}"
            case source:
                return "" if self.evaluate(self.state, source, way.names) else "there is nothing to choose"

    def failed(self, way: _Way, condition: graph.Expr | None) -> tuple[str, Explanation | None] | None:
        """Find the first part of a condition that does not hold, with the question of the rules in it."""
        for part in conjuncts(condition):
            if self.evaluate(self.state, part, way.names):
                continue
            asked = next((each for each in walk(part) if isinstance(each, graph.Ask)), None)
            explanation = self.explained(way, asked) if asked else None
            if explanation and part == asked:
                return explanation.sentence, explanation
            return self.worded(way, part), explanation
        return None

    def worded(self, way: _Way, part: graph.Expr) -> str:
        """Say how a condition fails."""
        speaker = self.speaker(way)
        return failing(part, speaker, lambda expr: self.told(way, expr, speaker))

    def explained(self, way: _Way, asked: graph.Ask) -> Explanation | None:
        """Explain a question, if all it names is known."""
        values = self.known(asked.arguments, way.names)
        return (
            None
            if values is None
            else Explainer(Interpreter(self.game.graph)).explain(self.state, asked.term, values, 1)
        )

    def told(self, way: _Way, expr: graph.Expr, speaker: Wording) -> str:
        """Say what an expression is worth."""
        type_ = type_of(expr, speaker.names, self.game.graph)
        return say(self.state, self.evaluate(self.state, expr, way.names), type_)

    def speaker(self, way: _Way) -> Wording:
        """Speak of everything bound by the names of what it is."""
        types: dict[str, graph.Type] = {"player": SIDE}
        types |= {each.name: each.type for each in way.program.procedure.parameters}
        for step, member in zip(way.program.code, way.program.members, strict=True):
            if isinstance(step, graph.Choose) and member is not None:
                types[step.name] = graph.Many("set", member) if step.how else member
                if isinstance(step.source, graph.Fold):
                    types[step.source.var] = member
            elif isinstance(step, graph.Let) and step.name in way.names:
                types[step.name] = type_of(step.value, types, self.game.graph)
        types = {name: type_ for name, type_ in types.items() if name in way.names}
        calls = {name: say(self.state, way.names[name], type_) for name, type_ in types.items()}
        return Wording(self.game.graph, calls, types)


def named(state: State, type_: graph.Type | None, word: str) -> list[Value]:
    """List the hexes or pieces that a word names: a hex by its name, pieces by theirs or their counter's."""
    low = word.lower()
    match type_:
        case graph.Hex():
            return [index for name, index in state.board.index.items() if name.lower() == low]
        case graph.Piece():
            own = [piece for piece, sheet in enumerate(state.sheets) if sheet.name.lower() == low]
            return own or [piece for piece, sheet in enumerate(state.sheets) if sheet.counter.lower() == low]
        case _:
            return []
