// Charts that are worked out: numbers are entered, the column follows, and the results for each number on the die.
"use strict";
(() => {
  const { add, chooser, said } = LIVE;
  const NOWHERE = { hexes: [], pieces: [] };
  const SHIFTS = [-2, -1, 0, 1, 2];

  const field = (parent, name, type, value, changed) => {
    if (type[0] === "number") {
      const box = add(parent, "label", "choice");
      add(box, "span", "", name);
      const input = add(box, "input");
      Object.assign(input, { type: "number", value, step: 1 });
      if (type[4] !== null) input.min = type[4];
      if (type[5] !== null) input.max = type[5];
      input.addEventListener("input", () => { if (input.value !== "" && input.checkValidity()) changed(Math.trunc(Number(input.value))); });
      return input;
    }
    const options = { scale: () => LIVE.module.scales[type[2]] ?? [], enum: () => LIVE.module.enums[type[1]] ?? [], yes: () => [[0, "no"], [1, "yes"]] };
    return chooser(parent, name, options[type[0]](), value, changed);
  };
  const beginning = (type) => {
    switch (type[0]) {
      case "number": return Math.max(type[4] ?? 0, Math.min(type[5] ?? 0, 0));
      case "scale": return LIVE.module.scales[type[2]]?.[0]?.[0] ?? 0;
      case "enum": return LIVE.module.enums[type[1]]?.[0]?.[0] ?? 0;
      default: return 0;
    }
  };

  const form = (where, one) => {
    const box = add(where, "div", "panel");
    const reader = LIVE.page.patterns[one.reader];
    const finder = LIVE.page.patterns[one.finder];
    const given = reader.p.map(beginning);
    const entered = finder ? finder.p.map((type) => Math.max(1, beginning(type))) : [];
    const fields = add(box, "fieldset", "places");
    add(fields, "legend", "", "Work it out");
    const inputs = [];
    if (finder) finder.p.forEach((type, at) => field(fields, one.fields[1][at], type, entered[at], (value) => { entered[at] = value; find(); }));
    reader.p.forEach((type, at) => {
      if (at !== one.die || one.column < 0) inputs[at] = field(fields, one.fields[0][at], type, given[at], (value) => { given[at] = value; follow(); });
    });
    const out = add(box, "p", "result");
    out.setAttribute("aria-live", "polite");
    const because = add(box, "p", "because");
    const scroll = add(box, "div", "scroll");
    scroll.tabIndex = 0;
    scroll.setAttribute("role", "group");
    scroll.setAttribute("aria-label", "Results with each shift");
    let missed = "";
    const find = () => {
      const found = LIVE.memory.ask(one.finder, finder, entered);
      missed = found.trap ?? "";
      if (!missed) given[one.column] = found.value;
      if (!missed) inputs[one.column].value = String(found.value);
      follow();
    };
    const result = (values) => {
      const found = LIVE.memory.ask(one.reader, reader, values);
      return found.trap ? "–" : said(reader.a, found.value, NOWHERE);
    };
    const follow = () => {
      scroll.textContent = "";
      because.textContent = "";
      if (missed) { out.textContent = `The rules give no column for this: ${missed}.`; return; }
      if (one.column < 0) {
        const found = LIVE.memory.ask(one.reader, reader, given);
        out.textContent = found.trap ? `The rules give no answer for this: ${found.trap}.` : `The answer is ${said(reader.a, found.value, NOWHERE)}.`;
        return;
      }
      const type = reader.p[one.column];
      const places = LIVE.module.scales[type[2]];
      // A number beyond the columns is shown beside the last one; what comes of it the rules say.
      const [lowest, highest] = [places[0], places.at(-1)];
      const here = given[one.column];
      const named = (value) => places.find(([each]) => each === value)?.[1]
        ?? (value < lowest[0] ? `below ${lowest[1]}` : `beyond ${highest[1]}`);
      out.textContent = `The column is ${named(here)}.`;
      if (one.die < 0) return;
      const shown = SHIFTS.filter((shift) => shift === 0 || (here + shift >= lowest[0] && here + shift <= highest[0]));
      const table = add(scroll, "table", "grid");
      add(table, "caption", "", "The result for each number on the die, in this column and in those beside it");
      const head = add(add(table, "thead"), "tr");
      add(head, "th", "", one.fields[0][one.die]).scope = "col";
      for (const shift of shown) {
        const cell = add(head, "th", shift ? "" : "here", `${named(here + shift)}${shift ? ` (${shift > 0 ? "+" : "−"}${Math.abs(shift)})` : ""}`);
        cell.scope = "col";
      }
      const rows = add(table, "tbody");
      const [, , , , low, high] = reader.p[one.die];
      for (let die = low; die <= high; die += 1) {
        const row = add(rows, "tr");
        add(row, "th", "", String(die).replace("-", "−")).scope = "row";
        for (const shift of shown) {
          add(row, "td", shift ? "value" : "value here", result(given.map((value, place) => (place === one.die ? die : place === one.column ? here + shift : value))));
        }
      }
    };
    if (finder) find(); else follow();
    return box;
  };

  LIVE.showForm = (where) => {
    LIVE.memory.load(0, []);
    const mine = LIVE.page.places.charts.forms.filter((one) => one.chart === where.dataset.chart);
    for (const one of mine) form(where, one);
    where.querySelector("input, select")?.focus();
  };
})();
