"""The changes of the rules since a commit, or since their checksums were taken, and their effects.

sentence_review.py and file_changes.py compare with a commit, checksums.py and accepted_differences.py with checksums;
merged_findings.py and regressions.py determine the effects of a change.
"""
