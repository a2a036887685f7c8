;; What procedures call: frames, decisions, and the changes of a position. chance.wat has dice and random choices,
;; greedy.wat the greedy player, subsets.wat the sets that a choice may come to, obligation.wat the offers with `must`.
;;
;; A frame is 24 bytes and 8 for each name: procedure, block, memory to fall back to, the frame below, actions taken in
;; the offer under way, depth. Frames, and what their names refer to, lie on the same stack as other memory. What a
;; position refers to is kept in an arena, where nothing moves and nothing changes but the fields of records.

(func $arena_alloc (param $bytes i32) (result i32) (local $at i32)
  (local.set $at (global.get $arena))
  (if (i32.gt_u (local.get $bytes) (i32.sub (global.get $arena_end) (local.get $at))) (then (call $fail (i32.const 6))))
  (global.set $arena (i32.add (local.get $at) (local.get $bytes)))
  (local.get $at))

;; Whether something lies in an array of the position, where it changes.
(func $is_changing (param $at i32) (result i32)
  (i32.lt_u (i32.sub (local.get $at) (global.get $changing))
    (i32.sub (global.get $arrays_end) (global.get $changing))))

;; A bit set that no step changes.
(func $unshared (param $words i32) (param $set i32) (result i32)
  (if (call $is_changing (local.get $set)) (then (return (call $copy_bits (local.get $words) (local.get $set)))))
  (local.get $set))

(func $persist_bytes (param $from i32) (param $bytes i32) (result i32) (local $at i32)
  (if (i32.and (i32.lt_u (local.get $from) (global.get $base)) (i32.eqz (call $is_changing (local.get $from))))
    (then (return (local.get $from))))
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

(func $set_bit (param $set i32) (param $i i32) (param $on i32)
  (drop (call $change_bit (local.get $set) (local.get $i) (local.get $on))))

;; Set a bit, and give whether it was another one.
(func $change_bit (param $set i32) (param $i i32) (param $on i32) (result i32)
    (local $at i32) (local $mask i32) (local $old i32) (local $new i32)
  (if (i32.lt_s (local.get $i) (i32.const 0)) (then (call $fail (i32.const 4))))
  (local.set $at (i32.add (local.get $set) (i32.shr_u (local.get $i) (i32.const 3))))
  (local.set $mask (i32.shl (i32.const 1) (i32.and (local.get $i) (i32.const 7))))
  (local.set $old (i32.load8_u (local.get $at)))
  (local.set $new (i32.xor (i32.or (local.get $old) (local.get $mask))
    (select (i32.const 0) (local.get $mask) (local.get $on))))
  (i32.store8 (local.get $at) (local.get $new))
  (i32.ne (local.get $old) (local.get $new)))

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

;; How many bits a set has.
(func $count_bits (param $set i32) (param $words i32) (result i32) (local $count i64)
  (loop $next
    (local.set $count (i64.add (local.get $count) (i64.popcnt (i64.load (local.get $set)))))
    (local.set $set (i32.add (local.get $set) (i32.const 8)))
    (br_if $next (local.tee $words (i32.sub (local.get $words) (i32.const 1)))))
  (i32.wrap_i64 (local.get $count)))

;; The place of a bit of a word by its number among those that are set. Bits are counted for each byte with those below
;; it, which tells the byte; `bit_places` has the places within a byte, by number and byte.
(func $nth_bit (param $word i64) (param $number i32) (result i32) (local $counts i64) (local $place i64)
  (local.set $counts (i64.sub (local.get $word)
    (i64.and (i64.shr_u (local.get $word) (i64.const 1)) (i64.const 0x5555555555555555))))
  (local.set $counts (i64.add (i64.and (local.get $counts) (i64.const 0x3333333333333333))
    (i64.and (i64.shr_u (local.get $counts) (i64.const 2)) (i64.const 0x3333333333333333))))
  (local.set $counts (i64.mul (i64.const 0x0101010101010101)
    (i64.and (i64.add (local.get $counts) (i64.shr_u (local.get $counts) (i64.const 4)))
      (i64.const 0x0f0f0f0f0f0f0f0f))))
  (local.set $place (i64.shl (i64.popcnt (i64.and (i64.const 0x8080808080808080)
    (i64.sub (i64.or (i64.const 0x8080808080808080)
      (i64.mul (i64.extend_i32_u (local.get $number)) (i64.const 0x0101010101010101))) (local.get $counts))))
    (i64.const 3)))
  (local.set $number (i32.sub (local.get $number) (i32.and (i32.const 255)
    (i32.wrap_i64 (i64.shr_u (i64.shl (local.get $counts) (i64.const 8)) (local.get $place))))))
  (i32.add (i32.wrap_i64 (local.get $place)) (i32.load8_u (i32.add (global.get $bit_places)
    (i32.or (i32.shl (local.get $number) (i32.const 8))
      (i32.and (i32.const 255) (i32.wrap_i64 (i64.shr_u (local.get $word) (local.get $place)))))))))

;; Take the bit of this number among those that are set out of a set, and give its place.
(func $take_bit (param $set i32) (param $number i32) (result i32)
    (local $at i32) (local $word i64) (local $bits i32) (local $bit i32)
  (local.set $at (local.get $set))
  (block $here (loop $next
    (local.set $word (i64.load (local.get $at)))
    (br_if $here (i32.lt_u (local.get $number)
      (local.tee $bits (i32.wrap_i64 (i64.popcnt (local.get $word))))))
    (local.set $number (i32.sub (local.get $number) (local.get $bits)))
    (local.set $at (i32.add (local.get $at) (i32.const 8)))
    (br $next)))
  (local.set $bit (call $nth_bit (local.get $word) (local.get $number)))
  (i64.store (local.get $at) (i64.xor (local.get $word) (i64.shl (i64.const 1) (i64.extend_i32_u (local.get $bit)))))
  (i32.add (i32.shl (i32.sub (local.get $at) (local.get $set)) (i32.const 3)) (local.get $bit)))

;; Pieces

(func $hex_of (param $p i32) (result i32)
  (i32.load (i32.add (global.get $hex) (i32.shl (local.get $p) (i32.const 2)))))

(func $has_left (param $p i32) (result i32) (i32.le_s (call $hex_of (local.get $p)) (i32.const -2)))

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
  (local.set $old (i32.and (i32.lt_s (local.get $h) (i32.const 0)) (i32.ne (local.get $h) (i32.const -2))))
  (call $set_bit (global.get $reserve) (local.get $p) (local.get $old))
  (call $set_bit (global.get $off) (local.get $p) (local.get $old)))

;; Related pairs (helpers.wat)

(func $remove_pair (param $pairs i32) (param $i i32) (local $at i32) (local $left i32) (local $right i32)
  (local.set $at (call $pair_at (local.get $pairs) (local.get $i)))
  (local.set $left (i32.load (local.get $at)))
  (local.set $right (i32.load offset=4 (local.get $at)))
  (i32.store (local.get $pairs) (i32.sub (i32.load (local.get $pairs)) (i32.const 1)))
  (memory.copy (local.get $at) (i32.add (local.get $at) (i32.const 16))
    (i32.shl (i32.sub (i32.load (local.get $pairs)) (local.get $i)) (i32.const 4)))
  (call $note_partner (local.get $pairs) (i32.const 4) (local.get $left))
  (call $note_partner (local.get $pairs) (i32.const 0) (local.get $right)))

;; Note whether a piece still has a partner.
(func $note_partner (param $pairs i32) (param $wanted i32) (param $piece i32)
  (call $set_bit (call $with_partner (local.get $pairs) (local.get $wanted)) (local.get $piece)
    (i32.lt_u (call $next_pair (local.get $pairs) (local.get $wanted) (local.get $piece) (i32.const 0))
      (i32.load (local.get $pairs)))))

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
  (i64.store offset=8 (local.get $at) (local.get $payload))
  (call $set_bit (call $with_partner (local.get $pairs) (i32.const 4)) (local.get $left) (i32.const 1))
  (call $set_bit (call $with_partner (local.get $pairs) (i32.const 0)) (local.get $right) (i32.const 1)))

;; Frames

;; A new frame on top; its names but for the player are still to be set.
(func $begin (param $procedure i32) (param $bytes i32) (param $base i32) (param $player i32) (result i32)
    (local $frame i32) (local $depth i32)
  (if (global.get $top) (then (local.set $depth (i32.add (i32.load offset=20 (global.get $top)) (i32.const 1)))))
  (if (i32.gt_u (local.get $depth) (i32.const 200)) (then (call $fail (i32.const 9))))
  (local.set $frame (call $alloc (local.get $bytes)))
  (i64.store (local.get $frame) (i64.extend_i32_u (local.get $procedure)))
  (i32.store offset=8 (local.get $frame) (local.get $base))
  (i32.store offset=12 (local.get $frame) (global.get $top))
  (i32.store offset=16 (local.get $frame) (i32.const 0))
  (i32.store offset=20 (local.get $frame) (local.get $depth))
  (i64.store offset=24 (local.get $frame) (i64.extend_i32_u (local.get $player)))
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
  (call $log_choice (i32.div_u (local.get $site) (i32.const 5)) (local.get $value))
  (call_indirect (type $take) (local.get $frame) (local.get $value)
    (i32.add (global.get $sites) (i32.add (local.get $site) (i32.const 3)))))

(func $log_choice (param $site i32) (param $value i64)
  (if (select (i32.const 0) (global.get $log_end) (global.get $trying))
    (then (call $log_taken (local.get $site) (local.get $value)))))

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

;; Draw an option, each alike, without asking about the others; 0 if none is open. draw.py emits it for sets of bits.
(func $draw (param $frame i32) (param $site i32) (param $side i32) (result i32)
    (local $mark i32) (local $row i32) (local $left i32) (local $i i32) (local $value i64)
  (call $restart_chance (local.get $side))
  (local.set $mark (global.get $sp))
  (local.set $row (call $candidates (local.get $frame) (local.get $site)))
  (loop $next
    (local.set $left (i32.load (local.get $row)))
    (if (i32.eqz (local.get $left)) (then (return (i32.const 0))))
    (local.set $i (call $draw_number (local.get $left)))
    (local.set $value (call $item (local.get $row) (local.get $i)))
    (if (i32.eqz (call $is_open (local.get $frame) (local.get $site) (local.get $value))) (then
      (call $drop (local.get $row) (local.get $i))
      (br $next))))
  (block $alone (loop $another
    (br_if $alone (i32.eqz (local.get $left)))
    (local.set $left (i32.sub (local.get $left) (i32.const 1)))
    (br_if $another (i32.eq (local.get $left) (local.get $i)))
    (br_if $another (i32.eqz
      (call $is_open (local.get $frame) (local.get $site) (call $item (local.get $row) (local.get $left)))))
    (call $mark)))
  (global.set $sp (local.get $mark))
  (call $take (local.get $frame) (local.get $site) (local.get $value))
  (i32.const 1))

;; Draw an option of a row, in the order in which what might be chosen is drawn.
(func $draw_of (param $frame i32) (param $site i32) (param $open i32) (param $mark i32)
    (local $row i32) (local $i i32) (local $value i64)
  (local.set $row (call $candidates (local.get $frame) (local.get $site)))
  (loop $next
    (local.set $i (call $draw_number (i32.load (local.get $row))))
    (local.set $value (call $item (local.get $row) (local.get $i)))
    (if (i32.eqz (call $has_item (local.get $open) (local.get $value))) (then
      (call $drop (local.get $row) (local.get $i))
      (br $next))))
  (call $mark)
  (global.set $sp (local.get $mark))
  (call $take (local.get $frame) (local.get $site) (local.get $value)))

;; Decide at the offer or choice of a frame (`Machine.decide`, then the player of the side): filter the candidates, and
;; take an option. The result is 0 where one was taken, 1 where a player outside is to choose among `options`, 2 where the
;; side needs a plan. Policies, as runtime/engine/game.py numbers them: 0 outside, 1 draws from candidates, 2 draws from
;; the list, 3 greedy, 4 and 5 greedy with a plan. A site has five functions in the table: side, members, open, take,
;; worth. The lowest number ends an offer or a set. $fail 9: the rules are broken.
(func $decide (param $frame i32) (result i32)
    (local $site i32) (local $side i32) (local $mark i32) (local $row i32) (local $open_count i32) (local $i i32)
  (local.set $site (i32.mul (global.get $site) (i32.const 5)))
  (local.set $mark (global.get $sp))
  (local.set $side (call $side_asked (local.get $frame) (local.get $site)))
  (if (i32.and
      (i32.eq (i32.load (i32.add (global.get $players) (i32.shl (local.get $side) (i32.const 2)))) (i32.const 1))
      (i32.eqz (call $is_obliged (local.get $frame) (global.get $site) (local.get $side)))) (then
    (if (call_indirect (type $draw) (local.get $frame) (local.get $side)
        (i32.add (global.get $draws) (global.get $site)))
      (then (return (i32.const 0))))
    (global.set $sp (local.get $mark))))
  (local.set $row (call $candidates (local.get $frame) (local.get $site)))
  (local.set $open_count (call $keep_open (local.get $frame) (local.get $site) (local.get $row)))
  (if (i32.eqz (local.get $open_count)) (then
    (if (i32.eqz (call $bit (global.get $escapes) (global.get $site))) (then (call $fail (i32.const 9))))
    (global.set $sp (local.get $mark))
    (call $take (local.get $frame) (local.get $site) (i64.const 0x8000000000000000))
    (return (i32.const 0))))
  (local.set $open_count (call $open_options (local.get $frame) (global.get $site) (local.get $row) (local.get $open_count)
    (local.get $side) (local.get $mark)))
  (if (i32.eq (local.get $open_count) (i32.const 1)) (then
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
  (call $restart_chance (local.get $side))
  (if (i32.eq (local.get $i) (i32.const 1)) (then
    (call $draw_of (local.get $frame) (local.get $site) (local.get $row) (local.get $mark))
    (return (i32.const 0))))
  (local.set $i (if (result i32) (i32.eq (local.get $i) (i32.const 2))
    (then (call $draw_number (local.get $open_count)))
    (else (call $prefer (local.get $frame) (local.get $site) (local.get $row) (local.get $side)
      (i32.ge_u (local.get $i) (i32.const 4))))))
  (call $mark)
  (global.set $sp (local.get $mark))
  (call $take (local.get $frame) (local.get $site) (call $item (local.get $row) (local.get $i)))
  (i32.const 0))

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

(func (export "reseed") (param $key i64) (param $by_action i32)
  (global.set $seed_key (local.get $key))
  (global.set $by_action (local.get $by_action)))

(func (export "hide") (param $side i32) (call $hide (local.get $side)))

(func $choose (export "choose") (param $i i32) (local $value i64)
  (call $mark)
  (local.set $value (call $item (global.get $options) (local.get $i)))
  (global.set $sp (global.get $before))
  (call $take (global.get $top) (i32.mul (global.get $site) (i32.const 5)) (local.get $value)))

(func (export "begin") (param $key i64) (param $by_action i32) (param $at i32)
  (global.set $seed_key (local.get $key))
  (global.set $by_action (local.get $by_action))
  (call $restore (local.get $at)))

(func (export "run") (param $steps i64) (result i32)
  (global.set $steps (local.get $steps))
  (call $run))

(func $run (result i32) (local $asks i32)
  (loop $next
    (if (i32.eqz (global.get $top)) (then (call $end_pairs) (return (i32.const 0))))
    (br_if $next (i32.eqz (call_indirect (type $function) (global.get $top) (i32.load (global.get $top)))))
    (call $end_pairs)
    (br_if $next (i32.eqz (local.tee $asks (call $decide (global.get $top))))))
  (local.get $asks))
