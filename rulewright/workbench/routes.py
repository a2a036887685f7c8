"""What the page may ask: its files, positions, what follows from a click, and choices in games.

In: requests that the guard let through. Out: files, SVG and JSON. What the user can mend comes back as a sentence with
status 400, what another window has overtaken as 409, and a bug as a sentence with status 500: the page shows all three.
"""

import json
import logging
from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from rulewright.errors import UsageError
from rulewright.library.cards import summaries
from rulewright.moves import taken
from rulewright.views.picture import svg
from rulewright.workbench import shown as views
from rulewright.workbench.positions import Position, position_at, under
from rulewright.workbench.sessions import Sessions, Stale
from runtime.play.course import Course
from runtime.play.game import Game
from runtime.play.options import Option

ASSETS = files("rulewright.workbench") / "assets"
TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
# A request holds names and numbers of options.
LARGEST = 100_000
OVERTAKEN = "the game has gone on in another window; this is how it stands now"
BROKEN = "this could not be worked out; the game is safe in its file. The terminal says more"

Asked = dict[str, Any]
Answered = Callable[[Sessions, Asked], Any]


def view(sessions: Sessions, asked: Asked) -> Any:
    """Show a position."""
    return views.shown(_position(sessions, asked))


def picture(sessions: Sessions, asked: Asked) -> Any:
    """Draw a position."""
    return Response(svg(_position(sessions, asked).seen.state), media_type=TYPES["svg"])


def ways(sessions: Sessions, asked: Asked) -> Any:
    """Say what a click leads to."""
    return views.ways_shown(_position(sessions, asked), _text(asked, "piece"), _text(asked, "space"))


def why(sessions: Sessions, asked: Asked) -> Any:
    """Say why something is not open."""
    position = _position(sessions, asked)
    position.decision()
    return {"why": views.reasons(position, [word for word in _text(asked, "words").split(" ") if word])}


def allowing(sessions: Sessions, asked: Asked) -> Any:
    """Say what would allow something that is not open."""
    position = _position(sessions, asked)
    return views.allowing_shown(position, [word for word in _text(asked, "words").split(" ") if word])


def differences(sessions: Sessions, asked: Asked) -> Any:
    """Say what a piece may do under other rules in the same position, and not here, or the other way about."""
    here = _position(sessions, asked)
    there = position_at(sessions, under(here, _text(asked, "rules")), here.changes)
    return views.differences_shown(here, there, _text(asked, "piece"))


def sheet(sessions: Sessions, asked: Asked) -> Any:
    """Show what choices lead to before dice are thrown."""
    position = _position(sessions, asked)
    return {"sheet": views.sheet_shown(position, _options(asked, position.game, position.course))}


def version(sessions: Sessions, asked: Asked) -> Any:
    """Say what a game has come to, for a window that looks whether it is still up to date."""
    return {"version": sessions.find(_text(asked, "game")).version}


def cards(sessions: Sessions, _: Asked) -> Any:
    """List the situations that can be played, and the games that can be gone on with."""
    listed = summaries(sessions.packages)
    open_ = [each for each in listed if not each["waits_for"]]
    waiting = sum(1 for each in listed if each["waits_for"])
    return {"cards": open_, "waiting": waiting, "games": sessions.kept()[:20]}


def begin(sessions: Sessions, asked: Asked) -> Any:
    """Begin a game."""
    session = sessions.begin(
        _text(asked, "card"), _text(asked, "rules") or None, _text(asked, "players"), _text(asked, "seed") or "1"
    )
    return {"game": session.name}


def take(sessions: Sessions, asked: Asked) -> Any:
    """Make choices in a game."""
    session = sessions.find(_text(asked, "game"))
    session.expect(_text(asked, "version"))
    session.ask()
    session.take(_text(asked, "version"), _options(asked, session.game, session.course))
    return {"version": session.version}


def undo(sessions: Sessions, asked: Asked) -> Any:
    """Take back what the last click did."""
    session = sessions.find(_text(asked, "game"))
    session.undo(_text(asked, "version"))
    return {"version": session.version}


def finish(sessions: Sessions, asked: Asked) -> Any:
    """Let the greedy player finish a phase."""
    session = sessions.find(_text(asked, "game"))
    session.finish_phase(_text(asked, "version"))
    return {"version": session.version}


def others(sessions: Sessions, asked: Asked) -> Any:
    """Let the other players go on for a moment."""
    session = sessions.find(_text(asked, "game"))
    more = session.let_others_play()
    return {"version": session.version, "more": more}


READ: dict[str, Answered] = {
    "view": view, "picture": picture, "ways": ways, "why": why, "sheet": sheet,
    "differences": differences, "allowing": allowing, "version": version, "cards": cards,
}  # fmt: skip
WRITE: dict[str, Answered] = {"begin": begin, "take": take, "undo": undo, "finish": finish, "others": others}


def application(sessions: Sessions) -> Starlette:
    """Make the application behind the guard."""
    reading = [Route(f"/api/{name}", _reading(sessions, answer), methods=["GET"]) for name, answer in READ.items()]
    writing = [Route(f"/api/{name}", _writing(sessions, answer), methods=["POST"]) for name, answer in WRITE.items()]
    return Starlette(routes=[*reading, *writing, Route("/", _file), Route("/assets/{name}", _file)])


def _file(request: Request) -> Response:
    """Give a file of the page."""
    name = request.path_params.get("name", "index.html")
    known = {each.name: each for each in ASSETS.iterdir() if each.is_file()}
    ending = name.rpartition(".")[2]
    if name not in known or ending not in TYPES:
        return Response("there is no such file", 404, media_type="text/plain")
    return Response(known[name].read_bytes(), media_type=TYPES[ending])


def _reading(sessions: Sessions, answer: Answered) -> Callable[[Request], Any]:
    async def answered(request: Request) -> Response:
        given: Asked = {name: value for name, value in request.query_params.items() if name != "change"}
        given["changes"] = request.query_params.getlist("change")
        if "options" in given:
            try:
                given["options"] = json.loads(given["options"])
            except ValueError:
                return _refused("this is no JSON", 400)
        return await run_in_threadpool(_answered, sessions, answer, given)

    return answered


def _writing(sessions: Sessions, answer: Answered) -> Callable[[Request], Any]:
    async def answered(request: Request) -> Response:
        if int(request.headers.get("content-length", LARGEST + 1)) > LARGEST:
            return _refused("this is too long", 413)
        try:
            given = json.loads(await request.body())
        except ValueError:
            return _refused("this is no JSON", 400)
        if not isinstance(given, dict):
            return _refused("an object was expected", 400)
        return await run_in_threadpool(_answered, sessions, answer, given)

    return answered


def _answered(sessions: Sessions, answer: Answered, given: Asked) -> Response:
    """Answer one request at a time."""
    try:
        with sessions.lock:
            found = answer(sessions, given)
    except UsageError as error:
        return _refused(str(error), 400)
    except Stale:
        return _refused(OVERTAKEN, 409)
    except OSError as error:
        return _refused(f"{error.filename or 'the system'}: {error.strerror}", 400)
    except Exception:  # a crash is a message, and the server goes on
        logging.getLogger("rulewright.workbench").exception("a request could not be answered")
        return _refused(BROKEN, 500)
    return found if isinstance(found, Response) else JSONResponse(found)


def _refused(why_not: str, status: int) -> Response:
    return JSONResponse({"error": why_not}, status)


def _position(sessions: Sessions, asked: Asked) -> Position:
    changes = asked.get("changes")
    return position_at(sessions, _text(asked, "position"), [str(each) for each in changes or ()])


def _text(asked: Asked, name: str) -> str:
    value = asked.get(name, "")
    if not isinstance(value, str):
        raise UsageError(f"`{name}` is a text")
    return value


def _options(asked: Asked, game: Game, course: Course) -> Sequence[int]:
    """Read options: their places, or what they are, each as a list of what, name and value."""
    value = asked.get("options")
    if isinstance(value, list) and all(type(each) is int for each in value):
        return value
    if isinstance(value, list) and all(isinstance(each, list) and len(each) == len(Option._fields) for each in value):
        return taken(game, course, value)
    raise UsageError("`options` is a list of numbers, or of options")
