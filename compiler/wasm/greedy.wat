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
  (if (i32.gt_u (local.get $n) (i32.const 1)) (then (local.set $pick (call $draw_number (local.get $n)))))
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
  ;; A piece that is there may have something to do: leave the map, take the objective.
  (if (i32.eqz (call $way_left (local.get $row) (local.get $h)))
    (then (return (local.get $written))))
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
      (if (i32.eqz (call $draw_number (i32.const 8))) (then (return (local.get $ends))))))))
  (local.get $i))

;; The option that a greedy player who follows the plan of the side asked would take.
(func (export "policy_choice") (result i32) (local $mark i32) (local $i i32)
  (local.set $mark (global.get $sp))
  (call $restart_chance (global.get $asked))
  (local.set $i (call $prefer (global.get $top) (i32.mul (global.get $site) (i32.const 5)) (global.get $options)
    (global.get $asked) (i32.const 1)))
  (global.set $sp (local.get $mark))
  (local.get $i))

(func (export "is_offer") (result i32)
  (call $bit (global.get $offers) (global.get $site)))

;; For each side: its plan (0: none), and the phase for which it was made.
(func $plan_slot (param $side i32) (result i32)
  (i32.add (global.get $plan_slots) (i32.shl (local.get $side) (i32.const 4))))

;; Give a side a plan, for the current phase.
(func (export "follow") (param $side i32) (param $plan i32) (local $at i32)
  (local.set $at (call $plan_slot (local.get $side)))
  (i32.store (local.get $at) (local.get $plan))
  (i32.store offset=4 (local.get $at) (i32.wrap_i64 (i64.load (global.get $turn))))
  (i32.store offset=8 (local.get $at) (i32.load (global.get $player)))
  (i32.store offset=12 (local.get $at) (i32.load (global.get $phase))))

;; Whether a side that plans is to do so: it has no plan, or is about to decide in another phase of its own.
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
