"""The recipes of docs/recipes.md, each step forgotten once."""
