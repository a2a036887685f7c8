"""Six mistakes, planted in our language and in other people's."""
