"""Measures the first picture, and findings during typing, in Chromium: `python -m tests.workbench.measure_views`.

Prints, for two cards, the seconds from the command `open` until the map is shown, several times (the first fills the
cache), with the processor time of the server; then the milliseconds from a key in a file of 300 lines until the
findings of compilation are shown. Nothing is asserted: the load of the machine changes the times.
"""

import os
import socket
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic, sleep

from tests.books.browser import Tab, tab
from tests.workbench.measure import CARD, RULES, percentile
from tests.workbench.served import page, until

STARTS, KEYS, LINES = 4, 40, 300
STARTED = (("first_snow",), (CARD, "--rules", RULES))
LAYER = "layer: own_words\ntitle: Own words\nkind: variant\non: [panzer_leader]\n"
RULE = """rule own-{number} [house] "A tank may not enter a wood of this number."
  may_enter forbidden
  when to is woods and mover is armored and to.name = 'A{number}'

"""


def main() -> int:
    """Measure both."""
    with tab() as browser:
        browser.look()
        for words in STARTED:
            for _ in range(STARTS):
                start(browser, words)
        typing(browser)
    return 0


def start(browser: Tab, words: tuple[str, ...]) -> None:
    """Start the page by the command, and wait for its map."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    start_time = monotonic()
    command = [sys.executable, "-u", "-m", "rulewright", "open", *words, "--no-browser", "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        assert server.stdout
        line = ""
        while "http://" not in line:
            line = server.stdout.readline()
            assert line, "it ended without a link"
        browser.call("Page.navigate", url=line[line.index("http://") :].split()[0])
        until(browser, "document.querySelector('.map svg [data-space]') !== null")
        sys.stdout.write(
            f"open {words[0]:12} map after {monotonic() - start_time:.2f} s, {seconds(server.pid):.2f} s of CPU\n"
        )
        server.kill()


def seconds(process: int) -> float:
    """Return the processor time of a process, if the system reports it as Linux does."""
    stat_file = Path(f"/proc/{process}/stat")
    if not stat_file.is_file():
        return float("nan")
    parts = stat_file.read_text().rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


def typing(browser: Tab) -> None:
    """Type into a file of a user's layer, a key at a time, and wait for the findings after each."""
    with TemporaryDirectory() as home, page() as served_page:
        folder = Path(home) / "own_words"
        folder.mkdir()
        (folder / "layer.yaml").write_text(LAYER)
        rules = "".join(RULE.format(number=number) for number in range(1, 1 + LINES // RULE.count("\n")))
        (folder / "own.rules").write_text(rules)
        served_page.sessions.packages, served_page.sessions.save_folder = (folder,), Path(home)
        browser.call("Page.navigate", url=f"{served_page.link}#/rules/own_words")
        until(browser, "performance.getEntriesByName('findings').length > 0")
        times = []
        for at in range(KEYS):
            sleep(1)  # Until the examples are run.
            place = rules.index("A tank", len(rules) * at // (KEYS + 1)) if at % 2 else rules.index("woods", at * 100)
            browser.ask(f"document.querySelector('.typed').setSelectionRange({place}, {place}); "
                        "document.querySelector('.typed').focus(); performance.clearMarks(); "
                        "addEventListener('keydown', () => performance.mark('key'), {once: true}); 0")  # fmt: skip
            for kind in ("keyDown", "keyUp"):
                browser.call("Input.dispatchKeyEvent", type=kind, key="x", code="KeyX", text="x" * (kind == "keyDown"))
            until(browser, "performance.getEntriesByName('findings').length > 0")
            times.append(browser.ask("performance.getEntriesByName('findings').at(-1).startTime - "
                                     "performance.getEntriesByName('key')[0].startTime"))  # fmt: skip
            browser.ask("document.execCommand('undo'); 0")
    sys.stdout.write(f"findings in {LINES} lines: {len(times)} keys, median {median(times):.0f} ms, 95th percentile "
                     f"{percentile(times):.0f} ms, most {max(times):.0f} ms\n")  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
