"""Our frozen dataclasses, which generate their methods lazily, behave like those of the standard library."""

import copy
import dataclasses
import pickle
from dataclasses import FrozenInstanceError, field, fields, replace

import pytest

from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class Late:
    """A class with lazily generated methods."""

    one: int
    many: tuple[int, ...] = ()
    noted: list[int] = field(default_factory=list, hash=False, compare=False)


@dataclasses.dataclass(frozen=True, slots=True)
class Standard:
    """The same class by the standard library."""

    one: int
    many: tuple[int, ...] = ()
    noted: list[int] = field(default_factory=list, hash=False, compare=False)


@frozen_dataclass
class Own:
    """A class with its own equality and hash, and a field that is set after initialization."""

    text: str
    size: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", len(self.text))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Own) and other.size == self.size

    def __hash__(self) -> int:
        return self.size


def test_values_are_those_of_a_standard_dataclass() -> None:
    late, standard = Late(1, (2, 3)), Standard(1, (2, 3))
    assert repr(late) == repr(standard).replace("Standard", "Late")
    assert [each.name for each in fields(Late)] == [each.name for each in fields(Standard)]
    assert Late.__match_args__ == Standard.__match_args__
    assert late == Late(1, (2, 3), [4])
    assert late != Late(2, (2, 3))
    assert late.__eq__(standard) is NotImplemented
    assert hash(late) == hash(standard) == hash(Late(1, (2, 3), [4]))
    assert replace(late, one=5) == Late(5, (2, 3))
    assert Late(one=1, noted=[9]).noted == [9]
    assert Late(1).noted is not Late(1).noted
    assert not hasattr(late, "__dict__")


def test_fields_cannot_be_set_or_deleted() -> None:
    late = Late(1)
    with pytest.raises(FrozenInstanceError):
        late.one = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del late.one
    with pytest.raises(TypeError, match="one"):
        Late()  # type: ignore[call-arg]
    assert late.one == 1


def test_copies_and_pickles_are_equal() -> None:
    late = Late(1, (2,), [3])
    for copied in (copy.copy(late), copy.deepcopy(late), pickle.loads(pickle.dumps(late))):
        assert copied == late
        assert copied.noted == [3]
    assert copy.deepcopy(late).noted is not late.noted


def test_methods_of_the_class_are_not_replaced() -> None:
    assert Own("abc") == Own("xyz")
    assert hash(Own("abc")) == Own("abc").size == 3
    assert repr(Own("abc")) == "Own(text='abc', size=3)"


def test_the_hash_may_be_the_first_method_called() -> None:
    @frozen_dataclass
    class New:
        one: int

    created = object.__new__(New)
    object.__setattr__(created, "one", 1)
    assert hash(created) == hash((1,))
    assert created == New(1)
