"""An editor's requests in one file of the largest game: what a key waits for, and what a question about a name does.

A key changes the text, so each round looks at a text that was not seen before.
"""

from collections.abc import Callable, Iterator
from itertools import count

from bench.finding import Finding, best
from rulewright.library.shipped_folders import rules_folder
from rulewright.serve.editor import completion
from rulewright.serve.editor.symbols import declarations_at, meaning_of, uses_at
from rulewright.serve.editor.workspace import EditorWorkspace, IndexedStack

SECTION = "editing"
FILE = "games/panzer_leader/forts.rules"
WANTED = 0.2  # Seconds from a key to the findings, of a file of some 300 lines.


def editing(*, quick: bool) -> Iterator[Finding]:
    """Measure it, compiled once before."""
    path = rules_folder() / FILE
    text = path.read_text(encoding="utf-8")
    workspace, keys = EditorWorkspace(), count()

    def typed(law: str) -> Callable[[], object]:
        return lambda: workspace.read(path, f"{text}\n{law.format(next(keys))}\n")

    workspace.read(path)
    size = len(text.splitlines())
    term = 'define seen_{0}(h: hex): 0..40 [house] = {0} reads "{{h}}"'
    for what, law in (("a comment", "# {}"), ("a term", term)):
        spent = best(typed(law), rounds=2 if quick else 5)[0]
        name = f"{FILE}, {size} lines, {what} more: findings / {WANTED:.1f} s"
        yield Finding(SECTION, name, "s", spent, WANTED, spent / WANTED, 1.0)
    # What swallows the paragraph around it and the next, which others name.
    before, when, after = text.partition("\n    when ")
    spent = best(lambda: workspace.read(path, f"{before}{when}some(x{next(keys)} {after}"), rounds=2 if quick else 5)[0]
    name = f"{FILE}, {size} lines, a condition half typed: findings / {WANTED:.1f} s"
    yield Finding(SECTION, name, "s", spent, WANTED, spent / WANTED, 1.0)
    with workspace.index_of(path) as found:
        assert found is not None
        names = [each for each in found.index.files[found.files[path.resolve()]] if not each.declares]
    middle = names[len(names) // 2].span
    line, column = middle.line, middle.column

    def make_request(answer: Callable[[IndexedStack], object]) -> Callable[[], object]:
        def request() -> None:
            with workspace.index_of(path) as indexed:
                assert indexed is not None
                answer(indexed)

        return request

    requests = {
        "completion": lambda: completion.list_offers(workspace, path, text, line - 1, column - 1),
        "hover": make_request(lambda it: meaning_of(workspace, it, path, it.names_at(path, line, column)[0])),
        "definition": make_request(lambda it: declarations_at(it, it.names_at(path, line, column))),
        "references": make_request(lambda it: uses_at(it, it.names_at(path, line, column))),
    }
    for name, spent in zip(requests, best(*requests.values(), rounds=2 if quick else 5), strict=True):
        yield Finding(SECTION, f"{name} at a name / {WANTED:.1f} s", "s", spent, WANTED, spent / WANTED, 1.0)
