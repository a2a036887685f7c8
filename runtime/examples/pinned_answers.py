"""Answers that lines of an example pin."""

from runtime.state.record import Value


class PinnedAnswers(dict[tuple[str, tuple[Value, ...]], Value]):
    """Answers that lines of an example pin; notes which of them somebody asks for."""

    def __init__(self) -> None:
        """Begin with nothing pinned."""
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
        """List the lines that pin what nobody has asked."""
        return frozenset(line for question, line in self.lines.items() if question not in self.used)
