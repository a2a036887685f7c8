"""Frozen dataclasses that write their methods when they are first needed.

A frozen dataclass compiles six methods as its class is made. A process that loads the compiler makes more than six
hundred such classes and uses the methods of a few: that took half of the time until a command began. Here a class gets
its methods at first use, from a dataclass of the same fields. To `fields`, `replace`, `match`, mypy and readers it is a
dataclass like any other; only `signature` of a class that nobody has used yet says less.
"""

from collections.abc import Callable
from dataclasses import FrozenInstanceError, fields, make_dataclass
from dataclasses import dataclass as standard
from typing import TYPE_CHECKING, Any

METHODS = ("__init__", "__eq__", "__hash__", "__repr__")

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass  # noqa: PLC0414 -- what mypy knows
else:

    def dataclass(*, frozen: bool, slots: bool) -> Callable[[type], type]:
        """Make a frozen dataclass with slots; both are named, so that a class reads as it does everywhere."""
        assert all((frozen, slots)), "other dataclasses are made by the standard library"
        return _frozen


def _frozen(cls: type) -> type:
    """Give a class its fields and slots, and methods that are written at first use."""
    # Python sets `__hash__ = None` where a class only says what equals it.
    own = {name for name, value in vars(cls).items() if value is not None}
    made: type = standard(init=False, repr=False, eq=False, slots=True)(cls)
    for name in METHODS:
        if name not in own:
            setattr(made, name, _at_first_use(made, name))
    for name, method in ALWAYS.items():
        setattr(made, name, method)
    return made


def _at_first_use(cls: type, name: str) -> Callable[..., Any]:
    """Give a method that puts the ones of a standard dataclass in the place of all that stand in for them."""

    def stand_in(self: object, *given: object, **named: object) -> Any:
        written = _written(cls)
        for each in METHODS:
            if getattr(vars(cls).get(each), "stands_in", False):
                setattr(cls, each, getattr(written, each))
        return getattr(cls, name)(self, *given, **named)

    stand_in.stands_in = True  # type: ignore[attr-defined]
    return stand_in


def _written(cls: Any) -> type:
    """Make the standard dataclass with the fields of a class; what it does after `__init__` comes along."""
    after = getattr(cls, "__post_init__", None)
    namespace = {} if after is None else {"__post_init__": after}
    parts = [(each.name, each.type, each) for each in fields(cls)]
    return make_dataclass(cls.__name__, parts, namespace=namespace, frozen=True)


def _refuse(self: object, name: str, *_: object) -> None:
    raise FrozenInstanceError(f"cannot change field {name!r} of {type(self).__name__}")


def _state(self: Any) -> list[object]:
    return [getattr(self, each.name) for each in fields(self)]


def _set_state(self: Any, state: list[object]) -> None:
    for each, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)


ALWAYS = {"__setattr__": _refuse, "__delattr__": _refuse, "__getstate__": _state, "__setstate__": _set_state}
