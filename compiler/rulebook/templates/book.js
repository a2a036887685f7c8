// The search, and old addresses. Works from a file: the index is a script, nothing is fetched.
"use strict";
(() => {
  const root = document.body.dataset.root;
  const query = document.getElementById("query");
  const found = document.getElementById("found");
  const fold = (text) => text.toLowerCase().normalize("NFD").replace(/[\u0300-\u036f]/g, "");
  const rows = BOOK.map(([sort, title, number, address, words]) => ({
    sort, title, number, address, words, head: fold(`${title} ${number}`), all: fold(`${title} ${number} ${words} ${sort}`),
  }));

  // An address of the front page with a label leads to the label wherever it has moved.
  const label = decodeURIComponent(location.hash.slice(1));
  if (label && !document.getElementById(label)) {
    const row = rows.find((one) => one.address.endsWith(`#${label}`));
    if (row) location.replace(root + row.address);
  }

  const weight = (row, tokens) => {
    let sum = 0;
    for (const token of tokens) {
      const at = row.all.indexOf(token);
      if (at < 0) return 0;
      const starts = at === 0 || !/[a-z0-9]/.test(row.all[at - 1]);
      sum += (row.head.includes(token) ? 6 : 0) + (starts ? 2 : 0) + 1;
    }
    if (row.head === tokens.join(" ") || row.number === tokens.join(" ")) sum += 20;
    return sum + (["Ruling", "Rule", "Chart"].includes(row.sort) ? 1 : 0);
  };

  const passage = (row, token) => {
    const at = Math.max(0, fold(row.words).indexOf(token) - 50);
    return (at ? "… " : "") + row.words.slice(at, at + 150) + (row.words.length > at + 150 ? " …" : "");
  };

  const add = (parent, tag, text, kind) => {
    const node = document.createElement(tag);
    if (text) node.textContent = text;
    if (kind) node.className = kind;
    parent.append(node);
    return node;
  };

  const show = () => {
    const tokens = fold(query.value).split(/\s+/).filter(Boolean);
    found.toggleAttribute("data-open", tokens.length > 0);
    found.textContent = "";
    if (!tokens.length) return;
    const best = rows.map((row) => [weight(row, tokens), row]).filter(([sum]) => sum > 0);
    best.sort((a, b) => b[0] - a[0]);
    add(found, "p", best.length ? `${best.length} found${best.length > 40 ? ", the first 40:" : ""}` : "Nothing found.", "count");
    const list = add(found, "ol");
    for (const [, row] of best.slice(0, 40)) {
      const link = add(add(list, "li"), "a");
      link.href = root + row.address;
      add(link, "span", row.sort, "tag");
      add(link, "b", `${row.number} ${row.title}`.trim());
      if (row.words) add(link, "span", passage(row, tokens[0]), "passage");
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
  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName);
    if (event.key === "/" && !typing) { event.preventDefault(); query.focus(); }
    if (event.key === "Escape") { close(); query.focus(); }
    if (!["ArrowDown", "ArrowUp"].includes(event.key) || !found.hasAttribute("data-open")) return;
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
  const wanted = new URLSearchParams(location.search).get("q");
  if (wanted) { query.value = wanted; show(); }
})();
