"""The host of compiled WebAssembly modules: positions are encoded in their memory, questions are calls."""
