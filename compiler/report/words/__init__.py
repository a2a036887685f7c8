"""The sentences of all problems, one file per stage: the input is facts, the output a sentence.

Style, after Cedar and Elm: lower case, no final period, the author's own text in backticks; the sentence states
what is wrong, a label the relation of each place to it, the help what to write.
"""
