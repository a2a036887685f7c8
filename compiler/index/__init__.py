"""The semantic index: what each name of a stack's files stands for, and where it is declared and used."""
