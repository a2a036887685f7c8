"""The names that a declaration declares and uses."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, get_args

from compiler.source import nodes as source

if TYPE_CHECKING:
    from compiler.index.occurrences import NameWalk

DECLARATIONS = {each.__name__ for each in get_args(source.Declaration)}


def visit_declaration(walk: "NameWalk", node: Any) -> None:  # noqa: C901, PLR0915 - one arm per declaration
    """Record the names of a declaration."""
    match node:
        case source.Measure(items=items):
            _items(walk, items, "type ")  # Types may be called by their measures.
        case source.Sides(items=items):
            _items(walk, items, "member side.")
        case source.Enumeration(name=name, items=items, extends=extends):
            walk.use_name(name, "enum") if extends else walk.declare(name, f"type {name.text}")
            _items(walk, items, f"member {name.text}.")
        case source.Scale(name=name, items=items, extends=extends):
            walk.use_name(name, "scale") if extends else walk.declare(name, f"type {name.text}")
            walk.use_name(node.measure, "measure")
            _items(walk, items, f"place of scale {name.text}.")
        case source.Domain(name=name, type=type_):
            walk.declare(name, f"type {name.text}")
            walk.visit(type_)
        case source.Kind(name=name, printed=printed):
            walk.declare(name, f"type {name.text}")
            with walk.new_scope():
                walk.bind_parameters(printed, f"printed {name.text}")
        case source.ExtendKind(name=name, added=added):
            walk.use_name(name, "kind")
            for factor in added:
                walk.visit(factor.type)
                walk.declare(factor.name, f"printed {name.text}.{factor.name.text}")
                _first_value(walk, factor)
        case source.Flags(what=flag_kind, owner=owner, items=items):
            walk.use_name(owner, "kind")
            _items(walk, items, f"{flag_kind} {owner.text if owner else 'path'}.")
        case source.Place(name=name, of=parent):
            walk.declare(name, f"place {parent.text}.{name.text}")
            walk.use_name(parent, "kind")
        case source.Status(owner=owner, items=items):
            walk.use_name(owner, "kind")
            _items(walk, items, f"status {owner.text}.")
        case source.Track(owner=owner, name=name):
            walk.declare(name, f"track {owner.text}.{name.text}")
            walk.visit_parts(node, "name")
        case source.Requires(owner=owner, name=name):
            walk.mention_symbol(name, f"track {owner.text}.{name.text}")
            walk.visit_parts(node, "name")
        case source.Relation(name=name):
            walk.declare(name, f"relation {name.text}")
            with walk.new_scope():
                ends = (node.left, node.right, *([node.keeps] if node.keeps else []))
                walk.bind_parameters(ends, f"end {name.text}")
                walk.use_name(node.one, f"end {name.text}")
                walk.visit(node.ends)
        case source.Record(name=name, fields=parts):
            walk.declare(name, f"type {name.text}")
            with walk.new_scope():
                walk.bind_parameters(parts, f"record {name.text}")
        case source.Task(name=name, fields=parts):
            walk.declare(name, f"type {name.text}")
            with walk.new_scope():
                walk.bind_parameters((*parts, node.counter), f"record {name.text}")
                walk.visit_parts(node, "name", "fields", "counter")
        case source.Event(name=name, parameters=parts):
            walk.declare(name, f"event {name.text}")
            with walk.new_scope():
                walk.bind_parameters(parts, f"parameter {name.text}")
        case source.Always(label=label):
            walk.declare(label, f"label {label.text}")
            walk.visit_parts(node, "label")
        case source.Wording(of=source.Word() as parent, name=name):
            walk.use_name(parent, "enum")
            walk.mention_symbol(name, f"member {parent.text}.{name.text}")
        case source.Wording(name=name):
            walk.mention_symbol(name, f"word {name.text}")
        case source.Term(name=name, stages=stages) as term:
            walk.declare(name, f"term {name.text}")
            _items(walk, stages, f"stage {name.text}.")
            with walk.new_scope():
                walk.bind_parameters(term.parameters, f"parameter {name.text}")
                walk.visit_parts(term, "name", "stages", "parameters")
        case source.Define(name=name):
            walk.declare(name, f"term {name.text}")
            walk.declare(name, f"label {name.text}")
            with walk.new_scope():
                walk.bind_parameters(node.parameters, f"parameter {name.text}")
                walk.visit_parts(node, "name", "parameters")
        case source.Stage(term=term, name=name, after=after):
            walk.use_name(term, "term")
            walk.declare(name, f"stage {term.text}.{name.text}")
            walk.mention_symbol(after, f"stage {term.text}.{after.text}")
        case source.StandsBeside(term=term, excepted=excepted):
            walk.use_name(term, "term")
            with walk.new_scope():
                walk.term = term.text
                walk.visit(node.other)
            walk.use_all(excepted, "label")
        case _:
            walk.visit_parts(node)


def _first_value(walk: "NameWalk", factor: source.AddedFactor) -> None:
    """Use the member of a list, or the place of a scale, that counters show first."""
    match factor.type, factor.first:
        case source.NameType(names=(source.Word(text=type_name),)), source.Scalar(text=text, span=span) if (
            text.isidentifier()
        ):
            if type_name != "yes_no":
                walk.mention_symbol(source.Word(span, text), f"member {type_name}.{text}")
        case source.NameType(names=(source.Word(text=type_name),)), source.Scalar(text=text, span=span):
            walk.mention_symbol(source.Word(span, text), f"place of scale {type_name}.{text}")
        case _:
            pass


def _items(walk: "NameWalk", items: Iterable[Any], namespace: str) -> None:
    for each in items:
        word = each if isinstance(each, source.Word) else each.name
        walk.declare(word, f"{namespace}{word.text}")
        if not isinstance(each, source.Word):
            walk.visit_parts(each, "name")
