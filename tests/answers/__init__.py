"""Interpreter, generated code and explanations give one answer."""
