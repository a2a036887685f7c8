"""The recipes of docs/recipes.md, each step omitted once."""
