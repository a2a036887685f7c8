// The compiled module and its memory: a position is written into it, a counter is moved in it, a question is asked.
// LIVE.module says where everything lies (runtime/graph/layout.py); it knows no game, and neither does this.
"use strict";
(() => {
  const FIRST = 1024; // Where arrays begin.
  const STACK = 1 << 20; // Bytes that one question may take.
  const SLOTS = 1 << 12; // Twice the lines of sight that are kept.
  const LINES = 1 << 20; // Bytes that they may take.
  const PAGE = 1 << 16;
  const ABSENT = -(1n << 63n);
  const WHY = {
    1: "something that it asks for is not there", 2: "no rule gives an answer", 3: "rules give different answers",
    4: "the answer lies outside of what is declared", 5: "a number does not fit", 6: "it takes too long",
    7: "the map has no such line", 8: "this question cannot be asked on a page", 9: "it cannot be worked out",
  };

  const unpacked = async (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };

  // Positions lie one behind the other, each but the first as it differs from that one.
  const positionsOf = (bytes, sizes) => {
    const size = Math.max(...sizes);
    const first = bytes.subarray(0, size);
    return sizes.map((own, at) => {
      const here = bytes.slice(at * size, at * size + own);
      if (at > 0) for (let i = 0; i < own; i += 1) here[i] ^= first[i];
      return here;
    });
  };

  class Memory {
    constructor(module, exports, positions) {
      Object.assign(this, { module, exports, positions });
      this.names = module.names;
      const longest = Math.max(...positions.map((each) => each.length));
      this.base = module.heap + Math.ceil(longest / 8) * 8;
      this.lines = this.base + STACK;
      const wanted = this.lines + 8 * SLOTS + LINES;
      const missing = Math.ceil((wanted - exports.memory.buffer.byteLength) / PAGE);
      if (missing > 0) exports.memory.grow(missing);
      this.view = new DataView(exports.memory.buffer);
      this.bytes = new Uint8Array(exports.memory.buffer);
    }

    set(values) {
      for (const [name, value] of Object.entries(values)) this.exports[name].value = value;
    }

    // Write a position; `more` are the names that it adds to those of the module.
    load(number, more) {
      const image = this.positions[number];
      const arrays = this.module.constants - FIRST;
      this.bytes.set(image.subarray(0, arrays), FIRST);
      this.bytes.set(image.subarray(arrays), this.module.heap);
      this.bytes.fill(0, this.lines, this.lines + 8 * SLOTS);
      const begin = this.lines + 8 * SLOTS;
      this.set({ sp: this.base, end: this.lines, lines: this.lines, line_mask: SLOTS - 1, line_count: 0 });
      this.set({ line_begin: begin, line_at: begin, line_end: begin + LINES });
      this.names = [...this.module.names, ...more];
    }

    // Put pieces into hexes: `hexes` by piece, below 0 off the map; whoever has `moved` stands in the open there.
    place(hexes, moved) {
      const { arrays, below } = this.module;
      const put = (name, at, value) => { if (name in arrays) this.view.setInt32(arrays[name] + 4 * at, value, true); };
      hexes.forEach((hex, piece) => put("hex", piece, hex));
      for (const piece of moved) put("place", piece, this.names.indexOf("open"));
      // The pieces of a hex are a chain in the order of their numbers.
      const first = new Map();
      for (let piece = hexes.length - 1; piece >= 0; piece -= 1) {
        put("next_at", piece, hexes[piece] >= 0 ? first.get(hexes[piece]) ?? -1 : -1);
        if (hexes[piece] >= 0) first.set(hexes[piece], piece);
      }
      const size = 64 * this.module.words.hex;
      for (let hex = -below; hex < size; hex += 1) put("first_at", hex, first.get(hex) ?? -1);
    }

    call(name, given) {
      try {
        return { value: this.exports[name](...given) };
      } catch (error) {
        const reason = this.exports.reason.value;
        this.exports.reason.value = 0;
        return { trap: WHY[reason] ?? (error instanceof RangeError ? WHY[6] : WHY[9]) };
      } finally {
        this.exports.sp.value = this.base;
      }
    }

    // Ask a question: its value read by its type, or `trap`, why there is none; and the labels of rules that decide.
    ask(number, pattern, given) {
      const raw = given.map((value, at) => (["number", "scale"].includes(pattern.p[at][0]) ? BigInt(value) : value));
      const name = `t:ask:${number}`;
      if (!(name in this.exports)) return { trap: WHY[8], by: [] };
      const found = this.call(name, raw);
      if (found.trap) return { trap: found.trap, by: [] };
      const value = this.read(pattern.a, found.value);
      const by = [];
      for (let part = 0; `t:why:${number}:${part}` in this.exports; part += 1) {
        const bits = this.call(`t:why:${number}:${part}`, raw);
        if (bits.trap) return { value, by: [], unknown: true };
        for (let bit = 0; bit < 40; bit += 1) if ((bits.value >> BigInt(bit)) & 1n) by.push(pattern.by[40 * part + bit]);
      }
      return { value, by };
    }

    // Read a value by its type: numbers, [numerator, denominator], true or false, indices, lists of these.
    read(type, raw) {
      if (raw === ABSENT || raw === -(2 ** 31)) return null;
      switch (type[0]) {
        case "yes": return Number(raw) !== 0;
        case "number":
        case "scale": {
          if (!type[1]) return Number(raw);
          const wide = BigInt.asIntN(64, BigInt(raw));
          const [above, beneath] = [Number(wide >> 32n), Number(wide & 0xffffffffn)];
          return beneath === 1 ? above : [above, beneath];
        }
        case "side": return [Number(raw) >> 16, Number(raw) & 0xffff];
        case "many": return this.members(type, Number(raw));
        default: return Number(raw);
      }
    }

    members([, shape, of], at) {
      const found = [];
      const words = this.module.words[of[0]];
      if (shape === "set" && words) {
        for (let bit = 0; bit < 64 * words; bit += 1) {
          if ((this.bytes[at + (bit >> 3)] >> (bit & 7)) & 1) found.push(bit);
        }
        return found;
      }
      const count = Number(this.view.getBigInt64(at, true));
      for (let each = 1; each <= count; each += 1) found.push(this.read(of, this.view.getBigInt64(at + 8 * each, true)));
      return found;
    }
  }

  LIVE.openMemory = async (module, page) => {
    const [code, images] = await Promise.all([unpacked(module.code), unpacked(page.images)]);
    const { instance } = await WebAssembly.instantiate(code, {});
    return new Memory(module, instance.exports, positionsOf(images, page.sizes));
  };
})();
