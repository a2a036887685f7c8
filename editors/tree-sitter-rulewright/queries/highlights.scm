; Written by `python3 -m editors.write` from the grammar of compiler/source.
(comment) @comment
(string) @string
(quoted_name) @string.special
(citation) @string.special.url
(number) @number
(integer) @number
(label) @label
(stack) @module
["allowed" "fails" "forbidden" "holds" "no" "yes"] @constant.builtin
["cheapest_cost" "cheapest_way" "count" "every" "greatest" "leading" "least" "linked" "reachable" "some" "trailing"] @function.builtin
["account" "act" "action" "add" "addition" "adds" "after" "aim" "all" "always" "answers" "any" "as" "ask" "asks" "at" "because" "before" "beside" "but" "by" "capped" "carried" "case" "cell" "chances" "chart" "choose" "choosing" "clarification" "clarifies" "condition" "connections" "correction" "costing" "counts" "create" "default" "define" "denied" "dice" "dispute" "do" "domain" "draw" "draws" "end" "ends" "enum" "event" "example" "exception" "excludes" "expecting" "extend" "feature" "first" "flip" "from" "given" "includes" "insert" "inserts" "instead" "joins" "keeping" "keeps" "kind" "last" "legal" "let" "list" "lost" "major" "mark" "marker" "measure" "minor" "move" "must" "named" "needs" "numbered" "of" "off" "offer" "offers" "on" "one" "order" "otherwise" "out" "outcome" "over" "path" "phase" "piece" "place" "plural" "precondition" "preferring" "previews" "proceed" "question" "reaction" "reading" "reads" "record" "refused" "relate" "relation" "remove" "reorders" "replaces" "required" "requires" "resolution" "restore" "results" "roll" "row" "rule" "ruling" "says" "scale" "second" "secret" "sequence" "set" "side" "sides" "singular" "spaces" "stages" "starts" "status" "step" "stop" "strike" "suppresses" "table" "task" "tell" "tells" "the" "third" "to" "track" "trait" "turn" "under" "unmark" "unrelate" "until" "value" "verdict" "waits" "when" "where" "with" "withdraws" "within" "wording" "wraps" "write"] @keyword
["else" "if" "then"] @keyword.conditional
["and" "has" "in" "is" "not" "or"] @keyword.operator
["each" "for"] @keyword.repeat
["!=" "*" "+" "-" ".." "/" "<" "<=" "=" ">" ">=" "?" "|"] @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," "." ":"] @punctuation.delimiter
(no_aim ["none"] @keyword)
(term ["max" "min" "sum"] @keyword)
(ruling ["none"] @keyword)
(unpreferred ["none"] @keyword)
(aggregate_call ["max" "min" "none" "sum"] @function.builtin)
(aggregate_where ["max" "min" "none" "sum"] @function.builtin)
(aggregate_of ["max" "min" "none" "sum"] @function.builtin)
(aggregate_for ["max" "min" "none" "sum"] @function.builtin)
(enumeration name: (identifier) @type)
(domain name: (identifier) @type)
(scale name: (identifier) @type)
(extend_scale name: (identifier) @type)
(kind name: (identifier) @type)
(extend_kind name: (identifier) @type)
(flags name: (identifier) @type)
(place name: (identifier) @type)
(status name: (identifier) @type)
(track name: (identifier) @type)
(requires name: (identifier) @type)
(relation name: (identifier) @function)
(record name: (identifier) @type)
(task name: (identifier) @function)
(event name: (identifier) @function)
(outcome name: (identifier) @type)
(aim name: (identifier) @type)
(term name: (identifier) @function)
(stands_beside name: (identifier) @type)
(define name: (identifier) @function)
(stage name: (identifier) @type)
(sequence name: (identifier) @type)
(action name: (identifier) @type)
(resolution name: (identifier) @function)
(hook name: (identifier) @function)
(reaction name: (identifier) @type)
(phase name: (identifier) @type)
(call . (identifier) @function.call)
(make . (identifier) @constructor)
(cell . (identifier) @function.call)
(do . "do" . (identifier) @function.call)
(tell . "tell" . (identifier) @function.call)
(perform . "act" . (identifier) @function.call)
(field "." (identifier) @variable.member)
(field_value . (identifier) @variable.member)
(param . (identifier) @variable.parameter)
(name_type (identifier) @type)
