;; Play a logged game again, and record what its decisions offer. Only a module that counts the use of rules has these.

;; Record which counter each piece shows.
(func $note_faces (local $p i32) (local $counter i32)
  (if (i32.eqz (global.get $counter_faces)) (then (return)))
  (loop $next
    (if (i32.lt_u (local.get $p) (global.get $pieces)) (then
      (local.set $counter (i32.load (i32.add (global.get $counter_of) (i32.shl (local.get $p) (i32.const 2)))))
      (if (i32.ge_s (local.get $counter) (i32.const 0)) (then
        (i32.store8 (i32.add (global.get $counter_faces)
            (i32.add (i32.mul (local.get $p) (global.get $enum_capacity)) (local.get $counter))) (i32.const 1))))
      (local.set $p (i32.add (local.get $p) (i32.const 1)))
      (br $next)))))

;; Ask about every option of a decision, also where an engine that plays would stop at the first. Of an offer a row is
;; appended: its site, the phase, a bit for each open action, what is taken, and the side.
(func $count_options (param $frame i32) (local $site i32) (local $row i32) (local $i i32) (local $value i64)
    (local $side i32) (local $open i64) (local $mark i32) (local $arena i32)
  (local.set $mark (global.get $sp))
  (local.set $arena (global.get $arena))
  (local.set $site (i32.mul (global.get $site) (i32.const 5)))
  (local.set $side (call $side_asked (local.get $frame) (local.get $site)))
  (local.set $row (call $candidates (local.get $frame) (local.get $site)))
  (block $all (loop $next
    (br_if $all (i32.ge_u (local.get $i) (i32.load (local.get $row))))
    (local.set $value (call $item (local.get $row) (local.get $i)))
    (if (i32.and (call $bit (global.get $offers) (global.get $site)) (i64.gt_s (local.get $value) (i64.const 63)))
      (then (call $fail (i32.const 8))))
    (if (i32.and (call $is_open (local.get $frame) (local.get $site) (local.get $value))
        (i64.ge_s (local.get $value) (i64.const 0))) (then
      (local.set $open (i64.or (local.get $open) (i64.shl (i64.const 1) (local.get $value))))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $next)))
  (global.set $sp (local.get $mark))
  (global.set $arena (local.get $arena))
  (if (call $bit (global.get $offers) (global.get $site)) (then
    (if (i32.ge_u (global.get $offers_end) (global.get $offers_top)) (then (call $fail (i32.const 6))))
    (i32.store (global.get $offers_end) (global.get $site))
    (i32.store offset=4 (global.get $offers_end) (i32.load (global.get $phase)))
    (i64.store offset=8 (global.get $offers_end) (local.get $open))
    (i64.store offset=16 (global.get $offers_end) (i64.load offset=8 (global.get $log_end)))
    (i64.store offset=24 (global.get $offers_end) (i64.extend_i32_s (local.get $side)))
    (global.set $offers_end (i32.add (global.get $offers_end) (i32.const 32))))))

;; Take what the log has; it is logged again at the same place. $fail 8: a value that the log does not hold.
(func $take_logged (param $frame i32) (local $as i32) (local $value i64) (local $mark i32)
  (if (i32.ge_u (global.get $log_end) (global.get $replay_end)) (then (call $fail (i32.const 9))))
  (call $note_faces)
  (if (call $bit (global.get $counted_sites) (global.get $site)) (then (call $count_options (local.get $frame))))
  (local.set $as (i32.load offset=4 (global.get $log_end)))
  (local.set $value (i64.load offset=8 (global.get $log_end)))
  (if (i32.eq (local.get $as) (i32.const 2)) (then (call $fail (i32.const 8))))
  (if (i32.eq (local.get $as) (i32.const 3)) (then
    (local.set $value (call $item
      (i32.load (i32.load (i32.add (global.get $logged_as) (i32.shl (global.get $site) (i32.const 2)))))
      (i32.wrap_i64 (local.get $value))))))
  (if (i32.gt_s (i32.load (global.get $log_end)) (global.get $choices)) (then (call $mark)))
  (call $take (local.get $frame) (i32.mul (global.get $site) (i32.const 5)) (local.get $value)))

(func (export "recount")
  (loop $next
    (if (global.get $top) (then
      (if (call_indirect (type $function) (global.get $top) (i32.load (global.get $top))) (then
        (call $end_pairs)
        (call $take_logged (global.get $top))))
      (br $next))))
  (call $end_pairs)
  (call $note_faces))
