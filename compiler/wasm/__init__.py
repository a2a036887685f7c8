"""The WebAssembly back end: it lowers a core module to WebAssembly text and the layout of its memory."""
