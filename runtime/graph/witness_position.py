"""The position that confirms a suspicion of the compiler, as the search of the runtime finds it."""

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class WitnessPosition:
    """A position that proves a finding: `question` is the text to `ask` there, `answer` the result as text.

    `file` is the text of a position file that `ask -p` opens. `nearest` is the label of the rule that comes closest to
    being live where none is, "" if there is none.
    """

    position: graph.Position
    question: str
    answer: str
    file: str
    nearest: str = ""
