"""The book on paper: text for typst, and pictures without a style sheet."""
