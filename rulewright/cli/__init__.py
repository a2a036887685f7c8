"""The command line: arguments in, one call into compiler or runtime, a `Reply` out.

One file per command. To add `rulewright weigh STACK`:

1. Write `rulewright/cli/weigh.py` with one function of that name. Typer reads its parameters;
   its docstring is the help text; imports of compiler and runtime stand inside the function.
2. Name it in `COMMANDS` in `app.py`. It then has `--format` and `--path`; a command that needs
   their values takes `packages: list[Path]` or `form: Form` as a parameter.
3. Return `Reply(data, text, findings=...)`. Raise `UsageError` for what the user must correct.
   Print nothing; `console.print_note` is for what is worth saying while a long job runs.

    def weigh(stack: str, packages: list[Path]) -> Reply:
        '''Say how many rules each layer of STACK brings.'''
        from compiler.compile import compile_stack

        ...
        return Reply(data={"layers": layers}, text=chart(layers))

Then run `python3 -m tests` and follow it.
"""
