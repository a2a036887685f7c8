"""Write the TextMate grammar: `python3 -m editors.write` from the top of the clone.

The same grammar of the language gives the same file; tests/editors/test_textmate.py holds it to what is written here.
"""

import json
from pathlib import Path

from editors.textmate import grammar

EXTENSION = Path(__file__).parent / "vscode"
GRAMMAR = EXTENSION / "syntaxes" / "rulewright.tmLanguage.json"


def text() -> str:
    """Return the text of the file."""
    return json.dumps(grammar(), indent=2) + "\n"


def main() -> None:
    """Write the file."""
    GRAMMAR.parent.mkdir(parents=True, exist_ok=True)
    GRAMMAR.write_text(text(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
