"""Build types, declarations and terms."""

from compiler.source import nodes as source
from compiler.source.building.parts import (
    Parts,
    cover,
    each_of,
    kind_names,
    maybe_text,
    names,
    node,
    optional,
    tuples,
    word,
)
from compiler.source.scanner import Token
from runtime.graph.operators import plain

# ---------------------------------------------------------------- types


range_type = node(source.RangeType, "{low:number} .. {high:number} {measure:word?}")
many_type = node(source.ManyType, "{shape:written} of {of}")
name_type = node(source.NameType, "", names=kind_names)
param = node(source.Parameter, "{name:word} : {type}")
params = each_of(source.Parameter)


def signed(parts: Parts) -> source.Amount:
    """Build a number that may be negative."""
    sign, number = parts
    return source.Amount(cover(parts), number.value if sign is None else -number.value, None)


position = signed


# ---------------------------------------------------------------- the vocabulary


def word_item(parts: Parts) -> source.Item:
    """Build a member of an enumeration with its wording."""
    named: source.Word = parts[0]
    return source.Item(cover(parts), named, maybe_text(parts[1] if len(parts) > 1 else None))


def flag_item(parts: Parts) -> source.Item:
    """Build a declared name with its wording."""
    return source.Item(cover(parts), word(parts[0]), maybe_text(parts[1] if len(parts) > 1 else None))


marked_item = node(source.Item, "{name:word} {reads:value?} marker {marker:value?}")
measure = node(source.Measure, "measure", items=each_of(source.Item))
sides = node(source.Sides, "side", items=each_of(source.Item))
enumeration = node(source.Enumeration, "{extends:given} enum {name:word}", items=each_of(source.Item))
domain = node(source.Domain, "domain {name:word} = {type}")
scale = node(source.Scale, "scale {name:word} in {measure:word?}", items=each_of(source.ScaleItem), extends=False)
extend_scale = node(
    source.Scale, "extend scale {name:word}", measure=None, items=each_of(source.ScaleItem), extends=True
)


scale_item = node(source.ScaleItem, "{name:word} =", value=lambda parts: plain(parts[2].value))
kind = node(source.Kind, "kind {name:word}", printed=each_of(source.Parameter))
extend_kind = node(source.ExtendKind, "extend kind {name:word}", added=each_of(source.AddedFactor))
factor = node(source.AddedFactor, "{name:word} : {type} = {first}")


def first(parts: Parts) -> source.Scalar:
    """Build what counters show first, as the cell of a chart."""
    text = " ".join(part.text for part in parts if part is not None)
    return source.Scalar(cover(parts), text.replace("- ", "-").strip("'"))


flags = node(source.Flags, "{what:written} {owner:kind}", items=each_of(source.Item))
path = node(source.Flags, "path", what="path", owner=None, items=each_of(source.Item))
place = node(source.Place, "place {name:word} of {of:word}")
status = node(source.Status, "status {owner:kind}", items=each_of(source.StatusItem))
status_item = node(source.StatusItem, "{name:word} {reads:value?} marker {marker:value?} {until}")


def until(parts: Parts) -> source.Moment | None:
    """Build `until end of NAME`."""
    return None if parts[0] is None else source.Moment(cover(parts[1:]), word(parts[3]))


track = node(source.Track, "track {owner:kind} . {name:word} : {type} = {initial} {until} {required}")
required = node(source.Requirement, "required {why:value} when {condition}", asked=names)


def requires(parts: Parts) -> source.Requires:
    """Build `requires scenario.ways_out "why" when CONDITION for NAME, NAME`."""
    keyword, owner, _, name_, *rest = parts
    return source.Requires(cover(parts), word(owner), word(name_), required([keyword, *rest]))


relation = node(
    source.Relation,
    "relation {name:word} ( {left} , {right} ) one {one:word?} keeps {keeps} ends when {ends}",
)


def record(parts: Parts) -> source.Record:
    """Build `record run secret {unit: unit}`."""
    fields = tuple(part for part in parts if type(part) is tuple)
    optional = tuple(field.name for field, mark in fields if mark is not None)
    return source.Record(
        cover(parts), word(parts[1]), tuple(field for field, _ in fields), optional, parts[2] is not None
    )


def record_field(parts: Parts) -> tuple[source.Parameter, Token | None]:
    """Build `name: type` or `name: type?`."""
    return source.Parameter(cover(parts[:3]), word(parts[0]), parts[2]), parts[3]


moment = node(source.Moment, "end of {name:word}")
task = node(
    source.Task,
    "task {name:word} ( {fields} ) counts {counter} each {moment} {cites:cites} { {lost} {over} {waits} }",
)
event = node(source.Event, "event {name:word} ( {parameters} )")
always = node(source.Always, "always {label:word} {cites:cites} {condition}")
precondition = node(
    source.Precondition,
    "precondition {label:word} ( {parameters} ) {cites:cites} {prose:text} needs {needs} before {step} {condition} "
    "{exempt}",
)
table_precondition = node(
    source.Precondition,
    "precondition {label:word} ( {parameters} ) {cites:cites} {prose:text} at the table needs {needs}",
    step=None,
    condition=None,
    exempt=(),
)
extend_precondition = node(source.ExtendPrecondition, "extend precondition {label:word} {exempt}")
begin = node(source.Begin, "act {action:word}", choices=tuples)


def begun_with(parts: Parts) -> tuple[source.Word, source.Word]:
    """Build one choice of an action with the name that refers to it."""
    choice, _, name = parts
    return word(choice), word(name)


excepting = each_of(source.ProcedureName)
outcome = node(source.Outcome, "outcome {term:word} from {collected:word?}")
wording = node(source.Wording, "wording {of:word?} . {name:word} {reads:value}")


# ---------------------------------------------------------------- terms


term = node(
    source.Term,
    "{form:written} {name:word} ( {parameters} ) {type} {cites:cites} {stages:names} {capped:inner} _ "
    "{otherwise:inner} {reads}",
    default=lambda parts: None if parts[9] is None else parts[9][1].text,
)
stands_beside = node(source.StandsBeside, "question {term:word} beside {other} but not {excepted:list}")
define = node(source.Define, "define {name:word} ( {parameters} ) {type} {cites:cites} = {body} {reads}")
stage = node(source.Stage, "extend stages {term:word} : {name:word} after {after:word}")


reads = optional(node(source.Reads, "reads {text:value} denied {denied:value?}"))


def any_word(parts: Parts) -> source.Word:
    """Build a name or a quoted name."""
    return word(parts[0])
