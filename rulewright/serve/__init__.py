"""The interfaces for people: the command line, the game at the terminal, the page of the browser, the language server.

Nothing else imports this room; every other room returns values, and these present them.
"""
