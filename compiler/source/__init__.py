"""Text as written: the only room that knows lark and yaml, and the compiler's only reader of files."""
