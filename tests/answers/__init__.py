"""Interpreter, generated code and explanations give equal answers."""
