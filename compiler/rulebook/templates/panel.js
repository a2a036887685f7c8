// A position that one may change, and the questions of an example, asked of it again.
"use strict";
(() => {
  const { root } = document.body.dataset;
  // Where the middles of counters lie that share a hex, and their edge, by how many they are.
  const SEATS = [
    [0, []], [48, [[0, 1]]], [41, [[-21.5, 1], [21.5, 1]]], [29, [[-16, -14], [16, -14], [0, 17]]],
    [29, [[-16, -14], [16, -14], [-16, 17], [16, 17]]],
  ];
  const SVG = "http://www.w3.org/2000/svg";
  let count = 0;

  const add = (parent, tag, kind, text) => {
    const made = document.createElement(tag);
    if (kind) made.className = kind;
    if (text !== undefined) made.textContent = text;
    parent.append(made);
    return made;
  };
  const chooser = (parent, label, options, value, chosen) => {
    const box = add(parent, "label", "choice");
    add(box, "span", "", label);
    const select = add(box, "select");
    for (const [at, said] of options) select.append(new Option(said, at, false, at === value));
    select.addEventListener("change", () => chosen(Number(select.value)));
    return select;
  };
  LIVE.add = add;
  LIVE.chooser = chooser;

  const number = (value) => {
    if (Array.isArray(value)) return `${number(value[0])}/${value[1]}`;
    return String(value).replace("-", "−");
  };
  // Say a value; `place` has the names of hexes and pieces.
  const said = (type, value, place) => {
    if (value === null) return "nothing";
    switch (type[0]) {
      case "yes": return value ? "yes" : "no";
      case "number": return `${number(value)} ${value !== 0 && Math.abs(Array.isArray(value) ? value[0] / value[1] : value) <= 1 ? type[2] : type[3]}`.trim();
      case "scale": return LIVE.module.scales[type[2]]?.find(([at]) => at === value)?.[1] ?? number(value);
      case "enum": return LIVE.module.enums[type[1]]?.find(([at]) => at === value)?.[1] ?? LIVE.memory.names[value];
      case "hex": return place.hexes[value] ?? "off the map";
      case "piece": return place.pieces[value];
      case "side": return value.map((hex) => place.hexes[hex]).join("/");
      default: return listed(value.map((each) => said(type[2], each, place))) || "none";
    }
  };
  const listed = (parts) => (parts.length < 3 ? parts.join(" and ") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`);
  LIVE.said = said;
  const filled = (text, pattern, given, place) => text.replace(/⟦(\d+)⟧/g, (_, at) => said(pattern.p[at], given[at], place));
  const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  const answered = (pattern, given, found, place) => {
    if (found.trap) return sentence(`the rules give no answer here: ${found.trap}`);
    const about = pattern.about ? `: ${pattern.about}` : ""; // what is described, where the sentence only names it
    if (pattern.a[0] === "yes") return sentence(filled((found.value ? pattern.yes : pattern.no) + about, pattern, given, place));
    const joint = pattern.a[0] === "many" ? ": " : " is ";
    return sentence(filled(pattern.of, pattern, given, place) + joint + said(pattern.a, found.value, place) + filled(about, pattern, given, place));
  };

  // What may be put in the place of a parameter.
  const choices = (type, place) => {
    switch (type[0]) {
      case "piece": return place.pieces.map((name, at) => [at, name]).filter(([at]) => type.length < 2 || type.includes(place.kinds[at]));
      case "hex": return place.hexes.map((name, at) => [at, name]);
      case "enum": return LIVE.module.enums[type[1]] ?? [];
      default: return [];
    }
  };

  const ruleLinks = (box, pattern, found) => {
    box.textContent = "";
    if (found.trap) return;
    if (found.unknown) box.textContent = "Which rules decide it cannot be told here.";
    else if (!pattern.by.length) box.textContent = "This is read off the position; no rule decides it.";
    else if (!found.by.length) box.textContent = pattern.silent || "No rule applies.";
    else {
      box.append("Decided by ");
      found.by.forEach((label, at) => {
        const [own, title, address] = LIVE.page.rules[label];
        if (at) box.append(", ");
        const link = add(box, address ? "a" : "span", "", `${own} ${title}`.trim());
        if (address) link.href = root + address;
      });
      box.append(".");
    }
  };

  // An arrow that points to a hex is turned about the middle of its counter, and stays on the edge of it.
  const turn = (arrow, from, x, y, edge) => {
    const [printedX, printedY, aimX, aimY] = arrow.dataset.aim.split(" ").map(Number);
    const [printed, now] = [[printedX, printedY], from].map(([fromX, fromY]) => Math.atan2(aimY - fromY, aimX - fromX));
    const reach = (angle) => edge / 2 / Math.max(Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle)));
    const out = reach(now) - reach(printed);
    arrow.style.display = Math.hypot(aimX - from[0], aimY - from[1]) < 1 ? "none" : "";
    arrow.setAttribute("transform", `translate(${out * Math.cos(now)} ${out * Math.sin(now)}) rotate(${(now - printed) * 180 / Math.PI} ${x} ${y})`);
  };
  // The picture: counters can be dragged, and lie where the position has them.
  const drawn = (svg, place, state, moved) => {
    const units = place.pieces.map((name) => svg.querySelector(`[data-unit="${CSS.escape(name)}"]`));
    const sizes = new Map();
    units.forEach((unit, piece) => {
      if (state.at[piece] < 0) return;
      let group = unit;
      if (!group) { // One that the printed picture does not show.
        group = document.createElementNS(SVG, "g");
        group.innerHTML = '<rect class="counter" x="0" y="0" width="29" height="29" rx="3"/><text class="piece" x="14.5" y="18" font-size="9" text-anchor="middle"></text>';
        group.lastChild.textContent = place.pieces[piece];
        svg.append(group);
      }
      const rect = group.querySelector("rect");
      sizes.set(piece, { group, x: +rect.getAttribute("x"), y: +rect.getAttribute("y"), edge: +rect.getAttribute("width") });
      group.classList.add("movable");
      group.removeAttribute("display");
      svg.append(group);
      drag(svg, group, piece, place, moved, () => seat());
    });
    for (const heap of svg.querySelectorAll("[data-heap]")) heap.remove();
    const seat = () => {
      const byHex = new Map();
      for (const piece of sizes.keys()) byHex.set(state.at[piece], [...(byHex.get(state.at[piece]) ?? []), piece]);
      for (const [hex, pieces] of byHex) {
        const middle = place.centers[hex];
        const [edge, spots] = SEATS[Math.min(pieces.length, 4)];
        pieces.forEach((piece, at) => {
          const { group, x, y, edge: own } = sizes.get(piece);
          const [right, down] = spots[Math.min(at, 3)];
          const scale = edge / own;
          group.style.display = middle ? "" : "none";
          if (middle) group.setAttribute("transform", `translate(${middle[0] + right - edge / 2 + 3 * Math.max(0, at - 3)} ${middle[1] + down - edge / 2}) scale(${scale}) translate(${-x} ${-y})`);
          if (middle) for (const arrow of group.querySelectorAll("[data-aim]")) turn(arrow, middle, x + own / 2, y + own / 2, own);
        });
      }
    };
    seat();
    return seat;
  };
  const drag = (svg, group, piece, place, moved, seat) => {
    const where = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    let begun = null;
    group.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      begun = { from: where(event), transform: group.getAttribute("transform") };
      svg.append(group); // Above all others; it is moved first, since what is moved loses its pointer.
      group.setPointerCapture(event.pointerId);
    });
    // Browsers do not obey `touch-action` on parts of a picture: without this a finger scrolls what is around it.
    group.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
    group.addEventListener("pointermove", (event) => {
      if (!begun) return;
      const here = where(event);
      group.setAttribute("transform", `translate(${here.x - begun.from.x} ${here.y - begun.from.y}) ${begun.transform}`);
    });
    const end = (event) => {
      if (!begun) return;
      begun = null;
      const here = where(event);
      let best = -1;
      let least = 60;
      place.centers.forEach((middle, hex) => {
        const away = middle ? Math.hypot(middle[0] - here.x, middle[1] - here.y) : Infinity;
        if (away < least) [best, least] = [hex, away];
      });
      if (best >= 0) moved(piece, best);
      seat();
    };
    group.addEventListener("pointerup", end);
    group.addEventListener("pointercancel", () => { begun = null; seat(); });
  };

  const position = (panel, place, printed) => {
    let one = place.cases[0];
    const state = { at: [], given: [] };
    const body = add(panel, "div", "");
    const show = () => {
      body.textContent = "";
      state.at = [...one.at];
      state.given = one.asked.map(([, given]) => [...given]);
      const first = [];
      const pair = add(body, "div", "pair");
      let seat = () => {};
      const selects = new Map();
      const follow = () => {
        LIVE.memory.load(one.image, one.more);
        const moved = state.at.map((_, piece) => piece).filter((piece) => state.at[piece] !== one.at[piece]);
        if (moved.length) LIVE.memory.place(state.at, moved);
        lines.forEach((line) => line());
        for (const [piece, select] of selects) select.value = state.at[piece];
        back.disabled = !moved.length && one.asked.every(([, given], at) => given.every((value, arg) => value === state.given[at][arg]));
      };
      // A hex of a question in which a counter stood that it asks of goes along with that counter.
      const along = one.asked.map(([own, given]) => given.map((value, arg) => {
        const types = LIVE.page.patterns[own].p;
        const asked = given.filter((piece, other) => types[other][0] === "piece" && one.at[piece] === value);
        return types[arg][0] === "hex" && asked.length === 1 ? asked[0] : -1;
      }));
      const move = (piece, hex) => {
        state.at[piece] = hex;
        along.forEach((each, at) => each.forEach((who, arg) => { if (who === piece) state.given[at][arg] = hex; }));
        follow();
        seat();
      };
      const picture = place.svg || printed?.querySelector(".position svg.map")?.outerHTML;
      if (picture) {
        const box = add(pair, "div", "scroll position");
        box.tabIndex = 0;
        box.setAttribute("role", "group");
        box.setAttribute("aria-label", "The position as you have set it");
        box.innerHTML = picture;
        const svg = box.firstElementChild;
        svg.setAttribute("aria-label", "A map; the lists say where each counter stands");
        seat = drawn(svg, place, state, move);
      }
      const side = add(pair, "div", "outcome");
      const onMap = place.pieces.map((_, piece) => piece).filter((piece) => one.at[piece] >= 0);
      if (onMap.length && place.hexes.length > 1) {
        const seats = add(side, "fieldset", "places");
        add(seats, "legend", "", "Where the counters stand");
        const hexes = place.hexes.map((name, at) => [at, name]);
        for (const piece of onMap) selects.set(piece, chooser(seats, place.pieces[piece], hexes, state.at[piece], (hex) => move(piece, hex)));
      }
      const list = add(side, "ol", "told");
      list.setAttribute("aria-live", "polite");
      const lines = one.asked.map(([own], at) => {
        const pattern = LIVE.page.patterns[own];
        const item = add(list, "li", "answer");
        const text = add(item, "span");
        item.append(" ");
        const tag = add(item, "span", "tag");
        const rules = add(item, "p", "because");
        const selected = {};
        const open = pattern.p.map((type) => choices(type, place));
        if (open.some((each) => each.length > 1)) {
          const others = add(item, "details", "others");
          add(others, "summary", "", "Ask it of others");
          pattern.p.forEach((type, arg) => {
            if (open[arg].length < 2) return;
            const name = { piece: "counter", hex: "hex" }[type[0]] ?? type[1].replaceAll("_", " ");
            selected[arg] = chooser(others, name, open[arg], state.given[at][arg], (value) => {
              state.given[at][arg] = value;
              along[at][arg] = -1;
              follow();
            });
          });
        }
        return () => {
          const found = LIVE.memory.ask(own, pattern, state.given[at]);
          text.textContent = answered(pattern, state.given[at], found, place);
          const key = JSON.stringify([found.value, found.trap]);
          first[at] ??= key;
          for (const [arg, select] of Object.entries(selected)) select.value = state.given[at][arg];
          const same = one.asked[at][1].every((value, arg) => value === state.given[at][arg] || along[at][arg] >= 0);
          tag.textContent = !same ? "another question" : key === first[at] ? "as printed" : "changed";
          tag.className = `tag ${same && key !== first[at] ? "change" : ""}`;
          ruleLinks(rules, pattern, found);
        };
      });
      const back = add(body, "button", "again", "Back to the printed position");
      back.type = "button";
      back.addEventListener("click", () => { show(); body.querySelector("select")?.focus(); });
      follow();
    };
    if (place.cases.length > 1) {
      const options = place.cases.map((each, at) => [at, each.label || `case ${at + 1}`]);
      body.before(chooser(panel, "Case", options, 0, (at) => { one = place.cases[at]; show(); }).parentNode);
    }
    show();
  };

  LIVE.showPanel = (where) => {
    const panel = add(where, "section", "panel");
    count += 1;
    panel.id = `panel-${count}`;
    const place = LIVE.page.places[where.dataset.live];
    panel.setAttribute("aria-label", place.title ? `Asked again: ${place.title}` : "Asked of a position");
    const movable = (one) => one.hexes.length > 1 && one.cases.some((each) => each.at.some((hex) => hex >= 0));
    if ((place.positions ?? [place]).some(movable))
      add(panel, "p", "note", "Drag a counter, or choose its place from the list: the answers follow. A counter may be put anywhere, also where it could not move.");
    panel.tabIndex = -1;
    if (!place.positions) position(panel, place, where);
    else {
      let box;
      const show = (at) => {
        box?.remove();
        box = add(panel, "div");
        const one = place.positions[at];
        const legend = add(box, "ul", "legend");
        for (const [name, text] of one.legend) { const item = add(legend, "li"); add(item, "b", "", name); item.append(` ${text}`); }
        for (const note of one.notes) add(box, "p", "note", note);
        position(box, one, null);
      };
      chooser(panel, "In the position of", place.positions.map((one, at) => [at, one.title]), 0, show);
      show(0);
    }
    panel.focus();
  };
})();
