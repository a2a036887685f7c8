"""The WebAssembly back end: a core module becomes the text of a WebAssembly module, and the layout of its memory."""
