"""The workbench: a local page for playing games and inspecting positions.

In: the packages of the command line. Out: a web server bound to 127.0.0.1. `server` starts it, `guard` rejects
requests of others, `routes` defines the requests of the page; its files are in `assets/`.
"""
