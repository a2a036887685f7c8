"""The adapter for facts in plain files: boards and situations, in the words of OpenPanzerBlitz."""
