;; Chance: the arithmetic of runtime/play/dice.py. A seed is a key; number n of a stream is output n of SplitMix64 from
;; its key, and may be the key of another stream.

(func $random_number (param $key i64) (param $index i64) (result i64)
  (local.set $key (i64.add (local.get $key)
    (i64.mul (i64.add (local.get $index) (i64.const 1)) (i64.const 0x9e3779b97f4a7c15))))
  (local.set $key (i64.mul (i64.xor (local.get $key) (i64.shr_u (local.get $key) (i64.const 30)))
    (i64.const 0xbf58476d1ce4e5b9)))
  (local.set $key (i64.mul (i64.xor (local.get $key) (i64.shr_u (local.get $key) (i64.const 27)))
    (i64.const 0x94d049bb133111eb)))
  (i64.xor (local.get $key) (i64.shr_u (local.get $key) (i64.const 31))))

;; The upper half of a product.
(func $upper_product (param $a i64) (param $b i64) (result i64) (local $middle i64) (local $low i64)
  (local.set $low (i64.mul (i64.and (local.get $a) (i64.const 0xffffffff))
    (i64.and (local.get $b) (i64.const 0xffffffff))))
  (local.set $middle (i64.add (i64.shr_u (local.get $low) (i64.const 32))
    (i64.mul (i64.shr_u (local.get $a) (i64.const 32)) (i64.and (local.get $b) (i64.const 0xffffffff)))))
  (local.set $low (i64.add (i64.and (local.get $middle) (i64.const 0xffffffff))
    (i64.mul (i64.and (local.get $a) (i64.const 0xffffffff)) (i64.shr_u (local.get $b) (i64.const 32)))))
  (i64.add (i64.add (i64.shr_u (local.get $middle) (i64.const 32)) (i64.shr_u (local.get $low) (i64.const 32)))
    (i64.mul (i64.shr_u (local.get $a) (i64.const 32)) (i64.shr_u (local.get $b) (i64.const 32)))))

;; The index below `options` that a random number stands for. Numbers that would make some likelier are replaced.
(func $draw_below (param $options i64) (param $number i64) (result i64) (local $least i64)
  (if (i64.lt_u (i64.mul (local.get $number) (local.get $options)) (local.get $options)) (then
    (local.set $least (i64.rem_u (i64.sub (i64.const 0) (local.get $options)) (local.get $options)))
    (block $even (loop $next
      (br_if $even (i64.ge_u (i64.mul (local.get $number) (local.get $options)) (local.get $least)))
      (local.set $number (call $random_number (local.get $number) (i64.const 0)))
      (br $next)))))
  (call $upper_product (local.get $number) (local.get $options)))

;; The key below which a game has its streams of the current phase.
(func $phase_key (result i64)
  (call $random_number (call $random_number (call $random_number
    (global.get $seed_key) (i64.load (global.get $turn)))
    (call $text_key (global.get $word_keys) (i32.load (global.get $player))))
    (call $text_key (global.get $word_keys) (i32.load (global.get $phase)))))

(func $text_key (param $table i32) (param $i i32) (result i64)
  (i64.load (i32.add (local.get $table) (i32.shl (local.get $i) (i32.const 3)))))

;; Add to the subject of the next die (runtime/graph/dice_subjects.py) a number, or the members of a sequence.
(func $add_subject (param $number i64)
  (global.set $dice_subject (call $random_number (global.get $dice_subject) (local.get $number))))

(func $add_subjects (param $row i32) (local $i i32)
  (call $add_subject (i64.load32_u (local.get $row)))
  (block $done (loop $next
    (br_if $done (i32.ge_u (local.get $i) (i32.load (local.get $row))))
    (call $add_subject (call $item (local.get $row) (local.get $i)))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $next))))

;; Dice are logged: the key of the stream, the number shown, which number of the stream it is, the procedure.
(func $throw (param $low i64) (param $high i64) (param $subject i64) (result i64)
    (local $at i32) (local $earlier i32) (local $stream i64)
  (if (global.get $trying) (then (return (call $trial_throw (local.get $low) (local.get $high)))))
  (local.set $stream (call $random_number (call $phase_key)
    (call $text_key (global.get $procedure_keys) (i32.load (global.get $top)))))
  (if (i64.ne (local.get $subject) (i64.const 0))
    (then (local.set $stream (call $random_number (local.get $stream) (local.get $subject)))))
  (local.set $at (global.get $dice_end))
  (block $none (loop $next
    (br_if $none (i32.le_u (local.get $at) (global.get $dice)))
    (local.set $at (i32.sub (local.get $at) (i32.const 24)))
    (br_if $next (i64.ne (i64.load (local.get $at)) (local.get $stream)))
    (local.set $earlier (i32.add (i32.load offset=16 (local.get $at)) (i32.const 1)))))
  (local.set $at (global.get $dice_end))
  (if (i32.ge_u (local.get $at) (global.get $dice_top)) (then (call $fail (i32.const 6))))
  (global.set $dice_end (i32.add (local.get $at) (i32.const 24)))
  (i64.store (local.get $at) (local.get $stream))
  (i64.store offset=8 (local.get $at) (i64.add (local.get $low)
    (call $draw_below (i64.add (i64.sub (local.get $high) (local.get $low)) (i64.const 1))
      (call $random_number (local.get $stream) (i64.extend_i32_u (local.get $earlier))))))
  (i32.store offset=16 (local.get $at) (local.get $earlier))
  (i32.store offset=20 (local.get $at) (i32.load (global.get $top)))
  (i64.load offset=8 (local.get $at)))

;; The index of the next choice in its phase (`Moment`).
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
  (global.set $choice_key (call $random_number
    (call $random_number (call $phase_key) (call $text_key (global.get $word_keys) (local.get $side)))
    (i64.extend_i32_u (call $choice_number))))
  (global.set $drawn (i32.const 0)))

;; Draw a number below `options` from that stream.
(func $draw_number (param $options i32) (result i32) (local $index i32)
  (local.set $index (global.get $drawn))
  (global.set $drawn (i32.add (local.get $index) (i32.const 1)))
  (if (i32.eq (local.get $options) (i32.const 1)) (then (return (i32.const 0))))
  (i32.wrap_i64 (call $draw_below (i64.extend_i32_u (local.get $options))
    (call $random_number (global.get $choice_key) (i64.extend_i32_u (local.get $index))))))
