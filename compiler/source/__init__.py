"""Text as written: the only package that knows lark and yaml, and the compiler's only reader of files."""
