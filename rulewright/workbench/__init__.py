"""The workbench: a page on this machine at which people play, and look at positions.

In: what is in reach of the command line. Out: a web server bound to 127.0.0.1. `server` starts it, `guard` keeps others
out, `routes` is what the page may ask; the files of the page are in `assets/`.
"""
