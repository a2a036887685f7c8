"""Build types, declarations and terms."""

from compiler.source import nodes as source
from compiler.source.building.parts import Parts, cites, cover, every, maybe_text, maybe_word, names, word
from compiler.source.nodes.words import as_hexes
from compiler.source.scanner import Token
from runtime.graph.operators import plain

# ---------------------------------------------------------------- types


def range_type(parts: Parts) -> source.RangeType:
    """Build `0..24 MP`."""
    low, _, high, measure_ = parts
    return source.RangeType(cover(parts), int(low.value), int(high.value), maybe_word(measure_))


def many_type(parts: Parts) -> source.ManyType:
    """Build `set of T` or `list of T`."""
    shape, _, element_type = parts
    return source.ManyType(cover(parts), shape.text, element_type)


def name_type(parts: Parts) -> source.NameType:
    """Build `unit|stump`."""
    return source.NameType(cover(parts), tuple(map(as_hexes, names(parts))))


def param(parts: Parts) -> source.Parameter:
    """Build `name: type`."""
    return source.Parameter(cover(parts), word(parts[0]), parts[2])


def params(parts: Parts) -> tuple[source.Parameter, ...]:
    """Build a list of parameters, which may be empty."""
    return every(source.Parameter, parts)


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


def marked_item(parts: Parts) -> source.Item:
    """Build a declared name with its wording and its marker."""
    name_, reads_, _, marker = parts
    return source.Item(cover(parts), word(name_), maybe_text(reads_), maybe_text(marker))


def measure(parts: Parts) -> source.Measure:
    """Build `measure MP "movement point"`."""
    return source.Measure(cover(parts), every(source.Item, parts))


def sides(parts: Parts) -> source.Sides:
    """Build `side elves, dwarves`."""
    return source.Sides(cover(parts), every(source.Item, parts))


def enumeration(parts: Parts) -> source.Enumeration:
    """Build `enum NAME: a, b`, or more members for one."""
    return source.Enumeration(cover(parts), word(parts[2]), every(source.Item, parts), extends=parts[0] is not None)


def domain(parts: Parts) -> source.Domain:
    """Build `domain die = 1..6 pips`."""
    return source.Domain(cover(parts), word(parts[1]), parts[3])


def scale(parts: Parts) -> source.Scale:
    """Build `scale odds in columns: '1-1' = 0`."""
    _, name_, _, measure_, *_ = parts
    return source.Scale(cover(parts), word(name_), maybe_word(measure_), every(source.ScaleItem, parts), extends=False)


def extend_scale(parts: Parts) -> source.Scale:
    """Build `extend scale odds: '5-1' = 4`."""
    return source.Scale(cover(parts), word(parts[2]), None, every(source.ScaleItem, parts), extends=True)


def scale_item(parts: Parts) -> source.ScaleItem:
    """Build `'2-1' = 1`, `'1-2' = 1/2`."""
    return source.ScaleItem(cover(parts), word(parts[0]), plain(parts[2].value))


def kind(parts: Parts) -> source.Kind:
    """Build `kind unit has attack: 0..60`."""
    return source.Kind(cover(parts), word(parts[1]), every(source.Parameter, parts))


def extend_kind(parts: Parts) -> source.ExtendKind:
    """Build `extend kind unit has morale: 0..9 = 5`."""
    return source.ExtendKind(cover(parts), word(parts[2]), every(source.AddedFactor, parts))


def factor(parts: Parts) -> source.AddedFactor:
    """Build `morale: 0..9 = 5`."""
    return source.AddedFactor(cover(parts), word(parts[0]), parts[2], parts[-1])


def first(parts: Parts) -> source.Scalar:
    """Build what counters show first, as the cell of a chart."""
    text = " ".join(part.text for part in parts if part is not None)
    return source.Scalar(cover(parts), text.replace("- ", "-").strip("'"))


def flags(parts: Parts) -> source.Flags:
    """Build `trait unit: a, b` or `feature hex: a, b marker "B"`."""
    return source.Flags(cover(parts), parts[0].text, as_hexes(word(parts[1])), every(source.Item, parts))


def path(parts: Parts) -> source.Flags:
    """Build `path lane`."""
    return source.Flags(cover(parts), "path", None, every(source.Item, parts))


def place(parts: Parts) -> source.Place:
    """Build `place inside of den`."""
    return source.Place(cover(parts), word(parts[1]), word(parts[3]))


def status(parts: Parts) -> source.Status:
    """Build `status unit: a, b`."""
    return source.Status(cover(parts), as_hexes(word(parts[1])), every(source.StatusItem, parts))


def status_item(parts: Parts) -> source.StatusItem:
    """Build `sleepy marker "S" until end of turn`."""
    name_, reads_, _, marker, until_ = parts
    return source.StatusItem(cover(parts), word(name_), maybe_text(reads_), maybe_text(marker), until_)


def until(parts: Parts) -> source.Moment | None:
    """Build `until end of NAME`."""
    return None if parts[0] is None else source.Moment(cover(parts[1:]), word(parts[3]))


def track(parts: Parts) -> source.Track:
    """Build `track unit.spent: 0..12 MP = 0 MP until end of movement`."""
    _, owner, _, name_, _, type_, _, initial, until_, required_ = parts
    return source.Track(cover(parts), as_hexes(word(owner)), word(name_), type_, initial, until_, required_)


def required(parts: Parts) -> source.Requirement:
    """Build `required "why" when CONDITION for NAME, NAME`."""
    _, reason, _, condition, *name_tokens = parts
    return source.Requirement(cover(parts), str(reason.value), condition, names(name_tokens))


def requires(parts: Parts) -> source.Requires:
    """Build `requires scenario.ways_out "why" when CONDITION for NAME, NAME`."""
    keyword, owner, _, name_, *rest = parts
    return source.Requires(cover(parts), word(owner), word(name_), required([keyword, *rest]))


def relation(parts: Parts) -> source.Relation:
    """Build `relation rides(mount: unit, rider: unit) one mount keeps since: 0..9 ends when mount is gone`."""
    _, name_, _, left, _, right, _, _, unique_end, _, keeps, _, _, ends = parts
    return source.Relation(cover(parts), word(name_), left, right, maybe_word(unique_end), keeps, ends)


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


def moment(parts: Parts) -> source.Moment:
    """Build `end of NAME`."""
    return source.Moment(cover(parts), word(parts[2]))


def task(parts: Parts) -> source.Task:
    """Build a task, which extends over several turns."""
    _, name, _, fields, _, _, counter, _, moment, cited, _, lost_, over_, waits_, _ = parts
    return source.Task(cover(parts), word(name), fields, counter, moment, cites(cited), lost_, over_, waits_)


def event(parts: Parts) -> source.Event:
    """Build `event entered(imp: unit)`."""
    return source.Event(cover(parts), word(parts[1]), parts[3])


def always(parts: Parts) -> source.Always:
    """Build `always LABEL condition`."""
    _, label, cited_, condition = parts
    return source.Always(cover(parts), word(label), cites(cited_), condition)


def precondition(parts: Parts) -> source.Precondition:
    """Build `precondition LABEL(params) needs e before STEP when e but not in action x`."""
    _, label, _, params_, _, cited_, prose_, _, needs, _, step, condition, exempt = parts
    return source.Precondition(
        cover(parts), word(label), params_, cites(cited_), maybe_text(prose_) or "", needs, step, condition, exempt
    )


def table_precondition(parts: Parts) -> source.Precondition:
    """Build `precondition LABEL(params) at the table needs e`."""
    _, label, _, params_, _, cited_, prose_, *_, needs = parts
    prose = maybe_text(prose_) or ""
    return source.Precondition(cover(parts), word(label), params_, cites(cited_), prose, needs, None, None, ())


def extend_precondition(parts: Parts) -> source.ExtendPrecondition:
    """Build `extend precondition LABEL but not in action x`."""
    _, _, label, exempt = parts
    return source.ExtendPrecondition(cover(parts), word(label), exempt)


def begin(parts: Parts) -> source.Begin:
    """Build `act march(mover: u, to: h)`."""
    return source.Begin(cover(parts), word(parts[1]), tuple(part for part in parts if type(part) is tuple))


def begun_with(parts: Parts) -> tuple[source.Word, source.Word]:
    """Build one choice of an action with the name that refers to it."""
    choice, _, name = parts
    return word(choice), word(name)


def excepting(parts: Parts) -> tuple[source.Doing, ...]:
    """Return the procedures behind `but not in`."""
    return every(source.Doing, parts)


def outcome(parts: Parts) -> source.Outcome:
    """Build `outcome NAME from NAME`."""
    collected = parts[-1] if len(parts) > 2 and parts[-1] is not None else None
    return source.Outcome(cover(parts), word(parts[1]), None if collected is None else word(collected))


def wording(parts: Parts) -> source.Wording:
    """Build `wording MP "movement points"`, or `wording form.direct "direct fire"`."""
    *_, name_, reads_ = parts
    return source.Wording(cover(parts), maybe_word(parts[1]), word(name_), reads_.value)


# ---------------------------------------------------------------- terms


def term(parts: Parts) -> source.Term:
    """Build a term."""
    form, name_, _, parameters, _, type_, cited_, stages_, capped_, default_, otherwise_, reads_ = parts
    return source.Term(
        cover(parts),
        form.text,
        word(name_),
        parameters,
        type_,
        cites(cited_),
        () if stages_ is None else names(stages_),
        None if capped_ is None else capped_[1],
        None if default_ is None else default_[1].text,
        None if otherwise_ is None else otherwise_[1],
        reads_,
    )


def define(parts: Parts) -> source.Define:
    """Build `define spent(u: unit) = e`."""
    _, name_, _, parameters, _, type_, cited_, _, body, reads_ = parts
    return source.Define(cover(parts), word(name_), parameters, type_, cites(cited_), body, reads_)


def stage(parts: Parts) -> source.Stage:
    """Build `extend stages TERM: NAME after NAME`."""
    _, _, term_, _, name_, _, after = parts
    return source.Stage(cover(parts), word(term_), word(name_), word(after))


def reads(parts: Parts) -> source.Reads | None:
    """Build `reads "..." denied "..."`."""
    keyword, text, _, denied = parts
    return None if keyword is None else source.Reads(cover(parts), text.value, maybe_text(denied))


def any_word(parts: Parts) -> source.Word:
    """Build a name or a quoted name."""
    return word(parts[0])
