// The map: the drawing of `rulewright show`, with spaces and counters one can click, drag and reach by keyboard.

import { s } from "./dom.js";
import { drawing } from "./api.js";

const FAR = 6; // Pixels that a hand may tremble in a click.
const LARGEST = 1.6; // Pixels of the screen for one of the drawing, at most: a map of two hexes fills no screen.

/** Set an attribute that is not so already. */
function changed(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

export class MapView {
  /** `on.click({piece, space})`, `on.drop(piece, space)`, `on.label(space)`: what is read aloud; `on.holds(space)`: counters. */
  constructor(place, on) {
    this.place = place;
    this.on = on;
    this.svg = null;
    this.view = null;
    this.focus = "";
    this.draggable = false;
    this.fingers = new Map();
    place.addEventListener("wheel", (event) => this.zoomBy(event), { passive: false });
    place.addEventListener("pointerdown", (event) => this.press(event));
    place.addEventListener("pointermove", (event) => this.pull(event));
    place.addEventListener("pointerup", (event) => this.release(event));
    place.addEventListener("pointercancel", (event) => { this.held = null; this.fingers.delete(event.pointerId); });
    place.addEventListener("keydown", (event) => this.key(event));
    // Counters from beside the map.
    place.addEventListener("dragover", (event) => event.preventDefault());
    place.addEventListener("drop", (event) => {
      event.preventDefault();
      const { space } = this.under(event);
      const piece = event.dataTransfer.getData("text/plain");
      if (piece && space) this.on.drop(piece, space);
    });
  }

  /** Draw a position; where one has zoomed in stays in view. */
  async draw(asked, title) {
    const svg = await drawing(asked);
    svg.querySelector(":scope > title")?.remove();
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", title);
    const [x, y, wide, high] = this.padded(svg.getAttribute("viewBox").split(" ").map(Number));
    this.place.style.setProperty("--shape", String(wide / high));
    const same = this.whole && this.whole.wide === wide && this.whole.high === high;
    this.whole = { x, y, wide, high };
    if (!same || !this.view) this.view = { ...this.whole };
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    for (const text of svg.querySelectorAll("text")) text.setAttribute("aria-hidden", "true");
    const had = this.place.contains(document.activeElement);
    this.svg = svg;
    this.spaces = new Map([...svg.querySelectorAll("[data-space]")].map((each) => [each.dataset.space, each]));
    this.boxes = new Map();
    this.pieces = new Map([...svg.querySelectorAll("[data-piece]")].map((each) => [each.dataset.piece, each]));
    for (const [name, shape] of this.spaces) {
      shape.setAttribute("role", "button");
      shape.setAttribute("tabindex", "-1");
      shape.setAttribute("aria-label", this.on.label(name));
    }
    for (const piece of this.pieces.values()) piece.setAttribute("aria-hidden", "true");
    this.overlay = s("g", { class: "overlay", "aria-hidden": "true" });
    const first = svg.querySelector("[data-piece]");
    if (first) svg.insertBefore(this.overlay, first);
    else svg.append(this.overlay);
    this.frame();
    this.place.replaceChildren(svg);
    const at = this.spaces.get(this.focus) ?? this.spaces.values().next().value;
    at?.setAttribute("tabindex", "0");
    if (had) at?.focus({ preventScroll: true });
  }

  /** Widen the view box of a small drawing. */
  padded([x, y, wide, high]) {
    const { clientWidth, clientHeight } = this.place;
    const much = Math.min(clientWidth / wide, clientHeight / high) / LARGEST;
    if (!(much > 1)) return [x, y, wide, high];
    return [x - (wide * (much - 1)) / 2, y - (high * (much - 1)) / 2, wide * much, high * much];
  }

  /** Light spaces and counters: `{spaces: {name: class}, pieces: {name: class}, labels: {name: text}}`. */
  light({ spaces = {}, pieces = {}, labels = {} }) {
    // Boxes are measured before anything is changed: a measurement after a change lays the whole page out anew.
    const tags = Object.keys(spaces).filter((name) => labels[name] && this.spaces.has(name)).map((name) => this.tag(name, labels[name]));
    this.above?.remove();
    this.overlay.replaceChildren(...Object.entries(spaces).map(([name, look]) => this.copied(name, look)).filter(Boolean), ...tags);
    this.lit = [...this.spaces.keys()].filter((name) => spaces[name] && spaces[name] !== "chosen");
    for (const [name, piece] of this.pieces) changed(piece, "class", pieces[name] ?? "");
    for (const [name, shape] of this.spaces) {
      const lit = spaces[name] ? `, ${spaces[name] === "chosen" ? "selected" : "highlighted"}` : "";
      changed(shape, "aria-label", this.on.label(name) + lit);
    }
  }

  /** Mark what a reason speaks of: places and counters that were counted, sides, and lines; until something is lit. */
  point({ counted, spoken, pieces, sides, lines }) {
    const marked = [];
    for (const [names, look] of [[spoken, "spoken"], [counted, "counted"]]) {
      for (const name of names) marked.push(this.copied(name, look));
    }
    for (const [one, other] of lines) marked.push(this.ray(this.middle(one), this.middle(other), "ray"));
    for (const [one, other] of sides) marked.push(this.ray(...this.shared(one, other), "barrier"));
    const shown = marked.filter(Boolean);
    this.overlay.append(...shown);
    for (const name of pieces) this.pieces.get(name)?.classList.add("counted");
    // What lies on a side is hidden by the counters beside it: lines and sides are drawn over all.
    this.above?.remove();
    this.above = s("g", { class: "overlay above", "aria-hidden": "true" });
    this.above.append(...shown.filter((each) => each.tagName === "line"));
    this.svg.append(this.above);
  }

  copied(name, look) {
    const shape = this.spaces.get(name);
    if (!shape) return null;
    const copy = shape.cloneNode(false);
    for (const attribute of ["data-space", "role", "tabindex", "aria-label", "fill", "stroke"]) copy.removeAttribute(attribute);
    copy.setAttribute("class", look);
    return copy;
  }

  /** The box around a space in the drawing, measured once. */
  box(name) {
    if (!this.boxes.has(name) && this.spaces.has(name)) this.boxes.set(name, this.spaces.get(name).getBBox());
    return this.boxes.get(name);
  }

  middle(name) {
    const box = this.box(name);
    return box ? [box.x + box.width / 2, box.y + box.height / 2] : null;
  }

  /** The two corners that neighbors share; of shapes without corners the way from middle to middle. */
  shared(one, other) {
    const corners = (name) => (this.spaces.get(name)?.getAttribute("points") ?? "").trim().split(/\s+/).filter(Boolean).map((each) => each.split(",").map(Number));
    const there = corners(other);
    const both = corners(one).filter(([x, y]) => there.some(([ax, ay]) => Math.hypot(ax - x, ay - y) < 2));
    return both.length > 1 ? both.slice(0, 2) : [this.middle(one), this.middle(other)];
  }

  ray(from, to, look) {
    return from && to ? s("line", { x1: from[0], y1: from[1], x2: to[0], y2: to[1], class: look }) : null;
  }

  tag(name, text) {
    const box = this.box(name);
    // Above the ground in print; where counters stand, below them.
    const y = box.y + box.height * (this.on.holds(name) ? 0.88 : 0.56);
    const made = s("text", { x: box.x + box.width / 2, y, class: "tag", "text-anchor": "middle" });
    made.textContent = text;
    return made;
  }

  frame() {
    const { x, y, wide, high } = this.view;
    this.svg.setAttribute("viewBox", `${x} ${y} ${wide} ${high}`);
  }

  /** Zoom in or out around a point of the screen, the middle if none is named. */
  zoom(by, clientX, clientY) {
    const box = this.svg.getBoundingClientRect();
    const [px, py] = clientX === undefined ? [0.5, 0.5] : [(clientX - box.left) / box.width, (clientY - box.top) / box.height];
    const wide = Math.min(this.whole.wide, Math.max(this.whole.wide / 8, this.view.wide * by));
    const high = (wide * this.whole.high) / this.whole.wide;
    this.view.x += (this.view.wide - wide) * px;
    this.view.y += (this.view.high - high) * py;
    this.view.wide = wide;
    this.view.high = high;
    this.keepIn();
  }

  keepIn() {
    const { x, y, wide, high } = this.whole;
    this.view.x = Math.min(Math.max(this.view.x, x), x + wide - this.view.wide);
    this.view.y = Math.min(Math.max(this.view.y, y), y + high - this.view.high);
    this.frame();
  }

  zoomBy(event) {
    if (!this.svg || !event.ctrlKey && Math.abs(event.deltaY) < 1) return;
    event.preventDefault();
    this.zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, event.clientX, event.clientY);
  }

  /** Find what lies under a point: a counter, and the space. */
  under(event) {
    const found = document.elementsFromPoint(event.clientX, event.clientY);
    const piece = found.map((each) => each.closest?.("[data-piece]")).find(Boolean);
    const space = found.map((each) => each.closest?.("[data-space]")).find(Boolean);
    return { piece: piece?.dataset.piece ?? "", space: space?.dataset.space ?? "" };
  }

  press(event) {
    if (event.button !== 0 || !this.svg) return;
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.fingers.size > 1) {
      this.held = null; // Two fingers zoom.
      return;
    }
    this.held = { x: event.clientX, y: event.clientY, view: { ...this.view }, moved: false, ...this.under(event) };
  }

  /** Two fingers that go apart zoom in around the middle between them. */
  pinch(event) {
    const other = [...this.fingers].find(([id]) => id !== event.pointerId)[1];
    const before = Math.hypot(...this.fingers.get(event.pointerId).map((each, at) => each - other[at]));
    const now = Math.hypot(event.clientX - other[0], event.clientY - other[1]);
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (before && now) this.zoom(before / now, (event.clientX + other[0]) / 2, (event.clientY + other[1]) / 2);
  }

  pull(event) {
    if (this.fingers.size > 1 && this.fingers.has(event.pointerId)) return this.pinch(event);
    const held = this.held;
    if (!held) return undefined;
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.moved && Math.hypot(dx, dy) < FAR) return undefined;
    if (!held.moved) this.place.setPointerCapture(event.pointerId);
    held.moved = true;
    const scale = this.view.wide / this.svg.getBoundingClientRect().width;
    if (held.piece && this.draggable) {
      const piece = this.pieces.get(held.piece);
      piece.setAttribute("transform", `translate(${dx * scale} ${dy * scale})`);
      piece.setAttribute("class", "dragged");
    } else {
      this.view.x = held.view.x - dx * scale;
      this.view.y = held.view.y - dy * scale;
      this.keepIn();
    }
    return undefined;
  }

  release(event) {
    this.fingers.delete(event.pointerId);
    const held = this.held;
    this.held = null;
    if (!held) return;
    if (!held.moved) {
      if (held.space) this.attend(held.space);
      if (held.piece || held.space) this.on.click(held);
      return;
    }
    if (held.piece && this.draggable) {
      this.pieces.get(held.piece)?.removeAttribute("transform");
      this.on.drop(held.piece, this.under(event).space);
    }
  }

  attend(space) {
    this.spaces.get(this.focus)?.setAttribute("tabindex", "-1");
    this.focus = space;
    this.spaces.get(space)?.setAttribute("tabindex", "0");
  }

  /** Arrows lead to the nearest space that way, n and p to the next one that is lit, Enter clicks, + and - zoom. */
  key(event) {
    const here = event.target.dataset?.space;
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key === "+" || event.key === "-") this.zoom(event.key === "+" ? 1 / 1.3 : 1.3);
    else if (here && (event.key === "Enter" || event.key === " ")) this.on.click({ piece: "", space: here });
    else if (here && ways[event.key]) this.step(here, ways[event.key]);
    else if (here && (event.key === "n" || event.key === "p") && this.lit?.length) this.toLit(here, event.key === "n" ? 1 : -1);
    else return;
    event.preventDefault();
  }

  /** Go to the next space that is lit, in the order of their names on the map, and round again. */
  toLit(here, by) {
    const names = [...this.spaces.keys()];
    const at = names.indexOf(here);
    const ahead = this.lit.filter((name) => Math.sign(names.indexOf(name) - at) === by);
    const found = by > 0 ? ahead[0] ?? this.lit[0] : ahead.at(-1) ?? this.lit.at(-1);
    this.attend(found);
    this.spaces.get(found).focus();
  }

  /** Go to the nearest space that way; of two at the same distance, to the one that keeps to the line of travel. */
  step(from, [dx, dy]) {
    const [x, y] = this.middle(from);
    const across = dx ? 1 : 0;
    const straight = this.travel && this.travel.at === from && this.travel.across === across;
    const line = straight ? this.travel.line : [x, y][across];
    let best = null;
    for (const [name, shape] of this.spaces) {
      const middle = this.middle(name);
      const [ax, ay] = middle;
      const [along, aside] = [(ax - x) * dx + (ay - y) * dy, Math.abs((ax - x) * dy) + Math.abs((ay - y) * dx)];
      const far = Math.hypot(along, aside);
      const off = Math.abs(middle[across] - line);
      if (along > 1 && along >= aside * 0.8 && (!best || far < best.far - 1 || (far < best.far + 1 && off < best.off - 1))) best = { name, far, off, shape };
    }
    if (!best) return;
    this.travel = { at: best.name, across, line };
    this.attend(best.name);
    best.shape.focus();
  }
}
