"""The adapter for modules of OpenPanzerBlitz, and for facts written down in plain files."""
