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

;; Scale a hash to a number below `options`: the upper half of their product.
(func $scaled (param $hash i64) (param $options i64) (result i64)
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
(func $write_phase_key
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

;; Set the subject of the next die (runtime/graph/dice_subjects.py), by the hash of the text.
(func $set_dice_subject
  (global.set $dice_subject (call $hashed))
  (global.set $has_dice_subject (i32.const 1)))

;; Dice are logged: turn, player, phase, procedure, the number shown, its subject (0: none). Number n of a stream
;; is thrown at its place: seed:turn.player.phase.procedure.n, or in games whose dice depend on their subjects
;; seed:turn.player.phase.procedure/subject.n
(func $throw (param $low i64) (param $high i64) (param $dice_subject i64) (result i64) (local $at i32) (local $earlier i32) (local $procedure i32)
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
          (i64.eq (i64.load offset=24 (local.get $at)) (local.get $dice_subject)))))))
    (local.set $at (i32.add (local.get $at) (i32.const 32)))
    (br $next)))
  (if (i32.ge_u (local.get $at) (global.get $dice_top)) (then (call $fail (i32.const 6))))
  (i32.store (local.get $at) (i32.wrap_i64 (i64.load (global.get $turn))))
  (i32.store offset=4 (local.get $at) (i32.load (global.get $player)))
  (i32.store offset=8 (local.get $at) (i32.load (global.get $phase)))
  (i32.store offset=12 (local.get $at) (local.get $procedure))
  (i64.store offset=24 (local.get $at) (local.get $dice_subject))
  (global.set $dice_end (i32.add (local.get $at) (i32.const 32)))
  (global.set $text (i32.const 0))
  (call $write_text (global.get $seed) (global.get $seed_bytes))
  (call $write_byte (i32.const 58))
  (call $write_phase_key)
  (call $write_byte (i32.const 46))
  (call $write_entry (global.get $keys) (local.get $procedure))
  (if (global.get $has_dice_subject) (then
    (call $write_byte (i32.const 47))
    (call $write_hex (local.get $dice_subject))))
  (call $write_byte (i32.const 46))
  (call $write_number (local.get $earlier))
  (i64.store offset=16 (local.get $at) (i64.add (local.get $low)
    (call $scaled (call $hashed) (i64.add (i64.sub (local.get $high) (local.get $low)) (i64.const 1)))))
  (i64.load offset=16 (local.get $at)))

;; A player's chance: seed/side/turn.player.phase.number/drawn, where `number` counts choices of a phase.
(func $choice_number (export "choice_number") (result i32)
  (if (result i32) (i32.and (i32.eq (global.get $mark_turn) (i32.wrap_i64 (i64.load (global.get $turn))))
      (i32.and (i32.eq (global.get $mark_player) (i32.load (global.get $player)))
        (i32.eq (global.get $mark_phase) (i32.load (global.get $phase)))))
    (then (i32.add (global.get $mark_number) (i32.const 1)))
    (else (i32.const 0))))

(func $mark (local $number i32)
  (local.set $number (call $choice_number))
  (global.set $mark_turn (i32.wrap_i64 (i64.load (global.get $turn))))
  (global.set $mark_player (i32.load (global.get $player)))
  (global.set $mark_phase (i32.load (global.get $phase)))
  (global.set $mark_number (local.get $number))
  (global.set $choices (i32.add (global.get $choices) (i32.const 1))))

;; Restart the random stream of a side for its next choice (`Stream.restart_at`).
(func $restart_chance (param $side i32)
  (global.set $text (i32.const 0))
  (call $write_text (global.get $seed) (global.get $seed_bytes))
  (call $write_byte (i32.const 47))
  (call $write_entry (global.get $names) (local.get $side))
  (call $write_byte (i32.const 47))
  (call $write_phase_key)
  (call $write_byte (i32.const 46))
  (call $write_number (call $choice_number))
  (call $write_byte (i32.const 47))
  (global.set $stem (global.get $text))
  (global.set $drawn (i32.const 0)))

;; Draw a number below `options` from that stream.
(func $draw_number (param $options i32) (result i32)
  (global.set $drawn (i32.add (global.get $drawn) (i32.const 1)))
  (if (i32.eq (local.get $options) (i32.const 1)) (then (return (i32.const 0))))
  (global.set $text (global.get $stem))
  (call $write_number (global.get $drawn))
  (i32.wrap_i64 (call $scaled (call $hashed) (i64.extend_i32_u (local.get $options)))))
