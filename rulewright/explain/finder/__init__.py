"""The finder of questions: from words about a position to complete questions of the rules, each with its answer.

Words rank and never decide: a row prints the question that it answers, with every argument.
"""
