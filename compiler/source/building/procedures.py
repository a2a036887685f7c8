"""Build procedures."""

from compiler.source import nodes as source
from compiler.source.building.parts import (
    Parts,
    arguments,
    cites,
    cover,
    each_of,
    every,
    maybe_word,
    names,
    node,
    optional,
    steps_in,
    word,
)
from compiler.source.nodes import Account, AccountField, AccountText, Expression, Word
from compiler.source.scanner import Token

sequence = node(source.Sequence, "sequence {name:word} {cites:cites} {body:steps}")
insert = node(source.Insert, "insert {phase} {order:written} {anchor:word}")


def beside(parts: Parts) -> source.Beside:
    """Build actions that are offered wherever another one is."""
    *actions, host = every(source.NamedOffer, parts)
    return source.Beside(cover(parts), tuple(actions), host)


named_offer = node(source.NamedOffer, "{action:word}", parameters=lambda parts: names(parts[1:]))
action = node(
    source.Action,
    "action {name:word} ( {parameters:list} ) {by:word?} {phases} {cites:cites} {prose:value?} {reads} {unpreferred} "
    "{replaces} {body:steps} {account}",
)


unpreferred = optional(node(source.PreferringNone, "preferring none {why:value}"))
resolution = node(
    source.Resolution,
    "resolution {name:word} ( {parameters} ) {cites:cites} {prose:value?} {replaces} {body:steps} {account}",
)


def _closing(parts: Parts) -> int:
    """Return the place of the closing parenthesis."""
    return next(index for index, part in enumerate(parts) if type(part) is Token and part.text == ")")


hook = node(
    source.Hook,
    "after {event:word} ( ... {cites:cites} {prose:value?} {replaces} {body:steps} {account}",
    parameters=lambda parts: names(parts[3 : _closing(parts)]),
    label=lambda parts: maybe_word(parts[_closing(parts) + 1]),
    stands=each_of(source.HookOrder),
)
moment_hook = node(
    source.Hook,
    "after _ {label:word?} ... {cites:cites} {prose:value?} {replaces} {body:steps} {account}",
    event=lambda parts: source.Word(parts[1].span, f"end of {parts[1].name.text}"),
    parameters=(),
    stands=each_of(source.HookOrder),
)


replacing = optional(node(source.ReplacedProcedure, "replaces {target} of {layer:word?} expecting {expecting:quoted?}"))


def stands(parts: Parts) -> source.HookOrder:
    """Build `, before goes-first`."""
    _, order, label = parts
    return source.HookOrder(cover(parts[1:]), order.text, word(label))


reaction = node(
    source.Reaction,
    "reaction {name:word} by {by:word} to {event:word} ( ... ) {cites:cites} {prose:value?} {reads} {unpreferred} "
    "{replaces} {body:steps} {account}",
    parameters=lambda parts: names(parts[7:]),
)


# ---------------------------------------------------------------- steps

let = node(source.Let, "let {name:word} = {value}")
legal = node(source.Legal, "legal {condition}")
choose = node(source.Choose, "choose {how:written?} {name:word} of {bounds} from {source} {by} preferring {preferring}")


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


offered = node(source.Offered, "{action:word}", arguments=arguments)
loop = node(source.Loop, "for each {name:word} in {source} {body:steps}")


def branch(parts: Parts) -> source.Branch:
    """Build `if e { } else { }`."""
    _, condition, block_, _, orelse = parts
    else_steps = () if orelse is None else (orelse,) if isinstance(orelse, source.Branch) else steps_in(orelse)
    return source.Branch(cover(parts), condition, steps_in(block_), else_steps)


tell = node(source.Invoke, "{what:written} {name:word}", arguments=arguments, cites=())
do = node(source.Invoke, "{what:written} {name:word}", arguments=arguments, cites=lambda parts: cites(parts[-1]))


roll = node(
    source.Roll,
    "roll {name:word} :",
    domain=lambda parts: parts[3] if isinstance(parts[3], source.Range) else word(parts[3]),
)
draw = node(source.Draw, "draw {how:written?} {name:word} of {count} from {source}")
each = node(source.Each, "each {name:word} {cites:cites} in {source} {body:steps}")
phase = node(source.Phase, "phase {name:word} {title:value?} {cites:cites} {replaces} {body:steps}")
stop = node(source.Stop, "stop")
proceed = node(source.Proceed, "proceed")
assign = node(source.Assign, "set {target} to {value}")
mark = node(source.Mark, "mark {subject} as {status:word}", on=lambda parts: parts[0].text == "mark")
move = node(source.Move, "move {subject} to {to} in {place:word?}")
move_off = node(source.Remove, "move {subject} off", for_good=False)
flip = node(source.Flip, "flip {subject}", to=lambda parts: "front" if parts[0].text == "restore" else "back")
remove = node(source.Remove, "remove {subject}")
create = node(source.Create, "create {kind:word} named {name:word?} at {at} of {owner}")
relate = node(source.Pair, "relate {relation:word} ( {left} , {right} , {payload} )", on=True)
unrelate = node(source.Pair, "unrelate {relation:word} ( {left} , {right} )", payload=None, on=False)
write = node(source.Write, "write {name:word?} = {record}")
strike = node(source.Strike, "strike {record}")
add = node(source.Add, "add {element} to {target}")


# The moment of a field is known only to the line that contains it.
NamedArgument = tuple[Word, Expression | None]


def account(parts: Parts) -> Account | None:
    """Build `account [X.1] { .. }`."""
    if parts[0] is None:
        return None
    items = [item for part in parts for item in (part if type(part) is tuple else (part,))]
    return Account(cover(parts), cites(parts[1]), every(AccountField, items), every(AccountText, items))


def account_fields(parts: Parts) -> tuple[AccountField, ...]:
    """Build `before a, b = e`."""
    moment = parts[0].text
    return tuple(AccountField(each.span, moment, each.name, each.value) for each in every(AccountField, parts))


account_field = node(AccountField, "{name:word} = {value}", moment="")  # `account_fields` sets it.
account_text = node(AccountText, "{what:written} {text:quoted?} when {condition}")
