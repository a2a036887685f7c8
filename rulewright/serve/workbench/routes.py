"""The routes of the page: its files, and the requests of its views.

In: requests accepted by the guard. Out: files, SVG and JSON. An error of the user is a sentence with status 400,
a stale request of another window has status 409, and a bug is a sentence with status 500: the page shows all three.
"""

import json
import logging
from collections.abc import Callable
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from rulewright.serve.workbench import routes_board, routes_book, routes_change, routes_jobs, routes_lab
from rulewright.serve.workbench.requests import RequestFields, RequestFunction
from rulewright.serve.workbench.sessions import Sessions, StaleVersion
from rulewright.system.errors import UsageError
from rulewright.system.json_texts import decode_json
from runtime.graph import words
from runtime.graph.answer_errors import AbsentError, NoGeometryError, OutOfRangeError, Unanswered
from runtime.graph.budget import TooMuchWork
from runtime.play.rule_faults import BrokenRules, budget_message

ASSETS = files("rulewright.serve.workbench") / "assets"
TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
# The size limit of a request, which contains names and numbers of options.
LARGEST = 100_000
OVERTAKEN = "the game was continued in another window; the current position is shown"
BROKEN = "an internal error occurred; the terminal of the server shows its details. Games are stored in their files"

# The modules of the views of the page, each with tables READ and WRITE of handlers: a view is added by an entry here
# and one in assets/views.js.
VIEWS = (routes_board, routes_book, routes_change, routes_jobs, routes_lab)


def make_application(sessions: Sessions) -> Starlette:
    """Build the application behind the guard."""
    routes = [Route("/", _file), Route("/assets/{name}", _file), *routes_book.FILES]
    for view in VIEWS:
        for name, answer in view.READ.items():
            routes.append(Route(f"/api/{name}", _get_endpoint(sessions, answer), methods=["GET"]))
        for name, answer in view.WRITE.items():
            routes.append(Route(f"/api/{name}", _post_endpoint(sessions, answer), methods=["POST"]))
    return Starlette(routes=routes)


def _file(request: Request) -> Response:
    """Return a file of the page."""
    name = request.path_params.get("name", "index.html")
    known = {each.name: each for each in ASSETS.iterdir() if each.is_file()}
    ending = name.rpartition(".")[2]
    if name not in known or ending not in TYPES:
        return Response("there is no such file", 404, media_type="text/plain")
    return Response(known[name].read_bytes(), media_type=TYPES[ending])


def _get_endpoint(sessions: Sessions, answer: RequestFunction) -> Callable[[Request], Any]:
    async def answer_request(request: Request) -> Response:
        payload: RequestFields = {name: value for name, value in request.query_params.items() if name != "change"}
        payload["changes"] = request.query_params.getlist("change")
        if "options" in payload:
            try:
                payload["options"] = decode_json(payload["options"])
            except ValueError:
                return _refusal("the request is not valid JSON", 400)
        return await run_in_threadpool(_run_request, sessions, answer, payload)

    return answer_request


def _post_endpoint(sessions: Sessions, answer: RequestFunction) -> Callable[[Request], Any]:
    async def answer_request(request: Request) -> Response:
        if "content-length" not in request.headers:
            return _refusal("the request does not state its length", 411)
        if int(request.headers["content-length"]) > LARGEST:
            return _refusal("the request is too long", 413)
        try:
            body = await request.body()
        except ClientDisconnect:
            return Response(status_code=400)  # Nobody reads it.
        try:
            payload = decode_json(body)
        except ValueError:
            return _refusal("the request is not valid JSON", 400)
        if not isinstance(payload, dict):
            return _refusal("an object was expected", 400)
        if not _is_text(payload):
            return _refusal("the request contains text that cannot be encoded", 400)
        return await run_in_threadpool(_run_request, sessions, answer, payload)

    return answer_request


def _is_text(payload: RequestFields) -> bool:
    """Return whether a request can be encoded: JSON may contain lone surrogates."""
    try:
        json.dumps(payload, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _run_request(sessions: Sessions, answer: RequestFunction, payload: RequestFields) -> Response:
    """Handle a request, one at a time, and convert errors to responses."""
    try:
        with sessions.engine_turn():
            found = answer(sessions, payload)
    except UsageError as error:
        return _refusal(str(error), 400)
    except StaleVersion:
        return _refusal(OVERTAKEN, 409)
    except OSError as error:
        return _refusal(f"{error.filename or 'the system'}: {error.strerror}", 400)
    except Unanswered as raised:
        return _refusal(_no_answer_text(raised), 400)
    except BrokenRules as broken:
        return _refusal(f"the rules of this game cannot go on here: {broken}", 400)
    except TooMuchWork:
        return _refusal(f"the rules of this game cannot go on here: {budget_message()}", 400)
    except Exception:  # a crash is a message, and the server goes on
        logging.getLogger("rulewright.serve.workbench").exception("a request could not be answered")
        return _refusal(BROKEN, 500)
    return found if isinstance(found, Response) else JSONResponse(found)


def _no_answer_text(raised: Unanswered) -> str:
    """Return which question has no answer: positions from files may lack printed values of counters."""
    if isinstance(raised, AbsentError) and (reason := raised.without_hex()):
        return reason
    if isinstance(raised, AbsentError) and raised.arguments:
        return f"{raised.arguments[0]} has no {words.readable_name(raised.callee)}: write it where the piece is put"
    if isinstance(raised, NoGeometryError | OutOfRangeError):
        return str(raised)
    return f"the rules give no answer to `{raised.callee}` in this position"


def _refusal(why_not: str, status: int) -> Response:
    return JSONResponse({"error": why_not}, status)
