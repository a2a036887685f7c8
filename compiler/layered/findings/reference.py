"""What findings about references have in common."""

from compiler.source.finding import Finding
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class ReferenceFinding(Finding):
    """A problem of the target of a rule, a patch or a citation, not of a declaration: the rest can be typed."""
