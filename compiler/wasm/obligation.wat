;; Offers that must not end before something is so (runtime/play/obligations.py): of the options only those are left after
;; which that can still come to be. What follows is tried out from checkpoints, depth first (Tarjan 1972): every option of
;; everybody, every result of each die. Each position is gone on from once, so who goes through all that follows tries as
;; many options as the machine does, in whatever order; with more of them than its budget has, an option is left, as in
;; the machine, which does not know of a way there either or has found one.
;;
;; Where `unsettled` is an address, two numbers a site lie there: at how many decisions the budget did not tell, and after
;; how many options.
;;
;; A frame whose offer is under way has the number of its site, plus one, above the sixteen bits that count actions.

;; The outermost frame with such an offer under way that a side has to meet; 0 if there is none.
(func $is_obliged (param $frame i32) (param $site i32) (param $side i32) (result i32)
    (local $at i32) (local $found i32) (local $here i32)
  (if (i32.eqz (global.get $obliges)) (then (return (i32.const 0))))
  (local.set $at (local.get $frame))
  (block $done (loop $next
    (br_if $done (i32.eqz (local.get $at)))
    (local.set $here (i32.sub (i32.shr_u (i32.load offset=16 (local.get $at)) (i32.const 16)) (i32.const 1)))
    (if (i32.and (i32.eq (local.get $at) (local.get $frame)) (call $bit (global.get $musts) (local.get $site)))
      (then (local.set $here (local.get $site))))
    (if (i32.ge_s (local.get $here) (i32.const 0)) (then
      (if (i32.eq (call $side_asked (local.get $at) (i32.mul (local.get $here) (i32.const 5))) (local.get $side)) (then
        (local.set $found (local.get $at))
        (global.set $goal_site (local.get $here))))))
    (local.set $at (i32.load offset=12 (local.get $at)))
    (br $next)))
  (local.get $found))

;; Leave out of a row of options those that miss the obligation of the side that is asked; give how many are left.
(func $open_options (param $frame i32) (param $site i32) (param $row i32) (param $made i32) (param $side i32) (param $mark i32)
    (result i32)
    (local $here i32) (local $may_end i32) (local $kept i32) (local $root i32) (local $i i32) (local $n i32)
    (local $value i64) (local $before i32) (local $unsettled i32)
  (global.set $goal (call $is_obliged (local.get $frame) (local.get $site) (local.get $side)))
  (if (i32.eqz (global.get $goal)) (then (return (local.get $made))))
  (local.set $here (i32.eq (global.get $goal) (local.get $frame)))
  (local.set $may_end (i32.and (local.get $here) (call $bit (global.get $escapes) (local.get $site))))
  (if (i32.and (i32.eq (local.get $made) (i32.const 1)) (i32.eqz (local.get $may_end)))
    (then (return (local.get $made))))
  ;; As many decisions as the machine tries for an option (runtime/play/goal_search.py).
  (global.set $most_tried (i32.div_u (global.get $trials_of_decision) (local.get $made)))
  (if (i32.gt_u (global.get $most_tried) (global.get $trials_of_option))
    (then (global.set $most_tried (global.get $trials_of_option))))
  (if (i32.lt_u (global.get $most_tried) (global.get $least_trials))
    (then (global.set $most_tried (global.get $least_trials))))
  (global.set $trial_at (i32.add (global.get $trial_base) (i32.const 65536)))
  (local.set $kept (call $trial_alloc (local.get $made)))
  (local.set $root (global.get $trial_at))
  (local.set $before (global.get $before))
  (global.set $before (local.get $mark))
  (if (global.get $unsettled) (then (local.set $unsettled (i32.load offset=4 (call $unsettled_of)))))
  (call $save_trial)
  (loop $next
    (local.set $value (call $item (local.get $row) (local.get $i)))
    (i32.store8 (i32.add (local.get $kept) (local.get $i))
      (if (result i32) (i32.and (local.get $here) (i64.eq (local.get $value) (i64.const 0x8000000000000000)))
        (then (i32.const 1))
        (else (call $can_meet (local.get $root) (local.get $value)))))
    (call $restore (local.get $root))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $next (i32.lt_u (local.get $i) (local.get $made))))
  (global.set $trying (i32.const 0))
  (if (global.get $unsettled) (then
    (if (i32.ne (local.get $unsettled) (i32.load offset=4 (call $unsettled_of)))
      (then (i32.store (call $unsettled_of) (i32.add (i32.load (call $unsettled_of)) (i32.const 1)))))))
  (global.set $before (local.get $before))
  (local.set $i (i32.const 0))
  (loop $pack
    (if (i32.load8_u (i32.add (local.get $kept) (local.get $i))) (then
      (call $store_item (local.get $row) (local.get $n) (call $item (local.get $row) (local.get $i)))
      (local.set $n (i32.add (local.get $n) (i32.const 1)))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $pack (i32.lt_u (local.get $i) (local.get $made))))
  (if (i32.eqz (local.get $n)) (then
    (local.set $n (local.get $made))
    ;; The row was made with room for the end of the offer.
    (if (local.get $may_end) (then
      (call $store_item (local.get $row) (local.get $n) (i64.const 0x8000000000000000))
      (local.set $n (i32.add (local.get $n) (i32.const 1)))))))
  (i32.store (local.get $row) (local.get $n))
  (local.get $n))

;; Where the numbers of the offer lie that has to be met.
(func $unsettled_of (result i32)
  (i32.add (global.get $unsettled) (i32.shl (global.get $goal_site) (i32.const 3))))

(func $trial_alloc (param $bytes i32) (result i32) (local $at i32)
  (local.set $at (global.get $trial_at))
  (global.set $trial_at
    (i32.add (local.get $at) (i32.and (i32.add (local.get $bytes) (i32.const 7)) (i32.const -8))))
  (if (i32.gt_u (global.get $trial_at) (global.get $trial_end)) (then (call $fail (i32.const 6))))
  (local.get $at))

;; How many bytes a checkpoint takes.
(func $checkpoint_size (result i32)
  (i32.add
    (i32.add (i32.const 64) (i32.add (i32.sub (global.get $arrays_end) (global.get $changing))
      (i32.sub (global.get $heap_end) (global.get $heap))))
    (i32.add (i32.sub (global.get $sp) (global.get $base))
      (i32.add (i32.sub (global.get $arena) (global.get $arena_begin))
        (i32.sub (global.get $dice_end) (global.get $dice))))))

(func $save_trial
  (drop (call $save (call $trial_alloc (call $checkpoint_size)))))

;; Whether the offer can be met after an option at a checkpoint.
(func $can_meet (param $root i32) (param $value i64) (result i32) (local $top i32)
  (local.set $top (global.get $trial_at))
  (global.set $tried (i32.const 0))
  (global.set $trying (i32.const 1))
  (memory.fill (global.get $trial_base) (i32.const 0) (i32.const 65536))
  (if (call $explore (local.get $root) (local.get $value)) (then
    (global.set $trial_at (local.get $top))
    (return (i32.const 1))))
  (global.set $trial_at (local.get $top))
  (if (i32.le_u (global.get $tried) (global.get $most_tried)) (then (return (i32.const 0))))
  ;; Addresses of what a position refers to are part of its hash: there more of them may look new than the machine meets.
  (if (i32.ne (global.get $arena) (global.get $arena_begin)) (then (call $fail (i32.const 6))))
  (if (global.get $unsettled) (then
    (i32.store offset=4 (call $unsettled_of) (i32.add (i32.load offset=4 (call $unsettled_of)) (i32.const 1)))))
  (i32.const 1))

;; What a die shows in a trial: what was said, or at first the least that it may show.
(func $trial_throw (param $low i64) (param $high i64) (result i64) (local $at i32)
  (if (i32.ge_u (global.get $faces_at) (i32.const 32)) (then (call $fail (i32.const 6))))
  (local.set $at (i32.add (global.get $faces) (i32.shl (global.get $faces_at) (i32.const 4))))
  (global.set $faces_at (i32.add (global.get $faces_at) (i32.const 1)))
  (if (i32.gt_u (global.get $faces_at) (global.get $faces_known)) (then
    (global.set $faces_known (global.get $faces_at))
    (global.set $tried (i32.add (global.get $tried) (i32.const 1)))
    (i64.store (local.get $at) (local.get $low))
    (i64.store offset=8 (local.get $at) (local.get $high))))
  (i64.load (local.get $at)))

(func $take_in_trial (param $from i32) (param $value i64)
  (call $restore (local.get $from))
  (global.set $sp (global.get $before))
  (call $take (global.get $top) (i32.mul (global.get $site) (i32.const 5)) (local.get $value)))

;; Go through all that follows an option at a checkpoint, until the offer is met.
(func $explore (param $from i32) (param $value i64) (result i32)
    (local $faces i32) (local $known i32) (local $found i32) (local $row i32) (local $n i32) (local $i i32)
    (local $at i32) (local $next i32)
  (local.set $faces (call $trial_alloc (i32.const 512)))
  (loop $again
    (if (i32.gt_u (global.get $tried) (global.get $most_tried)) (then (return (i32.const 0))))
    (global.set $tried (i32.add (global.get $tried) (i32.const 1)))
    (global.set $faces (local.get $faces))
    (global.set $faces_known (local.get $known))
    (global.set $faces_at (i32.const 0))
    (call $take_in_trial (local.get $from) (local.get $value))
    (local.set $found (call $go_on))
    (local.set $known (global.get $faces_known))
    (if (i32.eq (local.get $found) (i32.const 1)) (then (return (i32.const 1))))
    (if (i32.eq (local.get $found) (i32.const 2)) (then (if (call $is_new) (then
      (local.set $n (i32.load (global.get $options)))
      (local.set $row (call $trial_alloc (i32.shl (local.get $n) (i32.const 3))))
      (memory.copy (local.get $row) (i32.add (global.get $options) (i32.const 8)) (i32.shl (local.get $n) (i32.const 3)))
      (local.set $next (global.get $trial_at))
      (call $save_trial)
      ;; To add nothing more to a set comes first: what is used up in one action is missing in the next.
      (local.set $i (i32.const 0))
      (local.set $at (i32.sub (local.get $n) (i32.const 1)))
      (if (i64.ne (i64.load (i32.add (local.get $row) (i32.shl (local.get $at) (i32.const 3))))
          (i64.const 0x8000000000000000))
        (then (local.set $at (i32.const 0))))
      (loop $options
        (if (call $explore (local.get $next)
            (i64.load (i32.add (local.get $row) (i32.shl
              (select (i32.rem_u (i32.add (local.get $i) (local.get $at)) (local.get $n)) (local.get $i) (local.get $at))
              (i32.const 3)))))
          (then (return (i32.const 1))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $options (i32.lt_u (local.get $i) (local.get $n))))
      (global.set $trial_at (local.get $row))))))
    ;; The next results: the last die that can shows one more, those behind it are thrown anew.
    (loop $back
      (if (i32.eqz (local.get $known)) (then
        (global.set $trial_at (local.get $faces))
        (return (i32.const 0))))
      (local.set $at (i32.add (local.get $faces) (i32.shl (i32.sub (local.get $known) (i32.const 1)) (i32.const 4))))
      (if (i64.lt_s (i64.load (local.get $at)) (i64.load offset=8 (local.get $at))) (then
        (i64.store (local.get $at) (i64.add (i64.load (local.get $at)) (i64.const 1)))
        (br $again)))
      (local.set $known (i32.sub (local.get $known) (i32.const 1)))
      (br $back)))
  (unreachable))

;; Play on in a trial to the next decision with two options or more: 2. Gives 1 where the offer is met, 0 where nothing
;; follows.
(func $go_on (result i32)
    (local $frame i32) (local $at i32) (local $row i32) (local $made i32) (local $i i32) (local $mark i32)
    (local $left i32)
  (local.set $left (i32.const 20000))
  (loop $next
    (local.set $left (i32.sub (local.get $left) (i32.const 1)))
    (if (i32.eqz (local.get $left)) (then (call $fail (i32.const 6))))
    (local.set $frame (global.get $top))
    (if (i32.lt_u (local.get $frame) (global.get $goal)) (then (return (i32.const 0))))
    (br_if $next (i32.eqz (call_indirect (type $function) (local.get $frame) (i32.load (local.get $frame)))))
    (call $end_pairs)
    (local.set $at (i32.mul (global.get $site) (i32.const 5)))
    (local.set $mark (global.get $sp))
    (if (i32.eq (local.get $frame) (global.get $goal)) (then
      (if (i32.ne (global.get $site) (global.get $goal_site)) (then (call $fail (i32.const 6))))
      (if (call $is_open (local.get $frame) (local.get $at) (i64.const 0x8000000000000001)) (then (return (i32.const 1))))
      (if (call $bit (global.get $keeps) (global.get $site)) (then (return (i32.const 0))))))
    (local.set $row (call $candidates (local.get $frame) (local.get $at)))
    (local.set $made (call $keep_open (local.get $frame) (local.get $at) (local.get $row)))
    (if (i32.gt_u (local.get $made) (i32.const 1)) (then
      (global.set $options (local.get $row))
      (global.set $before (local.get $mark))
      (return (i32.const 2))))
    (if (i32.eqz (local.get $made)) (then
      (if (i32.eqz (call $bit (global.get $escapes) (global.get $site))) (then (return (i32.const 0))))
      (call $store_item (local.get $row) (i32.const 0) (i64.const 0x8000000000000000))))
    (if (i32.and (i32.eq (local.get $frame) (global.get $goal))
        (i64.eq (call $item (local.get $row) (i32.const 0)) (i64.const 0x8000000000000000)))
      (then (return (i32.const 0))))
    (global.set $sp (local.get $mark))
    (call $take (local.get $frame) (local.get $at) (call $item (local.get $row) (i32.const 0)))
    (br $next))
  (unreachable))

;; Leave out of a row what is not open; give how many are left.
(func $keep_open (param $frame i32) (param $site i32) (param $row i32) (result i32) (local $i i32) (local $made i32)
  (block $none (loop $next
    (br_if $none (i32.ge_u (local.get $i) (i32.load (local.get $row))))
    (if (call $is_open (local.get $frame) (local.get $site) (call $item (local.get $row) (local.get $i))) (then
      (call $store_item (local.get $row) (local.get $made) (call $item (local.get $row) (local.get $i)))
      (local.set $made (i32.add (local.get $made) (i32.const 1)))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $next)))
  (i32.store (local.get $row) (local.get $made))
  (local.get $made))

;; Whether a position was not come by before; how often the offer was taken changes nothing that follows. Positions are
;; known by their hashes, which lie in a table with open addressing.
(func $is_new (result i32) (local $hash i64) (local $taken i32) (local $at i32)
  (local.set $taken (i32.load offset=16 (global.get $goal)))
  (i32.store offset=16 (global.get $goal) (i32.const 0))
  (local.set $hash (i64.or (i64.shl (i64.extend_i32_u (global.get $top)) (i64.const 32))
    (i64.extend_i32_u (global.get $site))))
  (local.set $hash (call $hash_of (local.get $hash) (global.get $changing) (global.get $changes)))
  (local.set $hash (call $hash_of (local.get $hash) (global.get $heap) (global.get $heap_end)))
  (local.set $hash (call $hash_of (local.get $hash) (global.get $goal) (global.get $before)))
  (local.set $hash (call $hash_of (local.get $hash) (global.get $arena_begin) (global.get $arena)))
  (local.set $hash (i64.or (local.get $hash) (i64.const 1)))
  (i32.store offset=16 (global.get $goal) (local.get $taken))
  (local.set $at (i32.wrap_i64 (i64.shr_u (local.get $hash) (i64.const 51))))
  (loop $probe
    (local.set $at (i32.and (local.get $at) (i32.const 8191)))
    (local.set $taken (i32.add (global.get $trial_base) (i32.shl (local.get $at) (i32.const 3))))
    (if (i64.eq (i64.load (local.get $taken)) (local.get $hash)) (then (return (i32.const 0))))
    (local.set $at (i32.add (local.get $at) (i32.const 1)))
    (br_if $probe (i64.ne (i64.load (local.get $taken)) (i64.const 0))))
  (i64.store (local.get $taken) (local.get $hash))
  (i32.const 1))

(func $hash_of (param $hash i64) (param $at i32) (param $end i32) (result i64)
  (block $done (loop $next
    (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
    (local.set $hash (i64.mul (i64.xor (local.get $hash) (i64.load (local.get $at))) (i64.const 0x9e3779b97f4a7c15)))
    (local.set $hash (i64.xor (local.get $hash) (i64.shr_u (local.get $hash) (i64.const 29))))
    (local.set $at (i32.add (local.get $at) (i32.const 8)))
    (br $next)))
  (local.get $hash))
