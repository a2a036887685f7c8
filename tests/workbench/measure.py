"""Measures the response times of the page in Chromium: `python -m tests.workbench.measure [CARD] [RULES]`.

Prints the median and the 95th percentile in milliseconds, from the click until the panel beside the map is complete, of
clicks on counters and of reasons for refusals: at the set-up, and in each phase of a short game. `new` is the first
question at a moment of the game, with warm rules; `again` the second, which the page may have cached. Nothing is
asserted: the load of the machine changes the times.
"""

import sys
from collections.abc import Iterator
from statistics import median
from time import sleep

from rulewright.workbench.sessions import Sessions
from tests.books.browser import Tab, tab
from tests.workbench.served import click, look_at, page, until

CARD = "reed_water"
# The game with all its options.
RULES = "+".join((
    "panzer_leader", "emplacing", "field_of_fire", "functional_mobility", "naval_support", "opportunity_fire",
    "panzerblitz_assault", "quick_time", "smoke_shells",
))  # fmt: skip
PHASES, COUNTERS = 16, 14
WHEN = ("new", "again")
# An empty space that is not highlighted.
NEITHER = (
    "[...document.querySelectorAll('[data-space]')].find(each => "
    "each.getAttribute('aria-label').search(/, (highlighted|selected)|:.*:/) < 0)?.dataset.space ?? ''"
)


def main(card: str = CARD, rules: str = RULES) -> int:
    """Play both sides by the greedy player, click counters before each phase ends, and print the times."""
    whole: dict[str, list[float]] = {}
    with page() as served_page, tab() as browser:
        browser.look()
        with served_page.sessions.lock:
            name = served_page.sessions.begin(card, rules or None, "human", "5").name
        for _ in range(PHASES):
            phase = phase_of(served_page.sessions, name)
            look_at(browser, f"{served_page.link}#/play/game.{name}")
            sleep(1)  # Until the open options are highlighted.
            browser.ask("performance.clearMeasures(); 0")
            found: dict[str, list[float]] = {f"{kind}, {when}": [] for when in WHEN for kind in ("click", "why")}
            for when in WHEN:
                for kind, time in clicks(browser):
                    found[f"{kind}, {when}"].append(time)
            for kind, times in found.items():
                whole.setdefault(kind, []).extend(times)
            if not any(found.values()):
                sys.stdout.write(f"{phase:28} nothing is open to a counter\n")
            for kind, times in found.items():
                tell(phase, kind, times)
            finish(served_page.sessions, name)
    for kind, times in whole.items():
        tell("all", kind, times)
    return 0


def tell(phase: str, kind: str, times: list[float]) -> None:
    """Print the times of one kind."""
    if times:
        sys.stdout.write(f"{phase:28} {kind:12} {len(times):4} median {median(times):6.0f} ms, "
                         f"95th percentile {percentile(times):6.0f} ms, most {max(times):6.0f} ms\n")  # fmt: skip
        sys.stdout.flush()


def phase_of(sessions: Sessions, name: str) -> str:
    """Return turn, side and phase of a game."""
    with sessions.lock:
        session = sessions.find(name)
        session.ask()
        state = session.playthrough.state
        return f"turn {state.turn}, {state.player}, {state.phase}"


def finish(sessions: Sessions, name: str) -> None:
    """Finish the phase as the greedy player."""
    with sessions.lock:
        session = sessions.find(name)
        session.finish_phase(session.version)


def percentile(times: list[float]) -> float:
    """Return the 95th percentile."""
    return sorted(times)[min(len(times) - 1, int(0.95 * len(times)))]


def clicks(browser: Tab) -> Iterator[tuple[str, float]]:
    """Click counters with options, and after each a space that it may not enter; yield kind and time."""
    found = "[...document.querySelectorAll('[data-piece].lit, [data-waiting].lit')]"
    lit = list(browser.ask(f"{found}.map(each => each.dataset.piece ? `[data-piece=\"${{each.dataset.piece}}\"]` : "
                           "`[data-waiting=\"${each.dataset.waiting}\"]`)"))  # fmt: skip
    for chosen in lit[:COUNTERS]:
        for kind, where in (("click", chosen), ("why", "")):
            before = browser.ask(f"performance.getEntriesByName('{kind}').length")
            if where:
                click(browser, where)
            else:
                if not (far := browser.ask(NEITHER)):
                    continue
                click(browser, f'[data-space="{far}"]')
            for _ in range(400):
                times = browser.ask(f"performance.getEntriesByName('{kind}').map(each => each.duration)")
                if len(times) > before:
                    yield kind, times[-1]
                    break
                if browser.ask("document.querySelector('dialog[open]') !== null"):
                    break
                sleep(0.01)
        browser.ask("document.querySelector('dialog[open]')?.close(); 0")
        browser.ask("dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'})); 0")
        until(browser, "document.querySelector('.prompt').textContent !== ''")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
