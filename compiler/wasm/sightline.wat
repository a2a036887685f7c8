;; Which hexsides a straight line between two hex centers crosses or runs along: runtime/board/sightline.py says how.
;;
;; A line is a sequence of references to crossings. A crossing has five fields of 8 bytes: the hexside, the hex left, the
;; hex entered, whether the line runs along the hexside, and where on the way (a ratio). Lines stay from `line_begin` on
;; until there is no more room, and are found by their two hexes in a table of `line_mask` + 1 slots: key and address.

;; The hex at a place in doubled coordinates, -1 if there is none: `board:by_place` is an open-addressed table of
;; places, filled by runtime/engine/image.py with the same hash; an empty slot is -1.
(func $hex_at (param $x i32) (param $y i32) (result i32) (local $slot i32) (local $h i32)
  (local.set $slot (i32.rem_u (i32.and (i32.const 0x7fffffff) (i32.xor
    (i32.mul (local.get $x) (i32.const 73856093)) (i32.mul (local.get $y) (i32.const 19349663))))
    (global.get $place_slots)))
  (loop $probe
    (local.set $h (i32.load (i32.add (global.get $board_by_place) (i32.shl (local.get $slot) (i32.const 2)))))
    (if (i32.lt_s (local.get $h) (i32.const 0)) (then (return (i32.const -1))))
    (if (i32.and (i32.eq (call $x (local.get $h)) (local.get $x)) (i32.eq (call $y (local.get $h)) (local.get $y)))
      (then (return (local.get $h))))
    (local.set $slot (i32.add (local.get $slot) (i32.const 1)))
    (if (i32.eq (local.get $slot) (global.get $place_slots)) (then (local.set $slot (i32.const 0))))
    (br $probe))
  unreachable)

;; A place projected on the normal of a pair of faces, 0 to 2.
(func $projection (param $face i32) (param $x i32) (param $y i32) (result i32)
  (if (i32.eqz (local.get $face)) (then (return (local.get $x))))
  (i32.shr_s (i32.sub
    (select (local.get $x) (i32.sub (i32.const 0) (local.get $x)) (i32.eq (local.get $face) (i32.const 1)))
    (i32.mul (local.get $y) (i32.const 3))) (i32.const 1)))

;; The step over a face, forward or (sign -1) back.
(func $step_x (param $face i32) (param $sign i32) (result i32)
  (i32.mul (local.get $sign) (select (i32.sub (i32.const 3) (i32.shl (local.get $face) (i32.const 1))) (i32.const 2)
    (local.get $face))))
(func $step_y (param $face i32) (param $sign i32) (result i32)
  (select (i32.sub (i32.const 0) (local.get $sign)) (i32.const 0) (local.get $face)))

(func $sign (param $a i32) (result i32) (select (i32.const -1) (i32.const 1) (i32.lt_s (local.get $a) (i32.const 0))))

;; Walks from a to b, and puts the line at the next free place for lines, which has room for two crossings a step of the
;; shortest way: each crossing advances the longest projection, which is at most twice that way, by 1 at least.
(func $trace (param $a i32) (param $b i32) (result i32)
  (local $x i32) (local $y i32) (local $end_x i32) (local $end_y i32) (local $dx i32) (local $dy i32)
  (local $made i32) (local $at i32) (local $face i32) (local $first i32) (local $second i32)
  (local $total i32) (local $when i64) (local $whole i64) (local $time i64) (local $earlier i64)
  (local $next_x i32) (local $next_y i32) (local $one i32) (local $other i32) (local $back i32) (local $over i32)
  (local $share i64) (local $along i32)
  (local.set $x (call $x (local.get $a)))
  (local.set $y (call $y (local.get $a)))
  (local.set $end_x (call $x (local.get $b)))
  (local.set $end_y (call $y (local.get $b)))
  (local.set $dx (i32.sub (local.get $end_x) (local.get $x)))
  (local.set $dy (i32.sub (local.get $end_y) (local.get $y)))
  (local.set $made (global.get $line_at))
  (i64.store (local.get $made) (i64.const 0))
  (local.set $at (i32.add (local.get $made) (i32.add (i32.const 8)
    (i32.shl (call $hexes_between (local.get $dx) (local.get $dy)) (i32.const 4)))))
  (block $there (loop $on
    (br_if $there (i32.and (i32.eq (local.get $x) (local.get $end_x)) (i32.eq (local.get $y) (local.get $end_y))))
    ;; The face, or at a corner the two faces, over which the line leaves this hex: the smallest of three fractions.
    (local.set $whole (i64.const 0))
    (local.set $when (i64.const 1))
    (local.set $face (i32.const 0))
    (loop $faces
      (local.set $total (call $projection (local.get $face) (local.get $dx) (local.get $dy)))
      (if (local.get $total) (then
        (local.set $time (i64.extend_i32_s (i32.add (i32.const 1) (i32.mul (call $sign (local.get $total))
          (call $projection (local.get $face)
            (i32.sub (local.get $x) (call $x (local.get $a))) (i32.sub (local.get $y) (call $y (local.get $a))))))))
        (local.set $total (call $magnitude (local.get $total)))
        (local.set $earlier (i64.sub (i64.mul (local.get $time) (local.get $whole))
          (i64.mul (local.get $when) (i64.extend_i32_s (local.get $total)))))
        (if (i32.or (i64.eqz (local.get $whole)) (i64.lt_s (local.get $earlier) (i64.const 0)))
          (then
            (local.set $when (local.get $time))
            (local.set $whole (i64.extend_i32_s (local.get $total)))
            (local.set $first (local.get $face))
            (local.set $second (i32.const -1)))
          (else (if (i64.eqz (local.get $earlier)) (then (local.set $second (local.get $face))))))))
      (local.set $face (i32.add (local.get $face) (i32.const 1)))
      (br_if $faces (i32.lt_s (local.get $face) (i32.const 3))))
    (local.set $back (call $hex_at (local.get $x) (local.get $y)))
    (local.set $total (call $projection (local.get $first) (local.get $dx) (local.get $dy)))
    (local.set $along (i32.const 0))
    (if (i32.ge_s (local.get $second) (i32.const 0)) (then
      (local.set $face (call $projection (local.get $second) (local.get $dx) (local.get $dy)))
      (local.set $along (i32.eq (call $magnitude (local.get $face)) (call $magnitude (local.get $total))))
      ;; At a corner that the line leans away from, it goes over the face that it leans to.
      (if (i32.gt_s (call $magnitude (local.get $face)) (call $magnitude (local.get $total))) (then
        (local.set $first (local.get $second))
        (local.set $total (local.get $face))))))
    (local.set $next_x (i32.add (local.get $x) (call $step_x (local.get $first) (call $sign (local.get $total)))))
    (local.set $next_y (i32.add (local.get $y) (call $step_y (local.get $first) (call $sign (local.get $total)))))
    (if (local.get $along)
      (then
        (local.set $one (call $hex_at (local.get $next_x) (local.get $next_y)))
        (local.set $total (call $sign (local.get $face)))
        (local.set $other (call $hex_at
          (i32.add (local.get $x) (call $step_x (local.get $second) (local.get $total)))
          (i32.add (local.get $y) (call $step_y (local.get $second) (local.get $total)))))
        (local.set $next_x (i32.add (local.get $next_x) (call $step_x (local.get $second) (local.get $total))))
        (local.set $next_y (i32.add (local.get $next_y) (call $step_y (local.get $second) (local.get $total))))
        (local.set $over (call $hex_at (local.get $next_x) (local.get $next_y)))
        (local.set $share (call $halfway (local.get $dx) (local.get $dy)
          (i32.sub (i32.add (local.get $x) (local.get $next_x)) (i32.shl (call $x (local.get $a)) (i32.const 1)))
          (i32.sub (i32.add (local.get $y) (local.get $next_y)) (i32.shl (call $y (local.get $a)) (i32.const 1))))))
      (else
        (local.set $over (call $hex_at (local.get $next_x) (local.get $next_y)))
        (local.set $one (local.get $back))
        (local.set $other (local.get $over))
        (local.set $share (call $ratio (local.get $when) (local.get $whole)))))
    (local.set $x (local.get $next_x))
    (local.set $y (local.get $next_y))
    ;; A crossing that involves a place without a hex is left out.
    (br_if $on (i32.lt_s (i32.or (i32.or (local.get $one) (local.get $other))
      (i32.or (local.get $back) (local.get $over))) (i32.const 0)))
    (i64.store (i32.add (i32.add (local.get $made) (i32.const 8)) (i32.shl (i32.load (local.get $made)) (i32.const 3)))
      (i64.extend_i32_u (local.get $at)))
    (i32.store (local.get $made) (i32.add (i32.load (local.get $made)) (i32.const 1)))
    (i64.store (local.get $at) (i64.extend_i32_s (call $between (local.get $one) (local.get $other))))
    (i64.store offset=8 (local.get $at) (i64.extend_i32_s (local.get $back)))
    (i64.store offset=16 (local.get $at) (i64.extend_i32_s (local.get $over)))
    (i64.store offset=24 (local.get $at) (i64.extend_i32_u (local.get $along)))
    (i64.store offset=32 (local.get $at) (local.get $share))
    (local.set $at (i32.add (local.get $at) (i32.const 40)))
    (br $on)))
  (global.set $line_at (local.get $at))
  (local.get $made))

;; The ratio of a stretch's middle on the way: sums of both ends against twice the way, by the longest projection.
(func $halfway (param $dx i32) (param $dy i32) (param $sum_x i32) (param $sum_y i32) (result i64)
  (local $face i32) (local $longest i32)
  (local.set $face (i32.const 1))
  (loop $faces
    (if (i32.gt_s (call $magnitude (call $projection (local.get $face) (local.get $dx) (local.get $dy)))
        (call $magnitude (call $projection (local.get $longest) (local.get $dx) (local.get $dy))))
      (then (local.set $longest (local.get $face))))
    (local.set $face (i32.add (local.get $face) (i32.const 1)))
    (br_if $faces (i32.lt_s (local.get $face) (i32.const 3))))
  (call $ratio
    (i64.extend_i32_s (call $projection (local.get $longest) (local.get $sum_x) (local.get $sum_y)))
    (i64.shl (i64.extend_i32_s (call $projection (local.get $longest) (local.get $dx) (local.get $dy))) (i64.const 1))))

(func $line (param $a i32) (param $b i32) (result i32) (local $key i32) (local $slot i32)
  (call $same_sheet (local.get $a) (local.get $b))
  (if (i32.or (i32.lt_s (local.get $a) (i32.const 0)) (i32.lt_s (local.get $b) (i32.const 0)))
    (then (return (call $sequence))))
  (local.set $key (i32.add (i32.const 1) (i32.or (i32.shl (local.get $a) (i32.const 16)) (local.get $b))))
  (local.set $slot (call $line_slot (local.get $key)))
  (if (i32.load (local.get $slot)) (then (return (i32.load offset=4 (local.get $slot)))))
  ;; Half of the slots stay empty. When all is full, all is forgotten; lines in use, the youngest, are overwritten last.
  (if (i32.or
      (i32.gt_u (global.get $line_count) (i32.shr_u (global.get $line_mask) (i32.const 1)))
      (i32.gt_u
        (i32.add (i32.const 8) (i32.mul (i32.const 96) (call $hexes_between
          (i32.sub (call $x (local.get $b)) (call $x (local.get $a)))
          (i32.sub (call $y (local.get $b)) (call $y (local.get $a))))))
        (i32.sub (global.get $line_end) (global.get $line_at))))
    (then
      (memory.fill (global.get $lines) (i32.const 0)
        (i32.shl (i32.add (global.get $line_mask) (i32.const 1)) (i32.const 3)))
      (global.set $line_at (global.get $line_begin))
      (global.set $line_count (i32.const 0))
      (local.set $slot (call $line_slot (local.get $key)))))
  (global.set $line_count (i32.add (global.get $line_count) (i32.const 1)))
  (i32.store (local.get $slot) (local.get $key))
  (i32.store offset=4 (local.get $slot) (call $trace (local.get $a) (local.get $b)))
  (i32.load offset=4 (local.get $slot)))

;; The slot of a key, or the empty one where it belongs.
(func $line_slot (param $key i32) (result i32) (local $slot i32) (local $at i32)
  (local.set $slot (i32.shr_u (i32.mul (local.get $key) (i32.const 0x9e3779b1)) (i32.const 15)))
  (loop $probe
    (local.set $at (i32.add (global.get $lines)
      (i32.shl (i32.and (local.get $slot) (global.get $line_mask)) (i32.const 3))))
    (if (i32.or (i32.eqz (i32.load (local.get $at))) (i32.eq (i32.load (local.get $at)) (local.get $key)))
      (then (return (local.get $at))))
    (local.set $slot (i32.add (local.get $slot) (i32.const 1)))
    (br $probe))
  unreachable)
