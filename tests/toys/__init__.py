"""Small invented games, some built as graphs by hand, some compiled from sources."""
