"""Layers upon layers: what holds where several of them remove, replace, declare or amend the same."""
