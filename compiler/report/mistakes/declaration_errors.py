"""How declarations are written that other languages write otherwise, and what `extend` does not extend."""

from compiler.typed.declarations import DECLARATIONS

# How to extend the declarations of a layer below.
PATCHED = "write `patch: NAME` with `add rows` or `add columns` in a YAML file"
_ANOTHER = "declare another one without `extend`, as in `{0}`"
_FORMS = [form for record in DECLARATIONS.values() for form in record.forms]
_EXTENDABLE = {"extend", *(form.split()[1] for form in _FORMS if form.startswith("extend "))}
# By keyword; the first form of one that declares and extends.
DECLARED_FORMS = {form.split()[0]: form for form in reversed(_FORMS)}
_RULED = "write a rule with `exception to LABEL` or `replaces LABEL`, or add a stage"
EXTENDED = {
    **{word: _ANOTHER.format(form) for word, form in DECLARED_FORMS.items() if word not in _EXTENDABLE},
    **dict.fromkeys(
        ("phase", "action", "offer", "sequence"),
        "write `offer ACTION beside ACTION`, `insert phase NAME { .. } after PHASE`, or a rule that "
        "`inserts { .. } after step ..`",
    ),
    **dict.fromkeys(
        ("resolution", "reaction", "after", "event"), "write a rule that `inserts { .. } after step .. of ..`"
    ),
    **dict.fromkeys(("table", "chart"), PATCHED),
    **dict.fromkeys(("value", "verdict", "condition", "sum", "set", "min", "max", "define"), _RULED),
    "rule": "write another rule with `exception to LABEL` or `replaces LABEL`",
}

# What else begins paragraphs in other languages, and how it is written here.
_MEANT = {
    "write `track scenario.NAME: TYPE = VALUE` for a value that is given or changes, or `define NAME() [SOURCE] = ..` "
    "for one that is computed": (
        "fact", "field", "variable", "var", "let", "constant", "const", "property", "attribute", "parameter", "global",
    ),
    "write `define NAME(u: unit): TYPE [SOURCE] = ..`, or a `value` and rules that give it": ("function", "def", "fn"),
    "write `resolution NAME(u: unit) [SOURCE] \"What it does.\" { .. }`": ("procedure", "routine"),
    "write the chart in a YAML document that begins with `table: NAME`": ("table", "chart"),
    "write `feature hex: NAME \"a name\"`": ("terrain", "hex"),
    "write a row in the chart of its kind, or `add counters` in a patch": ("counter", "counters", "unit", "units"),
    "name in layer.yaml the layers on which this one is based, `on: [..]`": ("import", "include", "use", "layer"),
    "write `side NAME \"Name\"`": ("nation", "player", "faction", "army"),
    "write `status unit: NAME \"is ..\" marker \"N\"`": ("marker", "token", "state"),
    "write a hook, as in `after end of turn [SOURCE] \"..\" { .. }`": ("at", "on", "whenever", "every"),
    "write `rule LABEL [SOURCE] \"What it says.\" CONCLUSION when CONDITION`": ("if", "when", "unless", "except"),
    "write `example \"title\" { .. }`": ("test", "assert"),
    "move it into an example, `example \"title\" { .. }`": ("ask", "row", "piece", "pieces", "dice", "act"),
}  # fmt: skip
MEANT_PARAGRAPH = {word: form for form, words in _MEANT.items() for word in words}
USUAL_PARAGRAPHS = "begin it with a word such as `rule`, `define`, `value`, `track`, `status`, `action` or `example`"
