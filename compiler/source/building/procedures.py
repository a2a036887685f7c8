"""Build procedures."""

from typing import Any

from compiler.source import nodes as source
from compiler.source.building.expressions import arguments
from compiler.source.building.parts import Parts, cites, cover, every, maybe_text, maybe_word, names, word
from compiler.source.scanner import Token


def steps_in(block_: tuple[Any, ...]) -> tuple[source.Step, ...]:
    """Return the steps between the braces; one written step may be several nodes."""
    return tuple(step for part in block_[1:-1] for step in (part if isinstance(part, tuple) else (part,)))


def sequence(parts: Parts) -> source.Sequence:
    """Build the sequence of play."""
    _, name, cited, block_ = parts
    return source.Sequence(cover(parts), word(name), cites(cited), steps_in(block_))


def insert(parts: Parts) -> source.Insert:
    """Build a phase that is inserted beside another."""
    _, phase_, order, anchor = parts
    return source.Insert(cover(parts), phase_, order.text, word(anchor))


def beside(parts: Parts) -> source.Beside:
    """Build actions that are offered wherever another one is."""
    *actions, host = every(source.NamedOffer, parts)
    return source.Beside(cover(parts), tuple(actions), host)


def named_offer(parts: Parts) -> source.NamedOffer:
    """Build an action with names for what it is offered with."""
    return source.NamedOffer(cover(parts), word(parts[0]), names(parts[1:]))


def action(parts: Parts) -> source.Action:
    """Build an action of a player."""
    _, name, _, parameters, _, side, phases, cited, prose, reads, unpreferred_, instead, block_, account = parts
    return source.Action(
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


def unpreferred(parts: Parts) -> source.Unpreferred | None:
    """Build `preferring none "why"`."""
    return source.Unpreferred(cover(parts), parts[2].value) if parts[0] is not None else None


def resolution(parts: Parts) -> source.Resolution:
    """Build a named procedure."""
    _, name, _, parameters, _, cited, prose, instead, block_, account = parts
    text, steps = maybe_text(prose), steps_in(block_)
    return source.Resolution(cover(parts), word(name), parameters, cites(cited), text, steps, instead, account)


def hook(parts: Parts) -> source.Hook:
    """Build a hook, a procedure that runs whenever an event is raised."""
    _, event, _, *others, cited, prose, instead, block_, account = parts
    closing = next(index for index, part in enumerate(others) if type(part) is Token and part.text == ")")
    parameters, label, text = names(others[:closing]), maybe_word(others[closing + 1]), maybe_text(prose)
    stated, steps = every(source.Stands, others), steps_in(block_)
    return source.Hook(
        cover(parts), word(event), parameters, label, stated, cites(cited), text, steps, instead, account
    )


def moment_hook(parts: Parts) -> source.Hook:
    """Build a hook on the end of a phase, of a turn or of a player's turn."""
    _, moment, label, *others, cited, prose, instead, block_, account = parts
    event = source.Word(moment.span, f"end of {moment.name.text}")
    text = maybe_text(prose)
    name, stated = maybe_word(label), every(source.Stands, others)
    steps = steps_in(block_)
    return source.Hook(cover(parts), event, (), name, stated, cites(cited), text, steps, instead, account)


def replacing(parts: Parts) -> source.Replacing | None:
    """Build `replaces resolution shake of core expecting "1f3a9c20"`."""
    keyword, target, _, layer, _, expecting = parts
    if keyword is None:
        return None
    found = None if expecting is None else source.Word(expecting.span, str(expecting.value))
    return source.Replacing(cover(parts), target, maybe_word(layer), found)


def stands(parts: Parts) -> source.Stands:
    """Build `, before goes-first`."""
    _, order, label = parts
    return source.Stands(cover(parts[1:]), order.text, word(label))


def reaction(parts: Parts) -> source.Reaction:
    """Build a reaction of another side to an event."""
    _, name, _, side, _, event, _, *parameters, _, cited, prose, reads, unpreferred_, instead, block_, account = parts
    return source.Reaction(
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


def let(parts: Parts) -> source.Let:
    """Build `let x = e`."""
    _, name, _, value = parts
    return source.Let(cover(parts), word(name), value)


def legal(parts: Parts) -> source.Legal:
    """Build `legal e`."""
    return source.Legal(cover(parts), parts[1])


def choose(parts: Parts) -> source.Choose:
    """Build `choose any x of 1..3 from S by side preferring e`."""
    _, choosing, name, _, bounds, _, members, side, _, preferring = parts
    return source.Choose(
        cover(parts), None if choosing is None else choosing.text, word(name), bounds, members, side, preferring
    )


def offer(parts: Parts) -> source.Offer | tuple[source.Step, ...]:
    """Build `offer a, b by player must e keeping f otherwise { }`.

    The `otherwise` block becomes a separate step: it runs if the required condition does not hold at the end of the
    offer.
    """
    *_, cited, side, ends, until, _, keeping, _, otherwise = parts
    must, escapes = ends is not None and ends.text == "must", otherwise is not None
    offer_step = source.Offer(
        cover(parts), every(source.Offered, parts), cites(cited), side, until, must, keeping, escapes
    )
    if not escapes or until is None:
        return offer_step
    return offer_step, source.Branch(cover(otherwise), source.Not(until.span, until), steps_in(otherwise), ())


def offered(parts: Parts) -> source.Offered:
    """Build an action in an offer."""
    return source.Offered(cover(parts), word(parts[0]), arguments(parts[1:]))


def loop(parts: Parts) -> source.Loop:
    """Build `for each x in S { }`."""
    _, _, name, _, members, block_ = parts
    return source.Loop(cover(parts), word(name), members, steps_in(block_))


def branch(parts: Parts) -> source.Branch:
    """Build `if e { } else { }`."""
    _, condition, block_, _, orelse = parts
    else_steps = () if orelse is None else (orelse,) if isinstance(orelse, source.Branch) else steps_in(orelse)
    return source.Branch(cover(parts), condition, steps_in(block_), else_steps)


def tell(parts: Parts) -> source.Invoke:
    """Build `tell event(a)`."""
    return do([*parts, None])


def do(parts: Parts) -> source.Invoke:
    """Build `do resolution(a) [X.1]`."""
    keyword, name, _, *argument_parts, _, cited = parts
    return source.Invoke(cover(parts), keyword.text, word(name), arguments(argument_parts), cites(cited))


def roll(parts: Parts) -> source.Roll:
    """Build `roll d: die` or `roll d: 1..n`."""
    _, name, _, domain = parts
    return source.Roll(cover(parts), word(name), domain if isinstance(domain, source.Range) else word(domain))


def draw(parts: Parts) -> source.Draw:
    """Build `draw any xs of 3 from S`."""
    _, choosing, name, _, count, _, members = parts
    return source.Draw(cover(parts), None if choosing is None else choosing.text, word(name), count, members)


def each(parts: Parts) -> source.Each:
    """Build `each turn in 1..8 { }`."""
    _, name, cited, _, members, block_ = parts
    return source.Each(cover(parts), word(name), cites(cited), members, steps_in(block_))


def phase(parts: Parts) -> source.Phase:
    """Build `phase fire "Fire" { }`."""
    _, name, title, cited, instead, block_ = parts
    return source.Phase(cover(parts), word(name), maybe_text(title), cites(cited), steps_in(block_), instead)


def stop(parts: Parts) -> source.Stop:
    """Build `stop`."""
    return source.Stop(cover(parts))


def proceed(parts: Parts) -> source.Proceed:
    """Build `proceed`."""
    return source.Proceed(cover(parts))


def assign(parts: Parts) -> source.Assign:
    """Build `set x.track to e`."""
    _, target, _, value = parts
    return source.Assign(cover(parts), target, value)


def mark(parts: Parts) -> source.Mark:
    """Build `mark x as status` or `unmark`."""
    verb, subject, _, status = parts
    return source.Mark(cover(parts), subject, word(status), on=verb.text == "mark")


def move(parts: Parts) -> source.Move:
    """Build `move x to h in place`."""
    _, subject, _, to, _, place = parts
    return source.Move(cover(parts), subject, to, maybe_word(place))


def move_off(parts: Parts) -> source.Remove:
    """Build `move x off`."""
    return source.Remove(cover(parts), parts[1], for_good=False)


def flip(parts: Parts) -> source.Flip:
    """Build `flip u` or `restore u`."""
    return source.Flip(cover(parts), parts[1], "front" if parts[0].text == "restore" else "back")


def remove(parts: Parts) -> source.Remove:
    """Build `remove x`."""
    return source.Remove(cover(parts), parts[1])


def create(parts: Parts) -> source.Create:
    """Build `create stump named w at h of side`."""
    _, kind, _, name, _, space, _, owner = parts
    return source.Create(cover(parts), word(kind), maybe_word(name), space, owner)


def relate(parts: Parts) -> source.Pair:
    """Build `relate rides(a, b, payload)`."""
    _, relation, _, left, _, right, _, payload, _ = parts
    return source.Pair(cover(parts), word(relation), left, right, payload, on=True)


def unrelate(parts: Parts) -> source.Pair:
    """Build `unrelate rides(a, b)`."""
    _, relation, _, left, _, right, _ = parts
    return source.Pair(cover(parts), word(relation), left, right, None, on=False)


def write(parts: Parts) -> source.Write:
    """Build `write r = run(unit: u)`."""
    _, name, _, record = parts
    return source.Write(cover(parts), maybe_word(name), record)


def strike(parts: Parts) -> source.Strike:
    """Build `strike r`."""
    return source.Strike(cover(parts), parts[1])


def add(parts: Parts) -> source.Add:
    """Build `add e to x.track`."""
    _, element, _, target = parts
    return source.Add(cover(parts), element, target)
