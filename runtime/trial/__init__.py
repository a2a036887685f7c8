"""Trials: games recorded choice by choice, which can be replayed exactly, and under other rules."""
