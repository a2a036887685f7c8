"""Frozen dataclasses that compile their methods at first use.

A frozen dataclass compiles six methods when its class is created. A process that loads the compiler creates more than
six hundred such classes and uses the methods of a few, which took half of the start-up time. Here each method is
compiled at its first call. For `fields`, `replace`, `match` and mypy it is an ordinary dataclass; only
`signature` of an unused class differs.
"""

from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen_dataclass(cls: type[T]) -> type[T]:
    """Return the class as a frozen dataclass with slots and lazy methods."""
    # Python sets `__hash__ = None` where a class defines `__eq__` alone.
    defined_names = {name for name, value in vars(cls).items() if value is not None}
    new_class = dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    for name in METHODS:
        if name not in defined_names:
            setattr(new_class, name, _at_first_use(new_class, name))
    for name, method in ALWAYS.items():
        if name not in defined_names:
            setattr(new_class, name, method)
    return new_class


def _at_first_use(cls: type, name: str) -> Callable[..., Any]:
    """Return a stub that replaces itself by the compiled method."""

    def stand_in(self: object, *arguments: object, **named: object) -> Any:
        setattr(cls, name, METHODS[name](cls))
        return getattr(cls, name)(self, *arguments, **named)

    return stand_in


def _init(cls: Any) -> Any:
    """Compile `__init__`, with defaults and default factories."""
    names: dict[str, Any] = {"_MISSING": MISSING, "_put": object.__setattr__}
    parameters, lines = [], []
    for each in fields(cls):
        value = each.name
        if each.default is not MISSING or each.default_factory is not MISSING:
            has_factory = each.default_factory is not MISSING
            names[f"_of_{value}"] = each.default_factory if has_factory else each.default
            default, value = (
                f"_of_{value}",
                (f"_of_{value}() if {value} is _MISSING else {value}" if has_factory else value),
            )
            parameters += [f"{each.name}={'_MISSING' if has_factory else default}"] if each.init else []
            value = value if each.init else default + "()" * has_factory
        elif each.init:
            parameters.append(value)
        else:
            continue
        lines.append(f"_put(self, {each.name!r}, {value})")
    lines += ["self.__post_init__()"] if hasattr(cls, "__post_init__") else []
    return _function(cls, "__init__", ["self", *parameters], "\n ".join(lines or ["pass"]), names)


def _eq(cls: Any) -> Any:
    names = [each.name for each in fields(cls) if each.compare]
    own_fields, others = _row("self", names), _row("other", names)
    body = f"return {own_fields} == {others} if other.__class__ is self.__class__ else NotImplemented"
    return _function(cls, "__eq__", ["self", "other"], body, {})


def _hash(cls: Any) -> Any:
    names = [each.name for each in fields(cls) if (each.compare if each.hash is None else each.hash)]
    return _function(cls, "__hash__", ["self"], f"return hash({_row('self', names)})", {})


def _row(instance: str, names: list[str]) -> str:
    return "(" + "".join(f"{instance}.{name}," for name in names) + ")"


def _function(cls: type, name: str, parameters: list[str], body: str, names: dict[str, Any]) -> Any:
    exec(f"def {name}({', '.join(parameters)}):\n {body}", names)
    function: Any = names[name]
    function.__qualname__ = f"{cls.__qualname__}.{name}"
    return function


def _repr(self: Any) -> str:
    texts = (f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{type(self).__qualname__}({', '.join(texts)})"


def _refuse(self: object, name: str, *_: object) -> None:
    raise FrozenInstanceError(f"cannot change field {name!r} of {type(self).__name__}")


def _state(self: Any) -> list[object]:
    return [getattr(self, each.name) for each in fields(self)]


def _set_state(self: Any, state: list[object]) -> None:
    for each, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)


METHODS: dict[str, Callable[[Any], Callable[..., Any]]] = {"__init__": _init, "__eq__": _eq, "__hash__": _hash}
ALWAYS: dict[str, Callable[..., Any]] = {
    "__repr__": _repr,
    "__setattr__": _refuse,
    "__delattr__": _refuse,
    "__getstate__": _state,
    "__setstate__": _set_state,
}
