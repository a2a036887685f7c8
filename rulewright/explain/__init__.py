"""What a person reads about a position and about rules: answers, refusals, open options, previews, pages, pictures.

`position_questions.py` answers a question about a position. `why_not.py` says why something is not open,
`open_option_blocks.py` what is, `preview_blocks.py` what a choice may lead to, `journal_text.py` what happened.
`finder` lists complete questions for words; `views` has pages, trees, stages, and maps as text and picture.
"""
