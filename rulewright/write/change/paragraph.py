"""The text of one change, with the questions that it may affect."""

from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class ChangeParagraph:
    """The text of one change: `rules` for the rules file, `patch` for a table file of that name.

    `example` is a predefined one; otherwise one is searched in which the answer of one of `terms` changes, because of
    the rule `label` or what else `decides`, as named by `diff`.
    """

    rules: str = ""
    patch: tuple[str, str] = ("", "")
    example: str = ""
    terms: tuple[str, ...] = ()
    label: str = ""
    decides: tuple[str, ...] = ()
    title: str = ""
