"""Read modules and saves of VASSAL into our boards, counters, cards and positions, and write positions as saves.

In: an archive (`.vmod`, `.vsav`, `.vlog`) or the folder of a module. None of its content is trusted: nothing is
unpacked to disk, each part has a largest size, and what cannot be read is noted with its place.
"""
