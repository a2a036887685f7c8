"""Text as written: the only package that imports lark and yaml, and the compiler's only reader of files."""
