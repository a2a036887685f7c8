"""Each stage of the compiler, tried on text in our own language."""
