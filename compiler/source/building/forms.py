"""Forms of nodes: a template of the grammar rule and the class of the node, which yield the rule and its builder.

A form has the name of its rule. What it does not name is not in the node: `flip {subject:sum}`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property, partial
from typing import Any, Generic, TypeVar

from compiler.source import nodes as source
from compiler.source.building.parts import (
    Parts,
    arguments,
    cites,
    cover,
    kind_names,
    maybe_text,
    names,
    steps_in,
    tuples,
    value_word,
    word,
)
from compiler.source.building.template import (
    FieldSlot,
    FixedWord,
    OptionalParts,
    TemplatePart,
    flat_parts,
    parse_template,
)
from compiler.source.nodes.words import as_hexes
from compiler.source.scanner import Token
from runtime.graph.operators import plain

T = TypeVar("T")


def _word_or_part(part: Any) -> Any:
    return word(part) if type(part) is Token else part


def _as_call(question: source.Name | source.Call | None) -> source.Call | None:
    """Convert a bare name to a call without arguments."""
    if isinstance(question, source.Name):
        return source.Call(question.span, source.Word(question.span, question.id), ())
    return question


# By the name of a symbol, or by that of a conversion which a slot states itself.
_CONVERSIONS: dict[str, Callable[[Any], Any]] = {
    "CITES": cites,
    "NAME": word,
    "LABEL": word,
    "QUOTED": word,
    "STRING": lambda token: token.value,
    "NUMBER": lambda token: token.value,
    "block": steps_in,
    "cited": cites,
    "default": lambda token: None if token is None else token.text,
    "else": lambda part: () if part is None else steps_in(part) if type(part) is tuple else (part,),
    "kind": lambda token: as_hexes(word(token)),
    "kinds": kind_names,
    "laws": arguments,
    "list": lambda part: part or (),
    "number": lambda token: int(token.value),
    "plain": lambda amount: plain(amount.value),
    "properties": lambda parts: tuples(parts or ()),
    "prose": maybe_text,
    "question": _as_call,
    "text": lambda token: maybe_text(token) or "",
    "title": value_word,
    "tuples": tuples,
    "words": lambda token: () if token is None else (word(token),),
    "written": lambda token: token.text,
}


@dataclass(frozen=True, eq=False)
class Form(Generic[T]):
    """The form of a node of class `kind`, built by the rule of its name; without a class, of a tuple.

    `constants` are the fields without a slot: values, or functions of all parts. `alternative_of` is the rule that the
    form belongs to, if that is another. `selector` is the template by which an amendment selects a step, None for the
    beginning of the form. `finish` converts the node and the parts to what the parser keeps.
    """

    kind: Callable[..., T] | None
    template: str
    constants: Mapping[str, Any]
    alternative_of: str
    selector: str | None
    finish: Callable[[T, Parts], Any] | None

    @cached_property
    def parts(self) -> list[TemplatePart]:
        """Parse the template."""
        return parse_template(self.template)

    @cached_property
    def build(self) -> Callable[[Parts], Any]:
        """Return the builder of the rule; a form whose parts are all optional is None if they are absent."""
        kind, finish, conversions = self.kind, self.finish, self._conversions()
        if kind is None:
            return lambda parts: tuple([convert(parts[index]) for index, convert in conversions])

        def build(parts: Parts) -> T:
            return kind(cover(parts), *[convert(parts[index]) for index, convert in conversions])

        if len(self.parts) == 1 and isinstance(self.parts[0], OptionalParts):
            return lambda parts: None if parts[0] is None else build(parts)
        return build if finish is None else lambda parts: finish(build(parts), parts)

    def _conversions(self) -> list[tuple[int | slice, Callable[[Any], Any]]]:
        """Return where the parts of each field are, and their conversion, in the order of the fields.

        Places behind a list are counted from the end; of two lists neither can be a field.
        """
        sources: dict[str, tuple[int | slice, Callable[[Any], Any]]] = {}
        flat = list(flat_parts(self.parts))
        lists = [index for index, (part, _) in enumerate(flat) if isinstance(part, FieldSlot) and part.repeats]
        for index, (part, optional) in enumerate(flat):
            if isinstance(part, FixedWord) or not part.field:
                continue
            is_behind = any(place < index for place in lists)
            assert not is_behind or lists[-1] < index, f"`{part.field}` is between two lists"
            if part.repeats:
                sources[part.field] = slice(index, index + 1 - len(flat) or None), _list_conversion(part)
            else:
                sources[part.field] = index - is_behind * len(flat), _conversion(part, optional=optional)
        for name, value in self.constants.items():
            sources[name] = slice(None), value if callable(value) else partial(_constant, value)
        if self.kind is None:
            return list(sources.values())
        _, *field_names = (each.name for each in fields(self.kind))  # type: ignore[arg-type]
        assert set(sources) == set(field_names[: len(sources)]), f"the node of `{self.template}` has other fields"
        return [sources[name] for name in field_names[: len(sources)]]


def form(
    kind: Callable[..., T],
    template: str,
    *,
    alternative_of: str = "",
    selector: str | None = None,
    finish: Callable[[T, Parts], Any] | None = None,
    **constants: Any,
) -> Form[T]:
    """Return the form of a node; `constants` are the fields without a slot."""
    return Form(kind, template, constants, alternative_of, selector, finish)


def entry(template: str) -> Form[tuple[Any, ...]]:
    """Return the form of a tuple of the values in its slots."""
    return Form(None, template, {}, "", None, None)


def _conversion(slot: FieldSlot, *, optional: bool) -> Callable[[Any], Any]:
    """Return how the part in a slot becomes the value of its field."""
    values = {symbol.strip('"'): value for symbol, value in slot.symbols.items() if value is not None}
    if values:
        absent = False if True in values.values() else None
        return lambda token: absent if token is None else values[token.text]
    is_rule = any(symbol[0].islower() for symbol in slot.symbols)
    symbol = "" if len(slot.symbols) > 1 else next(iter(slot.symbols))
    convert = _CONVERSIONS.get(slot.conversion or symbol, _word_or_part if is_rule else _CONVERSIONS["written"])
    return partial(_if_present, convert) if optional and not is_rule and not slot.conversion else convert


def _list_conversion(slot: FieldSlot) -> Callable[[Any], Any]:
    is_of_names = all(symbol.isupper() for symbol in slot.symbols)
    return _CONVERSIONS[slot.conversion] if slot.conversion else names if is_of_names else arguments


def _if_present(convert: Callable[[Any], Any], part: Any) -> Any:
    return None if part is None else convert(part)


def _constant(value: Any, _: Parts) -> Any:
    return value
