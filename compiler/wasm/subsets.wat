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
      ;; A last member that no admitted set contains is not found.
      (if (i32.ge_s (local.get $from) (local.get $n)) (then
        (global.set $tries (local.get $outer))
        (return (i32.const 0))))
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
