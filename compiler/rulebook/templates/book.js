// The search, and old addresses. Works from a file: the index is a script, nothing is fetched.
"use strict";
(() => {
  const root = document.body.dataset.root;
  const query = document.getElementById("query");
  const found = document.getElementById("found");
  // An address of the front page with a label leads to the label wherever it has moved.
  const label = decodeURIComponent(location.hash.slice(1));
  if (label && !document.getElementById(label)) {
    const row = SEARCH.rows.find((one) => one.address.endsWith(`#${label}`));
    if (row) location.replace(root + row.address);
  }

  const add = (parent, tag, text, kind) => {
    const node = document.createElement(tag);
    if (text) node.textContent = text;
    if (kind) node.className = kind;
    parent.append(node);
    return node;
  };

  const MOST = 25;
  const write = (node, pieces) => {
    for (const [word, asked] of pieces) {
      if (asked) add(node, "mark", word); else node.append(word);
      node.append(" ");
    }
  };
  const link = (list, row, wanted, foundBy, kind) => {
    const made = add(add(list, "li", "", kind), "a");
    made.href = root + row.address;
    add(made, "span", row.sort, "tag");
    write(add(made, "b", row.number && `${row.number} `), SEARCH.marked(row.title, wanted));
    if (row.text) write(add(made, "span", "", "passage"), SEARCH.passage(row, wanted));
    // The entry of the index or the query by which the row was found, where its own words do not show the reason.
    if (foundBy) write(add(made, "span", "Found by: ", "passage"), SEARCH.marked(foundBy, wanted));
  };
  const show = () => {
    const wanted = query.value.trim();
    found.toggleAttribute("data-open", wanted !== "");
    found.style.top = `${document.querySelector(".top").offsetHeight}px`;
    found.textContent = "";
    if (!wanted) return;
    const best = SEARCH.find(wanted);
    const count = best.length > MOST ? `The best ${MOST} of ${best.length} places:` : `${best.length} place${best.length === 1 ? "" : "s"}`;
    add(found, "p", best.length ? count : "No word of this is in the book.", "count");
    const unknown = SEARCH.unknown(wanted);
    if (best.length && unknown.length) add(found, "p", `Nothing in this book says ${unknown.map((word) => `“${word}”`).join(", ")}.`, "count");
    for (const [word, meant] of SEARCH.readAs(wanted)) add(found, "p", `Nothing in this book says “${word}”; it is read as ${meant.map((each) => `“${each}”`).join(" or ")}.`, "count");
    const list = add(found, "ol");
    for (const place of best.slice(0, MOST)) {
      link(list, place.head, wanted, place.foundBy.get(place.head.address), "");
      for (const row of place.rows.filter((one) => one !== place.head).slice(0, RANKING.beneath)) link(list, row, wanted, place.foundBy.get(row.address), "beneath");
    }
  };

  const close = () => { found.removeAttribute("data-open"); };
  const links = () => [...found.querySelectorAll("a")];
  query.addEventListener("input", show);
  query.form.addEventListener("submit", (event) => {
    event.preventDefault();
    show();
    const [first] = links();
    if (first) first.click();
  });
  found.addEventListener("click", close);
  // Whoever goes on to the page wants to see it.
  const leave = (event) => { if (![found, query.form].some((part) => part.contains(event.target))) close(); };
  document.addEventListener("focusin", leave);
  document.addEventListener("pointerdown", leave);
  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName);
    if (event.key === "/" && !typing) { event.preventDefault(); query.focus(); }
    if (event.key === "Escape" && found.hasAttribute("data-open")) { close(); query.focus(); }
    if (!["ArrowDown", "ArrowUp"].includes(event.key)) return;
    if (document.activeElement === query && !found.hasAttribute("data-open")) show();
    if (!found.hasAttribute("data-open")) return;
    const all = links();
    const next = all.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
    if (next >= 0 && next < all.length) { event.preventDefault(); all[next].focus(); }
    if (next < 0) { event.preventDefault(); query.focus(); }
  });
  // The switch between day and night, which only makes sense where scripts run.
  const theme = document.getElementById("theme");
  const root_ = document.documentElement;
  const dark = () => (root_.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "night" : "day")) === "night";
  const name = () => { theme.textContent = dark() ? "Day" : "Night"; theme.setAttribute("aria-label", dark() ? "Day pages" : "Night pages"); };
  theme.hidden = false;
  name();
  theme.addEventListener("click", () => {
    root_.dataset.theme = dark() ? "day" : "night";
    try { localStorage.setItem("theme", root_.dataset.theme); } catch { /* Only until the next page, then. */ }
    name();
  });
  // What is wider than the screen says so: it fades where it goes on, and a line tells how to get there.
  const measure = (box) => {
    const over = box.scrollWidth - box.clientWidth;
    box.toggleAttribute("data-wide", over > 4);
    box.toggleAttribute("data-end", box.scrollLeft > over - 4);
    box.toggleAttribute("data-begun", box.scrollLeft > 4);
  };
  const measureAll = () => document.querySelectorAll(".scroll").forEach(measure);
  measureAll();
  addEventListener("resize", measureAll);
  document.addEventListener("toggle", measureAll, true);
  document.addEventListener("scroll", (event) => { if (event.target.classList?.contains("scroll")) measure(event.target); }, { capture: true, passive: true });
  // Panels and forms add pictures and tables.
  new MutationObserver(measureAll).observe(document.querySelector("main"), { childList: true, subtree: true });
  // Examples are folded; one that an address leads to is open, and on paper all are.
  const examples = [...document.querySelectorAll("details.example")];
  const unfold = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let box = target.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", unfold);
  if (location.hash) unfold();
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = examples.filter((one) => !one.open);
    for (const one of folded) one.open = true;
  });
  addEventListener("afterprint", () => { for (const one of folded) one.open = false; });
  if (examples.length > 1) {
    const all = document.createElement("button");
    all.type = "button";
    all.className = "unfold";
    const say = () => { all.textContent = examples.every((one) => one.open) ? "Fold all examples" : `Open all ${examples.length} examples`; };
    say();
    all.addEventListener("click", () => {
      const open = !examples.every((one) => one.open);
      for (const one of examples) one.open = open;
      say();
    });
    document.addEventListener("toggle", say, true);
    document.querySelector("#main h1").after(all);
  }
  const wanted = new URLSearchParams(location.search).get("q");
  if (wanted) { query.value = wanted; show(); }
})();
