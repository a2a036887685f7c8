;; What procedures call: frames, decisions, chance, and the changes of a position.
;;
;; A frame is 24 bytes and 8 for each name: procedure, block, memory to fall back to, the frame below, actions taken in
;; the offer under way, depth. Frames, and what their names refer to, lie on the same stack as other memory. What a
;; position refers to is kept in an arena, where nothing moves and nothing changes but the fields of records.

(func $arena_alloc (param $bytes i32) (result i32) (local $at i32)
  (local.set $at (global.get $arena))
  (if (i32.gt_u (local.get $bytes) (i32.sub (global.get $arena_end) (local.get $at))) (then (call $fail (i32.const 6))))
  (global.set $arena (i32.add (local.get $at) (local.get $bytes)))
  (local.get $at))

(func $persist_bytes (param $from i32) (param $bytes i32) (result i32) (local $at i32)
  (if (i32.lt_u (local.get $from) (global.get $base)) (then (return (local.get $from))))
  (local.set $at (call $arena_alloc (local.get $bytes)))
  (memory.copy (local.get $at) (local.get $from) (local.get $bytes))
  (local.get $at))

(func $persist_sequence (param $row i32) (result i32)
  (call $persist_bytes (local.get $row) (i32.add (i32.const 8) (i32.shl (i32.load (local.get $row)) (i32.const 3)))))

;; Sequences of the arena are never changed: who goes through one sees what it was.
(func $persist_with (param $row i32) (param $value i64) (result i32) (local $at i32) (local $bytes i32)
  (local.set $bytes (i32.add (i32.const 8) (i32.shl (i32.load (local.get $row)) (i32.const 3))))
  (local.set $at (call $arena_alloc (i32.add (local.get $bytes) (i32.const 8))))
  (memory.copy (local.get $at) (local.get $row) (local.get $bytes))
  (i64.store (i32.add (local.get $at) (local.get $bytes)) (local.get $value))
  (i32.store (local.get $at) (i32.add (i32.load (local.get $row)) (i32.const 1)))
  (local.get $at))

(func $persist_without (param $row i32) (param $value i64) (result i32) (local $at i32) (local $i i32) (local $n i32)
  (local.set $at (call $arena_alloc (i32.add (i32.const 8) (i32.shl (i32.load (local.get $row)) (i32.const 3)))))
  (block $none (loop $next
    (br_if $none (i32.ge_u (local.get $i) (i32.load (local.get $row))))
    (if (i64.ne (call $item (local.get $row) (local.get $i)) (local.get $value)) (then
      (i64.store offset=8 (i32.add (local.get $at) (i32.shl (local.get $n) (i32.const 3)))
        (call $item (local.get $row) (local.get $i)))
      (local.set $n (i32.add (local.get $n) (i32.const 1)))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $next)))
  (i32.store (local.get $at) (local.get $n))
  (i32.store offset=4 (local.get $at) (i32.const 0))
  (local.get $at))

(func $persist_set_with (param $row i32) (param $value i64) (result i32) (local $mark i32) (local $made i32)
  (local.set $mark (global.get $sp))
  (local.set $made (call $copy_sequence (local.get $row)))
  (call $insert (local.get $made) (local.get $value))
  (local.set $made (call $persist_sequence (local.get $made)))
  (global.set $sp (local.get $mark))
  (local.get $made))

(func $set_bit (param $set i32) (param $i i32) (param $on i32) (local $at i32) (local $mask i32)
  (if (i32.lt_s (local.get $i) (i32.const 0)) (then (call $fail (i32.const 4))))
  (local.set $at (i32.add (local.get $set) (i32.shr_u (local.get $i) (i32.const 3))))
  (local.set $mask (i32.shl (i32.const 1) (i32.and (local.get $i) (i32.const 7))))
  (i32.store8 (local.get $at) (i32.xor (i32.or (i32.load8_u (local.get $at)) (local.get $mask))
    (select (i32.const 0) (local.get $mask) (local.get $on)))))

(func $next_bit (param $set i32) (param $words i32) (param $from i32) (result i32) (local $word i64)
  (loop $again
    (if (i32.ge_u (local.get $from) (i32.shl (local.get $words) (i32.const 6))) (then (return (i32.const -1))))
    (local.set $word (i64.shr_u
      (i64.load (i32.add (local.get $set) (i32.shl (i32.shr_u (local.get $from) (i32.const 6)) (i32.const 3))))
      (i64.extend_i32_u (i32.and (local.get $from) (i32.const 63)))))
    (if (i64.eqz (local.get $word)) (then
      (local.set $from (i32.shl (i32.add (i32.shr_u (local.get $from) (i32.const 6)) (i32.const 1)) (i32.const 6)))
      (br $again))))
  (i32.add (local.get $from) (i32.wrap_i64 (i64.ctz (local.get $word)))))

(func $listed (param $set i32) (param $words i32) (result i32)
    (local $made i32) (local $at i32) (local $first i32) (local $i i32) (local $word i64)
  (local.set $made (call $sequence))
  (loop $count
    (local.set $word (i64.add (local.get $word)
      (i64.popcnt (i64.load (i32.add (local.get $set) (i32.shl (local.get $i) (i32.const 3)))))))
    (br_if $count (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $words))))
  (i32.store (local.get $made) (i32.wrap_i64 (local.get $word)))
  (local.set $at (call $alloc (i32.shl (i32.wrap_i64 (local.get $word)) (i32.const 3))))
  (local.set $i (i32.const 0))
  (loop $words
    (local.set $word (i64.load (i32.add (local.get $set) (i32.shl (local.get $i) (i32.const 3)))))
    (local.set $first (i32.shl (local.get $i) (i32.const 6)))
    (block $none (loop $next
      (br_if $none (i64.eqz (local.get $word)))
      (i64.store (local.get $at) (i64.or (i64.extend_i32_u (local.get $first)) (i64.ctz (local.get $word))))
      (local.set $word (i64.and (local.get $word) (i64.sub (local.get $word) (i64.const 1))))
      (local.set $at (i32.add (local.get $at) (i32.const 8)))
      (br $next)))
    (br_if $words (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $words))))
  (local.get $made))

;; Pieces

(func $hex_of (param $p i32) (result i32)
  (i32.load (i32.add (global.get $hex) (i32.shl (local.get $p) (i32.const 2)))))

(func $has_left (param $p i32) (result i32) (local $h i32)
  (local.set $h (call $hex_of (local.get $p)))
  (i32.or (i32.eq (local.get $h) (i32.const -2)) (i32.eq (local.get $h) (i32.const -3))))

(func $next_place (param $p i32) (result i32)
  (i32.add (global.get $next_at) (i32.shl (local.get $p) (i32.const 2))))

(func $unlink (param $p i32) (param $h i32) (local $at i32)
  (local.set $at (i32.add (global.get $first_at) (i32.shl (local.get $h) (i32.const 2))))
  (loop $next
    (if (i32.ne (i32.load (local.get $at)) (local.get $p)) (then
      (local.set $at (call $next_place (i32.load (local.get $at))))
      (br $next))))
  (i32.store (local.get $at) (i32.load (call $next_place (local.get $p))))
  (i32.store (call $next_place (local.get $p)) (i32.const -1)))

(func $link (param $p i32) (param $h i32) (local $at i32)
  (local.set $at (i32.add (global.get $first_at) (i32.shl (local.get $h) (i32.const 2))))
  (block $here (loop $next
    (br_if $here (i32.lt_s (i32.load (local.get $at)) (i32.const 0)))
    (br_if $here (i32.gt_s (i32.load (local.get $at)) (local.get $p)))
    (local.set $at (call $next_place (i32.load (local.get $at))))
    (br $next)))
  (i32.store (call $next_place (local.get $p)) (i32.load (local.get $at)))
  (i32.store (local.get $at) (local.get $p)))

(func $place_piece (param $p i32) (param $h i32) (local $old i32)
  (local.set $old (call $hex_of (local.get $p)))
  (if (i32.ne (local.get $old) (local.get $h)) (then
    (if (i32.ge_s (local.get $old) (i32.const 0)) (then (call $unlink (local.get $p) (local.get $old))))
    (if (i32.ge_s (local.get $h) (i32.const 0)) (then (call $link (local.get $p) (local.get $h))))
    (i32.store (i32.add (global.get $hex) (i32.shl (local.get $p) (i32.const 2))) (local.get $h))))
  (call $set_bit (global.get $on_map) (local.get $p) (i32.ge_s (local.get $h) (i32.const 0)))
  (call $set_bit (global.get $gone) (local.get $p) (i32.eq (local.get $h) (i32.const -2)))
  (local.set $old (i32.or (i32.eq (local.get $h) (i32.const -1)) (i32.eq (local.get $h) (i32.const -3))))
  (call $set_bit (global.get $reserve) (local.get $p) (local.get $old))
  (call $set_bit (global.get $off) (local.get $p) (local.get $old)))

;; Related pairs, in order: a count, then left, right and payload of each.

(func $pair_at (param $pairs i32) (param $i i32) (result i32)
  (i32.add (i32.add (local.get $pairs) (i32.const 16)) (i32.shl (local.get $i) (i32.const 4))))

(func $pair_place (param $pairs i32) (param $left i32) (param $right i32) (result i32) (local $i i32) (local $at i32)
  (block $here (loop $next
    (br_if $here (i32.ge_u (local.get $i) (i32.load (local.get $pairs))))
    (local.set $at (call $pair_at (local.get $pairs) (local.get $i)))
    (br_if $here (i32.gt_s (i32.load (local.get $at)) (local.get $left)))
    (br_if $here (i32.and (i32.eq (i32.load (local.get $at)) (local.get $left))
      (i32.ge_s (i32.load offset=4 (local.get $at)) (local.get $right))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $next)))
  (local.get $i))

(func $is_pair (param $pairs i32) (param $i i32) (param $left i32) (param $right i32) (result i32) (local $at i32)
  (if (i32.ge_u (local.get $i) (i32.load (local.get $pairs))) (then (return (i32.const 0))))
  (local.set $at (call $pair_at (local.get $pairs) (local.get $i)))
  (i32.and (i32.eq (i32.load (local.get $at)) (local.get $left))
    (i32.eq (i32.load offset=4 (local.get $at)) (local.get $right))))

(func $remove_pair (param $pairs i32) (param $i i32) (local $at i32)
  (i32.store (local.get $pairs) (i32.sub (i32.load (local.get $pairs)) (i32.const 1)))
  (local.set $at (call $pair_at (local.get $pairs) (local.get $i)))
  (memory.copy (local.get $at) (i32.add (local.get $at) (i32.const 16))
    (i32.shl (i32.sub (i32.load (local.get $pairs)) (local.get $i)) (i32.const 4))))

(func $unrelate (param $pairs i32) (param $left i32) (param $right i32) (local $i i32)
  (local.set $i (call $pair_place (local.get $pairs) (local.get $left) (local.get $right)))
  (if (call $is_pair (local.get $pairs) (local.get $i) (local.get $left) (local.get $right))
    (then (call $remove_pair (local.get $pairs) (local.get $i)))))

;; `one`: 1 admits one left partner of the right piece, 2 one right partner of the left piece.
(func $relate (param $pairs i32) (param $left i32) (param $right i32) (param $payload i64) (param $one i32)
    (param $most i32) (local $i i32) (local $at i32)
  (if (local.get $one) (then
    (block $none (loop $next
      (br_if $none (i32.ge_u (local.get $i) (i32.load (local.get $pairs))))
      (local.set $at (call $pair_at (local.get $pairs) (local.get $i)))
      (if (select
          (i32.and (i32.eq (i32.load offset=4 (local.get $at)) (local.get $right))
            (i32.ne (i32.load (local.get $at)) (local.get $left)))
          (i32.and (i32.eq (i32.load (local.get $at)) (local.get $left))
            (i32.ne (i32.load offset=4 (local.get $at)) (local.get $right)))
          (i32.eq (local.get $one) (i32.const 1)))
        (then (call $remove_pair (local.get $pairs) (local.get $i)))
        (else (local.set $i (i32.add (local.get $i) (i32.const 1)))))
      (br $next)))))
  (local.set $i (call $pair_place (local.get $pairs) (local.get $left) (local.get $right)))
  (local.set $at (call $pair_at (local.get $pairs) (local.get $i)))
  (if (i32.eqz (call $is_pair (local.get $pairs) (local.get $i) (local.get $left) (local.get $right))) (then
    (if (i32.ge_u (i32.load (local.get $pairs)) (local.get $most)) (then (call $fail (i32.const 6))))
    (memory.copy (i32.add (local.get $at) (i32.const 16)) (local.get $at)
      (i32.shl (i32.sub (i32.load (local.get $pairs)) (local.get $i)) (i32.const 4)))
    (i32.store (local.get $pairs) (i32.add (i32.load (local.get $pairs)) (i32.const 1)))))
  (i32.store (local.get $at) (local.get $left))
  (i32.store offset=4 (local.get $at) (local.get $right))
  (i64.store offset=8 (local.get $at) (local.get $payload)))

;; Chance: BLAKE2b (RFC 7693) of a text that says where a die is thrown or what is drawn. The chained value lies at 64,
;; what it begins with at 256, the text at 480; $compress is written by blake2b.py.

;; Hash the text; give the first eight bytes, the first one highest.
(func $hashed (result i64) (local $at i32) (local $done i32) (local $value i64) (local $i i32)
  (memory.copy (i32.const 64) (i32.const 256) (i32.const 64))
  (i64.store (i32.const 64) (i64.xor (i64.load (i32.const 64)) (i64.const 0x01010008)))
  (memory.fill (i32.add (i32.const 480) (global.get $text)) (i32.const 0) (i32.const 128))
  (local.set $at (i32.const 480))
  (loop $block
    (if (i32.gt_u (i32.sub (global.get $text) (local.get $done)) (i32.const 128)) (then
      (local.set $done (i32.add (local.get $done) (i32.const 128)))
      (call $compress (local.get $at) (local.get $done) (i32.const 0))
      (local.set $at (i32.add (local.get $at) (i32.const 128)))
      (br $block))))
  (call $compress (local.get $at) (global.get $text) (i32.const 1))
  (loop $byte
    (local.set $value (i64.or (i64.shl (local.get $value) (i64.const 8))
      (i64.load8_u offset=64 (local.get $i))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $byte (i32.lt_u (local.get $i) (i32.const 8))))
  (local.get $value))

;; The share of `options` that eight bytes show: the upper half of their product.
(func $share (param $hash i64) (param $options i64) (result i64)
  (i64.shr_u (i64.add
    (i64.mul (i64.shr_u (local.get $hash) (i64.const 32)) (local.get $options))
    (i64.shr_u (i64.mul (i64.and (local.get $hash) (i64.const 0xffffffff)) (local.get $options)) (i64.const 32)))
    (i64.const 32)))

(func $write_byte (param $byte i32)
  (if (i32.ge_u (global.get $text) (i32.const 2048)) (then (call $fail (i32.const 6))))
  (i32.store8 offset=480 (global.get $text) (local.get $byte))
  (global.set $text (i32.add (global.get $text) (i32.const 1))))

(func $write_text (param $from i32) (param $bytes i32)
  (if (i32.ge_u (i32.add (global.get $text) (local.get $bytes)) (i32.const 2048)) (then (call $fail (i32.const 6))))
  (memory.copy (i32.add (i32.const 480) (global.get $text)) (local.get $from) (local.get $bytes))
  (global.set $text (i32.add (global.get $text) (local.get $bytes))))

(func $write_entry (param $table i32) (param $i i32) (local $at i32)
  (local.set $at (i32.add (local.get $table) (i32.shl (local.get $i) (i32.const 3))))
  (call $write_text (i32.load (local.get $at)) (i32.load offset=4 (local.get $at))))

(func $write_number (param $n i32)
  (if (i32.lt_s (local.get $n) (i32.const 0)) (then
    (call $write_byte (i32.const 45))
    (local.set $n (i32.sub (i32.const 0) (local.get $n)))))
  (if (i32.ge_u (local.get $n) (i32.const 10)) (then (call $write_number (i32.div_u (local.get $n) (i32.const 10)))))
  (call $write_byte (i32.add (i32.const 48) (i32.rem_u (local.get $n) (i32.const 10)))))

;; turn.player.phase
(func $write_stretch
  (call $write_number (i32.wrap_i64 (i64.load (global.get $turn))))
  (call $write_byte (i32.const 46))
  (call $write_entry (global.get $names) (i32.load (global.get $player)))
  (call $write_byte (i32.const 46))
  (call $write_entry (global.get $names) (i32.load (global.get $phase))))

;; A number as sixteen hexadecimal digits.
(func $write_hex (param $value i64) (local $shift i64) (local $digit i32)
  (local.set $shift (i64.const 64))
  (loop $next
    (local.set $shift (i64.sub (local.get $shift) (i64.const 4)))
    (local.set $digit (i32.wrap_i64 (i64.and (i64.shr_u (local.get $value) (local.get $shift)) (i64.const 15))))
    (call $write_byte (i32.add (local.get $digit)
      (select (i32.const 48) (i32.const 87) (i32.lt_u (local.get $digit) (i32.const 10)))))
    (br_if $next (i64.gt_s (local.get $shift) (i64.const 0)))))

;; The members of a sequence, with commas between them.
(func $write_row (param $row i32) (local $i i32)
  (block $done (loop $next
    (br_if $done (i32.ge_u (local.get $i) (i32.load (local.get $row))))
    (if (local.get $i) (then (call $write_byte (i32.const 44))))
    (call $write_number (i32.wrap_i64 (call $item (local.get $row) (local.get $i))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $next))))

;; What the next die is about, by the hash of the text.
(func $set_whose
  (global.set $whose (call $hashed))
  (global.set $is_whose (i32.const 1)))

;; Dice are logged: turn, player, phase, procedure, the number shown, what it is about (0: nothing). Number n of a stream
;; is thrown at its place: seed:turn.player.phase.procedure.n, or in games whose dice belong to what they are about
;; seed:turn.player.phase.procedure/whose.n
(func $throw (param $low i64) (param $high i64) (param $whose i64) (result i64) (local $at i32) (local $earlier i32) (local $procedure i32)
  (if (global.get $trying) (then (return (call $trial_throw (local.get $low) (local.get $high)))))
  (local.set $procedure (i32.load (global.get $top)))
  (local.set $at (global.get $dice))
  (block $none (loop $next
    (br_if $none (i32.ge_u (local.get $at) (global.get $dice_end)))
    (local.set $earlier (i32.add (local.get $earlier) (i32.and
      (i32.and (i32.eq (i32.load (local.get $at)) (i32.wrap_i64 (i64.load (global.get $turn))))
        (i32.eq (i32.load offset=4 (local.get $at)) (i32.load (global.get $player))))
      (i32.and (i32.eq (i32.load offset=8 (local.get $at)) (i32.load (global.get $phase)))
        (i32.and (i32.eq (i32.load offset=12 (local.get $at)) (local.get $procedure))
          (i64.eq (i64.load offset=24 (local.get $at)) (local.get $whose)))))))
    (local.set $at (i32.add (local.get $at) (i32.const 32)))
    (br $next)))
  (if (i32.ge_u (local.get $at) (global.get $dice_top)) (then (call $fail (i32.const 6))))
  (i32.store (local.get $at) (i32.wrap_i64 (i64.load (global.get $turn))))
  (i32.store offset=4 (local.get $at) (i32.load (global.get $player)))
  (i32.store offset=8 (local.get $at) (i32.load (global.get $phase)))
  (i32.store offset=12 (local.get $at) (local.get $procedure))
  (i64.store offset=24 (local.get $at) (local.get $whose))
  (global.set $dice_end (i32.add (local.get $at) (i32.const 32)))
  (global.set $text (i32.const 0))
  (call $write_text (global.get $seed) (global.get $seed_bytes))
  (call $write_byte (i32.const 58))
  (call $write_stretch)
  (call $write_byte (i32.const 46))
  (call $write_entry (global.get $keys) (local.get $procedure))
  (if (global.get $is_whose) (then
    (call $write_byte (i32.const 47))
    (call $write_hex (local.get $whose))))
  (call $write_byte (i32.const 46))
  (call $write_number (local.get $earlier))
  (i64.store offset=16 (local.get $at) (i64.add (local.get $low)
    (call $share (call $hashed) (i64.add (i64.sub (local.get $high) (local.get $low)) (i64.const 1)))))
  (i64.load offset=16 (local.get $at)))

;; A player's chance: seed/side/turn.player.phase.number/drawn, where `number` counts choices of a stretch.
(func $here (export "here") (result i32)
  (if (result i32) (i32.and (i32.eq (global.get $mark_turn) (i32.wrap_i64 (i64.load (global.get $turn))))
      (i32.and (i32.eq (global.get $mark_player) (i32.load (global.get $player)))
        (i32.eq (global.get $mark_phase) (i32.load (global.get $phase)))))
    (then (i32.add (global.get $mark_number) (i32.const 1)))
    (else (i32.const 0))))

(func $mark (local $number i32)
  (local.set $number (call $here))
  (global.set $mark_turn (i32.wrap_i64 (i64.load (global.get $turn))))
  (global.set $mark_player (i32.load (global.get $player)))
  (global.set $mark_phase (i32.load (global.get $phase)))
  (global.set $mark_number (local.get $number))
  (global.set $choices (i32.add (global.get $choices) (i32.const 1))))

(func $enter (param $side i32)
  (global.set $text (i32.const 0))
  (call $write_text (global.get $seed) (global.get $seed_bytes))
  (call $write_byte (i32.const 47))
  (call $write_entry (global.get $names) (local.get $side))
  (call $write_byte (i32.const 47))
  (call $write_stretch)
  (call $write_byte (i32.const 46))
  (call $write_number (call $here))
  (call $write_byte (i32.const 47))
  (global.set $stem (global.get $text))
  (global.set $drawn (i32.const 0)))

(func $chance (param $options i32) (result i32)
  (global.set $drawn (i32.add (global.get $drawn) (i32.const 1)))
  (if (i32.eq (local.get $options) (i32.const 1)) (then (return (i32.const 0))))
  (global.set $text (global.get $stem))
  (call $write_number (global.get $drawn))
  (i32.wrap_i64 (call $share (call $hashed) (i64.extend_i32_u (local.get $options)))))

;; Frames

(func $begin (param $procedure i32) (param $bytes i32) (param $base i32) (param $player i32) (result i32)
    (local $frame i32) (local $depth i32)
  (if (global.get $top) (then (local.set $depth (i32.add (i32.load offset=20 (global.get $top)) (i32.const 1)))))
  (if (i32.gt_u (local.get $depth) (i32.const 200)) (then (call $fail (i32.const 9))))
  (local.set $frame (call $alloc (local.get $bytes)))
  (memory.fill (local.get $frame) (i32.const 0) (local.get $bytes))
  (i32.store (local.get $frame) (local.get $procedure))
  (i32.store offset=8 (local.get $frame) (local.get $base))
  (i32.store offset=12 (local.get $frame) (global.get $top))
  (i32.store offset=20 (local.get $frame) (local.get $depth))
  (i32.store offset=24 (local.get $frame) (local.get $player))
  (global.set $top (local.get $frame))
  (local.get $frame))

(func $return
  (global.set $sp (i32.load offset=8 (global.get $top)))
  (global.set $top (i32.load offset=12 (global.get $top))))

;; Whether a hook offers something that was taken up: what is told then opens no reactions.
(func $reacting (result i32) (local $frame i32)
  (local.set $frame (global.get $top))
  (loop $next
    (if (i32.eqz (local.get $frame)) (then (return (i32.const 0))))
    (if (i32.and (i32.ne (i32.load offset=16 (local.get $frame)) (i32.const 0))
        (call $bit (global.get $offering) (i32.load (local.get $frame))))
      (then (return (i32.const 1))))
    (local.set $frame (i32.load offset=12 (local.get $frame)))
    (br $next))
  (unreachable))

;; Decisions. What may be chosen is a row of values; the lowest number ends an offer, or stops adding to a set.

(func $side_asked (param $frame i32) (param $site i32) (result i32)
  (call_indirect (type $function) (local.get $frame) (i32.add (global.get $sites) (local.get $site))))
(func $candidates (param $frame i32) (param $site i32) (result i32)
  (call_indirect (type $function) (local.get $frame)
    (i32.add (global.get $sites) (i32.add (local.get $site) (i32.const 1)))))
(func $is_open (param $frame i32) (param $site i32) (param $value i64) (result i32) (local $mark i32) (local $arena i32)
    (local $open i32)
  (local.set $mark (global.get $sp))
  (local.set $arena (global.get $arena))
  (local.set $open (call_indirect (type $test) (local.get $frame) (local.get $value)
    (i32.add (global.get $sites) (i32.add (local.get $site) (i32.const 2)))))
  (global.set $sp (local.get $mark))
  (global.set $arena (local.get $arena))
  (local.get $open))
(func $take (param $frame i32) (param $site i32) (param $value i64)
  (if (select (i32.const 0) (global.get $log_end) (global.get $trying)) (then (call $log_taken (i32.div_u (local.get $site) (i32.const 5)) (local.get $value))))
  (call_indirect (type $take) (local.get $frame) (local.get $value)
    (i32.add (global.get $sites) (i32.add (local.get $site) (i32.const 3)))))

;; What is taken is logged where somebody wants to know: how many choices were made by then, how the value is written
;; (`logged_as` in play.py), and the value; for a record its place in the line of those that are written.
(func $log_taken (param $site i32) (param $value i64) (local $as i32) (local $at i32) (local $i i32) (local $row i32)
  (local.set $at (global.get $log_end))
  (if (i32.ge_u (local.get $at) (global.get $log_top)) (then (call $fail (i32.const 6))))
  (global.set $log_end (i32.add (local.get $at) (i32.const 16)))
  (i32.store (local.get $at) (global.get $choices))
  (local.set $as (i32.load (i32.add (global.get $logged_as) (i32.shl (local.get $site) (i32.const 2)))))
  (if (i32.and (i32.gt_u (local.get $as) (i32.const 2)) (i64.ne (local.get $value) (i64.const 0x8000000000000000)))
    (then
      (local.set $row (i32.load (local.get $as)))
      (local.set $as (i32.const 2))
      (block $none (loop $next
        (br_if $none (i32.ge_u (local.get $i) (i32.load (local.get $row))))
        (if (i64.eq (call $item (local.get $row) (local.get $i)) (local.get $value)) (then
          (local.set $as (i32.const 3))
          (local.set $value (i64.extend_i32_u (local.get $i)))
          (br $none)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $next)))))
  (i32.store offset=4 (local.get $at) (local.get $as))
  (i64.store offset=8 (local.get $at) (local.get $value)))

(func $store_item (param $row i32) (param $i i32) (param $value i64)
  (i64.store offset=8 (i32.add (local.get $row) (i32.shl (local.get $i) (i32.const 3))) (local.get $value)))

;; Draw an option, each alike, without listing the others; 0 if none is open.
(func $draw (param $frame i32) (param $site i32) (param $row i32) (param $side i32) (param $mark i32) (result i32)
    (local $left i32) (local $i i32) (local $value i64)
  (call $enter (local.get $side))
  (local.set $left (i32.load (local.get $row)))
  (loop $next
    (if (i32.eqz (local.get $left)) (then (return (i32.const 0))))
    (local.set $i (call $chance (local.get $left)))
    (local.set $left (i32.sub (local.get $left) (i32.const 1)))
    (local.set $value (call $item (local.get $row) (local.get $i)))
    (call $store_item (local.get $row) (local.get $i) (call $item (local.get $row) (local.get $left)))
    (br_if $next (i32.eqz (call $is_open (local.get $frame) (local.get $site) (local.get $value)))))
  (block $alone (loop $another
    (br_if $alone (i32.eqz (local.get $left)))
    (local.set $left (i32.sub (local.get $left) (i32.const 1)))
    (br_if $another (i32.eqz
      (call $is_open (local.get $frame) (local.get $site) (call $item (local.get $row) (local.get $left)))))
    (call $mark)))
  (global.set $sp (local.get $mark))
  (call $take (local.get $frame) (local.get $site) (local.get $value))
  (i32.const 1))

;; Draw an option of a row, in the order in which what might be chosen is drawn.
(func $draw_of (param $frame i32) (param $site i32) (param $open i32) (param $mark i32)
    (local $row i32) (local $left i32) (local $i i32) (local $value i64)
  (local.set $row (call $candidates (local.get $frame) (local.get $site)))
  (local.set $left (i32.load (local.get $row)))
  (loop $next
    (local.set $i (call $chance (local.get $left)))
    (local.set $left (i32.sub (local.get $left) (i32.const 1)))
    (local.set $value (call $item (local.get $row) (local.get $i)))
    (call $store_item (local.get $row) (local.get $i) (call $item (local.get $row) (local.get $left)))
    (br_if $next (i32.eqz (call $has_item (local.get $open) (local.get $value)))))
  (call $mark)
  (global.set $sp (local.get $mark))
  (call $take (local.get $frame) (local.get $site) (local.get $value)))

;; Greed (runtime/players/greedy.py)

(func $worth (param $frame i32) (param $site i32) (param $value i64) (result i64)
    (local $mark i32) (local $arena i32) (local $worth i64)
  (local.set $mark (global.get $sp))
  (local.set $arena (global.get $arena))
  (local.set $worth (call_indirect (type $worth) (local.get $frame) (local.get $value)
    (i32.add (global.get $sites) (i32.add (local.get $site) (i32.const 4)))))
  (global.set $sp (local.get $mark))
  (global.set $arena (local.get $arena))
  (local.get $worth))

;; The place of the greatest worth; among equals, and where there is none, of any. The lowest number is no option here.
(func $best (param $worths i32) (param $row i32) (param $only_taken i32) (result i32)
    (local $i i32) (local $n i32) (local $top i64) (local $here i64) (local $known i32) (local $pick i32)
  (local.set $top (i64.const 0x8000000000000000))
  (loop $next
    (local.set $here (call $item (local.get $worths) (local.get $i)))
    (if (i32.eqz (i32.and (local.get $only_taken)
        (i64.eq (call $item (local.get $row) (local.get $i)) (i64.const 0x8000000000000000)))) (then
      (if (i64.ne (local.get $here) (i64.const 0x8000000000000000)) (then
        (if (select (call $less_ratios (local.get $top) (local.get $here)) (i32.const 1) (local.get $known)) (then
          (local.set $top (local.get $here))
          (local.set $known (i32.const 1))))))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $next (i32.lt_u (local.get $i) (i32.load (local.get $row)))))
  ;; Count those that are as good, and take one of them.
  (local.set $i (i32.const 0))
  (loop $count
    (local.set $n (i32.add (local.get $n) (call $as_good (local.get $worths) (local.get $row) (local.get $i)
      (local.get $only_taken) (local.get $known) (local.get $top))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $count (i32.lt_u (local.get $i) (i32.load (local.get $row)))))
  (if (i32.gt_u (local.get $n) (i32.const 1)) (then (local.set $pick (call $chance (local.get $n)))))
  (local.set $i (i32.const -1))
  (loop $find
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $find (i32.eqz (call $as_good (local.get $worths) (local.get $row) (local.get $i)
      (local.get $only_taken) (local.get $known) (local.get $top))))
    (if (local.get $pick) (then
      (local.set $pick (i32.sub (local.get $pick) (i32.const 1)))
      (br $find))))
  (local.get $i))

(func $as_good (param $worths i32) (param $row i32) (param $i i32) (param $only_taken i32) (param $known i32)
    (param $top i64) (result i32)
  (if (i32.and (local.get $only_taken)
      (i64.eq (call $item (local.get $row) (local.get $i)) (i64.const 0x8000000000000000)))
    (then (return (i32.const 0))))
  (if (i32.eqz (local.get $known)) (then (return (i32.const 1))))
  (i64.eq (call $item (local.get $worths) (local.get $i)) (local.get $top)))

;; Orders (runtime/players/orders.py). A plan has, for each piece, how far each hex is from where the piece is to go (0:
;; it has no order) and whether it does nothing else on the way; behind them two bits for each action: it is never begun,
;; and it is begun where nothing better is to be done.

(func $way_left (param $row i32) (param $h i32) (result i32)
  (if (i32.lt_s (local.get $h) (i32.const 0)) (then (return (i32.const 100))))
  (i32.load (i32.add (local.get $row) (i32.shl (local.get $h) (i32.const 2)))))

(func $order_of (param $p i32) (result i32)
  (if (i32.eqz (global.get $plan)) (then (return (i32.const 0))))
  (i32.load (i32.add (global.get $plan) (i32.shl (local.get $p) (i32.const 3)))))

(func $is_shunned (param $action i32) (result i32)
  (call $planned_action (i32.shl (local.get $action) (i32.const 1))))

(func $is_explored (param $action i32) (result i32)
  (call $planned_action (i32.or (i32.shl (local.get $action) (i32.const 1)) (i32.const 1))))

(func $planned_action (param $bit i32) (result i32)
  (if (i32.eqz (global.get $plan)) (then (return (i32.const 0))))
  (call $bit (i32.add (global.get $plan) (i32.shl (global.get $piece_count) (i32.const 3))) (local.get $bit)))

;; What the action of a number leads to, if that is more than nothing, or what one is worth that is explored.
(func $worth_of_action (param $action i32) (param $worth i64) (result i64)
  (if (i64.eq (local.get $worth) (i64.const 0x8000000000000000)) (then (local.set $worth (i64.const 1))))
  (if (call $is_explored (local.get $action)) (then
    (if (i32.eqz (call $less_ratios (i64.const 1) (local.get $worth))) (then (return (i64.const 0x1000003e8))))))
  (local.get $worth))

(func $is_spared (param $p i32) (result i32) (local $row i32) (local $h i32)
  (local.set $row (call $order_of (local.get $p)))
  (local.set $h (call $hex_of (local.get $p)))
  (if (i32.or (i32.eqz (local.get $row)) (i32.lt_s (local.get $h) (i32.const 0))) (then (return (i32.const 0))))
  (if (i32.eqz (i32.load offset=4 (i32.add (global.get $plan) (i32.shl (local.get $p) (i32.const 3)))))
    (then (return (i32.const 0))))
  (i32.gt_s (call $way_left (local.get $row) (local.get $h)) (i32.const 1)))

;; Whole numbers of a worth count four for a hex nearer, against a tenth of what the rules say.
(func $whole_worth (param $n i32) (result i64)
  (i64.or (i64.shl (i64.extend_i32_s (local.get $n)) (i64.const 32)) (i64.const 1)))

(func $worth_of_hex (param $p i32) (param $h i32) (param $written i64) (result i64) (local $row i32) (local $near i64)
  (local.set $row (call $order_of (local.get $p)))
  (if (i32.eqz (local.get $row)) (then (return (local.get $written))))
  (local.set $near (call $whole_worth (i32.shl (i32.sub
    (call $way_left (local.get $row) (call $hex_of (local.get $p)))
    (call $way_left (local.get $row) (local.get $h))) (i32.const 2))))
  (if (i64.eq (local.get $written) (i64.const 0x8000000000000000)) (then (return (local.get $near))))
  (call $add_ratios (local.get $near)
    (call $multiply_ratios (local.get $written) (i64.const 0x10000000a))))

;; `when`: 1, the hex it moves to is chosen with it; 2, later; 0, it does not move.
(func $worth_of_piece (param $p i32) (param $when i32) (param $written i64) (result i64) (local $row i32) (local $h i32)
  (local.set $row (call $order_of (local.get $p)))
  (local.set $h (call $hex_of (local.get $p)))
  (if (i32.or (i32.eqz (local.get $row)) (i32.lt_s (local.get $h) (i32.const 0)))
    (then (return (local.get $written))))
  (if (i32.eq (local.get $when) (i32.const 1)) (then (return (i64.const 0x8000000000000000))))
  (if (local.get $when) (then
    (return (call $whole_worth (i32.shl (call $way_left (local.get $row) (local.get $h)) (i32.const 2))))))
  (if (call $is_spared (local.get $p)) (then (return (call $whole_worth (i32.const -1)))))
  (local.get $written))

;; Choose one of the options in a row: the place of it.
(func $greedy (param $frame i32) (param $site i32) (param $row i32) (result i32)
    (local $worths i32) (local $i i32) (local $n i32) (local $ends i32) (local $now i64) (local $positive i32)
    (local $offers i32) (local $grows i32) (local $spares i32)
  (local.set $offers (call $bit (global.get $offers) (global.get $site)))
  (local.set $grows (call $bit (global.get $growing) (global.get $site)))
  (local.set $n (i32.load (local.get $row)))
  (local.set $worths (call $alloc (i32.shl (i32.add (local.get $n) (i32.const 1)) (i32.const 3))))
  (i32.store (local.get $worths) (local.get $n))
  (local.set $ends (i32.const -1))
  ;; Who is better left alone is, as long as nobody else has to be added.
  (local.set $spares (i32.and (call $bit (global.get $of_pieces) (global.get $site))
    (i64.eq (call $item (local.get $row) (i32.sub (local.get $n) (i32.const 1))) (i64.const 0x8000000000000000))))
  (if (local.get $grows) (then
    (local.set $now (call $worth (local.get $frame) (local.get $site) (i64.const 0x8000000000000000)))))
  (loop $next
    (if (i64.eq (call $item (local.get $row) (local.get $i)) (i64.const 0x8000000000000000))
      (then
        (local.set $ends (local.get $i))
        (call $store_item (local.get $worths) (local.get $i) (i64.const 0x8000000000000000)))
      (else (if (if (result i32) (local.get $spares)
          (then (call $is_spared (i32.wrap_i64 (call $item (local.get $row) (local.get $i)))))
          (else (i32.const 0)))
        (then (call $store_item (local.get $worths) (local.get $i) (i64.const 0x8000000000000000)))
        (else
        (call $store_item (local.get $worths) (local.get $i)
          (call $worth (local.get $frame) (local.get $site) (call $item (local.get $row) (local.get $i))))
        (if (i32.and (local.get $grows)
            (call $less_ratios (local.get $now) (call $item (local.get $worths) (local.get $i))))
          (then (return (local.get $i))))
        (if (local.get $offers) (then
          (local.set $positive (i32.or (local.get $positive)
            (call $less_ratios (i64.const 1) (call $item (local.get $worths) (local.get $i)))))))))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $next (i32.lt_u (local.get $i) (local.get $n))))
  (if (i32.ge_s (local.get $ends) (i32.const 0)) (then
    (if (local.get $grows) (then (return (local.get $ends))))
    (if (i32.and (local.get $offers) (i32.eqz (local.get $positive))) (then (return (local.get $ends))))))
  (local.set $i (call $best (local.get $worths) (local.get $row) (local.get $offers)))
  ;; What is explored may be open for ever: one time in eight the offer is ended instead.
  (if (i32.and (local.get $offers) (i32.ge_s (local.get $ends) (i32.const 0))) (then
    (if (i64.eq (call $item (local.get $worths) (local.get $i)) (i64.const 0x1000003e8)) (then
      (if (i32.eqz (call $chance (i32.const 8))) (then (return (local.get $ends))))))))
  (local.get $i))

;; Let whoever is asked decide; 1 where that is somebody outside, who finds the options in a row.
(func $decide (param $frame i32) (result i32)
    (local $site i32) (local $side i32) (local $mark i32) (local $row i32) (local $made i32) (local $i i32)
  (local.set $site (i32.mul (global.get $site) (i32.const 5)))
  (local.set $mark (global.get $sp))
  (local.set $side (call $side_asked (local.get $frame) (local.get $site)))
  (local.set $row (call $candidates (local.get $frame) (local.get $site)))
  (if (i32.and
      (i32.eq (i32.load (i32.add (global.get $players) (i32.shl (local.get $side) (i32.const 2)))) (i32.const 1))
      (i32.eqz (call $obliging (local.get $frame) (global.get $site) (local.get $side)))) (then
    (if (call $draw (local.get $frame) (local.get $site) (local.get $row) (local.get $side) (local.get $mark))
      (then (return (i32.const 0))))
    (global.set $sp (local.get $mark))
    (local.set $row (call $candidates (local.get $frame) (local.get $site)))))
  (local.set $made (call $leave_open (local.get $frame) (local.get $site) (local.get $row)))
  (if (i32.eqz (local.get $made)) (then
    (if (i32.eqz (call $bit (global.get $escapes) (global.get $site))) (then (call $fail (i32.const 9))))
    (global.set $sp (local.get $mark))
    (call $take (local.get $frame) (local.get $site) (i64.const 0x8000000000000000))
    (return (i32.const 0))))
  (local.set $made (call $oblige (local.get $frame) (global.get $site) (local.get $row) (local.get $made)
    (local.get $side) (local.get $mark)))
  (if (i32.eq (local.get $made) (i32.const 1)) (then
    (global.set $sp (local.get $mark))
    (call $take (local.get $frame) (local.get $site) (call $item (local.get $row) (i32.const 0)))
    (return (i32.const 0))))
  (global.set $options (local.get $row))
  (global.set $asked (local.get $side))
  (global.set $before (local.get $mark))
  (local.set $i (i32.load (i32.add (global.get $players) (i32.shl (local.get $side) (i32.const 2)))))
  (if (i32.eqz (local.get $i)) (then (return (i32.const 1))))
  (if (i32.eq (local.get $i) (i32.const 5)) (then
    (if (call $wants_plan (local.get $side)) (then (return (i32.const 2))))))
  (call $enter (local.get $side))
  (if (i32.eq (local.get $i) (i32.const 1)) (then
    (call $draw_of (local.get $frame) (local.get $site) (local.get $row) (local.get $mark))
    (return (i32.const 0))))
  (local.set $i (if (result i32) (i32.eq (local.get $i) (i32.const 2))
    (then (call $chance (local.get $made)))
    (else (call $prefer (local.get $frame) (local.get $site) (local.get $row) (local.get $side)
      (i32.ge_u (local.get $i) (i32.const 4))))))
  (call $mark)
  (global.set $sp (local.get $mark))
  (call $take (local.get $frame) (local.get $site) (call $item (local.get $row) (local.get $i)))
  (i32.const 0))

;; The option that a greedy player who follows the plan of the side asked would take.
(func (export "policy_choice") (result i32) (local $mark i32) (local $i i32)
  (local.set $mark (global.get $sp))
  (call $enter (global.get $asked))
  (local.set $i (call $prefer (global.get $top) (i32.mul (global.get $site) (i32.const 5)) (global.get $options)
    (global.get $asked) (i32.const 1)))
  (global.set $sp (local.get $mark))
  (local.get $i))

(func (export "is_offer") (result i32)
  (call $bit (global.get $offers) (global.get $site)))

;; For each side: its plan (0: none), and the stretch for which it was made.
(func $plan_slot (param $side i32) (result i32)
  (i32.add (global.get $plan_slots) (i32.shl (local.get $side) (i32.const 4))))

;; Give a side a plan, for the stretch that is.
(func (export "follow") (param $side i32) (param $plan i32) (local $at i32)
  (local.set $at (call $plan_slot (local.get $side)))
  (i32.store (local.get $at) (local.get $plan))
  (i32.store offset=4 (local.get $at) (i32.wrap_i64 (i64.load (global.get $turn))))
  (i32.store offset=8 (local.get $at) (i32.load (global.get $player)))
  (i32.store offset=12 (local.get $at) (i32.load (global.get $phase))))

;; Whether a side that plans is to do so: it has no plan, or is about to decide in another stretch of its own.
(func $wants_plan (param $side i32) (result i32) (local $at i32)
  (local.set $at (call $plan_slot (local.get $side)))
  (if (i32.and (i32.eq (i32.load offset=4 (local.get $at)) (i32.wrap_i64 (i64.load (global.get $turn))))
      (i32.and (i32.eq (i32.load offset=8 (local.get $at)) (i32.load (global.get $player)))
        (i32.eq (i32.load offset=12 (local.get $at)) (i32.load (global.get $phase)))))
    (then (return (i32.const 0))))
  (i32.or (i32.eq (i32.load (global.get $player)) (local.get $side))
    (i32.eq (i32.load offset=4 (local.get $at)) (i32.const 0x80000000))))

;; Choose as a greedy player who knows what its side knows, by its plan or without one.
(func $prefer (param $frame i32) (param $site i32) (param $row i32) (param $side i32) (param $planned i32)
    (result i32) (local $i i32)
  (global.set $plan (select (i32.load (call $plan_slot (local.get $side))) (i32.const 0) (local.get $planned)))
  (if (global.get $scratch) (then
    (drop (call $save (global.get $scratch)))
    (call $hide (local.get $side))))
  (local.set $i (call $greedy (local.get $frame) (local.get $site) (local.get $row)))
  (if (global.get $scratch) (then (call $restore (global.get $scratch))))
  (local.get $i))

;; What a side knows of a row of records, of which each says at `field` whose it is.
(func $known_of (param $row i32) (param $side i32) (param $field i32) (result i32)
    (local $made i32) (local $i i32) (local $n i32) (local $record i32)
  (if (i32.lt_s (local.get $row) (i32.const 0)) (then (return (local.get $row))))
  (local.set $made (call $arena_alloc (i32.add (i32.const 8) (i32.shl (i32.load (local.get $row)) (i32.const 3)))))
  (i64.store (local.get $made) (i64.const 0))
  (block $none (loop $next
    (br_if $none (i32.ge_u (local.get $i) (i32.load (local.get $row))))
    (local.set $record (i32.wrap_i64 (call $item (local.get $row) (local.get $i))))
    (if (call $is_known (local.get $record) (local.get $side) (local.get $field)) (then
      (call $store_item (local.get $made) (local.get $n) (i64.extend_i32_s (local.get $record)))
      (local.set $n (i32.add (local.get $n) (i32.const 1)))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $next)))
  (i32.store (local.get $made) (local.get $n))
  (local.get $made))

(func $is_known (param $record i32) (param $side i32) (param $field i32) (result i32)
  (i64.eq (i64.load (i32.add (local.get $record) (local.get $field))) (i64.extend_i32_s (local.get $side))))

;; Checkpoints: all that changes in a game, copied to where nothing else is. The epoch goes on, so that no two changes
;; have the same number; the numbers of the last changes go back, and so answers that were right are again. Of the log of
;; what was taken only its end is kept: it is right again as long as a game goes back to what it came from.

(func $copy_to (param $to i32) (param $from i32) (param $end i32) (result i32) (local $bytes i32)
  (local.set $bytes (i32.sub (local.get $end) (local.get $from)))
  (memory.copy (local.get $to) (local.get $from) (local.get $bytes))
  (i32.add (local.get $to) (local.get $bytes)))

(func $copy_back (param $to i32) (param $end i32) (param $from i32) (result i32) (local $bytes i32)
  (local.set $bytes (i32.sub (local.get $end) (local.get $to)))
  (memory.copy (local.get $to) (local.get $from) (local.get $bytes))
  (i32.add (local.get $from) (local.get $bytes)))

;; Gives where the checkpoint ends.
(func $save (export "save") (param $at i32) (result i32)
  (i32.store (local.get $at) (global.get $sp))
  (i32.store offset=4 (local.get $at) (global.get $arena))
  (i32.store offset=8 (local.get $at) (global.get $top))
  (i32.store offset=12 (local.get $at) (global.get $site))
  (i32.store offset=16 (local.get $at) (global.get $pieces))
  (i32.store offset=20 (local.get $at) (global.get $dice_end))
  (i32.store offset=24 (local.get $at) (global.get $choices))
  (i32.store offset=28 (local.get $at) (global.get $mark_turn))
  (i32.store offset=32 (local.get $at) (global.get $mark_player))
  (i32.store offset=36 (local.get $at) (global.get $mark_phase))
  (i32.store offset=40 (local.get $at) (global.get $mark_number))
  (i32.store offset=44 (local.get $at) (global.get $options))
  (i32.store offset=48 (local.get $at) (global.get $asked))
  (i32.store offset=52 (local.get $at) (global.get $before))
  (i32.store offset=56 (local.get $at) (global.get $log_end))
  (local.set $at (i32.add (local.get $at) (i32.const 64)))
  (local.set $at (call $copy_to (local.get $at) (global.get $changing) (global.get $arrays_end)))
  (local.set $at (call $copy_to (local.get $at) (global.get $heap) (global.get $heap_end)))
  (local.set $at (call $copy_to (local.get $at) (global.get $base) (global.get $sp)))
  (local.set $at (call $copy_to (local.get $at) (global.get $arena_begin) (global.get $arena)))
  (call $copy_to (local.get $at) (global.get $dice) (global.get $dice_end)))

(func $restore (export "restore") (param $at i32)
  (global.set $sp (i32.load (local.get $at)))
  (global.set $arena (i32.load offset=4 (local.get $at)))
  (global.set $top (i32.load offset=8 (local.get $at)))
  (global.set $site (i32.load offset=12 (local.get $at)))
  (global.set $pieces (i32.load offset=16 (local.get $at)))
  (global.set $dice_end (i32.load offset=20 (local.get $at)))
  (global.set $choices (i32.load offset=24 (local.get $at)))
  (global.set $mark_turn (i32.load offset=28 (local.get $at)))
  (global.set $mark_player (i32.load offset=32 (local.get $at)))
  (global.set $mark_phase (i32.load offset=36 (local.get $at)))
  (global.set $mark_number (i32.load offset=40 (local.get $at)))
  (global.set $options (i32.load offset=44 (local.get $at)))
  (global.set $asked (i32.load offset=48 (local.get $at)))
  (global.set $before (i32.load offset=52 (local.get $at)))
  (global.set $log_end (i32.load offset=56 (local.get $at)))
  (global.set $tries (i32.const 0))
  (local.set $at (i32.add (local.get $at) (i32.const 64)))
  (local.set $at (call $copy_back (global.get $changing) (global.get $arrays_end) (local.get $at)))
  (local.set $at (call $copy_back (global.get $heap) (global.get $heap_end) (local.get $at)))
  (local.set $at (call $copy_back (global.get $base) (global.get $sp) (local.get $at)))
  (local.set $at (call $copy_back (global.get $arena_begin) (global.get $arena) (local.get $at)))
  (drop (call $copy_back (global.get $dice) (global.get $dice_end) (local.get $at))))

(func (export "reseed") (param $bytes i32) (param $by_action i32)
  (global.set $seed_bytes (local.get $bytes))
  (global.set $by_action (local.get $by_action)))

(func (export "hide") (param $side i32) (call $hide (local.get $side)))

(func $choose (export "choose") (param $i i32) (local $value i64)
  (call $mark)
  (local.set $value (call $item (global.get $options) (local.get $i)))
  (global.set $sp (global.get $before))
  (call $take (global.get $top) (i32.mul (global.get $site) (i32.const 5)) (local.get $value)))

(func $run (export "run") (result i32) (local $asks i32)
  (loop $next
    (if (i32.eqz (global.get $top)) (then (call $end_pairs) (return (i32.const 0))))
    (br_if $next (i32.eqz (call_indirect (type $function) (global.get $top) (i32.load (global.get $top)))))
    (call $end_pairs)
    (br_if $next (i32.eqz (local.tee $asks (call $decide (global.get $top))))))
  (local.get $asks))

;; Sets that a choice may come to, the likely ones first (runtime/play/choice_subsets.py): `found` from place `from` on,
;; beyond those that are chosen. Each is bound at `slot` and tried by `then`; 300 are tried at most.

(func $try (param $frame i32) (param $slot i32) (param $words i32) (param $then i32) (param $row i32) (result i32)
    (local $mark i32) (local $found i32)
  (local.set $mark (global.get $sp))
  (i32.store (i32.add (local.get $frame) (local.get $slot)) (if (result i32) (local.get $words)
    (then (call $bits_of (local.get $words) (local.get $row)))
    (else (call $copy_sequence (local.get $row)))))
  (local.set $found (call_indirect (type $function) (local.get $frame) (local.get $then)))
  (global.set $sp (local.get $mark))
  (local.get $found))

;; Try all sets of `size` more members; the places of those in hand lie in a row of their own.
(func $try_size (param $frame i32) (param $slot i32) (param $words i32) (param $then i32) (param $found i32)
    (param $from i32) (param $chosen i32) (param $size i32) (result i32)
    (local $mark i32) (local $places i32) (local $row i32) (local $n i32) (local $i i32) (local $made i32)
  (local.set $n (i32.sub (i32.load (local.get $found)) (local.get $from)))
  (if (i32.or (i32.lt_s (local.get $size) (i32.const 0)) (i32.gt_s (local.get $size) (local.get $n)))
    (then (return (i32.const 0))))
  (local.set $mark (global.get $sp))
  (local.set $places (call $alloc (i32.shl (i32.add (local.get $size) (i32.const 1)) (i32.const 3))))
  (local.set $row (call $alloc (i32.shl
    (i32.add (i32.const 1) (i32.add (i32.load (local.get $chosen)) (local.get $size))) (i32.const 3))))
  (memory.copy (local.get $row) (local.get $chosen)
    (i32.shl (i32.add (i32.const 1) (i32.load (local.get $chosen))) (i32.const 3)))
  (i32.store (local.get $row) (i32.add (i32.load (local.get $chosen)) (local.get $size)))
  (block $ready (loop $first
    (br_if $ready (i32.ge_u (local.get $i) (local.get $size)))
    (i32.store (i32.add (local.get $places) (i32.shl (local.get $i) (i32.const 3))) (local.get $i))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $first)))
  (loop $again
    (global.set $tries (i32.add (global.get $tries) (i32.const 1)))
    (if (i32.gt_u (global.get $tries) (i32.const 300)) (then (global.set $sp (local.get $mark)) (return (i32.const 0))))
    (local.set $i (i32.const 0))
    (block $ready (loop $next
      (br_if $ready (i32.ge_u (local.get $i) (local.get $size)))
      (call $store_item (local.get $row) (i32.add (i32.load (local.get $chosen)) (local.get $i))
        (call $item (local.get $found) (i32.add (local.get $from)
          (i32.load (i32.add (local.get $places) (i32.shl (local.get $i) (i32.const 3)))))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $next)))
    (local.set $made (global.get $tries))
    (if (call $try (local.get $frame) (local.get $slot) (local.get $words) (local.get $then) (local.get $row))
      (then (global.set $sp (local.get $mark)) (return (i32.const 1))))
    (global.set $tries (local.get $made))
    ;; The next places in order: the last one that can move on does, and those behind it follow closely.
    (local.set $i (local.get $size))
    (block $last (loop $back
      (br_if $last (i32.eqz (local.get $i)))
      (local.set $i (i32.sub (local.get $i) (i32.const 1)))
      (local.set $made (i32.load (i32.add (local.get $places) (i32.shl (local.get $i) (i32.const 3)))))
      (br_if $back (i32.ge_s (local.get $made)
        (i32.sub (i32.add (local.get $n) (local.get $i)) (local.get $size))))
      (loop $close
        (local.set $made (i32.add (local.get $made) (i32.const 1)))
        (i32.store (i32.add (local.get $places) (i32.shl (local.get $i) (i32.const 3))) (local.get $made))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $close (i32.lt_u (local.get $i) (local.get $size))))
      (br $again))))
  (global.set $sp (local.get $mark))
  (i32.const 0))

;; Try one set: those chosen, and members from one place to another.
(func $try_some (param $frame i32) (param $slot i32) (param $words i32) (param $then i32) (param $found i32)
    (param $from i32) (param $to i32) (param $chosen i32) (result i32) (local $mark i32) (local $row i32) (local $made i32)
  (global.set $tries (i32.add (global.get $tries) (i32.const 1)))
  (if (i32.gt_u (global.get $tries) (i32.const 300)) (then (return (i32.const 0))))
  (local.set $mark (global.get $sp))
  (local.set $row (call $copy_sequence (local.get $chosen)))
  (block $ready (loop $next
    (br_if $ready (i32.ge_s (local.get $from) (local.get $to)))
    (call $append (local.get $row) (call $item (local.get $found) (local.get $from)))
    (local.set $from (i32.add (local.get $from) (i32.const 1)))
    (br $next)))
  (local.set $made (global.get $tries))
  (local.set $row (call $try (local.get $frame) (local.get $slot) (local.get $words) (local.get $then) (local.get $row)))
  (global.set $tries (local.get $made))
  (global.set $sp (local.get $mark))
  (local.get $row))

;; `least` and `most` -1: any size, those that begin the row first, then single members, then more.
(func $completes (param $frame i32) (param $slot i32) (param $words i32) (param $then i32) (param $found i32)
    (param $chosen i32) (param $least i64) (param $most i64) (result i32)
    (local $from i32) (local $n i32) (local $size i32) (local $outer i32) (local $made i32)
  (local.set $outer (global.get $tries))
  (global.set $tries (i32.const 0))
  (local.set $n (i32.load (local.get $found)))
  (if (i32.load (local.get $chosen)) (then
    (loop $later
      (local.set $from (i32.add (local.get $from) (i32.const 1)))
      (br_if $later (i64.ne (call $item (local.get $found) (i32.sub (local.get $from) (i32.const 1)))
        (call $item (local.get $chosen) (i32.sub (i32.load (local.get $chosen)) (i32.const 1))))))))
  (block $done
    (if (i64.ge_s (local.get $most) (i64.const 0)) (then
      (local.set $size (select (i32.wrap_i64 (local.get $least)) (i32.load (local.get $chosen))
        (i64.ge_s (local.get $least) (i64.extend_i32_u (i32.load (local.get $chosen))))))
      (block $none (loop $sizes
        (br_if $none (i64.gt_s (i64.extend_i32_s (local.get $size)) (local.get $most)))
        (br_if $done (local.tee $made (call $try_size (local.get $frame) (local.get $slot) (local.get $words)
          (local.get $then) (local.get $found) (local.get $from) (local.get $chosen)
          (i32.sub (local.get $size) (i32.load (local.get $chosen))))))
        (local.set $size (i32.add (local.get $size) (i32.const 1)))
        (br $sizes)))
      (br $done)))
    (local.set $size (local.get $from))
    (loop $longer
      (br_if $done (local.tee $made (call $try_some (local.get $frame) (local.get $slot) (local.get $words)
        (local.get $then) (local.get $found) (local.get $from) (local.get $size) (local.get $chosen))))
      (local.set $size (i32.add (local.get $size) (i32.const 1)))
      (br_if $longer (i32.le_s (local.get $size) (local.get $n))))
    (local.set $size (i32.add (local.get $from) (i32.const 1)))
    (block $singles (loop $single
      (br_if $singles (i32.ge_s (local.get $size) (local.get $n)))
      (br_if $done (local.tee $made (call $try_some (local.get $frame) (local.get $slot) (local.get $words)
        (local.get $then) (local.get $found) (local.get $size) (i32.add (local.get $size) (i32.const 1))
        (local.get $chosen))))
      (local.set $size (i32.add (local.get $size) (i32.const 1)))
      (br $single)))
    (local.set $size (i32.const 2))
    (loop $more
      (br_if $done (i32.ge_s (local.get $size) (i32.sub (local.get $n) (local.get $from))))
      (br_if $done (i32.ge_u (global.get $tries) (i32.const 300)))
      (br_if $done (local.tee $made (call $try_size (local.get $frame) (local.get $slot) (local.get $words)
        (local.get $then) (local.get $found) (local.get $from) (local.get $chosen) (local.get $size))))
      (local.set $size (i32.add (local.get $size) (i32.const 1)))
      (br $more)))
  (global.set $tries (local.get $outer))
  (local.get $made))

;; What is drawn and shows a number is logged as that number.
(func $show_die (param $value i64)
  (if (global.get $trying) (then (return)))
  (i64.store (i32.sub (global.get $dice_end) (i32.const 16)) (local.get $value)))

(func $drop (param $row i32) (param $i i32) (local $at i32)
  (i32.store (local.get $row) (i32.sub (i32.load (local.get $row)) (i32.const 1)))
  (local.set $at (i32.add (i32.add (local.get $row) (i32.const 8)) (i32.shl (local.get $i) (i32.const 3))))
  (memory.copy (local.get $at) (i32.add (local.get $at) (i32.const 8))
    (i32.shl (i32.sub (i32.load (local.get $row)) (local.get $i)) (i32.const 3))))

;; What is chosen so far; a row without members where nothing is.
(func $chosen_row (param $row i32) (result i32)
  (if (local.get $row) (then (return (local.get $row))))
  (call $sequence))

;; Leave out of a row all up to the last one that is chosen: every set is built in one way only.
(func $cut_to_later (param $row i32) (param $chosen i32) (local $from i32)
  (if (i32.eqz (local.get $chosen)) (then (return)))
  (if (i32.eqz (i32.load (local.get $chosen))) (then (return)))
  (loop $later
    (local.set $from (i32.add (local.get $from) (i32.const 1)))
    (br_if $later (i64.ne (call $item (local.get $row) (i32.sub (local.get $from) (i32.const 1)))
      (call $item (local.get $chosen) (i32.sub (i32.load (local.get $chosen)) (i32.const 1))))))
  (i32.store (local.get $row) (i32.sub (i32.load (local.get $row)) (local.get $from)))
  (memory.copy (i32.add (local.get $row) (i32.const 8))
    (i32.add (i32.add (local.get $row) (i32.const 8)) (i32.shl (local.get $from) (i32.const 3)))
    (i32.shl (i32.load (local.get $row)) (i32.const 3))))

;; Who comes too late in a set leaves too few behind it.
(func $leave_enough (param $row i32) (param $missing i64) (local $most i64)
  (if (i64.le_s (local.get $missing) (i64.const 0)) (then (return)))
  (local.set $most (i64.add (i64.sub (i64.extend_i32_u (i32.load (local.get $row))) (local.get $missing)) (i64.const 1)))
  (if (i64.lt_s (local.get $most) (i64.const 0)) (then (local.set $most (i64.const 0))))
  (i32.store (local.get $row) (i32.wrap_i64 (local.get $most))))

;; Leave out of a row all that are chosen: whatever is in an order is there once.
(func $cut_to_rest (param $row i32) (param $chosen i32) (local $i i32) (local $n i32)
  (if (i32.eqz (local.get $chosen)) (then (return)))
  (block $none (loop $next
    (br_if $none (i32.ge_u (local.get $i) (i32.load (local.get $row))))
    (if (i32.eqz (call $has_item (local.get $chosen) (call $item (local.get $row) (local.get $i)))) (then
      (call $store_item (local.get $row) (local.get $n) (call $item (local.get $row) (local.get $i)))
      (local.set $n (i32.add (local.get $n) (i32.const 1)))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $next)))
  (i32.store (local.get $row) (local.get $n)))

;; Try all orders of so many more members, in a row that has room for them.
(func $try_orders (param $frame i32) (param $slot i32) (param $then i32) (param $found i32) (param $row i32)
    (param $more i32) (result i32) (local $i i32) (local $made i32)
  (if (i32.le_s (local.get $more) (i32.const 0)) (then
    (if (i32.lt_s (local.get $more) (i32.const 0)) (then (return (i32.const 0))))
    (global.set $tries (i32.add (global.get $tries) (i32.const 1)))
    (if (i32.gt_u (global.get $tries) (i32.const 300)) (then (return (i32.const 0))))
    (local.set $i (global.get $tries))
    (local.set $made (call $try (local.get $frame) (local.get $slot) (i32.const 0) (local.get $then) (local.get $row)))
    (global.set $tries (local.get $i))
    (return (local.get $made))))
  (block $none (loop $next
    (br_if $none (i32.ge_u (local.get $i) (i32.load (local.get $found))))
    (if (i32.eqz (call $has_item (local.get $row) (call $item (local.get $found) (local.get $i)))) (then
      (call $store_item (local.get $row) (i32.load (local.get $row)) (call $item (local.get $found) (local.get $i)))
      (i32.store (local.get $row) (i32.add (i32.load (local.get $row)) (i32.const 1)))
      (if (call $try_orders (local.get $frame) (local.get $slot) (local.get $then) (local.get $found) (local.get $row)
          (i32.sub (local.get $more) (i32.const 1))) (then (return (i32.const 1))))
      (br_if $none (i32.ge_u (global.get $tries) (i32.const 300)))
      (i32.store (local.get $row) (i32.sub (i32.load (local.get $row)) (i32.const 1)))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $next)))
  (i32.const 0))

;; Whether an order that begins so can be completed: to all members, or to one of a size between two.
(func $completes_order (param $frame i32) (param $slot i32) (param $then i32) (param $found i32) (param $chosen i32)
    (param $least i64) (param $most i64) (result i32)
    (local $row i32) (local $size i32) (local $outer i32) (local $made i32) (local $mark i32)
  (local.set $outer (global.get $tries))
  (local.set $mark (global.get $sp))
  (global.set $tries (i32.const 0))
  (local.set $row (call $alloc (i32.shl (i32.add (i32.const 2) (i32.add (i32.load (local.get $found))
    (i32.load (local.get $chosen)))) (i32.const 3))))
  (local.set $size (i32.load (local.get $found)))
  (if (i64.ge_s (local.get $most) (i64.const 0))
    (then (local.set $size (i32.wrap_i64 (local.get $least))))
    (else (local.set $most (i64.extend_i32_s (local.get $size)))))
  (if (i32.lt_s (local.get $size) (i32.load (local.get $chosen)))
    (then (local.set $size (i32.load (local.get $chosen)))))
  (block $done (loop $sizes
    (br_if $done (i64.gt_s (i64.extend_i32_s (local.get $size)) (local.get $most)))
    (memory.copy (local.get $row) (local.get $chosen)
      (i32.add (i32.const 8) (i32.shl (i32.load (local.get $chosen)) (i32.const 3))))
    (br_if $done (local.tee $made (call $try_orders (local.get $frame) (local.get $slot) (local.get $then)
      (local.get $found) (local.get $row) (i32.sub (local.get $size) (i32.load (local.get $chosen))))))
    (local.set $size (i32.add (local.get $size) (i32.const 1)))
    (br $sizes)))
  (global.set $tries (local.get $outer))
  (global.set $sp (local.get $mark))
  (local.get $made))

;; Play on in games that lie side by side, each at its checkpoint, up to the next decision of somebody outside. A row says
;; of each where it goes on from, where it is saved, where that room ends, its seed and the bytes of that, what is chosen
;; (-1: nothing), and where its options go; then what `run` gives (3: there is no room for it), who is asked, at which
;; site, and how many options there are. Options beyond `most` are left out.
(func (export "advance") (param $row i32) (param $end i32) (param $most i32) (local $found i32) (local $n i32)
  (block $done (loop $next
    (br_if $done (i32.ge_u (local.get $row) (local.get $end)))
    (global.set $advancing (local.get $row))
    (call $restore (i32.load (local.get $row)))
    (global.set $seed (i32.load offset=12 (local.get $row)))
    (global.set $seed_bytes (i32.load offset=16 (local.get $row)))
    (if (i32.ge_s (i32.load offset=20 (local.get $row)) (i32.const 0))
      (then (call $choose (i32.load offset=20 (local.get $row)))))
    (local.set $found (call $run))
    (local.set $n (i32.const 0))
    (if (local.get $found) (then (local.set $n (i32.load (global.get $options)))))
    (i32.store offset=32 (local.get $row) (global.get $asked))
    (i32.store offset=36 (local.get $row) (global.get $site))
    (i32.store offset=40 (local.get $row) (local.get $n))
    (if (i32.gt_u (local.get $n) (local.get $most)) (then (local.set $n (local.get $most))))
    (if (local.get $n) (then (memory.copy (i32.load offset=24 (local.get $row))
      (i32.add (global.get $options) (i32.const 8)) (i32.shl (local.get $n) (i32.const 3)))))
    (if (i32.gt_u (call $checkpoint_size)
        (i32.sub (i32.load offset=8 (local.get $row)) (i32.load offset=4 (local.get $row))))
      (then (local.set $found (i32.const 3)))
      (else (drop (call $save (i32.load offset=4 (local.get $row))))))
    (i32.store offset=28 (local.get $row) (local.get $found))
    (local.set $row (i32.add (local.get $row) (i32.const 44)))
    (br $next))))
