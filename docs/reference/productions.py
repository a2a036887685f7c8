"""The grammar of .rules files as a page: every production in words, and an example of each.

In: the text of the grammar, and a text that uses every construct. Out: markdown. What the grammar needs for
its parser's sake is smoothed out: rules that are only an optional clause are written where they are used, lists
with separators become `x, ...`, and terminals become the words they stand for.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from compiler.format.line_flow import lay_out
from compiler.format.printer import write_layout
from compiler.source.building import whole_grammar
from compiler.source.concrete import Branch, ConcreteNode, Leaf, read_concrete

WIDE = 100

# What is no fixed word: how a production names it, and what it is.
WORDS = {
    "NAME": ("name", "a name", "`may_enter`, `C`"),
    "LABEL": ("label", "the label of a paragraph", "`open-ground`"),
    "STACK": ("stack", "a stack", "`toy+frost`"),
    "NUMBER": ("number", "an exact number", "`3`, `1/2`"),
    "INTEGER": ("whole", "a whole number", "`12`"),
    "QUOTED": ("quoted", "a name with odd signs", "`'2-1'`"),
    "STRING": ("text", "prose, in one line", '`"Mire costs three."`'),
    "CITES": ("sources", "where it is printed; `.05` and `.07-.09` go on from the id before", "`[T.1, T.MOVE.04 .05]`"),
}
SIGNS = {"PLUS": '"+"', "MINUS": '"-"', "TIMES": '"*"', "SLASH": '"/"', "NOT": '"not"', "NO": '"no"'}
# Of a name in the grammar, quoted words left alone.
_NAMES = re.compile(r'"[^"]*"|[?_]*[a-z][a-z_]*')
# The richest of the examples that are not longer; the shortest if all are.
LONGEST = 260
INTRODUCTION = """\
# The grammar

Written from `compiler/source/grammar.lark` and the forms of `compiler/source/building` by `docs/reference/write.py`;
[the language](../language.md) tells what it means. Quoted words are typed as they stand. `[x]` may be left out; `x*` is
any number of x, `x+` at least one; `x, ...` is one or several with commas between, `x "or" ...` with that word between;
`x | y` is one of the two. Layout is free, except that a measure stands in the line of its number; `#` begins a comment.
A word is a keyword only where the grammar has one, so a parameter may be called `to`. `rulewright fmt` lays a file out
as the examples are.

| word | is | such as |
| --- | --- | --- |"""


@dataclass(frozen=True, slots=True)
class Production:
    """One rule of the grammar: its name, what it may be, and the heading it stands under."""

    heading: str
    name: str
    alternatives: str


class Grammar:
    """The productions of a grammar, and what of them is written inside others."""

    def __init__(self, text: str) -> None:
        """Read the text of the grammar."""
        self._terminals = dict(re.findall(r"^([A-Z_]+):\s*(.+)", text, re.MULTILINE))
        self.productions = _in_reading_order([_split(production) for production in _rules(text)])
        self._inlined = {
            each.name: each.alternatives
            for each in self.productions
            if re.fullmatch(r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]", each.alternatives)
        }
        used = Counter(word for each in self.productions for word in re.findall(r"\b[A-Z_]{2,}\b", each.alternatives))
        self.choices = {
            name: f"{name.lower().replace('_', '-').removesuffix('-word')}-word"
            for name, count in used.items()
            if count > 1 and name in self._terminals and name not in WORDS and name not in SIGNS
        }

    def reader_productions(self) -> list[Production]:
        """List the productions that a reader wants to see."""
        excluded = {"start", "question", "written_type", *WORDS}
        return [
            each
            for each in self.productions
            if each.name not in self._inlined and each.name not in excluded and each.alternatives.lower() != each.name
        ]

    def alternatives_text(self, production: Production) -> str:
        """Write what a production may be for people."""
        productions = self._written_out(production.alternatives)
        productions = re.sub(r'([\w?]+) \("," \1\)\*', r"\1, ...", productions)
        productions = re.sub(r'([\w?]+) \(("[|]"|"and"|"or"|MINUS) \1\)[*+]', r"\1 \2 ...", productions)
        productions = re.sub(r"\b([A-Z]{2,})\?", r"[\1]", productions)
        productions = re.sub(r"\b[A-Z_]{2,}\b", lambda found: self.terminal(found[0]), productions)
        return _NAMES.sub(lambda found: readable_production(found[0]), productions)

    def _written_out(self, productions: str) -> str:
        """Put clauses that may be left out in the place of their names."""

        def inside(found: re.Match[str]) -> str:
            return self._written_out(self._inlined[found[0]]) if found[0] in self._inlined else found[0]

        return _NAMES.sub(inside, productions)

    def terminal(self, name: str) -> str:
        """Write a terminal: the word for it, its sign, or the keywords it stands for."""
        if name in WORDS:
            return WORDS[name][0]
        if name in SIGNS or name in self.choices:
            return SIGNS.get(name) or self.choices[name]
        return f"({self.keywords(name)})"

    def keywords(self, name: str) -> str:
        """List the keywords of a terminal."""
        few = re.search(r"/\(([a-z|]+)\)", self._terminals[name])
        return " | ".join(f'"{word}"' for word in few[1].split("|")) if few else self._terminals[name]


def grammar_page(toy: str) -> str:
    """Write the page; `toy` is the text that the examples are taken from."""
    read = Grammar(whole_grammar())
    examples = _examples(read_concrete(toy))
    parts = ["\n".join([INTRODUCTION, *(f"| {name} | {meaning} | {such} |" for name, meaning, such in WORDS.values())])]
    heading = ""
    for each in read.reader_productions():
        if each.heading != heading:
            heading = each.heading
            parts.append(f"## {heading[:1].upper()}{heading[1:]}")
        parts.append(f"```text\n{_wrapped(readable_production(each.name), read.alternatives_text(each))}\n```")
        if plain(each.name) in examples:
            parts.append(f"```rules\n{examples[plain(each.name)]}\n```")
    parts.append("## Words that several productions choose from")
    chosen = [_wrapped(called, read.keywords(name)) for name, called in sorted(read.choices.items())]
    parts.append("```text\n" + "\n".join(chosen) + "\n```")
    return "\n\n".join(parts) + "\n"


def missing_examples(toy: str) -> list[str]:
    """List the productions that the text has no example of; those that only choose among others need none."""
    examples = _examples(read_concrete(toy))
    text = Grammar(whole_grammar()).reader_productions()
    return [each.name for each in text if each.name[0] not in "?_" and each.name not in examples]


def _wrapped(name: str, productions: str) -> str:
    """Write a production in lines that fit, broken between its words."""
    head = f"{name} = "
    lines, line = [], head
    for word in re.findall(r'\S*"[^"]*"\S*|\S+', productions):
        if len(line) + len(word) > WIDE and line.strip():
            lines.append(line.rstrip())
            line = " " * min(len(head), 20)
        line += f"{word} "
    return "\n".join([*lines, line.rstrip()])


# ---------------------------------------------------------------- reading the grammar


def _rules(text: str) -> Iterator[Production]:
    """Read the rules, terminals and directives left out."""
    heading, name, productions = "a file", "", ""
    for line in [*text.splitlines(), "end: x"]:
        title = re.match(r"// -+ (.+)", line)
        heading_match = re.match(r"([?_]*[a-z_]+):\s*(.+)", line)
        if name and not title and (more := re.match(r"\s+(\|.+)", line)):
            productions += f" {more[1]}"
        elif title or heading_match:
            if name:
                yield Production(heading, name, productions)
            heading = title[1] if title else heading
            name, productions = (heading_match[1], heading_match[2]) if heading_match else ("", "")


def _split(production: Production) -> list[Production]:
    """Take apart a rule whose alternative has a name of its own: `a: .. | .. -> b`."""
    main, named = [], []
    for alternative in re.split(r" \| (?![^(\[]*[)\]])", production.alternatives):
        alone, _, name = alternative.partition(" -> ")
        if name:
            named.append(Production(production.heading, name.strip(), alone.strip()))
        else:
            main.append(alternative)
    return [*([Production(production.heading, production.name, " | ".join(main))] if main else []), *named]


def _in_reading_order(rules: list[list[Production]]) -> list[Production]:
    """List the productions of each heading: behind one follow those of the heading that it consists of."""
    rule_of = {(each.heading, plain(each.name)): productions for productions in rules for each in productions}
    found: dict[Production, None] = {}

    def follow(heading: str, name: str) -> None:
        productions = rule_of.get((heading, name), [])
        if any(production not in found for production in productions):
            found.update(dict.fromkeys(productions))
            for production in productions:
                for other in _NAMES.findall(production.alternatives):
                    follow(heading, plain(other))

    for heading, name in rule_of:
        follow(heading, name)
    headings = list(dict.fromkeys(heading for heading, _ in rule_of))
    return sorted(found, key=lambda production: headings.index(production.heading))


def plain(name: str) -> str:
    """Take the marks away that tell the parser what to build."""
    return name.lstrip("?_")


def readable_production(name: str) -> str:
    """Write a name for people; quoted words stay."""
    return name if name.startswith('"') else plain(name).replace("_", "-")


# ---------------------------------------------------------------- examples


def _examples(tree: Branch) -> dict[str, str]:
    """Find for every production the richest short piece of a text."""
    found: dict[str, tuple[int, str]] = {}
    for branch in _branches(tree):
        text = write_layout(lay_out(_silent(branch)), WIDE).rstrip("\n")
        worth = -len(text)
        if len(text) <= LONGEST:
            worth += 10_000 + 100 * len({part.type if isinstance(part, Leaf) else part.kind for part in branch.parts})
        if branch.kind not in found or worth > found[branch.kind][0]:
            found[branch.kind] = (worth, text)
    return {kind: text for kind, (_, text) in found.items()}


def _branches(tree: Branch) -> Iterator[Branch]:
    yield tree
    for part in tree.parts:
        if isinstance(part, Branch):
            yield from _branches(part)


def _silent(twig: ConcreteNode) -> ConcreteNode:
    """Take the comments away."""
    if isinstance(twig, Leaf):
        return Leaf(twig.type, twig.text, twig.line, (), follows_blank_line=False, trailing_comment="")
    return Branch(twig.kind, tuple(_silent(part) for part in twig.parts))
