"""Emit the compression function of BLAKE2b (RFC 7693, section 3.2) with its rounds unrolled.

The output is the WebAssembly text of `$compress(message, bytes, last)`, whose working vector is held in locals. The
chained value lies at address 64, the initialization vector at 256. Each die roll and each random choice takes one
compression: with calls and a vector in memory, it took two thirds of the time of a module that played random games of
Hex.
"""

INITIAL = (
    0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
    0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179,
)  # fmt: skip
SIGMA = (
    "0123456789abcdef", "ea489fd61c02b753", "b8c052fdae367194", "7931dcbe265a40f8", "905724afe1bc683d",
    "2c6a0b834d75fe19", "c51fed4a0763928b", "db7ec13950f4862a", "6fe9b308c2d714a5", "a2847615fb9e3cd0",
)  # fmt: skip
HASH_ROUNDS = 12
CHAINED, BEGINNING = 64, 256
# Columns, then diagonals, of the working vector.
QUARTERS = (
    (0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
    (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14),
)  # fmt: skip


def write_compression() -> str:
    """Emit the function `$compress`."""
    names = " ".join(f"(local $v{number} i64)" for number in range(16))
    lines = [f"(func $compress (param $message i32) (param $bytes i32) (param $last i32) {names}"]
    lines += [f"  (local.set $v{index} (i64.load (i32.const {CHAINED + 8 * index})))" for index in range(8)]
    lines += [f"  (local.set $v{8 + index} (i64.const {value:#x}))" for index, value in enumerate(INITIAL)]
    lines.append("  (local.set $v12 (i64.xor (local.get $v12) (i64.extend_i32_u (local.get $bytes))))")
    lines.append("  (if (local.get $last) (then (local.set $v14 (i64.xor (local.get $v14) (i64.const -1)))))")
    for number in range(HASH_ROUNDS):
        order = [int(each, 16) for each in SIGMA[number % len(SIGMA)]]
        for index, quarter in enumerate(QUARTERS):
            lines += mixing_code(*quarter, order[2 * index], order[2 * index + 1])
    for index in range(8):
        xor = f"(i64.xor (local.get $v{index}) (local.get $v{8 + index}))"
        address = f"(i32.const {CHAINED + 8 * index})"
        lines.append(f"  (i64.store {address} (i64.xor (i64.load {address}) {xor}))")
    return "\n".join([*lines, ")"])


def mixing_code(a: int, b: int, c: int, d: int, x: int, y: int) -> list[str]:
    """Emit the mixing function G (section 3.1): it mixes four words of the vector with two words of the message."""
    return [*quarter_step(a, b, c, d, x, (32, 24)), *quarter_step(a, b, c, d, y, (16, 63))]


def quarter_step(a: int, b: int, c: int, d: int, word: int, turns: tuple[int, int]) -> list[str]:
    """Emit half of G: one word of the message is added, with two rotations (`turns`, in bits)."""
    va, vb, vc, vd = (f"(local.get $v{each})" for each in (a, b, c, d))
    message_word = f"(i64.load offset={8 * word} (local.get $message))"
    return [
        f"  (local.set $v{a} (i64.add (i64.add {va} {vb}) {message_word}))",
        f"  (local.set $v{d} (i64.rotr (i64.xor {vd} {va}) (i64.const {turns[0]})))",
        f"  (local.set $v{c} (i64.add {vc} {vd}))",
        f"  (local.set $v{b} (i64.rotr (i64.xor {vb} {vc}) (i64.const {turns[1]})))",
    ]
