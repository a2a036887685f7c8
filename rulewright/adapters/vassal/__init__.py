"""Convert modules and saves of VASSAL to boards, counters, cards and positions, and export positions as saves.

In: an archive (`.vmod`, `.vsav`, `.vlog`). The content is untrusted: nothing is extracted
to disk, each part has a size limit, and what cannot be read is noted with its span.
"""
