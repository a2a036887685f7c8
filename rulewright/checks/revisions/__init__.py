"""The changes of the rules since a commit, or since their checksums were taken, and their effects.

revision_texts.py reads files at a commit and checksums.py known checksums; mismatches.py compares with either, part by
part. regressions.py determines the effects of a change, by taking it back.
"""
