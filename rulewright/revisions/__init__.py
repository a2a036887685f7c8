"""Paragraphs of rules compared with an earlier revision: sentences and laws of which one alone has changed."""
