"""The command line: arguments in, one call into compiler or runtime, a `Reply` out.

One file per command. To add `rulewright weigh STACK`:

1. Write `rulewright/serve/cli/weigh.py` with one function of that name. Typer reads its parameters;
   its docstring is the help text; imports of compiler and runtime are inside the function.
2. Add it to `GROUPS` in `app.py`. It then has `--format` and `--path`; a command that needs
   their values has a parameter `packages: list[Path]` or `form: Form`.
3. Return `Reply(record, builder, findings=...)`: a record of a shape of `runtime/graph/records`, whose
   docstring says what each key has, and a function that makes a block of the document tree from it
   (`runtime/graph/document_lines.py`). Raise `UsageError` for an error of the user.
   Do not print; `console.print_note` is for messages during a long job.

    def weigh(stack: str, packages: list[Path]) -> Reply[WeightRecord]:
        '''Say how many rules each layer of STACK brings.

        Example: rulewright weigh panzer_leader+quick_time
        '''
        from compiler.compile import compile_stack

        ...
        return Reply({"layers": layers}, _weight_block)

Then run `python3 -m docs.reference.write` and `python3 -m tests`, and correct what it reports.
"""
