"""What commands need of the machine: files, locks, processes, git, installed adapters; and the errors of a caller.

Other rooms import this one, and it imports none but the cache of `library`. `editable_install.py` uses the standard
library only, since it runs before any package is installed.
"""
