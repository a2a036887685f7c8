"""Text as written and its parsing: the only package that imports lark and yaml, and the compiler's only file reader."""
