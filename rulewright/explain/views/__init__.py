"""Views of a stack: its paragraphs, words, trees and stages, and its positions as pictures."""
