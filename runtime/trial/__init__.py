"""Trials: games written down choice by choice, played again bit for bit, and under other rules."""
