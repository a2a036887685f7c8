"""Selectors: how an amendment names a step, by the beginning of the step's form.

In: the forms of steps. Out: for each selector its first words, its other parts, and the rules of the grammar; selectors
with equal other parts have one rule.
"""

from collections.abc import Iterable
from itertools import takewhile

from compiler.source.building.forms import Form
from compiler.source.building.parts import Parts, arguments, cover, word
from compiler.source.building.template import (
    FieldSlot,
    FixedWord,
    OptionalParts,
    TemplatePart,
    grammar_text,
    parse_template,
    slots_of,
)
from compiler.source.nodes import StepSelector
from compiler.source.scanner import Token


def selector_parts(form: Form[object]) -> list[TemplatePart]:
    """Return the parts of a form that select it: unless it states others, those up to its first required slot."""
    if form.selector:
        return parse_template(form.selector)
    parts: list[TemplatePart] = []
    for part in form.parts:
        if not isinstance(part, OptionalParts):
            parts.append(part)
        if isinstance(part, FieldSlot) and not part.words:
            break
    return parts


def split_selector(parts: list[TemplatePart]) -> tuple[list[str], list[TemplatePart]]:
    """Return the first words of a selector, of which there may be several to choose from, and the parts behind them."""
    first, *others = parts
    if isinstance(first, FieldSlot):
        return list(first.words), others
    words = list(takewhile(lambda part: isinstance(part, FixedWord), parts))
    return [" ".join(part.text for part in words if isinstance(part, FixedWord))], parts[len(words) :]


def selector_rules(forms: Iterable[Form[object]]) -> dict[str, str]:
    """Return the rules of the grammar for the selectors of steps, by their names."""
    rules: dict[str, tuple[list[str], str]] = {}
    for each_form in forms:
        if each_form.selector != "":
            words, parts = split_selector(selector_parts(each_form))
            symbols = [symbol.lower() for slot in slots_of(parts) for symbol in slot.symbols]
            name = "_".join(["point", *(symbols or ["word"])])
            rules.setdefault(name, ([], grammar_text(parts)))[0].extend(words)
    return {name: f"{_choice_of_words(words)} {parts}".rstrip() for name, (words, parts) in rules.items()}


def build_selector(parts: Parts) -> StepSelector:
    """Build a selector: its first words, its name, and the expressions that it has."""
    keywords = list(takewhile(lambda part: type(part) is Token and part.type != "NAME", parts))
    name = next((word(part) for part in parts if type(part) is Token and part.type == "NAME"), None)
    values = arguments(parts)
    is_call = type(parts[-1]) is Token and parts[-1].text == ")"
    what = " ".join(keyword.text for keyword in keywords)
    return StepSelector(cover(parts), what, name, values if values or is_call else None)


def _choice_of_words(words: list[str]) -> str:
    """Return the choice of several beginnings, each of one or more words."""
    choices = [" ".join(f'"{word}"' for word in beginning.split()) for beginning in dict.fromkeys(words)]
    return choices[0] if len(choices) == 1 else f"({' | '.join(choices)})"
