"""The view Book: the printed site under the page's content security policy; its examples link to the Table."""

import re
from pathlib import Path
from time import sleep

import pytest

from tests.sample import sampled

pytest.importorskip("starlette", reason="THE PAGE IS NOT TRIED: starlette is not installed")

from rulewright.serve.workbench.routes_book import books_folder
from tests.workbench.client import WORD, Client

pytestmark = pytest.mark.usefixtures("forked_jobs")


@pytest.fixture
def client() -> Client:
    return Client()


@sampled(0)
def test_a_book_is_printed_once_and_its_examples_open_on_the_table(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))  # An earlier run of the tests may have printed the book.
    print_reply = client.write("book_print", stack="low_tide")
    while (state := client.read("job", job=print_reply["job"]))["running"]:
        sleep(0.05)
    assert not state["error"], state
    assert state["progress"] == {"what": "writing the pages", "done": 0, "of": 0}
    folder, book_files = print_reply["folder"], books_folder() / print_reply["folder"]
    assert client.write("book_print", stack="low_tide") == {"stack": "low_tide", "folder": folder, "job": ""}
    printed = {"stack": "low_tide", "against": "", "title": "Low Tide", "against_title": ""}
    assert printed in client.read("book_stacks")["printed"]
    page = client.send("GET", f"/{WORD}/book/{folder}/index.html")
    assert page.status == 200
    assert "script-src 'self'" in page.headers["content-security-policy"]
    index_page = (book_files / "index.html").read_bytes()
    assert re.sub(rb'<meta name="rulewright-stack".*?(?=</head>)', b"", page.body) == index_page
    assert b'data-root="../../"' in page.body
    cases = sorted((book_files / "cases").glob("*.html"))
    assert b'data-root="../../../"' in client.send("GET", f"/{WORD}/book/{folder}/cases/{cases[0].name}").body
    anchors = re.findall(r'<details class="example" id="([^"]+)"', "".join(each.read_text("utf-8") for each in cases))
    assert client.read("view", position=f"example.low_tide@{anchors[0]}")["pieces"]
    for file in book_files.rglob("*.html"):  # No page of a book contains what the policy of the page forbids.
        # Nor what loads scripts by their addresses, like interactive examples.
        found = re.search(r"<script>|<style|\son\w+=|javascript:|data-live=", file.read_text("utf-8"))
        assert not found, (file, found)


@pytest.mark.parametrize(
    "path",
    ["../x", "nothing@0/index.html", "../../../etc/passwd", "%2e%2e/x", "./../lab/x", "x\0/y.html", f"{'x' * 300}/y"],
)
def test_only_files_of_books_are_served(path: str, client: Client) -> None:
    assert client.send("GET", f"/{WORD}/book/{path}").status == 404


def test_an_unknown_stack_is_refused(client: Client) -> None:
    for name in ("", "nothing", "../x", "low_tide/../x", "--help"):
        assert client.post("book_print", stack=name).status == 400
