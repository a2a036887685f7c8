"""Small invented games, some built by hand as graphs, some written as sources."""
