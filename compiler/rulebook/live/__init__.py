"""Pages that answer questions by themselves: what they are given, written as scripts that are loaded when asked for."""
