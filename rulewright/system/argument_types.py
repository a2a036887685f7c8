"""The types of arguments of the Python API: a wrong one is a `UsageError` that names the argument.

A text is no sequence of texts, and a truth value is no number; whole numbers may be those of numpy.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from numbers import Integral
from types import NoneType, UnionType
from typing import Any, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

from rulewright.system.errors import UsageError

P = ParamSpec("P")
R = TypeVar("R")
# How a message names a type, where its own name says little to a user.
NAMES: dict[Any, str] = {str: "text", int: "a whole number", bool: "True or False", NoneType: "None",
                         Sequence: "a list", Mapping: "a mapping"}  # fmt: skip


def with_checked_arguments(function: Callable[P, R]) -> Callable[P, R]:
    """Check the arguments of a function against its annotations at each call."""
    signature, types = inspect.signature(function), get_type_hints(function)

    @wraps(function)
    def checked(*arguments: P.args, **named: P.kwargs) -> R:
        for name, value in signature.bind(*arguments, **named).arguments.items():
            # The options that `env` passes on are checked where they are declared.
            if name in types and signature.parameters[name].kind is not inspect.Parameter.VAR_KEYWORD:
                _require_type(name, value, types[name])
        return function(*arguments, **named)

    return checked


def _require_type(name: str, value: object, expected: Any) -> None:
    """Raise `UsageError` for an argument of a wrong type."""
    alternatives = get_args(expected) if get_origin(expected) in {Union, UnionType} else (expected,)
    if not any(_is_of(value, alternative) for alternative in alternatives):
        phrase = " or ".join(_type_phrase(alternative) for alternative in alternatives)
        raise UsageError(f"`{name}` must be {phrase}, not {value!r:.80} ({type(value).__name__})")
    for each in alternatives:
        if get_origin(each) is Sequence and _is_of(value, each):
            for number, element in enumerate(value):  # type: ignore[arg-type, var-annotated]  # it is a sequence
                _require_type(f"{name}[{number}]", element, get_args(each)[0])
        elif get_origin(each) is Mapping and isinstance(value, Mapping):
            for key, element in value.items():
                _require_type(f"a key of {name}", key, get_args(each)[0])
                _require_type(f"{name}[{key!r:.40}]", element, get_args(each)[1])


def _is_of(value: object, expected: Any) -> bool:
    """Return whether a value is of a type without alternatives."""
    plain = get_origin(expected) or expected
    if plain is Any:
        return True
    if plain is int:
        return isinstance(value, Integral) and not isinstance(value, bool)
    if plain is Sequence:
        return isinstance(value, Sequence) and not isinstance(value, str | bytes)
    return callable(value) if plain is Callable else isinstance(value, plain)


def _type_phrase(expected: Any) -> str:
    plain = get_origin(expected) or expected
    return NAMES.get(plain) or f"a {plain.__name__}"
