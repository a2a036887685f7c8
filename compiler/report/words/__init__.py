"""The words of every problem, one file a stage: facts in, a sentence out.

House style, after Cedar and Elm: lower case, no final period, the author's own text in backticks;
the sentence says what is wrong, a label what each place has to do with it, the help what to write.
"""
