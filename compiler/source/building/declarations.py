"""Build types, declarations and terms."""

from compiler.source import nodes as source
from compiler.source.building.forms import entry, form
from compiler.source.building.parts import Parts, arguments, cover, tuples, word

# Each rule here chooses among the forms of the classes of a union.
CHOICES = {"declaration": source.Declaration | source.Precondition, "type": source.Type}

# ---------------------------------------------------------------- types


range_type = form(source.RangeType, "{low:signed/number}..{high:signed/number} [{measure:NAME}]")
many_type = form(source.ManyType, '{shape:"set"|"list"} of {of:type}')
name_type = form(source.NameType, '{names:NAME/kinds "|"+}')
param = form(source.Parameter, "{name:NAME}: {type:type}")
params = arguments


def signed(parts: Parts) -> source.Amount:
    """Build a number that may be negative."""
    sign, number = parts
    return source.Amount(cover(parts), number.value if sign is None else -number.value, None)


position = signed


# ---------------------------------------------------------------- the vocabulary
word_item = form(source.Item, '{name:any_word} [{number:"singular"|"plural"}] [{reads:STRING}]', marker=None)
flag_item = form(source.Item, "{name:NAME} [{reads:STRING}]")
marked_item = form(source.Item, "{name:NAME} [{reads:STRING}] [marker {marker:STRING}]")
measure = form(source.Measure, 'measure {items:flag_item ","+}')
sides = form(source.Sides, 'side {items:word_item ","+}')
enumeration = form(source.Enumeration, '[{extends:"extend"=yes}] enum {name:NAME}: {items:word_item ","+}')
domain = form(source.Domain, "domain {name:NAME} = {type:range_type}")
scale = form(source.Scale, 'scale {name:NAME} [in {measure:NAME}]: {items:scale_item ","+}', extends=False)
extend_scale = form(
    source.Scale,
    'extend scale {name:NAME}: {items:scale_item ","+}',
    alternative_of="scale",
    measure=None,
    extends=True,
)
scale_item = form(source.ScaleItem, "{name:QUOTED} = {value:position/plain}")
kind = form(source.Kind, 'kind {name:NAME} [has {printed:param ","+}]')
extend_kind = form(source.ExtendKind, 'extend kind {name:NAME} has {added:factor ","+}', alternative_of="kind")
factor = form(source.AddedFactor, "{name:NAME}: {type:type} [= {first:first}]")


def first(parts: Parts) -> source.Scalar:
    """Build what counters show first, as the cell of a chart."""
    text = " ".join(part.text for part in parts if part is not None)
    return source.Scalar(cover(parts), text.replace("- ", "-").strip("'"))


flags = form(source.Flags, '{what:FLAGS} {owner:NAME/kind}: {items:marked_item ","+}')
path = form(source.Flags, 'path {items:flag_item ","+}', what="path", owner=None)
place = form(source.Place, "place {name:NAME} of {of:NAME}")
status = form(source.Status, 'status {owner:NAME/kind}: {items:status_item ","+}')
status_item = form(source.StatusItem, "{name:NAME} [{reads:STRING}] [marker {marker:STRING}] {until:until}")


def until(parts: Parts) -> source.Moment | None:
    """Build `until end of NAME`."""
    return None if parts[0] is None else source.Moment(cover(parts[1:]), word(parts[3]))


track = form(
    source.Track,
    "track {owner:NAME/kind}.{name:NAME}: {type:type} [= {initial:sum}] {until:until} [{required:required}]",
)
required = form(source.Requirement, 'required {why:STRING} [when {condition:expression}] [for {asked:NAME ","+}]')
requires = form(
    source.Requires,
    'requires {owner:NAME}.{name:NAME} {:STRING} [when {:expression}] [for {:NAME ","+}]',
    demand=lambda parts: required.build([parts[0], *parts[4:]]),
)
relation = form(
    source.Relation,
    "relation {name:NAME}({left:param}, {right:param}) [one {one:NAME}] [keeps {keeps:param}] "
    "[ends when {ends:expression}]",
)
record = form(
    source.Record,
    'record {name:NAME} [{secret:"secret"=yes}] "{" {:record_field ","+} "}"',
    fields=lambda parts: tuple(field for field, _ in tuples(parts)),
    optional=lambda parts: tuple(field.name for field, is_optional in tuples(parts) if is_optional),
)
record_field = entry('{field:param} [{optional:"?"=yes}]')
moment = form(source.Moment, "end of {name:NAME}")
task = form(
    source.Task,
    "task {name:NAME}({fields:params}) counts {counter:param} each {moment:moment} {cites:cited} "
    '"{" {lost:lost} {over:over} {waits:waits} "}"',
)
event = form(source.Event, "event {name:NAME}({parameters:params})")
always = form(source.Always, "always {label:LABEL} {cites:cited} {condition:expression}")
precondition = form(
    source.Precondition,
    "precondition {label:LABEL}({parameters:params}) {cites:cited} {prose:prose/text} needs {needs:expression} "
    "before {step:governed} {condition:only_where} {exempt:excepting}",
)
table_precondition = form(
    source.Precondition,
    "precondition {label:LABEL}({parameters:params}) {cites:cited} {prose:prose/text} at the table "
    "needs {needs:expression}",
    alternative_of="precondition",
    step=None,
    condition=None,
    exempt=(),
)
extend_precondition = form(
    source.ExtendPrecondition,
    "extend precondition {label:LABEL} {exempt:excepting}",
    alternative_of="precondition",
)
begin = form(source.Begin, 'act {action:NAME}({choices:begun_with/tuples ","*})')
begun_with = entry("{choice:NAME}: {name:NAME}")
excepting = arguments
outcome = form(source.Outcome, "outcome {term:NAME} [from {collected:NAME}]")
aim = form(source.Aim, "aim {term:NAME} [instead of {replaced:NAME}]", reason="")
no_aim = form(source.Aim, "aim none {reason:STRING}", alternative_of="aim", term=None, replaced=None)
wording = form(
    source.Wording,
    'wording [{of:NAME}.] {name:NAME} [{number:"singular"|"plural"}] [{reads:STRING}] '
    "[says {says:STRING} [denied {denied:STRING}]]",
)


# ---------------------------------------------------------------- terms


term = form(
    source.Term,
    "{form:TERM_KIND} {name:NAME}({parameters:params}) {type:of_type} {cites:cited} {stages:stages} {capped:capped} "
    "{default:default} {otherwise:otherwise} {reads:reads}",
)
stands_beside = form(source.StandsBeside, "question {term:NAME} beside {other:call} [but not {excepted:labels/list}]")
define = form(
    source.Define,
    "define {name:NAME}({parameters:params}) {type:of_type} {cites:cited} = {body:expression} {reads:reads}",
)
stage = form(source.Stage, "extend stages {term:NAME}: {name:NAME} after {after:NAME}")
reads = form(source.Reads, "[reads {text:STRING} [denied {denied:STRING}]]")


def any_word(parts: Parts) -> source.Word:
    """Build a name or a quoted name."""
    return word(parts[0])
