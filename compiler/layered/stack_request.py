"""The name of a stack: the layers and readings that it asks for.

In: `game+option+dispute=reading`. Out: a request, whose name is canonical. `game+companion=off` excludes a layer that
is included by default; `game-companion` is equivalent.
"""

from runtime.graph.frozen_dataclass import frozen_dataclass

OFF = "off"  # the value of a companion that is excluded


@frozen_dataclass
class StackRequest:
    """A stack as requested: layer names and (dispute, reading) pairs."""

    layers: tuple[str, ...]
    readings: tuple[tuple[str, str], ...]

    @property
    def excluded_names(self) -> tuple[str, ...]:
        """Return the names to be excluded; one of them may be a dispute with a reading of this name."""
        return tuple(sorted(name for name, reading in self.readings if reading == OFF))

    @property
    def name(self) -> str:
        """Return the canonical text of the request, with options in order."""
        game, *options = self.layers
        choices = [f"{dispute}={reading}" for dispute, reading in sorted(self.readings)]
        return "+".join([game, *sorted(options), *choices])


def other_reading(name: str, dispute: str, reading: str) -> str:
    """Return the name of the stack that differs from `name` in its reading of one dispute."""
    request = parse_request(name)
    readings = (each for each in request.readings if each[0] != dispute)
    return StackRequest(request.layers, (*readings, (dispute, reading))).name


def parse_request(text: str) -> StackRequest:
    """Return the layers and readings that `game+option+dispute=reading`, or `game-companion`, asks for."""
    parts = [part.strip() for each in text.split("+") for part in canonical_request(each)]
    layers = tuple(part for part in parts if "=" not in part)
    choices = [part.partition("=") for part in parts if "=" in part]
    return StackRequest(layers, tuple((dispute, reading) for dispute, _, reading in choices))


def canonical_request(part: str) -> list[str]:
    """Return what a part of a request stands for: `layer-companion` is `layer` and `companion=off`."""
    layer, *companions = [part] if "=" in part else part.split("-")
    return [layer, *(f"{companion.strip()}={OFF}" for companion in companions)]
