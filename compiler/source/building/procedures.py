"""Build procedures."""

from compiler.source import nodes as source
from compiler.source.building.forms import form
from compiler.source.building.parts import (
    Parts,
    cites,
    cover,
    every,
    maybe_word,
    names,
    steps_in,
    word,
)
from compiler.source.nodes import Account, AccountField, AccountText, Expression, Word
from compiler.source.scanner import Token

# Each rule here chooses among the forms of the classes of a union.
CHOICES = {"conduct": source.Conduct, "step": source.Step, "change": source.Change}

sequence = form(source.Sequence, "sequence {name:NAME} {cites:cited} {body:block}")
insert = form(source.Insert, 'insert {phase:phase} {order:"after"|"before"} {anchor:NAME}')
beside = form(
    source.Beside,
    'offer {:named_offer ","+} beside {host:named_offer}',
    actions=lambda parts: every(source.NamedOffer, parts[:-1]),
)
named_offer = form(source.NamedOffer, '{action:NAME}[({parameters:NAME ","+})]')
action = form(
    source.Action,
    "action {name:NAME}[({parameters:params/list})] {by:acting} {phases:acting_in} {cites:cited} {prose:prose} "
    "{reads:reads} {unpreferred:unpreferred} {replaces:replacing} {body:block} {account:account}",
)
unpreferred = form(source.PreferringNone, "[preferring none {why:STRING}]")
resolution = form(
    source.Resolution,
    "resolution {name:NAME}({parameters:params}) {cites:cited} {prose:prose} {replaces:replacing} {body:block} "
    "{account:account}",
)


def _closing(parts: Parts) -> int:
    """Return the place of the closing parenthesis."""
    return next(index for index, part in enumerate(parts) if type(part) is Token and part.text == ")")


hook = form(
    source.Hook,
    'after {event:NAME}({:NAME ","*}) {:hook_name} {:stands*} {cites:cited} {prose:prose} {replaces:replacing} '
    "{body:block} {account:account}",
    parameters=lambda parts: names(parts[3 : _closing(parts)]),
    label=lambda parts: maybe_word(parts[_closing(parts) + 1]),
    stands=lambda parts: every(source.HookOrder, parts),
)
moment_hook = form(
    source.Hook,
    "after {:moment} {label:hook_name} {stands:stands*} {cites:cited} {prose:prose} {replaces:replacing} {body:block} "
    "{account:account}",
    event=lambda parts: source.Word(parts[1].span, f"end of {parts[1].name.text}"),
    parameters=(),
)
replacing = form(
    source.ReplacedProcedure,
    "[replaces {target:procedure_name} [of {layer:NAME}] [expecting {expecting:STRING/title}]]",
)


def stands(parts: Parts) -> source.HookOrder:
    """Build `, before goes-first`."""
    _, order, label = parts
    return source.HookOrder(cover(parts[1:]), order.text, word(label))


reaction = form(
    source.Reaction,
    'reaction {name:NAME} by {by:NAME} to {event:NAME}({parameters:NAME ","*}) {cites:cited} {prose:prose} '
    "{reads:reads} {unpreferred:unpreferred} {replaces:replacing} {body:block} {account:account}",
)


# ---------------------------------------------------------------- steps

let = form(source.Let, "let {name:NAME} = {value:expression}")
legal = form(source.Legal, "legal {condition:expression}")
choose = form(
    source.Choose,
    "choose [{how:CHOOSE_HOW}] {name:NAME} [of {bounds:interval}] from {source:expression} {by:chooser} "
    "[preferring {preferring:expression}]",
)


def _with_escape(offer: source.Offer, parts: Parts) -> source.Offer | tuple[source.Step, ...]:
    """Return an offer and, if it has an `otherwise` block, the step of that block.

    The block runs if the required condition does not hold at the end of the offer.
    """
    if not offer.escapes or offer.until is None:
        return offer
    return offer, source.Branch(cover(parts[-1]), source.Not(offer.until.span, offer.until), steps_in(parts[-1]), ())


offer = form(
    source.Offer,
    'offer {actions:offered ","+} {cites:cited} {by:chooser} [{must:"until"=no|"must"=yes} {until:expression}] '
    "[keeping {keeping:expression}] [otherwise {:block}]",
    selector="offer {actions.action:NAME}",
    finish=_with_escape,
    escapes=lambda parts: parts[-1] is not None,
)
offered = form(source.Offered, '{action:NAME}[({arguments:expression ","+})]')
loop = form(source.Loop, "for each {name:NAME} in {source:expression|interval} {body:block}")
branch = form(source.Branch, "if {condition:expression} {then:block} [else {orelse:block|branch/else}]")
tell = form(
    source.Invoke,
    '{what:"tell"} {name:NAME}({arguments:expression ","*})',
    selector='{what:"tell"} {name:NAME}[({arguments:expression ","*})]',
    cites=(),
)
do = form(
    source.Invoke,
    '{what:"do"} {name:NAME}({arguments:expression ","*}) {cites:cited}',
    selector='{what:"do"} {name:NAME}[({arguments:expression ","*})]',
)
roll = form(source.Roll, "roll {name:NAME}: {domain:NAME|interval}")
draw = form(source.Draw, "draw [{how:CHOOSE_HOW}] {name:NAME} [of {count:sum}] from {source:collection}")
each = form(source.Each, "each {name:NAME} {cites:cited} in {source:collection} {body:block}")
phase = form(source.Phase, "phase {name:NAME} {title:prose} {cites:cited} {replaces:replacing} {body:block}")
stop = form(source.Stop, "stop")
proceed = form(source.Proceed, "proceed", selector="")
assign = form(source.Assign, "set {target:target} to {value:expression}")
_MARK = '{on:"mark"=yes|"unmark"=no} {subject:sum} as {status:NAME}'
mark = form(source.Mark, _MARK, selector=_MARK)
move = form(source.Move, "move {subject:sum} to {to:sum} [in {place:NAME}]")
move_off = form(source.Remove, "move {subject:sum} off", alternative_of="move", for_good=False)
move_off_as_lost = form(
    source.Remove, "move {subject:sum} off as lost", alternative_of="move", for_good=False, as_lost=True
)
flip = form(source.Flip, '{to:"flip"=back|"restore"=front} {subject:sum}')
remove = form(source.Remove, "remove {subject:sum}")
create = form(source.Create, "create {kind:NAME} [named {name:NAME}] at {at:sum} [of {owner:sum}]")
relate = form(source.Pair, "relate {relation:NAME}({left:sum}, {right:sum}[, {payload:sum}])", on=True)
unrelate = form(source.Pair, "unrelate {relation:NAME}({left:sum}, {right:sum})", payload=None, on=False)
write = form(source.Write, "write [{name:NAME} =] {record:make}", selector="write {record.type:NAME}")
strike = form(source.Strike, "strike {record:sum}")
add = form(source.Add, "add {element:sum} to {target:target}", selector="add to {target:target}")


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


account_field = form(AccountField, "{name:NAME} [= {value:expression}]", moment="")  # `account_fields` sets it.
account_text = form(
    AccountText, '{what:"previews"|"tells"|"results"} {text:STRING/title} [when {condition:expression}]'
)
