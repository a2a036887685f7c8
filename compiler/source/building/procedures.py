"""Build procedures."""

from typing import Any

from compiler.source.building.expressions import arguments
from compiler.source.building.parts import Parts, cites, cover, every, maybe_text, maybe_word, names, word
from compiler.source.nodes import (
    Action,
    Add,
    Assign,
    Beside,
    Branch,
    Choose,
    Create,
    Draw,
    Each,
    Expression,
    Flip,
    Hook,
    Insert,
    Invoke,
    Legal,
    Let,
    Loop,
    Mark,
    Move,
    NamedOffer,
    Not,
    Offer,
    Offered,
    Pair,
    Phase,
    Proceed,
    Range,
    Reaction,
    Remove,
    Replacing,
    Resolution,
    Roll,
    Sequence,
    Stands,
    Step,
    Stop,
    Strike,
    Unpreferred,
    Word,
    Write,
)
from compiler.source.scanner import Token

# A block includes its braces until its owner has computed its span.
Block = tuple[Any, ...]


def block(parts: Parts) -> Block:
    """Return steps with their braces."""
    return tuple(parts)


def steps_in(block_: Block) -> tuple[Step, ...]:
    """Return the steps between the braces; one written step may be several nodes."""
    return tuple(step for part in block_[1:-1] for step in (part if isinstance(part, tuple) else (part,)))


def sequence(parts: Parts) -> Sequence:
    """Build the sequence of play."""
    _, name, cited, block_ = parts
    return Sequence(cover(parts), word(name), cites(cited), steps_in(block_))


def insert(parts: Parts) -> Insert:
    """Build a phase that is inserted beside another."""
    _, phase_, order, anchor = parts
    return Insert(cover(parts), phase_, order.text, word(anchor))


def beside(parts: Parts) -> Beside:
    """Build actions that are offered wherever another one is."""
    *actions, host = every(NamedOffer, parts)
    return Beside(cover(parts), tuple(actions), host)


def named_offer(parts: Parts) -> NamedOffer:
    """Build an action with names for what it is offered with."""
    return NamedOffer(cover(parts), word(parts[0]), names(parts[1:]))


def action(parts: Parts) -> Action:
    """Build an action of a player."""
    _, name, _, parameters, _, side, phases, cited, prose, reads, unpreferred_, instead, block_, account = parts
    return Action(
        cover(parts),
        word(name),
        parameters or (),
        maybe_word(side),
        phases,
        cites(cited),
        maybe_text(prose),
        reads,
        steps_in(block_),
        instead,
        unpreferred_,
        account,
    )


def unpreferred(parts: Parts) -> Unpreferred | None:
    """Build `preferring none "why"`."""
    return Unpreferred(cover(parts), parts[2].value) if parts[0] is not None else None


def acting(parts: Parts) -> Token | None:
    """Return the side that may perform the action."""
    token: Token | None = parts[1]
    return token


def acting_in(parts: Parts) -> tuple[Word, ...]:
    """Return the phases in which the action is open."""
    return names(parts)


def resolution(parts: Parts) -> Resolution:
    """Build a named procedure."""
    _, name, _, parameters, _, cited, prose, instead, block_, account = parts
    text, steps = maybe_text(prose), steps_in(block_)
    return Resolution(cover(parts), word(name), parameters, cites(cited), text, steps, instead, account)


def hook(parts: Parts) -> Hook:
    """Build a hook, a procedure that runs whenever an event is raised."""
    _, event, _, *others, cited, prose, instead, block_, account = parts
    closing = next(index for index, part in enumerate(others) if type(part) is Token and part.text == ")")
    parameters, label, text = names(others[:closing]), maybe_word(others[closing + 1]), maybe_text(prose)
    stated, steps = every(Stands, others), steps_in(block_)
    return Hook(cover(parts), word(event), parameters, label, stated, cites(cited), text, steps, instead, account)


def moment_hook(parts: Parts) -> Hook:
    """Build a hook on the end of a phase, of a turn or of a player's turn."""
    _, moment, label, *others, cited, prose, instead, block_, account = parts
    event = Word(moment.span, f"end of {moment.name.text}")
    text = maybe_text(prose)
    name, stated = maybe_word(label), every(Stands, others)
    steps = steps_in(block_)
    return Hook(cover(parts), event, (), name, stated, cites(cited), text, steps, instead, account)


def replacing(parts: Parts) -> Replacing | None:
    """Build `replaces resolution shake of core expecting "1f3a9c20"`."""
    keyword, target, _, layer, _, expecting = parts
    if keyword is None:
        return None
    found = None if expecting is None else Word(expecting.span, str(expecting.value))
    return Replacing(cover(parts), target, maybe_word(layer), found)


def hook_name(parts: Parts) -> Token | None:
    """Return the name of a hook."""
    label: Token | None = parts[1]
    return label


def stands(parts: Parts) -> Stands:
    """Build `, before goes-first`."""
    _, order, label = parts
    return Stands(cover(parts[1:]), order.text, word(label))


def reaction(parts: Parts) -> Reaction:
    """Build a reaction of another side to an event."""
    _, name, _, side, _, event, _, *parameters, _, cited, prose, reads, unpreferred_, instead, block_, account = parts
    return Reaction(
        cover(parts),
        word(name),
        word(side),
        word(event),
        names(parameters),
        cites(cited),
        maybe_text(prose),
        reads,
        steps_in(block_),
        instead,
        unpreferred_,
        account,
    )


# ---------------------------------------------------------------- steps


def let(parts: Parts) -> Let:
    """Build `let x = e`."""
    _, name, _, value = parts
    return Let(cover(parts), word(name), value)


def legal(parts: Parts) -> Legal:
    """Build `legal e`."""
    return Legal(cover(parts), parts[1])


def choose(parts: Parts) -> Choose:
    """Build `choose any x of 1..3 from S by side preferring e`."""
    _, choosing, name, _, bounds, _, source, chooser, _, preferring = parts
    return Choose(
        cover(parts), None if choosing is None else choosing.text, word(name), bounds, source, chooser, preferring
    )


def chooser(parts: Parts) -> Expression | None:
    """Return the side that chooses."""
    side: Expression | None = parts[1]
    return side


def offer(parts: Parts) -> Offer | tuple[Step, ...]:
    """Build `offer a, b by player must e keeping f otherwise { }`.

    The `otherwise` block becomes a separate step: it runs if the required condition does not hold at the end of the
    offer.
    """
    *_, cited, side, ends, until, _, keeping, _, otherwise = parts
    must, escapes = ends is not None and ends.text == "must", otherwise is not None
    offer_step = Offer(cover(parts), every(Offered, parts), cites(cited), side, until, must, keeping, escapes)
    if not escapes or until is None:
        return offer_step
    return offer_step, Branch(cover(otherwise), Not(until.span, until), steps_in(otherwise), ())


def offered(parts: Parts) -> Offered:
    """Build an action in an offer."""
    return Offered(cover(parts), word(parts[0]), arguments(parts[1:]))


def loop(parts: Parts) -> Loop:
    """Build `for each x in S { }`."""
    _, _, name, _, source, block_ = parts
    return Loop(cover(parts), word(name), source, steps_in(block_))


def branch(parts: Parts) -> Branch:
    """Build `if e { } else { }`."""
    _, condition, block_, _, orelse = parts
    else_steps = () if orelse is None else (orelse,) if isinstance(orelse, Branch) else steps_in(orelse)
    return Branch(cover(parts), condition, steps_in(block_), else_steps)


def tell(parts: Parts) -> Invoke:
    """Build `tell event(a)`."""
    return do([*parts, None])


def do(parts: Parts) -> Invoke:
    """Build `do resolution(a) [X.1]`."""
    keyword, name, _, *argument_parts, _, cited = parts
    return Invoke(cover(parts), keyword.text, word(name), arguments(argument_parts), cites(cited))


def roll(parts: Parts) -> Roll:
    """Build `roll d: die` or `roll d: 1..n`."""
    _, name, _, domain = parts
    return Roll(cover(parts), word(name), domain if isinstance(domain, Range) else word(domain))


def draw(parts: Parts) -> Draw:
    """Build `draw any xs of 3 from S`."""
    _, choosing, name, _, count, _, source = parts
    return Draw(cover(parts), None if choosing is None else choosing.text, word(name), count, source)


def each(parts: Parts) -> Each:
    """Build `each turn in 1..8 { }`."""
    _, name, cited, _, source, block_ = parts
    return Each(cover(parts), word(name), cites(cited), source, steps_in(block_))


def phase(parts: Parts) -> Phase:
    """Build `phase fire "Fire" { }`."""
    _, name, title, cited, instead, block_ = parts
    return Phase(cover(parts), word(name), maybe_text(title), cites(cited), steps_in(block_), instead)


def stop(parts: Parts) -> Stop:
    """Build `stop`."""
    return Stop(cover(parts))


def proceed(parts: Parts) -> Proceed:
    """Build `proceed`."""
    return Proceed(cover(parts))


def assign(parts: Parts) -> Assign:
    """Build `set x.track to e`."""
    _, target, _, value = parts
    return Assign(cover(parts), target, value)


def mark(parts: Parts) -> Mark:
    """Build `mark x as status` or `unmark`."""
    verb, subject, _, status = parts
    return Mark(cover(parts), subject, word(status), on=verb.text == "mark")


def move(parts: Parts) -> Move:
    """Build `move x to h in place`."""
    _, subject, _, to, _, place = parts
    return Move(cover(parts), subject, to, maybe_word(place))


def move_off(parts: Parts) -> Remove:
    """Build `move x off`."""
    return Remove(cover(parts), parts[1], for_good=False)


def flip(parts: Parts) -> Flip:
    """Build `flip u` or `restore u`."""
    return Flip(cover(parts), parts[1], "front" if parts[0].text == "restore" else "back")


def remove(parts: Parts) -> Remove:
    """Build `remove x`."""
    return Remove(cover(parts), parts[1])


def create(parts: Parts) -> Create:
    """Build `create stump named w at h of side`."""
    _, kind, _, name, _, space, _, owner = parts
    return Create(cover(parts), word(kind), maybe_word(name), space, owner)


def relate(parts: Parts) -> Pair:
    """Build `relate rides(a, b, payload)`."""
    _, relation, _, left, _, right, _, payload, _ = parts
    return Pair(cover(parts), word(relation), left, right, payload, on=True)


def unrelate(parts: Parts) -> Pair:
    """Build `unrelate rides(a, b)`."""
    _, relation, _, left, _, right, _ = parts
    return Pair(cover(parts), word(relation), left, right, None, on=False)


def write(parts: Parts) -> Write:
    """Build `write r = run(unit: u)`."""
    _, name, _, record = parts
    return Write(cover(parts), maybe_word(name), record)


def strike(parts: Parts) -> Strike:
    """Build `strike r`."""
    return Strike(cover(parts), parts[1])


def add(parts: Parts) -> Add:
    """Build `add e to x.track`."""
    _, element, _, target = parts
    return Add(cover(parts), element, target)
