"""The stages of the compiler, each tested on small texts in the language."""
