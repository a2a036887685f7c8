"""Printed boards on a map: how they lie, and what passes from one to the next."""
