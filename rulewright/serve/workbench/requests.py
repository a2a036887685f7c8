"""Common parts of the requests of the page: the type of handlers, and parsing of payloads."""

from collections.abc import Callable, Sequence
from typing import Any, TypeGuard

from rulewright.explain.option_views import option_numbers
from rulewright.serve.workbench.positions import ShownPosition, position_at
from rulewright.serve.workbench.sessions import Sessions
from rulewright.system.errors import UsageError
from runtime.play.game import Game
from runtime.play.options import Option
from runtime.play.playthrough import Playthrough

RequestFields = dict[str, Any]
# A handler of one kind of request, which returns data for JSON, or a response.
RequestFunction = Callable[[Sessions, RequestFields], Any]


def position_of(sessions: Sessions, payload: RequestFields) -> ShownPosition:
    """Return the position of a request, with manual changes."""
    changes = payload.get("changes")
    return position_at(sessions, text_field(payload, "position"), [str(each) for each in changes or ()])


def text_field(payload: RequestFields, name: str) -> str:
    """Return a text of a request; "" if it is missing, `UsageError` if it is no text."""
    value = payload.get(name, "")
    if not isinstance(value, str):
        raise UsageError(f"`{name}` is a text")
    return value


def question_words(payload: RequestFields) -> list[str]:
    """Return the words of a question: names of pieces, places and actions."""
    return [word for word in text_field(payload, "words").split(" ") if word]


def is_option_list(value: Any) -> TypeGuard[list[list[Any]]]:
    """Return whether a JSON value is a list of options, each a list of what, name and value."""
    return isinstance(value, list) and all(
        isinstance(each, list) and len(each) == len(Option._fields) for each in value
    )


def requested_options(payload: RequestFields, game: Game, playthrough: Playthrough) -> Sequence[int]:
    """Return the options of a request, which are indices or lists of what, name and value."""
    value = payload.get("options")
    if isinstance(value, list) and all(type(each) is int for each in value):
        return value
    if is_option_list(value):
        return option_numbers(game, playthrough, value)
    raise UsageError("`options` is a list of numbers, or of options")
