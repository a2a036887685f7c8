"""How declarations are written that other languages write otherwise, and what `extend` does not extend."""

from compiler.typed.declarations import DECLARATIONS

# How to extend the declarations of a layer below.
PATCHED = "a chart has more rows and columns by a patch in a YAML file: `patch: NAME` with `add rows` or `add columns`"
_ANOTHER = "declare another beside those there are: `{0}`, without `extend`"
_FORMS = [form for record in DECLARATIONS.values() for form in record.forms]
_EXTENDABLE = {"extend", *(form.split()[1] for form in _FORMS if form.startswith("extend "))}
# By keyword; the first form of one that declares and extends.
DECLARED_FORMS = {form.split()[0]: form for form in reversed(_FORMS)}
_RULED = "a question of a layer below is changed by rules: `exception to LABEL`, `replaces LABEL`, or a stage more"
EXTENDED = {
    **{word: _ANOTHER.format(form) for word, form in DECLARED_FORMS.items() if word not in _EXTENDABLE},
    **dict.fromkeys(
        ("phase", "action", "offer", "sequence"),
        "write `offer ACTION beside ACTION` to offer more, `insert phase NAME { .. } after PHASE` for a phase, or a "
        "rule that `inserts { .. } after step ..`",
    ),
    **dict.fromkeys(
        ("resolution", "reaction", "after", "event"), "write a rule that `inserts { .. } after step .. of ..`"
    ),
    **dict.fromkeys(("table", "chart"), PATCHED),
    **dict.fromkeys(("value", "verdict", "condition", "sum", "set", "min", "max", "define"), _RULED),
    "rule": "a rule is changed by another one, with `exception to LABEL` or `replaces LABEL`",
}

# What else begins paragraphs in other languages, and how it is written here.
_MEANT = {
    "`track scenario.NAME: TYPE = VALUE` is a value that a card gives or play changes, `define NAME() [SOURCE] = ..` "
    "one that is computed": (
        "fact", "field", "variable", "var", "let", "constant", "const", "property", "attribute", "parameter", "global",
    ),
    "write `define NAME(u: unit): TYPE [SOURCE] = ..`, or a `value` and rules that give it": ("function", "def", "fn"),
    "write `resolution NAME(u: unit) [SOURCE] \"What it does.\" { .. }`": ("procedure", "routine"),
    "a chart is a YAML document of the layer, which begins with `table: NAME`": ("table", "chart"),
    "write `feature hex: NAME \"a name\"`, and its prices in a chart": ("terrain", "hex"),
    "counters are rows of the chart of their kind; a layer adds some in a document that begins with `patch: NAME`, "
    "under `add counters`": ("counter", "counters", "unit", "units"),
    "a layer names in its layer.yaml with `on: [..]` those that it stands on": ("import", "include", "use", "layer"),
    "write `side NAME \"Name\"`": ("nation", "player", "faction", "army"),
    "write `status unit: NAME \"is ..\" marker \"N\"`": ("marker", "token", "state"),
    "what is done then is written `after end of turn [SOURCE] \"..\" { .. }`": ("at", "on", "whenever", "every"),
    "write `rule LABEL [SOURCE] \"What it says.\" CONCLUSION when CONDITION`": ("if", "when", "unless", "except"),
    "write `example \"title\" { .. }`": ("test", "assert"),
    "it stands in an example: `example \"title\" { .. }`": ("ask", "row", "piece", "pieces", "dice", "act"),
}  # fmt: skip
MEANT_PARAGRAPH = {word: form for form, words in _MEANT.items() for word in words}
USUAL_PARAGRAPHS = (
    "a paragraph begins with a word such as `rule`, `define`, `value`, `track`, `status`, `action` or `example`"
)
