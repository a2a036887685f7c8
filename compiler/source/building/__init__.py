"""Build source nodes from the reductions of the parser: a form or a function for each rule of the grammar.

A form states the text of its rule (template.py), from which the rule, its builder and the text of its nodes are made.
The rules that are built by functions are in grammar.lark, as are those that only choose among others.

A builder only arranges parts, keywords included; errors in a part were reported when it was read.
"""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

from compiler.source import nodes as source
from compiler.source.building import (
    amendments,
    clauses,
    declarations,
    examples,
    expressions,
    laws,
    procedures,
)
from compiler.source.building.forms import Form
from compiler.source.building.selectors import build_selector, selector_rules
from compiler.source.building.template import grammar_text

# By the heading of their rules in the grammar.
_SECTIONS = {
    "the vocabulary": declarations,
    "rules": laws,
    "amendments": amendments,
    "examples": examples,
    "procedures": procedures,
    "expressions": expressions,
}


@cache
def forms() -> dict[str, Form[Any]]:
    """Return all forms by the names of their rules."""
    return {name: form for section in _SECTIONS.values() for name, form in _forms_of(vars(section))}


@cache
def step_forms() -> tuple[Form[Any], ...]:
    """Return the forms of steps."""
    return tuple(form for form in forms().values() if form.kind in get_args(source.Step))


@cache
def builders() -> SimpleNamespace:
    """Return the builders of all rules, by the names under which lark looks them up."""
    functions: dict[str, Callable[..., Any]] = dict(vars(clauses))
    for section in _SECTIONS.values():
        functions |= vars(section)
    selectors = dict.fromkeys(selector_rules(step_forms()), build_selector)
    return SimpleNamespace(**functions | selectors | {name: form.build for name, form in forms().items()})


@cache
def whole_grammar() -> str:
    """Return the text of the whole grammar: grammar.lark, and the rules of the forms."""
    text = [Path(__file__).parents[1].joinpath("grammar.lark").read_text(encoding="utf-8")]
    for heading, section in _SECTIONS.items():
        text += [f"// {'-' * 64} {heading}", *_choices(vars(section)), *_rules(dict(_forms_of(vars(section))))]
        if section is amendments:
            rules = selector_rules(step_forms())
            text += [f"?pointed: {' | '.join(rules)}", *(f"{name}: {rule}" for name, rule in rules.items())]
    return "\n".join(text)


def _forms_of(names: dict[str, Any]) -> Iterator[tuple[str, Form[Any]]]:
    return ((name, value) for name, value in names.items() if isinstance(value, Form))


def _choices(names: dict[str, Any]) -> Iterator[str]:
    """Yield the rules that choose among the forms of the classes of a union."""
    for name, union in names.get("CHOICES", {}).items():
        chosen = [rule for rule, form in forms().items() if form.kind in get_args(union) and not form.alternative_of]
        yield f"?{name}: {' | '.join(chosen)}"


def _rules(of_section: dict[str, Form[Any]]) -> Iterator[str]:
    """Yield the rules of forms, each with its alternatives."""
    for name, form in of_section.items():
        if not form.alternative_of:
            others = [
                f"| {grammar_text(other.parts)} -> {alias}"
                for alias, other in of_section.items()
                if other.alternative_of == name
            ]
            yield "\n    ".join([f"{name}: {grammar_text(form.parts)}", *others])
