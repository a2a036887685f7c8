"""Answers that `given` lines of an example pin."""

from runtime.state.record import Value


class PinnedAnswers(dict[tuple[str, tuple[Value, ...]], Value]):
    """Pinned answers by question, with a record of which were read."""

    def __init__(self) -> None:
        """Start without pinned answers."""
        super().__init__()
        self.lines: dict[tuple[str, tuple[Value, ...]], int] = {}
        self.used: set[tuple[str, tuple[Value, ...]]] = set()

    def pin(self, question: tuple[str, tuple[Value, ...]], value: Value, line: int) -> None:
        """Pin the answer to a question."""
        self[question] = value
        self.lines[question] = line

    def __getitem__(self, question: tuple[str, tuple[Value, ...]]) -> Value:
        self.used.add(question)
        return super().__getitem__(question)

    def unused_lines(self) -> frozenset[int]:
        """Return the indexes of the lines whose pinned answer was never read."""
        return frozenset(line for question, line in self.lines.items() if question not in self.used)
