;; What generated functions call: memory, bit sets, sequences, ratios, the map. Sizes and addresses are globals.
;;
;; A bit set is so many 64-bit words; a sequence is a count (4 bytes, 4 unused) and elements of 8 bytes; a ratio has its
;; numerator in the upper 32 bits and its denominator, above 0, in the lower ones. Memory is allocated on a stack that the
;; functions restore. Reasons are numbered as in compiler/core/ir.py.

(func $fail (param $reason i32) (global.set $reason (local.get $reason)) unreachable)

(func $alloc:full (call $fail (i32.const 6)))

(func $alloc (param $bytes i32) (result i32) (local $at i32)
  (local.set $at (global.get $sp))
  (if (i32.gt_u (local.get $bytes) (i32.sub (global.get $end) (local.get $at))) (then (call $alloc:full)))
  ;; What is copied there takes time, too.
  (if (i32.ge_u (local.get $bytes) (i32.const 64)) (then
    (global.set $steps (i64.sub (global.get $steps) (i64.extend_i32_u (i32.shr_u (local.get $bytes) (i32.const 6)))))))
  (global.set $sp (i32.add (local.get $at) (local.get $bytes)))
  (local.get $at))

;; Bit sets

(func $bits (param $words i32) (result i32) (local $at i32)
  (local.set $at (call $alloc (i32.shl (local.get $words) (i32.const 3))))
  (memory.fill (local.get $at) (i32.const 0) (i32.shl (local.get $words) (i32.const 3)))
  (local.get $at))

(func $bit (param $set i32) (param $i i32) (result i32)
  (if (i32.lt_s (local.get $i) (i32.const 0)) (then (return (i32.const 0))))
  (i32.and (i32.const 1) (i32.shr_u
    (i32.load8_u (i32.add (local.get $set) (i32.shr_u (local.get $i) (i32.const 3))))
    (i32.and (local.get $i) (i32.const 7)))))

(func $put (param $set i32) (param $i i32) (local $at i32)
  (if (i32.lt_s (local.get $i) (i32.const 0)) (then (call $fail (i32.const 4))))
  (local.set $at (i32.add (local.get $set) (i32.shr_u (local.get $i) (i32.const 3))))
  (i32.store8 (local.get $at) (i32.or (i32.load8_u (local.get $at))
    (i32.shl (i32.const 1) (i32.and (local.get $i) (i32.const 7))))))

(func $or_into (param $words i32) (param $a i32) (param $b i32)
  (loop $next
    (i64.store (local.get $a) (i64.or (i64.load (local.get $a)) (i64.load (local.get $b))))
    (local.set $a (i32.add (local.get $a) (i32.const 8)))
    (local.set $b (i32.add (local.get $b) (i32.const 8)))
    (br_if $next (local.tee $words (i32.sub (local.get $words) (i32.const 1))))))

(func $copy_bits (param $words i32) (param $a i32) (result i32) (local $at i32)
  (local.set $at (call $alloc (i32.shl (local.get $words) (i32.const 3))))
  (memory.copy (local.get $at) (local.get $a) (i32.shl (local.get $words) (i32.const 3)))
  (local.get $at))

(func $union_bits (param $words i32) (param $a i32) (param $b i32) (result i32)
  (local.set $a (call $copy_bits (local.get $words) (local.get $a)))
  (call $or_into (local.get $words) (local.get $a) (local.get $b))
  (local.get $a))

(func $without_bits (param $words i32) (param $a i32) (param $b i32) (result i32) (local $at i32)
  (local.set $a (call $copy_bits (local.get $words) (local.get $a)))
  (local.set $at (local.get $a))
  (loop $next
    (i64.store (local.get $at) (i64.and (i64.load (local.get $at))
      (i64.xor (i64.load (local.get $b)) (i64.const -1))))
    (local.set $at (i32.add (local.get $at) (i32.const 8)))
    (local.set $b (i32.add (local.get $b) (i32.const 8)))
    (br_if $next (local.tee $words (i32.sub (local.get $words) (i32.const 1)))))
  (local.get $a))

(func $equal_bits (param $words i32) (param $a i32) (param $b i32) (result i32)
  (loop $next
    (if (i64.ne (i64.load (local.get $a)) (i64.load (local.get $b))) (then (return (i32.const 0))))
    (local.set $a (i32.add (local.get $a) (i32.const 8)))
    (local.set $b (i32.add (local.get $b) (i32.const 8)))
    (br_if $next (local.tee $words (i32.sub (local.get $words) (i32.const 1)))))
  (i32.const 1))

;; Sequences

(func $sequence (result i32) (local $at i32)
  (local.set $at (call $alloc (i32.const 8)))
  (i64.store (local.get $at) (i64.const 0))
  (local.get $at))

(func $item (param $row i32) (param $i i32) (result i64)
  (i64.load offset=8 (i32.add (local.get $row) (i32.shl (local.get $i) (i32.const 3)))))

;; Adds to a sequence that ends where free memory begins.
(func $append (param $row i32) (param $value i64) (local $at i32)
  (local.set $at (call $alloc (i32.const 8)))
  (i64.store (local.get $at) (local.get $value))
  (i32.store (local.get $row) (i32.add (i32.load (local.get $row)) (i32.const 1))))

;; The same in ascending order and without repeats.
(func $insert (param $row i32) (param $value i64) (local $at i32) (local $first i32) (local $here i64)
  (local.set $at (call $alloc (i32.const 8)))
  (local.set $first (i32.add (local.get $row) (i32.const 8)))
  (block $found (loop $back
    (br_if $found (i32.le_u (local.get $at) (local.get $first)))
    (local.set $here (i64.load (i32.sub (local.get $at) (i32.const 8))))
    (if (i64.eq (local.get $here) (local.get $value)) (then
      ;; What was moved up moves down again.
      (memory.copy (local.get $at) (i32.add (local.get $at) (i32.const 8))
        (i32.sub (i32.sub (global.get $sp) (i32.const 8)) (local.get $at)))
      (global.set $sp (i32.sub (global.get $sp) (i32.const 8)))
      (return)))
    (br_if $found (i64.lt_s (local.get $here) (local.get $value)))
    (i64.store (local.get $at) (local.get $here))
    (local.set $at (i32.sub (local.get $at) (i32.const 8)))
    (br $back)))
  (i64.store (local.get $at) (local.get $value))
  (i32.store (local.get $row) (i32.add (i32.load (local.get $row)) (i32.const 1))))

(func $copy_sequence (param $row i32) (result i32) (local $at i32) (local $bytes i32)
  (local.set $bytes (i32.add (i32.const 8) (i32.shl (i32.load (local.get $row)) (i32.const 3))))
  (local.set $at (call $alloc (local.get $bytes)))
  (memory.copy (local.get $at) (local.get $row) (local.get $bytes))
  (local.get $at))

(func $has_item (param $row i32) (param $value i64) (result i32) (local $i i32)
  (block $none (loop $next
    (br_if $none (i32.ge_u (local.get $i) (i32.load (local.get $row))))
    (if (i64.eq (call $item (local.get $row) (local.get $i)) (local.get $value)) (then (return (i32.const 1))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $next)))
  (i32.const 0))

(func $union_sequences (param $a i32) (param $b i32) (result i32) (local $i i32)
  (local.set $a (call $copy_sequence (local.get $a)))
  (block $none (loop $next
    (br_if $none (i32.ge_u (local.get $i) (i32.load (local.get $b))))
    (call $insert (local.get $a) (call $item (local.get $b) (local.get $i)))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $next)))
  (local.get $a))

(func $as_set (param $a i32) (result i32)
  (call $union_sequences (call $sequence) (local.get $a)))

(func $without_sequence (param $a i32) (param $b i32) (result i32) (local $i i32) (local $made i32)
  (local.set $made (call $sequence))
  (block $none (loop $next
    (br_if $none (i32.ge_u (local.get $i) (i32.load (local.get $a))))
    (if (i32.eqz (call $has_item (local.get $b) (call $item (local.get $a) (local.get $i)))) (then
      (call $append (local.get $made) (call $item (local.get $a) (local.get $i)))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $next)))
  (local.get $made))

(func $equal_sequences (param $a i32) (param $b i32) (result i32) (local $i i32)
  (if (i32.ne (i32.load (local.get $a)) (i32.load (local.get $b))) (then (return (i32.const 0))))
  (block $none (loop $next
    (br_if $none (i32.ge_u (local.get $i) (i32.load (local.get $a))))
    (if (i64.ne (call $item (local.get $a) (local.get $i)) (call $item (local.get $b) (local.get $i)))
      (then (return (i32.const 0))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $next)))
  (i32.const 1))

(func $span (param $low i64) (param $high i64) (result i32) (local $made i32)
  (local.set $made (call $sequence))
  (if (i64.gt_s (i64.sub (local.get $high) (local.get $low)) (i64.const 65535)) (then (call $fail (i32.const 6))))
  (block $none (loop $next
    (br_if $none (i64.gt_s (local.get $low) (local.get $high)))
    (call $append (local.get $made) (local.get $low))
    (local.set $low (i64.add (local.get $low) (i64.const 1)))
    (br $next)))
  (local.get $made))

;; The bit set of the elements of a sequence.
(func $bits_of (param $words i32) (param $row i32) (result i32) (local $made i32) (local $i i32)
  (local.set $made (call $bits (local.get $words)))
  (block $none (loop $next
    (br_if $none (i32.ge_u (local.get $i) (i32.load (local.get $row))))
    (call $put (local.get $made) (i32.wrap_i64 (call $item (local.get $row) (local.get $i))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $next)))
  (local.get $made))

;; Numbers

(func $whole (param $a i64) (result i64)
  (if (i64.gt_u (i64.add (local.get $a) (i64.const 0x400000000000)) (i64.const 0x800000000000))
    (then (call $fail (i32.const 5))))
  (local.get $a))

(func $multiply (param $a i64) (param $b i64) (result i64)
  (if (i32.or
      (i64.gt_u (i64.add (local.get $a) (i64.const 0x40000000)) (i64.const 0x80000000))
      (i64.gt_u (i64.add (local.get $b) (i64.const 0x40000000)) (i64.const 0x80000000)))
    (then (call $fail (i32.const 5))))
  (call $whole (i64.mul (local.get $a) (local.get $b))))

(func $floor_divide (param $a i64) (param $b i64) (result i64) (local $q i64)
  (if (i64.eqz (local.get $b)) (then (call $fail (i32.const 5))))
  (local.set $q (i64.div_s (local.get $a) (local.get $b)))
  (i64.sub (local.get $q) (i64.extend_i32_u (i32.and
    (i64.ne (i64.mul (local.get $q) (local.get $b)) (local.get $a))
    (i64.lt_s (i64.xor (local.get $a) (local.get $b)) (i64.const 0))))))

(func $ceiling_divide (param $a i64) (param $b i64) (result i64)
  (i64.sub (i64.const 0) (call $floor_divide (i64.sub (i64.const 0) (local.get $a)) (local.get $b))))

(func $numerator (param $a i64) (result i64) (i64.shr_s (local.get $a) (i64.const 32)))
(func $denominator (param $a i64) (result i64) (i64.and (local.get $a) (i64.const 0xffffffff)))

(func $ratio (param $n i64) (param $d i64) (result i64) (local $a i64) (local $b i64) (local $c i64)
  (if (i64.eqz (local.get $d)) (then (call $fail (i32.const 5))))
  (if (i64.lt_s (local.get $d) (i64.const 0)) (then
    (local.set $n (i64.sub (i64.const 0) (local.get $n)))
    (local.set $d (i64.sub (i64.const 0) (local.get $d)))))
  (local.set $a (select (local.get $n) (i64.sub (i64.const 0) (local.get $n)) (i64.ge_s (local.get $n) (i64.const 0))))
  (local.set $b (local.get $d))
  (if (i64.eq (local.get $d) (i64.const 1)) (then (local.set $a (i64.const 1)) (local.set $b (i64.const 0))))
  (block $done (loop $euclid
    (br_if $done (i64.eqz (local.get $b)))
    (local.set $c (i64.rem_u (local.get $a) (local.get $b)))
    (local.set $a (local.get $b))
    (local.set $b (local.get $c))
    (br $euclid)))
  (if (i64.ne (local.get $a) (i64.const 1)) (then
    (local.set $n (i64.div_s (local.get $n) (local.get $a)))
    (local.set $d (i64.div_s (local.get $d) (local.get $a)))))
  (if (i32.or (i64.gt_u (i64.add (local.get $n) (i64.const 0x40000000)) (i64.const 0x80000000))
      (i64.gt_u (local.get $d) (i64.const 0x40000000)))
    (then (call $fail (i32.const 5))))
  (i64.or (i64.shl (local.get $n) (i64.const 32)) (local.get $d)))

(func $to_ratio (param $a i64) (result i64) (call $ratio (local.get $a) (i64.const 1)))

(func $add_ratios (param $a i64) (param $b i64) (result i64)
  (call $ratio
    (i64.add (i64.mul (call $numerator (local.get $a)) (call $denominator (local.get $b)))
      (i64.mul (call $numerator (local.get $b)) (call $denominator (local.get $a))))
    (i64.mul (call $denominator (local.get $a)) (call $denominator (local.get $b)))))

(func $negate_ratio (param $a i64) (result i64)
  (i64.or (i64.shl (i64.sub (i64.const 0) (call $numerator (local.get $a))) (i64.const 32))
    (call $denominator (local.get $a))))

(func $subtract_ratios (param $a i64) (param $b i64) (result i64)
  (call $add_ratios (local.get $a) (call $negate_ratio (local.get $b))))

(func $multiply_ratios (param $a i64) (param $b i64) (result i64)
  (call $ratio (i64.mul (call $numerator (local.get $a)) (call $numerator (local.get $b)))
    (i64.mul (call $denominator (local.get $a)) (call $denominator (local.get $b)))))

(func $divide_ratios (param $a i64) (param $b i64) (result i64)
  (call $ratio (i64.mul (call $numerator (local.get $a)) (call $denominator (local.get $b)))
    (i64.mul (call $denominator (local.get $a)) (call $numerator (local.get $b)))))

(func $less_ratios (param $a i64) (param $b i64) (result i32)
  ;; Of one denominator, most of them 1, the numerators above it decide.
  (if (i64.eqz (i64.and (i64.xor (local.get $a) (local.get $b)) (i64.const 0xffffffff)))
    (then (return (i64.lt_s (local.get $a) (local.get $b)))))
  (i64.lt_s (i64.mul (call $numerator (local.get $a)) (call $denominator (local.get $b)))
    (i64.mul (call $numerator (local.get $b)) (call $denominator (local.get $a)))))

(func $floor_ratio (param $a i64) (result i64)
  (call $floor_divide (call $numerator (local.get $a)) (call $denominator (local.get $a))))

(func $ceiling_ratio (param $a i64) (result i64)
  (call $ceiling_divide (call $numerator (local.get $a)) (call $denominator (local.get $a))))

;; The map

;; Rows of distances where connections lead over the map; nothing leads to what is off it.
(func $far (param $a i32) (param $b i32) (result i32)
  (if (i32.or (i32.lt_s (local.get $a) (i32.const 0)) (i32.lt_s (local.get $b) (i32.const 0)))
    (then (return (select (i32.const 0) (i32.const 1000000) (i32.eq (local.get $a) (local.get $b))))))
  (i32.load (i32.add (i32.load (global.get $board_far)) (i32.shl (i32.add
    (i32.mul (local.get $a) (i32.load (global.get $board_size))) (local.get $b)) (i32.const 2)))))

(func $x (param $h i32) (result i32) (i32.load (i32.add (global.get $board_x) (i32.shl (local.get $h) (i32.const 2)))))
(func $y (param $h i32) (result i32) (i32.load (i32.add (global.get $board_y) (i32.shl (local.get $h) (i32.const 2)))))
(func $magnitude (param $a i32) (result i32)
  (select (local.get $a) (i32.sub (i32.const 0) (local.get $a)) (i32.ge_s (local.get $a) (i32.const 0))))

(func $distance (param $a i32) (param $b i32) (result i64)
  (if (i32.load (global.get $board_far)) (then
    (return (i64.extend_i32_s (call $far (local.get $a) (local.get $b))))))
  (i64.extend_i32_s (call $hexes_between (i32.sub (call $x (local.get $b)) (call $x (local.get $a)))
    (i32.sub (call $y (local.get $b)) (call $y (local.get $a))))))

;; How many steps lead so far across and down, in doubled coordinates.
(func $hexes_between (param $across i32) (param $down i32) (result i32)
  (local.set $down (call $magnitude (local.get $down)))
  (local.set $across (i32.sub (call $magnitude (local.get $across)) (local.get $down)))
  (i32.add (local.get $down) (i32.shr_u
    (select (local.get $across) (i32.const 0) (i32.gt_s (local.get $across) (i32.const 0))) (i32.const 1))))

(func $row_of (param $base i32) (param $h i32) (result i32)
  (i32.add (local.get $base) (i32.mul (local.get $h) (i32.shl (global.get $hex_words) (i32.const 3)))))

(func $adjacent (param $a i32) (param $b i32) (result i32)
  (call $bit (call $row_of (global.get $board_near) (local.get $a)) (local.get $b)))

;; The hexes that `adjacent` holds for; connections lead there, too.
(func $beside (param $h i32) (result i32) (call $row_of (global.get $board_near) (local.get $h)))

(func $neighbors (param $h i32) (result i32) (call $row_of (global.get $board_around) (local.get $h)))

;; The hexes within some distance of a hex, copied from the set that is kept under a hash of both; its key is never 0.
(func $within (param $h i32) (param $reach i64) (result i32) (local $at i32) (local $key i64) (local $mark i32)
  (local.set $key (i64.or (i64.shl (local.get $reach) (i64.const 32))
    (i64.extend_i32_u (i32.add (local.get $h) (i32.const 1)))))
  (if (i32.or (i32.lt_s (local.get $h) (i32.const 0)) (i64.gt_u (local.get $reach) (i64.const 0xffff)))
    (then (return (call $hexes_within (local.get $h) (local.get $reach)))))
  (local.set $at (i32.add (global.get $near_sets) (i32.mul
    (i32.and (i32.add (i32.mul (local.get $h) (i32.const 37)) (i32.wrap_i64 (local.get $reach))) (i32.const 511))
    (i32.add (i32.const 8) (i32.shl (global.get $hex_words) (i32.const 3))))))
  (if (i64.ne (i64.load (local.get $at)) (local.get $key)) (then
    (local.set $mark (global.get $sp))
    (memory.copy (i32.add (local.get $at) (i32.const 8)) (call $hexes_within (local.get $h) (local.get $reach))
      (i32.shl (global.get $hex_words) (i32.const 3)))
    (i64.store (local.get $at) (local.get $key))
    (global.set $sp (local.get $mark))))
  (call $copy_bits (global.get $hex_words) (i32.add (local.get $at) (i32.const 8))))

(func $hexes_within (param $h i32) (param $reach i64) (result i32)
  (local $made i32) (local $b i32) (local $x i32) (local $y i32) (local $most i32) (local $down i32) (local $across i32)
  (local.set $made (call $bits (global.get $hex_words)))
  (if (i32.load (global.get $board_far)) (then
    (loop $next
      (if (i64.le_s (call $distance (local.get $h) (local.get $b)) (local.get $reach)) (then
        (call $put (local.get $made) (local.get $b))))
      (local.set $b (i32.add (local.get $b) (i32.const 1)))
      (br_if $next (i32.lt_s (local.get $b) (i32.load (global.get $board_size)))))
    (return (local.get $made))))
  ;; The same as `distance`, written out: this loop passes over the whole map.
  (local.set $most (i32.wrap_i64 (select (local.get $reach) (i64.const 0x100000)
    (i64.lt_s (local.get $reach) (i64.const 0x100000)))))
  (if (i64.lt_s (local.get $reach) (i64.const 0)) (then (return (local.get $made))))
  (local.set $x (call $x (local.get $h)))
  (local.set $y (call $y (local.get $h)))
  (loop $next
    (local.set $down (i32.sub (i32.load (i32.add (global.get $board_y) (i32.shl (local.get $b) (i32.const 2))))
      (local.get $y)))
    (local.set $down (select (local.get $down) (i32.sub (i32.const 0) (local.get $down))
      (i32.ge_s (local.get $down) (i32.const 0))))
    (if (i32.le_s (local.get $down) (local.get $most)) (then
      (local.set $across (i32.sub (call $magnitude (i32.sub (call $x (local.get $b)) (local.get $x)))
        (local.get $down)))
      (if (i32.le_s (i32.add (local.get $down) (i32.shr_u
          (select (local.get $across) (i32.const 0) (i32.gt_s (local.get $across) (i32.const 0))) (i32.const 1)))
          (local.get $most)) (then
        (call $put (local.get $made) (local.get $b))))))
    (local.set $b (i32.add (local.get $b) (i32.const 1)))
    (br_if $next (i32.lt_s (local.get $b) (i32.load (global.get $board_size)))))
  (local.get $made))

(func $between (param $a i32) (param $b i32) (result i32) (local $c i32)
  (if (i32.gt_s (local.get $a) (local.get $b)) (then
    (local.set $c (local.get $a)) (local.set $a (local.get $b)) (local.set $b (local.get $c))))
  (i32.or (i32.shl (local.get $a) (i32.const 16)) (i32.and (local.get $b) (i32.const 0xffff))))

(func $first_hex (param $side i32) (result i32) (i32.shr_s (local.get $side) (i32.const 16)))
(func $second_hex (param $side i32) (result i32) (i32.extend16_s (local.get $side)))

;; The place of a hexside among all neighbors of all hexes, -1 if its hexes do not touch.
(func $slot (param $side i32) (result i32) (local $at i32) (local $last i32) (local $b i32)
  (if (i32.lt_s (call $first_hex (local.get $side)) (i32.const 0)) (then (return (i32.const -1))))
  (local.set $b (call $second_hex (local.get $side)))
  (local.set $at (i32.load (i32.add (global.get $board_slots)
    (i32.shl (call $first_hex (local.get $side)) (i32.const 2)))))
  (local.set $last (i32.load (i32.add (global.get $board_slots)
    (i32.shl (i32.add (call $first_hex (local.get $side)) (i32.const 1)) (i32.const 2)))))
  (block $none (loop $next
    (br_if $none (i32.ge_u (local.get $at) (local.get $last)))
    (if (i32.eq (i32.load (i32.add (global.get $board_beside) (i32.shl (local.get $at) (i32.const 2)))) (local.get $b))
      (then (return (local.get $at))))
    (local.set $at (i32.add (local.get $at) (i32.const 1)))
    (br $next)))
  (i32.const -1))

(func $side_bit (param $set i32) (param $side i32) (result i32)
  (call $bit (local.get $set) (call $slot (local.get $side))))

(func $neighbor (param $h i32) (param $direction i32) (result i32)
  (i32.load (i32.add (global.get $board_neighbor)
    (i32.shl (i32.add (i32.mul (local.get $h) (i32.const 6)) (local.get $direction)) (i32.const 2)))))

(func $sheet (param $h i32) (result i32)
  (if (i32.lt_s (local.get $h) (i32.const 0)) (then (return (i32.const -2))))
  (local.set $h (i32.load (i32.add (global.get $board_sheet) (i32.shl (local.get $h) (i32.const 2)))))
  (if (i32.lt_s (local.get $h) (i32.const 0)) (then (call $fail (i32.const 7))))
  (local.get $h))

(func $same_sheet (param $a i32) (param $b i32)
  (local.set $a (call $sheet (local.get $a)))
  (local.set $b (call $sheet (local.get $b)))
  (if (i32.and (i32.ne (local.get $a) (local.get $b))
      (i32.and (i32.ge_s (local.get $a) (i32.const 0)) (i32.ge_s (local.get $b) (i32.const 0))))
    (then (call $fail (i32.const 7)))))

(func $beyond (param $a i32) (param $over i32) (result i32) (local $made i32) (local $d i32) (local $far i32)
  (call $same_sheet (local.get $a) (local.get $over))
  (local.set $made (call $bits (global.get $hex_words)))
  (if (i32.lt_s (local.get $a) (i32.const 0)) (then (return (local.get $made))))
  (block $none (loop $next
    (br_if $none (i32.ge_s (local.get $d) (i32.const 6)))
    (if (i32.eq (call $neighbor (local.get $a) (local.get $d)) (local.get $over)) (then
      (local.set $far (call $neighbor (local.get $over) (local.get $d)))
      (if (i32.ge_s (local.get $far) (i32.const 0)) (then (call $put (local.get $made) (local.get $far))))
      (return (local.get $made))))
    (local.set $d (i32.add (local.get $d) (i32.const 1)))
    (br $next)))
  (local.get $made))

(func $toward (param $h i32) (param $direction i64) (result i32) (local $made i32) (local $d i32)
  (call $same_sheet (local.get $h) (local.get $h))
  (local.set $made (call $sequence))
  (local.set $d (i32.sub (i32.wrap_i64 (local.get $direction)) (i32.const 1)))
  (if (i32.gt_u (local.get $d) (i32.const 5)) (then (call $fail (i32.const 8))))
  (block $edge (loop $next
    (local.set $h (call $neighbor (local.get $h) (local.get $d)))
    (br_if $edge (i32.lt_s (local.get $h) (i32.const 0)))
    (call $append (local.get $made) (i64.extend_i32_s (local.get $h)))
    (br $next)))
  (local.get $made))

(func $touching (param $side i32) (result i32) (local $made i32) (local $a i32) (local $b i32) (local $h i32)
  (local.set $a (call $first_hex (local.get $side)))
  (local.set $b (call $second_hex (local.get $side)))
  (call $same_sheet (local.get $a) (local.get $b))
  (local.set $made (call $sequence))
  (loop $next
    (if (i32.and (call $bit (call $neighbors (local.get $a)) (local.get $h))
        (call $bit (call $neighbors (local.get $b)) (local.get $h))) (then
      (call $insert (local.get $made) (i64.extend_i32_s (call $between (local.get $h) (local.get $a))))
      (call $insert (local.get $made) (i64.extend_i32_s (call $between (local.get $h) (local.get $b))))))
    (local.set $h (i32.add (local.get $h) (i32.const 1)))
    (br_if $next (i32.lt_s (local.get $h) (i32.load (global.get $board_size)))))
  (local.get $made))

(func $ends (param $side i32) (result i32) (local $made i32)
  (local.set $made (call $bits (global.get $hex_words)))
  (call $put (local.get $made) (call $first_hex (local.get $side)))
  (call $put (local.get $made) (call $second_hex (local.get $side)))
  (local.get $made))

(func $edge (param $h i32) (result i32) (local $d i32)
  (call $same_sheet (local.get $h) (local.get $h))
  (loop $next
    (if (i32.eq (call $neighbor (local.get $h) (local.get $d)) (i32.const -1)) (then (return (i32.const 1))))
    (local.set $d (i32.add (local.get $d) (i32.const 1)))
    (br_if $next (i32.lt_s (local.get $d) (i32.const 6))))
  (i32.const 0))

(func $all_hexsides (result i32) (local $made i32) (local $h i32) (local $at i32) (local $b i32)
  (local.set $made (call $sequence))
  (if (i32.eqz (i32.load (global.get $board_size))) (then (return (local.get $made))))
  (loop $next
    (local.set $at (i32.load (i32.add (global.get $board_slots) (i32.shl (local.get $h) (i32.const 2)))))
    (block $none (loop $beside
      (br_if $none (i32.ge_u (local.get $at) (i32.load offset=4
        (i32.add (global.get $board_slots) (i32.shl (local.get $h) (i32.const 2))))))
      (local.set $b (i32.load (i32.add (global.get $board_beside) (i32.shl (local.get $at) (i32.const 2)))))
      (if (i32.lt_s (local.get $h) (local.get $b)) (then
        (call $append (local.get $made) (i64.extend_i32_s (call $between (local.get $h) (local.get $b))))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br $beside)))
    (local.set $h (i32.add (local.get $h) (i32.const 1)))
    (br_if $next (i32.lt_s (local.get $h) (i32.load (global.get $board_size)))))
  (local.get $made))

;; Related pairs: a count, the addresses of the sets of pieces with a left and with a right partner, then left, right and
;; payload of each pair, in order. `wanted` is 0 for left partners, 4 for right ones.

(func $pair_at (param $pairs i32) (param $i i32) (result i32)
  (i32.add (i32.add (local.get $pairs) (i32.const 16)) (i32.shl (local.get $i) (i32.const 4))))

;; Where a pair stands, or would stand.
(func $pair_place (param $pairs i32) (param $left i32) (param $right i32) (result i32)
    (local $low i32) (local $high i32) (local $i i32) (local $at i32)
  (local.set $high (i32.load (local.get $pairs)))
  (block $here (loop $next
    (br_if $here (i32.ge_u (local.get $low) (local.get $high)))
    (local.set $i (i32.shr_u (i32.add (local.get $low) (local.get $high)) (i32.const 1)))
    (local.set $at (call $pair_at (local.get $pairs) (local.get $i)))
    (if (i32.or (i32.lt_s (i32.load (local.get $at)) (local.get $left))
        (i32.and (i32.eq (i32.load (local.get $at)) (local.get $left))
          (i32.lt_s (i32.load offset=4 (local.get $at)) (local.get $right))))
      (then (local.set $low (i32.add (local.get $i) (i32.const 1))))
      (else (local.set $high (local.get $i))))
    (br $next)))
  (local.get $low))

(func $is_pair (param $pairs i32) (param $i i32) (param $left i32) (param $right i32) (result i32) (local $at i32)
  (if (i32.ge_u (local.get $i) (i32.load (local.get $pairs))) (then (return (i32.const 0))))
  (local.set $at (call $pair_at (local.get $pairs) (local.get $i)))
  (i32.and (i32.eq (i32.load (local.get $at)) (local.get $left))
    (i32.eq (i32.load offset=4 (local.get $at)) (local.get $right))))

(func $with_partner (param $pairs i32) (param $wanted i32) (result i32)
  (i32.load offset=8 (i32.add (local.get $pairs) (local.get $wanted))))

;; The first pair from place `i` on in which a piece has a partner; the number of pairs if there is none.
(func $next_pair (param $pairs i32) (param $wanted i32) (param $piece i32) (param $i i32) (result i32) (local $at i32)
  (local.set $at (i32.add (call $pair_at (local.get $pairs) (local.get $i)) (i32.sub (i32.const 4) (local.get $wanted))))
  (block $here (loop $next
    (br_if $here (i32.ge_u (local.get $i) (i32.load (local.get $pairs))))
    (br_if $here (i32.eq (i32.load (local.get $at)) (local.get $piece)))
    (local.set $at (i32.add (local.get $at) (i32.const 16)))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $next)))
  (local.get $i))

(func $partners (param $pairs i32) (param $wanted i32) (param $piece i32) (result i32) (local $made i32) (local $i i32)
  (local.set $made (call $bits (global.get $piece_words)))
  (if (i32.eqz (call $bit (call $with_partner (local.get $pairs) (local.get $wanted)) (local.get $piece)))
    (then (return (local.get $made))))
  (if (local.get $wanted)
    (then (local.set $i (call $pair_place (local.get $pairs) (local.get $piece) (i32.const 0)))))
  (block $none (loop $next
    (local.set $i (call $next_pair (local.get $pairs) (local.get $wanted) (local.get $piece) (local.get $i)))
    (br_if $none (i32.ge_u (local.get $i) (i32.load (local.get $pairs))))
    (call $put (local.get $made)
      (i32.load (i32.add (call $pair_at (local.get $pairs) (local.get $i)) (local.get $wanted))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $next)))
  (local.get $made))

;; The first of them, -1 if there is none.
(func $partner (param $pairs i32) (param $wanted i32) (param $piece i32) (result i32)
  (if (i32.eqz (call $bit (call $with_partner (local.get $pairs) (local.get $wanted)) (local.get $piece)))
    (then (return (i32.const -1))))
  (i32.load (i32.add (local.get $wanted) (call $pair_at (local.get $pairs)
    (call $next_pair (local.get $pairs) (local.get $wanted) (local.get $piece) (i32.const 0))))))

;; Where a pair stands, 0 if it is not related.
(func $related (param $pairs i32) (param $one i32) (param $other i32) (result i32) (local $i i32)
  (local.set $i (call $pair_place (local.get $pairs) (local.get $one) (local.get $other)))
  (select (call $pair_at (local.get $pairs) (local.get $i)) (i32.const 0)
    (call $is_pair (local.get $pairs) (local.get $i) (local.get $one) (local.get $other))))

;; Pieces

(func $pieces_at (param $h i32) (result i32) (local $made i32) (local $p i32)
  (local.set $made (call $bits (global.get $piece_words)))
  (local.set $p (i32.load (i32.add (global.get $first_at) (i32.shl (local.get $h) (i32.const 2)))))
  (block $none (loop $next
    (br_if $none (i32.lt_s (local.get $p) (i32.const 0)))
    (call $put (local.get $made) (local.get $p))
    (local.set $p (i32.load (i32.add (global.get $next_at) (i32.shl (local.get $p) (i32.const 2)))))
    (br $next)))
  (local.get $made))

(func $and_into (param $words i32) (param $a i32) (param $b i32)
  (loop $next
    (i64.store (local.get $a) (i64.and (i64.load (local.get $a)) (i64.load (local.get $b))))
    (local.set $a (i32.add (local.get $a) (i32.const 8)))
    (local.set $b (i32.add (local.get $b) (i32.const 8)))
    (br_if $next (local.tee $words (i32.sub (local.get $words) (i32.const 1))))))

;; A heap of ways of a search: cost, hex, hex before; the least one on top.

(func $earlier (param $a i32) (param $b i32) (param $ratios i32) (result i32)
  (if (i64.ne (i64.load (local.get $a)) (i64.load (local.get $b))) (then
    (return (if (result i32) (local.get $ratios)
      (then (call $less_ratios (i64.load (local.get $a)) (i64.load (local.get $b))))
      (else (i64.lt_s (i64.load (local.get $a)) (i64.load (local.get $b))))))))
  (if (i32.ne (i32.load offset=8 (local.get $a)) (i32.load offset=8 (local.get $b))) (then
    (return (i32.lt_s (i32.load offset=8 (local.get $a)) (i32.load offset=8 (local.get $b))))))
  (i32.lt_s (i32.load offset=12 (local.get $a)) (i32.load offset=12 (local.get $b))))

(func $swap (param $a i32) (param $b i32) (local $c i64) (local $d i64)
  (local.set $c (i64.load (local.get $a)))
  (local.set $d (i64.load offset=8 (local.get $a)))
  (i64.store (local.get $a) (i64.load (local.get $b)))
  (i64.store offset=8 (local.get $a) (i64.load offset=8 (local.get $b)))
  (i64.store (local.get $b) (local.get $c))
  (i64.store offset=8 (local.get $b) (local.get $d)))

(func $push (param $heap i32) (param $ratios i32) (param $cost i64) (param $here i32) (param $before i32)
  (local $i i32) (local $at i32) (local $up i32)
  (local.set $i (i32.load (local.get $heap)))
  (if (i32.ge_u (local.get $i) (i32.load offset=4 (local.get $heap))) (then (call $fail (i32.const 6))))
  (i32.store (local.get $heap) (i32.add (local.get $i) (i32.const 1)))
  (local.set $at (i32.add (local.get $heap) (i32.shl (i32.add (local.get $i) (i32.const 1)) (i32.const 4))))
  (i64.store (local.get $at) (local.get $cost))
  (i32.store offset=8 (local.get $at) (local.get $here))
  (i32.store offset=12 (local.get $at) (local.get $before))
  (block $done (loop $next
    (br_if $done (i32.eqz (local.get $i)))
    (local.set $i (i32.shr_u (i32.sub (local.get $i) (i32.const 1)) (i32.const 1)))
    (local.set $up (i32.add (local.get $heap) (i32.shl (i32.add (local.get $i) (i32.const 1)) (i32.const 4))))
    (br_if $done (i32.eqz (call $earlier (local.get $at) (local.get $up) (local.get $ratios))))
    (call $swap (local.get $at) (local.get $up))
    (local.set $at (local.get $up))
    (br $next))))

;; Takes the least way off and puts it behind the last one, where it stays until the next push.
(func $pop (param $heap i32) (param $ratios i32) (result i32)
  (local $n i32) (local $i i32) (local $at i32) (local $child i32) (local $down i32)
  (local.set $n (i32.sub (i32.load (local.get $heap)) (i32.const 1)))
  (i32.store (local.get $heap) (local.get $n))
  (call $swap (i32.add (local.get $heap) (i32.const 16))
    (i32.add (local.get $heap) (i32.shl (i32.add (local.get $n) (i32.const 1)) (i32.const 4))))
  (local.set $at (i32.add (local.get $heap) (i32.const 16)))
  (block $done (loop $next
    (local.set $child (i32.add (i32.shl (local.get $i) (i32.const 1)) (i32.const 1)))
    (br_if $done (i32.ge_u (local.get $child) (local.get $n)))
    (local.set $down (i32.add (local.get $heap) (i32.shl (i32.add (local.get $child) (i32.const 1)) (i32.const 4))))
    (if (i32.lt_u (i32.add (local.get $child) (i32.const 1)) (local.get $n)) (then
      (if (call $earlier (i32.add (local.get $down) (i32.const 16)) (local.get $down) (local.get $ratios)) (then
        (local.set $down (i32.add (local.get $down) (i32.const 16)))
        (local.set $child (i32.add (local.get $child) (i32.const 1)))))))
    (br_if $done (i32.eqz (call $earlier (local.get $down) (local.get $at) (local.get $ratios))))
    (call $swap (local.get $at) (local.get $down))
    (local.set $at (local.get $down))
    (local.set $i (local.get $child))
    (br $next)))
  (i32.add (local.get $heap) (i32.shl (i32.add (local.get $n) (i32.const 1)) (i32.const 4))))

;; Elements that are not ordered as integers: fractions (`order` 0), and bit sets of so many words as rows of members.
(func $compare (param $a i64) (param $b i64) (param $order i32) (result i32)
    (local $i i32) (local $x i64) (local $y i64) (local $bit i64) (local $more i64)
  (if (i32.eqz (local.get $order)) (then
    (return (i32.sub (call $less_ratios (local.get $b) (local.get $a)) (call $less_ratios (local.get $a) (local.get $b))))))
  (block $differ (loop $next
    (if (i32.ge_u (local.get $i) (local.get $order)) (then (return (i32.const 0))))
    (local.set $x (i64.load (i32.add (i32.wrap_i64 (local.get $a)) (i32.shl (local.get $i) (i32.const 3)))))
    (local.set $y (i64.load (i32.add (i32.wrap_i64 (local.get $b)) (i32.shl (local.get $i) (i32.const 3)))))
    (br_if $differ (i64.ne (local.get $x) (local.get $y)))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $next)))
  ;; One of them has the lowest member in which they differ; it comes first unless the other ends before.
  (local.set $bit (i64.and (i64.xor (local.get $x) (local.get $y))
    (i64.sub (i64.const 0) (i64.xor (local.get $x) (local.get $y)))))
  (local.set $more (i64.and (select (local.get $y) (local.get $x) (i64.ne (i64.and (local.get $x) (local.get $bit)) (i64.const 0)))
    (i64.sub (i64.const 0) (local.get $bit))))
  (loop $rest
    (if (i64.eqz (local.get $more)) (then
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (if (i32.lt_u (local.get $i) (local.get $order)) (then
        (local.set $more (i64.load (i32.add
          (i32.wrap_i64 (select (local.get $b) (local.get $a) (i64.ne (i64.and (local.get $x) (local.get $bit)) (i64.const 0))))
          (i32.shl (local.get $i) (i32.const 3)))))
        (br $rest))))))
  (select (i32.const -1) (i32.const 1) (i32.eq
    (i64.ne (i64.and (local.get $x) (local.get $bit)) (i64.const 0)) (i64.ne (local.get $more) (i64.const 0)))))

;; The same as `$insert` by another order, into a row that has room.
(func $insert_by (param $row i32) (param $value i64) (param $order i32) (local $at i32) (local $found i32)
  (local.set $at (i32.add (local.get $row) (i32.shl (i32.load (local.get $row)) (i32.const 3))))
  (block $here (loop $back
    (br_if $here (i32.eq (local.get $at) (local.get $row)))
    (local.set $found (call $compare (i64.load (local.get $at)) (local.get $value) (local.get $order)))
    (if (i32.eqz (local.get $found)) (then (return)))
    (br_if $here (i32.lt_s (local.get $found) (i32.const 0)))
    (local.set $at (i32.sub (local.get $at) (i32.const 8)))
    (br $back)))
  (memory.copy (i32.add (local.get $at) (i32.const 16)) (i32.add (local.get $at) (i32.const 8))
    (i32.sub (i32.add (local.get $row) (i32.shl (i32.load (local.get $row)) (i32.const 3))) (local.get $at)))
  (i64.store offset=8 (local.get $at) (local.get $value))
  (i32.store (local.get $row) (i32.add (i32.load (local.get $row)) (i32.const 1))))

(func $union_by (param $a i32) (param $b i32) (param $order i32) (result i32) (local $made i32) (local $i i32)
  (local.set $made (call $alloc (i32.shl
    (i32.add (i32.const 1) (i32.add (i32.load (local.get $a)) (i32.load (local.get $b)))) (i32.const 3))))
  (i64.store (local.get $made) (i64.const 0))
  (block $none (loop $next
    (br_if $none (i32.ge_u (local.get $i) (i32.load (local.get $a))))
    (call $insert_by (local.get $made) (call $item (local.get $a) (local.get $i)) (local.get $order))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $next)))
  (local.set $i (i32.const 0))
  (block $none (loop $next
    (br_if $none (i32.ge_u (local.get $i) (i32.load (local.get $b))))
    (call $insert_by (local.get $made) (call $item (local.get $b) (local.get $i)) (local.get $order))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $next)))
  (local.get $made))

;; The later one of two changes, by their numbers.
(func $later (param $a i64) (param $b i64) (result i64)
  (select (local.get $a) (local.get $b) (i64.gt_u (local.get $a) (local.get $b))))

(func $fill_i64 (param $at i32) (param $n i32) (param $value i64)
  (loop $next
    (i64.store (local.get $at) (local.get $value))
    (local.set $at (i32.add (local.get $at) (i32.const 8)))
    (local.set $n (i32.sub (local.get $n) (i32.const 1)))
    (br_if $next (local.get $n))))
