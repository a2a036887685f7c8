"""Problems of the title of a layer."""

from compiler.source.span import Span
from runtime.graph.frozen_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class UnrelatedTitle:
    """The title of a layer has no word of its name or of the sections it cites, and not all are in its rules."""

    span: Span
    layer: str
    title: str
