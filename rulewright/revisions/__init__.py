"""What has changed in the rules since a commit, or since their checksums were taken, and what came of it.

compare.py and changes.py compare with a commit, checksums.py and accepted_differences.py with checksums;
merged_findings.py and regressions.py find what a change brought about.
"""
